"""Candidate search among very many near-copies of one text: time and pairs must grow with the copies, not their square.

Each copy differs from the others in a few words; their vectors are faked by tiny steps away from one vector, so that
nothing has to be encoded. Signing, the three routes and their union run as in a curation, contracts included.

    python -m tests.benchmarks.kernels.hot_bucket [--copies N ...] [--threads T]
"""

import argparse
import tempfile
import time
from pathlib import Path

from tasks.candidates.containment_sampling import nest
from tasks.candidates.hamming_blocking import block
from tasks.candidates.lsh_banding import band
from tasks.candidates.merge import route
from tasks.encode.signatures import sign
from tasks.ingest.document_frequencies import count
from tasks.runtime.memory import peak_memory_mb, reset_peak_memory
from tasks.runtime.run import Run
from tasks.storage.tables import about
from tests.support.texts.near_copies import near_copies, tables_of

CORPUS = 10
"""The corpus is this many times the copies: shingles that stand in every document weigh nothing."""
STAGES = ("sign", "block", "band", "nest", "route")


def timed(copies: int, threads: int) -> dict[str, float]:
    """Seconds and pairs by stage."""
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        run = Run(workspace=Path(folder), threads=threads)
        documents, none, screened, embeddings = tables_of(run, near_copies(copies))
        counted = count.fn(run, documents, none)
        counted = counted._replace(rows=CORPUS * copies)
        reset_peak_memory()

        def measured(name, stage, *inputs):
            start = time.perf_counter()
            made = stage.fn(run, *inputs)
            found[name] = time.perf_counter() - start
            found[f"{name} pairs"] = about(made)["counts"].get("pairs_out", 0)
            return made

        signed = measured("sign", sign, documents, screened, counted, embeddings)
        routes = [
            measured(name, stage, documents, signed)
            for name, stage in (("block", block), ("band", band), ("nest", nest))
        ]
        measured("route", route, documents, signed, *routes)
        found["peak MB"] = peak_memory_mb()
    return found


def main() -> None:
    """Print a table."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--copies", type=int, nargs="+", default=[10_000, 30_000, 100_000])
    arguments.add_argument("--threads", type=int, default=2)
    given = arguments.parse_args()
    timed(200, given.threads)  # compiles
    print(f"{'copies':>8}" + "".join(f"{name:>9} s{'pairs':>12}" for name in STAGES) + f"{'peak MB':>9}")
    for copies in given.copies:
        found = timed(copies, given.threads)
        cells = "".join(f"{found[name]:>11.2f}{found[f'{name} pairs']:>12,}" for name in STAGES)
        print(f"{copies:>8,}{cells}{found['peak MB']:>9,.0f}", flush=True)


if __name__ == "__main__":
    main()
