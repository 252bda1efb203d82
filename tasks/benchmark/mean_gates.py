"""Mean gates of the verifier (`eq:gate`), by type and by length of the documents."""

import polars as pl

GATES = ("gate_char", "gate_token", "gate_semantic")
LENGTHS = ("short", "middle", "long")


def mean_gates(gates: pl.DataFrame, documents: pl.DataFrame, truth: pl.DataFrame) -> pl.DataFrame:
    """Average gates over the documents of each type, and over thirds of all documents by length.

    The paper says that char dominates short documents (type C has the shortest), semantic long ones, and token those
    with templates (type A).

    Args:
        gates: doc, gate_char, gate_token, gate_semantic; one row per document that the verifier has described.
        documents: doc, doc_id, n_chars (code points).
        truth: doc_id, type; documents without a label count under lengths only.

    Returns:
        by (`type` or `length`), which, documents (number), and the three means.
    """
    known = gates.join(documents, on="doc").join(truth.select("doc_id", "type"), on="doc_id", how="left")
    rank = pl.col("n_chars").rank("ordinal") - 1
    third = (rank * len(LENGTHS) // pl.len()).replace_strict(dict(enumerate(LENGTHS)), return_dtype=pl.String)
    by_type = _means(known.filter(pl.col("type").is_not_null()), "type", pl.col("type")).sort("which")
    by_length = _means(known.sort("n_chars", "doc"), "length", third)
    return pl.concat([by_type, by_length])


def _means(known: pl.DataFrame, by: str, which: pl.Expr) -> pl.DataFrame:
    means = known.group_by(which=which, maintain_order=True).agg(pl.len().alias("documents"), pl.col(GATES).mean())
    return means.select(pl.lit(by).alias("by"), "which", "documents", *GATES)
