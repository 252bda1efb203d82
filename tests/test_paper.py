"""docs/paper.md stays true: what it names is there, every equation has a row, and settings are those of the code."""

import ast
import inspect
import re
from importlib import import_module
from operator import attrgetter
from pathlib import Path

import pytest

from models.evaluation.metrics import WEIGHTS
from models.parameters import Parameters
from tasks.benchmark.paper import PRINTED

ROOT = Path(__file__).resolve().parent.parent
SEEDS = ROOT.parent / "shared" / "seeds"
PAGE = (ROOT / "docs" / "paper.md").read_text(encoding="utf-8")
EQUATIONS, NUMBERS, DEPARTURES = PAGE.split("\n## ")[1:]

LABELS = """\
embedding distill hash code property sim_loss smooth orth balance sph_total attention agg_attn gram_weight \
weighted_minhash wj_property weighted_jaccard entropy adaptive_band contrastive boundary margin uncertainty prompt \
llm_judge ensemble conf char token sem gate fused bloom blocking lsh_prob sem_contain parent relevance final_score \
deletion_recall containment_acc fragment_rate circuit_breaker"""
"""Of the paper, in its order."""

DEFAULT = re.compile(r"`(\w+\.\w+=[^`]+)`")
OTHER = re.compile(r"--set (\w+\.\w+=[^`\s]+)")
CONSTANT = re.compile(r"`([\w/]+\.py)::(\w+)(?:\((\w+)\))? = ([^`]+)`")


def rows(chapter):
    """Cells of all tables of a chapter, without their heads."""
    tables = re.findall(r"^\|[^\n]+\n\| -[^\n]+\n((?:\|[^\n]+\n?)+)", chapter, re.MULTILINE)
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for table in tables for line in table.splitlines()]


def thing(path, name):
    """What a file of the project defines under a (dotted) name."""
    return attrgetter(name)(import_module(path.removesuffix(".py").replace("/", ".")))


def test_every_equation_has_a_row_in_the_order_of_the_paper():
    assert [cells[0] for cells in rows(EQUATIONS)] == [f"`eq:{label}`" for label in LABELS.split()]


@pytest.mark.skipif(not SEEDS.is_dir(), reason="the paper's source is not here")
def test_the_labels_are_those_of_the_paper():
    source = "".join(path.read_text(encoding="utf-8") for path in sorted(SEEDS.glob("*.txt")))
    assert re.findall(r"\\label\{eq:(\w+)\}", source) == LABELS.split()


@pytest.mark.parametrize("cells", rows(EQUATIONS), ids=lambda cells: cells[0].strip("`"))
def test_code_and_tests_of_an_equation_exist(cells):
    _, code, tests, _ = cells
    for cell, folders in ((code, ("models/", "tasks/", "sql/")), (tests, ("tests/",))):
        references = re.findall(r"`([^`]+)`", cell)
        assert references, "an equation that is built has code and a test"
        for path, _, name in (reference.partition("::") for reference in references):
            assert path.startswith(folders)
            source = (ROOT / path).read_text(encoding="utf-8")
            assert path.endswith(".sql") or re.search(rf"^ *(def|class) {name.split('.')[-1]}\b", source, re.MULTILINE)
            assert not path.startswith(("models/", "tasks/")) or thing(path, name)


def test_settings_and_constants_are_those_of_the_code():
    settings, constants = DEFAULT.findall(NUMBERS), CONSTANT.findall(NUMBERS)
    assert len(settings) > 10 and len(constants) > 15
    for setting in settings:
        assert Parameters().with_settings([setting]) == Parameters(), setting
    for path, name, argument, value in constants:
        actual = thing(path, name)
        actual = inspect.signature(actual).parameters[argument].default if argument else actual
        assert actual == pytest.approx(ast.literal_eval(value)), f"{path}::{name}"


def test_what_brings_the_paper_s_form_back_changes_something():
    others = [settings for line in PAGE.splitlines() if (settings := OTHER.findall(line))]
    assert len(others) > 10
    for settings in others:
        assert Parameters().with_settings(settings) != Parameters(), settings


def test_printed_rows_are_those_of_the_paper():
    cells = rows(NUMBERS)
    paper = {one[0]: [float(number) for number in one[2:8]] for one in cells if one[1] == "paper"}
    assert paper == {name: [*row.scores, row.final] for name, row in PRINTED.items()}
    recomputed = {one[0]: one[1:] for one in cells if len(one) == 4}
    for name, row in PRINTED.items():
        follows = 100 * sum(weight * score for weight, score in zip(WEIGHTS.values(), row.scores, strict=True))
        assert recomputed[name] == [f"{row.final:.2f}", f"{follows:.2f}", f"{row.final - follows:+.2f}"]


def test_links_lead_somewhere():
    decisions = re.sub(r"\s+", " ", (ROOT / "docs" / "decisions.md").read_text(encoding="utf-8"))
    links = re.findall(r"\[([^\]]+)\]\(([^)]+)\)", PAGE)
    assert len(links) > 20
    for title, target in links:
        assert (ROOT / "docs" / target).is_file(), target
        assert target != "decisions.md" or f"**{title}.**" in decisions, f"decisions.md has no paragraph “{title}”"
    for path in re.findall(r"`((?:models|tasks|sql|tests)/[\w/]+\.\w+)[`:]", PAGE):
        assert (ROOT / path).is_file(), path
