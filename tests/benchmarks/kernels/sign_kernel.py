"""Time signing on one thread beside datasketch, and compare collision rates with the exact similarities.

Documents are pieces of about 3 kB of the licence texts inside `licensedcode-data`; everything is CPU seconds of one
thread, best of several runs, all in this one process.

    python -m tests.benchmarks.kernels.sign_kernel [--documents N]
"""

import argparse
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import polars as pl
from datasketch import MinHash
from numba import njit

from models.lexical.sketch.banding import bands
from models.lexical.sketch.shingles import Shingles, hash_grams, shingle
from models.lexical.sketch.weighted_minhash import icws, prob_minhash, probability_jaccard, similarity, weighted_jaccard
from models.lexical.sketch.weights import count_documents, gram_weights
from models.lexical.text import Words, normalise, split_words

PIECE = 3000
SLOTS = 128


def licence_pieces(documents: int) -> pl.Series:
    """Cut licence texts into pieces of PIECE characters."""
    folder = Path(next(iter(find_spec("licensedcode").submodule_search_locations))) / "data"
    pieces: list[str] = []
    for path in sorted([*folder.glob("licenses/*.LICENSE"), *folder.glob("rules/*.RULE")]):
        text = path.read_text(encoding="utf-8").split("---\n", 2)[-1]
        pieces += [text[at : at + PIECE] for at in range(0, len(text) - PIECE, PIECE)]
        if len(pieces) >= documents:
            break
    return pl.Series(pieces[:documents])


def gram_texts(texts: pl.Series) -> pl.Series:
    """The text of every distinct gram of every document, in the order of its shingles."""
    normalised = normalise(texts)
    words = split_words(normalised)
    grams = shingle(normalised, words, 0)
    first = words.start[np.repeat(words.pointers[:-1], np.diff(grams.pointers)) + grams.first_word]
    last = words.end[np.repeat(words.pointers[:-1], np.diff(grams.pointers)) + grams.last_word]
    return pl.Series([normalised.codes[a:b].tobytes().decode("utf-32-le") for a, b in zip(first, last, strict=True)])


def seconds(work: Callable[[], object], repeats: int = 5) -> float:
    """Return the CPU seconds of the best run; the first, which compiles, does not count."""
    work()
    best = float("inf")
    for _ in range(repeats):
        start = time.thread_time()
        work()
        best = min(best, time.thread_time() - start)
    return best


