"""Fine-tuning set: rows of instruction and answer, where the same question comes in several wordings of its frame.

Both are compared together, as one text; the rows that stay keep their columns.
"""

import polars as pl

import semhash_llm as sh

rows = pl.DataFrame(
    {
        "id": ["a", "b", "c"],
        "instruction": [
            "Name the capital of Portugal.",
            "Name the capital of Portugal!",
            "Name the capital of Norway.",
        ],
        "answer": ["Lisbon has been the capital of Portugal since 1255."] * 2
        + ["Oslo has been the capital of Norway since 1814."],
    }
)
joined = rows.with_columns(text=pl.concat_str("instruction", "answer", separator="\n"))
kept = sh.deduplicate(joined, id="id").kept.drop("text")
assert kept["id"].to_list() == ["a", "c"]
print(kept)
