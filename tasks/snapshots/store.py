"""Output behind a URL: snapshots are made in a mirror of it here, and go to the store with the pointer last.

Below the URL lie `snapshots/<id>/…` as in a folder, and in place of the link an object `current`, which holds
`snapshots/<id>`. A snapshot whose list of files is there is there as a whole, for that is put last. What two snapshots
have in common is copied within the store, and linked here.
"""

import json
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from tasks.ingest.remote import connected, first_line
from tasks.remote.write_lease import only
from tasks.runtime.errors import BusyError, DamageError, InputError
from tasks.runtime.progress import say
from tasks.snapshots.layout import current, place, switch
from tasks.snapshots.output_mirror import NAMED
from tasks.storage.atomic import held_folder
from tasks.storage.checksums import CONTENT, File, content, damaged
from tasks.storage.link_parts import link

POINTER, MANIFEST = "current", "manifest.json"
LEASED = frozenset({"s3", "gs", "gcs", "az", "abfs", "memory"})
"""Protocols of stores that take a heartbeat: for the Hub of Hugging Face each would be a commit."""


class Store(NamedTuple):
    """Store of an output: its URL, file system of fsspec, and path in that."""

    url: str
    fs: Any
    base: str

    def hold(self, held: ExitStack, out: Path) -> None:
        """Be the only one who writes, as long as a stack is open."""
        if self.url.partition("://")[0] in LEASED:
            held.enter_context(only(self.fs, self.base, uuid.uuid4().hex, out))

    def published(self) -> str | None:
        """Id of the published snapshot."""
        pointer = f"{self.base}/{POINTER}"
        return str(self.fs.cat_file(pointer).decode().strip().rpartition("/")[2]) if self.fs.exists(pointer) else None

    def key(self, snapshot: str, name: str) -> str:
        """Path of a file of a snapshot."""
        return f"{self.base}/snapshots/{snapshot}/{name}"

    def whole(self) -> list[str]:
        """Ids of the snapshots that are there as a whole."""
        return sorted(str(key).split("/")[-2] for key in self.fs.glob(self.key("*", CONTENT)))

    def files(self, snapshot: str) -> dict[str, File]:
        """Files of a snapshot, by relative path; nothing of one that is not whole."""
        listed = self.key(snapshot, CONTENT)
        if not self.fs.exists(listed):
            return {}
        return {name: File(*told) for name, told in json.loads(self.fs.cat_file(listed)).items()}

    def get(self, out: Path, snapshot: str) -> Path:
        """Bring a snapshot into the mirror, unless it is there; returns its folder.

        Raises:
            DamageError: the store does not have what its list of files says.
        """
        folder = out / "snapshots" / snapshot
        if not damaged(folder):
            return folder
        held, wanted = _held(out), self.files(snapshot)
        here = [name for name, file in wanted.items() if (name, file) in held]
        coming = [CONTENT, *(name for name in wanted if name not in here)]
        with held_folder(folder.with_name(f".{uuid.uuid4().hex}.tmp")) as staging:
            for name in coming:
                (staging / name).parent.mkdir(parents=True, exist_ok=True)
            for name in here:
                link(held[name, wanted[name]], staging / name)
            self.fs.get([self.key(snapshot, name) for name in coming], [str(staging / name) for name in coming])
            if spoiled := damaged(staging):
                raise DamageError(f"{self.url}: {spoiled[0]} of snapshot {snapshot} is gone or damaged")
            return place(staging, out, "snapshots", snapshot)

    def put(self, folder: Path, before: str | None) -> None:
        """Upload a finished snapshot, its list of files last; what `before` has, too, is copied within the store."""
        wanted, there = content(folder), self.files(before) if before else {}
        same = [name for name, file in wanted.items() if there.get(name) == file]
        if same:
            self.fs.copy([self.key(str(before), name) for name in same], [self.key(folder.name, name) for name in same])
        for names in ([name for name in wanted if name not in same], [CONTENT]):
            self.fs.put([str(folder / name) for name in names], [self.key(folder.name, name) for name in names])

    def show(self, snapshot: str) -> None:
        """Point readers at a snapshot that is there."""
        self.fs.pipe_file(f"{self.base}/{POINTER}", f"snapshots/{snapshot}\n".encode())

    def remove(self, snapshot: str) -> None:
        """Remove a snapshot, its list of files first."""
        self.fs.rm(self.key(snapshot, CONTENT))
        self.fs.rm(f"{self.base}/snapshots/{snapshot}", recursive=True)


def pull(out: Path) -> None:
    """Have the mirror of a store show what the store does; any other folder stays as it is.

    Raises:
        InputError: the store cannot be read.
        DamageError: it does not hold what it held.
    """
    with _store(out) as store:
        if store is None:
            return
        shown = store.published()
        if shown is None:
            (out / POINTER).unlink(missing_ok=True)
        elif (found := store.get(out, shown)) != current(out):
            switch(out, found)


@contextmanager
def shared(out: Path) -> Iterator[None]:
    """Begin with what the store of an output folder shows, and give it what the block publishes.

    Raises:
        BusyError: another run is writing there, or has published meanwhile.
        InputError: the store cannot be used.
    """
    with ExitStack() as held:
        with _store(out) as store:
            if store:
                store.hold(held, out)
            pull(out)
            before = store.published() if store else None
        yield
        made = current(out)
        with _store(out) as store:
            if store is None or made is None or made.name == before:
                return
            if made.name not in store.whole():
                store.put(made, before)
            if store.published() != before:
                raise BusyError(f"{store.url}: another run has published there meanwhile; start again")
            store.show(made.name)
            say(f"published under {store.url}: snapshots/{made.name}")


@contextmanager
def catalogued(out: Path) -> Iterator[Path]:
    """A folder with the manifests of all snapshots and the pointer: the output folder, or a scratch one of a store."""
    with ExitStack() as held:
        listed = out
        with _store(out) as store:
            if store:
                listed = Path(held.enter_context(TemporaryDirectory(prefix="semhash-snapshots-")))
                for name in store.whole():
                    folder = listed / "snapshots" / name
                    folder.mkdir(parents=True)
                    (folder / MANIFEST).write_bytes(store.fs.cat_file(store.key(name, MANIFEST)))
                if (shown := store.published()) is not None:
                    switch(listed, listed / "snapshots" / shown)
        yield listed


def bring(out: Path, snapshot: str) -> Path:
    """The folder of a snapshot, fetched where only the store has it."""
    with _store(out) as store:
        return store.get(out, snapshot) if store else out / "snapshots" / snapshot


def prune(out: Path, gone: list[str]) -> None:
    """Remove snapshots from the store of an output folder, but for the one that is published by now."""
    with ExitStack() as held, _store(out) as store:
        if store is None:
            return
        store.hold(held, out)
        for name in {*gone} - {store.published()}:
            store.remove(name)


@contextmanager
def _store(out: Path) -> Iterator[Store | None]:
    """The store whose mirror a folder is; errors in the block are told as of the input."""
    named = out / NAMED
    if not named.exists():
        yield None
        return
    url = named.read_text()
    try:
        yield Store(url, *connected(url))
    except (BusyError, DamageError, InputError):
        raise
    except Exception as error:  # each library has its own
        raise InputError(f"--out {url} cannot be used: {first_line(error)}") from error


def _held(out: Path) -> dict[tuple[str, File], Path]:
    """Files of the snapshots in the mirror."""
    folders = (out / "snapshots").glob("[!.]*")
    return {(name, file): folder / name for folder in folders for name, file in content(folder).items()}
