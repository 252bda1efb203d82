"""Baselines against slow references, and the clusters, cuts and thresholds that they end in."""

from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.evaluation.baselines import dedup_lm, exact_substring
from models.evaluation.baselines.exact import Exact
from models.evaluation.baselines.exact_substring import ExactSubstring
from models.evaluation.baselines.minhash_lsh import MinHashLsh
from models.evaluation.baselines.near_dup_bert import NearDupBert
from models.evaluation.baselines.parts import cross_encoder, neighbours, projection_head
from models.evaluation.baselines.parts.grams import word_grams
from models.evaluation.baselines.parts.links import Links, cluster
from models.evaluation.baselines.parts.tuning import tune
from models.evaluation.baselines.protocol import Corpus, Outcome, no_spans
from models.evaluation.baselines.simhash import SimHash, simhash
from models.evaluation.metrics import evaluate
from tests.support.examples import examples

pytestmark = pytest.mark.flows

WORDS = [f"w{number:02}" for number in range(40)]


def corpus_of(texts: list[str], vectors: np.ndarray | None = None) -> Corpus:
    return Corpus(pl.DataFrame({"doc_id": [f"d{row}" for row in range(len(texts))], "text": texts}), vectors)


def unit(rows: np.ndarray) -> np.ndarray:
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def survivors(outcome: Outcome) -> dict[str, str]:
    removed = outcome.decisions.filter(action="remove")
    return dict(zip(removed["doc_id"], removed["survivor_id"], strict=True))


@pytest.fixture(scope="module")
def varied() -> Corpus:
    """60 texts of 30 random words, each with two copies that have 1 and 6 words changed; vectors to match."""
    random = np.random.default_rng(5)
    texts, vectors = [], []
    for _ in range(60):
        words, centre = random.integers(0, 5000, 30), random.standard_normal(16)
        for changes, noise in ((0, 0.0), (1, 0.05), (6, 0.3)):
            copy = words.copy()
            copy[random.permutation(30)[:changes]] = random.integers(0, 5000, changes)
            texts.append(" ".join(f"word{number}" for number in copy))
            vectors.append(centre + noise * random.standard_normal(16))
    return corpus_of(texts, unit(np.array(vectors)))


def test_clusters_keep_their_first_document():
    links = Links(
        corpus_of(list("abcdef")),
        np.array([4, 1, 2, 0]),
        np.array([1, 2, 5, 3]),
        np.array([0.9, 0.8, 0.7, 0.6], np.float32),
    )
    assert survivors(links.outcome(0.8)) == {"d2": "d1", "d4": "d1"}
    assert survivors(links.outcome(0.6)) == {"d2": "d1", "d4": "d1", "d5": "d1", "d3": "d0"}
    assert survivors(links.outcome(0.95)) == {}


class Thresholds:
    """Removes one more look-alike and one more copy of type A at each step of the threshold."""

    def __init__(self, lookalikes: list[int], copies: list[int]) -> None:
        self.lookalikes, self.copies = lookalikes, copies
        kinds = ["F"] * 10 + ["A"] * 5
        self.truth = pl.DataFrame({"doc_id": [f"d{row}" for row in range(15)], "type": kinds, "group_id": kinds})
        self.truth = self.truth.with_columns(role=pl.lit("variant"))

    def outcome(self, threshold: float) -> Outcome:
        step = int(threshold)
        a = [10 + row for row in range(self.copies[step])] + list(range(self.lookalikes[step]))
        gone = np.isin(np.arange(15), a)
        decisions = pl.DataFrame(
            {
                "doc_id": self.truth["doc_id"],
                "action": np.where(gone, "remove", "keep"),
                "survivor_id": pl.Series(["d14" if one else None for one in gone], dtype=pl.String),
                "n_chars": [1] * 15,
            }
        )
        return Outcome(decisions, no_spans())


