"""A workspace in an object store: every process works in a folder of its own, and the store has what others need.

Files have the same names on both sides. The record of a table is put last and taken away first, so a table is there
whole or not at all; what it says of each file shows what was damaged. What workers need for a while lies under
`passing/` and goes with the run. Without a store nothing here does anything.
"""

import json
import shutil
import uuid
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from tasks.remote.write_lease import Lease, only
from tasks.runtime.errors import BusyError, DamageError, InputError
from tasks.storage.checksums import File, file_of

Workspace = Annotated[
    Annotated[str, BeforeValidator(str)] | None,
    Field(description="folder, or URL of an object store, for tables between stages; default OUT/workspace"),
]
DONE = "_table.json"
LENT = "scratch/lent"
"""Where tables of snapshots are in the workspace, for workers that do not see the snapshots."""
PACKAGES = {"s3": "'semhash-llm[s3]'", "gs": "gcsfs", "az": "adlfs", "memory": ""}
"""What to install for the stores that can be had: a put shows whole or not at all, a list has all that was put."""


class Store:
    """Objects under a URL, and the folder where this process has some of them.

    Args:
        url: of the store.
        folder: workspace of this process.
        token: of the run.
        apart: workers do not see the folder of the run.
        guest: this process is such a worker: it has only what it asked for.
    """

    def __init__(self, url: str, folder: Path, token: str, *, apart: bool, guest: bool = False) -> None:
        self.url, self.folder, self.token, self.apart, self.guest = url, folder, token, apart, guest
        self.fs, self.base = connect(url)
        self.lease: Lease | None = None
        self._same: dict[Path, tuple[int, int]] = {}
        self._records: dict[Path, dict[str, File]] = {}

    def key(self, path: Path) -> str:
        """Where a file or folder of the workspace is in the store."""
        inside = path.relative_to(self.folder)
        lasts = inside.parts[0] == "tables" and not path.name.startswith(".")
        return f"{self.base}/{inside}" if lasts else f"{self.passing}/{inside}"

    @property
    def passing(self) -> str:
        """Where that is which goes with the run."""
        return f"{self.base}/passing/{self.token}"

    def found(self, folder: Path) -> dict[Path, int]:
        """Bytes of each object of a table."""
        listed = self.fs.find(self.key(folder), detail=True)
        return {folder / key.rpartition("/")[2]: int(told["size"]) for key, told in listed.items()}

    def put(self, paths: Iterable[Path]) -> None:
        """Have the store hold files as they are now."""
        changed = [path for path in paths if self._same.get(path) != _stat(path)]
        if changed:
            self.fs.put([str(path) for path in changed], [self.key(path) for path in changed])
            self._same |= {path: _stat(path) for path in changed}

    def get(self, paths: list[Path]) -> None:
        """Have the folder hold objects; each file appears in one step.

        Raises:
            DamageError: one is not what the record of its table says; a worker takes it away.
        """
        if not paths:
            return
        coming = [path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp") for path in paths]
        for path in paths:
            path.parent.mkdir(parents=True, exist_ok=True)
        self.fs.get([self.key(path) for path in paths], [str(temporary) for temporary in coming])
        for path, temporary in zip(paths, coming, strict=True):
            if self.guest and not self._sound(path, temporary):
                temporary.unlink()
                self.fs.rm_file(self.key(path))
                raise DamageError(f"{self.url}: {path.name} of {path.parent.name} was damaged; start again")
            temporary.replace(path)
            self._same[path] = _stat(path)

    def _sound(self, path: Path, content: Path) -> bool:
        lasts = path.parent.parent in (self.folder / "tables", self.folder / LENT) and path.name[0] != "."
        return not lasts or self.record(path.parent).get(path.name) == file_of(content)

    def agree(self, found: dict[Path, int]) -> None:
        """Take files of the size of their objects for the same."""
        self._same |= {path: _stat(path) for path, size in found.items() if path.exists() and _stat(path)[0] == size}

    def remove(self, path: Path) -> None:
        """Take away the object of a file, or those of all files in a folder, as far as this process put or got them."""
        known = [one for one in self._same if path in one.parents] if path.is_dir() else [path]
        known = [one for one in known if one in self._same]
        if known:
            self.fs.rm([self.key(one) for one in known])
        for one in known:
            del self._same[one]

    def clear(self, prefix: str) -> None:
        """Take away all objects below a path of the store, the records of tables first."""
        objects = sorted(self.fs.find(prefix), key=lambda key: not key.endswith(DONE))
        if objects:
            self.fs.rm(objects[:1])
        if objects[1:]:
            self.fs.rm(objects[1:])

    def record(self, folder: Path) -> dict[str, File]:
        """Files of a finished table and what they hold, for a process that has only some of them."""
        if folder not in self._records:
            told = json.loads(self.fs.cat_file(f"{self.key(folder)}/{DONE}"))["files"]
            self._records[folder] = {name: File(*one) for name, one in told.items()}
        return self._records[folder]


_stores: dict[Path, Store] = {}


def attach(store: Store) -> None:
    """Let files in the folder of a store be fetched from it."""
    global _stores
    _stores = {**_stores, store.folder: store}  # others may be looking


def detach(store: Store) -> None:
    """Leave the folder of a store to itself."""
    global _stores
    _stores = {folder: one for folder, one in _stores.items() if one is not store}


def of(path: Path) -> Store | None:
    """The store behind the workspace that a path is in."""
    return next((one for folder, one in _stores.items() if path.is_relative_to(folder)), None) if _stores else None


def connect(url: str) -> tuple[Any, str]:
    """File system of fsspec and the path in it; raises InputError when there is none for this kind of URL."""
    import fsspec

    protocol = url.partition("://")[0]
    if protocol not in PACKAGES:
        raise InputError(f"--workspace {url}: no object store that can be used; name a folder, or s3://, gs://, az://")
    try:
        fs, base = fsspec.url_to_fs(url.rstrip("/"), use_listings_cache=False)
    except ImportError as error:
        raise InputError(f"--workspace {url}: pip install {PACKAGES[protocol]}") from error
    return fs, base


def folder_of(given: str | None, out: Path) -> Path:
    """The folder of a run for what was given as its workspace: a folder, the URL of a store, or nothing."""
    return Path(given).absolute() if given and "://" not in given else out / "workspace"


@contextmanager
def mirrored(given: str | None, folder: Path, token: str, *, apart: bool = False) -> Iterator[Store | None]:
    """Have a store behind a folder while the block runs, if a URL was given; nobody else writes to it then.

    Args:
        given: workspace as the user named it.
        folder: that of this process.
        token: of the run.
        apart: workers do not see the folder.

    Raises:
        BusyError: another run is writing to the store.
        InputError: it cannot be written.
    """
    if given is None or "://" not in given:
        yield None
        return
    with writable(given, folder, token, apart=apart) as store:
        shutil.rmtree(folder / LENT, ignore_errors=True)
        attach(store)
        try:
            yield store
        finally:
            detach(store)
        store.clear(store.passing)
        shutil.rmtree(folder / LENT, ignore_errors=True)


@contextmanager
def writable(url: str, folder: Path, token: str, *, apart: bool = False) -> Iterator[Store]:
    """Hold the only right to write to a store; arguments and errors are those of `mirrored`."""
    store = Store(url, folder, token, apart=apart)
    with ExitStack() as stack:
        try:
            store.lease = stack.enter_context(only(store.fs, store.base, token, folder))
            store.clear(f"{store.base}/passing")  # of runs that were killed
        except BusyError as error:
            raise BusyError(f"--workspace {url}: {error}") from error
        except Exception as error:  # each library has its own
            raise InputError(f"--workspace {url} cannot be used: {error}") from error
        yield store


def take(folder: Path) -> None:
    """Have all of a table here that the store has, finished or not."""
    if store := of(folder):
        if store.lease:
            store.lease.check()
        found = store.found(folder)
        store.get([path for path in found if not path.exists()])
        store.agree(found)


def give(folder: Path) -> None:
    """Have all of a finished table in the store, its record last."""
    if store := of(folder):
        store.put(sorted(path for path in folder.iterdir() if path.name[0] not in "._"))
        store.put(sorted(folder.glob("_*.json"), reverse=True))


def mirror(path: Path) -> None:
    """Have a file of a table here and in the store, whichever of them has it."""
    if store := of(path):
        if path.exists():
            store.put([path])
        else:
            store.get([path])


def lend(path: Path) -> None:
    """Have the store hold a file for a while, if it has readers elsewhere."""
    store = of(path)
    if store and store.apart:
        store.put([path])


def fetch(path: Path) -> Path:
    """Have a file here that somebody put into the store; returns its path."""
    store = of(path)
    if store and not path.exists():
        store.get([path])
    return path


def listed(folder: Path) -> list[Path]:
    """Part files of a table in order, also those that are not here yet."""
    store = of(folder)
    if store and store.guest:
        return sorted(folder / name for name in store.record(folder) if name.startswith("part-"))
    return sorted(folder.glob("part-*.parquet"))


def discard(path: Path) -> None:
    """Remove a file or folder here and from the store."""
    if store := of(path):
        store.remove(path)
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _stat(path: Path) -> tuple[int, int]:
    told = path.stat()
    return told.st_size, told.st_mtime_ns
