"""A small real corpus, and flows on it in this process and without a Prefect server."""

import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl
import pytest

LONGEST = 4000
"""Longer licence texts are left out: they only take time."""
SETTINGS = ("extract.part_rows=64",)
"""Settings of the undisturbed run: its tables have several parts."""


def real_texts(folder: Path, rows: int) -> pl.DataFrame:
    """Licence texts that come with the installation: doc_id, source, text, license_expression, language."""
    from tasks.demo.licence_corpus import write_demo

    found = pl.read_parquet(write_demo(folder, 2 * rows))
    size = pl.col("text").str.len_chars()
    return found.filter(size.is_between(1, LONGEST)).head(rows)


def planted(texts: pl.DataFrame) -> pl.DataFrame:
    """Two exact copies, one child and two look-alikes (they differ by a sum) of long texts of the corpus."""
    long = texts.filter(pl.col("text").str.len_chars().is_between(1500, LONGEST)).sort("doc_id")
    original, parent = long["text"][0], long["text"][1]
    third = len(parent) // 3
    notice = (
        "The licensee shall pay to the licensor for each started calendar year, and within thirty days after receipt "
        "of an invoice, a fee of {} euro for every workplace at which the program has been installed or used."
    )
    rows = {
        "planted-copy": f"  {original}\n\n",
        "planted-upper": original.upper(),
        "planted-child": parent[third : 2 * third],
        "planted-fee-200": notice.format("200"),
        "planted-fee-900": notice.format("900"),
    }
    columns = {"doc_id": list(rows), "source": ["planted"] * len(rows), "text": list(rows.values())}
    empty = {name: [""] * len(rows) for name in ("license_expression", "language")}
    return pl.DataFrame(columns | empty)


@contextmanager
def without_prefect(flow: str = "curate") -> Iterator[Callable[..., str]]:
    """Turn a flow and its tasks into plain functions; yields the flow, which then also serves the command line."""
    import prefect

    import tasks.publish.prefect_artifacts

    module = importlib.import_module(f"flows.{flow}")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in list(vars(module).items()):
            if isinstance(value, prefect.Task | prefect.Flow):
                patch.setattr(module, name, value.fn)
        patch.setattr(module, "untracked", lambda value: value, raising=False)
        patch.setattr(tasks.publish.prefect_artifacts, "keep", lambda *_: None)
        yield getattr(module, flow)


def curate(inputs: list[Path], out: Path, settings: tuple[str, ...] = (), **given: object) -> Path:
    """Curate without a server; returns the folder of the snapshot.

    Canaries are left out unless `settings` ask for them: they double the documents.
    """
    from flows.curate import Corpus
    from models.parameters import Parameters

    with without_prefect() as flow:
        parameters = Parameters().with_settings(["gate.canaries=false", *settings])
        return Path(flow(Corpus(inputs=[str(path) for path in inputs], out=out, parameters=parameters, **given)))


def refresh(inputs: list[Path], out: Path, **given: object) -> Path:
    """Refresh without a server; returns the folder of the snapshot."""
    from flows.refresh import Arrivals

    with without_prefect("refresh") as flow:
        return Path(flow(Arrivals(inputs=[str(path) for path in inputs], out=out, **given)))


def table(snapshot: Path, name: str) -> pl.DataFrame:
    """A table of a snapshot."""
    return pl.read_parquet(sorted((snapshot / name).glob("*.parquet")))


def contents(snapshot: Path, name: str) -> dict[str, bytes]:
    """Bytes of the part files of a table of a snapshot."""
    return {path.name: path.read_bytes() for path in sorted((snapshot / name).glob("*.parquet"))}
