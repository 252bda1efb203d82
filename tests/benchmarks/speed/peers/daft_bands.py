"""Daft: its minhash expression, then a join on equal bands; a document goes if an earlier one shares a band."""

import daft
import numpy as np
from common import BANDS, NGRAM, PERMUTATIONS, ROWS, arguments, write_removed
from daft import col
from daft.functions import lower, minhash

folder, out = arguments()
hashes = minhash(lower(col("text")), num_hashes=PERMUTATIONS, ngram_size=NGRAM, hash_function="xxhash64")
signed = daft.read_parquet(f"{folder}/*.parquet").select(col("doc_id"), hashes.alias("sketch")).to_arrow()
sketch = signed["sketch"].combine_chunks()
values = np.asarray(sketch.flatten(), np.uint32).reshape(len(sketch), PERMUTATIONS)
late = np.zeros(len(values), bool)
for band in range(BANDS):
    rows = np.ascontiguousarray(values[:, band * ROWS : (band + 1) * ROWS])
    _, first, group = np.unique(rows.view(f"V{4 * ROWS}").ravel(), return_index=True, return_inverse=True)
    late |= first[group] < np.arange(len(values))
ids = signed["doc_id"].to_pylist()
write_removed(out, [ids[row] for row in np.flatnonzero(late)])
