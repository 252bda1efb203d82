"""What the machine needs at least for what the stages do: the least work of each, timed alone, in CPU seconds.

    python -m tests.benchmarks.speed.bounds FOLDER

prints rates as JSON, measured on documents of that corpus: every figure is the best of several runs on one thread. The
kernels keep nothing of what they compute, and look nothing up: no real stage can do its task with less.
"""

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import xxhash
from numba import njit

from models.bundle import load
from models.kernels.hashing import absorb, mix

DOCUMENTS = 5000
WIDTH = 5
REPEATS = 3
ODD = np.uint64(0x9E3779B97F4A7C15)


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds of the best of several runs; the first, which compiles, does not count."""
    work()
    best = float("inf")
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


@njit
def hash_words(data: np.ndarray, letter: np.ndarray, words: np.ndarray) -> int:
    """One pass over bytes: a hash per run of letters and digits."""
    count, state, inside = 0, ODD, False
    for byte in data:
        if letter[byte]:
            state, inside = absorb(state, np.uint64(byte)), True
        elif inside:
            words[count], state, inside = mix(state), ODD, False
            count += 1
    return count


@njit
def hash_grams(words: np.ndarray) -> np.uint64:
    """Every run of five words hashed once."""
    total = np.uint64(0)
    for first in range(words.size - WIDTH + 1):
        state = ODD
        for word in range(first, first + WIDTH):
            state = absorb(state, words[word])
        total ^= mix(state)
    return total


@njit
def hash_windows(codes: np.ndarray, width: int) -> np.uint64:
    """Every window of that many characters hashed once, rolling."""
    last, state, total = np.uint64(1), np.uint64(0), np.uint64(0)
    for _ in range(width):
        last *= ODD
    for at in range(codes.size):
        state = state * ODD + np.uint64(codes[at])
        if at >= width:
            state -= last * np.uint64(codes[at - width])
        total ^= mix(state)
    return total


@njit
def merge(one: np.ndarray, other: np.ndarray) -> int:
    """How many numbers two sorted lists share."""
    i, j, both = 0, 0, 0
    while i < one.size and j < other.size:
        both += one[i] == other[j]
        i, j = i + (one[i] <= other[j]), j + (other[j] <= one[i])
    return both


def rates(folder: Path) -> dict[str, float]:
    """CPU seconds per million characters, windows of text or bytes, as the names say."""
    paths = sorted(folder.glob("part-*.parquet"))
    table = pq.read_table(paths[0], columns=["text"]).slice(0, DOCUMENTS)
    texts = table["text"].to_pylist()
    plain = [text.encode() for text in texts]
    data, millions = np.frombuffer(b"\n".join(plain), np.uint8), sum(map(len, texts)) / 1e6
    codes = np.frombuffer("\n".join(texts).encode("utf-32-le"), np.uint32)
    letter = np.array([chr(byte).isalnum() or byte > 127 for byte in range(256)])
    words = np.empty(data.size, np.uint64)
    words = words[: hash_words(data, letter, words)]
    grams = np.sort(words)
    block, copy = np.ones(1 << 27, np.uint8), np.empty(1 << 27, np.uint8)
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "texts.parquet"
        write = seconds(lambda: pq.write_table(table, file, compression="zstd", compression_level=1))
        pa.set_cpu_count(1)
        read = seconds(lambda: pq.read_table(file, use_threads=False))
    buffer = np.empty(data.size, np.uint64)
    return {
        "read": read / millions,
        "write": write / millions,
        "xxh3": seconds(lambda: [xxhash.xxh3_128_digest(text) for text in plain]) / millions,
        "words": seconds(lambda: hash_words(data, letter, buffer)) / millions,
        "grams": seconds(lambda: hash_grams(words)) / millions,
        "windows": seconds(lambda: hash_windows(codes, 60)) / millions,
        "merge": seconds(lambda: merge(grams, grams)) / (2 * millions),
        "megabyte": seconds(lambda: np.copyto(copy, block)) / (block.size / 1e6),
        "student": student() * 1e6,
    }


def student(windows: int = 4096) -> float:
    """The student's matrix products per window of text, as a BLAS does them in one batch."""
    weights = load("default").student
    mean = np.ones((windows, weights.query.shape[0]), np.float32)
    inner = np.ones((windows, weights.inner_weight.shape[1]), np.float32)

    def products() -> None:
        for left, right in (
            (mean, weights.query),
            (mean, weights.inner_weight),
            (mean, weights.straight),
            (inner, weights.outer_weight),
        ):
            left @ right

    return seconds(products) / windows


def bounds(rate: dict[str, float], amount: dict[str, float]) -> dict[str, tuple[float, str]]:
    """For each stage the least CPU seconds for what it had to look at, and what they are spent on.

    Args:
        rate: what `rates` gives.
        amount: what `outcomes.amounts` gives.
    """
    text = {name: amount[name] / 1e6 for name in
            ("all", "distinct", "in play", "in pairs", "of all pairs", "searched")}  # fmt: skip
    split = rate["words"] + rate["grams"]

    def loaded(rows: str, size: int) -> float:
        return amount[f"{rows} rows"] * size / 1e6 * rate["read"]

    def stored(rows: str, size: int = 16) -> float:
        return amount[f"{rows} rows"] * size / 1e6 * rate["write"]

    def found(rows: str, size: int, pairs: str) -> float:
        return loaded(rows, size) + stored(pairs)

    return {
        "extract": (text["all"] * (rate["read"] + rate["xxh3"] + rate["write"]), "read, hash and write every byte"),
        "collapse": (loaded("documents", 32), "read a hash per document"),
        "count": (text["distinct"] * split, "hash every word and gram of distinct texts"),
        "prescreen": (text["distinct"] * split, "hash every word and gram of distinct texts"),
        "embed": (
            text["in play"] * rate["words"] + amount.get("windows", 0) / 1e6 * rate["student"],
            "hash every word in play; the student's matrix products",
        ),
        "sign": (text["in play"] * split, "hash every word and gram in play"),
        "block": (found("signatures", 8, "blocked"), "read the codes, write the pairs"),
        "band": (found("signatures", 224, "banded"), "read the bands, write the pairs"),
        "nest": (found("signatures", 256, "nested"), "read some 32 samples per document, write the pairs"),
        "route": (
            loaded("signatures", 512) + sum(loaded(pairs, 16) for pairs in ("blocked", "banded", "nested")),
            "read the sketches and the pairs of all routes",
        ),
        "describe": (text["in pairs"] * rate["words"], "hash every word of documents in pairs"),
        "verify": (
            text["in pairs"] * split + text["of all pairs"] * rate["merge"],
            "hash every word and gram of documents in pairs; merge the words of each pair",
        ),
        "settle": (loaded("verified", 24), "read the verified pairs"),
        "fragment": (text["searched"] * rate["windows"], "hash every window of what is searched"),
    }


def main() -> None:
    """Print the rates."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("folder", type=Path)
    print(json.dumps(rates(asked.parse_args().folder), indent=1))


if __name__ == "__main__":
    main()
