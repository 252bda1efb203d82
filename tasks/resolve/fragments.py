"""Viral fragments: passages repeated across surviving documents → `fragments` and `fragment_spans`."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import NamedTuple

import numpy as np
import polars as pl
from prefect import task

from data_contracts.schemas import FRAGMENT_SPANS, FRAGMENTS, PASSAGES, PLACES
from models.lexical.fragments.nesting import within
from models.lexical.fragments.repeats import LaidRegions, Regions, WindowCounts
from models.lexical.fragments.search import Fragments, fragments_in
from models.lexical.fragments.virality import shipped
from models.lexical.text import Normalised, normalise, split_words, to_text
from tasks.encode.embeddings import encoder
from tasks.ingest.document_frequencies import load_frequencies
from tasks.pipeline.registry import FRAGMENT
from tasks.quality.enforce_contracts import hold
from tasks.resolve.fragment_cuts import place, wholes
from tasks.resolve.fragment_virality import Corpus, flat, viral, weigh
from tasks.runtime.memory import release_memory
from tasks.runtime.run import Run
from tasks.storage.spill import Floor, Texts
from tasks.storage.tables import Stage, TableRef, characters_of, parts, scan

FIGURES = ("relevance", "likeness")
"""Features of a passage that are told with it."""
JUDGED = (*FIGURES, "viral", "action")
SORTED_BYTES = 10
"""Memory that sorting takes for a code point of what may repeat."""


class Fragmented(NamedTuple):
    """Tables of this stage."""

    fragments: TableRef
    spans: TableRef


@task(task_run_name="fragment out shared passages")
def fragment(
    run: Run,
    documents: TableRef,
    copies: TableRef,
    frequencies: TableRef,
    prescreened: TableRef,
    settled: TableRef,
) -> Fragmented:
    """Find repeated passages among the survivors and cut those that travel between documents unlike each other.

    A document that stands for a removed one is not cut: what they have in common stands there. Canaries are searched
    apart from the user's documents, so that neither can make the other's passages viral.
    """
    model = encoder(run.parameters.encoder, run.threads)
    inputs = [documents, copies, frequencies, prescreened, settled]
    sections = (run.parameters.fragment, run.parameters.encoder)
    made = [model.fingerprint, shipped().fingerprint]
    found, spans = (Stage(run, FRAGMENT, inputs, *sections, extra=made, table=name) for name in FRAGMENT.names)
    with spans, found:
        if not (found.finished and spans.finished):
            removed = scan(settled).select("doc")
            wanted = scan(prescreened).filter("in_play").join(removed, on="doc", how="anti").collect()["doc"]
            leaned_on = [scan(settled).select(doc="survivor"), scan(copies).select(doc="copy_of")]
            guarded = pl.concat([scan(documents).filter("protected").select("doc"), *leaned_on]).collect()["doc"]
            characters = characters_of(documents)
            corpus = Corpus(load_frequencies(frequencies), scan(documents).select("doc", "source").collect())
            listed, placed = [pl.DataFrame(schema=FRAGMENTS.schema)], [pl.DataFrame(schema=FRAGMENT_SPANS.schema)]
            with found.progress(documents.rows) as bar:
                for planted in (False, True):
                    passages, places = search(run, _survivors(documents, wanted, planted), characters)
                    release_memory()  # what was searched is let go before what was found is held
                    known = nothing_known(free=sum(frame.height for frame in listed))
                    with TemporaryFile(dir=found.path, prefix=".texts.", suffix=".tmp") as file:
                        texts = Texts(file, documents, places["doc"])
                        judged, spans_here = rated(run, corpus, passages, places, texts, guarded, known)
                    listed.append(judged)
                    placed.append(spans_here)
                bar.advance(documents.rows)
            found.write(0, pl.concat(listed))
            spans.write(0, pl.concat(placed).sort("doc", "start"))
            found.counts = {"documents_in": documents.rows - settled.rows}
            cutting = pl.concat(placed).filter("cut")
            found.facts = {"hosts_cut": cutting["doc"].n_unique(), "passages_cut": cutting.height}
    hold(run, FRAGMENT, fragment_spans=spans.ref, documents=documents, fragments=found.ref)
    return Fragmented(found.ref, spans.ref)


class Batch(NamedTuple):
    """Documents that are searched: how to read them (`doc`, `text`), and for how many each counts."""

    read: Callable[[], pl.DataFrame]
    weight: int = 1


def _survivors(documents: TableRef, wanted: pl.Series, planted: bool) -> list[Batch]:
    """The wanted documents part by part, or the few canaries among them at once."""
    paths = [parts(documents)] if planted else [[path] for path in parts(documents)]
    return [Batch(partial(_read, chosen, wanted, planted)) for chosen in paths]


def _read(paths: list[Path], wanted: pl.Series, planted: bool) -> pl.DataFrame:
    chosen = pl.col("doc").is_in(wanted.implode()) & (pl.col("canary").is_not_null() == planted)
    return pl.scan_parquet(paths).select("doc", "text", "canary").filter(chosen).collect()


def search(run: Run, batches: Sequence[Batch], characters: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Find the passages that enough documents share.

    Args:
        run: its `fragment` section says how long and how many. Of its memory limit a quarter at most goes to each of
            these: the counts of windows, text that can repeat (the rest lies in a file of the workspace), and what is
            sorted at a time; a sixteenth to normalised texts that need not be made twice. Beside that stand one batch
            and about 100 bytes for each place that is found.
        batches: the documents; each is read twice.
        characters: code points of all of them, about.

    Returns:
        The passages (`fragment` from 0, `text`, `chars`, `hosts`, `occurrences`) and where they stand in the originals
        (`fragment`, `doc`, `start`, `end`), by fragment.
    """
    if run.parameters.encoder.name == "none" or run.parameters.fragment.action == "off":  # nothing is cut unseen
        return pl.DataFrame(schema=PASSAGES.schema), pl.DataFrame(schema=PLACES.schema)
    bounds, limit = run.parameters.fragment, run.limit_bytes
    counts = WindowCounts(characters, bounds.min_chars, bounds.min_hosts, limit // 4)
    held: dict[int, tuple[pl.Series, Normalised]] = {}
    seen, room = 0, limit // 16

    def count(index: int, batch: Batch) -> tuple[int, int]:
        doc, normalised = _normalised(batch)
        counts.add(normalised, seen, batch.weight)
        size = sum(column.nbytes for column in normalised)
        if size <= room:
            held[index] = doc, normalised
        return seen + len(doc), room - size

    def kept(index: int, batch: Batch) -> Regions:
        doc, normalised = held.pop(index) if index in held else _normalised(batch)
        regions = counts.regions(normalised, split_words(normalised), 0)
        weights.append(np.full(len(regions.doc), batch.weight, np.int32))
        return regions._replace(doc=doc.to_numpy()[regions.doc])

    for index, batch in enumerate(batches):
        seen, room = count(index, batch)
    weights = [np.empty(0, np.int32)]
    with TemporaryFile(dir=run.workspace, prefix=".regions.", suffix=".tmp") as file:
        laid = LaidRegions((kept(index, batch) for index, batch in enumerate(batches)), Floor(file, limit // 4))
        shards = 1 + len(laid) * SORTED_BYTES // (limit // 4)
        return _tables(fragments_in(laid, bounds.min_chars, bounds.min_hosts, np.concatenate(weights), shards))


def _normalised(batch: Batch) -> tuple[pl.Series, Normalised]:
    part = batch.read()
    return part["doc"], normalise(part["text"])


def _tables(found: Fragments) -> tuple[pl.DataFrame, pl.DataFrame]:
    texts = [to_text(codes) for codes in np.split(found.codes, found.code_pointers[1:-1])][: len(found.hosts)]
    number, occurrences = np.arange(len(found.hosts)), np.diff(found.pointers)
    passages = pl.DataFrame(
        {
            "fragment": number,
            "text": pl.Series(texts, dtype=pl.String),
            "chars": np.diff(found.code_pointers),
            "hosts": found.hosts,
            "occurrences": occurrences,
        }
    )
    places = {"doc": found.doc, "start": found.start, "end": found.end}
    return passages, pl.DataFrame({"fragment": np.repeat(number, occurrences)} | places)


def judge(
    run: Run, corpus: Corpus, passages: pl.DataFrame, places: pl.DataFrame, texts: Mapping[int, str]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Say which passages are viral.

    Args:
        run: its `fragment` section.
        corpus: words and sources of all documents.
        passages: as `search` gives them.
        places: as `wholes` gives them; what could not be cut anyway is not looked at.
        texts: originals by document.

    Returns:
        The passages as `fragments`, and `fragment`, `doc`, `tie` for the hosts that were compared.
    """
    weighed = weigh(run, corpus, passages, places, texts)
    figures = weighed.features.select("fragment", *FIGURES).with_columns(viral=pl.Series(viral(weighed.features)))
    judged = passages.join(figures, on="fragment", how="left", maintain_order="left")
    cutting = pl.col("viral").fill_null(0) >= run.parameters.fragment.min_viral
    return judged.with_columns(action=pl.when(cutting).then(pl.lit("cut")).otherwise(pl.lit("keep"))), weighed.ties


class Known(NamedTuple):
    """Fragments that were published before.

    Attributes:
        fragments: rows of `fragments` near the documents that are searched.
        free: first number of a new one.
        standing: numbers of those of which a published document that stays holds a whole copy.
    """

    fragments: pl.DataFrame
    free: int
    standing: pl.Series


def nothing_known(free: int) -> Known:
    """What `curate` knows of fragments before it searches."""
    return Known(pl.DataFrame(schema=FRAGMENTS.schema), free, pl.Series("fragment", [], pl.Int64))


def rated(
    run: Run,
    corpus: Corpus,
    passages: pl.DataFrame,
    places: pl.DataFrame,
    texts: Mapping[int, str],
    guarded: pl.Series,
    known: Known,
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Say which passages are viral and where they are cut.

    Args:
        run: its `fragment` section.
        corpus: words and sources of all documents.
        passages: as `search` gives them; a known fragment keeps its number, others are numbered from `known.free` on.
        places: where they stand, likewise.
        texts: originals by document.
        guarded: documents that are not cut.
        known: what was judged of a known fragment stays, and holds for its parts.

    Returns:
        Rows of `fragments`, known ones first, and of `fragment_spans`.
    """
    bounds = run.parameters.fragment
    stored = known.fragments.select("text", number="fragment")
    named = passages.join(stored, on="text", how="left", maintain_order="left").with_columns(
        new=pl.col("number").is_null()
    )
    named = named.with_columns(pl.col("number").fill_null(known.free - 1 + pl.col("new").cum_sum().cast(pl.Int64)))
    places = places.join(named.select("fragment", "number"), on="fragment", maintain_order="left")
    places = wholes(places.select("doc", "start", "end", fragment="number"), texts, bounds.min_chars)
    numbered = named.select(pl.col("number").alias("fragment"), pl.exclude("fragment", "number", "new"))
    fresh, ties = judge(run, corpus, numbered, places, texts)
    fresh = FRAGMENTS.shape(_as_known(fresh, known.fragments, bounds.min_chars))
    found = pl.concat([fresh.filter(~named["new"]), fresh.filter(named["new"])])
    copied = known.fragments.join(known.standing.to_frame("fragment"), on="fragment", how="semi")
    every = pl.concat([found, FRAGMENTS.shape(copied.join(found, on="fragment", how="anti"))])
    spans = place(bounds, every, places, texts, guarded, ties, copied["fragment"].to_list())
    return found, spans.cast(FRAGMENT_SPANS.schema)


def _as_known(fresh: pl.DataFrame, known: pl.DataFrame, min_chars: int) -> pl.DataFrame:
    """Passages with what was judged before of the known fragment in which they stand, if any: that with most hosts."""
    if known.is_empty():
        return fresh
    told = ("hosts", *JUDGED)
    part, holder = within(*flat(fresh["text"].to_list()), *flat(known["text"].to_list()), min_chars)
    stored = known.select(pl.col("fragment").alias("known"), *(pl.col(name).alias(f"{name}_known") for name in told))
    held = pl.DataFrame({"fragment": fresh["fragment"].gather(part)}).hstack(stored[holder])
    itself = pl.col("known") == pl.col("fragment")
    ranked = held.sort(itself, "hosts_known", "known", descending=[True, True, False])
    best = ranked.unique("fragment", keep="first", maintain_order=True)
    joined = fresh.join(best, on="fragment", how="left", maintain_order="left")
    judged = pl.col("action_known").is_not_null()
    return joined.with_columns(pl.when(judged).then(f"{name}_known").otherwise(name).alias(name) for name in JUDGED)
