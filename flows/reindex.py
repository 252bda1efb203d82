"""The index of the published snapshot made anew: frequencies, vectors and signatures of every live document."""

import uuid
from pathlib import Path

from prefect import flow
from pydantic import BaseModel, ConfigDict, Field

from flows.notify import notify
from tasks.admit import enrol
from tasks.base import open_base
from tasks.bundles import load_bundle
from tasks.collapse import collapse
from tasks.embed import embed
from tasks.frequencies import count
from tasks.index import living, take_windows
from tasks.present import present
from tasks.reissue import reissue
from tasks.run import MEMORY, Run
from tasks.sign import sign
from tasks.snapshot import writing
from tasks.store import Workspace, folder_of, mirrored


class Indexed(BaseModel):
    """Which published corpus is indexed anew, and with which parameters."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    out: Path = Field(description="folder of the snapshots")
    settings: list[str] = Field([], description="section.key=value where the new index differs from the snapshot")
    workspace: Workspace = None
    threads: int = Field(2, ge=1, description="threads for DuckDB and the encoder")
    memory_limit: str = Field("4GB", pattern=MEMORY, description="bound for all processes together, for example 4GB")


@flow(name="reindex", flow_run_name="reindex-{indexed.out.name}", on_failure=[notify], on_crashed=[notify])
def reindex(indexed: Indexed) -> str:
    """Publish the same documents and decisions with a new index; returns the folder of the snapshot."""
    out = indexed.out.absolute()
    workspace = folder_of(indexed.workspace, out)
    token = uuid.uuid4().hex
    with (
        writing(out, role="output"),
        writing(workspace, role="workspace"),
        mirrored(indexed.workspace, workspace, token),
    ):
        base, parameters = open_base(out, indexed.settings)
        run = Run(
            workspace=workspace,
            parameters=parameters,
            threads=indexed.threads,
            memory_limit=indexed.memory_limit,
            token=token,
        )
        load_bundle(run.parameters.encoder)
        live = enrol(run, base)
        documents = living(run, base, live)
        copies = collapse(run, documents)
        frequencies = count(run, documents, copies)
        screened = present(run, documents, copies)
        embeddings = embed(run, documents, screened)
        signatures = sign(run, documents, screened, frequencies, embeddings)
        windows = take_windows(run, base, live, None)
        return str(reissue(run, out, base, documents, frequencies, embeddings, signatures, windows))