def test_tuning_takes_the_best_score_that_preserves_enough():
    fragments = pl.DataFrame(schema={"fragment_id": pl.String, "doc_id": pl.String, "start": pl.Int64, "end": pl.Int64})
    method = Thresholds(lookalikes=[0, 0, 1, 2], copies=[0, 2, 3, 4])
    assert tune(method, [0.0, 1.0, 2.0, 3.0], method.truth, fragments) == 2.0
    reckless = Thresholds(lookalikes=[4, 2, 3, 5], copies=[4, 1, 4, 4])
    assert tune(reckless, [0.0, 1.0, 2.0, 3.0], reckless.truth, fragments) == 1.0
    even = Thresholds(lookalikes=[0, 0, 0, 0], copies=[1, 3, 3, 3])
    assert tune(even, [3.0, 2.0, 1.0, 0.0], even.truth, fragments) == 3.0


@given(st.lists(st.lists(st.sampled_from(WORDS[:4]), max_size=9), min_size=1, max_size=5), st.integers(1, 4))
@examples(30)
def test_grams_are_the_distinct_runs_of_words(documents, size):
    grams = word_grams(pl.Series([" ".join(words) for words in documents], dtype=pl.String), size)
    runs = []
    for words in documents:
        width = min(size, len(words))
        runs.append({tuple(words[at : at + width]) for at in range(len(words) - width + 1)} if words else set())
    own = [grams.hash[low:high].tolist() for low, high in zip(grams.pointers, grams.pointers[1:], strict=False)]
    assert all(found == sorted(set(found)) for found in own)
    assert [len(found) for found in own] == [len(run) for run in runs]
    for i, j in combinations(range(len(runs)), 2):
        assert len(set(own[i]) & set(own[j])) == len(runs[i] & runs[j])


def test_simhash_is_the_majority_of_the_shingles_bits(varied):
    grams = word_grams(varied.texts, 3)
    for document, code in enumerate(simhash(grams).tolist()):
        hashes = grams.hash[grams.pointers[document] : grams.pointers[document + 1]].tolist()
        for bit in range(64):
            on = sum(value >> bit & 1 for value in hashes)
            assert code >> bit & 1 == int(2 * on > len(hashes))


def test_simhash_radius_counts_inclusively_and_leaves_out_texts_without_words():
    texts = ["one two three four five six", "ONE two  three four five six", "one two three four five seven", "!!", "??"]
    prepared = SimHash().prepare(corpus_of(texts))
    codes = [int(code) for code in simhash(word_grams(pl.Series(texts), 3))]
    apart = (codes[0] ^ codes[2]).bit_count()
    assert 0 < apart <= 16
    assert survivors(prepared.outcome(apart - 1)) == {"d1": "d0"}
    assert survivors(prepared.outcome(apart)) == {"d1": "d0", "d2": "d0"}


def test_minhash_finds_what_is_above_its_threshold_and_nothing_else(varied):
    texts = [set(zip(*(text.split()[at:] for at in range(5)), strict=False)) for text in varied.texts]
    prepared = MinHashLsh().prepare(varied)
    for threshold in (0.7, 0.4):
        near = [
            (a, b)
            for a, b in combinations(range(180), 2)
            if len(texts[a] & texts[b]) / len(texts[a] | texts[b]) >= threshold
        ]
        expected = survivors(cluster(varied, *np.array(near).T))
        found = survivors(prepared.outcome(threshold))
        assert found.items() <= expected.items()
        assert len(found) >= 0.9 * len(expected) > 10


@pytest.mark.parametrize("block", [7, 1024])
def test_neighbours_are_exact(varied, monkeypatch, block):
    monkeypatch.setattr(neighbours, "BLOCK", block)
    vectors = np.concatenate([varied.vectors, np.zeros((1, 16), np.float32)])
    cosine = vectors @ vectors.T
    above = {(a, b) for a, b in combinations(range(len(vectors)), 2) if cosine[a, b] >= 0.6}
    a, b, found = neighbours.pairs_above(vectors, 0.6)
    assert len(a) == len(above) == len(set(zip(a.tolist(), b.tolist(), strict=True)) & above)
    np.testing.assert_allclose(found, cosine[a, b], atol=1e-6)
    np.fill_diagonal(cosine, -1)
    nearest = {
        (min(row, int(other)), max(row, int(other)))
        for row in range(len(vectors))
        for other in np.argsort(-cosine[row])[:3]
        if cosine[row, other] >= 0.6
    }
    a, b, _ = neighbours.nearest_pairs(vectors, 3, 0.6)
    assert len(a) == len(nearest) == len(set(zip(a.tolist(), b.tolist(), strict=True)) & nearest)


