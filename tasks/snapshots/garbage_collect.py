"""Garbage collection: remove old snapshots and the tables that only they needed, while others read what is kept.

What goes takes a hidden name first, so that nobody ever lists half a snapshot; the next `gc` removes what a killed one
left under such a name.
"""

import shutil
import uuid
from collections import Counter
from contextlib import ExitStack, suppress
from glob import iglob
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import polars as pl

from tasks.explain.wording import several
from tasks.remote.object_mirror import Store, writable
from tasks.runtime.errors import BusyError, DamageError, InputError
from tasks.snapshots.history import history
from tasks.snapshots.layout import manifest, published
from tasks.snapshots.locks import unread, writing
from tasks.snapshots.store import catalogued, prune
from tasks.storage.atomic import sweep, unfinished

ASIDE = ("refused", "dry-run")
REVIEWED = "reviews.parquet"
"""See `tasks.review.store`, which takes a second to import."""
LINKS = ("/proc/[0-9]*/fd/*", "/proc/[0-9]*/cwd")
"""What processes have open and where they work, on Linux."""


class Collected(NamedTuple):
    """Snapshots, tables and bytes that went, or would go.

    Attributes:
        snapshots: folders of snapshots.
        aside: folders of refused snapshots and dry runs that are older than every snapshot that is left.
        tables: folders of tables between stages that nothing left refers to.
        in_use: folders of snapshots that are old enough to go, but that somebody reads.
        freed: bytes that the disk gets back; a file with several links goes with the last of them.
        unreached: why tables stay in an object store.
        behind: ids of snapshots in the store whose mirror the output folder is.
    """

    snapshots: list[Path]
    aside: list[Path]
    tables: list[Path]
    in_use: list[Path]
    freed: int
    unreached: list[str]
    behind: list[str]


def collect(out: Path, keep: int, *, dry_run: bool = False) -> Collected:
    """Remove all but the newest snapshots, what was set aside before them, and tables that nothing left refers to.

    The published snapshot always stays, and so does one that somebody reads: under `tasks.snapshots.locks.reading`, or
    (on Linux) in a process of the same user that has a file of it open or works in its folder. In a workspace under
    `out` every table goes that nothing left refers to; one elsewhere may serve other output folders, so there only
    those go that the removed snapshots referred to. The same tables go from the object stores that the snapshots name.
    Reviews of documents that the published snapshot has as deleted go, too.

    Args:
        out: output folder.
        keep: how many of the newest snapshots stay, at least 1.
        dry_run: remove nothing, only tell what would go.

    Raises:
        InputError: there is no snapshot.
        BusyError: a run is writing to the output folder, to a workspace or to a store.
    """
    out = out.resolve()
    with ExitStack() as held:
        held.enter_context(writing(out, role="output"))
        old, left = _by_age(out, keep)
        busy = _opened(old)
        gone = [one for one in old if held.enter_context(unread(one)) and one not in busy]
        in_use = [one for one in old if one not in gone]
        left += in_use
        aside, aside_left = _aside(out, min(map(_created, left)))
        spaces = _workspaces([*old, *left, *aside, *aside_left])
        for space in spaces:
            held.enter_context(writing(space, role="workspace"))
        tables = _unneeded(out, spaces, [*gone, *aside], [*left, *aside_left])
        with catalogued(out) as listed:
            behind = [] if listed == out else [one.name for one in _by_age(listed, keep)[0]]
        leftovers = [one for folder in (out, *spaces) for one in unfinished(folder)]
        stores, unreached = ([], []) if dry_run else _stores(held, out, [*old, *left, *aside, *aside_left])
        found = Collected(gone, aside, tables, in_use, _freed([*leftovers, *tables, *aside, *gone]), unreached, behind)
        if not dry_run:
            needed = {table.name for table in _tables([*left, *aside_left])}
            for name in {table.name for table in _tables([*gone, *aside]).union(tables)} - needed:
                for store in stores:
                    store.clear(f"{store.base}/tables/{name}")
            for folder in (out, *spaces):
                sweep(folder)
            for folder in (*tables, *aside, *gone):  # tables first: only their snapshot tells where they are
                _remove(folder)
            _forget_deleted(out)
            prune(out, behind)
        return found


