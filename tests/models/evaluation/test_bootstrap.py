"""The bootstrap against `evaluate` on documents that are really drawn, and against the binomial distribution."""

import numpy as np
import polars as pl
import pytest
from scipy.stats import binom

from models.evaluation import bootstrap
from models.evaluation.bootstrap import FIGURES, KINDS, interval, point, resample, tally
from models.evaluation.metrics import evaluate

SPANS = {"doc_id": pl.String, "start": pl.Int64, "end": pl.Int64, "cut": pl.Boolean}


def labels(sizes: dict[str, int]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Truth with `sizes` groups per type, of two to four documents, and two occurrences per fragment in E's hosts."""
    rows = []
    for kind in "ABCDF":
        for group in range(sizes[kind]):
            for member in range(2 + group % 3):
                role = "member" if kind != "D" else "child" if member else "parent"
                rows.append((f"{kind}{group}.{member}", kind, f"{kind}{group}", role))
    rows += [(f"x{n}", "background", None, "background") for n in range(sizes["background"])]
    rows += [(f"h{n}", "E", None, "host") for n in range(2 * sizes["E"])]
    occurrences = [(f"f{n}", f"h{(n * 3 + turn) % (2 * sizes['E'])}") for n in range(sizes["E"]) for turn in (0, 1)]
    truth = pl.DataFrame(rows, schema=["doc_id", "type", "group_id", "role"], orient="row")
    fragments = pl.DataFrame(occurrences, schema=["fragment_id", "doc_id"], orient="row").with_row_index("start")
    places = fragments.with_columns(start=100 * pl.col("start").cast(pl.Int64))
    return truth, places.with_columns(end=pl.col("start") + 50)


def outcome(truth: pl.DataFrame, fragments: pl.DataFrame, seed: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Decisions and cuts by throws, careful with type F."""
    rng = np.random.default_rng(seed)
    chance = truth["type"].replace_strict({"F": 0.03, "E": 0.2, "background": 0.1}, default=0.5)
    removed = pl.Series(rng.random(truth.height)) < chance
    decisions = truth.select(
        "doc_id",
        action=pl.when(removed).then(pl.lit("remove")).otherwise(pl.lit("keep")),
        survivor_id=pl.lit(None, pl.String),
        n_chars=pl.lit(9000),
    )
    length = pl.Series(rng.choice([10, 39, 40, 50], fragments.height))
    spans = fragments.select("doc_id", "start", end=pl.col("start") + length, cut=pl.lit(True))
    return decisions, spans.filter(pl.Series(rng.random(spans.height) < 0.8))


def as_evaluated(truth: pl.DataFrame, fragments: pl.DataFrame, *made: pl.DataFrame) -> list[float]:
    """The figures as `evaluate` has them, NaN for None."""
    found = evaluate(truth, fragments, *made)
    weighted = evaluate(truth.filter(pl.col("type") != "F"), fragments, *made).final
    figures = [*found.scores.values(), found.preservation, weighted, found.final, found.harm.background_removed_share]
    return [np.nan if value is None else value for value in figures]


SIZES = {"A": 13, "B": 3, "C": 20, "D": 9, "E": 7, "F": 31, "background": 40}


@pytest.mark.parametrize("seed", range(6))
def test_the_point_is_what_evaluate_says_to_the_last_digit(seed):
    truth, fragments = labels(SIZES)
    made = outcome(truth, fragments, seed)
    assert point(tally(truth, fragments, *made)).tolist() == as_evaluated(truth, fragments, *made)


def test_a_type_without_documents_has_no_figure_and_none_follows_from_it():
    truth, fragments = labels(SIZES)
    made = outcome(truth, fragments, 1)
    truth = truth.filter(~pl.col("type").is_in(["C", "background"]))
    counted = tally(truth, fragments, *made)
    np.testing.assert_array_equal(point(counted), as_evaluated(truth, fragments, *made))
    low, high = interval(resample([counted], 50)[0])
    for name, bound in zip(FIGURES, low, strict=True):
        assert np.isnan(bound) == (name in ("S_C", "weighted", "final", "background_removed")), name
    assert np.array_equal(np.isnan(low), np.isnan(high))


def drawn(truth: pl.DataFrame, fragments: pl.DataFrame, made: tuple, counts: dict[str, np.ndarray]) -> list[float]:
    """Evaluate documents of which each group stands there as often as it was drawn: the slow way."""
    units = {kind: sorted(truth.filter(pl.col("type") == kind)["group_id"].unique()) for kind in "ABCDF"}
    units |= {"background": sorted(truth.filter(pl.col("type") == "background")["doc_id"])}
    times = {unit: n for kind in units for unit, n in zip(units[kind], counts[kind], strict=True)}
    group = pl.coalesce("group_id", "doc_id").replace_strict(times, default=1, return_dtype=pl.Int64)
    copied = truth.with_columns(copy=pl.int_ranges(group)).explode("copy", empty_as_null=True).drop_nulls("copy")
    again = pl.concat_str("doc_id", "copy", separator="#")
    decisions = copied.join(made[0], on="doc_id").select(
        pl.when(pl.col("type") == "E").then("doc_id").otherwise(again).alias("doc_id"),
        "action",
        "survivor_id",
        "n_chars",
    )
    labelled = copied.select(
        pl.when(pl.col("type") == "E").then("doc_id").otherwise(again).alias("doc_id"),
        "type",
        pl.concat_str("group_id", "copy", separator="#").alias("group_id"),
        "role",
    )
    often = dict(zip(sorted(fragments["fragment_id"].unique()), counts["E"], strict=True))
    taken = fragments.with_columns(copy=pl.int_ranges(pl.col("fragment_id").replace_strict(often)))
    return as_evaluated(labelled, taken.explode("copy", empty_as_null=True).drop_nulls("copy"), decisions, made[1])


def test_a_sample_is_what_evaluate_says_of_the_drawn_documents(monkeypatch):
    truth, fragments = labels(SIZES)
    runs = [outcome(truth, fragments, seed) for seed in (2, 3)]
    kept = {}

    def remember(units, resamples, rng, real=bootstrap._weights):
        blocks = list(real(units, resamples, rng))
        kept[KINDS[len(kept)]] = np.concatenate(blocks).astype(int)
        return iter(blocks)

    monkeypatch.setattr(bootstrap, "_weights", remember)
    found = resample([tally(truth, fragments, *made) for made in runs], resamples=6, seed=5)
    for number in range(6):
        counts = {kind: drawn_units[number] for kind, drawn_units in kept.items()}
        assert all(counts[kind].sum() == len(counts[kind]) for kind in KINDS)
        for run, made in enumerate(runs):
            np.testing.assert_allclose(found[run, number], drawn(truth, fragments, made, counts), rtol=1e-12)


def coins(heads: int, units: int) -> dict[str, np.ndarray]:
    """Every unit of every type could earn 1, and the first `heads` did."""
    earned = (np.arange(units) < heads).astype(np.int64)
    return dict.fromkeys(KINDS, np.stack([earned, np.ones_like(earned)], axis=1))


def test_the_interval_of_a_share_is_the_binomial_one():
    low, high = interval(resample([coins(30, 40)], resamples=20_000)[0])[:, 0]
    assert (round(40 * low), round(40 * high)) == tuple(binom.ppf([0.025, 0.975], 40, 0.75))
    assert np.array_equal(interval(resample([coins(40, 40)])[0])[:, 0], [1, 1])


def test_the_interval_of_a_difference_is_that_of_the_units_that_differ():
    """Of 40 units one run earns 30 and the other 28 of the same: the difference is 2 units, and only they vary."""
    more, less = resample([coins(30, 40), coins(28, 40)], resamples=20_000)
    low, high = interval(more - less)[:, 0]
    assert (round(40 * low), round(40 * high)) == tuple(binom.ppf([0.025, 0.975], 40, 2 / 40))
    assert np.array_equal(interval(more - more), np.zeros((2, len(FIGURES))))


def test_the_breaker_is_tripped_sample_by_sample():
    """91 of 100 kept is just enough; about every third sample keeps fewer than 90 and scores 0."""
    samples = resample([coins(91, 100)], resamples=4000)[0]
    kept, weighted, final = (samples[:, FIGURES.index(name)] for name in ("preservation", "weighted", "final"))
    assert np.array_equal(final, np.where(kept < 0.9, 0, weighted))
    assert (final == 0).mean() == pytest.approx(binom.cdf(89, 100, 0.91), abs=0.03)


def test_samples_follow_from_the_seed_alone(monkeypatch):
    whole = resample([coins(7, 11)], resamples=30, seed=4)
    monkeypatch.setattr(bootstrap, "CELLS", 50)
    assert np.array_equal(resample([coins(7, 11), coins(2, 11)], resamples=30, seed=4)[:1], whole)
    assert not np.array_equal(resample([coins(7, 11)], resamples=30, seed=5), whole)


def test_runs_on_other_labels_are_refused():
    with pytest.raises(ValueError, match="type A: the runs differ in their units"):
        resample([coins(1, 4), coins(1, 5)])
