"""Packing of a bundle: all that was learned, its model card and the curves of its losses."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
from prefect import task

from models import bundle
from tasks.runtime.errors import InputError
from tasks.runtime.process_exit import undone_if_stopped
from tasks.runtime.run import Run
from tasks.storage.atomic import write_json
from tasks.storage.sync import sync
from tasks.storage.tables import TableRef, about, scan
from tasks.training.documents.card import card
from tasks.training.documents.page import page
from tasks.training.hashes import load_hashes
from tasks.training.student import load_student
from tasks.training.tensors import read_tensors

CARD, METRICS, PAGE = "README.md", "metrics.json", "training.html"


class Learned(NamedTuple):
    """The tables of a training, in the order in which they are made."""

    documents: TableRef
    rejects: TableRef
    material: TableRef
    passages: TableRef
    taught: TableRef
    words: TableRef
    student: TableRef
    quality: TableRef
    hashes: TableRef
    frequencies: TableRef
    pairs: TableRef
    measured: TableRef
    verifier: TableRef


STEPS = tuple(name for name in Learned._fields if name != "rejects")


def claim(folder: Path, workspace: Path) -> None:
    """Say at once that a folder cannot become the bundle: packing replaces it whole.

    Raises:
        InputError: it is a file, it holds what is no part of a bundle, or the workspace lies in it or is none.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"--bundle {folder} is a file: name a folder")
    if any(part.endswith(":") for part in workspace.parts):  # what is left of a URL
        raise InputError(f"--workspace {workspace.name}: training works in a folder, not in an object store")
    if workspace.is_relative_to(folder):
        raise InputError(f"--workspace {workspace} lies in the bundle: name another folder")
    found = sorted(path.name for path in folder.iterdir()) if folder.exists() else []
    known = {bundle.PAGE, CARD, METRICS, PAGE}
    foreign = [name for name in found if name not in known and not name.endswith(".safetensors")]
    if foreign or (found and bundle.PAGE not in found):
        raise InputError(f"--bundle {folder} holds what is no bundle ({(foreign or found)[0]}): name another folder")


@task(task_run_name="pack the bundle")
def pack(run: Run, folder: Path, learned: Learned, seed: int) -> str:
    """Write the bundle with everything that is known about its making; returns its id.

    It is made beside its place and moved there whole, so readers never see half of it.
    """
    known = _known(learned, seed)
    with beside(folder) as staging:
        saved = bundle.save(
            staging,
            load_student(learned.student),
            load_hashes(learned.hashes),
            read_tensors(learned.verifier),
            known["facts"]["verifier"].pop("config"),
            {name: known[name] for name in ("seed", "corpus", "teacher", "sources")},
        )
        known = {"bundle": saved.id, **known, "bytes": _sizes(staging)}
        write_json(staging / METRICS, known)
        (staging / CARD).write_text(card(known), encoding="utf-8")
        (staging / PAGE).write_text(page(known), encoding="utf-8")
    return saved.id


def _known(learned: Learned, seed: int) -> dict[str, Any]:
    """Material by source, pairs by type, rows and seconds per step, losses and metrics."""
    material = (
        scan(learned.material).group_by("source").agg(documents=pl.len(), chars=pl.col("n_chars").cast(pl.Int64).sum())
    )
    pairs = scan(learned.pairs).group_by("type").agg(pl.first("duplicate"), pairs=pl.len())
    records = {name: about(getattr(learned, name)) for name in STEPS}
    return {
        "seed": seed,
        "corpus": learned.material.fingerprint,
        "teacher": records["taught"]["facts"]["teacher"],
        "sources": material.sort("source").collect().to_dicts(),
        "pairs": pairs.sort("type").collect().to_dicts(),
        "rows": {name: record["rows"] for name, record in records.items()},
        "seconds": {name: record["seconds"] for name, record in records.items()},
        "facts": {name: record["facts"] for name, record in records.items() if record["facts"]},
    }


def _sizes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_size for path in sorted(folder.glob("*.safetensors"))}


@contextmanager
def beside(folder: Path) -> Iterator[Path]:
    """Yield a place beside that of a bundle; what is made there is moved there whole, if the block ends well."""
    staging, former = (folder.with_name(f".{folder.name}.{os.getpid()}.{name}tmp") for name in ("", "former."))
    tidy = partial(_tidy, folder, former)
    tidy()
    with undone_if_stopped(tidy):
        try:
            yield staging
            for path in staging.iterdir():
                sync(path)
            if folder.exists():
                folder.replace(former)
            staging.replace(folder)
        finally:
            tidy()


def _tidy(folder: Path, former: Path) -> None:
    if former.exists() and not folder.exists():
        former.replace(folder)
    for leftover in folder.parent.glob(f".{folder.name}.*.tmp"):
        shutil.rmtree(leftover, ignore_errors=True)
