"""Matching of reviews to a run: which of its pairs people decided about, and pairs that the cascade did not propose."""

from pathlib import Path
from typing import NamedTuple

import polars as pl

from data_contracts.schemas import REVIEWS
from models.decision.rules.verdict import with_verdicts
from models.parameters import Parameters
from tasks.review import store as reviews
from tasks.storage.document_store import shelved
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, scan
from tasks.verify.pair_verifier import Library
from tasks.verify.stage import unjudged

PAIRS = {"a": pl.Int64, "b": pl.Int64, "label": pl.String, "proposed": pl.Boolean}


class Reviewed(NamedTuple):
    """Reviews that are about documents of this run.

    Attributes:
        pairs: `a` < `b`, `label`, and `proposed`: was the pair verified, or is it only the review that brings it up?
        elsewhere: number of reviews about texts that the run does not compare.
    """

    pairs: pl.DataFrame
    elsewhere: int


def reviewed_pairs(documents: TableRef, embeddings: TableRef, verified: TableRef, path: Path | None) -> Reviewed:
    """Look up the reviewed texts among the distinct documents that take part in the comparison.

    Args:
        documents: of the run.
        embeddings: of those that take part.
        verified: pairs that were checked.
        path: of the reviews, if there can be any.
    """
    told = reviews.load(path) if path else pl.DataFrame(schema=REVIEWS.schema)
    if told.is_empty():
        return Reviewed(pl.DataFrame(schema=PAIRS), 0)
    named = pl.concat([told[column] for column in reviews.PAIR]).unique()
    known = (
        scan(documents)
        .filter(pl.col("canary").is_null(), pl.col("text_hash").is_in(named.implode()))
        .join(scan(embeddings).select("doc"), on="doc", how="semi")
        .select("text_hash", "doc")
        .collect()
    )
    both = told
    for column, side in zip(reviews.PAIR, ("one", "other"), strict=True):
        both = both.join(known.rename({"text_hash": column, "doc": side}), on=column)
    ordered = {"a": pl.min_horizontal("one", "other"), "b": pl.max_horizontal("one", "other")}
    pairs = both.select("label", **ordered).sort("a", "b")
    checked = scan(verified).select("a", "b").join(pairs.lazy(), on=["a", "b"], how="semi").collect(engine="streaming")
    proposed = pairs.join(checked.with_columns(proposed=True), on=["a", "b"], how="left", maintain_order="left")
    elsewhere = told.join(both, on=reviews.PAIR, how="anti").height
    return Reviewed(proposed.select("a", "b", "label", pl.col("proposed").fill_null(False)), elsewhere)


def measured(
    stage: Stage, documents: TableRef, frequencies: TableRef, embeddings: TableRef, pairs: pl.DataFrame
) -> pl.DataFrame:
    """Rows of `verified` for pairs that were not proposed, with their `label`.

    The network knows nothing of documents that are in no candidate pair, so the rules on the text say how probable a
    duplicate is.
    """
    wanted = pl.concat([pairs["a"], pairs["b"]]).unique()
    with shelved(stage, documents, embeddings, wanted) as shelf:
        found = Library(stage.run, frequencies, shelf).examine(pairs.select("a", "b"))
    told = unjudged(with_verdicts(found, _by_rules(stage.run.parameters)), None)
    return told.join(pairs.select("a", "b", "label"), on=["a", "b"], maintain_order="left")


def _by_rules(parameters: Parameters) -> Parameters:
    if parameters.verify.decider == "fixed":
        return parameters
    return parameters.model_copy(update={"verify": parameters.verify.model_copy(update={"decider": "rules"})})
