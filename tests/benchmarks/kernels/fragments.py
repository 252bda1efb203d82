"""Speed and memory of the fragment search on real text, beside its bounds and a bare suffix array.

    python -m tests.benchmarks.kernels.fragments [--megabytes 200] [--memory-limit 4GB] [PARQUET ...]

Without files it takes the licence texts of the package `licensedcode-data`, which repeat far more than most text. Exact
copies are left out first, as in a run. Every step is a process of its own, so that it has a peak of its own, and runs
on one thread; MB are 10^6 bytes of UTF-8.

Steps: the search of `tasks/resolve/fragments/stage.py` as a run makes it, both readings of the texts included; what
no search that looks at every window can do without; divsufsort and Kasai's LCP over the same text; the search in
shards, and over 10 MB against one suffix array over all of it, unfiltered; texts that are large or shared beyond
measure.
"""

import argparse
import resource
import tempfile
import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import files
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

PART = 4096
REFERENCE_MEGABYTES = 10


def read(paths: list[Path], megabytes: float) -> pl.Series:
    if paths:
        texts = pl.concat([pl.read_parquet(path, columns=["text"])["text"] for path in paths])
    else:
        licences = [file for file in files("licensedcode-data") or [] if file.suffix in {".LICENSE", ".RULE"}]
        texts = pl.Series([Path(str(file.locate())).read_text("utf-8", "replace") for file in licences])
    texts = texts.drop_nulls().unique(maintain_order=True)
    return texts.head(int((texts.str.len_bytes().cum_sum() <= megabytes * 1e6).sum()))


def noise(words: int, seed: int) -> list[str]:
    rng = np.random.default_rng(seed)
    lengths = rng.integers(2, 10, words)
    letters = "".join(map(chr, rng.integers(97, 123, int(lengths.sum()))))
    ends = np.cumsum(lengths)
    return [letters[end - length : end] for end, length in zip(ends, lengths, strict=True)]


def one_large(_paths: list[Path], _megabytes: float) -> pl.Series:
    """A book of 50 MB, and four others that hold every tenth of its pages."""
    words = noise(7_700_000, 1)
    pages = [" ".join(words[at : at + 300]) for at in range(0, len(words), 300)]
    return pl.Series([" ".join(pages), *(" ".join([f"volume {seed}", *pages[::10]]) for seed in range(4))])


def shared_by_all(_paths: list[Path], _megabytes: float) -> pl.Series:
    """100,000 documents with one notice of 300 characters, each between words of its own."""
    words = noise(100_000 * 40, 2)
    notice = " ".join(noise(45, 3))
    own = (words[at : at + 40] for at in range(0, len(words), 40))
    return pl.Series([" ".join([*some[:20], notice, *some[20:]]) for some in own])


def one_character(_paths: list[Path], _megabytes: float) -> pl.Series:
    """Five rulers of 2 MB."""
    return pl.Series([f"{name} " + "-" * 2_000_000 for name in ("one", "two", "three", "four", "five")])


def searched(texts: pl.Series, limit: str) -> tuple[pl.DataFrame, pl.DataFrame, dict[str, float]]:
    """Passages, places and the CPU seconds of each step."""
    import tasks.resolve.fragments.stage as stage
    from models.lexical.fragments.repeats import WindowCounts
    from tasks.runtime.run import Run

    seconds: dict[str, float] = {}

    def time_of(owner: Any, name: str, label: str) -> None:
        call = getattr(owner, name)

        def timed(*arguments: Any) -> Any:
            began = time.process_time()
            result = call(*arguments)
            seconds[label] = seconds.get(label, 0) + time.process_time() - began
            return result

        setattr(owner, name, timed)

    frame = pl.DataFrame({"doc": np.arange(len(texts)), "text": texts})
    batches = [stage.Batch(partial(frame.slice, at, PART)) for at in range(0, len(texts), PART)]
    run = Run(workspace=Path(tempfile.gettempdir()), memory_limit=limit)
    few = pl.DataFrame(
        {"doc": range(6), "text": [f"{number} {'one passage for all of them ' * 9}" for number in range(6)]}
    )
    stage.search(run, [stage.Batch(lambda: few)], 10**6)  # compiles
    for name, label in (
        ("normalise", "normalise"),
        ("split_words", "words"),
        ("fragments_in", "suffixes, shared lengths, passages"),
    ):
        time_of(stage, name, label)
    time_of(WindowCounts, "add", "count windows")
    time_of(WindowCounts, "regions", "keep what can repeat")
    began = time.process_time()
    passages, places = stage.search(run, batches, int(texts.str.len_chars().cast(pl.Int64).sum()))
    seconds["all"] = time.process_time() - began
    return passages, places, seconds


