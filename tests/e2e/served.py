"""The same faults to runs under a real server: the run, the worker, the server, or all of them are killed."""

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tests.e2e.damage import sealed
from tests.e2e.lab import NAMED, Lab
from tests.e2e.night import restore
from tests.e2e.single import Matrix
from tests.e2e.station import CHECKOUT, Station, until

POINTS = {"`survivors`": r"os\.rename .*/tables/survivors-[0-9a-f]+/_table\.json$", "snapshot: its name": NAMED}
DEPLOYMENTS = {"curate": "curate/curate", "refresh": "refresh/nightly-refresh"}
LEASE_SECONDS = 60
"""How long the server waits for a sign of life of a run before the next run may start; 300 by default."""
SETTLING_SECONDS = 40
"""A worker reports a crash twice, up to half a minute apart; the second report would end a retry that has begun."""
PATIENCE = 40
"""Seconds in which a run that nobody killed is over."""


class Held(NamedTuple):
    """A run that is held at a point."""

    flow: str
    lab: Lab
    id: str


class Served:
    """A night of every flow under one server; the runs are held at a point while something happens."""

    def __init__(self, labs: dict[str, Lab], station: Station) -> None:
        self.labs, self.station = labs, station

    def hold(self, point: str) -> list[Held]:
        """Start the nights anew and wait until they come to a point."""
        held = []
        for flow, lab in self.labs.items():
            restore(lab.before, lab.out)
            lab.mark.unlink(missing_ok=True)
            trap = {"point": point, "deed": "wait", "root": str(lab.out), "mark": str(lab.mark)}
            described = trap_file(self.station.folder)
            described.write_text(json.dumps(trap))
            held.append(Held(flow, lab, self.trigger(flow)))
            until("the run comes to the point", lab.mark.exists, 180)
        return held

    def trigger(self, flow: str) -> str:
        """Start the night of a flow; returns the id of the run."""
        return self.station.trigger(DEPLOYMENTS[flow], self.labs[flow].night.tonight.given, watch=False)

    def recovery(self, held: list[Held]) -> dict[str, list[str]]:
        """Let go what is still held, see how the runs end, and finish what they left."""
        stood = {one.flow: sealed(one.lab.out) for one in held}
        for one in held:
            one.lab.mark.unlink(missing_ok=True)
        ends = {one.flow: self._end(one) for one in held}
        crashed = [one for one in held if ends[one.flow] == "Crashed"]
        for one in crashed:
            self.station.prefect("flow-run", "retry", one.id)
            until("it is taken up", partial(self._left, one, "Crashed"))
        said = {one.flow: [ends[one.flow]] for one in held}
        for one in held:
            if one in crashed:
                said[one.flow].append(f"retry: {self.station.finished(one.id)}")
            elif ends[one.flow] != "Completed":
                said[one.flow].append(self._next_night(one.flow))
        return {one.flow: said[one.flow] + one.lab.came_of(stood[one.flow]) for one in held}

    def _end(self, one: Held) -> str:
        try:
            return self.station.finished(one.id, PATIENCE)
        except TimeoutError:
            return f"stays {self.station.state(one.id)}"

    def _left(self, one: Held, state: str) -> bool:
        return self.station.state(one.id) != state

    def _next_night(self, flow: str) -> str:
        begun = time.monotonic()
        for _ in range(10):
            if (state := self.station.finished(self.trigger(flow))) != "Cancelled":
                return f"next run after {time.monotonic() - begun:.0f} s: {state}"
            time.sleep(LEASE_SECONDS / 2)
        return "**later runs are Cancelled**"


def matrix(labs: dict[str, Lab], folder: Path) -> dict[str, Matrix]:
    """Let every fault happen at every point; returns one table a flow."""
    tables: dict[str, Matrix] = {flow: {row: {} for row in POINTS} for flow in labs}
    with Station(folder, **_surroundings(folder)) as station:
        night = Served(labs, station)
        for column, strike in _faults(station).items():
            for row, point in POINTS.items():
                held = night.hold(point)
                strike()
                for flow, cell in night.recovery(held).items():
                    tables[flow][row][column] = cell
                    said = f"{time.strftime('%H:%M:%S')} {column:24} {flow} {row:20} {'; '.join(cell)}"
                    print(said, file=sys.stderr, flush=True)
    return tables


def trap_file(folder: Path) -> Path:
    """Where runs of a station look for a trap."""
    return folder / "trap.json"


def _faults(station: Station) -> dict[str, Callable[[], None]]:
    def runs() -> None:
        for run in station.parts("prefect.engine"):
            os.kill(run, signal.SIGKILL)
        time.sleep(SETTLING_SECONDS)

    return {
        "`kill -9` of the run": runs,
        "`kill -9` of the worker": lambda: station.fell("prefect worker"),
        "`kill -9` of the server": lambda: station.fell("prefect server"),
        "`kill -9` of all at once": station.cut_power,
    }


def _surroundings(folder: Path) -> dict[str, str]:
    trapped = [Path(__file__).parent / "trapped", CHECKOUT]
    return {
        "PYTHONPATH": ":".join(map(str, trapped)),
        "SEMHASH_TRAP": str(trap_file(folder)),
        "PREFECT_SERVER_CONCURRENCY_INITIAL_DEPLOYMENT_LEASE_DURATION": str(LEASE_SECONDS),
    }
