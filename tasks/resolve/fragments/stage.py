"""Viral fragments: passages repeated across surviving documents → `fragments` and `fragment_spans`."""

from functools import partial
from typing import NamedTuple

import polars as pl
from prefect import task

from data_contracts.schemas import FRAGMENTS
from models.lexical.fragments.hosts.virality import shipped
from tasks.encode.embeddings import encoder
from tasks.ingest.document_frequencies import load_frequencies
from tasks.pipeline.registry import FRAGMENT
from tasks.quality.enforce_contracts import hold
from tasks.resolve.fragments.known import nothing_known, placed_spans, rate_known
from tasks.resolve.fragments.search import search, survivors
from tasks.resolve.fragments.spans import write_spans
from tasks.resolve.fragments.virality import Corpus, sources_of
from tasks.runtime.run import Run
from tasks.storage.document_store import texts_at_hand
from tasks.storage.spill import spilled
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, characters_of, scan


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
            leaned_on = [scan(settled).select(doc="survivor"), scan(copies).select(doc="copy_of")]
            guarded = pl.concat([scan(documents).filter("protected").select("doc"), *leaned_on]).collect()["doc"]
            corpus = Corpus(partial(load_frequencies, frequencies), sources_of(documents))
            listed, cut, written = [pl.DataFrame(schema=FRAGMENTS.schema)], [pl.Series("doc", [], pl.Int64)], 0
            with found.progress(documents.rows) as bar:
                for planted in (False, True):
                    chosen = survivors(documents, prescreened, settled, planted)
                    passages, places = (
                        spilled(found.path, rows)
                        for rows in search(run, chosen, characters_of(documents, planted), found)
                    )
                    run.make_room()  # what was searched is let go before what was found is weighed
                    known = nothing_known(free=sum(frame.height for frame in listed))
                    with texts_at_hand(found, documents, places["doc"]) as texts:
                        rated = rate_known(found, corpus, passages, places, texts, known)
                        reads = [batch.read for batch in chosen]
                        with placed_spans(found, documents, reads, rated, texts, guarded) as (rows, every_text):
                            written = write_spans(spans, rows, every_text, written)
                    listed.append(rated.found)
                    cut.append(rows.filter("cut")["doc"])
                bar.advance(documents.rows)
            found.write(0, pl.concat(listed))
            found.counts = {"documents_in": documents.rows - settled.rows}
            hosts_cut = pl.concat(cut)
            found.facts = {"hosts_cut": hosts_cut.n_unique(), "passages_cut": len(hosts_cut)}
    hold(run, FRAGMENT, fragment_spans=spans.ref, documents=documents, fragments=found.ref)
    return Fragmented(found.ref, spans.ref)
