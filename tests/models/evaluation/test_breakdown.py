"""Each document is asked for by itself, and the sums by family agree with the scores of groups."""

import polars as pl

from models.evaluation.breakdown import breakdown, merged
from models.evaluation.metrics import evaluate

LABELS = [
    ("a0", "B", "g1", "canonical", "original", "news"),
    ("a1", "B", "g1", "duplicate", "mail", "news"),
    ("a2", "B", "g1", "duplicate", "stamps", "news"),
    ("b0", "B", "g2", "canonical", "original", "web"),
    ("b1", "B", "g2", "duplicate", "mail", "web"),
    ("b2", "B", "g2", "duplicate", "layout", "web"),
    ("c0", "C", "g1", "canonical", "original", "web"),
    ("c1", "C", "g1", "duplicate", "leet", "web"),
    ("d0", "D", "d1", "parent", "original", "web"),
    ("d1", "D", "d1", "child", "excerpt", "web"),
    ("d2", "D", "d2", "parent", "original", "web"),
    ("d3", "D", "d2", "child", "excerpt", "web"),
    ("e0", "E", None, "host", "planted", "news"),
    ("e1", "E", None, "host", "planted", "web"),
    ("f0", "F", "f1", "protected", "names", "news"),
    ("f1", "F", "f1", "protected", "names", "news"),
    ("z0", "background", None, "background", "original", "news"),
]
REMOVED = {"a1": "a0", "b0": "b1", "c0": "z0", "c1": "z0", "d1": "d0", "d2": "z0", "d3": "d2", "f1": "f0"}
TRUTH = pl.DataFrame(LABELS, schema=["doc_id", "type", "group_id", "role", "family", "source"], orient="row")
DECISIONS = TRUTH.select(
    "doc_id",
    action=pl.when(pl.col("doc_id").is_in(list(REMOVED))).then(pl.lit("remove")).otherwise(pl.lit("keep")),
    survivor_id=pl.col("doc_id").replace_strict(REMOVED, default=None, return_dtype=pl.String),
    n_chars=pl.lit(100),
)
FRAGMENTS = pl.DataFrame(
    {"fragment_id": ["x", "x"], "doc_id": ["e0", "e1"], "start": [0, 0], "end": [50, 50], "exact": [True, True]}
)
SPANS = pl.DataFrame({"doc_id": ["e0"], "start": [0], "end": [50], "cut": [True]})


def test_every_document_is_asked_for_by_itself():
    found = {row[0]: row[2:] for row in merged(TRUTH, FRAGMENTS, DECISIONS, SPANS).iter_rows()}
    assert found == {
        "a1": (1, 1),
        "a2": (0, 1),
        "b1": (1, 1),  # stays for b0
        "b2": (0, 1),
        "c1": (0, 1),  # nothing of its group is left
        "d1": (1, 1),
        "d3": (0, 1),  # its parent is gone, too
        "e0": (1, 1),
        "e1": (0, 1),
        "f0": (1, 1),
        "f1": (0, 1),
        "z0": (1, 1),
    }


def test_families_and_sources_are_summed_and_agree_with_the_scores():
    parts = breakdown(TRUTH, FRAGMENTS, DECISIONS, SPANS)
    found = {row[:3]: row[3:] for row in parts.iter_rows()}
    assert found["family", "mail", "B"] == (2, 2) and found["family", "stamps", "B"] == (0, 1)
    assert found["source", "news", "B"] == (1, 2) and found["source", "web", "E"] == (0, 1)
    assert not parts.filter(pl.col("by") == "operator").height
    scores = evaluate(TRUTH, FRAGMENTS, DECISIONS, SPANS)
    for kind, score in scores.scores.items():
        of = parts.filter(pl.col("by") == "family", pl.col("type") == kind)
        assert kind == "A" or of["earned"].sum() / of["possible"].sum() == score
    bare = breakdown(TRUTH.drop("family", "source"), FRAGMENTS, DECISIONS, SPANS)
    assert bare.is_empty() and bare.columns == parts.columns


def test_the_first_of_several_operators_counts():
    how = TRUTH.with_columns(operator=pl.lit("reflow+typo"))
    parts = breakdown(how, FRAGMENTS, DECISIONS, SPANS).filter(pl.col("by") == "operator")
    assert parts["which"].unique().to_list() == ["reflow"] and parts["possible"].sum() == 12
