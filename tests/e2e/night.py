"""Runs of the flows on a small real corpus, without a server, each in a process of its own that may be killed."""

import importlib
import os
import shutil
import subprocess
import traceback
from collections.abc import Callable
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from models.parameters import Parameters
from tests.support.processes.children import forked_from, outcome
from tests.support.runs import planted, real_texts, without_prefect

SETTINGS = ["extract.part_rows=64", "gate.canaries=false"]
"""Tables of several parts; no canaries, which would double the documents."""
FIRST = 100
"""Documents that are published before the night that is disturbed."""

forked_from(
    "flows.curate", "great_expectations", "models.semantic.encoder.teacher", "transformers", "tests.support.runs"
)


class Call(NamedTuple):
    """A flow and what is filled into its form."""

    flow: str
    given: dict[str, Any]

    def __call__(self) -> None:
        """Run the flow as a plain function in this process; it leaves no artifacts."""
        given = dict(self.given)
        if self.flow == "curate":
            given["parameters"] = Parameters().with_settings(given.pop("settings"))
        parameter = {"curate": "Corpus", "refresh": "Arrivals"}[self.flow]
        with without_prefect(self.flow) as flow:
            flow(getattr(importlib.import_module(f"flows.{self.flow}"), parameter).model_validate(given))


class Night(NamedTuple):
    """What ran before and what runs tonight."""

    before: list[Call]
    tonight: Call


def corpus(folder: Path) -> int:
    """Write about 120 real texts (all.parquet), the part of them that is published before (first.parquet), and for a
    refresh the rest with one edit (arrivals.parquet) and one deletion (deleted.txt); returns the number of texts.
    """
    folder.mkdir()
    texts = real_texts(folder / "licences", 120)
    whole = pl.concat([texts, planted(texts)]).sort("doc_id")
    whole.write_parquet(folder / "all.parquet")
    first = whole.sample(FIRST, seed=1).sort("doc_id")
    first.write_parquet(folder / "first.parquet")
    edited = first[:1].with_columns(pl.col("text") + "\n\nThis paragraph is new.")
    pl.concat([whole.join(first, on="doc_id", how="anti"), edited]).write_parquet(folder / "arrivals.parquet")
    (folder / "deleted.txt").write_text(first["doc_id"][1] + "\n")
    return whole.height


def curating(folder: Path, out: Path) -> Night:
    """Curate the corpus after a part of it has been published."""
    return Night([_curate(folder / "first.parquet", out)], _curate(folder / "all.parquet", out))


def refreshing(folder: Path, out: Path) -> Night:
    """Refresh what `curate` published, for the first time: the index is completed, too."""
    given = {"inputs": [str(folder / "arrivals.parquet")], "out": str(out), "deleted": str(folder / "deleted.txt")}
    return Night([_curate(folder / "first.parquet", out)], Call("refresh", given))


def _curate(given: Path, out: Path) -> Call:
    return Call("curate", {"inputs": [str(given)], "out": str(out), "settings": SETTINGS})


NIGHTS: dict[str, Callable[[Path, Path], Night]] = {"curate": curating, "refresh": refreshing}


def apart(action: Callable[[], None], log: Path) -> int:
    """Call `action` in a process of its own; returns 0, 1 after an error, or the signal that ended it, negative."""
    return outcome(_logged, (action, log))


def restore(state: Path, out: Path) -> None:
    """Bring the output folder back to a state that was kept; hard links stay what they are."""
    out.mkdir(parents=True, exist_ok=True)  # it may be the root of a disk, so it stays
    for path in out.iterdir():
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    subprocess.run(["cp", "-a", f"{state}/.", str(out)], check=True)


def _logged(action: Callable[[], None], log: Path) -> None:
    with log.open("w", buffering=1) as told, redirect_stderr(told):
        try:
            action()
        except BaseException:
            traceback.print_exc(file=told)
            os._exit(1)
