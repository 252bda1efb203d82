"""Verdict cache of the judge, kept in the workspace for every later run: nothing is asked twice.

They stand beside the tables, not among them, so `gc` leaves them alone. One part is written per batch of questions, in
one step: whoever is killed has lost the answers of one batch. What is kept is how likely each label is, never that
nobody answered.
"""

from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from data_contracts.schemas import VERDICTS
from models.decision.llm_judge.fuse import PROBABILITIES
from tasks.runtime.progress import say
from tasks.storage.atomic import atomic_path
from tasks.storage.parquet import write_answers
from tasks.storage.tables import part_name

PAIR = ("text_hash_a", "text_hash_b")
"""Hashes of the normalised texts of a pair, in the order in which the judge reads them: the lesser first."""
KEY = (*PAIR, "prompt", "model")
PARTS = 64
"""Parts from which they are written together into one."""
ROUNDING = 1e-3
"""By which probabilities may miss the sum of 1."""


class VerdictCache:
    """Cache of the verdicts of one model on one prompt."""

    def __init__(self, workspace: Path, model: str, prompt: str) -> None:
        """Open the verdicts of a workspace; a part that cannot be read is set aside with a warning."""
        self._folder = workspace / "verdicts"
        self._asked = {"prompt": pl.lit(prompt), "model": pl.lit(model)}
        for leftover in self._folder.glob(".*.tmp"):
            leftover.unlink()  # of a run that was killed; one at a time works in a workspace
        kept = {path: _read(path) for path in sorted(self._folder.glob("part-*.parquet"))}
        whole = pl.concat([pl.DataFrame(schema=VERDICTS.schema), *kept.values()])
        self._next = max((int(path.stem.removeprefix("part-")) for path in kept), default=-1) + 1
        if len(kept) > PARTS:
            self._write(whole.unique(KEY, keep="first", maintain_order=True))
            for path in kept:
                path.unlink(missing_ok=True)
        mine = whole.filter(pl.col("prompt") == prompt, pl.col("model") == model).select(*PAIR, *PROBABILITIES)
        self._known = mine.unique(PAIR, keep="first", maintain_order=True)

    def recall(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """Pairs with the probability of each label, NaN where it is not known, in their order.

        Args:
            pairs: among its columns those of `PAIR`.
        """
        found = pairs.join(self._known, on=PAIR, how="left", maintain_order="left")
        return found.with_columns(pl.col(PROBABILITIES).fill_null(np.nan))

    def keep(self, pairs: pl.DataFrame, probability: NDArray[np.float32]) -> None:
        """Keep what was answered.

        Args:
            pairs: n rows with the columns of `PAIR`.
            probability: float32[n, 3] over `PROBABILITIES`; rows of NaN, of pairs without a verdict, are not kept.
        """
        told = pl.DataFrame(probability, schema=dict.fromkeys(PROBABILITIES, pl.Float32))
        answered = pl.concat([pairs.select(PAIR), told], how="horizontal").filter(_sound())
        if answered.height:
            self._write(answered.with_columns(**self._asked))
            self._known = pl.concat([self._known, answered]).unique(PAIR, keep="first", maintain_order=True)

    def _write(self, rows: pl.DataFrame) -> None:
        with atomic_path(self._folder / part_name(self._next)) as temporary:
            write_answers(rows.select(list(VERDICTS.columns)), temporary)
        self._next += 1


def _read(path: Path) -> pl.DataFrame:
    try:
        rows = pl.DataFrame(pl.from_arrow(pq.read_table(path, page_checksum_verification=True)))
        return rows.match_to_schema(VERDICTS.schema).filter(_sound())
    except (pa.ArrowException, pl.exceptions.PolarsError, OSError):
        aside = path.with_name(f"{path.name}.damaged")
        path.replace(aside)
        say(f"verdicts: {path} cannot be read and was set aside as {aside.name}; its pairs are asked again")
        return pl.DataFrame(schema=VERDICTS.schema)


def _sound() -> pl.Expr:
    """Is the row a distribution over the labels?"""
    return ((pl.sum_horizontal(PROBABILITIES) - 1).abs() <= ROUNDING) & (pl.min_horizontal(PROBABILITIES) >= 0)
