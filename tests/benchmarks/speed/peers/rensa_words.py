"""rensa as documented: its deduplicator over single words cut at blanks."""

from common import PERMUTATIONS, THRESHOLD, arguments, corpus, write_removed
from rensa import RMinHashDeduplicator

folder, out = arguments()
ids, texts = corpus(folder)
found = RMinHashDeduplicator(THRESHOLD, PERMUTATIONS, use_lsh=True)
kept = found.add_pairs([(name, text.split()) for name, text in zip(ids, texts, strict=True)])
write_removed(out, [name for name, stays in zip(ids, kept, strict=True) if not stays])
