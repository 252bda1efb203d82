"""text-dedup's own command line: MinHash of 5-grams of words, 128 permutations, two processes."""

import os
import sys

from common import NGRAM, PERMUTATIONS, THRESHOLD, arguments

folder, out = arguments()
options = {
    "path": "parquet",
    "data_files": folder / "*.parquet",
    "split": "train",
    "cache_dir": out / "cache",
    "output": out / "kept",
    "column": "text",
    "batch_size": 10_000,
    "num_perm": PERMUTATIONS,
    "ngram": NGRAM,
    "threshold": THRESHOLD,
    "num_proc": 2,
}
told = [word for name, value in options.items() for word in (f"--{name}", str(value))]
os.execv(sys.executable, [sys.executable, "-m", "text_dedup.minhash", *told])
