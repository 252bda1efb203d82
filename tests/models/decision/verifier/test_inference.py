"""The verifier as a whole: what it sees of a pair, what it learns, and that its answers are repeatable."""

import subprocess
import sys
from typing import NamedTuple

import numpy as np
import polars as pl
import pytest
import torch

from models.decision.evidence.pair_evidence import evidence
from models.decision.rules.measures import measure as measures
from models.decision.verifier.inference import HEADS, Verifier
from models.decision.verifier.inputs import Reading, read
from models.decision.verifier.networks.network import Network
from models.decision.verifier.pair_features import FEATURES, FORMS, pair_features, pair_form
from models.decision.verifier.training import SHARES, Pairs, labelled_pairs, measure, split, train_verifier
from models.lexical.sketch.features import Frequencies, featurise
from models.lexical.text import normalise, split_words
from models.parameters import Parameters

pytestmark = pytest.mark.flows

SUBJECTS = [
    "ferry",
    "bakery",
    "tunnel",
    "archive",
    "harbour",
    "orchard",
    "museum",
    "quarry",
    "theatre",
    "mill",
    "station",
    "garden",
]
VERBS = ["opened", "closed", "flooded", "sold", "painted", "moved", "rebuilt", "leased", "inspected", "praised"]
PLACES = ["Norwich", "Leiden", "Bergen", "Trieste", "Porto", "Gdansk", "Malmo", "Ghent", "Turku", "Graz"]
ROWS, GROUPS = 500, 60


class Made(NamedTuple):
    found: pl.DataFrame
    reading: Reading
    table: np.ndarray


def sentences(random: np.random.Generator, count: int) -> str:
    def one() -> str:
        subject, verb, place = (random.choice(words) for words in (SUBJECTS, VERBS, PLACES))
        people, year = random.integers(3, 90), random.integers(1800, 2020)
        return f"The {subject} near {place} was {verb} by {people} people in {year}."

    return " ".join(one() for _ in range(count))


