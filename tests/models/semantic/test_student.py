import numpy as np
import polars as pl
import pytest
import torch
from scipy.stats import spearmanr

from models.lexical.text import normalise, split_words
from models.semantic.distil.distillation import StudentNetwork
from models.semantic.distil.student_quality import agreement, spearman
from models.semantic.encoder.encoder import WordSpans
from models.semantic.encoder.student import WINDOWS_PER_TASK, Student, Weights, quantise, word_table
from models.semantic.encoder.vocabulary import vocabulary

WORDS, BUCKETS, WIDTH, INNER, DIMENSIONS = 60, 8, 32, 20, 24
KNOWN = [f"word{number}" for number in range(WORDS)]


def spans_of(texts: list[str]) -> WordSpans:
    words = split_words(normalise(pl.Series(texts, dtype=pl.String)))
    return WordSpans(words.start, words.end, words.pointers, words.hash)


@pytest.fixture(scope="module")
def weights() -> Weights:
    random = np.random.default_rng(1)
    table, scale = quantise(random.standard_normal((WORDS + BUCKETS, WIDTH), np.float32))
    shapes = [(WIDTH, WIDTH), (WIDTH, DIMENSIONS), (WIDTH, INNER), (INNER,), (INNER, DIMENSIONS), (DIMENSIONS,)]
    rest = (random.standard_normal(shape, np.float32) for shape in shapes)
    return Weights(spans_of(KNOWN).hash, table, scale, random.standard_normal(WORDS + BUCKETS, np.float32), *rest)


@pytest.fixture(scope="module")
def texts() -> list[str]:
    """Of 0 to 60 words, some of them unknown, and more windows than one task reads."""
    random = np.random.default_rng(2)
    words = [*KNOWN, *(f"unknown{number}" for number in range(30))]
    return [" ".join(random.choice(words, size)) for size in random.integers(0, 60, WINDOWS_PER_TASK)]


