"""Tables are named after the source that makes them: what is edited is made again, with all that follows from it."""

import ast
import re
import shutil
from importlib import import_module

import polars as pl
import pytest

from models.parameters import Parameters
from models.source.closure import Sources
from models.source.definitions import PACKAGES
from tasks.ingest.extract import text_hashes
from tasks.pipeline import registry, versions
from tasks.pipeline.registry import ROWS, VERIFY, Row
from tasks.pipeline.versions import CARRIERS
from tasks.refresh import index
from tasks.runtime.errors import InputError
from tasks.runtime.run import Run
from tasks.storage.stage import Stage
from tests.support import ROOT
from tests.support.made_up import made_up
from tests.support.runs import curate, refresh, without_prefect

pytestmark = pytest.mark.flows


@pytest.fixture
def tree(tmp_path):
    """A copy of our source; nothing in it is ever run."""
    left_out = shutil.ignore_patterns("*.safetensors", "*.html", "__pycache__")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / "tree" / package, ignore=left_out)
    return tmp_path / "tree"


def own(tree):
    """The source there, and what is remembered of it."""
    return Sources(tree, tree.parent / "home", ends=CARRIERS)


def edit(tree, path, function):
    """Change what a function does, and lose the comments and the layout of all of its file."""
    parsed = ast.parse((tree / path).read_text())
    (found,) = (one for one in parsed.body if getattr(one, "name", "") == function)
    found.body.insert(0, ast.parse("edited = 1").body[0])
    (tree / path).write_text(ast.unparse(parsed))


@pytest.fixture(scope="module")
def made(corpus, tmp_path_factory):
    """A function that makes all tables of a small corpus by this source; returns the names of those made just now."""
    folder = tmp_path_factory.mktemp("made")
    corpus.head(24).write_parquet(folder / "corpus.parquet")
    run = Run(
        workspace=folder / "work",
        parameters=Parameters().with_settings(["gate.canaries=false", "extract.id_column=doc_id"]),
    )

    def make():
        before = {path.name for path in (folder / "work").glob("tables/*")}
        with without_prefect() as flow:
            import_module(flow.__module__).stages(run, [str(folder / "corpus.parquet")], None)
        return {path.name.rpartition("-")[0] for path in (folder / "work").glob("tables/*") if path.name not in before}

    return make


DECIDED = {
    "settled", "rescued", "survivors", "neighbours", "rewrites", "removals", "fragments", "fragment_spans", "decisions",
}  # fmt: skip
VERIFIED = {"verified", "containment", *DECIDED}
COMPARED = {"blocked", "banded", "nested", "candidates", "features", *VERIFIED}


@pytest.mark.slow
def test_an_edit_renames_the_stage_and_all_after_it_and_nothing_before(made, tree, monkeypatch):
    everything = made()
    assert everything > COMPARED
    assert made() == set()
    copied = own(tree)
    monkeypatch.setattr(versions, "OURS", copied)
    assert made() == set(), "a copy elsewhere is the same source"
    for path, function, renamed in (
        ("models/decision/rules/verdict.py", "with_verdicts", VERIFIED),
        ("tasks/resolve/survivors.py", "settle", DECIDED),
        ("models/lexical/sketch/weighted_minhash.py", "prob_minhash", {"signatures", *COMPARED}),
    ):
        edit(tree, path, function)
        monkeypatch.setattr(versions, "OURS", own(tree))
        assert made() == renamed, path
    contract = tree / "sql" / "contracts" / "fragment_spans.sql"
    contract.write_text(contract.read_text().replace("count(*)", "sum(1)"))
    monkeypatch.setattr(versions, "OURS", own(tree))
    assert made() == {"fragments", "fragment_spans", "decisions"}, "held to another contract"
    statement = tree / "sql" / "stages" / "decisions.sql"
    statement.write_text(statement.read_text().replace("\n", "  -- looked at\n"))
    monkeypatch.setattr(versions, "OURS", own(tree))
    assert made() == set()


def test_a_table_is_named_after_its_task_its_sections_and_its_contract(tmp_path):
    made = Stage(Run(workspace=tmp_path), VERIFY, [], Parameters().verify).made_by
    assert made == ["tasks.verify.stage:verify", "models.parameters:Verify", "data_contracts.contracts:VERIFIED"]
    assert Stage(Run(workspace=tmp_path), made_up("copies"), []).made_by == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.task)
