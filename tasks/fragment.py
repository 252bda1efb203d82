"""Viral fragments: passages repeated across surviving documents → `fragments` and `fragment_spans`."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import polars as pl
from prefect import task

from data_contracts.contracts import FRAGMENT_SPANS
from models.lexical.fragments import Fragments, fragments_in, relevance
from models.lexical.repeats import Regions, WindowCounts, join_regions
from models.lexical.spans import cut
from models.lexical.text import normalise, split_words, to_text
from models.semantic.encoder import Encoder
from tasks.check import hold
from tasks.embed import encoder
from tasks.passages import texts_of
from tasks.progress import stage_progress
from tasks.run import Run
from tasks.tables import Stage, TableRef, parts, scan

FRAGMENTS = pl.Schema(
    {
        "fragment": pl.Int64,
        "text": pl.String,
        "chars": pl.Int32,
        "hosts": pl.Int32,
        "occurrences": pl.Int32,
        "relevance": pl.Float32,
        "action": pl.String,
    }
)
SPANS = pl.Schema(
    {
        "fragment": pl.Int64,
        "doc": pl.Int64,
        "start": pl.Int32,
        "end": pl.Int32,
        "text": pl.String,
        "cut": pl.Boolean,
    }
)


BATCH = 512
"""Passages between two steps of the progress bar."""
REST_CHARS = 1000
"""Of a host without the passage; the encoder reads about half of it."""


class Fragmented(NamedTuple):
    """The two tables of this stage."""

    fragments: TableRef
    spans: TableRef


@task(task_run_name="fragment out shared passages")
def fragment(run: Run, documents: TableRef, prescreened: TableRef, settled: TableRef) -> Fragmented:
    """Find repeated passages among the survivors and cut those that have little to do with their hosts.

    Canaries are searched apart from the user's documents, so that neither can make the other's passages viral.
    """
    model = encoder(run.parameters.encoder, run.threads)
    inputs = [documents, prescreened, settled]
    sections = (run.parameters.fragment, run.parameters.encoder)
    found = Stage(run, "fragments", inputs, *sections, extra=model.fingerprint)
    spans = Stage(run, "fragment_spans", inputs, *sections, extra=model.fingerprint)
    with spans, found:
        if not (found.finished and spans.finished):
            removed = scan(settled).select("doc").collect()
            guarded = scan(documents).filter("protected").select("doc").collect()["doc"]
            listed, placed = [pl.DataFrame(schema=FRAGMENTS)], [pl.DataFrame(schema=SPANS)]
            with stage_progress("fragment", documents.rows) as bar:
                for planted in (False, True):
                    passages, texts = _passages(run, documents, prescreened, removed, planted)
                    judged = _judge(run, passages, texts)
                    first = sum(frame.height for frame in listed)
                    listed.append(judged.with_columns(pl.col("fragment") + first).cast(FRAGMENTS))
                    spans_here = _place(run, passages, judged, texts, guarded)
                    placed.append(spans_here.with_columns(pl.col("fragment") + first))
                bar.advance(documents.rows)
            found.write(0, pl.concat(listed))
            spans.write(0, pl.concat([frame.cast(SPANS) for frame in placed]).sort("doc", "start"))
            found.counts = {"documents_in": documents.rows - removed.height}
            cutting = pl.concat(placed).filter("cut")
            found.facts = {"hosts_cut": cutting["doc"].n_unique(), "passages_cut": cutting.height}
    return Fragmented(found.ref, hold(run, spans.ref, FRAGMENT_SPANS, documents, found.ref))


def _survivors(
    documents: TableRef, prescreened: TableRef, removed: pl.DataFrame, planted: bool
) -> Iterator[pl.DataFrame]:
    """Part by part the distinct documents that share wording with others and were not removed."""
    for path, screened in zip(parts(documents), parts(prescreened), strict=True):
        chosen = pl.read_parquet(screened).filter("in_play").select("doc")
        part = pl.read_parquet(path, columns=["doc", "text", "canary"])
        part = part.filter(pl.col("canary").is_not_null() == planted)
        yield part.join(chosen, on="doc", how="semi", maintain_order="left").join(
            removed, on="doc", how="anti", maintain_order="left"
        )


def _passages(
    run: Run, documents: TableRef, prescreened: TableRef, removed: pl.DataFrame, planted: bool
) -> tuple[Fragments, dict[int, str]]:
    bounds = run.parameters.fragment
    characters = scan(documents).select(pl.col("n_chars").sum()).collect().item()
    counts = WindowCounts(characters, bounds.min_chars, bounds.min_hosts)
    for part in _survivors(documents, prescreened, removed, planted):
        counts.add(normalise(part["text"]), _first(part))
    regions: list[Regions] = []
    for part in _survivors(documents, prescreened, removed, planted):
        normalised = normalise(part["text"])
        found = counts.regions(normalised, split_words(normalised), 0)
        regions.append(found._replace(doc=part["doc"].to_numpy()[found.doc]))
    passages = fragments_in(join_regions(regions), bounds.min_chars, bounds.min_hosts)
    return passages, texts_of(documents, pl.Series("doc", passages.doc, dtype=pl.Int64))


def _first(part: pl.DataFrame) -> int:
    return int(part["doc"][0]) if part.height else 0


def _judge(run: Run, found: Fragments, texts: dict[int, str]) -> pl.DataFrame:
    """One row per fragment with its relevance, averaged over the first hosts (`eq:relevance`)."""
    bounds = run.parameters.fragment
    passages = [to_text(codes) for codes in np.split(found.codes, found.code_pointers[1:-1])][: len(found.hosts)]
    asked: list[int] = []
    rests: list[str] = []
    for number, (begin, stop) in enumerate(zip(found.pointers, found.pointers[1:], strict=False)):
        occurrences = range(begin, stop)
        chosen = {int(found.doc[at]): at for at in reversed(occurrences)}
        for doc, at in sorted(chosen.items())[: bounds.relevance_hosts]:
            asked.append(number)
            rests.append(cut(texts[doc], [(int(found.start[at]), int(found.end[at]))])[:REST_CHARS])
    model = encoder(run.parameters.encoder, run.threads)
    related = relevance(_embed(model, passages), _embed(model, rests), np.array(asked, np.int64))
    action = np.where(related < bounds.max_relevance, "cut", "keep")  # NaN, nothing known, stays
    return pl.DataFrame(
        {
            "fragment": np.arange(len(passages)),
            "text": pl.Series(passages, dtype=pl.String),
            "chars": np.diff(found.code_pointers),
            "hosts": found.hosts,
            "occurrences": np.diff(found.pointers),
            "relevance": related,
            "action": pl.Series(action.tolist(), dtype=pl.String),
        }
    )


def _embed(model: Encoder, passages: list[str]) -> np.ndarray:
    """Vectors of passages; equal ones, such as beginnings that a late cut leaves alone, are embedded once."""
    distinct = sorted(set(passages))
    place = {passage: index for index, passage in enumerate(distinct)}
    vectors = [np.empty((0, model.dimensions), np.float32)]
    with stage_progress("relevance", len(distinct), unit="passages") as bar:
        for begin in range(0, len(distinct), BATCH):
            vectors.append(model.embed(distinct[begin : begin + BATCH]))
            bar.advance(len(vectors[-1]))
    return np.concatenate(vectors)[[place[passage] for passage in passages]]


def _place(run: Run, found: Fragments, judged: pl.DataFrame, texts: dict[int, str], guarded: pl.Series) -> pl.DataFrame:
    """Every occurrence; cut unless its fragment stays, its host is protected or too little of it would be left."""
    number = np.repeat(np.arange(len(found.hosts)), np.diff(found.pointers))
    spans = pl.DataFrame({"fragment": number, "doc": found.doc, "start": found.start, "end": found.end})
    pieces = [texts[doc][start:end] for _, doc, start, end in spans.iter_rows()]
    bounds = run.parameters.fragment
    chosen = spans.with_columns(text=pl.Series(pieces, dtype=pl.String)).join(
        judged.select("fragment", allowed=pl.col("action") == "cut"), on="fragment", maintain_order="left"
    )
    wanted = pl.col("allowed") & ~pl.col("doc").is_in(guarded.implode())
    length = pl.Series("length", [len(texts[doc]) for doc in spans["doc"]], dtype=pl.Int64)
    taken = (pl.col("end") - pl.col("start")).filter("wanted").sum().over("doc")
    left = (pl.col("length") - taken >= bounds.min_rest_chars) & (taken <= bounds.max_cut_share * pl.col("length"))
    return chosen.with_columns(length, wanted=wanted).with_columns(cut=pl.col("wanted") & left).select(list(SPANS))
