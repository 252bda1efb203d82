"""Hugging Face: a data set in, the same kind of data set without its duplicates out (needs the package `datasets`).

What is only on disk need not be loaded: `semhash-llm curate FOLDER_OF_SAVE_TO_DISK --out published`, and of the Hub
`semhash-llm curate hf://datasets/OWNER/NAME/*.parquet --out published`.
"""

from datasets import Dataset

import semhash_llm as sh

rows = Dataset.from_list(
    [
        {"id": "a", "text": "The library in the old convent opens at nine and closes at half past six."},
        {"id": "b", "text": "The library in the old convent opens at nine, and closes at half past six."},
        {"id": "c", "text": "Its reading room holds two hundred seats and a garden behind glass."},
    ]
)
kept = sh.deduplicate(rows, id="id").kept
assert kept["id"] == ["a", "c"]
print(kept)