@pytest.fixture(scope="module")
def made() -> Made:
    """Groups of a page, its copy with a stamp, an excerpt, and two other pages; vectors are counts of words."""
    random = np.random.default_rng(0)
    texts, rows = [], []
    for group in range(GROUPS):
        page = sentences(random, int(random.integers(2, 6)))
        others = [
            f"Seen {random.integers(9999)} times\n{page}",
            page[: 2 * len(page) // 3],
            *(sentences(random, 4) for _ in "12"),
        ]
        first = len(texts)
        texts += [page, *others]
        rows += [(first, first + 1 + k, group, k < 2) for k in range(4)]
    pairs = pl.DataFrame(rows, ["a", "b", "group", "duplicate"], orient="row")
    series = pl.Series(texts)
    normalised = normalise(series)
    words = split_words(normalised)
    document = np.repeat(np.arange(len(texts)), np.diff(words.pointers))
    counts = np.zeros((len(texts), 24))
    np.add.at(counts, (document, (words.hash % np.uint64(24)).astype(np.int64)), 1)
    vector = (counts / np.linalg.norm(counts, axis=1, keepdims=True)).astype(np.float32)
    flat = Frequencies(np.ones(1 << 12, np.uint32), np.ones(1 << 12, np.uint32), len(texts))
    parameters = Parameters()
    features = featurise(series, None, flat, parameters.sketch, parameters.sketch.short_chars)
    a, b = pairs["a"].to_numpy(), pairs["b"].to_numpy()
    columns = evidence(features, a, b) | {"cosine": (vector[a] * vector[b]).sum(1)}
    found = pl.concat([pairs, measures(pl.DataFrame(columns))], how="horizontal")
    reading = read(normalised, words, (words.hash % np.uint64(ROWS)).astype(np.int32), vector)
    return Made(found, reading, random.standard_normal((ROWS, 12)).astype(np.float32))


def trained(made: Made, seed: int = 1) -> tuple[Verifier, dict]:
    return train_verifier(labelled_pairs(made.found), made.reading, made.table, seed, epochs=(2, 4))


@pytest.fixture(scope="module")
def verifier(made) -> Verifier:
    return trained(made)[0]


def answers(verifier: Verifier, made: Made, rows: np.ndarray) -> np.ndarray:
    part = made.found[rows]
    ends = part["a"].to_numpy(), part["b"].to_numpy()
    described = verifier.features(made.reading)
    return np.stack([values for head in HEADS for values in verifier.opine(head, described, *ends, part)])


def swapped(found: pl.DataFrame) -> pl.DataFrame:
    """The same pairs the other way round."""
    ends = {"_a": "_b", "_b": "_a", "a": "b", "b": "a"}
    names = {name: name[:-2] + ends[name[-2:]] for name in found.columns if name[-2:] in ends} | {"a": "b", "b": "a"}
    return found.rename(names)


@pytest.mark.slow
def test_learning_again_with_the_same_seed_gives_the_same_bits(made, verifier):
    again, history = trained(made)
    assert all(np.array_equal(value, again.tensors()[name]) for name, value in verifier.tensors().items())
    other, _ = trained(made, seed=2)
    assert not np.array_equal(
        other.tensors()["network.projection.second.weight"], verifier.tensors()["network.projection.second.weight"]
    )
    assert [len(history[head]["losses"]) for head in HEADS] == [4, 2]
    assert history["measured"]["losses"][-1]["measured"] < history["measured"]["losses"][0]["measured"]


def test_what_was_learned_holds_for_other_groups(made):
    held_out = made.found["group"].to_numpy() >= 45
    pairs = labelled_pairs(made.found)
    verifier, _ = train_verifier(pairs.take(~held_out), made.reading, made.table, seed=1, epochs=(5, 15))
    metrics = measure(verifier, pairs.take(held_out), made.reading)
    assert metrics["measured"]["auc"] > 0.99 and metrics["measured"]["accuracy"] > 0.95
    assert metrics["paper"]["auc"] > 0.8


def test_a_saved_verifier_gives_the_same_answers(made, verifier):
    rows = np.arange(made.found.height)
    loaded = Verifier.load(verifier.tensors(), verifier.config(), made.table)
    assert np.array_equal(answers(loaded, made, rows), answers(verifier, made, rows))
    turned = Verifier.load(dict(reversed(verifier.tensors().items())), verifier.config(), made.table)
    assert np.array_equal(answers(turned, made, rows), answers(verifier, made, rows))
    with pytest.raises(ValueError, match="another features"):
        Verifier.load(verifier.tensors(), verifier.config() | {"features": ["cosine"]}, made.table)
    with pytest.raises(ValueError, match="another word_dimensions"):
        Verifier.load(verifier.tensors(), verifier.config(), made.table[:, :5])
    assert sum(value.nbytes for value in verifier.tensors().values()) < 4_000_000


def test_a_pair_has_one_answer_in_any_batch_and_either_order(made, verifier):
    rows = np.arange(0, made.found.height, 7)
    together = answers(verifier, made, rows)
    np.testing.assert_allclose(answers(verifier, made, rows[::-1])[:, ::-1], together, rtol=0, atol=1e-6)
    np.testing.assert_allclose(answers(verifier, made, rows[3:4])[:, 0], together[:, 3], rtol=0, atol=1e-6)
    turned = made._replace(found=swapped(made.found))
    np.testing.assert_allclose(answers(verifier, turned, rows), together, rtol=0, atol=1e-6)


def test_answers_are_those_of_the_network_that_learned(made, verifier):
    network = Network(made.reading.vector.shape[1], made.table.shape[1])
    network.load_state_dict({name: torch.tensor(value) for name, value in verifier.weights.items()})
    words = network.fusion.token.narrow(torch.from_numpy(made.table))[np.maximum(made.reading.words, 0)]
    pairs, masks = labelled_pairs(made.found), tuple(torch.from_numpy(mask) for mask in verifier.masks)
    with torch.inference_mode():
        z = network.eval().embed(made.reading, words)
        a, b, features = z[torch.tensor(pairs.a)], z[torch.tensor(pairs.b)], torch.tensor(pairs.features)
        logits = {head: network.logits(head, a, b, features, masks).numpy() for head in HEADS}
    np.testing.assert_allclose(verifier.features(made.reading).z, z, atol=1e-5)
    for head in HEADS:
        found = verifier.logits(head, a.numpy(), b.numpy(), pairs.features)
        np.testing.assert_allclose(found, logits[head], rtol=1e-4, atol=1e-4)


@pytest.mark.slow
def test_answers_need_no_torch():
    said = "import sys, tasks.verify.stage, models.decision.verifier.inference; sys.exit('torch' in sys.modules)"
    subprocess.run([sys.executable, "-c", said], check=True)


def test_a_document_has_one_description_in_any_batch(made, verifier):
    everyone = verifier.features(made.reading)
    alone = verifier.features(made.reading.take(np.array([42])))
    np.testing.assert_allclose(alone.z[0], everyone.z[42], rtol=0, atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(everyone.z, axis=1), 1, atol=1e-5)
    assert everyone.gates.shape == (len(made.reading.vector), 3) and 0 < everyone.gates.min() < everyone.gates.max() < 1


def test_uncertainty_is_mean_and_deviation_over_the_passes(made, verifier):
    pairs, z = labelled_pairs(made.found), verifier.features(made.reading).z
    for head in HEADS:
        passes = verifier.platt[head].passes(verifier.logits(head, z[pairs.a], z[pairs.b], pairs.features))
        opinion = verifier.opine(head, verifier.features(made.reading), pairs.a, pairs.b, made.found)
        mean = sum(passes) / len(passes)
        np.testing.assert_allclose(opinion.p_dup, mean, atol=1e-6)
        np.testing.assert_allclose(opinion.sigma**2, sum((passes - mean) ** 2) / len(passes), atol=1e-6)
        assert np.array_equal(opinion.threshold, verifier.thresholds[head].astype(np.float32)[pair_form(made.found)])


def test_pairs_and_evidence_must_be_as_many(made, verifier):
    described = verifier.features(made.reading)
    with pytest.raises(ValueError, match="evidence on 3"):
        verifier.opine("paper", described, np.array([1]), np.array([2]), made.found[:3])


def test_pair_features_are_bounded_symmetric_and_named(made):
    table = pair_features(made.found)
    assert table.shape == (made.found.height, len(FEATURES)) and np.isfinite(table).all()
    assert np.array_equal(table, pair_features(swapped(made.found)))
    column = dict(zip(FEATURES, table.T, strict=True))
    both = np.stack([made.found["aligned_a"], made.found["aligned_b"]])
    assert np.array_equal(column["aligned_low"], both.min(0)) and np.array_equal(column["aligned_high"], both.max(0))
    assert np.array_equal(column["short"] == 1, made.found["skeleton_similarity"].is_not_nan().to_numpy())
    assert column["longest_run"] == pytest.approx(np.log1p(made.found["longest_run"]))
    extreme = made.found.with_columns(edits=pl.lit(1e9, pl.Float32), facts=pl.lit(np.inf, pl.Float32))
    assert pair_features(extreme)[:, [FEATURES.index("edits"), FEATURES.index("facts")]].max() < 2


def test_the_form_of_a_pair_is_read_off_its_measures():
    nan = float("nan")
    found = pl.DataFrame(
        {
            "ratio_a": [0.99, 0.2, 0.99, 0.95, 0.4],
            "ratio_b": [0.99, 0.95, 0.3, 0.95, 0.5],
            "share": [0.99, 0.3, 0.99, 0.9, 0.6],
            "skeleton_similarity": [0.7, nan, nan, nan, nan],
        }
    )
    assert [FORMS[form] for form in pair_form(found)] == ["C", "D", "D", "B", "A"]


def test_all_pairs_of_a_group_are_on_one_side_of_the_split():
    group = np.random.default_rng(0).integers(0, 200, 5000)
    parts = split(group, np.random.default_rng(1))
    assert sorted(np.concatenate(parts)) == list(range(5000))
    owners = [set(group[part]) for part in parts]
    assert sum(map(len, owners)) == len(set.union(*owners)) == 200
    assert [len(owner) / 200 for owner in owners] == pytest.approx(SHARES)
    with pytest.raises(ValueError, match="9 groups"):
        split(group % 9, np.random.default_rng(1))


def test_take_keeps_columns_together():
    pairs = Pairs(*(np.arange(5) for _ in range(4)), features=np.eye(5, dtype=np.float32), form=np.arange(5))
    assert all(np.array_equal(column, [3, 1]) for column in pairs.take(np.array([3, 1]))[:4])
