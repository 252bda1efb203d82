"""The whole `train` flow on a small real corpus: repeatable whatever the threads and kills, with a bundle of use."""

import json
import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import polars as pl
import prefect
import pytest
from typer.testing import CliRunner

from flows.cli import app
from models import bundle
from models.decision.verifier.inference import Verifier
from models.semantic.encoder.student import word_table
from tasks.remote.object_mirror import DONE
from tests.support.made_up import made_up
from tests.support.processes.children import forked_from, outcome
from tests.support.runs import curate, real_texts

pytestmark = pytest.mark.flows

SIZE = ("--passages", "1500", "--words", "800", "--pairs", "600")
STEPS = ["material", "passages", "taught", "words", "student", "quality", "hashes", "pairs", "measured", "verifier"]
FILES = ["README.md", "bundle.json", "metrics.json", "training.html"]
TENSORS = ["projection_hash.safetensors", "student.safetensors", "verifier.safetensors"]


@contextmanager
def small() -> Iterator[None]:
    """The flow as a plain function, with fewer steps of learning and more parts."""
    import flows.training.bundle
    import flows.training.course
    import flows.training.verifier
    import tasks.training.hashes
    import tasks.training.passages
    import tasks.training.quality
    import tasks.training.verifier

    with pytest.MonkeyPatch.context() as patch:
        for module in (flows.training.course, flows.training.bundle, flows.training.verifier):
            for name, value in list(vars(module).items()):
                if isinstance(value, prefect.Task | prefect.Flow):
                    patch.setattr(module, name, value.fn)
        patch.setattr(tasks.training.hashes, "train", partial(tasks.training.hashes.train, steps=40))
        verifier = tasks.training.verifier
        patch.setattr(verifier, "train_verifier", partial(verifier.train_verifier, epochs=(1, 3)))
        patch.setattr(tasks.training.passages, "PASSAGES_PER_PART", 256)
        patch.setattr(tasks.training.quality, "TIMED", 40)
        yield


def call(*given: object):
    with small():
        return CliRunner().invoke(app, ["train", *(str(one) for one in given)])


def complaint(*given: object) -> str:
    """The sentence with which unusable arguments are refused."""
    result = call(*given)
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    return result.stderr.splitlines()[-1]


def die(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def killed(corpus: Path, folder: Path, kind: str, name: str) -> None:
    """Train with two threads in a process that kills itself at the second part of a table, at its seal, or packing."""
    import tasks.storage.stage
    import tasks.training.pack

    write, seal = tasks.storage.stage.Stage.write, tasks.storage.stage.write_json
    if kind == "part":
        tasks.storage.stage.Stage.write = lambda stage, index, frame: (
            die() if (stage.name, index) == (name, 1) else write(stage, index, frame)
        )
    if kind == "seal":
        tasks.storage.stage.write_json = lambda path, value: (
            die() if path.name == DONE and path.parent.name.startswith(f"{name}-") else seal(path, value)
        )
    if kind == "pack":
        tasks.training.pack.page = die
    assert call(corpus, "--bundle", folder, *SIZE, "--threads", 2).exit_code == 0


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("training")
    real_texts(folder, 150).write_parquet(folder / "corpus.parquet")
    return folder / "corpus.parquet"


@pytest.fixture(scope="module")
def trained(corpus):
    """Folder of a bundle and what the command printed, one thread, undisturbed."""
    folder = corpus.parent / "one"
    result = call(corpus, "--bundle", folder, *SIZE, "--threads", 1)
    assert result.exit_code == 0, result.output
    return folder, result.stdout


@pytest.mark.slow
def test_the_command_says_what_it_made_and_where(trained):
    folder, said = trained
    assert said == f"bundle {bundle.load(folder).id}: {folder}\n"
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES + TENSORS)
    assert not list(folder.parent.glob(".*.tmp"))


@pytest.mark.slow
def test_killed_with_other_threads_elsewhere_the_bundle_is_the_same(corpus, trained, tmp_path):
    forked_from("flows.training.bundle", "models.semantic.encoder.teacher", "transformers")
    folder = tmp_path / "two"
    tables = tmp_path / "two-workspace" / "tables"
    stood: dict[Path, int] = {}
    for kind, name in [("part", "taught"), ("seal", "student"), ("pack", ""), ("", "")]:
        code = outcome(killed, (corpus, folder, kind, name))
        assert code == (-signal.SIGKILL if kind else 0), f"{kind} {name}"
        assert not (kind and folder.exists())
        assert {path: path.stat().st_mtime_ns for path in stood} == stood, f"made again after {kind} {name}"
        stood = {path: path.stat().st_mtime_ns for path in tables.glob("taught-*/part-*.parquet")}
        assert stood
    for name in [*TENSORS, "bundle.json"]:
        assert (folder / name).read_bytes() == (trained[0] / name).read_bytes(), name
    assert not list(tmp_path.glob(".*.tmp"))


