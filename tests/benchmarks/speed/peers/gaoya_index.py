"""gaoya: its string index with word 5-grams; a document goes if the index holds one of estimated Jaccard 0.8."""

from common import NGRAM, THRESHOLD, arguments, corpus, write_removed
from gaoya.minhash import MinHashStringIndex

folder, out = arguments()
index = MinHashStringIndex(
    hash_size=32,
    jaccard_threshold=THRESHOLD,
    num_bands=14,
    band_size=8,
    analyzer="word",
    lowercase=True,
    ngram_range=(NGRAM, NGRAM),
)
removed = []
ids, texts = corpus(folder)
for number, text in enumerate(texts):
    if index.query(text):
        removed.append(ids[number])
    else:
        index.insert_document(number, text)
write_removed(out, removed)
