"""The order in which documents claim to survive."""

import numpy as np
import polars as pl

from tasks.run import Run
from tasks.tables import TableRef, scan

MASS_STEP = np.log(1.02)
"""Documents whose informative mass differs by less than about two per cent count as equally complete."""


def ranked_documents(run: Run, documents: TableRef, signatures: TableRef) -> pl.DataFrame:
    """Rank of every signed document, best first: `doc`, `rank` int64.

    Protected, then source priority, then most complete (sum of shingle weights), then earliest, then smallest id; the
    last two are both the order of `doc`.
    """
    priority = run.parameters.extract.source_priority
    place = {source: index for index, source in enumerate(priority)}
    claims = (
        scan(signatures)
        .select("doc", complete=(pl.col("mass").clip(1e-6).log() / MASS_STEP).floor())
        .join(scan(documents).select("doc", "protected", "source"), on="doc")
        .with_columns(priority=pl.col("source").replace_strict(place, default=len(priority), return_dtype=pl.Int64))
        .sort(pl.col("protected").not_(), "priority", pl.col("complete").neg(), "doc")
    )
    return claims.select("doc").with_row_index("rank").select("doc", pl.col("rank").cast(pl.Int64)).collect()
