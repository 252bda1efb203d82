"""Survivor ranking: protected, source priority, completeness, no noise."""

import numpy as np
import polars as pl

from models.lexical.text.canonical.disguise import DISGUISE
from tasks.runtime.run import Run
from tasks.storage.tables import TableRef, scan

CLAIMS = ("doc", "protected", "published", "source", "n_chars")
STEP = float(np.log(1.25))
"""Documents whose content differs by less than about a quarter count as equally complete."""


def claims_to_survive(run: Run, documents: TableRef, signatures: TableRef, compared: pl.Series) -> pl.DataFrame:
    """One row per signed document in the order of `doc`, with the columns that `survivors` asks for.

    Protected documents come first, then sources by priority. Completeness is the sum of shingle weights on a coarse
    scale, for short texts the length, because noise in a short text makes rare and therefore heavy shingles.

    Args:
        run: its `extract` section says which sources come first.
        documents: with their texts.
        signatures: of them.
        compared: documents that may go or stand for others: characters in disguise are counted in these alone.
    """
    priority = run.parameters.extract.source_priority
    place = {source: index for index, source in enumerate(priority)}
    rows = (
        scan(signatures)
        .select("doc", "mass", "short")
        .join(scan(documents).select(CLAIMS), on="doc", maintain_order="left")
    )
    standing = pl.col("source").replace_strict(place, default=len(priority), return_dtype=pl.Int64)
    content = pl.when("short").then(pl.col("n_chars")).otherwise(pl.col("mass")).clip(1e-6)
    asked = scan(documents).filter(pl.col("doc").is_in(compared.unique().implode()))
    disguised = asked.select("doc", disguised=pl.col("text").str.count_matches(DISGUISE)).collect(engine="streaming")
    return (
        rows.join(disguised.lazy(), on="doc", how="left", maintain_order="left")
        .select(
            "doc",
            "protected",
            tier=pl.when("protected").then(0).otherwise(1).cast(pl.Int64) * (len(priority) + 1) + standing,
            published="published",
            completeness=(content.log() / STEP).floor(),
            disguised=pl.col("disguised").fill_null(0),
            mass="mass",
        )
        .sort("doc")
        .collect()
    )
