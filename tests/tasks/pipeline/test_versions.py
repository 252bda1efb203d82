"""Tables are named after the source that makes them: what is edited is made again, with all that follows from it."""

import ast
import re
import shutil
from importlib import import_module

import polars as pl
import pytest

from models.parameters import Parameters
from tasks.ingest.extract import text_hashes
from tasks.pipeline import registry, versions
from tasks.pipeline.definitions import PACKAGES
from tasks.pipeline.registry import ROWS, VERIFY, Row
from tasks.pipeline.versions import CARRIERS, Sources
from tasks.refresh import index
from tasks.runtime.errors import InputError
from tasks.runtime.run import Run
from tasks.storage.stage import Stage
from tests.support import ROOT
from tests.support.made_up import made_up
from tests.support.runs import curate, refresh, without_prefect

pytestmark = pytest.mark.flows

SMALL = {
    "tasks/__init__.py": "",
    "tasks/remote/__init__.py": "",
    "tasks/remote/object_mirror.py": "from models.other import unused\n",
    "tasks/make.py": '''
"""Made."""
from __future__ import annotations

import sql
from models import other
from typing import TYPE_CHECKING
from models.method import measure as taken, Section
from models.words import listed
from tasks.remote.object_mirror import fetch
from data_contracts.contracts import MADE

if TYPE_CHECKING:
    from models.unseen import Unseen


def make(run: Unseen, con: object) -> int:
    """Make."""
    from models.late import late

    fetch()
    return taken(late(), sql.run(con, "pairs"), listed(), MADE)  # a comment
''',
    "models/__init__.py": "",
    "models/method.py": """
from .kernels import kernel
from pydantic import Field
LIMIT: int = 3
TABLE = {}
TABLE["a"] = 1
class Section:
    size: int = Field(3, description="how much")
    def half(self): return self.size // 2
def measure(*given): return kernel(given, LIMIT)
def other(given): return given
""",
    "models/kernels/__init__.py": "def kernel(given, limit):\n    return given\n",
    "models/late.py": "def late():\n    return 1\n",
    "models/other.py": "unused = 1\n",
    "models/unseen.py": "class Unseen:\n    pass\n",
    "models/words/__init__.py": "from models.words.reading import listed\n",
    "models/words/reading.py": "def listed():\n    return open(__file__[:-10] + 'w.toml')\n",
    "models/words/w.toml": "word = 1\n",
    "sql/__init__.py": "def run(con, name):\n    return name\n",
    "sql/pairs.sql": "-- Pairs.\nselect a, 'x  y' as b\nfrom given\n",
    "sql/idle.sql": "select 1\n",
    "sql/contracts/made.sql": "select count(*) as n\n",
    "data_contracts/__init__.py": "",
    "data_contracts/contracts.py": "class Contract:\n    pass\nMADE = Contract('made')\nIDLE = Contract('idle')\n",
}


