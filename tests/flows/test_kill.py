"""kill -9 anywhere: the next run goes on where the last one stopped and ends with the same bytes."""

import os
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tasks.remote.object_mirror import DONE
from tests.support.processes.children import forked_from, outcome
from tests.support.runs import SETTINGS, contents, curate, refresh, table

pytestmark = pytest.mark.flows

PARTS = [("prescreen", 0), ("embeddings", 0), ("signatures", 0)]
"""Tables of several parts, killed when this part is on disk and the next is about to be."""
TOGETHER = [
    {"documents", "extras", "rejects"},
    {"rescued", "survivors"},
    {"rewrites", "removals"},
    {"fragments", "fragment_spans"},
]
"""Tables that one stage makes: it is finished when all of them are."""
PUBLISHING = {
    "save_table": "snapshots.build",
    "write_pairs": "snapshots.build",
    "link": "snapshots.published_documents",
    "lay": "snapshots.build",
    "write_json": "publish.manifest",
    "write_report": "publish.manifest",
    "seal": "publish.manifest",
    "place": "publish.publication",
    "switch": "publish.publication",
}
"""Steps of publishing and the module of `tasks` that takes them; killed at their start."""


def _die(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _before(original: Callable[..., Any], wanted: Callable[..., bool]) -> Callable[..., Any]:
    def wrapped(*given: Any, **named: Any) -> Any:
        return _die() if wanted(*given) else original(*given, **named)

    return wrapped


def _appears(path: Path) -> bool:
    """Wait for a part that another thread makes."""
    until = time.monotonic() + 60
    while not path.exists() and time.monotonic() < until:
        time.sleep(0.001)
    return path.exists()


NIGHT = {"save_table": "snapshots.build", "seal": "publish.manifest", "switch": "publish.publication"}
"""Steps of publishing a refresh."""
SEALED = ("roster", "signatures", "candidates", "survivors", "hosts", "night")
"""Tables of a refresh at whose end it is killed."""


def _run(flow: Callable[..., Path], inputs: list[Path], out: Path, kind: str, name: str, part: int) -> None:
    """Run a flow in a process of its own that kills itself at the chosen point."""
    import tasks.storage.stage

    if kind == "seal":
        tasks.storage.stage.write_json = _before(
            tasks.storage.stage.write_json,
            lambda path, _: path.name == DONE and path.parent.name.startswith(f"{name}-"),
        )
    if kind == "part":
        tasks.storage.stage.Stage.write = _before(
            tasks.storage.stage.Stage.write,
            lambda stage, index, *_: (stage.name, index) == (name, part + 1) and _appears(stage.part(part)),
        )
    if kind == "publish":
        pytest.MonkeyPatch().setattr(f"tasks.{(PUBLISHING if flow is _curate else NIGHT)[name]}.{name}", _die)
    flow(inputs, out)


def _curate(inputs: list[Path], out: Path) -> Path:
    return curate(inputs, out, SETTINGS)


def _killed(
    inputs: list[Path], out: Path, kind: str, name: str = "", part: int = 0, flow: Callable[..., Path] = _curate
) -> int:
    return outcome(_run, (flow, inputs, out, kind, name, part))


def _finished(out: Path) -> dict[Path, int]:
    """Every part file that stands, with the moment it was written; a part must be readable or not be there."""
    return {path: path.stat().st_mtime_ns for path in out.rglob("workspace/tables/*/part-*.parquet")}


def _sealed(out: Path) -> list[str]:
    """Names of the finished tables in the order in which they were finished."""
    found = sorted((out / "workspace" / "tables").glob(f"*/{DONE}"), key=lambda path: path.stat().st_mtime_ns)
    return [path.parent.name.rpartition("-")[0] for path in found]


@pytest.fixture(scope="module")
def chain(curated, tmp_path_factory) -> tuple[Path, dict[tuple[str, str], dict[Path, int]]]:
    """Output folder after a chain of killed runs and one that was left alone, and what stood after each kill."""
    forked_from("flows.curate", "great_expectations", "models.semantic.encoder.teacher", "transformers")
    out = tmp_path_factory.mktemp("killed") / "out"
    inputs = [curated.parent / "corpus.parquet"]
    stood = {}
    for name in _sealed(curated):
        for kind, part in [("part", part) for parted, part in PARTS if parted == name] + [("seal", 0)]:
            assert _killed(inputs, out, kind, name, part) == -signal.SIGKILL, f"not killed at {kind} of {name}"
            assert name not in _sealed(out)
            stood[kind, name] = _finished(out)
    for name in PUBLISHING:
        assert _killed(inputs, out, "publish", name) == -signal.SIGKILL, f"not killed at {name}"
        assert not (out / "current").exists()
        stood["publish", name] = _finished(out)
    assert _killed(inputs, out, "") == 0
    return out, stood


def test_the_result_is_that_of_an_undisturbed_run(curated, chain):
    out, _ = chain
    assert (out / "current").readlink() == (curated / "current").readlink()
    for name in ("decisions", "documents", "fragments", "fragment_spans", "verified", "rejects"):
        assert contents(out / "current", name) == contents(curated / "current", name)
    assert [path.name for path in (out / "snapshots").iterdir()] == [(out / "current").readlink().name]
    assert not list(out.rglob("*.tmp"))


def test_every_table_is_that_of_an_undisturbed_run(curated, chain):
    out, _ = chain
    written = {path.relative_to(out): path.read_bytes() for path in _finished(out)}
    undisturbed = {path.relative_to(curated): path.read_bytes() for path in _finished(curated)}
    assert written.keys() == undisturbed.keys()
    assert [path for path in written if written[path] != undisturbed[path]] == []


def test_finished_stages_are_not_repeated(curated, chain):
    out, stood = chain
    final = _finished(out)
    names = _sealed(curated)
    assert _sealed(out) == names
    for (kind, name), parts in stood.items():
        stage = next((group for group in TOGETHER if name in group), {name})
        done = names if kind == "publish" else set(names[: names.index(name)]) - stage
        for path in parts:
            if path.parent.name.rpartition("-")[0] in done:
                assert final[path] == parts[path], f"{path} was written again after the kill at {kind} of {name}"
    assert table(out / "current", "stage_metrics")["reused"].all()


@pytest.mark.parametrize(("name", "part"), PARTS[1:])
def test_parts_that_stand_are_not_made_again(chain, name, part):
    """Embedding is most of the time of a run: what one run embedded, the next one keeps."""
    out, stood = chain
    kept = [path for path in stood["part", name] if path.parent.name.startswith(f"{name}-")]
    assert f"part-{part:05d}.parquet" in {path.name for path in kept}
    final = _finished(out)
    assert [path for path in kept if final[path] != stood["part", name][path]] == []


def test_a_night_that_is_killed_again_and_again_ends_like_one_left_alone(curated, corpus, tmp_path):
    forked_from("flows.curate", "flows.refresh", "great_expectations")
    new = corpus.head(6).with_columns(doc_id=pl.lit("new-") + pl.col("doc_id"), text=pl.col("text") + pl.lit(" More."))
    changed = corpus.slice(10, 2).with_columns(text=pl.lit("Another text for ") + pl.col("doc_id"))
    pl.concat([new, changed]).write_parquet(tmp_path / "new.parquet")
    inputs = [tmp_path / "new.parquet"]
    left_alone, out = (Path(shutil.copytree(curated, tmp_path / name, symlinks=True)) for name in ("alone", "killed"))
    before = (out / "current").readlink()
    refresh(inputs, left_alone)
    for kind, names in (("seal", SEALED), ("publish", NIGHT)):
        for name in names:
            assert _killed(inputs, out, kind, name, flow=refresh) == -signal.SIGKILL, f"not killed at {kind} of {name}"
            assert (out / "current").readlink() == before
    assert _killed(inputs, out, "", flow=refresh) == 0
    assert (out / "current").readlink() == (left_alone / "current").readlink() != before
    for name in (
        "decisions",
        "documents",
        "fragments",
        "fragment_spans",
        "verified",
        "index/documents",
        "index/windows",
    ):
        assert contents(out / "current", name) == contents(left_alone / "current", name), name
    assert not list(out.rglob("*.tmp"))
