"""Parts of baselines: links, neighbours, grams, suffix arrays, and networks that several of them share."""