def _forget_deleted(out: Path) -> None:
    """Drop what people decided about documents that are deleted: texts of both stand beside it."""
    if (out / REVIEWED).exists():
        from tasks.review import store as reviews

        with writing(out, role="reviews"):
            decisions = pl.scan_parquet(published(out) / "decisions" / "*.parquet", missing_columns="insert")
            gone = decisions.filter(pl.col("action") == "delete").select("doc_id").collect()
            reviews.forget(out / REVIEWED, gone["doc_id"])


def told(found: Collected, dry_run: bool) -> str:
    """Say what went and what stayed for its readers' sake, for the terminal."""
    lines = [f"left, because it is being read: {one}" for one in found.in_use]
    lines += [f"tables are left there: {one}" for one in found.unreached]
    behind = [f"snapshots/{name} of the store" for name in found.behind]
    lines += [f"{'would remove' if dry_run else 'removed'} {one}" for one in (*behind, *found.snapshots, *found.aside)]
    counts = (several(len(found.snapshots), "snapshot"), f"{len(found.aside)} set aside")
    counted = ", ".join([*counts, several(len(found.tables), "table")])
    lines.append(f"{counted}: {found.freed / 1e6:,.1f} MB {'would be ' if dry_run else ''}freed")
    return "\n".join(lines)


def _by_age(out: Path, keep: int) -> tuple[list[Path], list[Path]]:
    """Snapshots that are old enough to go, and the others."""
    old: list[Path] = []
    left: list[Path] = []
    for number, one in enumerate(history(out)):
        (left if one.is_current or number < keep else old).append(out / "snapshots" / one.name)
    return old, left


def _aside(out: Path, oldest: str) -> tuple[list[Path], list[Path]]:
    """Snapshots set aside before the one made at `oldest`, and the rest of them."""
    made = {}
    for page in sorted(page for name in ASIDE for page in (out / name).glob("[!.]*/manifest.json")):
        with suppress(DamageError):  # it says of no table, and somebody may want to look at it
            made[page.parent] = _created(page.parent)
    return [one for one in made if made[one] < oldest], [one for one in made if made[one] >= oldest]


def _created(snapshot: Path) -> str:
    return str(manifest(snapshot)["created"])


def _workspaces(snapshots: list[Path]) -> list[Path]:
    found = {Path(manifest(one)["workspace"]).resolve() for one in snapshots}
    return sorted(space for space in found if space.is_dir())


def _stores(held: ExitStack, out: Path, snapshots: list[Path]) -> tuple[list[Store], list[str]]:
    """The object stores of snapshots; of those that cannot be reached, why not: they may be gone for good."""
    stores, unreached = [], []
    for url in sorted({url for one in snapshots if (url := manifest(one).get("store"))}):
        try:
            stores.append(held.enter_context(writable(url, out, uuid.uuid4().hex)))
        except BusyError:
            raise
        except InputError as error:
            unreached.append(str(error))
    return stores, unreached


def _tables(snapshots: list[Path]) -> set[Path]:
    return {Path(table).resolve() for one in snapshots for table in manifest(one)["tables"].values()}


def _unneeded(out: Path, spaces: list[Path], gone: list[Path], left: list[Path]) -> list[Path]:
    """Tables that no snapshot left refers to, nor any that was set aside."""
    own = (space for space in spaces if space.is_relative_to(out))
    found = _tables(gone).union(*((space / "tables").glob("[!.]*") for space in own))
    return sorted(table for table in found - _tables(left) if table.is_dir())


def _freed(folders: list[Path]) -> int:
    """Bytes of the files that have no link outside these folders."""
    found = [path.lstat() for folder in folders for path in folder.rglob("*") if not path.is_dir()]
    links = Counter((stat.st_dev, stat.st_ino, stat.st_nlink, stat.st_size) for stat in found)
    return sum(size for (_, _, all_links, size), removed in links.items() if removed == all_links)


def _remove(folder: Path) -> None:
    hidden = folder.with_name(f".{folder.name}.tmp")
    folder.rename(hidden)
    shutil.rmtree(hidden)


def _opened(folders: list[Path]) -> set[Path]:
    """Folders among these in which a process of this user works, or has a file open.

    A reader shows here only while it reads: between two queries DuckDB and Polars keep nothing open.

    Args:
        folders: resolved paths.
    """
    taken = set()
    links = chain.from_iterable(map(iglob, LINKS))  # Path.glob raises where a process has just ended
    for link in links:
        try:
            place = Path(link).readlink()
        except OSError:  # closed since, or of another user
            continue
        taken |= {place, *place.parents}.intersection(folders)
    return taken
