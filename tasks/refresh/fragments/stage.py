"""Fragment stage of a refresh: passages that tonight's documents make viral → rows of `fragments`, `fragment_spans`."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import polars as pl
from prefect import task

from data_contracts.schemas import FRAGMENT_SPANS, FRAGMENTS
from models.lexical.fragments.hosts.virality import shipped
from tasks.encode.embeddings import encoder
from tasks.ingest.document_frequencies import load_frequencies
from tasks.pipeline.registry import REFRAGMENT
from tasks.quality.enforce_contracts import hold
from tasks.refresh.fragments.candidates import published, reach
from tasks.refresh.fragments.counts import recount
from tasks.refresh.fragments.minimizers import spelled
from tasks.refresh.fragments.restored_cuts import copies_of, taken_back
from tasks.refresh.previous_snapshot import Base
from tasks.resolve.fragments.known import Known, nothing_known, placed_spans, rate_known
from tasks.resolve.fragments.search import Batch, search
from tasks.resolve.fragments.spans import with_text
from tasks.resolve.fragments.virality import Corpus, sources_of
from tasks.runtime.run import Run
from tasks.storage.document_store import texts_at_hand
from tasks.storage.link_parts import unite
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, about, characters_of, parts, scan

SPAN = ["doc", "fragment", "start", "end", "cut"]


class Refragmented(NamedTuple):
    """Tables of the stage.

    Attributes:
        fragments: new fragments, and known ones that `spans` name.
        spans: of tonight's kept documents and canaries, and of `hosts`.
        hosts: `doc` and `doc_id` of published documents whose spans are others than before; these replace theirs.
        windows: `doc`, `windows` list<uint32>: minimizers of tonight's kept documents, for the index.
    """

    fragments: TableRef
    spans: TableRef
    hosts: TableRef
    windows: TableRef


@task(task_run_name="fragment out new shared passages")
def refragment(
    run: Run,
    base: Base,
    documents: TableRef,
    copies: TableRef,
    frequencies: TableRef,
    settled: TableRef,
    standing: TableRef,
) -> Refragmented:
    """Find the passages that tonight's documents make viral, and cut them there and in published documents.

    A known fragment takes part as text of its own that counts for `min_hosts` documents: tonight's documents are cut by
    it, and by any part of it, without reading its published hosts; what was rated of it stays. A passage that is in
    no known one leads to its published hosts, which are searched again as a whole, and so does a known one that was
    left and has twice the hosts since: it is rated again. What continues a known fragment by
    less than `min_chars` code points may stay, since nothing leads from there to published hosts.

    Published documents that hold the one copy of a passage keep it. Where such a document goes another host gets its
    text back, and so does one that stands for a document removed tonight.

    Args:
        run: with the parameters of the snapshot.
        base: the published snapshot.
        documents: tonight's working documents; those marked `published` take no part.
        copies: `doc` of the exact copies among them, which are no hosts.
        frequencies: documents that hold each word.
        settled: `doc` of those removed otherwise.
        standing: `doc`, `doc_id`, `protected`, `leaned_on` of published documents that stay.
    """
    model = encoder(run.parameters.encoder, run.threads)
    reached = reach(run, base, documents, copies, settled, standing)
    known_tables = [base.fragments, base.fragment_spans, frequencies]
    inputs = [reached.documents, reached.known, *known_tables, copies, settled, standing]
    sections = (run.parameters.fragment, run.parameters.encoder)
    made = [model.fingerprint, shipped().fingerprint]
    stages = [Stage(run, REFRAGMENT, inputs, *sections, extra=made, table=name) for name in REFRAGMENT.names]
    fragments, spans, hosts, regained = stages
    with regained, hosts, spans, fragments:
        if not all(stage.finished for stage in stages):
            searched = scan(reached.documents).select("doc", "doc_id", "published").collect()
            listed = scan(reached.known).collect()
            known, due = listed.drop("due"), listed.filter("due")["fragment"]
            free = 1 + scan(base.fragments).select(pl.col("fragment").max().fill_null(-1)).collect().item()
            with fragments.progress(searched.height) as bar:
                copied = copies_of(base, standing)
                copied = copied if run.parameters.fragment.action == "keep_one" else copied.clear()
                leaned_on = _leaned_on(copies, settled, standing)
                held = searched.join(copied, on="doc_id", how="semi").filter("published")["doc"]
                whole = pl.concat([leaned_on, held])
                corpus = Corpus(partial(load_frequencies, frequencies), sources_of(reached.documents))
                guarded = scan(reached.documents).filter("protected").select("doc").collect()["doc"]

                def cut(beside: Known, whole: pl.Series, planted: bool = False) -> tuple[pl.DataFrame, pl.DataFrame]:
                    passages, places = _search(run, reached.documents, beside, planted)
                    with texts_at_hand(fragments, reached.documents, places["doc"]) as texts:
                        rated = rate_known(fragments, corpus, passages, places, texts, beside)
                        reads = _reads(reached.documents, planted)
                        kept = pl.concat([guarded, whole])
                        with placed_spans(fragments, reached.documents, reads, rated, texts, kept) as (
                            spans,
                            every_text,
                        ):
                            return rated.found, with_text(spans, every_text)

                beside = Known(known, free, copied.filter("stands")["fragment"], due)
                found, placed = cut(beside, whole)
                behind = 1 + max([free - 1, *found["fragment"]])  # some may stand nowhere in the end
                recut, same = _compared(base, searched, placed)
                placed = placed.join(same, on="doc", how="anti", maintain_order="left")
                found = found.join(placed, on="fragment", how="semi", maintain_order="left")
                back = taken_back(base, standing, copied, leaned_on, searched["doc"], run.parameters.fragment.min_chars)
                placed = pl.concat([placed, back.select(list(FRAGMENT_SPANS.columns))], how="vertical_relaxed")
                recut = pl.concat([recut, back.select("doc", "doc_id").unique(maintain_order=True)])
                found = pl.concat([found, _rows_of(base, back["fragment"], found["fragment"])])
                numbered = pl.concat([searched.select("doc", "doc_id"), back.select("doc", "doc_id").unique()])
                former = _former(base, standing, pl.concat([found["fragment"], known["fragment"]]), recut)
                found = recount(run, found, placed.join(numbered, on="doc"), known, former)
                planted, planted_spans = cut(nothing_known(behind), leaned_on, planted=True)
                bar.advance(searched.height)
            fragments.write(0, pl.concat([found, planted]))
            spans.write(0, pl.concat([placed, planted_spans]).sort("doc", "start"))
            hosts.write(0, recut)
            regained.write(0, published(base, standing, back["doc"]))
            cutting = placed.filter("cut")
            fragments.counts = {"documents_in": searched.filter(~pl.col("published")).height}
            fragments.facts = {
                "hosts_cut": cutting["doc"].n_unique(),
                "passages_cut": cutting.height,
                "new": found.filter(pl.col("fragment") >= free).height,
                "published_searched": searched.filter("published").height,
                "published_recut": recut.height,
            } | about(reached.documents)["facts"]
    read = unite(run, "documents", [reached.documents, regained.ref])
    hold(run, REFRAGMENT, fragment_spans=spans.ref, documents=read, fragments=fragments.ref)
    return Refragmented(fragments.ref, spans.ref, hosts.ref, reached.windows)


def _leaned_on(copies: TableRef, settled: TableRef, standing: TableRef) -> pl.Series:
    """Documents that stand for removed ones, be it since tonight."""
    before = scan(standing).filter("leaned_on").select("doc")
    tonight = [scan(copies).select(doc="copy_of"), scan(settled).select(doc="survivor")]
    return pl.concat([before, *tonight], how="vertical_relaxed").unique().sort("doc").collect()["doc"]


def _rows_of(base: Base, fragments: pl.Series, others: pl.Series) -> pl.DataFrame:
    """Published fragments but for those that are among the others."""
    wanted = pl.col("fragment").is_in(fragments.implode()) & ~pl.col("fragment").is_in(others.implode())
    return FRAGMENTS.shape(scan(base.fragments).filter(wanted)).collect()


def _search(run: Run, documents: TableRef, known: Known, planted: bool) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Passages and where they stand; each known fragment that is not due is the text of `min_hosts` documents more."""
    rated = known.fragments.filter(~pl.col("fragment").is_in(known.due.implode()))
    copies = rated.select(text=spelled(rated["text"]))
    pretended = copies.with_row_index("doc").with_columns(doc=-1 - pl.col("doc").cast(pl.Int64))
    known_first = [Batch(lambda: pretended, run.parameters.fragment.min_hosts)]
    batches = known_first + [Batch(read) for read in _reads(documents, planted)]
    pretended_characters = int(copies["text"].str.len_chars().cast(pl.Int64).sum())
    passages, places = search(run, batches, characters_of(documents, planted) + pretended_characters)
    places = places.filter(pl.col("doc") >= 0)
    return passages.join(places, on="fragment", how="semi", maintain_order="left"), places