def test_exact_links_copies_in_other_dress():
    outcome = Exact().prepare(corpus_of(["a b", "c", "A  b", "\u200bc", "a c"])).outcome(1.0)
    assert survivors(outcome) == {"d2": "d0", "d3": "d1"}


@given(st.lists(st.text("ab", max_size=14), min_size=1, max_size=5), st.integers(2, 5))
@examples(40)
def test_substrings_that_occur_twice_are_cut_in_all_copies(texts, least):
    places = [(d, p) for d, text in enumerate(texts) for p in range(len(text) - least + 1)]
    windows = [texts[d][p : p + least] for d, p in places]
    expected = {
        (d, p + at) for (d, p), w in zip(places, windows, strict=True) if windows.count(w) > 1 for at in range(least)
    }
    outcome = ExactSubstring().prepare(corpus_of(texts)).outcome(float(least))
    rows = outcome.spans.iter_rows(named=True)
    cut = [(int(row["doc_id"][1:]), at) for row in rows for at in range(row["start"], row["end"])]
    assert len(cut) == len(set(cut))
    assert set(cut) == expected
    gone = [f"d{d}" for d, text in enumerate(texts) if text and all((d, at) in expected for at in range(len(text)))]
    assert outcome.decisions.filter(action="remove")["doc_id"].to_list() == gone


def test_substring_spans_are_those_of_the_original():
    passage = "The  QUICK brown\u200b fox jumps"
    texts = [f"xx {passage} yy", "zz the quick brown fox jumps", "unrelated"]
    outcome = ExactSubstring().prepare(corpus_of(texts)).outcome(20.0)
    cut = [texts[int(name[1:])][start:end].strip() for name, start, end, _ in outcome.spans.iter_rows()]
    assert cut == [passage, "the quick brown fox jumps"]
    assert outcome.decisions["action"].to_list() == ["edit", "edit", "keep"]


def test_repeats_are_found_within_one_document():
    length = exact_substring.repeat_lengths(exact_substring.normalise(pl.Series(["abcxabcy"])))
    assert length.tolist() == [3, 2, 1, 0, 3, 2, 1, 0]


def test_head_learns_which_direction_counts():
    """Duplicates agree in the first half of the vector, look-alikes in the second."""
    random = np.random.default_rng(0)
    base, other = random.standard_normal((2, 8000, 16))
    duplicate = pl.Series(np.arange(8000) % 2 == 0)
    same = np.where(duplicate.to_numpy()[:, None] == (np.arange(16) < 8), base, other)
    a, b = unit(base), unit(same)
    head = projection_head.fine_tune(a[:6000], b[:6000], duplicate[:6000], seed=1)
    before = (a * b).sum(1)[6000:]
    after = (projection_head.project(a, head) * projection_head.project(b, head)).sum(1)[6000:]
    right = duplicate.to_numpy()[6000:]
    assert abs(before[right].mean() - before[~right].mean()) < 0.1
    assert np.median(after[right]) > np.quantile(after[~right], 0.95)
    again = projection_head.fine_tune(a[:6000], b[:6000], duplicate[:6000], seed=1)
    np.testing.assert_array_equal(head["weight"], again["weight"])
    assert not projection_head.project(np.zeros((1, 16), np.float32), head).any()


