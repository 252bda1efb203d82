"""Material of labelled pairs: texts of a corpus parted into groups, sites, furniture, word lists."""
