"""What every driver of a peer does the same: read a corpus, cut words, write the ids that its tool would remove."""

import re
import sys
from collections.abc import Iterable
from pathlib import Path

REMOVED = "removed.txt"
THRESHOLD, PERMUTATIONS, BANDS, ROWS, NGRAM = 0.8, 128, 9, 13, 5
"""Of every peer that takes them; 9 bands of 13 rows is what their own optimisers choose for 0.8 of 128."""

WORD = re.compile(r"\w+")


def arguments() -> tuple[Path, Path]:
    """Folder of the corpus, folder of the results."""
    return Path(sys.argv[1]), Path(sys.argv[2])


def corpus(folder: Path) -> tuple[list[str], list[str]]:
    """Ids and texts."""
    import pyarrow.parquet as pq

    table = pq.read_table(sorted(map(str, folder.glob("*.parquet"))), columns=["doc_id", "text"])
    return table["doc_id"].to_pylist(), table["text"].to_pylist()


def grams(text: str) -> set[str]:
    """Runs of five words, lower case; the whole of a shorter text."""
    words = WORD.findall(text.lower())
    return {" ".join(words[at : at + NGRAM]) for at in range(max(len(words) - NGRAM + 1, 1))}


def write_removed(out: Path, removed: Iterable[str]) -> None:
    """One id per line."""
    (out / REMOVED).write_text("".join(f"{one}\n" for one in removed))