def test_every_row_names_what_exists(row, tmp_path):
    assert versions.version(*Stage(Run(workspace=tmp_path), row, []).made_by)
    module, _, name = row.task.partition(":")
    assert callable(getattr(import_module(module), name))


def test_every_stage_is_opened_by_its_row():
    """A task that opened the stage of another would be named after the other's source."""
    constants = {name: row for name, row in vars(registry).items() if isinstance(row, Row)}
    opened = {}
    for path in {*(ROOT / "tasks").rglob("*.py")} - {ROOT / "tasks" / "storage" / "stage.py"}:
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for name in re.findall(r"\bStage\(\s*run, (\w+)", path.read_text()):
            opened.setdefault(name, set()).add(module)
    modules = {name: {row.task.partition(":")[0]} for name, row in constants.items()}
    assert opened == modules


def test_carriers_know_no_method(tmp_path):
    """What moves rows about cannot change them, as it imports nothing that could."""
    parameters = "models.parameters:Parameters"
    carriers = Sources(ROOT, tmp_path, ends={parameters}).closure(*CARRIERS - {parameters})
    names = {name.partition(":")[0] for name in carriers}
    method = {name for name in names if name.startswith(("models", "tasks.ingest.readers"))}
    assert {name for name in method if not name.startswith("models.source.")} == {"models.kernels.cache"}
    assert "tasks.storage.checksums" in names


def test_nothing_of_ours_is_imported_by_a_string():
    """Nothing that has a say in tables: which kernels are compiled ahead has none."""
    for package in ("tasks", "models", "sql"):
        for path in (ROOT / package).rglob("*.py"):
            source = path.read_text()
            for word in ("import_module", "__import__", "globals()", "import *"):
                assert word not in source or path.name in ("definitions.py", "argument_types.py"), f"{path}: {word}"


@pytest.fixture(scope="module")
def published(corpus, tmp_path_factory):
    """A curated corpus, and a night's arrivals."""
    folder = tmp_path_factory.mktemp("published")
    corpus.head(24).write_parquet(folder / "corpus.parquet")
    corpus[24:26].write_parquet(folder / "new.parquet")
    curate([folder / "corpus.parquet"], folder / "out", ("gate.min_preservation=0",))
    return folder


@pytest.mark.parametrize(
    ("path", "function", "what"),
    [
        ("models/lexical/sketch/banding.py", "bands", "signatures"),
        ("tasks/encode/embeddings.py", "embed_batch", "vectors"),
        ("models/lexical/fragments/minimizers.py", "minimizers", "windows"),
    ],
)
def test_an_index_made_by_other_source_is_refused_with_what_to_do(published, tree, monkeypatch, path, function, what):
    edit(tree, path, function)
    monkeypatch.setattr(versions, "OURS", own(tree))
    with pytest.raises(InputError, match=rf"the source of {what} was \w+, is \w+\. .*semhash-llm reindex --out"):
        refresh([published / "new.parquet"], published / "out")


def test_an_index_outlives_changes_that_it_does_not_feel(published, tree, monkeypatch):
    edit(tree, "models/decision/rules/verdict.py", "with_verdicts")
    edit(tree, "tasks/encode/signatures.py", "sign")
    edit(tree, "tasks/remote/object_mirror.py", "fetch")
    monkeypatch.setattr(versions, "OURS", own(tree))
    before = (published / "out" / "current").resolve()
    assert refresh([published / "new.parquet"], published / "out") != before


def test_an_index_made_anew_hashes_texts_as_they_are_read_by_now(tmp_path):
    texts = pl.Series(["One text.", "Another."])
    right = pl.DataFrame({"doc": [0, 1], "text": texts, "text_hash": text_hashes(texts)})
    for name, rows in {"right": right, "wrong": right.with_columns(text_hash=pl.lit("0" * 32))}.items():
        rows.write_parquet(tmp_path / name)
        before = (tmp_path / name).stat().st_ino
        index._hash_again(tmp_path / name)
        assert pl.read_parquet(tmp_path / name).equals(right)
        assert ((tmp_path / name).stat().st_ino == before) == (name == "right"), "what is right stays linked"


def test_what_the_index_compares_exists():
    assert all(versions.version(*names) for names in index.MADE_BY.values())
