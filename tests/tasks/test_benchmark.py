"""The table: every row is what it says, ends in the same files, and is made once."""

import json
import math
from pathlib import Path
from xml.etree import ElementTree

import polars as pl
import prefect
import pytest
from typer.testing import CliRunner

from flows.cli import app
from models.parameters import Parameters
from tasks.benchmark.comparison import Estimate, compare
from tasks.benchmark.markdown import _points
from tasks.benchmark.mean_gates import mean_gates
from tasks.benchmark.methods import METHODS
from tasks.benchmark.paper import PRINTED
from tasks.benchmark.row_selection import chosen
from tasks.benchmark.variants import ABLATIONS, OURS
from tasks.runtime.errors import InputError
from tests.support.runs import without_prefect

pytestmark = pytest.mark.flows

VIRAL = (
    "Never miss a story again: sign up to our free evening letter, which brings the best of the week to your desk, "
    "hand-picked by the people who write it, with no advertisements and no obligations."
)
TYPES = {
    "planted-copy": ("B", "copies", "duplicate"),
    "planted-upper": ("B", "copies", "duplicate"),
    "planted-child": ("D", "parts", "child"),
    "planted-fee-200": ("F", "fees", "protected"),
    "planted-fee-900": ("F", "fees", "protected"),
}
PLAIN = ("--set", "gate.canaries=false", "--set", "fragment.min_viral=0.1")
"""The hosts are licences all: kin, of which a passage must be less sure to be no template."""


@pytest.fixture(scope="module")
def split(corpus, tmp_path_factory) -> Path:
    """The real texts, of which eight carry a viral passage, with labels; background but for the planted ones."""
    folder = tmp_path_factory.mktemp("labelled")
    long = corpus.filter(~pl.col("doc_id").str.starts_with("planted"), pl.col("text").str.len_chars() >= 1500)
    # Two forms of one licence share the passage with each other, and of kin nothing is cut.
    apart = long.unique(pl.col("doc_id").str.replace(r"_\d+\.RULE$", ""), maintain_order=True, keep="first")
    original, parent, *hosts = apart["doc_id"][:10]
    types = TYPES | {original: ("B", "copies", "canonical"), parent: ("D", "parts", "parent")}
    types |= dict.fromkeys(hosts, ("E", None, "host"))
    hosting = pl.col("doc_id").is_in(hosts)
    documents = corpus.select("doc_id", pl.when(hosting).then(pl.col("text") + "\n\n" + VIRAL).otherwise("text"))
    rows = [(doc_id, *types.get(doc_id, ("background", None, "background"))) for doc_id in corpus["doc_id"]]
    truth = pl.DataFrame(rows, schema=dict.fromkeys(("doc_id", "type", "group_id", "role"), pl.String), orient="row")
    end = pl.col("text").str.len_chars().cast(pl.Int64)
    fragments = documents.filter(hosting).select(
        "doc_id", fragment_id=pl.lit("letter"), start=end - len(VIRAL), end=end
    )
    for name, frame in {"documents": documents, "truth": truth, "fragments": fragments}.items():
        frame.write_parquet(folder / f"{name}.parquet")
    return folder


@pytest.fixture(scope="module")
def made(split, tmp_path_factory) -> Path:
    """The folder of a table with baselines, one of them fine-tuned, and an ablation."""
    out = tmp_path_factory.mktemp("table")
    corpus = tmp_path_factory.mktemp("learn") / "corpus.parquet"
    documents = pl.read_parquet(split / "documents.parquet")
    documents.select(pl.col("text").str.to_titlecase()).write_parquet(corpus)
    given = ("--methods", "exact,simhash,bert-tuned", "--ablations", "unweighted,adaptive-bands")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tasks.benchmark.baselines.PAIRS", 60)
        text = table(split, out, *given, "--tune-on", split, "--train-on", corpus)
        before = stamps(out)
        again = table(split, out, *given, "--tune-on", split, "--train-on", corpus)
    assert (again, stamps(out)) == (text, before), "the second call made something again"
    assert (out / "benchmark.md").read_text() + "\n" == text
    return out


