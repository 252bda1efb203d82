"""A folder for each worker that does not see that of the run: it goes with the run, or with the worker."""

import fcntl
import os
import shutil
import tempfile
import threading
import uuid
from contextlib import suppress
from multiprocessing.util import Finalize
from pathlib import Path
from typing import IO

from tasks.remote.object_mirror import Store, attach, detach

LOCAL = "SEMHASH_LOCAL"
"""Variable that names the folder in which workers make theirs; else it is that for temporary files."""

_guests: dict[str, tuple[Store, Finalize]] = {}
_lock = threading.Lock()


def guest(url: str, token: str) -> Store:
    """The store of a run as this worker sees it; of an earlier run with this store nothing is kept."""
    with _lock:
        if url in _guests and _guests[url][0].token != token:
            store, leave = _guests.pop(url)
            detach(store)
            leave()
        if url not in _guests:
            store, leave = _settle(url, token)
            attach(store)
            _guests[url] = store, leave
        return _guests[url][0]


def _settle(url: str, token: str) -> tuple[Store, Finalize]:
    """Make a folder, and have it removed when this process ends; one that was killed leaves that to the next."""
    place = Path(os.environ.get(LOCAL) or tempfile.gettempdir())
    place.mkdir(parents=True, exist_ok=True)
    for lock in place.glob("semhash-llm-*.lock"):
        with suppress(OSError), lock.open("a") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove(lock, handle)
    lock = place / f"semhash-llm-{uuid.uuid4().hex}.lock"
    handle = lock.open("a")
    fcntl.flock(handle, fcntl.LOCK_EX)
    folder = lock.with_suffix("")
    folder.mkdir(mode=0o700)
    return Store(url, folder, token, apart=True, guest=True), Finalize(None, _remove, (lock, handle), exitpriority=0)


def _remove(lock: Path, handle: IO[str]) -> None:
    shutil.rmtree(lock.with_suffix(""), ignore_errors=True)
    lock.unlink(missing_ok=True)
    handle.close()
