"""Passages of a training: documents that may be learned from (`material`), and what the teacher reads of them."""

import numpy as np
import polars as pl
from prefect import task

from models.semantic.distil.training_passages import draw
from tasks.pipeline.registry import MATERIAL, PASSAGES
from tasks.runtime.errors import InputError
from tasks.runtime.run import Run
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, distinct_part, parts, scan

PASSAGES_PER_PART = 4096
PASSAGE_CHARS = 60
HELD_OUT = 20
"""One document in this many is measured on and never learned from."""
LEAST_DOCUMENTS, LEAST_PASSAGES, LEAST_HELD_OUT = 100, 400, 8
"""Below these nothing that is learned or measured means anything."""


def held_out() -> pl.Expr:
    """Is the document `doc` kept for measuring?"""
    return pl.col("doc") % HELD_OUT == 0


@task(task_run_name="choose training documents")
def choose(run: Run, documents: TableRef, copies: TableRef, excluded: list[str]) -> TableRef:
    """Leave out exact copies and the sources that must not be learned from.

    Raises:
        InputError: an excluded source does not occur, or too little is left.
    """
    with Stage(run, MATERIAL, [documents, copies], extra=excluded) as stage:
        if not stage.finished:
            known = scan(documents).select(pl.col("source").unique()).collect()["source"]
            if unknown := sorted(set(excluded) - set(known)):
                raise InputError(
                    f"--exclude-source {unknown[0]}: no document comes from there, but from {_some(known)}"
                )
            collapsed = scan(copies).select("doc").collect()
            with stage.progress(documents.rows) as bar:
                for index, path in enumerate(parts(documents)):
                    part = distinct_part(path, collapsed)
                    stage.write(index, part.filter(~pl.col("source").is_in(excluded)))
                    bar.advance(part.height)
            stage.counts = {"documents_in": documents.rows}
    if stage.ref.rows < LEAST_DOCUMENTS:
        raise InputError(
            f"{stage.ref.rows} distinct documents are left to learn from, at least {LEAST_DOCUMENTS} are needed; some "
            "thousands give a good student"
        )
    return stage.ref


def _some(sources: pl.Series, most: int = 8) -> str:
    names = sources.sort().to_list()
    return ", ".join(names[:most]) + (" …" if len(names) > most else "")


@task(task_run_name="draw passages")
def draw_passages(run: Run, material: TableRef, count: int, seed: int) -> TableRef:
    """Draw about `count` distinct passages in random order, in equal shares per source as far as each has text.

    A source gives at most one passage per `PASSAGE_CHARS` characters that it has.

    Raises:
        InputError: too few of them differ.
    """
    with Stage(run, PASSAGES, [material], extra=[count, seed]) as stage:
        if not stage.finished:
            rate = _rates(material, count)
            drawn = []
            with stage.progress(material.rows) as bar:
                for index, path in enumerate(parts(material)):
                    part = pl.read_parquet(path, columns=["doc", "source", "text", "n_chars"])
                    wanted = part.join(rate, on="source", how="left", maintain_order="left")
                    expected = (wanted["n_chars"] * wanted["rate"]).to_numpy()
                    found = draw(part["text"], expected, seed=seed * 1_000_003 + index)
                    drawn.append(found.select("text", doc=part["doc"][found["row"]]))
                    bar.advance(part.height)
            passages = pl.concat(drawn).unique("text", keep="first", maintain_order=True)
            order = np.random.default_rng(seed).permutation(passages.height)
            for index, part in enumerate(passages[order].iter_slices(PASSAGES_PER_PART)):
                stage.write(index, part)
    unseen = scan(stage.ref).filter(held_out()).select(pl.len()).collect().item()
    if stage.ref.rows < LEAST_PASSAGES or unseen < LEAST_HELD_OUT:
        raise InputError(
            f"only {stage.ref.rows} different passages can be drawn from {material.rows} documents, at least "
            f"{LEAST_PASSAGES} are needed; give more text"
        )
    return stage.ref


def _rates(material: TableRef, count: int) -> pl.DataFrame:
    """Passages per character of each source: equal shares, what a small source lacks is made up by the others."""
    sources = (
        scan(material)
        .group_by("source")
        .agg(chars=pl.col("n_chars").cast(pl.Int64).sum())
        .sort("chars", "source")
        .collect()
    )
    rates, left = [], float(count)
    for place, chars in enumerate(sources["chars"]):
        share = min(left / (sources.height - place), chars / PASSAGE_CHARS)
        rates.append(share / max(chars, 1))
        left -= share
    return sources.select("source", rate=pl.Series(rates, dtype=pl.Float64))