def table(split: Path, out: Path, *given: object) -> str:
    result = call("benchmark", split, "--out", out, *given, *PLAIN)
    assert result.exit_code == 0, result.output
    return result.stdout


def call(*given: object):
    """Call the command with the tasks and flows as plain functions."""
    import flows.benchmark

    with without_prefect(), pytest.MonkeyPatch.context() as patch:
        for name, value in list(vars(flows.benchmark).items()):
            if isinstance(value, prefect.Task | prefect.Flow):
                patch.setattr(flows.benchmark, name, value.fn)
        return CliRunner().invoke(app, [str(one) for one in given])


def stamps(out: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in (out / "workspace").rglob("_table.json")}


@pytest.fixture(scope="module")
def rows(made) -> dict[str, dict]:
    return {row["name"]: row for row in json.loads((made / "benchmark.json").read_text())["rows"]}


def test_rows_stand_in_the_order_of_the_table(rows):
    assert [row["kind"] for row in rows.values()] == ["baseline"] * 5 + ["ours"] + ["ablation"] * 2
    assert list(rows)[:2] == ["exact", "SimHash-64, usual 3"]
    assert list(rows)[3].startswith("NearDup-BERT (fine-tuned), usual 0.95")
    assert list(rows)[5:] == ["SemHash-LLM", "unweighted MinHash", "adaptive bands"]


def test_scores_are_those_of_what_was_planted(rows):
    exact, ours = rows["exact"]["evaluation"], rows["SemHash-LLM"]["evaluation"]
    assert (exact["scores"]["B"], exact["scores"]["D"], exact["scores"]["E"], exact["preservation"]) == (1, 0, 0, 1)
    assert (ours["scores"]["B"], ours["scores"]["D"], ours["preservation"]) == (1, 1, 1)
    assert 0.6 <= ours["scores"]["E"] < 1, "one copy of the passage stays"
    assert rows["exact"]["figures"]["final"] == [None, None, None], "the split has no type A"


def test_rows_differ_from_ours_by_their_settings_only(rows):
    ours = rows["SemHash-LLM"]["parameters"]
    for variant in ABLATIONS:
        if variant.name in rows:
            settings = Parameters.model_validate(ours).with_settings(list(variant.settings))
            assert rows[variant.name]["parameters"] == settings.model_dump(mode="json") != ours
            assert rows[variant.name]["difference"].keys() == rows["exact"]["figures"].keys()


def test_costs_are_those_of_the_stages(rows):
    for row in rows.values():
        cost = row["cost"]
        assert cost["all_pairs"] == 125 * 124 // 2
        assert cost["seconds"] > 0
        assert cost["cpu_seconds"] > 0
        assert cost["peak_memory_mb"] > 50
    ours = rows["SemHash-LLM"]
    assert ours["cost"]["seconds"] == pytest.approx(sum(stage["seconds"] for stage in ours["stages"]))
    verified = next(stage for stage in ours["stages"] if stage["stage"] == "verify")
    assert ours["cost"]["candidates"] == verified["pairs_in"]


def test_the_charts_show_every_row(made, rows):
    scores = ElementTree.parse(made / "benchmark.svg")
    shown = [text.text for text in scores.iter("{http://www.w3.org/2000/svg}text")]
    assert [name for name in rows if name not in shown] == []
    differences = (made / "ablations.svg").read_text()
    assert "unweighted MinHash" in differences
    assert "SimHash" not in differences


def test_the_page_names_the_paper_and_what_each_row_is(made):
    page = (made / "benchmark.md").read_text()
    assert "| 48.20 |" in page
    assert "- **adaptive bands**: the number of LSH bands of a document follows" in page
    assert "## What each part is worth" in page


def test_ours_alone_needs_nothing_more(split, made):
    text = table(split, made)
    assert "| SemHash-LLM |" in text
    assert "What each part is worth" not in text


