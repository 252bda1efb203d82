"""Pickled jobs for remote workers: paths travel relative to the workspace, files through the object store."""

import hashlib
import io
import pickle
from pathlib import Path
from typing import IO, Any, NamedTuple

from tasks.remote import object_mirror as store
from tasks.remote.object_mirror import DONE, LENT, Store
from tasks.remote.worker_scratch import guest
from tasks.storage.atomic import write_json
from tasks.storage.checksums import file_of
from tasks.storage.link_parts import link
from tasks.storage.tables import TableRef


class Parcel(NamedTuple):
    """Pickle of a job, and the store that has the files which it names."""

    url: str
    token: str
    content: bytes


def pack(told: Any, workspace: Path) -> Any:
    """Make a parcel of what a worker is told, if workers do not see the workspace."""
    behind = store.of(workspace)
    if behind is None or not behind.apart:
        return told
    content = io.BytesIO()
    _Packer(content, behind).dump(told)
    return Parcel(behind.url, behind.token, content.getvalue())


def unpack(told: Any) -> Any:
    """Unpack a job, its paths those of this process."""
    if not isinstance(told, Parcel):
        return told
    return _Unpacker(io.BytesIO(told.content), guest(told.url, told.token).folder).load()


def dump(values: Any, place: Path) -> None:
    """Pickle what a worker made into a file of its workspace; paths in there are those of whoever loads it."""
    with place.open("wb") as file:
        behind = store.of(place)
        (_Packer(file, behind) if behind else pickle.Pickler(file, protocol=5)).dump(values)


def load(place: Path, workspace: Path) -> Any:
    """What `dump` pickled, its paths those of this process."""
    with place.open("rb") as file:
        return _Unpacker(file, workspace).load()


class _Packer(pickle.Pickler):
    def __init__(self, file: IO[bytes], behind: Store) -> None:
        super().__init__(file, protocol=5)
        self._store, self._root = behind, str(behind.folder)

    def persistent_id(self, found: Any) -> Any:
        if isinstance(found, TableRef) and not Path(found.path).is_relative_to(self._root):
            return found._replace(path=str(_lent(Path(found.path), self._store.folder).relative_to(self._root)))[:]
        if isinstance(found, Path | str) and f"{found}/".startswith(f"{self._root}/"):
            return type(found) is str, str(found)[len(self._root) + 1 :]
        return None


class _Unpacker(pickle.Unpickler):
    def __init__(self, file: IO[bytes], folder: Path) -> None:
        super().__init__(file)
        self._folder = folder

    def persistent_load(self, pid: Any) -> Any:
        if len(pid) == len(TableRef._fields):
            ref = TableRef(*pid)
            return ref._replace(path=str(self._folder / ref.path))
        as_text, inside = pid
        return str(self._folder / inside) if as_text else self._folder / inside


def _lent(table: Path, workspace: Path) -> Path:
    """A table of a snapshot, under a second name in the workspace and in the store."""
    folder = workspace / LENT / hashlib.sha256(str(table).encode()).hexdigest()[:24]
    if not (folder / DONE).exists():
        for path in table.iterdir():
            link(path, folder / path.name)
        write_json(folder / DONE, {"files": {path.name: file_of(path) for path in folder.iterdir()}})
    for path in folder.iterdir():
        store.lend(path)
    return folder
