import numpy as np
import pytest

from models.lexical.sketch.banding import band_counts, bands, collision_probability


def test_worked_example_of_the_adaptive_band_count():
    entropy = np.array([4.0, 4.4, 3.9, 9.0, 0.0, np.nan], np.float32)
    # 28 + floor(2 * (H - 4)): 28, 28 + floor(0.8), 28 + floor(-0.2), clipped above and below, unknown
    assert band_counts(entropy, 4.0, 28, 2.0, 20, 32).tolist() == [28, 28, 27, 32, 20, 28]


def test_bands_agree_exactly_where_their_rows_do():
    rng = np.random.default_rng(0)
    sketch = rng.integers(0, 2, (60, 24)).astype(np.uint32)
    counts = rng.integers(0, 9, 60).astype(np.int32)
    hashes, pointers = bands(sketch, counts, 3)
    assert np.array_equal(np.diff(pointers), counts)
    seen = {}
    for d in range(60):
        for i, value in enumerate(hashes[pointers[d] : pointers[d + 1]].tolist()):
            key = (i, *sketch[d, 3 * i : 3 * i + 3].tolist())
            assert seen.setdefault(value, key) == key
    assert len(set(seen.values())) == len(seen)


def test_band_hashes_are_fixed():
    hashes, pointers = bands(np.array([[1, 2, 3, 4]], np.uint32), np.array([2], np.int32), 2)
    assert pointers.tolist() == [0, 2]
    assert hashes.tolist() == [2115549429807191418, 6437281075470307756]


def test_chance_of_a_shared_band():
    assert collision_probability(0.5, 2, 3) == pytest.approx(1 - 0.75**3)
    rng = np.random.default_rng(1)
    trials, rows, count = 20000, 4, 28
    one = rng.integers(0, 2**32, (trials, 128)).astype(np.uint32)
    other = np.where(rng.random(one.shape) < 0.4, one, one + np.uint32(1))
    full = np.full(trials, count, np.int32)
    met = (bands(one, full, rows)[0] == bands(other, full, rows)[0]).reshape(trials, count).any(1).mean()
    expected = collision_probability(0.4, rows, count)
    assert abs(met - expected) < 4 * np.sqrt(expected * (1 - expected) / trials)


def test_more_bands_than_slots_are_refused():
    sketch = np.zeros((1, 8), np.uint32)
    with pytest.raises(ValueError, match="8 slots"):
        bands(sketch, np.array([3], np.int32), 3)
    assert bands(sketch[:0], np.empty(0, np.int32), 3)[0].size == 0
