"""Review store: one table of decisions beside the snapshots, which every run obeys and `train` learns from.

A pair is named by the hashes of its normalised texts, so a decision holds for every copy of the two, in whatever files
and under whatever ids they come in.
"""

import getpass
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from data_contracts.schemas import REVIEWS
from models.decision.llm_judge.prompt import LABELS
from models.lexical.text import normalise, text_hash
from tasks.runtime.errors import DamageError
from tasks.storage.atomic import atomic_path
from tasks.storage.parquet import write_answers

FILE = "reviews.parquet"
PAIR = ["text_hash_a", "text_hash_b"]


def load(path: Path) -> pl.DataFrame:
    """Reviewed pairs, one row each, in the columns of `REVIEWS`; none where the file does not exist.

    `text_a` is the text whose normalised form has the lesser hash; `label` is about both and does not depend on which
    is which; `time` is UTC, ISO 8601.

    Raises:
        DamageError: the file cannot be read.
    """
    if not path.exists():
        return pl.DataFrame(schema=REVIEWS.schema)
    try:
        return pl.read_parquet(path).match_to_schema(REVIEWS.schema).filter(pl.col("label").is_in(LABELS))
    except (pl.exceptions.PolarsError, OSError) as error:
        raise DamageError(f"{path} cannot be read; bring it back from a backup, or move it away") from error


def decided(ids: tuple[str, str], texts: tuple[str, str], label: str, note: str = "") -> pl.DataFrame:
    """One row for what the user of this process decides now about two texts."""
    one, other = sorted(zip(text_hash(normalise(pl.Series(texts, dtype=pl.String))), texts, ids, strict=True))
    now = datetime.now(UTC).isoformat(timespec="seconds")
    values = (one[0], other[0], label, one[1], other[1], one[2], other[2], _user(), now, note)
    return pl.DataFrame([values], schema=REVIEWS.schema, orient="row")


def keep(path: Path, rows: pl.DataFrame) -> None:
    """Add decisions to the file in one step; a later one about the same pair takes the place of an earlier."""
    both = pl.concat([load(path), rows]).unique(PAIR, keep="last", maintain_order=True)
    with atomic_path(path) as temporary:
        write_answers(both, temporary)


def withdraw(path: Path, rows: pl.DataFrame) -> None:
    """Take decisions out of the file again, in one step."""
    left = load(path).join(rows, on=PAIR, how="anti", maintain_order="left")
    with atomic_path(path) as temporary:
        write_answers(left, temporary)


def forget(path: Path, ids: pl.Series) -> None:
    """Drop what was decided about documents that were deleted: it holds their texts."""
    if path.exists():
        known = load(path)
        left = known.filter(~pl.any_horizontal(pl.col("doc_id_a", "doc_id_b").is_in(ids.implode())))
        if left.height < known.height:
            with atomic_path(path) as temporary:
                write_answers(left, temporary)


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container may know no name for its user
        return "unknown"