@pytest.mark.slow
def test_everything_known_is_told(trained):
    folder, _ = trained
    known = json.loads((folder / "metrics.json").read_text())
    assert set(STEPS) <= known["seconds"].keys()
    agreement, speed = known["facts"]["quality"]["agreement"], known["facts"]["quality"]["speed"]
    assert 0.1 < agreement["cosine_p10"] < agreement["cosine_mean"] < 1  # six steps: better than chance
    assert agreement["spearman"] > 0.3
    assert speed["ratio"] == pytest.approx(speed["student"] / speed["teacher"], rel=0.02)
    assert sum(one["documents"] for one in known["sources"]) == known["rows"]["material"]
    card, page = ((folder / name).read_text() for name in ("README.md", "training.html"))
    for told in (
        bundle.load(folder).id,
        f"{agreement['cosine_mean']:.3f}",
        known["teacher"],
        known["sources"][0]["source"],
    ):
        assert told in card
    assert page.count("<polyline") == 9
    assert "nan" not in page.lower().replace("finance", "")


@pytest.mark.slow
def test_the_bundle_serves_a_run(corpus, trained, tmp_path):
    settings = (f"encoder.bundle={trained[0]}", "encoder.name=student")
    snapshot = curate([corpus], tmp_path / "out", settings)
    manifest = json.loads((snapshot / "manifest.json").read_text())
    assert manifest["bundle"] == bundle.load(trained[0]).id
    assert manifest["encoder"].startswith("student-")
    assert manifest["counts"]["removed"] > 0
    learned = bundle.load(trained[0])
    verifier = Verifier.load(learned.verifier, learned.settings, word_table(learned.student))
    assert verifier.config() == learned.settings


@pytest.mark.slow
def test_the_verifier_alone_is_learned_anew(corpus, trained, tmp_path):
    source, folder = tmp_path / "source", tmp_path / "anew"
    shutil.copytree(trained[0], source)
    card = source / "README.md"
    card.write_text(card.read_text().replace("## Training data", "## How it was made\n\nBy hand.\n\n## Training data"))
    with small():
        given = ["train-verifier", corpus, "--bundle", folder, "--from", source, "--pairs", 700, "--seed", 5]
        result = CliRunner().invoke(app, [*map(str, given), "--leave-out", "mail", "--leave-out", "script"])
    assert result.exit_code == 0, result.output
    before, after = bundle.load(source), bundle.load(folder)
    assert result.stdout == f"bundle {after.id}: {folder}\n" and after.id != before.id
    for name in ("student", "projection_hash"):
        assert (folder / f"{name}.safetensors").read_bytes() == (source / f"{name}.safetensors").read_bytes()
    Verifier.load(after.verifier, after.settings, word_table(after.student))
    known = json.loads((folder / "metrics.json").read_text())
    assert sum(one["pairs"] for one in known["pairs"]) == known["rows"]["pairs"] > 600
    families = known["facts"]["pairs"]["families"]
    assert len(families) > 30 and not {"mail", "script"} & set(families)
    assert known["bundle"] == after.id and known["seconds"]["taught"] > 0
    sections = [line for line in (folder / "README.md").read_text().splitlines() if line.startswith("## ")]
    assert sections[0] == "## How it was made" and sections.count("## Families of operators") == 1


def test_what_is_no_source_of_an_encoder_and_no_family_is_named(corpus, tmp_path):
    with small():
        given = ["train-verifier", str(corpus), "--bundle", str(tmp_path / "b")]
        nowhere = CliRunner().invoke(app, [*given, "--from", str(tmp_path / "none")])
        unknown = CliRunner().invoke(app, [*given, "--leave-out", "typos"])
    assert nowhere.exit_code == unknown.exit_code == 2
    assert "--from" in nowhere.stderr.splitlines()[-1]
    assert "--leave-out typos: no family of operators; known: template, " in unknown.stderr.splitlines()[-1]


@pytest.mark.slow
def test_a_bundle_is_replaced_whole_and_its_tables_are_used_again(corpus, trained):
    folder, said = trained
    (folder / "stale.safetensors").write_bytes(b"of an earlier version")
    result = call(corpus, "--bundle", folder, *SIZE, "--threads", 1)
    assert result.stdout == said
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES + TENSORS)
    assert "verifier: finished earlier, not repeated" in result.stderr