@pytest.mark.slow
def test_the_answer_is_that_of_the_network_that_was_trained(weights, texts):
    """One window at a time in torch on the table as it is shipped."""
    student = Student(weights, window_words=16, max_windows=2)
    network = StudentNetwork(
        torch.from_numpy(word_table(weights)),
        torch.from_numpy(weights.salience),
        torch.from_numpy(weights.straight),
        INNER,
    )
    shipped = {
        "query": weights.query,
        "inner.weight": weights.inner_weight.T,
        "inner.bias": weights.inner_bias,
        "outer.weight": weights.outer_weight.T,
        "outer.bias": weights.outer_bias,
    }
    network.load_state_dict({name: torch.from_numpy(one) for name, one in shipped.items()}, strict=False)
    spans = spans_of(texts)
    encoded = student.encode(texts, spans)
    for text in range(0, len(texts), 5):
        rows = student.vocabulary.rows(spans.hash[slice(*spans.pointers[text : text + 2])])
        size = len(rows)
        if size > 32:  # two windows of 16, at the beginning and at the end
            windows = [(0, 16), (size - 16, size)]
        else:
            windows = [(0, size)] if size <= 16 else [(0, size // 2), (size // 2, size)]
        vector, attention = np.zeros(DIMENSIONS), np.zeros(size)
        for first, last in windows if size else []:
            part = torch.from_numpy(rows[first:last].astype(np.int64))
            with torch.inference_mode():
                unit, salience = network(part, torch.zeros(len(part), dtype=torch.int64), 1)
            vector += unit[0].numpy() * len(part)
            attention[first:last] = salience.exp().numpy() * len(part)
        np.testing.assert_allclose(encoded.vector[text], vector / max(np.linalg.norm(vector), 1e-9), atol=1e-3)
        found = encoded.attention[slice(*spans.pointers[text : text + 2])]
        np.testing.assert_allclose(found, attention, rtol=1e-3, atol=1e-5)
        share = attention[attention > 0] / attention.sum() if size else np.ones(1)
        assert encoded.entropy[text] == pytest.approx(-(share * np.log(share)).sum(), abs=1e-3)
        assert encoded.windows[text] == len(windows)
        assert encoded.skipped_words[text] == max(0, size - 32)


def test_the_answer_for_a_text_does_not_depend_on_neighbours_or_threads(weights, texts):
    one, three = (Student(weights, window_words=16, threads=threads) for threads in (1, 3))
    spans = spans_of(texts)
    together = one.encode(texts, spans)
    for expected, found in zip(together, three.encode(texts, spans), strict=True):
        assert expected.tobytes() == found.tobytes()
    for text in (0, 3, 99, len(texts) - 1):
        alone = three.encode([texts[text]], spans_of([texts[text]]))
        assert alone.vector.tobytes() == together.vector[text].tobytes()
        assert alone.attention.tobytes() == together.attention[slice(*spans.pointers[text : text + 2])].tobytes()
        assert alone.entropy[0] == together.entropy[text]
    assert one.embed(texts[::-1])[::-1].tobytes() == together.vector.tobytes()


def test_odd_texts(weights):
    student = Student(weights, window_words=8, max_windows=3)
    given = ["", "🙂 …", "word7", "word7 word7 word7 word7", " ".join(["word1 unknown"] * 101)]
    encoded = student.encode(given, spans_of(given))
    assert np.linalg.norm(encoded.vector, axis=1).tolist() == pytest.approx([0, 0, 1, 1, 1], abs=1e-6)
    assert encoded.entropy[:4].tolist() == pytest.approx([0, 0, 0, np.log(4)], abs=1e-6)
    np.testing.assert_allclose(encoded.vector[2], encoded.vector[3], atol=1e-6)
    np.testing.assert_allclose(encoded.attention[:5], 1, rtol=1e-6)
    assert encoded.windows.tolist() == [1, 1, 1, 1, 3]
    assert encoded.skipped_words.tolist() == [0, 0, 0, 0, 202 - 24]
    assert np.count_nonzero(encoded.attention[5:]) == 24
    nothing = student.encode([], spans_of([]))
    assert [len(column) for column in nothing] == [0] * 5


def test_entropy_by_hand(weights):
    """Two words whose salience alone decides: shares 3/4 and 1/4."""
    plain = weights._replace(query=np.zeros_like(weights.query), salience=np.zeros_like(weights.salience))
    plain.salience[0] = np.log(3)
    encoded = Student(plain).encode(["word0 word1"], spans_of(["word0 word1"]))
    assert encoded.attention.tolist() == pytest.approx([1.5, 0.5])
    assert encoded.entropy[0] == pytest.approx(np.log(4) - 0.75 * np.log(3))


def test_the_fingerprint_follows_what_changes_answers(weights):
    first = Student(weights).fingerprint
    assert Student(weights, threads=4).fingerprint == first
    moved = weights._replace(outer_bias=weights.outer_bias + 1)
    others = [Student(moved), Student(weights, window_words=95), Student(weights, max_windows=31)]
    assert len({first, *(student.fingerprint for student in others)}) == 4


def test_quantised_vectors_are_within_half_a_step():
    table = np.random.default_rng(3).standard_normal((50, 16), np.float32)
    table[7] = 0
    steps, scale = quantise(table)
    assert steps.dtype == np.int8
    assert np.abs(steps).max(1).tolist() == [127] * 7 + [0] + [127] * 42
    assert (np.abs(steps * scale[:, None] - table) <= scale[:, None] / 2 * 1.0001).all()


@pytest.mark.parametrize("count", [1, 7, 500])
def test_a_vocabulary_is_a_dictionary(count):
    random = np.random.default_rng(count)
    words = np.unique(np.concatenate([[0], random.integers(0, 2**63, count - 1)]).astype(np.uint64))
    random.shuffle(words)
    known = {int(word): row for row, word in enumerate(words)}
    asked = np.concatenate([words, random.integers(0, 2**63, 300).astype(np.uint64), np.array([2**64 - 1], np.uint64)])
    found = vocabulary(words, 5).rows(asked)
    assert found.dtype == np.int32
    assert found.tolist() == [known.get(int(word), len(words) + int(word) % 5) for word in asked]


def test_agreement_by_hand():
    teacher = np.array([[1, 0], [0.8, 0.6], [0, 1], [0.6, -0.8]], np.float32)
    turned = teacher @ np.array([[0, 1], [-1, 0]], np.float32)  # by a right angle: other vectors, same neighbours
    found = agreement(turned, teacher, np.array([5, 5, 5, 2]))
    assert found["passages"] == 4
    assert found["cosine_mean"] == pytest.approx(0, abs=1e-6)
    assert (found["spearman"], found["spearman_same_document"]) == (pytest.approx(1), None)
    assert found["pairs_same_document"] == 2
    halfway = agreement(np.array([[1, 0], [0.6, 0.8], [0, 1], [0.8, -0.6]], np.float32), teacher, np.zeros(4, np.int64))
    assert halfway["cosine_mean"] == pytest.approx((1 + 0.96 + 1 + 0.96) / 4)
    assert halfway["cosine_p10"] == pytest.approx(0.96)
    assert halfway["spearman_same_document"] == pytest.approx(0.5)


def test_rank_correlation_is_that_of_the_library():
    random = np.random.default_rng(4)
    one, other = random.integers(0, 9, (2, 300)).astype(np.float32)
    assert spearman(one, one + other) == pytest.approx(spearmanr(one, one + other).statistic)
    assert spearman(one, np.ones(300, np.float32)) is None
