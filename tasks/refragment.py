"""Passages that tonight's documents make viral, or bring more of → rows of `fragments` and `fragment_spans`."""

from functools import partial
from pathlib import Path
from typing import NamedTuple

import polars as pl
from prefect import task

from data_contracts.contracts import FRAGMENT_SPANS
from tasks.base import Base
from tasks.check import hold
from tasks.embed import encoder
from tasks.fragment import FRAGMENTS, SPANS, Batch, judge, place, search
from tasks.passages import texts_of
from tasks.progress import stage_progress
from tasks.reach import reach
from tasks.recount import recount
from tasks.run import Run
from tasks.tables import Stage, TableRef, about, characters_of, parts, scan
from tasks.windows import spelled

SPAN = ["doc", "fragment", "start", "end", "cut"]


class Refragmented(NamedTuple):
    """What tonight changes.

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
    run: Run, base: Base, documents: TableRef, copies: TableRef, settled: TableRef, standing: TableRef
) -> Refragmented:
    """Find the passages that tonight's documents make viral, and cut them there and in published documents.

    A known fragment takes part as text of its own that counts for `min_hosts` documents: tonight's documents are cut by
    it, and by any part of it, without reading its published hosts; its relevance and action stay. A passage that is in
    no known one leads to its published hosts, which are searched again as a whole. What continues a known fragment by
    less than `min_chars` code points may stay, since nothing leads from there to published hosts.

    Args:
        run: with the parameters of the snapshot.
        base: the published snapshot.
        documents: tonight's working documents; those marked `published` take no part.
        copies: `doc` of the exact copies among them, which are no hosts.
        settled: `doc` of those removed otherwise.
        standing: `doc`, `doc_id`, `protected` of published documents that stay.
    """
    model = encoder(run.parameters.encoder, run.threads)
    reached = reach(run, base, documents, copies, settled, standing)
    inputs = [reached.documents, reached.known, base.fragments, base.fragment_spans, standing]
    sections = (run.parameters.fragment, run.parameters.encoder)
    names = ("fragments", "fragment_spans", "hosts")
    stages = [Stage(run, name, inputs, *sections, extra=model.fingerprint) for name in names]
    fragments, spans, hosts = stages
    with hosts, spans, fragments:
        if not all(stage.finished for stage in stages):
            searched = scan(reached.documents).select("doc", "doc_id", "published").collect()
            known = scan(reached.known).collect()
            free = 1 + scan(base.fragments).select(pl.col("fragment").max().fill_null(-1)).collect().item()
            with stage_progress("refragment", searched.height) as bar:
                found, placed = _cut(run, reached.documents, known, free)
                recut, same = _compared(base, searched, placed)
                placed = placed.join(same, on="doc", how="anti")
                found = found.join(placed, on="fragment", how="semi", maintain_order="left")
                former = _former(base, standing, pl.concat([found["fragment"], known["fragment"]]), recut)
                found = recount(run, found, placed.join(searched, on="doc"), known, former)
                taken = found.filter(pl.col("fragment") >= free).height
                planted, planted_spans = _cut(run, reached.documents, known.clear(), free + taken, planted=True)
                bar.advance(searched.height)
            fragments.write(0, pl.concat([found, planted]))
            spans.write(0, pl.concat([placed, planted_spans]).sort("doc", "start"))
            hosts.write(0, recut)
            cutting = placed.filter("cut")
            fragments.counts = {"documents_in": searched.filter(~pl.col("published")).height}
            fragments.facts = {
                "hosts_cut": cutting["doc"].n_unique(),
                "passages_cut": cutting.height,
                "new": taken,
                "published_searched": searched.filter("published").height,
                "published_recut": recut.height,
            } | about(reached.documents)["facts"]
    whole = reached.documents._replace(name="documents")
    return Refragmented(
        fragments.ref, hold(run, spans.ref, FRAGMENT_SPANS, whole, fragments.ref), hosts.ref, reached.windows
    )


def _cut(
    run: Run, documents: TableRef, known: pl.DataFrame, free: int, planted: bool = False
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Fragments in the documents or in the canaries, new ones judged and numbered from `free` on, and their spans."""
    passages, places = _search(run, documents, known, planted)
    stored = known.select("text", "relevance", "action", number="fragment")
    named = passages.join(stored, on="text", how="left", maintain_order="left")
    named = named.with_columns(new=pl.col("number").is_null())
    named = named.with_columns(pl.col("number").fill_null(free - 1 + pl.col("new").cum_sum().cast(pl.Int64)))
    places = places.join(named.select("fragment", "number"), on="fragment", maintain_order="left")
    places = places.select("doc", "start", "end", fragment="number")
    named = named.with_columns(fragment="number")
    texts = texts_of(documents, places["doc"])
    fresh = judge(run, named.filter("new").select(passages.columns), places, texts)
    both = (named.filter(~pl.col("new")), fresh)
    judged = pl.concat([one.select(list(FRAGMENTS)).cast(FRAGMENTS) for one in both])
    guarded = scan(documents).filter("protected").select("doc").collect()["doc"]
    return judged, place(run, judged, places, texts, guarded).cast(SPANS)


def _search(run: Run, documents: TableRef, known: pl.DataFrame, planted: bool) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Passages and where they stand, each known fragment being the text of `min_hosts` documents more."""
    copies = known.select(text=spelled(known["text"]))
    pretended = copies.with_row_index("doc").with_columns(doc=-1 - pl.col("doc").cast(pl.Int64))

    def chosen(path: Path) -> pl.DataFrame:
        part = pl.read_parquet(path, columns=["doc", "text", "canary"])
        return part.filter(pl.col("canary").is_not_null() == planted)

    known_first = [Batch(lambda: pretended, run.parameters.fragment.min_hosts)]
    batches = known_first + [Batch(partial(chosen, path)) for path in parts(documents)]
    pretended_characters = int(copies["text"].str.len_chars().cast(pl.Int64).sum())
    passages, places = search(run, batches, characters_of(documents) + pretended_characters)
    places = places.filter(pl.col("doc") >= 0)
    return passages.join(places, on="fragment", how="semi", maintain_order="left"), places


def _compared(base: Base, searched: pl.DataFrame, spans: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Published documents whose spans are others than before, and those whose spans are the same."""
    again = searched.filter("published").select("doc", "doc_id")
    before = scan(base.fragment_spans).join(again.lazy(), on="doc_id").select(SPAN).collect()
    now = spans.join(again, on="doc", how="semi").select(SPAN)
    single = pl.concat([before, now], how="vertical_relaxed").group_by(SPAN).len().filter(pl.col("len") == 1)
    recut = again.join(single, on="doc", how="semi", maintain_order="left")
    return recut, again.join(recut, on="doc", how="anti")


def _former(base: Base, standing: TableRef, fragments: pl.Series, recut: pl.DataFrame) -> pl.DataFrame:
    """Published spans of some fragments: `fragment`, `doc_id`, and whether tonight leaves them (`stays`)."""
    spans = scan(base.fragment_spans).filter(pl.col("fragment").is_in(fragments.unique().implode()))
    left = scan(standing).select("doc_id").join(recut.lazy(), on="doc_id", how="anti").collect()["doc_id"]
    return spans.select("fragment", "doc_id", stays=pl.col("doc_id").is_in(left.implode())).collect()
