"""Search of all published texts for passages of the cases, in one reading."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import polars as pl

from tasks.audit.word_marks import Alone, grams
from tasks.explain.archive import Archive
from tasks.runtime.progress import stage_progress
from tasks.storage.ragged_arrays import batches


class Found(NamedTuple):
    """Where a stretch of words stands.

    Attributes:
        share: of its runs of five words, those that the best document has; None where it has none to look for.
        doc_id: that document; None where no document has any.
        documents: how many have all of them.
    """

    share: float | None
    doc_id: str | None
    documents: int


def look_up(archive: Archive, stretches: list[Alone]) -> list[Found]:
    """Find for each stretch the published document that holds most of it."""
    wanted = pl.concat(
        [pl.DataFrame({"gram": np.empty(0, np.uint64)}).with_columns(stretch=pl.lit(0, pl.UInt32))]
        + [
            pl.DataFrame({"gram": np.unique(stretch.grams)}).with_columns(stretch=pl.lit(number, pl.UInt32))
            for number, stretch in enumerate(stretches)
        ]
    )
    sizes = dict(wanted.group_by("stretch").len().iter_rows())
    best = pl.DataFrame(schema={"stretch": pl.UInt32, "doc_id": pl.String, "held": pl.UInt32})
    holders: dict[int, int] = {}
    for held in _held(archive, wanted):
        full = held.filter(pl.col("held") == pl.col("stretch").replace_strict(sizes, return_dtype=pl.UInt32))
        for stretch, number in full.group_by("stretch").len().iter_rows():
            holders[stretch] = holders.get(stretch, 0) + number
        best = pl.concat([best, held.select(best.columns)]).sort(["held", "doc_id"], descending=[True, False])
        best = best.unique("stretch", keep="first", maintain_order=True)
    places = {stretch: (doc_id, held) for stretch, doc_id, held in best.iter_rows()}
    found = []
    for number in range(len(stretches)):
        doc_id, held = places.get(number, (None, 0))
        share = held / sizes[number] if number in sizes else None
        found.append(Found(share, doc_id, holders.get(number, 0)))
    return found


def _held(archive: Archive, wanted: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Per batch of published documents how many grams of which stretch each of them holds."""
    sought = wanted["gram"].unique().sort().to_numpy()
    if not len(sought):
        return
    paths = sorted((archive.path / "documents").glob("*.parquet"))
    with stage_progress("look up", len(paths), unit="files") as bar:
        for path in paths:
            texts = pl.scan_parquet(path).select(
                doc_id=pl.col(archive.id_column).cast(pl.String), text=archive.text_column
            )
            for batch in batches([texts.collect()]):
                found = grams(batch["text"])
                hits = np.flatnonzero(np.isin(found.hash, sought))
                owner = np.searchsorted(found.pointers, hits, side="right") - 1
                here = pl.DataFrame({"gram": found.hash[hits], "owner": owner}).unique()
                held = here.join(wanted, on="gram").group_by("owner", "stretch").agg(held=pl.len())
                yield held.with_columns(doc_id=batch["doc_id"].gather(held["owner"]))
            bar.advance()
