"""Short texts compared letter by letter, in the form in which they are read."""
