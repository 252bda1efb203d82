"""The closure of a name has all that it is made of, and a hash that nothing else changes."""

import os
import shutil

import pytest

from models.source import closure
from models.source.closure import Sources, remembered
from tests.support import ROOT

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
    "models/words/list.txt": "# Letters.\na\n# b\n",
    "sql/__init__.py": "def run(con, name):\n    return name\n",
    "sql/pairs.sql": "-- Pairs.\nselect a, 'x  y' as b\nfrom given\n",
    "sql/idle.sql": "select 1\n",
    "sql/contracts/made.sql": "select count(*) as n\n",
    "data_contracts/__init__.py": "",
    "data_contracts/contracts.py": "class Contract:\n    pass\nMADE = Contract('made')\nIDLE = Contract('idle')\n",
}


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
        return Sources(root, tmp_path / "home", ends={"tasks.remote.object_mirror"}).version(*(names or ["tasks.make"]))

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
        ("models/words/list.txt", "# b", "# c"),
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
        ("models/words/w.toml", "word", "# Of whom.\nword"),
        ("models/words/list.txt", "# Letters.\n", "# Letters, and\n# who made them.\n"),
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
    (page,) = (tmp_path / "home").iterdir()
    monkeypatch.setattr(closure, "definitions", None)
    assert small() == before, "nothing is parsed again"
    monkeypatch.undo()
    for damage in ("", "{"):
        page.write_text(damage)
        assert small() == before
    assert small("sql/pairs.sql", "select a", "select b") != before
    shutil.rmtree(tmp_path / "home")
    (tmp_path / "home").touch()
    assert small() == before, "nothing can be remembered there"


def test_what_nobody_started_for_long_goes_when_there_are_new_sources(small, tmp_path):
    before = small()
    (page,) = (tmp_path / "home").iterdir()
    os.utime(page, (1e9, 1e9))
    assert small() == before and page.stat().st_mtime > 1e9, "nothing is new, so nobody looks, and it is in use again"
    os.utime(page, (1e9, 1e9))
    assert {before} == remembered(tmp_path / "home")
    after = small("sql/pairs.sql", "select a", "select b")
    assert {after} == remembered(tmp_path / "home") and not page.exists()


def test_a_name_within_its_module_has_the_same_version(tmp_path):
    sources = Sources(ROOT, tmp_path, ["models"])
    assert sources.version_within("models.source.syntax", "digest") == sources.version("models.source.syntax:digest")
    assert len(remembered(tmp_path)) > 1, "with all others of the module"
    with pytest.raises(LookupError, match=r"models\.source\.syntax does not define missing"):
        sources.version_within("models.source.syntax", "missing")