def test_help_teaches():
    shown = " ".join(CliRunner().invoke(app, ["train", "--help"]).stdout.replace("│", " ").split())
    for told in (
        "without labels",
        "about an hour",
        "training.html",
        "encoder.bundle=BUNDLE",
        "--exclude-source",
        "Example:",
    ):
        assert told in shown, told


def test_what_cannot_be_learned_from_is_named(corpus, tmp_path):
    few = tmp_path / "few.parquet"
    pl.read_parquet(corpus).head(20).write_parquet(few)
    assert "20 distinct documents are left" in complaint(few, "--bundle", tmp_path / "b")
    same = tmp_path / "same.parquet"
    pl.DataFrame({"text": [f"the same four words {n}" for n in range(150)]}).write_parquet(same)
    assert "passages can be drawn from 150 documents" in complaint(same, "--bundle", tmp_path / "b")
    said = complaint(corpus, "--bundle", tmp_path / "b", "--exclude-source", "forum")
    assert "--exclude-source forum: no document comes from there, but from licenses" in said


def test_what_is_no_teacher_is_named_before_anything_is_read(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    said = complaint("nothing.parquet", "--bundle", tmp_path / "b", "--teacher", tmp_path)
    assert f"--teacher {tmp_path} has no tokenizer.json, model.safetensors" in said
    assert "is no folder" in complaint("nothing.parquet", "--bundle", tmp_path / "b", "--teacher", tmp_path / "none")


def test_a_teacher_that_cannot_be_loaded_is_named(tmp_path):
    from tasks.runtime.errors import InputError
    from tasks.training.teacher import FILES, open_teacher

    for name in FILES:
        (tmp_path / name).write_text("{}")
    with pytest.raises(InputError, match=f"--teacher {tmp_path} cannot be loaded: "):
        open_teacher(tmp_path, threads=1)


@pytest.mark.parametrize("held", ["notes.txt", "model.safetensors"])
def test_a_folder_that_is_no_bundle_is_never_replaced(tmp_path, held):
    (tmp_path / held).write_text("mine")
    assert f"holds what is no bundle ({held})" in complaint("nothing.parquet", "--bundle", tmp_path)
    assert (tmp_path / held).read_text() == "mine"


def test_places_that_cannot_be_used_are_named(tmp_path):
    (tmp_path / "file").write_text("")
    assert "is a file" in complaint("nothing.parquet", "--bundle", tmp_path / "file")
    said = complaint("nothing.parquet", "--bundle", tmp_path / "b", "--workspace", tmp_path / "b" / "tables")
    assert "lies in the bundle" in said


def test_a_run_with_no_such_bundle_stops_at_once(corpus, tmp_path, plain):
    given = ["curate", str(corpus), "--out", str(tmp_path / "out"), "--set", "encoder.bundle=nowhere"]
    result = CliRunner().invoke(app, given)
    assert result.exit_code == 2
    assert "encoder.bundle: no bundle 'nowhere'" in result.stderr.splitlines()[-1]
    assert not list((tmp_path / "out" / "workspace").glob("tables/*"))


def test_passages_come_in_equal_shares_of_the_sources(tmp_path):
    """A source that lacks text gives what it has; the others make up for it."""
    from tasks.runtime.run import Run
    from tasks.storage.stage import Stage
    from tasks.storage.tables import scan
    from tasks.training.passages import PASSAGE_CHARS, draw_passages

    run, numbers = Run(workspace=tmp_path), iter(range(10**6))
    texts = [" ".join(f"w{next(numbers)}" for _ in range(words)) for words in [120] * 3 + [900] * 40 + [300] * 60]
    source = ["small"] * 3 + ["large"] * 40 + ["middle"] * 60
    made = pl.DataFrame({"source": source, "text": texts}).with_row_index("doc").cast({"doc": pl.Int64})
    with Stage(run, made_up("material"), []) as stage:
        for index, part in enumerate(made.with_columns(n_chars=pl.col("text").str.len_chars()).iter_slices(40)):
            stage.write(index, part)
    passages = scan(draw_passages.fn(run, stage.ref, 2000, seed=1)).collect()
    assert passages["text"].is_unique().all()
    count = dict(passages.join(made.select("doc", "source"), on="doc").group_by("source").len().iter_rows())
    small = sum(map(len, texts[:3])) / PASSAGE_CHARS
    assert count["small"] == pytest.approx(small, abs=4 * small**0.5)
    assert count["large"] == pytest.approx((2000 - small) / 2, rel=0.15)
    assert count["middle"] == pytest.approx((2000 - small) / 2, rel=0.15)
    assert not passages["doc"].is_sorted()
    said = complaint("nothing.parquet", "--bundle", tmp_path / "b", "--workspace", "s3://bucket/prefix")
    assert "training works in a folder" in said
