"""The Hamming join against faiss: `python -m tests.benchmarks.kernels.hamming_join [CODES] [QUERIES]`, one thread.

faiss compares every query with every code. Its time for all codes as queries is measured on QUERIES of them and
multiplied: its work per query does not depend on which ones they are. CPU seconds of the process throughout.
"""

import resource
import sys
import time
from collections.abc import Callable

import faiss
import numpy as np

from models.semantic.hamming.join import plan
from models.semantic.hamming.star import StarJoin, join

RADIUS = 8


def peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def clock(work: Callable[[], int]) -> tuple[int, float]:
    start = time.process_time()
    return work(), time.process_time() - start


def ours(codes: np.ndarray, threads: int = 1) -> int:
    return sum(a.size for a, _, _ in join(codes, RADIUS, threads=threads))


def theirs(index: faiss.IndexBinaryFlat, queries: np.ndarray) -> int:
    limits, _, _ = index.range_search(queries.view(np.uint8).reshape(-1, 8), RADIUS + 1)  # their radius is exclusive
    return int(limits[-1]) - queries.size  # less each query itself


def clustered(count: int, rng: np.random.Generator) -> np.ndarray:
    centres = np.repeat(rng.integers(0, 1 << 64, count // 10, dtype=np.uint64), 10)
    return centres ^ np.packbits(rng.random((count, 64)) < 0.05, axis=1, bitorder="little").view(np.uint64).ravel()


def against_faiss(name: str, codes: np.ndarray, queries: int) -> None:
    before = peak_mib()
    pairs, seconds = clock(lambda: ours(codes))
    grown = peak_mib() - before
    index = faiss.IndexBinaryFlat(64)
    index.add(codes.view(np.uint8).reshape(-1, 8))
    chosen = codes[np.random.default_rng(2).permutation(codes.size)[:queries]]
    found, sampled = clock(lambda: theirs(index, chosen))
    scaled = sampled * codes.size / chosen.size
    print(
        f"{name}: {codes.size:,} codes, {pairs:,} pairs within {RADIUS}: {seconds:.3f} s, memory +{grown:.0f} MiB\n"
        f"  faiss IndexBinaryFlat: {sampled:.2f} s for {chosen.size:,} queries, so {scaled:.1f} s for all codes: "
        f"{scaled / seconds:,.0f} times ours (its hits, scaled: {found * codes.size / chosen.size / 2:,.0f} pairs)"
    )


def near_copies(count: int, rng: np.random.Generator) -> np.ndarray:
    share = np.where(np.arange(64) < 6, 0.4, 0.02)
    return np.packbits(rng.random((count, 64)) < share, axis=1, bitorder="little").view(np.uint64).ravel()


def stars(name: str, codes: np.ndarray, crowd: int | None) -> None:
    star = StarJoin(codes, RADIUS, hot=40, representatives=3, crowd=crowd)
    pairs, seconds = clock(lambda: sum(a.size for a, _, _ in star))
    print(f"{name} {codes.size:>9,}: {seconds:7.3f} s, {pairs:,} pairs, {star.skipped:,} skipped, exact: {star.exact}")


if __name__ == "__main__":
    count, queries = (int(text) for text in [*sys.argv[1:], "1000000", "10000"][:2])
    faiss.omp_set_num_threads(1)
    rng = np.random.default_rng(1)
    ours(clustered(1000, rng))  # compile or load
    sum(1 for _ in StarJoin(near_copies(3000, rng), RADIUS, hot=40, representatives=3, crowd=100))
    against_faiss("uniform", rng.integers(0, 1 << 64, count, dtype=np.uint64), queries)
    against_faiss("clustered", clustered(100_000, rng), queries)
    for size in (10_000, 100_000, 1_000_000, 4_000_000):
        codes = rng.integers(0, 1 << 64, size, dtype=np.uint64)
        pairs, seconds = clock(lambda codes=codes: ours(codes))
        blocks = " ".join(f"{block.width}~{block.radius}" for block in plan(size, RADIUS))
        print(f"uniform {size:>9,}: {seconds:7.3f} s, {pairs:,} pairs, blocks {blocks}")
    for size in (10_000, 100_000, 1_000_000):
        stars("equal      ", np.full(size, 7, np.uint64), None)
    for size in (10_000, 30_000, 100_000):
        stars("near copies", near_copies(size, rng), 1000)
    codes = rng.integers(0, 1 << 64, 4_000_000, dtype=np.uint64)
    for threads in (1, 2):
        start = time.perf_counter()
        ours(codes, threads)
        print(f"uniform 4,000,000 on {threads} threads: {time.perf_counter() - start:.2f} s elapsed")
