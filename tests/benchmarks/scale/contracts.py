"""What the contracts of a run cost, in CPU seconds: those of a finished `curate`, held again over the same tables.

    python -m tests.benchmarks.scale.contracts OUT

OUT is the folder of snapshots, its workspace in it; both are only read. Each contract is held in turn, counted in SQL
and judged by Great Expectations, whose import stands apart. The last lines are the page of Data Docs and the sum.
"""

import argparse
import json
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from data_contracts.contracts import CONTRACTS, SURVIVORS
from data_contracts.data_docs import data_docs
from data_contracts.gx import Verdict, library, validate
from models.decision.types import KNOWN_OF_DECISIONS, KNOWN_OF_PAIRS
from models.parameters import Parameters
from tasks.pipeline.registry import STAGES
from tasks.publish.restored_texts import restored_texts
from tasks.quality.enforce_contracts import RECORD, bounds
from tasks.remote.object_mirror import DONE
from tasks.runtime.run import Run
from tasks.snapshots.build import Snapshot
from tasks.snapshots.layout import manifest, published
from tasks.storage.tables import sealed
from tasks.storage.work import passing


def main() -> None:
    """Time the contracts of a run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    out: Path = parser.parse_args().out
    snapshot = published(out)
    places = tables(out / "workspace" / "tables")
    spent: dict[str, float] = {}

    def timed(name: str, work: Callable[[], Any]) -> Any:
        start = time.process_time()
        made = work()
        spent[name] = time.process_time() - start
        print(f"{name:<30}{spent[name]:6.2f}", flush=True)
        return made

    timed("import of Great Expectations", library)
    with tempfile.TemporaryDirectory() as workspace:
        run = Run(workspace=Path(workspace), parameters=Parameters(**manifest(snapshot)["parameters"]))
        facts = bounds(run) | facts_of(places)
        verdicts: list[Verdict] = []
        refs = {name: sealed(Path(place).parent) for name, place in places.items()}
        with passing(run, "gate", "tasks.publish.gate:gate") as work:
            written = Snapshot(snapshot.name, snapshot, stands=True)
            counted = timed("texts put together again", lambda: restored_texts(work, refs, written, None))
            kept = Path(workspace) / "restored.parquet"
            shutil.move(counted, kept)
        for name, contract, given, known in asked(places | {"restored": str(kept)}, snapshot):
            with run.connect() as con:
                verdicts.append(timed(name, lambda: validate(contract, con, given, facts | known)))  # noqa: B023
    timed("page of Data Docs", lambda: data_docs("", verdicts))
    print(f"{'all':<30}{sum(spent.values()):6.2f}")
    broken = [verdict.suite for verdict in verdicts if not verdict.passed]
    print(f"{len(verdicts)} contracts held" if not broken else f"broken: {', '.join(broken)}")


def tables(folder: Path) -> dict[str, str]:
    """Patterns of the finished tables of a workspace, by name; of several of a name the newest."""
    found = sorted((path.parent for path in folder.glob(f"*/{DONE}")), key=lambda path: path.stat().st_mtime_ns)
    return {path.name.rpartition("-")[0]: f"{path}/part-*.parquet" for path in found}


def facts_of(places: dict[str, str]) -> dict[str, Any]:
    """What stages tell their contracts beside the parameters."""
    read = json.loads((Path(places["documents"]).parent / DONE).read_text())["facts"]["input_rows"]
    return {
        "input_rows": read,
        "least_documents": 1,
        "deletions_meant": False,
        "id_column": "doc_id",
    }


def asked(places: dict[str, str], snapshot: Path) -> list[tuple[str, Any, dict[str, Any], dict[str, Any]]]:
    """Contracts of the run in their order: name, contract, the tables that it reads, and the words that they may hold.

    Those whose table has a verdict are those that the run held.
    """
    found = []
    for row in STAGES:
        made = [Path(places[name]).parent / RECORD for name in row.names if name in places]
        if row.contract is None or not any(path.exists() for path in made):
            continue
        known = KNOWN_OF_DECISIONS if row.contract.name == "decisions" else KNOWN_OF_PAIRS
        given = places | ({SURVIVORS.name: places[row.names[0]]} if row.contract == SURVIVORS else {})
        found.append((row.name, row.contract, given, known))
    ours = {name: f"{snapshot}/{name}/*.parquet" for name in ("decisions", "fragment_spans", "conservation")}
    texts = sorted(map(str, (snapshot / "documents").glob("*.parquet")))
    last = places | ours | {"published": f"{snapshot}/documents/*.parquet", "published_tonight": texts}
    return [*found, ("gate", CONTRACTS["snapshot"], last, {})]


if __name__ == "__main__":
    main()
