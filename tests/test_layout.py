"""The house rules that no linter knows."""

import ast
import importlib
import importlib.util
import re
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("flows", "tasks", "models", "sql", "data_contracts", "semhash_llm")


@pytest.mark.parametrize("package", PACKAGES)
def test_package_comes_from_this_checkout(package):
    assert Path(importlib.import_module(package).__file__).parent == ROOT / package


@pytest.mark.parametrize(("package", "below"), [("fastapi", (0, 151)), ("sqlalchemy", (2, 1))])
def test_pins_that_prefect_needs(package, below):
    """Prefect 3.8 breaks without a word beyond these: no server, or a schedule that creates no runs."""
    assert tuple(map(int, version(package).split(".")[: len(below)])) < below


def test_every_statement_names_purpose_grain_and_inputs():
    for path in (ROOT / "sql").rglob("*.sql"):
        header = [line for line in path.read_text().splitlines() if line.startswith("--")]
        for word in ("Purpose:", "Grain:", "Reads:"):
            assert any(word in line for line in header), f"{path.name} does not say its {word}"


def test_statements_are_used():
    code = "\n".join(
        path.read_text() for package in ("tasks", "data_contracts") for path in (ROOT / package).rglob("*.py")
    )
    contracts = set(importlib.import_module("data_contracts.contracts").CONTRACTS)
    for path in (ROOT / "sql").rglob("*.sql"):
        room, name = path.parent.name, path.stem
        used = name in contracts if room == "contracts" else f'"{room}/{name}"' in code
        assert used, f"sql/{room}/{name}.sql is not used"


def test_no_sql_text_outside_its_folder():
    statement = re.compile(r"""["'](select|insert|create|copy|with)\s""", re.IGNORECASE)
    for package in ("flows", "tasks", "models", "data_contracts"):
        for path in (ROOT / package).rglob("*.py"):
            assert not statement.search(path.read_text()), f"{path} holds SQL"


def test_every_folder_of_modules_is_a_package():
    for package in PACKAGES:
        for folder in {path.parent for path in (ROOT / package).rglob("*.py")}:
            assert (folder / "__init__.py").is_file(), f"{folder} would not be installed"


def test_modules_stand_in_rooms():
    for package in ("tasks", "models/lexical", "models/semantic"):
        assert [path.name for path in (ROOT / package).glob("*.py")] == ["__init__.py"], package


def test_no_compiled_or_private_paths_are_named():
    private = re.compile(r"/(root|home)/|/work/")
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("*/**/*.py"), ROOT / "pyproject.toml"]:
        if ".venv" not in path.parts and path != Path(__file__).resolve():
            assert not private.search(path.read_text()), f"{path} names a path of one machine"


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/glossary.md"])
def test_files_that_a_page_names_exist(page):
    """All that looks like a path or a file name; what a page says beside it, as `tests/sql`, may be a folder."""
    folders = "|".join((*PACKAGES, "tests", "docs"))
    named = re.findall(rf"`((?:{folders})/[\w./]*|\w+\.(?:md|toml|yaml))`", (ROOT / page).read_text())
    assert len(named) > 5
    for path in named:
        assert (ROOT / path).exists(), f"{page} names {path}"


def test_tests_that_a_page_names_exist():
    """Whole names, or beginnings that end with an ellipsis."""
    there = {name for path in ROOT.glob("tests/**/*.py") for name in re.findall(r"def (test_\w+)", path.read_text())}
    for page in ROOT.glob("docs/*.md"):
        for name, more in re.findall(r"`(test_\w+)(…?)`", page.read_text()):
            assert name in there or (more and any(one.startswith(name) for one in there)), f"{page.name} names {name}"


def test_every_recipe_names_a_file():
    recipes = (ROOT / "CONTRIBUTING.md").read_text().split("\n### ")[1:]
    assert len(recipes) == 12
    for recipe in recipes:
        assert re.search(r"`[\w/]+\.(py|sql|toml)`", recipe), recipe.splitlines()[0]


def test_glossary_gives_a_word_one_meaning():
    rows = re.findall(r"^\| (?!word|-)([^|]+) \| [^|]+ \|$", (ROOT / "docs" / "glossary.md").read_text(), re.MULTILINE)
    words = [word for row in rows for word in row.split(", ")]
    assert len(words) > 50
    assert len(words) == len(set(words))


def test_benchmarks_import_what_there_is():
    """They run apart from the tests: a module that moved would be missed when somebody needs its figures."""
    for path in (ROOT / "tests" / "benchmarks").rglob("*.py"):
        for line in ast.walk(ast.parse(path.read_text())):
            if isinstance(line, ast.ImportFrom) and line.module and line.module.split(".")[0] in (*PACKAGES, "tests"):
                whence = importlib.import_module(line.module)
                for name in (one.name for one in line.names):
                    packed = hasattr(whence, "__path__") and importlib.util.find_spec(f"{line.module}.{name}")
                    inside = hasattr(whence, name) or packed
                    assert inside, f"{path} imports {name} of {line.module}"
