"""datasketch: MinHash of 5-grams of words in an LSH index; a document goes if an earlier kept one collides."""

from common import PERMUTATIONS, THRESHOLD, arguments, corpus, grams, write_removed
from datasketch import MinHash, MinHashLSH

folder, out = arguments()
index = MinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS)
removed = []
for name, text in zip(*corpus(folder), strict=True):
    sketch = MinHash(num_perm=PERMUTATIONS)
    sketch.update_batch([gram.encode() for gram in grams(text)])
    if index.query(sketch):
        removed.append(name)
    else:
        index.insert(name, sketch)
write_removed(out, removed)
