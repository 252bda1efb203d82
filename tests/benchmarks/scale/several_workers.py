"""What more workers cost, and whether they make the same bytes: a table of finished runs beside one in one process.

    python -m tests.benchmarks.common.processes LOG python -m flows curate CORPUS --out OUT \\
        [--runner processes --threads N] > OUT.json
    python -m tests.benchmarks.scale.several_workers ALONE N=OUT...

ALONE is what a run in one process left, with its workspace, each OUT what one with N workers left; OUT.json is what the
whole processes cost, server included. Ends with 1 if a file of a table differs, or a published one.
"""

import argparse
import hashlib
import json
import sys
from pathlib import Path

from tasks.plan.costs import taken
from tasks.snapshots.layout import published

HEAD = (
    "| workers | CPU s of all processes | times one process | CPU s of the process of the run | share | its peak, MB "
    "| a worker's peak, MB | longest part, share of all | other bytes |\n| ---: |" + " ---: |" * 8
)


def hashes(out: Path) -> dict[str, str]:
    """Digest of each file of the tables and of what was published but for times, by table and name."""
    made, shown = (out / "workspace").glob("tables/*/[!_]*"), published(out).glob("[!s]*/*.parquet")
    found = {f"{path.parent.name.partition('-')[0]}/{path.name}": path for path in made}
    found |= {f"published {path.parent.name}/{path.name}": path for path in shown}
    return {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in sorted(found.items())}


def row(name: str, out: Path, alone: Path) -> tuple[str, int]:
    """Line on a run, and how many files are others than those of the run in one process."""
    run, (whole, one) = taken(out), (json.loads(at.with_name(f"{at.name}.json").read_text()) for at in (out, alone))
    own = json.loads((published(out) / "manifest.json").read_text())["cpu_seconds"]
    stages = run.stages.values()
    here, there = hashes(out), hashes(alone)
    other = sum(here.get(file) != there.get(file) for file in here.keys() | there.keys())
    cells = [
        name,
        f"{whole['cpu']:.0f}",
        f"{whole['cpu'] / one['cpu']:.2f}",
        f"{own:.0f}",
        f"{own / whole['cpu']:.0%}",
        f"{max(stage.memory_mb for stage in stages):,.0f}",
        f"{max(stage.worker_mb for stage in stages):,.0f}",
        f"{max(stage.longest for stage in stages) / whole['cpu']:.1%}",
        f"{other} of {len(here)} files",
    ]
    return f"| {' | '.join(cells)} |", other


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("alone", type=Path)
    parser.add_argument("several", nargs="+", metavar="N=OUT")
    given = parser.parse_args()
    print(HEAD)
    differ = 0
    for name, out in [
        ("none", given.alone),
        *((n, Path(out)) for n, _, out in (one.partition("=") for one in given.several)),
    ]:
        line, other = row(name, out, given.alone)
        print(line)
        differ += other
    return int(differ > 0)


if __name__ == "__main__":
    sys.exit(main())
