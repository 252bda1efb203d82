"""Pairs of licence notices that people keyed by licence → a file of reviewed pairs for `semhash-llm train-judge`.

`python -m tests.benchmarks.judge.licence_pairs licences.parquet pairs.parquet`: texts whose id is
`lic/R/<licence>_<number>`, the rules of ScanCode's collection (CC-BY-4.0). Two wordings of one licence's notice are
duplicates; notices of two licences, or of two versions of one, are distinct.
"""

import re
import sys
from random import Random

import polars as pl

from data_contracts.schemas import REVIEWS
from models.lexical.text import normalise, text_hash

PAIRS, SEED = 300, 1
CHARS = 25, 400
WORDS = re.compile(r"[^\W_]+")
JACCARD = 0.25, 0.85
SIBLINGS = 0.4


def jaccard(one: str, other: str) -> float:
    a, b = (set(WORDS.findall(text.lower())) for text in (one, other))
    return len(a & b) / max(len(a | b), 1)


def drawn(rules: pl.DataFrame, rng: Random) -> list[tuple[str, str, str]]:
    """Two notices of one licence, or of its nearest neighbour by name, in turn."""
    by_key = {key: group["text"].to_list() for (key,), group in rules.group_by("key", maintain_order=True)}
    keys = sorted(by_key)
    found: list[tuple[str, str, str]] = []
    seen: set[str] = set()
    while len(found) < PAIRS:
        at = rng.randrange(len(keys) - 1)
        same = len(found) % 3 < 2
        one = rng.choice(by_key[keys[at]])
        rivals = [text for text in by_key[keys[at if same else at + 1]] if text != one and text not in seen]
        low, high = JACCARD if same else (SIBLINGS, 1)
        fit = [text for text in rng.sample(rivals, min(20, len(rivals))) if low <= jaccard(one, text) <= high]
        if fit and one not in seen:
            other = rng.choice(fit)
            seen |= {one, other}
            found.append((one, other, "duplicate" if same else "distinct"))
    return found


def main() -> None:
    source, target = sys.argv[1:]
    rules = (
        pl.read_parquet(source)
        .filter(pl.col("id").str.starts_with("lic/R/"), pl.col("text").str.len_chars().is_between(*CHARS))
        .with_columns(key=pl.col("id").str.extract(r"^lic/R/(.+?)_\d+$"), text=pl.col("text").str.strip_chars())
        .filter(~pl.col("key").str.contains("_or_|_and_|_with_|unknown|other-|proprietary|url|free|warranty|generic"))
        .filter(~pl.col("text").str.contains("://[^ ]*$"), pl.col("text").str.count_matches(r"\w+") >= 5)
        .unique("text", maintain_order=True)
        .sort("id")
    )
    pairs = drawn(rules, Random(SEED))
    labelled = pl.DataFrame(pairs, schema=["text_a", "text_b", "label"], orient="row")
    blank = {name: pl.lit("") for name in REVIEWS.schema if name not in labelled.columns}
    hashes = {f"text_hash_{side}": pl.Series(text_hash(normalise(labelled[f"text_{side}"]))) for side in "ab"}
    labelled.with_columns(**blank | hashes).select(list(REVIEWS.schema)).write_parquet(target)
    print(f"{len(pairs)} pairs")


if __name__ == "__main__":
    main()
