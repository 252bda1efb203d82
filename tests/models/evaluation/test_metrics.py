"""Scores against figures worked out by hand."""

import polars as pl
import pytest

from models.evaluation.metrics import (
    WEIGHTS,
    Harm,
    containment_accuracy,
    deletion_recall,
    evaluate,
    fates_of,
    final_score,
    fragment_rate,
    preservation_rate,
)

FRAGMENTS = {"fragment_id": pl.String, "doc_id": pl.String, "start": pl.Int64, "end": pl.Int64}
SPANS = {"doc_id": pl.String, "start": pl.Int32, "end": pl.Int32, "cut": pl.Boolean}


def labelled(rows: str) -> pl.DataFrame:
    """Read lines of `doc_id type group role kept survivor`, with `-` for null, 100 characters each."""
    names = ["doc_id", "type", "group_id", "role", "kept", "survivor_id"]
    cells = [[None if cell == "-" else cell for cell in line.split()] for line in rows.strip().splitlines()]
    frame = pl.DataFrame(cells, schema=dict.fromkeys(names, pl.String), orient="row")
    return frame.with_columns(kept=pl.col("kept") == "yes", n_chars=100)


def frame(rows: list[tuple], schema: dict) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=schema, orient="row")


def decisions(fates: pl.DataFrame) -> pl.DataFrame:
    action = pl.when("kept").then(pl.lit("keep")).otherwise(pl.lit("remove"))
    return fates.select("doc_id", "survivor_id", "n_chars", action=action)


def test_deletion_recall_counts_only_groups_that_keep_one() -> None:
    fates = labelled("""
        a1 A g1 canonical yes -
        a2 A g1 duplicate no  a1
        a3 A g1 duplicate yes -
        a4 A g2 canonical no  x
        a5 A g2 duplicate no  x
        b1 B g1 canonical no  b2
        b2 B g1 duplicate yes -
    """)
    assert deletion_recall(fates, "A") == pytest.approx(1 / 3)  # 1 of 2 in g1, 0 of 1 in g2, which is lost
    assert deletion_recall(fates, "B") == 1.0
    assert deletion_recall(fates, "C") is None


def test_containment_needs_the_parent() -> None:
    fates = labelled("""
        p1 D g1 parent yes -
        c1 D g1 child  no  p1
        c2 D g1 child  yes -
        p2 D g2 parent no  c3
        c3 D g2 child  no  p1
        c4 D g2 child  yes -
        c5 D g3 child  no  p1
    """)
    assert containment_accuracy(fates) == pytest.approx(1 / 5)


def test_an_occurrence_is_removed_from_four_fifths_on() -> None:
    fates = labelled("""
        h1 E - host yes -
        h2 E - host yes -
        h3 E - host no  x
        h4 background - background yes -
    """)
    fragments = frame(
        [("f", "h1", 10, 20), ("f", "h1", 50, 60), ("f", "h2", 0, 10), ("g", "h2", 20, 35), ("f", "h3", 0, 10)],
        FRAGMENTS,
    )
    spans = frame(
        [
            ("h1", 5, 18, True),  # 8 of 10: removed
            ("h1", 52, 56, True),  # 4 and 3 of 10, touching: not removed
            ("h1", 56, 59, True),
            ("h2", 0, 10, False),  # found, but left in the text
            ("h2", 20, 29, True),  # 9 and 3 of 15, apart: removed
            ("h2", 31, 34, True),
            ("h3", 0, 10, True),  # the host is gone: in neither sum
        ],
        SPANS,
    )
    assert fragment_rate(fragments, fates, spans) == pytest.approx(2 / 4)


def test_final_score_follows_the_weights_of_the_paper() -> None:
    printed = dict(zip("ABCDE", (0.94, 0.91, 0.89, 0.92, 0.88), strict=True))
    assert sum(WEIGHTS.values()) == pytest.approx(1)
    assert final_score(printed, 1.0) == pytest.approx(90.95)  # the paper prints 91.05
    assert final_score(printed, 0.90) == pytest.approx(90.95)
    assert final_score(printed, 0.8999) == 0
    assert final_score({**printed, "E": None}, 1.0) is None
    assert final_score(printed, None) == pytest.approx(90.95)


