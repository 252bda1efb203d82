import numpy as np
import pytest

from models.lexical.sketch.containment import parents, sample

RNG = np.random.default_rng(5)


def random_hashes(count):
    return RNG.integers(0, 2**64, count, dtype=np.uint64)


def test_sample_keeps_its_share_and_the_pointers():
    hashes, pointers = random_hashes(200_000), np.array([0, 0, 50_000, 200_000])
    kept, kept_pointers = sample(hashes, pointers, 8)
    for low, high, a, b in zip(pointers, pointers[1:], kept_pointers, kept_pointers[1:], strict=False):
        size = high - low
        assert abs((b - a) - size / 8) <= 4 * np.sqrt(size * 7 / 64)
        assert np.isin(kept[a:b], hashes[low:high]).all()
    assert kept_pointers[-1] == kept.size


def test_sample_chooses_by_the_hash_alone():
    hashes = random_hashes(1000)
    chosen, _ = sample(hashes, np.array([0, 1000]), 4)
    shuffled = RNG.permutation(hashes)
    again, pointers = sample(shuffled, np.array([0, 300, 1000]), 4)
    assert set(again.tolist()) == set(chosen.tolist())
    assert again.tolist() == [h for h in shuffled.tolist() if h in set(chosen.tolist())]
    assert pointers[1] == np.isin(shuffled[:300], chosen).sum()


def test_sample_is_not_a_range_of_the_hash():
    hashes = np.arange(8000, dtype=np.uint64)
    kept, _ = sample(hashes, np.array([0, 8000]), 8)
    assert 800 < kept.size < 1200
    assert kept.max() > 7500


def test_sample_of_everything_and_of_nothing():
    hashes = np.array([0, 1, 2**64 - 1], np.uint64)
    assert sample(hashes, np.array([0, 3]), 1)[0].tolist() == hashes.tolist()
    kept, pointers = sample(hashes[:0], np.array([0, 0]), 8)
    assert kept.size == 0
    assert pointers.tolist() == [0, 0]
    with pytest.raises(ValueError, match="one shingle in 0"):
        sample(hashes, np.array([0, 3]), 0)


def test_sample_estimates_containment():
    parent = random_hashes(20_000)
    child = np.concatenate([parent[:4500], random_hashes(500)])
    kept, pointers = sample(np.concatenate([parent, child]), np.array([0, 20_000, 25_000]), 8)
    share = np.isin(kept[pointers[1] :], kept[: pointers[1]]).mean()
    assert abs(share - 0.9) < 4 * np.sqrt(0.09 / 625)


def choose(*rows):
    children, chosen, _ = parents(*(np.array(column) for column in zip(*rows, strict=True)))
    return dict(zip(children.tolist(), chosen.tolist(), strict=True))


# Rows: child, parent, ratio, characters of the child, characters of the parent.
def test_parent_covers_most_of_the_family():
    # Parent 9 covers 1.0 * 100 + 0.9 * 200 = 280, parent 8 covers 1.0 * 200 = 200 although it holds child 2 better.
    assert choose((1, 9, 1.0, 100, 900), (2, 9, 0.9, 200, 900), (2, 8, 1.0, 200, 5000)) == {1: 9, 2: 9}


def test_ties_go_to_the_longer_then_the_earlier_parent():
    assert choose((1, 8, 1.0, 100, 500), (1, 9, 1.0, 100, 600)) == {1: 9}
    assert choose((1, 9, 1.0, 100, 500), (1, 8, 1.0, 100, 500)) == {1: 8}


def test_parents_do_not_depend_on_the_order_of_rows():
    rows = [
        (int(c), int(p), float(r), int(c) * 7 % 100 + 50, int(p) * 13 % 100 + 200)
        for c, p, r in zip(RNG.integers(0, 30, 200), RNG.integers(30, 60, 200), RNG.random(200), strict=True)
    ]
    rows = list({row[:2]: row for row in rows}.values())
    expected = choose(*rows)
    for _ in range(5):
        assert choose(*(rows[i] for i in RNG.permutation(len(rows)))) == expected


def test_no_rows_no_parents():
    empty = np.empty(0, np.int64)
    children, chosen, rows = parents(empty, empty, empty.astype(float), empty, empty)
    assert children.size == chosen.size == rows.size == 0
