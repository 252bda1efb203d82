"""Compiled kernels on disk: a folder for each, named by all that it is made of, which several checkouts share.

Numba looks at the file of a kernel alone, so after an update it would go on using one that was compiled against the old
version of another file. Here a change compiles anew what uses it, and nothing else. Word lists count where a kernel
holds one; the classes of what it is given are found by its annotations.
"""

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from numba import config

from models.source.closure import Sources, remembered

_SETTLED = 3600
"""Seconds after which a folder is of no process that has just begun."""


class KernelFolder:
    """Folder of one compiled kernel: a locator, as numba takes them in `NUMBA_CACHE_LOCATOR_CLASSES`."""

    def __init__(self, function: Callable[..., Any]) -> None:
        module = function.__module__  # kernels name the classes of their arguments, so a wheel has its own
        version = SOURCES.version_within(module.removeprefix("semhash_llm."), function.__qualname__)
        self._folder = FOLDER / f"{module}.{function.__qualname__}-{version}"

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> "KernelFolder":
        """Folder of a kernel."""
        return cls(py_func)

    def get_cache_path(self) -> str:
        """Where numba reads and writes."""
        return str(self._folder)

    def ensure_cache_path(self) -> None:
        """Make the folder."""
        self._folder.mkdir(exist_ok=True)

    def get_source_stamp(self) -> str:
        """Nothing: the folder has the version."""
        return ""

    def get_disambiguator(self) -> str:
        """Nothing: names of kernels are unique."""
        return ""


@contextmanager
def kept_by_version() -> Iterator[None]:
    """Have numba keep what is decorated meanwhile in folders of kernels, and all else where it would."""
    before, config.CACHE_LOCATOR_CLASSES = config.CACHE_LOCATOR_CLASSES, f"{__name__}.{KernelFolder.__qualname__}"
    try:
        yield
    finally:
        config.CACHE_LOCATOR_CLASSES = before


def _writable() -> Path:
    """Folder of kernels: named by the user, in his cache, or one of his own among the temporary files.

    Raises:
        OSError: none can be written.
    """
    if named := os.environ.get("NUMBA_CACHE_DIR"):
        folder = Path(named) / "kernels"
        folder.mkdir(parents=True, exist_ok=True)
        return folder
    with suppress(OSError, RuntimeError):  # there may be no home
        base = os.environ.get("XDG_CACHE_HOME")
        return _own((Path(base) if base else Path.home() / ".cache") / "semhash-llm")
    try:
        user = os.getuid() if hasattr(os, "getuid") else "kernels"
        return _own(Path(tempfile.gettempdir()) / f"semhash-llm-{user}")
    except OSError as error:
        raise OSError("compiled kernels need a folder that can be written: name one in NUMBA_CACHE_DIR") from error


def _own(home: Path) -> Path:
    """Folder of kernels below, made sure that it is this user's and that he can write to it: what lies there is run."""
    for folder in (home, home / "kernels"):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if hasattr(os, "getuid") and folder.stat().st_uid != os.getuid():
            raise PermissionError(f"{folder} belongs to somebody else")
    tempfile.TemporaryFile(dir=folder).close()
    return folder


def _remove_unused(folder: Path) -> None:
    """Remove kernels of sources that nobody has started for long; several processes may do so at once."""
    known = remembered(folder)
    for kernel in folder.iterdir():
        with suppress(OSError):
            settled = time.time() - kernel.stat().st_mtime > _SETTLED
            if settled and kernel.is_dir() and kernel.name.rpartition("-")[2] not in known:
                shutil.rmtree(kernel, ignore_errors=True)


FOLDER = _writable()
SOURCES = Sources(Path(__file__).resolve().parents[2], FOLDER, packages=["models"], ends={"models.kernels.cache"})
if SOURCES.is_new:
    _remove_unused(FOLDER)
