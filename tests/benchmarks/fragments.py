"""Speed and memory of the fragment search on real text.

    python tests/benchmarks/fragments.py [--min-chars 60] [--min-hosts 5] [PARQUET with a column "text" ...]

Without files it takes the licence texts of the package `licensedcode-data`, which repeat far more than most text. Exact
copies are left out first, as in a run. Everything runs on one thread; MB are 10^6 bytes of UTF-8.
"""

import argparse
import resource
import sys
import time
from collections.abc import Callable
from importlib.metadata import files
from pathlib import Path
from typing import Any

import polars as pl

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from models.lexical.fragments import fragments_in
from models.lexical.repeats import WindowCounts, join_regions
from models.lexical.text import normalise, split_words

PART = 2000


def read(paths: list[Path]) -> pl.Series:
    if paths:
        texts = pl.concat([pl.read_parquet(path, columns=["text"])["text"] for path in paths])
    else:
        licences = [file for file in files("licensedcode-data") or [] if file.suffix in {".LICENSE", ".RULE"}]
        texts = pl.Series([Path(str(file.locate())).read_text("utf-8", "replace") for file in licences])
    return texts.drop_nulls().unique(maintain_order=True)


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def search(texts: pl.Series, min_chars: int, min_hosts: int) -> tuple[dict[str, float], dict[str, int]]:
    seconds: dict[str, float] = {}

    def timed(step: str, call: Callable[..., Any], *arguments: Any) -> Any:
        began = time.process_time()
        result = call(*arguments)
        seconds[step] = seconds.get(step, 0) + time.process_time() - began
        return result

    def parts() -> Any:
        for first in range(0, len(texts), PART):
            normalised = timed("normalise (twice)", normalise, texts[first : first + PART])
            yield first, normalised

    counts = WindowCounts(int(texts.str.len_chars().cast(pl.Int64).sum()), min_chars, min_hosts)
    for first, normalised in parts():
        timed("count windows", counts.add, normalised, first)
    kept = []
    for first, normalised in parts():
        words = timed("words", split_words, normalised)
        kept.append(timed("keep regions", counts.regions, normalised, words, first))
    regions = join_regions(kept)
    before = peak_mb()
    found = timed("suffix array and fragments", fragments_in, regions, min_chars, min_hosts)
    return seconds, {
        "table, bytes": counts.memory,
        "regions, code points": len(regions.codes) - len(regions.doc),
        "added to the peak by the suffix array, bytes": int((peak_mb() - before) * 2**20),
        "fragments": len(found.hosts),
        "occurrences": len(found.doc),
        "code points covered": int((found.end - found.start).sum()),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--min-chars", type=int, default=60)
    parser.add_argument("--min-hosts", type=int, default=5)
    options = parser.parse_args()
    texts = read(options.paths)
    search(texts[:200], options.min_chars, options.min_hosts)  # compiles
    start = peak_mb()
    seconds, facts = search(texts, options.min_chars, options.min_hosts)
    megabytes = int(texts.str.len_bytes().sum()) / 1e6
    own = sum(value for step, value in seconds.items() if not step.startswith(("normalise", "words")))
    print(f"{len(texts)} different texts, {megabytes:.1f} MB")
    for step, value in seconds.items():
        print(f"{step:45} {value:8.2f} CPU s {megabytes / max(value, 1e-9):8.1f} MB/s")
    print(f"{'without normalisation and words':45} {own:8.2f} CPU s {megabytes / own:8.1f} MB/s")
    for fact, number in facts.items():
        print(f"{fact:45} {number:14,d}")
    print(f"{'peak memory above texts and imports':45} {peak_mb() - start:8.1f} MiB")


if __name__ == "__main__":
    main()