def test_preservation_is_the_kept_share_of_type_f() -> None:
    fates = labelled("f1 F g1 protected yes -\nf2 F g1 protected no f1\nf3 F g2 protected yes -\na A g canonical no -")
    assert preservation_rate(fates) == pytest.approx(2 / 3)


CORPUS = labelled("""
    a1 A g1 canonical yes -
    a2 A g1 duplicate no  a1
    b1 B g1 canonical yes -
    b2 B g1 duplicate no  a1
    c1 C g3 canonical no  a1
    c2 C g3 duplicate no  -
    d1 D g4 parent    yes -
    d2 D g4 child     no  d1
    h1 E -  host      yes -
    h2 E -  host      no  h1
    f1 F g5 protected yes -
    f2 F g5 protected no  f1
    x1 background - background yes -
    x2 background - background no  x1
    x3 background - background yes -
""")

FRAGMENT_ROWS = frame([("f", "h1", 10, 30), ("f", "h1", 25, 40)], FRAGMENTS)
SPAN_ROWS = frame([("h1", 5, 45, True), ("x1", 0, 7, True), ("x2", 0, 50, True), ("x3", 0, 9, False)], SPANS)


def test_harm_by_hand() -> None:
    result = evaluate(CORPUS, FRAGMENT_ROWS, decisions(CORPUS), SPAN_ROWS)
    assert result.scores == {"A": 1.0, "B": 1.0, "C": 0.0, "D": 1.0, "E": 1.0}
    assert result.preservation == 0.5
    assert result.final == 0
    assert result.harm == Harm(
        background_removed=1,
        background_removed_share=pytest.approx(1 / 3),
        lookalikes_removed=1,
        hosts_removed=1,
        groups_lost=1,
        wrong_survivors=3,  # b2 went in favour of group g1 of another type, c1 of another group, c2 of nothing
        other_chars_cut=10 + 7,  # 40 cut around the fragments' 30, which overlap; 7 in a background document
        other_chars_cut_share=pytest.approx(17 / 700),
    )


def test_an_untouched_corpus_scores_zero_and_harms_nothing() -> None:
    untouched = CORPUS.with_columns(kept=True, survivor_id=pl.lit(None, pl.String))
    result = evaluate(CORPUS, FRAGMENT_ROWS, decisions(untouched), SPAN_ROWS.clear())
    assert result.final == 0
    assert result.preservation == 1
    assert result.harm == Harm(0, 0.0, 0, 0, 0, 0, 0, 0.0)
    assert result.scores == dict.fromkeys("ABCDE", 0.0)


def test_order_does_not_matter_and_unlabelled_decisions_are_left_out() -> None:
    extra = pl.DataFrame({"doc_id": ["zz"], "survivor_id": ["a1"], "n_chars": [5], "action": ["remove"]})
    every = pl.concat([decisions(CORPUS), extra.cast(decisions(CORPUS).schema)])
    shuffled = [part.sample(fraction=1, shuffle=True, seed=3) for part in (CORPUS, FRAGMENT_ROWS, every, SPAN_ROWS)]
    assert evaluate(*shuffled) == evaluate(CORPUS, FRAGMENT_ROWS, decisions(CORPUS), SPAN_ROWS)


def test_undecided_and_repeated_documents_are_refused() -> None:
    with pytest.raises(ValueError, match="1 labelled documents without a decision, among them x3"):
        fates_of(CORPUS, decisions(CORPUS)[:-1])
    with pytest.raises(ValueError, match="decisions: documents listed twice"):
        fates_of(CORPUS, pl.concat([decisions(CORPUS), decisions(CORPUS)[:1]]))
