"""rensa over 5-grams of words, cut in Python."""

from common import PERMUTATIONS, THRESHOLD, arguments, corpus, grams, write_removed
from rensa import RMinHashDeduplicator

folder, out = arguments()
found = RMinHashDeduplicator(THRESHOLD, PERMUTATIONS, use_lsh=True)
removed = []
for name, text in zip(*corpus(folder), strict=True):
    if not found.add_pairs([(name, list(grams(text)))])[0]:
        removed.append(name)
write_removed(out, removed)
