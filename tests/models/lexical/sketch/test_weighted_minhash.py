from importlib.util import find_spec
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from models.kernels.hashing import mix
from models.lexical.sketch import consistent_sampling, weighted_minhash
from models.lexical.sketch.shingles import shingle
from models.lexical.sketch.weighted_minhash import icws, prob_minhash, probability_jaccard, similarity, weighted_jaccard
from models.lexical.sketch.weights import count_documents, gram_weights
from models.lexical.text import normalise, split_words

SEED = 7
MASK = 2**64 - 1


def documents(seed, sizes, spread, pool=5000):
    """Documents of shingles from one pool, with log-normal weights."""
    rng = np.random.default_rng(seed)
    pool = np.sort(rng.integers(0, 2**64, pool, dtype=np.uint64))
    hash = np.concatenate([np.sort(rng.choice(pool, size, replace=False)) for size in sizes])
    weight = rng.lognormal(0, spread, hash.size).astype(np.float32)
    return hash, weight, np.concatenate([[0], np.cumsum(sizes)])


def prob_minhash_by_definition(hash, weight, slots):
    """Every point of every shingle up to a lap that surely suffices, without bounds or blocks."""
    lap = np.arange(int(25 * slots * weight.max() / weight.sum()) + 1)
    random = mix.py_func((hash[:, None] ^ np.uint64(SEED)) + lap.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15))
    u = (random >> np.uint64(32)).astype(np.float32) * np.float32(2.0**-32)
    within = np.zeros_like(u)
    for c in weighted_minhash._curve(slots)[::-1]:
        within = u * (c + within)
    time = (lap.astype(np.float32) + within) / weight[:, None]
    label = (hash ^ hash >> np.uint64(32)) & np.uint64(0xFFFFFFFF)
    key = time.view(np.uint32).astype(np.uint64) << np.uint64(32) | label[:, None]
    best = np.full(slots, MASK, np.uint64)
    np.minimum.at(best, (random & np.uint64(0xFFFFFFFF)) * np.uint64(slots) >> np.uint64(32), key)
    assert best.max() < MASK
    return best.astype(np.uint32)


@pytest.mark.parametrize(
    ("copies", "size", "slots", "spread"),
    [(100, 1, 16, 0), (30, 3, 128, 1), (200, 40, 128, 1), (3, 40, 128, 3), (40, 600, 100, 0.5), (20, 1100, 16, 2)],
)
def test_prob_minhash_equals_its_definition(copies, size, slots, spread):
    # enough documents for the rare paths: a slot left empty at first, a late point that wins the last open slot
    hash, weight, pointers = documents(size, [size] * copies, spread)
    sketch = prob_minhash(hash, weight, pointers, slots, SEED)
    for d in range(copies):
        own = slice(pointers[d], pointers[d + 1])
        assert np.array_equal(sketch[d], prob_minhash_by_definition(hash[own], weight[own], slots))


@pytest.mark.slow
@pytest.mark.parametrize(("copies", "size", "spread"), [(300, 3, 0), (100, 5, 4), (2, 200, 1)])
def test_icws_equals_its_definition(copies, size, spread):
    hash, weight, pointers = documents(size, [size] * copies, spread)
    sketch = icws(hash, weight, pointers, 64, SEED)
    for d in range(copies):
        own = slice(pointers[d], pointers[d + 1])
        states = [np.uint64(mix(h ^ np.uint64(SEED))) for h in hash[own]]
        for k in range(64):
            samples = [consistent_sampling._sample(s, k, w) for s, w in zip(states, weight[own], strict=True)]
            first = min(range(size), key=lambda g, s=samples: s[g][0])
            state = np.uint64((int(states[first]) ^ samples[first][1] * 0x165667B19E3779F9) & MASK)
            assert sketch[d, k] == int(mix(state)) >> 32


@pytest.mark.slow
def test_exact_similarities_by_hand_and_by_definition():
    hash = np.array([1, 2, 2, 3], np.uint64)
    weight = np.array([1, 3, 1, 1], np.float32)
    a, b = np.array([0, 0]), np.array([1, 0])
    ends = np.array([0, 2, 4])
    assert weighted_jaccard(hash, weight, ends, a, b) == pytest.approx([1 / (1 + 3 + 1), 1])
    # only 2 is shared: 1 / (max(1/3, 0) + max(3/3, 1/1) + max(0, 1/1))
    assert probability_jaccard(hash, weight, ends, a, b) == pytest.approx([1 / (1 / 3 + 1 + 1), 1])

    hash, weight, pointers = documents(5, [30, 50], 1, pool=100)
    rows = [dict(zip(hash[s].tolist(), weight[s].tolist(), strict=True)) for s in (slice(0, 30), slice(30, 80))]
    union, shared = rows[0].keys() | rows[1].keys(), rows[0].keys() & rows[1].keys()
    assert shared

    def most(g):
        return sum(max(r.get(h, 0) / r[g] for r in rows) for h in union)

    pair = np.array([0]), np.array([1])
    assert probability_jaccard(hash, weight, pointers, *pair) == pytest.approx([sum(1 / most(g) for g in shared)])


