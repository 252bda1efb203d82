"""Checksums of a finished folder, file by file, so that damage shows."""

import json
from pathlib import Path
from typing import NamedTuple

import xxhash

from tasks.storage.sync import sync

CONTENT = "files.json"
BLOCK = 1 << 18


class File(NamedTuple):
    """Size in bytes and xxh3-128 of a file."""

    size: int
    hash: str


def file_of(path: Path) -> File:
    """Read a file through."""
    state = xxhash.xxh3_128()
    block = memoryview(bytearray(BLOCK))  # used again: fresh memory for each would take longer than the hash
    with path.open("rb", buffering=0) as opened:
        while size := opened.readinto(block):
            state.update(block[:size])
    return File(path.stat().st_size, state.hexdigest())


def seal(folder: Path, before: Path | None = None) -> None:
    """Flush every file of a folder to the disk and write down its checksum.

    Args:
        folder: nothing in it changes any more.
        before: a sealed folder; files that both share under one name are not read again.
    """
    known = content(before) if before else {}
    found: dict[str, File] = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = str(path.relative_to(folder))
        if before and name in known and (before / name).exists() and path.samefile(before / name):
            found[name] = known[name]
        else:
            sync(path)
            found[name] = file_of(path)
    (folder / CONTENT).write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
    for path in (folder / CONTENT, *(path for path in folder.rglob("*") if path.is_dir()), folder):
        sync(path)


def content(folder: Path) -> dict[str, File]:
    """Recorded checksums of a sealed folder, by relative path; nothing where there are none."""
    try:
        return {name: File(*told) for name, told in json.loads((folder / CONTENT).read_text()).items()}
    except (FileNotFoundError, ValueError):
        return {}


def damaged(folder: Path) -> list[str]:
    """Read a sealed folder through: files that are gone or hold something else now.

    A folder that was never sealed is damaged as a whole.
    """
    known = content(folder)
    if not known:
        return [CONTENT]
    found = []
    for name, told in known.items():
        path = folder / name
        sound = path.is_file() and path.stat().st_size == told.size and file_of(path) == told
        if not sound:
            found.append(name)
    return found