def _reads(documents: TableRef, planted: bool) -> list[Callable[[], pl.DataFrame]]:
    return [partial(_read, path, planted) for path in parts(documents)]


def _read(path: Path, planted: bool) -> pl.DataFrame:
    part = pl.read_parquet(path, columns=["doc", "text", "canary"])
    return part.filter(pl.col("canary").is_not_null() == planted)


def _compared(base: Base, searched: pl.DataFrame, spans: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Published documents whose spans are others than before, and those whose spans are the same."""
    again = searched.filter("published").select("doc", "doc_id")
    before = scan(base.fragment_spans).join(again.lazy(), on="doc_id").select(SPAN).collect()
    now = spans.join(again, on="doc", how="semi").select(SPAN)
    single = pl.concat([before, now], how="vertical_relaxed").group_by(SPAN).len().filter(pl.col("len") == 1)
    recut = again.join(single, on="doc", how="semi", maintain_order="left")
    return recut, again.join(recut, on="doc", how="anti", maintain_order="left")


def _former(base: Base, standing: TableRef, fragments: pl.Series, recut: pl.DataFrame) -> pl.DataFrame:
    """Published spans of some fragments: `fragment`, `doc_id`, and whether tonight leaves them (`stays`)."""
    spans = scan(base.fragment_spans).filter(pl.col("fragment").is_in(fragments.unique().implode()))
    left = scan(standing).select("doc_id").join(recut.lazy(), on="doc_id", how="anti").collect()["doc_id"]
    return spans.select("fragment", "doc_id", stays=pl.col("doc_id").is_in(left.implode())).collect()
