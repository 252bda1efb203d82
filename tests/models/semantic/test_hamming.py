"""The Hamming join against comparing every pair, and the count of what star links leave out."""

import numpy as np
import polars as pl
import pytest

from models.semantic.hamming.crowds import crowds
from models.semantic.hamming.join import _plans, plan
from models.semantic.hamming.star import Pairs, StarJoin, distinct, join


def uniform(count: int, rng: np.random.Generator) -> np.ndarray:
    return rng.integers(0, 1 << 64, count, dtype=np.uint64)


def flipped(centres: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    bits = rng.random((centres.size, 64)) < share
    return centres ^ np.packbits(bits, axis=1, bitorder="little").view(np.uint64).ravel()


def clustered(count: int, rng: np.random.Generator) -> np.ndarray:
    return rng.permutation(flipped(np.repeat(uniform(-(-count // 10), rng), 10)[:count], 0.05, rng))


def skewed(count: int, rng: np.random.Generator) -> np.ndarray:
    """Some bits nearly constant, others copies of their neighbour, and one code held by many."""
    codes = uniform(count, rng) & uniform(count, rng) & uniform(count, rng) & np.uint64(0x5555555555555555)
    codes |= codes << np.uint64(1)
    codes[rng.random(count) < 0.05] = np.uint64(0xF0F0)
    return codes


FEW = np.array([5, 7, 1 << 40], np.uint64)
KINDS = {"uniform": uniform, "clustered": clustered, "skewed": skewed}


@pytest.mark.slow
@pytest.mark.parametrize("radius", [3, 8, 12])
def test_codes_of_real_texts_give_exactly_the_pairs_of_brute_force(curated, radius):
    parts = sorted(curated.glob("workspace/tables/signatures-*/part-*.parquet"))
    codes = pl.concat([pl.read_parquet(part, columns=["code"]) for part in parts])["code"].to_numpy()
    expected = brute(codes, radius)
    assert len(expected) > len(codes) / 20, "too few near pairs to mean anything"
    found = np.concatenate([np.stack(chunk, axis=1).astype(np.int64) for chunk in join(codes, radius)])
    assert found[np.lexsort(found.T[::-1])].tolist() == expected.tolist()


def brute(codes: np.ndarray, radius: int) -> np.ndarray:
    distance = np.bitwise_count(codes[:, None] ^ codes[None, :])
    a, b = np.nonzero(np.triu(distance <= radius, 1))
    return np.stack([a, b, distance[a, b]], axis=1).astype(np.int64)


def listed(chunks: list[Pairs]) -> np.ndarray:
    for a, b, distance in chunks:
        assert (a.dtype, b.dtype, distance.dtype) == (np.int64, np.int64, np.uint8)
    return np.concatenate([np.stack(chunk, axis=1).astype(np.int64) for chunk in chunks] or [np.empty((0, 3), int)])


def in_order(pairs: np.ndarray) -> np.ndarray:
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("radius", range(13))
def test_is_brute_force(kind: str, radius: int) -> None:
    rng = np.random.default_rng(radius)
    for count in (2, 37, 1200):
        codes = KINDS[kind](count, rng)
        expected = brute(codes, radius)
        assert np.array_equal(in_order(listed(list(join(codes, radius)))), expected)
    assert expected.size or kind == "uniform" or (kind == "clustered" and radius == 0)


@pytest.mark.parametrize("radius", [2, 8, 11])
def test_every_plan_is_exact(radius: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    codes = np.concatenate([clustered(300, rng), skewed(100, rng)])
    expected = brute(codes, radius)
    plans = [blocks for blocks in _plans(radius) if max(block.width for block in blocks) <= 12]
    chosen = [plans[i] for i in rng.permutation(len(plans))[:40]]
    assert len({tuple(block.radius for block in blocks) for blocks in chosen}) > 2
    for blocks in chosen:
        monkeypatch.setattr("models.semantic.hamming.join.plan", lambda *_, blocks=blocks: blocks)
        assert np.array_equal(in_order(listed(list(join(codes, radius)))), expected), blocks


def test_large_buckets_stop_and_go_on() -> None:
    """Buckets of several tiles, buffers of a few rows, every row count around the register width."""
    codes = np.repeat(FEW, (2100, 9, 30))
    whole = listed(list(join(codes, 1)))
    assert len(whole) == 2109 * 2108 // 2 + 30 * 29 // 2  # 5 and 7 differ in one bit
    small = np.random.default_rng(0).permutation(np.repeat(FEW, (60, 9, 30)))
    for rows in (1, 7, 8, 9, 1000):
        chunks = list(join(small, 1, rows))
        assert all(chunk[0].size == rows for chunk in chunks[:-1]) and 0 < chunks[-1][0].size <= rows
        assert np.array_equal(in_order(listed(chunks)), brute(small, 1))


def test_threads_do_not_change_a_byte() -> None:
    codes = clustered(30_000, np.random.default_rng(5))
    one, three = (list(join(codes, 8, 1 << 12, threads)) for threads in (1, 3))
    assert len(one) == len(three) > 5
    assert all(np.array_equal(x, y) for a, b in zip(one, three, strict=True) for x, y in zip(a, b, strict=True))


def test_plan_covers_the_radius() -> None:
    for radius in (0, 1, 8, 12):
        for count in (10, 10_000, 10_000_000):
            blocks = plan(count, radius)
            assert sum(block.radius + 1 for block in blocks) > radius or blocks[0].width == 0
            assert sum(block.mask for block in blocks) == sum({block.mask for block in blocks}) < 1 << 64
    assert len(plan(10, 8)) == 1 and plan(10, 8)[0].width == 0
    assert len(plan(10_000_000, 8)) > 2


def test_distinct() -> None:
    unique, first, inverse = distinct(np.array([9, 4, 9, 4, 4, 2], np.uint64))
    assert unique.tolist() == [2, 4, 9] and first.tolist() == [5, 1, 0] and inverse.tolist() == [2, 1, 2, 1, 1, 0]


@pytest.mark.parametrize("kind", ["clustered", "skewed"])
@pytest.mark.parametrize(("hot", "representatives"), [(1, 1), (4, 2), (3, 5), (10_000, 3)])
def test_star_join_counts_what_it_leaves_out(kind: str, hot: int, representatives: int) -> None:
    rng = np.random.default_rng(hot)
    codes = rng.permutation(np.repeat(KINDS[kind](160, rng), rng.integers(1, 9, 160)))
    everything = brute(codes, 8)
    star = StarJoin(codes, 8, hot, representatives, emit_rows=50)
    pairs = in_order(listed(list(star)))
    assert len(np.unique(pairs, axis=0)) == len(pairs) == len(everything) - star.skipped
    assert {tuple(pair) for pair in pairs} <= {tuple(pair) for pair in everything}
    groups = codes[everything[:, 0]], codes[everything[:, 1]]
    sizes = dict(zip(*np.unique(codes, return_counts=True), strict=True))
    kept = {
        code: set(np.flatnonzero(codes == code)[: representatives if sizes[code] > hot else None]) for code in sizes
    }
    expected = [
        pair
        for pair, one, two in zip(everything.tolist(), *groups, strict=True)
        if (pair[0] in kept[one] and pair[1] in kept[two]) or (one == two and pair[0] in kept[one])
    ]
    assert pairs.tolist() == expected
    assert (star.skipped > 0) == (hot < 10_000)


def test_star_join_is_linear_in_equal_codes() -> None:
    codes = np.concatenate([np.full(100_000, 6, np.uint64), np.full(50_000, 7, np.uint64)])
    star = StarJoin(codes, 8, hot=40, representatives=3)
    links = sum(a.size for a, _, _ in star)
    assert links == (100_000 - 3) * 3 + 3 + (50_000 - 3) * 3 + 3 + 3 * 3
    assert links + star.skipped == 150_000 * 149_999 // 2


def near_copies(count: int, rng: np.random.Generator) -> np.ndarray:
    """Most bits rarely flip, six often do: hundreds of different codes, all near to one another."""
    share = np.where(np.arange(64) < 6, 0.4, 0.02)
    flips = np.packbits(rng.random((count, 64)) < share, axis=1, bitorder="little").view(np.uint64).ravel()
    return np.uint64(0x0123456789ABCDEF) ^ flips


def test_leaders_are_apart_and_followers_near() -> None:
    rng = np.random.default_rng(1)
    codes = rng.permutation(
        np.concatenate([near_copies(3000, rng), ~near_copies(500, rng), uniform(9000, rng)])
    )  # more than are drawn for the sample
    leader = crowds(codes, 8, 300)
    leaders, sizes = np.unique(leader[leader >= 0], return_counts=True)
    assert sizes.sum() > 3300 and len(leaders) >= 2
    assert (leader[leaders] == leaders).all()
    assert (np.bitwise_count(codes ^ codes[leader])[leader >= 0] <= 8).all()
    assert not brute(codes[leaders], 8).size
    assert (crowds(codes, 8, 5000) == -1).all()


@pytest.mark.slow
def test_crowds_cost_linear_time_and_keep_close_pairs() -> None:
    rng = np.random.default_rng(2)
    links = []
    for count in (500, 1500):
        codes = rng.permutation(np.concatenate([near_copies(count, rng), clustered(300, rng)]))
        everything = listed(list(join(codes, 8)))
        star = StarJoin(codes, 8, hot=40, representatives=3, crowd=60)
        pairs = listed(list(star))
        key = [codes.size * 9, 9, 1]
        assert len(np.unique(pairs @ key)) == len(pairs)
        assert np.isin(pairs @ key, everything @ key).all()
        unlinked = np.setdiff1d(everything[:, :2], pairs[:, :2])  # near to followers only, and no follower itself
        assert unlinked.size <= 0.005 * codes.size
        assert not star.exact and star.skipped == pytest.approx(len(everything) - len(pairs), rel=0.1)
        links.append(len(pairs) / codes.size)
    assert links[1] < 1.5 * links[0]  # pairs per code, where all pairs would give three times as many
    star = StarJoin(codes, 8, hot=10**6, representatives=1, crowd=10**6)
    assert len(listed(list(star))) == len(everything) and star.exact and star.skipped == 0


def test_refuses() -> None:
    codes = np.zeros(3, np.uint64)
    for arguments in ((codes.astype(np.int64), 8), (codes, -1), (codes, 65), (codes, 8, 0), (codes, 8, 8, 0)):
        with pytest.raises(ValueError):
            list(join(*arguments))
    with pytest.raises(ValueError):
        StarJoin(codes, 8, 0, 1)
    for few in (codes[:0], codes[:1]):
        assert list(join(few, 8)) == [] == list(StarJoin(few, 8, 2, 1))
    assert len(listed(list(join(codes, 64)))) == 3