def search(texts: pl.Series, limit: str) -> dict[str, float]:
    passages, places, seconds = searched(texts, limit)
    facts = {
        "fragments": passages.height,
        "occurrences": places.height,
        "their code points": int((places["end"] - places["start"]).sum()),
        "digest": int(places.hash_rows().sum() % 2**32 + passages.hash_rows().sum() % 2**32),
    }
    return {f"{label}, CPU s": value for label, value in seconds.items()} | facts


def bounds(texts: pl.Series, _limit: str) -> dict[str, float]:
    from models.lexical.fragments.repeats import BLOCK, _sampled
    from models.lexical.text import normalise

    data = np.frombuffer(b"".join(texts.cast(pl.Binary).to_list()), np.uint8)
    codes = normalise(texts).codes
    positions, slots = np.empty(BLOCK + 1, np.int64), np.empty(BLOCK + 1, np.int64)

    def hash_windows() -> None:
        for at in range(0, len(codes) - BLOCK - 30, BLOCK):
            _sampled(codes, at, at + BLOCK, 30, 2, 1 << 25, positions, slots)

    target = np.empty(len(codes) // 2, np.uint32)
    measured = {}
    for label, call in (
        ("read every byte once", lambda: data.sum(dtype=np.uint64)),
        ("hash every window once", hash_windows),
        ("copy 2 bytes per code point", lambda: np.copyto(target, codes[: len(target)])),
    ):
        call()
        began = time.process_time()
        call()
        measured[f"{label}, CPU s"] = time.process_time() - began
    return measured


def bare(texts: pl.Series, _limit: str) -> dict[str, float]:
    """One suffix array and its LCP over the bytes of all texts."""
    from pydivsufsort import divsufsort, kasai

    data = np.frombuffer(b"\0".join(texts.cast(pl.Binary).to_list()), np.uint8).copy()
    began = time.process_time()
    order = divsufsort(data)
    sorted_at = time.process_time()
    kasai(data, order)
    ended = time.process_time()
    return {"divsufsort, CPU s": sorted_at - began, "kasai, CPU s": ended - sorted_at, "all, CPU s": ended - began}


def equality(texts: pl.Series, limit: str) -> dict[str, float]:
    """The search against one suffix array over everything: no filter, no shards, every position asked."""
    from models.lexical.text import normalise, split_words
    from tests.support.texts.whole_suffixes import reference, whole_texts

    texts = texts.head(int((texts.str.len_bytes().cum_sum() <= REFERENCE_MEGABYTES * 1e6).sum()))
    passages, places, _ = searched(texts, limit)
    hosts = places.join(passages.select("fragment", "hosts"), on="fragment", maintain_order="left")
    found = sorted(hosts.select("doc", "start", "end", "hosts").rows())
    normalised = normalise(texts)
    expected = reference(whole_texts(normalised, split_words(normalised), 60), 60, 5)
    return {"spans of the search": len(found), "spans of the reference": len(expected), "equal": found == expected}


def alone(make: Callable, step: Callable, paths: list[Path], megabytes: float, limit: str, answers: Any) -> None:
    texts = make(paths, megabytes)
    facts = step(texts, limit)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
    answers.put((int(texts.str.len_bytes().sum()) / 1e6, len(texts), facts | {"peak of the process, MB": peak}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--megabytes", type=float, default=200)
    parser.add_argument("--memory-limit", default="4GB")
    options = parser.parse_args()
    processes = get_context("spawn")
    for title, make, step, limit in (
        ("search", read, search, options.memory_limit),
        ("bounds", read, bounds, options.memory_limit),
        ("bare suffix array and LCP", read, bare, options.memory_limit),
        ("search at a limit of 500 MB: in shards", read, search, "500MB"),
        (f"equality, first {REFERENCE_MEGABYTES} MB", read, equality, options.memory_limit),
        ("one document of 50 MB", one_large, search, options.memory_limit),
        ("a passage in 100,000 documents", shared_by_all, search, options.memory_limit),
        ("one character", one_character, search, options.memory_limit),
    ):
        answers = processes.Queue()
        child = processes.Process(target=alone, args=(make, step, options.paths, options.megabytes, limit, answers))
        child.start()
        megabytes, texts, facts = answers.get()
        child.join()
        print(f"{title}: {texts:,} texts, {megabytes:.1f} MB")
        for label, value in facts.items():
            speed = f"{megabytes / max(value, 1e-9):9.1f} MB/s" if label.endswith("CPU s") else ""
            print(f"  {label:45} {value:14,.2f}{speed}" if isinstance(value, float) else f"  {label:45} {value!s:>14}")


if __name__ == "__main__":
    main()
