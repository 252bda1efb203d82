"""A labelled corpus on disk."""

import hashlib
from pathlib import Path

import polars as pl

from tasks.runtime.errors import InputError

FILES = ("documents", "truth", "fragments")


def frame(split: Path, name: str) -> pl.DataFrame:
    """Read `documents` (doc_id, text, …), `truth` or `fragments` of a labelled corpus."""
    return pl.read_parquet(split / f"{name}.parquet")


def check(split: Path) -> None:
    """Refuse a folder that is no labelled corpus.

    Raises:
        InputError: a file is missing.
    """
    for name in FILES:
        if not (split / f"{name}.parquet").exists():
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
    """Hash of the content of the three files."""
    whole = hashlib.sha256()
    for name in FILES:
        with (split / f"{name}.parquet").open("rb") as opened:
            whole.update(hashlib.file_digest(opened, "sha256").digest())
    return whole.hexdigest()
