"""Reindex flow: frequencies, vectors and signatures of every live document of the published snapshot made anew."""

from prefect import flow
from pydantic import Field

from flows.notify import notify
from flows.options import RunOptions
from tasks.encode.embeddings import embed
from tasks.encode.model_bundle import load_bundle
from tasks.encode.signatures import sign
from tasks.ingest.bloom_prescreen import prescreen
from tasks.ingest.document_frequencies import count
from tasks.ingest.exact_duplicates import collapse
from tasks.refresh.classify_arrivals import enrol
from tasks.refresh.index import living, take_windows
from tasks.refresh.previous_snapshot import open_base
from tasks.snapshots.output_mirror import Output
from tasks.snapshots.reindex import reissue


class Indexed(RunOptions):
    """Parameters of the flow: the published corpus that is indexed anew, and its new parameters."""

    out: Output = Field(description="folder of the snapshots, or URL of a store")
    settings: list[str] = Field([], description="section.key=value where the new index differs from the snapshot")


@flow(name="reindex", flow_run_name="reindex-{indexed.out.name}", on_failure=[notify], on_crashed=[notify])
def reindex(indexed: Indexed) -> str:
    """Publish the same documents and decisions with a new index; returns the folder of the snapshot."""
    out = indexed.out.absolute()
    with indexed.working(out) as begin:
        base, parameters = open_base(out, indexed.settings)
        run = begin(parameters)
        load_bundle(run.parameters.encoder)
        live = enrol(run, base)
        documents = living(run, base, live)
        copies = collapse(run, documents)
        frequencies = count(run, documents, copies)
        screened = prescreen(run, documents, copies, everything=True)
        embeddings = embed(run, documents, screened)
        signatures = sign(run, documents, screened, frequencies, embeddings)
        windows = take_windows(run, base, live, None)
        return str(reissue(run, out, base, documents, frequencies, embeddings, signatures, windows))
