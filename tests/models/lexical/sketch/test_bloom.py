"""The Bloom filter against a Python set, at its design load, and in other batches."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.lexical.sketch.bloom import TwoGenerationBloom, fpr


def draw(count: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 1 << 64, count, dtype=np.uint64)


def test_fpr_is_eq_bloom() -> None:
    assert fpr(7, 1, 16) == pytest.approx(0.0007015, rel=1e-3)  # (1 - exp(-7/16))^7 by hand
    assert fpr(1, 1, 1) == pytest.approx(1 - np.exp(-1))


@pytest.mark.parametrize("again", [0.0, 0.5])
@pytest.mark.parametrize("hashes", [7, 12])
def test_design_load(again: float, hashes: int) -> None:
    shingles = draw(400_000)
    repeats = int(again * shingles.size)
    bloom = TwoGenerationBloom(shingles.size, hashes=hashes)
    bloom.insert(shingles)
    bloom.insert(shingles[:repeats])
    answer = bloom.seen_again(shingles)
    assert answer[:repeats].all()
    once = answer[repeats:].mean()
    assert 0 < once < 0.01  # zero would mean that the test measures nothing
    assert once < bloom.false_positive_rate() < 0.01
    assert bloom.seen_again(draw(400_000, seed=9)).mean() < 0.01
    assert bloom.memory_bytes == pytest.approx(4 * shingles.size, rel=0.01)


def test_estimate_is_the_rate_of_the_second_generation() -> None:
    shingles = draw(300_000)
    bloom = TwoGenerationBloom(shingles.size, bits_per_shingle=8)
    bloom.insert(np.repeat(shingles, 2))  # both generations alike: estimate = 1 - (1 - p)^2
    measured = bloom.seen_again(draw(2_000_000, seed=5)).mean()
    assert 1 - (1 - measured) ** 2 == pytest.approx(bloom.false_positive_rate(), rel=0.03)
    assert measured > fpr(7, 1, 8)  # blocks are unevenly loaded


@given(st.lists(st.integers(0, 60), max_size=120), st.lists(st.integers(0, 120), max_size=4), st.integers(1, 16))
def test_small_streams(values: list[int], cuts: list[int], hashes: int) -> None:
    stream = np.array(values, np.uint64)  # small consecutive numbers: the filter must mix by itself
    whole, parts = TwoGenerationBloom(20_000, hashes=hashes), TwoGenerationBloom(20_000, hashes=hashes)
    whole.insert(stream)
    for part in np.split(stream, sorted(min(cut, stream.size) for cut in cuts)):
        parts.insert(part)
    asked = np.arange(61, dtype=np.uint64)
    answer = whole.seen_again(asked)
    assert (answer == parts.seen_again(asked)).all()
    assert answer[[values.count(value) > 1 for value in range(61)]].all()
    if hashes == 7:
        assert answer.tolist() == [values.count(value) > 1 for value in range(61)]


@pytest.mark.parametrize("shares", [2, 7])
def test_share_by_share_the_filter_gives_the_answers_of_the_whole(shares: int) -> None:
    stream = draw(60_000) % np.uint64(40_000)  # some once, some again
    whole = TwoGenerationBloom(4000)  # overloaded: false answers must be the same, too
    whole.insert(stream)
    parted = TwoGenerationBloom(4000, most_bytes=whole.memory_bytes // shares)
    assert parted.shares >= shares
    assert parted.memory_bytes <= whole.memory_bytes // shares
    answers = []
    for share in range(parted.shares):
        parted.turn(share)
        for batch in np.array_split(stream, 3):
            parted.insert(batch)
        answers.append(parted.seen_again(stream))
    expected = whole.seen_again(stream)
    assert 0 < expected.mean() < 1
    assert (np.sum(answers, axis=0) == expected).all()


def test_refuses_what_it_cannot_hold() -> None:
    for arguments in ((-1,), (10, 0), (10, 16, 0), (10, 16, 17), (1 << 45,)):
        with pytest.raises(ValueError):
            TwoGenerationBloom(*arguments)
    with pytest.raises(ValueError, match="uint64"):
        TwoGenerationBloom(10).insert(np.arange(3))
    assert not TwoGenerationBloom(0).seen_again(draw(5)).any()