@pytest.fixture(autouse=True)
def own_memory(monkeypatch, tmp_path):
    """What is remembered of these trees is of no use to anybody else."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def small(tmp_path):
    """A function that gives the version of a small tree, with one text in one of its files replaced by another."""

    def version(path=None, old="", new="", *names):
        root = tmp_path / "small"
        shutil.rmtree(root, ignore_errors=True)
        for name, source in SMALL.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(source)
        if path:
            assert old in SMALL[path]
            (root / path).write_text(SMALL[path].replace(old, new))
        return Sources(root).version(*(names or ["tasks.make"]))

    return version


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("tasks/make.py", "fetch()\n", "fetch(1)\n"),
        ("models/method.py", "LIMIT: int = 3", "LIMIT: int = 4"),
        ("models/method.py", 'TABLE["a"] = 1', 'TABLE["a"] = 2'),
        ("models/method.py", "// 2", "// 3"),
        ("models/kernels/__init__.py", "return given", "return limit"),
        ("models/late.py", "return 1", "return 2"),
        ("models/other.py", "unused = 1", "unused = 2"),
        ("models/words/__init__.py", "models.words.reading", ".reading"),
        ("models/words/reading.py", "w.toml", "v.toml"),
        ("models/words/w.toml", "1", "2"),
        ("sql/__init__.py", "return name", "return con"),
        ("sql/pairs.sql", "select a", "select b"),
        ("sql/pairs.sql", "x  y", "x y"),
        ("sql/contracts/made.sql", "count(*)", "sum(1)"),
        ("data_contracts/contracts.py", "Contract('made')", "Contract('made', 1)"),
    ],
)
def test_what_is_used_counts_wherever_it_stands(small, path, old, new):
    assert small(path, old, new) != small()


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("tasks/make.py", '"""Made."""', '"""Made otherwise."""'),
        ("tasks/make.py", '"""Make."""', ""),
        ("tasks/make.py", "  # a comment", ""),
        ("tasks/make.py", "taken(late(),", "taken(\n        late(),"),
        ("tasks/make.py", "import sql\nfrom models import other\n", "from models import other\nimport sql\n"),
        ("tasks/remote/object_mirror.py", "unused", "unused as used"),
        ("models/method.py", "LIMIT: int = 3\n", 'LIMIT: int = 3\n"""The most."""\n'),
        ("models/method.py", 'Field(3, description="how much")', 'Field(4, description="how many")'),
        ("models/method.py", "def other(given): return given", "def other(given): return LIMIT"),
        ("models/method.py", "def other(given): return given", "def further(): pass"),
        ("models/unseen.py", "pass", "size = 1"),
        ("models/words/w.toml", "\n", "\r\n"),
        ("sql/pairs.sql", "-- Pairs.\n", "-- Pairs of documents.\n/* and\nmore */"),
        ("sql/pairs.sql", "select a, 'x  y' as b\nfrom", "select\n    a ,\n    'x  y' as b from"),
        ("sql/idle.sql", "1", "2"),
        ("data_contracts/contracts.py", "'idle'", "'nothing'"),
    ],
)
def test_comments_layout_and_what_is_not_used_do_not_count(small, path, old, new):
    assert small(path, old, new) == small()


def test_it_counts_what_a_name_stands_for_not_only_what_is_there(small):
    """Both functions are used before and after: which of them by whom has changed."""
    both = "from models.method import measure as taken, other as left, Section"
    before = small("tasks/make.py", "from models.method import measure as taken, Section", both)
    swapped = both.replace("measure as taken, other as left", "other as taken, measure as left")
    assert small("tasks/make.py", "from models.method import measure as taken, Section", swapped) != before


def test_single_names_and_several_can_be_asked_for(small):
    of_method = small(None, "", "", "models.method:measure")
    assert small("models/method.py", "// 2", "// 3", "models.method:measure") == of_method
    assert small("models/method.py", "// 2", "// 3", "models.method:Section") != small(
        None, "", "", "models.method:Section"
    )
    assert small(None, "", "", "models.method:measure", "models.method:Section") != of_method


@pytest.mark.parametrize("name", ["models.missing", "models.late:missing", "numpy"])
def test_a_name_that_does_not_exist_has_no_version(small, name):
    with pytest.raises(LookupError, match=r"missing|numpy"):
        small(None, "", "", name)


def test_what_is_remembered_is_of_these_very_files(small, tmp_path, monkeypatch):
    before = small()
    (page,) = (tmp_path / "cache" / "semhash-llm").iterdir()
    monkeypatch.setattr(versions, "definitions", None)
    assert small() == before, "nothing is parsed again"
    monkeypatch.undo()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for damage in ("", "{"):
        page.write_text(damage)
        assert small() == before
    assert small("sql/pairs.sql", "select a", "select b") != before
    monkeypatch.setenv("XDG_CACHE_HOME", str(page / "no folder"))
    assert small() == before


@pytest.fixture
def tree(tmp_path):
    """A copy of our source; nothing in it is ever run."""
    left_out = shutil.ignore_patterns("*.safetensors", "*.html", "__pycache__")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / "tree" / package, ignore=left_out)
    return tmp_path / "tree"


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
    copied = Sources(tree)
    monkeypatch.setattr(versions, "OURS", copied)
    assert made() == set(), "a copy elsewhere is the same source"
    for path, function, renamed in (
        ("models/decision/rules/verdict.py", "with_verdicts", VERIFIED),
        ("tasks/resolve/survivors.py", "settle", DECIDED),
        ("models/lexical/sketch/weighted_minhash.py", "prob_minhash", {"signatures", *COMPARED}),
    ):
        edit(tree, path, function)
        monkeypatch.setattr(versions, "OURS", Sources(tree))
        assert made() == renamed, path
    contract = tree / "sql" / "contracts" / "fragment_spans.sql"
    contract.write_text(contract.read_text().replace("count(*)", "sum(1)"))
    monkeypatch.setattr(versions, "OURS", Sources(tree))
    assert made() == {"fragments", "fragment_spans", "decisions"}, "held to another contract"
    statement = tree / "sql" / "stages" / "decisions.sql"
    statement.write_text(statement.read_text().replace("\n", "  -- looked at\n"))
    monkeypatch.setattr(versions, "OURS", Sources(tree))
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


def test_carriers_know_no_method(monkeypatch):
    """What moves rows about cannot change them, as it imports nothing that could."""
    monkeypatch.setattr(versions, "CARRIERS", {"models.parameters:Parameters"})
    names = {name.partition(":")[0] for name in Sources(ROOT).closure(*CARRIERS - {"models.parameters:Parameters"})}
    assert {name for name in names if name.startswith(("models", "tasks.ingest.readers"))} == {"models.source"}
    assert "tasks.storage.checksums" in names


def test_nothing_of_ours_is_imported_by_a_string():
    for package in ("tasks", "models", "sql"):
        for path in (ROOT / package).rglob("*.py"):
            source = path.read_text()
            for word in ("import_module", "__import__", "globals()", "import *"):
                assert word not in source or path.name == "definitions.py", f"{path}: {word}"


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
    monkeypatch.setattr(versions, "OURS", Sources(tree))
    with pytest.raises(InputError, match=rf"the source of {what} was \w+, is \w+\. .*semhash-llm reindex --out"):
        refresh([published / "new.parquet"], published / "out")


def test_an_index_outlives_changes_that_it_does_not_feel(published, tree, monkeypatch):
    edit(tree, "models/decision/rules/verdict.py", "with_verdicts")
    edit(tree, "tasks/encode/signatures.py", "sign")
    edit(tree, "tasks/remote/object_mirror.py", "fetch")
    monkeypatch.setattr(versions, "OURS", Sources(tree))
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
