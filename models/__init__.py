"""The method of the paper: pure functions, kernels and networks (not ORM rows, not weights).

Nothing here knows of Prefect, DuckDB, the clock or any path beyond a bundle.
"""

import hashlib
import os
import shutil
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

UNUSED_SECONDS = 30 * 24 * 3600
"""Kernels of code that nobody has started for so long go when other code leaves some; each version has 65 MB."""


def kernel_cache(models: Path, home: Path) -> Path:
    """Folder of compiled kernels for exactly this code.

    Numba looks at the file of a kernel alone, so after an update it would go on using a kernel that was compiled
    against the old version of another file. Comments and docstrings do not count; to leave them out takes a second,
    so the folder is noted under the hash of all bytes. Word lists count, too: kernels hold some of them.

    Args:
        models: folder of the source.
        home: where folders of kernels are.

    Raises:
        OSError: the folder cannot be made or written, or others could put kernels into it.
    """
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    _claim(home)
    sources = [path.read_bytes() for path in sorted(models.rglob("*.py"))]
    lists = [path.read_bytes() for path in sorted(models.rglob("*.toml"))]
    note = home / f"source-{hashlib.sha256(b''.join([*sources, *lists])).hexdigest()[:16]}"
    if not note.exists():
        import ast

        from models.source import as_text, digest

        code = digest("".join([as_text(ast.parse(source).body) for source in sources] + [*map(bytes.decode, lists)]))
        unfinished = note.with_name(f"{note.name}.{os.getpid()}")
        unfinished.write_text(f"kernels-{code}")
        unfinished.replace(note)
        _prune(home, note.stat().st_mtime - UNUSED_SECONDS)
    folder = home / note.read_text()
    folder.mkdir(exist_ok=True)
    _claim(folder)
    os.utime(folder)
    return folder


def _prune(home: Path, used_since: float) -> None:
    """Remove what was last used before; several processes may, and who still wants it makes it again."""
    for path in home.iterdir():
        with suppress(FileNotFoundError):
            if path.stat().st_mtime >= used_since:
                continue
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink()


def _claim(folder: Path) -> None:
    """Make sure that this user can write to a folder that is his: what lies there is run."""
    if hasattr(os, "getuid") and folder.stat().st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to somebody else")
    tempfile.TemporaryFile(dir=folder).close()


def writable_cache(models: Path) -> Path:
    """Folder of compiled kernels: in the cache of the user, else one of his own among the temporary files.

    Raises:
        OSError: neither can be written.
    """
    with suppress(OSError, RuntimeError):  # there may be no home
        base = os.environ.get("XDG_CACHE_HOME")
        return kernel_cache(models, (Path(base) if base else Path.home() / ".cache") / "semhash-llm")
    try:
        user = os.getuid() if hasattr(os, "getuid") else "kernels"
        return kernel_cache(models, Path(tempfile.gettempdir()) / f"semhash-llm-{user}")
    except OSError as error:
        raise OSError("compiled kernels need a folder that can be written: name one in NUMBA_CACHE_DIR") from error


if "NUMBA_CACHE_DIR" not in os.environ:
    os.environ["NUMBA_CACHE_DIR"] = str(writable_cache(Path(__file__).parent))
if "numba" in sys.modules:
    sys.modules["numba"].config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"]
