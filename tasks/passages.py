"""The passage of one document that matches another, for comparison and for `explain`."""

import polars as pl

from models.decision.passages import passages
from tasks.tables import TableRef, scan


def texts_of(documents: TableRef, wanted: pl.Series) -> dict[int, str]:
    """Text by document number."""
    chosen = pl.LazyFrame({"doc": wanted.unique()})
    rows = scan(documents).select("doc", "text").join(chosen, on="doc", how="semi").collect()
    return dict(rows.iter_rows())


def matching_passages(documents: TableRef, children: pl.Series, parents: pl.Series) -> list[str]:
    """For each pair the stretch of the parent from its first to its last passage equal to the child."""
    texts = texts_of(documents, pl.concat([children, parents]))
    found = []
    for child, parent in zip(children, parents, strict=True):
        equal = [one for one in passages(texts[child], texts[parent]) if one.kind == "equal"]
        start, end = (equal[0].b0, equal[-1].b1) if equal else (0, len(texts[parent]))
        found.append(texts[parent][start:end])
    return found
