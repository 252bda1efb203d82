"""Damage to files that stood finished, and what stands: sealed tables, published bytes, leftovers."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

DONE = "_table.json"
PUBLISHED = ("documents", "decisions", "fragments", "fragment_spans", "verified", "rejects", "index")
"""Tables of a snapshot that hold no moment and no duration."""


def vanish(path: Path) -> None:
    """Remove a file."""
    path.unlink()


def truncate(path: Path) -> None:
    """Cut a file in half."""
    os.truncate(path, path.stat().st_size // 2)


def overwrite(path: Path) -> None:
    """Change one byte in the middle of a file: same size, same name, another content."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)


DAMAGE: dict[str, Callable[[Path], None]] = {"vanished": vanish, "truncated": truncate, "one byte changed": overwrite}


class Sealed(NamedTuple):
    """A finished table and the moment at which it was finished, in nanoseconds."""

    name: str
    path: Path
    moment: int


def sealed(out: Path) -> list[Sealed]:
    """Tables of the workspace that are finished, in that order."""
    records = [(path.stat().st_mtime_ns, path.parent) for path in out.glob(f"workspace/tables/*/{DONE}")]
    return [Sealed(path.name.rpartition("-")[0], path, moment) for moment, path in sorted(records)]


def files(folder: Path) -> list[Path]:
    """Files of a table but for the records about it."""
    return sorted(path for path in folder.iterdir() if not path.name.startswith(("_", ".")))


def largest(folder: Path) -> Path:
    """The largest file of a table."""
    return max(files(folder), key=lambda path: (path.stat().st_size, path.name))


def contents(folder: Path) -> dict[str, bytes]:
    """Bytes of the files of a table, by name."""
    return {path.name: path.read_bytes() for path in files(folder)}


def published(out: Path) -> dict[str, bytes]:
    """Bytes of every file that readers of `current` see, by name; empty when nothing is published."""
    found = (out / "current").resolve()
    seen = [path for table in PUBLISHED for path in sorted((found / table).rglob("*")) if path.is_file()]
    return {str(path.relative_to(found)): path.read_bytes() for path in seen}


def leftovers(out: Path) -> list[str]:
    """What a run should have cleaned up: temporary names, scratch, spilled blocks."""
    left = [*out.rglob("*.tmp"), *out.glob("workspace/scratch/*"), *out.glob("workspace/spill/*")]
    return sorted(str(path.relative_to(out)) for path in left)
