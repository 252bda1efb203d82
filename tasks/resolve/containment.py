"""Containment of documents: lexical containment confirmed by meaning → `containment`."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
from prefect import task

from data_contracts.schemas import CONTAINMENT
from models.decision.diff.segments import passages
from models.decision.types import RedundancyType, Verdict
from models.lexical.sketch.containment import parents
from tasks.encode.embeddings import encoder
from tasks.parallel.map_parts import map_rows
from tasks.parallel.runners import share
from tasks.pipeline.registry import CONTAIN
from tasks.runtime.run import Run
from tasks.storage.document_store import Shelf, shelved
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, scan

BATCH = 1024
"""Pairs whose texts are held at a time."""
KEYS = ["child", "parent"]


@task(task_run_name="contain children in parents")
def contain(run: Run, documents: TableRef, embeddings: TableRef, verified: TableRef) -> TableRef:
    """Confirm each contained document by `eq:sem_contain` and choose its parent by `eq:parent`.

    A long parent says more than its child, so where the vectors of the whole documents are apart the child is compared
    with the passage of the parent that matches it.
    """
    bounds = run.parameters.containment
    with Stage(run, CONTAIN, [documents, embeddings, verified], bounds) as stage:
        if not stage.finished:
            # Without an encoder nothing confirms what shingles propose, but for a person who read both.
            nested = _nested(verified).filter((run.parameters.encoder.name != "none") | pl.col("reviewed"))
            with stage.progress(nested.height, unit="pairs") as bar:
                apart = nested.filter(pl.col("cosine") <= bounds.min_cosine, ~pl.col("reviewed"))
                ends = pl.concat([apart["child"], apart["parent"]])
                with shelved(stage, documents, embeddings, ends) as shelf:
                    against = partial(_against_passages, share(run), shelf.folder)
                    compared = list(map_rows(stage, against, apart.iter_slices(BATCH)))
                nested = nested.update(pl.concat([apart.select(*KEYS, "cosine").clear(), *compared]), on=KEYS)
                bar.advance(nested.height)
            nested = nested.with_columns(confirmed=pl.col("reviewed") | (pl.col("cosine") > bounds.min_cosine))
            stage.write(0, _with_parents(nested, documents).sort("child", "parent"))
            stage.counts = {"pairs_in": nested.height, "pairs_out": int(nested["confirmed"].sum())}
    return stage.ref


def _nested(verified: TableRef) -> pl.DataFrame:
    """Pairs in which one document was found inside the other, as child and parent; `reviewed`: a person says so."""
    pairs = (
        scan(verified)
        .filter(pl.col("type") == RedundancyType.D)
        .with_columns(reviewed=pl.col("judge_source").eq_missing("review"))
    )
    inside_b = pairs.filter(pl.col("verdict") == Verdict.IN_B).select(
        child="a", parent="b", ratio=pl.col("ratio_a").cast(pl.Float32), cosine="cosine", reviewed="reviewed"
    )
    inside_a = pairs.filter(pl.col("verdict") == Verdict.IN_A).select(
        child="b", parent="a", ratio=pl.col("ratio_b").cast(pl.Float32), cosine="cosine", reviewed="reviewed"
    )
    return pl.concat([inside_b, inside_a]).sort("child", "parent").collect()


def _against_passages(run: Run, folder: Path, apart: pl.DataFrame) -> pl.DataFrame:
    """Pairs with the cosine of the child and the passage of the parent that matches it; both stand on that shelf."""
    shelf = Shelf(folder)
    doc = pl.concat([apart["child"], apart["parent"]]).unique().sort()
    texts = dict(zip(doc.to_list(), shelf.texts(np.searchsorted(shelf.doc, doc.to_numpy())).to_list(), strict=True))
    of_passage = encoder(run.parameters.encoder, run.threads).embed(_matching_passages(texts, apart))
    child = shelf.vectors(np.searchsorted(shelf.doc, apart["child"].to_numpy())).astype(np.float32)
    cosine = np.einsum("pd,pd->p", child, of_passage.astype(np.float32))
    return apart.select(KEYS).with_columns(cosine=pl.Series(cosine, dtype=pl.Float32))


def _matching_passages(texts: Mapping[int, str], nested: pl.DataFrame) -> list[str]:
    """For each pair `child`, `parent` the stretch of the parent from the first to the last passage equal to it."""
    found = []
    for child, parent in nested.select("child", "parent").iter_rows():
        equal = [one for one in passages(texts[child], texts[parent]) if one.kind == "equal"]
        start, end = (equal[0].b0, equal[-1].b1) if equal else (0, len(texts[parent]))
        found.append(texts[parent][start:end])
    return found


def _with_parents(nested: pl.DataFrame, documents: TableRef) -> pl.DataFrame:
    """Mark the parent of each confirmed child."""
    chars = scan(documents).select("doc", "n_chars").collect()
    agreed = (
        nested.filter("confirmed")
        .join(chars.rename({"n_chars": "child_chars"}), left_on="child", right_on="doc", maintain_order="left")
        .join(chars.rename({"n_chars": "parent_chars"}), left_on="parent", right_on="doc", maintain_order="left")
    )
    columns = ("child", "parent", "ratio", "child_chars", "parent_chars")
    children, chosen, _ = parents(*(agreed[name].to_numpy() for name in columns))
    marks = pl.DataFrame({"child": children, "parent": chosen, "chosen": np.ones(len(children), np.bool_)})
    marked = nested.join(marks, on=["child", "parent"], how="left", maintain_order="left")
    return CONTAINMENT.shape(marked.with_columns(pl.col("chosen").fill_null(value=False)))
