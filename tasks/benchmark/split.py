"""Labelled corpus on disk: documents, truth, fragments."""

import hashlib
from pathlib import Path

import polars as pl

from tasks.runtime.errors import InputError

FILES = ("documents", "truth", "fragments")
OPTIONAL = ("fragments",)
"""Files that a split without such labels lacks."""


def frame(split: Path, name: str) -> pl.DataFrame:
    """Read `documents` (doc_id, text, …), `truth` or `fragments` of a labelled corpus."""
    if name in OPTIONAL and not (split / f"{name}.parquet").exists():
        places = dict.fromkeys(("start", "end"), pl.Int64)
        return pl.DataFrame(schema={"fragment_id": pl.String, "doc_id": pl.String, **places})
    return pl.read_parquet(split / f"{name}.parquet")


def check(split: Path) -> None:
    """Refuse a folder that is no labelled corpus.

    Raises:
        InputError: a file is missing.
    """
    for name in FILES:
        if name not in OPTIONAL and not (split / f"{name}.parquet").exists():
            raise InputError(f"{split} is no labelled corpus: {name}.parquet is missing")


def apart(corpora: list[str], split: Path) -> None:
    """Refuse to learn from what is scored.

    Raises:
        InputError: a corpus lies inside the split.
    """
    for corpus in corpora:
        if Path(corpus).resolve().is_relative_to(split.resolve()):
            raise InputError(f"--train-on {corpus}: that is the labelled corpus itself")


def fingerprint(split: Path) -> str:
    """Hash of the content of the files."""
    whole = hashlib.sha256()
    for name in FILES:
        if name in OPTIONAL and not (split / f"{name}.parquet").exists():
            continue
        with (split / f"{name}.parquet").open("rb") as opened:
            whole.update(hashlib.file_digest(opened, "sha256").digest())
    return whole.hexdigest()