def licence_pairs():
    """Pairs of real licence texts, weighted by their own document frequencies and an uneven attention."""
    folder = Path(next(iter(find_spec("licensedcode").submodule_search_locations))) / "data" / "licenses"
    families = [sorted(folder.glob(f"{stem}*.LICENSE"))[:6] for stem in ("gpl-2", "bsd-", "cc-by-", "apache-1", "mit")]
    paths = [path for family in families for path in family]
    normalised = normalise(pl.Series([path.read_text(encoding="utf-8") for path in paths]))
    words = split_words(normalised)
    grams = shingle(normalised, words, 0)
    table = np.zeros(1 << 18, np.uint32)
    count_documents(table, grams.hash)
    attention = np.random.default_rng(3).gamma(2, 0.5, words.hash.size).astype(np.float32)
    span = grams.first_word, grams.last_word, grams.pointers
    weight = gram_weights(grams.hash, *span, attention, words.pointers, table, len(paths))
    for first in (i for i in range(len(paths) - 1) if i % 6 != 5):
        ends = grams.pointers[first : first + 3]
        own = slice(ends[0], ends[2])
        yield grams.hash[own], weight[own], ends - ends[0]


@pytest.mark.slow
def test_collision_rates_on_real_weighted_documents():
    pairs = list(licence_pairs())
    one, other = np.array([0]), np.array([1])
    deviation = {}
    for sketch, seeds in ((prob_minhash, 64), (icws, 16)):
        rate = np.empty(len(pairs))
        for p, pair in enumerate(pairs):  # seeds of their own keep pairs of one family independent
            rows = [sketch(*pair, seed=1000 * p + seed) for seed in range(seeds)]
            rate[p] = np.mean([row[0] == row[1] for row in rows])
        for measure in (probability_jaccard, weighted_jaccard):
            truth = np.array([measure(*pair, one, other)[0] for pair in pairs], float)
            sigma = np.sqrt((truth * (1 - truth)).sum() / (128 * seeds))
            deviation[sketch, measure] = (rate - truth).sum() / sigma
    assert abs(deviation[prob_minhash, probability_jaccard]) < 3
    assert abs(deviation[icws, weighted_jaccard]) < 3
    # the two similarities do differ here, so that the bounds above can fail
    assert abs(deviation[prob_minhash, weighted_jaccard]) > 6
    assert abs(deviation[icws, probability_jaccard]) > 6


@pytest.mark.parametrize("sketch", [prob_minhash, icws])
def test_sketch_depends_on_its_document_alone(sketch):
    hash, weight, pointers = documents(9, [1, 700, 30, 30, 513], 2)
    hash[pointers[3] : pointers[4]] = hash[pointers[2] : pointers[3]]
    weight[pointers[3] : pointers[4]] = weight[pointers[2] : pointers[3]]
    weight[0] = 1e-8
    weight[pointers[1] : pointers[2]] *= np.float32(1e6)
    rows = sketch(hash, weight, pointers)
    assert np.array_equal(rows[2], rows[3])
    for d in range(5):
        own = slice(pointers[d], pointers[d + 1])
        turned = sketch(hash[own][::-1].copy(), weight[own][::-1].copy(), np.array([0, own.stop - own.start]))
        assert np.array_equal(turned[0], rows[d])
    assert not np.array_equal(sketch(hash, weight, pointers, seed=1), rows)


def test_prob_minhash_does_not_see_the_scale_of_the_weights():
    hash, weight, pointers = documents(4, [300], 1)
    tiny = weight * np.float32(2.0**-20)
    assert np.array_equal(prob_minhash(hash, weight, pointers), prob_minhash(hash, tiny, pointers))


def test_formats_are_fixed():
    hash, weight, pointers = np.array([1, 2, 3], np.uint64), np.array([1, 2, 0.5], np.float32), np.array([0, 3])
    assert prob_minhash(hash, weight, pointers, 4)[0].tolist() == [2, 2, 1, 2]
    assert icws(hash, weight, pointers, 4)[0].tolist() == [2311081288, 1316297235, 3255317987, 1316297235]


def test_similarity_counts_equal_slots():
    one, other = np.array([[1, 2, 3, 4], [5, 6, 7, 8]], np.uint32), np.array([[1, 2, 4, 3], [5, 6, 7, 8]], np.uint32)
    assert similarity(one, other).tolist() == [0.5, 1.0]


@pytest.mark.parametrize("sketch", [prob_minhash, icws])
def test_unusable_batches_are_refused(sketch):
    hash, weight = np.array([1, 2], np.uint64), np.ones(2, np.float32)
    with pytest.raises(ValueError, match="without shingles"):
        sketch(hash, weight, np.array([0, 2, 2]))
    for bad in (0, -1, np.nan, np.inf):
        with pytest.raises(ValueError, match="weights must lie"):
            sketch(hash, np.array([1, bad], np.float32), np.array([0, 2]))
    with pytest.raises(ValueError, match="slots"):
        sketch(hash, weight, np.array([0, 2]), 1)
    assert sketch(hash[:0], weight[:0], np.array([0])).shape == (0, 128)