@njit(cache=True)
def touch(values: np.ndarray) -> np.uint64:
    """Read every value once."""
    total = np.uint64(0)
    for value in values:
        total += value
    return total


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=4000)
    texts = licence_pieces(parser.parse_args().documents)
    n = len(texts)
    size = texts.str.len_bytes().sum()

    def cut() -> tuple[Words, Shingles]:
        normalised = normalise(texts)
        words = split_words(normalised)
        return words, shingle(normalised, words, 320)

    words, grams = cut()
    attention = np.random.default_rng(0).gamma(4, 0.25, words.hash.size).astype(np.float32)
    table = np.zeros(1 << 22, np.uint32)
    count_documents(table, grams.hash)

    def weigh(words: Words, grams: Shingles) -> np.ndarray:
        span = grams.first_word, grams.last_word, grams.pointers
        return gram_weights(grams.hash, *span, attention, words.pointers, table, n)

    weight = weigh(words, grams)
    batch = grams.hash, weight, grams.pointers

    def from_text() -> np.ndarray:
        words, grams = cut()
        return prob_minhash(grams.hash, weigh(words, grams), grams.pointers, SLOTS)

    sketch = prob_minhash(*batch, SLOTS)
    counts = np.full(n, 28, np.int32)
    some = min(n, 500)
    rows = [grams.hash[a:b] for a, b in zip(grams.pointers[:some], grams.pointers[1:], strict=False)]
    as_bytes = [[h.tobytes() for h in row] for row in rows]
    as_numbers = [(row >> np.uint64(32)).tolist() for row in rows]

    def datasketch(shingles: list[list], **options: object) -> None:
        for row in shingles:
            MinHash(SLOTS, **options).update_batch(row)

    print(f"{n} documents, {size / n:.0f} bytes and {grams.hash.size / n:.0f} distinct shingles each, m = {SLOTS}\n")
    told = gram_texts(texts)
    room = np.empty(words.hash.size - 4, np.uint64)
    repeated = room.size / grams.hash.size
    timed = {
        "bound: text of every gram hashed once (polars)": seconds(told.hash) / n,
        "bound: word hashes of every gram mixed once": seconds(lambda: hash_grams(words.hash, np.uint64(5), 5, room))
        / n
        / repeated,
        "bound: hashes and weights read from memory": seconds(lambda: (touch(grams.hash), touch(weight))) / n,
        "prob_minhash: shingles + weights to sketches": seconds(lambda: prob_minhash(*batch, SLOTS)) / n,
        "gram_weights": seconds(lambda: weigh(words, grams)) / n,
        "bands (28 x 4)": seconds(lambda: bands(sketch, counts, 4)) / n,
        "normalise, words, shingles": seconds(cut) / n,
        "raw text to sketches": seconds(from_text) / n,
        "icws: shingles + weights to sketches": seconds(lambda: icws(*batch, SLOTS), 2) / n,
        "datasketch, shingles as bytes": seconds(lambda: datasketch(as_bytes)) / some,
        "datasketch, shingles hashed beforehand": seconds(
            lambda: datasketch(as_numbers, hashfunc=lambda number: number), 3
        )
        / some,
    }
    kernel = timed["prob_minhash: shingles + weights to sketches"]
    print(f"{'':46}{'us/doc':>10}{'docs/s':>12}{'prob_minhash is':>18}")
    for name, each in timed.items():
        print(f"{name:46}{each * 1e6:10.2f}{1 / each:12,.0f}{each / kernel:17.1f}x")
    text, mixed = list(timed.values())[:2]
    print(f"\nprob_minhash takes {kernel / text:.2f} times as long as hashing the text of every distinct gram once,")
    print(f"{kernel / mixed:.2f} times as long as mixing the five word hashes of each, which vector registers do")
    collisions(*batch)


def collisions(hash: np.ndarray, weight: np.ndarray, pointers: np.ndarray) -> None:
    """Print how far collision rates lie from J_P and J_w over the most similar neighbours, in binomial sigmas."""
    first = np.arange(0, pointers.size - 2)
    similar = weighted_jaccard(hash, weight, pointers, first, first + 1)
    first = first[(similar > 0.02) & (similar < 0.98)][:200]
    pairs = []
    for d in first:
        ends = pointers[d : d + 3]
        pairs.append((hash[ends[0] : ends[2]], weight[ends[0] : ends[2]], ends - ends[0]))
    print(f"\n{len(pairs)} pairs of neighbouring documents, deviation of the collision rate in sigmas")
    print(f"{'':14}{'slots':>7}{'rate':>9}{'J_P':>9}{'J_w':>9}{'from J_P':>10}{'from J_w':>10}{'worst pair':>12}")
    one, other = np.array([0]), np.array([1])
    exact = [
        np.array([measure(*pair, one, other)[0] for pair in pairs], float)
        for measure in (probability_jaccard, weighted_jaccard)
    ]
    for sketch, seeds, own in ((prob_minhash, 100, 0), (icws, 20, 1)):
        rate = np.empty(len(pairs))
        for p, pair in enumerate(pairs):
            rows = [sketch(*pair, SLOTS, 1000 * p + seed) for seed in range(seeds)]
            rate[p] = np.mean([similarity(row[:1], row[1:])[0] for row in rows])
        draws = SLOTS * seeds
        off = [(rate - j).sum() / np.sqrt((j * (1 - j)).sum() / draws) for j in exact]
        worst = np.abs((rate - exact[own]) / np.sqrt(exact[own] * (1 - exact[own]) / draws)).max()
        means = f"{rate.mean():9.4f}{exact[0].mean():9.4f}{exact[1].mean():9.4f}"
        print(f"{sketch.__name__:14}{draws:7}{means}{off[0]:10.2f}{off[1]:10.2f}{worst:12.2f}")


if __name__ == "__main__":
    main()
