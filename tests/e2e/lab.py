"""Where one run is disturbed again and again from the same state, and compared with a run that nothing befell."""

import re
import shutil
import signal
from functools import partial
from pathlib import Path

from tests.e2e import trap
from tests.e2e.damage import Sealed, contents, leftovers, published, sealed
from tests.e2e.night import NIGHTS, Call, apart, restore

NAMED = r"os\.rename .*/snapshots/\w+$"
"""The operation that gives a snapshot its name."""


class Lab:
    """The states around a night: `before` it, `ready` but for publishing, `after` it; and `out`, where it runs.

    Attributes:
        tables: folders of the tables that the night makes, in the order in which they are finished.
    """

    def __init__(self, folder: Path, flow: str) -> None:
        self.out, self.before, self.ready, self.after = (folder / name for name in ("out", "before", "ready", "after"))
        self.log, self.mark, self.flow = folder / "log", folder / "mark", flow
        self.night = NIGHTS[flow](folder.parent / "corpus", self.out)
        folder.mkdir()

    def prepare(self) -> None:
        """Make the states."""
        for call in self.night.before:
            assert apart(call, self.log) == 0, self.log.read_text()
        restore(self.out, self.before)
        assert self.befall(NAMED, "kill") == -signal.SIGKILL, self.log.read_text()
        restore(self.out, self.ready)
        assert self.again() == 0, self.log.read_text()
        restore(self.out, self.after)
        self.seen, self.wanted = published(self.before), published(self.after)
        earlier = {one.path.name for one in sealed(self.before)}
        self.tables = [one.path.name for one in sealed(self.ready) if one.path.name not in earlier]

    def befall(self, point: str, deed: str) -> int:
        """Run tonight's flow with a trap at a point ('' for its end); returns how it ended."""
        self.mark.unlink(missing_ok=True)
        return apart(partial(_trapped, self.night.tonight, point, deed, self.out, self.mark), self.log)

    def sprung(self) -> bool:
        """Did the trap work?"""
        return self.mark.exists()

    def again(self) -> int:
        """Run tonight's flow and leave it alone; returns how it ended."""
        return apart(self.night.tonight, self.log)

    def back_to(self, table: str | None) -> Path:
        """Bring back the state in which `table` was the last one finished (None: all); returns its folder."""
        restore(self.ready, self.out)
        later = self.tables[self.tables.index(table) + 1 :] if table else []
        folders = self.out / "workspace" / "tables"
        for name in later:
            shutil.rmtree(folders / name)
        return folders / (table or "")

    def standing(self) -> list[Sealed]:
        """Tables of the workspace that are finished now."""
        return sealed(self.out)

    def table_changes(self, stood: list[Sealed]) -> list[str]:
        """Which of the tables that stood finished were made again, and which tables are not as they should be."""
        here = {one.path.name: one for one in sealed(self.out)}
        repeated = [one.name for one in stood if here.get(one.path.name) != one]
        known = {one.path.name: one for one in sealed(self.ready)}
        wrong = [name for name in here.keys() & known.keys() if contents(here[name].path) != contents(known[name].path)]
        return [
            *([f"makes {', '.join(repeated)} again"] if repeated else []),
            *(f"**other bytes in {name}**" for name in sorted(wrong)),
        ]

    def reader(self) -> list[str]:
        """What is wrong with what readers see now."""
        return [] if published(self.out) in (self.seen, self.wanted) else ["**readers see damage**"]

    def recovery(self) -> list[str]:
        """Run again and say what came of it."""
        stood = sealed(self.out)
        return [self.ending(1)] if self.again() else ["next run", *self.came_of(stood)]

    def came_of(self, stood: list[Sealed]) -> list[str]:
        """What is not as after a run that nothing befell, and which tables that stood finished were made again."""
        return [
            *self.table_changes(stood),
            *([] if published(self.out) == self.wanted else ["**other bytes published**"]),
            *(f"**leaves {left}**" for left in leftovers(self.out)),
        ]

    def ending(self, code: int) -> str:
        """How the last run ended; an error that says what is damaged and what to do is no defect."""
        if not code:
            return "**goes on to the end**"
        kind, _, said = self.log.read_text().strip().splitlines()[-1].partition(": ")
        said = re.sub(r"\S*/|\b[0-9a-f]{12}\b", "", said)[:120].replace("|", "\\|")
        named = kind.endswith(("InputError", "DamageError"))
        return f"refused: {said.partition(':')[0]}" if named else f"**fails: {kind}: {said}**"


def _trapped(call: Call, point: str, deed: str, out: Path, mark: Path) -> None:
    trap.set_trap(point or "never", deed, out, mark)
    call()
    if not point:
        mark.touch()
        trap.DEEDS[deed](out, mark)
