"""The passage of one document that matches another, for comparison and for `explain`."""

from collections.abc import Mapping

import polars as pl

from models.decision.diff.segments import passages
from tasks.storage.tables import TableRef, scan


def texts_of(documents: TableRef, wanted: pl.Series) -> dict[int, str]:
    """Text by document number."""
    chosen = pl.LazyFrame({"doc": wanted.unique()})
    rows = scan(documents).select("doc", "text").join(chosen, on="doc", how="semi").collect()
    return dict(rows.iter_rows())


def matching_passages(texts: Mapping[int, str], nested: pl.DataFrame) -> list[str]:
    """For each pair `child`, `parent` the stretch of the parent from the first to the last passage equal to it."""
    found = []
    for child, parent in nested.select("child", "parent").iter_rows():
        equal = [one for one in passages(texts[child], texts[parent]) if one.kind == "equal"]
        start, end = (equal[0].b0, equal[-1].b1) if equal else (0, len(texts[parent]))
        found.append(texts[parent][start:end])
    return found
