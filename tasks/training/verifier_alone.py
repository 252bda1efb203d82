"""Training of the verifier alone: encoder, hashes and judge of the bundle stay as they were."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import polars as pl
from prefect import task

from models import bundle
from tasks.pipeline.registry import TAKE_OVER
from tasks.runtime.errors import InputError
from tasks.runtime.run import Run
from tasks.storage.atomic import write_json
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, about, scan
from tasks.training.documents.card import card
from tasks.training.documents.judge_card import section, with_section
from tasks.training.documents.page import page
from tasks.training.pack import CARD, METRICS, PAGE, STEPS, beside
from tasks.training.tensors import read_tensors, write_tensors

_PER_STEP = ("rows", "seconds")
_HEADING = re.compile(r"(?m)^(?=## )")


def source_of(name: str) -> Path:
    """Folder of a bundle, shipped or not.

    Raises:
        InputError: there is none, it cannot be read, or nothing is known about its training.
    """
    shipped = bundle.SHIPPED / name
    folder = shipped if (shipped / bundle.PAGE).is_file() else Path(name).resolve()
    try:
        bundle.load(folder)
    except bundle.BundleError as error:
        raise InputError(f"--from {name}: {error}") from error
    if not (folder / METRICS).is_file():
        raise InputError(f"--from {name} has no {METRICS}: what was trained before is not known")
    return folder


@task(task_run_name="take over the encoder")
def take_encoder(run: Run, source: Path) -> TableRef:
    """Put the student of a bundle into a table, as if it had been distilled in this run."""
    loaded = bundle.load(source)
    with Stage(run, TAKE_OVER, [], extra=["taken over", loaded.id]) as stage:
        if not stage.finished:
            write_tensors(stage, loaded.student._asdict())
            stage.counts = {}
    return stage.ref


@task(task_run_name="pack the bundle")
def repack(run: Run, source: Path, folder: Path, material: TableRef, learned: dict[str, TableRef], seed: int) -> str:
    """Write the bundle with its new verifier and what is known about it; returns its id.

    Args:
        run: of this training.
        source: the bundle that encoder, hashes and judge come from; may be the same folder.
        folder: receives the bundle, which is made beside it and moved there whole.
        material: documents that pairs were made of.
        learned: the tables that were made anew, by the name of their step.
        seed: of the training.
    """
    known = _known(json.loads((source / METRICS).read_text()), material, learned)
    config = known["facts"]["verifier"].pop("config")
    metadata = {"seed": seed, "corpus": material.fingerprint}
    with beside(folder) as staging:
        shutil.copytree(source, staging)
        known["bundle"] = bundle.replace_verifier(staging, read_tensors(learned["verifier"]), config, metadata)
        sizes = {path.name: path.stat().st_size for path in sorted(staging.glob("*.safetensors"))}
        known["bytes"] = {name: size for name, size in sizes.items() if name in known["bytes"]}
        write_json(staging / METRICS, known)
        (staging / CARD).write_text(_card(known, (staging / CARD).read_text(encoding="utf-8")), encoding="utf-8")
        (staging / PAGE).write_text(page(known), encoding="utf-8")
    return str(known["bundle"])


def _known(before: dict[str, Any], material: TableRef, learned: dict[str, TableRef]) -> dict[str, Any]:
    """Records of the training before, with those of the new steps in their place."""
    records = {name: about(ref) for name, ref in learned.items()}
    pairs = scan(learned["pairs"]).group_by("type").agg(pl.first("duplicate"), pairs=pl.len())
    sources = scan(material).group_by("source").agg(documents=pl.len()).sort("source").collect()
    facts = {name: record["facts"] for name, record in records.items() if record["facts"]}
    facts["pairs"] = facts["pairs"] | {"documents": material.rows, "sources": sources["source"].to_list()}
    return {
        **before,
        "pairs": pairs.sort("type").collect().to_dicts(),
        **{what: _in_order(before[what], {name: one[what] for name, one in records.items()}) for what in _PER_STEP},
        "facts": before["facts"] | facts,
    }


def _in_order(before: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Records per step, in the order of a training."""
    both = before | new
    return {name: both[name] for name in STEPS if name in both}


def _card(known: dict[str, Any], before: str) -> str:
    """The card anew, with the sections of the former one that people wrote where they stood."""
    made = card(known)
    if known.get("judge"):
        made = with_section(made, section(known["judge"]))
    parts, former = _HEADING.split(made), _HEADING.split(before)
    headings = [part.split("\n", 1)[0] for part in parts]
    for at, part in enumerate(former):
        heading = part.split("\n", 1)[0]
        if at and heading not in headings:
            after = former[at - 1].split("\n", 1)[0] if at > 1 else headings[0]
            to = headings.index(after) + 1 if after in headings else len(parts)
            parts.insert(to, part)
            headings.insert(to, heading)
    return "".join(parts)