def test_ablations_are_known_settings_with_names_of_their_own():
    changed = [Parameters().with_settings(list(variant.settings)) for variant in ABLATIONS]
    assert len(changed) == len({variant.key for variant in ABLATIONS}) == len({variant.name for variant in ABLATIONS})
    assert set(PRINTED) <= {OURS.name, *(one.name for one in ABLATIONS), *BASELINES}


BASELINES = {"SimHash-64", "MinHash-LSH", "NearDup-BERT", "DedupLM"}


def test_the_names_of_baselines_are_the_paper_s():
    assert {method.make({}).name for method in METHODS} >= BASELINES


def test_names_are_taken_in_the_order_of_the_table():
    assert chosen("methods", "all", METHODS) == list(METHODS)
    assert chosen("methods", "none", METHODS) == chosen("methods", "", METHODS) == []
    assert [row.key for row in chosen("methods", " simhash,exact", METHODS)] == ["exact", "simhash"]
    with pytest.raises(InputError, match="--ablations no-spf: not known; known: all, none, no-sph, "):
        chosen("ablations", "no-sph,no-spf", ABLATIONS)


def test_bad_arguments_are_told_in_a_sentence(split, tmp_path):
    for given, said in {
        ("--methods", "simhush"): "--methods simhush: not known; known: all, none, exact, substring, simhash",
        ("--tune-on", tmp_path): "is no labelled corpus: documents.parquet is missing",
        ("--train-on", split / "documents.parquet"): "that is the labelled corpus itself",
    }.items():
        result = call("benchmark", split, "--out", tmp_path / "out", *given)
        assert result.exit_code == 2
        assert said in result.stderr.splitlines()[-1]


def test_points_are_bold_where_the_sign_is_sure():
    assert _points("final", Estimate(-3.1, -4.0, -2.2)) == "**-3.1 [-4.0, -2.2]**"
    assert _points("S_A", Estimate(0.01, -0.02, 0.03)) == "+1.0 [-2.0, +3.0]"
    assert _points("S_A", Estimate(0.0, -0.0001, 0.0)) == "0.0 [0.0, 0.0]"
    assert _points("S_A", Estimate(math.nan, math.nan, math.nan)) == "-"


def test_gates_are_averaged_by_type_and_by_thirds_of_length():
    gates = pl.DataFrame({"doc": range(6), "gate_char": [0.9, 0.7, 0.5, 0.3, 0.2, 0.0]}).with_columns(
        gate_token=pl.lit(0.1), gate_semantic=0.9 - pl.col("gate_char")
    )
    documents = pl.DataFrame({"doc": range(7), "doc_id": list("abcdefg"), "n_chars": [10, 20, 30, 40, 50, 60, 70]})
    truth = pl.DataFrame({"doc_id": ["a", "c", "f", "g"], "type": ["C", "C", "A", "A"]})
    found = mean_gates(gates, documents, truth).select("by", "which", "documents", pl.col("gate_char").round(6))
    assert found.rows() == [
        ("type", "A", 1, 0.0),
        ("type", "C", 2, 0.7),
        ("length", "short", 2, 0.8),
        ("length", "middle", 2, 0.4),
        ("length", "long", 2, 0.1),
    ]


def test_a_row_compared_with_itself_differs_by_nothing(split):
    from tasks.benchmark.table_row import Cost, scored

    documents = pl.read_parquet(split / "documents.parquet")
    decisions = documents.select("doc_id", action=pl.lit("keep"), survivor_id=pl.lit(None, pl.String), n_chars=9)
    spans = pl.DataFrame(schema={"doc_id": pl.String, "start": pl.Int64, "end": pl.Int64, "cut": pl.Boolean})
    cost = Cost(1, 1, 0, 1.0, 1.0, 1.0)
    rows = [scored(split, (decisions, spans), cost, kind, kind, "", {}) for kind in ("ours", "ablation")]
    difference = compare(rows)[1].difference or {}
    assert {name: estimate for name, estimate in difference.items() if estimate.value == 0}.keys() == {
        "S_B", "S_D", "S_E", "preservation", "background_removed"
    }  # fmt: skip
    assert not any(estimate.clear for estimate in difference.values())
