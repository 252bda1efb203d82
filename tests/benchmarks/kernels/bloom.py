"""Bloom filter: false positives at the design load, and rates of one thread.

python -m tests.benchmarks.kernels.bloom [SHINGLES]
"""

import sys
import time

import numpy as np

from models.lexical.sketch.bloom import TwoGenerationBloom, fpr


def measure(shingles: int, again: float) -> str:
    rng = np.random.default_rng(1)
    drawn = rng.integers(0, 1 << 64, shingles, dtype=np.uint64)
    repeats = int(shingles * again)
    stream = np.concatenate([drawn, drawn[:repeats]])
    bloom = TwoGenerationBloom(shingles)
    start = time.process_time()
    bloom.insert(stream)
    inserted = time.process_time()
    answer = bloom.seen_again(drawn)
    asked = time.process_time()
    assert answer[:repeats].all()
    once = answer[repeats:].mean() if repeats < shingles else float("nan")
    return (
        f"{shingles:>11,} {again:>6.0%} {bloom.memory_bytes / 2**20:>9,.0f} {once:>10.5f} "
        f"{bloom.seen_again(rng.integers(0, 1 << 64, 2_000_000, dtype=np.uint64)).mean():>10.5f} "
        f"{bloom.false_positive_rate():>10.5f} {fpr(7, 1, 16):>10.5f} "
        f"{stream.size / (inserted - start) / 1e6:>9.0f} {shingles / (asked - inserted) / 1e6:>9.0f}"
    )


if __name__ == "__main__":
    largest = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000_000
    TwoGenerationBloom(8).insert(np.arange(2, dtype=np.uint64))
    TwoGenerationBloom(8).seen_again(np.arange(2, dtype=np.uint64))
    print("   shingles repeated    MiB  FPR once  FPR never   estimated  eq:bloom  M ins/s   M ask/s")
    for count in (largest // 100, largest // 10, largest):
        for share in (0.0, 0.4, 1.0):
            print(measure(count, share))