PAIRS = pl.DataFrame(
    {
        "text_a": [f"the {name} boat leaves at dawn" for name in WORDS[:16]],
        "text_b": [f"at dawn the {name} boat will leave" for name in WORDS[:16]],
        "duplicate": [True] * 16,
    }
)


@pytest.fixture(scope="module")
def judged() -> dict[str, np.ndarray]:
    return cross_encoder.fine_tune(PAIRS, seed=3)


def test_judge_learns_its_labels(judged):
    contrary = cross_encoder.fine_tune(PAIRS.with_columns(duplicate=~pl.col("duplicate")), seed=3)
    sides = PAIRS["text_a"].to_list(), PAIRS["text_b"].to_list()
    yes, no = (cross_encoder.CrossEncoder(tensors).probability(*sides) for tensors in (judged, contrary))
    assert (yes > no).all()


def test_judge_is_reproducible_and_does_not_mix_pairs(judged):
    again = cross_encoder.fine_tune(PAIRS, seed=3)
    assert all(np.array_equal(values, again[name]) for name, values in judged.items())
    judge = cross_encoder.CrossEncoder(judged)
    a, b = ["a b c", "x " * 500, "the boat"], ["a b d", "x y " * 300, "a bee"]
    together, alone = (
        judge.probability(a, b),
        np.concatenate([judge.probability([one], [two]) for one, two in zip(a, b, strict=True)]),
    )
    np.testing.assert_allclose(together, alone, atol=1e-2)
    assert max(len(row["input_ids"]) for row in judge.tokenise(a, b)) == cross_encoder.PAIR_TOKENS
    short = judge.tokenise(["the boat"], ["x y " * 300])[0]
    assert (len(short["input_ids"]), short["token_type_ids"].count(0)) == (cross_encoder.PAIR_TOKENS, 4)
    with pytest.raises(ValueError, match="no tensors"):
        cross_encoder.CrossEncoder({"weight": np.zeros((2, 2), np.float32)})


def test_only_neighbours_are_judged(monkeypatch, judged):
    read = []
    monkeypatch.setattr(
        cross_encoder.CrossEncoder, "probability", lambda _, a, b: read.append((a, b)) or np.ones(len(a), "f4")
    )
    vectors = unit(np.array([[1, 0.1], [1, 0.2], [-1, 0.1], [0, 1]]))
    outcome = dedup_lm.DedupLm(judged).prepare(corpus_of(["p", "q", "r", "s"], vectors)).outcome(0.5)
    assert read == [(["p"], ["q"])]
    assert survivors(outcome) == {"d1": "d0"}


@pytest.mark.parametrize(
    "method", [Exact(), SimHash(), MinHashLsh(), NearDupBert(), ExactSubstring()], ids=lambda m: m.name
)
def test_grids_go_from_careful_to_bold(varied, method):
    prepared, removed = method.prepare(varied), []
    for threshold in method.grid:
        decisions, spans = prepared.outcome(threshold)
        assert decisions["doc_id"].equals(varied.documents["doc_id"])
        kept = set(decisions.filter(pl.col("action") != "remove")["doc_id"])
        assert set(decisions["survivor_id"].drop_nulls()) <= kept
        removed.append(180 - len(kept) + (spans["end"] - spans["start"]).sum())
    assert removed == sorted(removed)
    assert method.usual in method.grid


def test_outcomes_are_what_the_metrics_read(varied):
    labels = {"doc_id": "doc_id", "type": pl.lit("A"), "group_id": (pl.int_range(pl.len()) // 3).cast(pl.String)}
    truth = varied.documents.select(**labels, role=pl.lit("variant"))
    fragments = pl.DataFrame(schema={"fragment_id": pl.String, "doc_id": pl.String, "start": pl.Int64, "end": pl.Int64})
    found = evaluate(truth, fragments, *NearDupBert().prepare(varied).outcome(0.8))
    assert found.scores["A"] > 0.9
    assert found.harm.groups_lost == found.harm.wrong_survivors == 0
    with pytest.raises(ValueError, match="has none"):
        NearDupBert().prepare(Corpus(varied.documents))
