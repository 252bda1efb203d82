"""Fault × stage: what befalls a run and what the next one makes of it, written as docs/faults.md.

    python tests/e2e/faults.py [--flow curate] [--page docs/faults.md]

Every cell starts from the same state, a published snapshot of a part of a small corpus, and runs the flow on top of it.
Something befalls that run, or what it left; then the run is called again. It must end with the bytes of a run that
nothing befell, make no finished table again, and leave nothing lying about. Ends with 1 where it does not.
"""

import argparse
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.e2e import served, single
from tests.e2e.lab import Lab
from tests.e2e.night import NIGHTS, corpus
from tests.e2e.single import Matrix

INTRODUCTION = """# What happens when something goes wrong

`make faults` made this page: {seconds:.0f} s, {documents} documents. A cell says what finishes the work after a fault
(a column) at a point of the run (a row). Where nothing is in **bold**, the published tables have the bytes of an
undisturbed run, no finished stage was repeated but those named, nothing was left lying about, and readers of `current`
saw the snapshot before or the one after at any moment.

- A row with the name of a table: shortly before that table is finished; for damage: shortly after. The other rows are
  the steps of publishing.
- Power cut: files that were never synced keep their name and lose their content.
- Full disk: not one byte is free from that point on; there is room again before the next run. A run that frees some
  itself may go on for a while.
- Damage is done to the largest file of the table.
- Under a server: `retry` is `prefect flow-run retry`; the place of a run that gives no sign of life is free again after
  a minute here, after five by default.
"""


def main() -> None:
    """Fill both tables for each flow and write the page."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--flow", choices=NIGHTS, action="append", help="only this flow; may be given several times")
    asked.add_argument("--page", type=Path, default=Path("docs/faults.md"), help="where the page goes")
    given = asked.parse_args()
    flows = given.flow or list(NIGHTS)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="semhash-faults-") as name, ThreadPoolExecutor() as pool:
        documents = corpus(Path(name) / "corpus")
        alone, under = ({flow: Lab(Path(name) / f"{flow}-{way}", flow) for flow in flows} for way in ("alone", "under"))
        for lab in [*under.values(), *alone.values()]:
            lab.prepare()
        waiting = pool.submit(served.matrix, under, Path(name) / "station")
        tables = {flow: single.matrix(lab) for flow, lab in alone.items()}
        beside = waiting.result()
    opening = INTRODUCTION.format(seconds=time.monotonic() - begun, documents=documents)
    sections = []
    for flow in flows:
        sections += [f"## `{flow}`", _table(tables[flow]), f"## `{flow}` under a server", _table(beside[flow])]
    given.page.write_text("\n\n".join([opening.rstrip(), *sections]) + "\n")
    sys.exit(int(any("**" in section for section in sections)))


def _table(rows: Matrix) -> str:
    columns = list(dict.fromkeys(column for row in rows.values() for column in row))
    lines = [["point", *columns], ["---"] * (1 + len(columns))]
    lines += [[name, *("; ".join(row.get(column, [])) for column in columns)] for name, row in rows.items()]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    main()
