"""Discovery of input files: INPUT arguments → the files to read, each with its format."""

import glob
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tasks.ingest.formats import FORMATS, NAMES
from tasks.runtime.errors import InputError

COMPRESSIONS = (".gz", ".zst")


class InputFile(NamedTuple):
    """Input file with its format.

    Attributes:
        path: Where it is, as the user wrote it.
        format: "jsonl", "csv", "tsv", "txt" or "parquet".
        bytes: Size on disk.
        root: Folder that the user named (or the fixed part of the glob); None for a file named by itself.
    """

    path: Path
    format: str
    bytes: int
    root: Path | None

    @property
    def name(self) -> str:
        """Path relative to `root` with forward slashes, else the bare file name: the doc_id of a txt document."""
        return self.path.relative_to(self.root).as_posix() if self.root else self.path.name


def discover(inputs: list[str]) -> list[InputFile]:
    """List the files that `inputs` (files, folders, globs) mean: each once, sorted by path, hidden ones left out.

    Raises:
        InputError: A path is missing or unreadable, a file has an unknown extension, or nothing matches.
    """
    if not inputs:
        raise InputError("no input given: name files, folders or globs of " + NAMES)
    found: dict[Path, InputFile] = {}
    for given in inputs:
        matched = list(_matches(given))
        if not matched:
            raise InputError(f"nothing to read in '{given}': looking for {NAMES}")
        for file in matched:
            found.setdefault(file.path.resolve(), file)
    return [found[path] for path in sorted(found)]


def format_of(path: Path) -> str | None:
    """Format by extension (a .gz or .zst at the end is looked through), or None when it is not one that is read."""
    inner = path.with_suffix("") if path.suffix.lower() in COMPRESSIONS else path
    found = FORMATS.get(inner.suffix.lower())
    return None if inner != path and found == "parquet" else found


def _matches(given: str) -> Iterator[InputFile]:
    path = Path(given).expanduser()
    if path.is_dir():
        yield from _in_folder(path, root=path)
    elif path.exists():
        if format_of(path) is None:
            raise InputError(f"'{given}' has an extension that is not read: use {NAMES}")
        yield from _file(path, root=None)
    elif glob.has_magic(given):
        root = _fixed_part(path)
        # `glob` and not `Path.glob`, which would match hidden files.
        for match in map(Path, glob.glob(str(path), recursive=True)):  # noqa: PTH207
            # `**` also matches the folders between; their files match by themselves.
            if match.is_dir() and "**" not in given:
                yield from _in_folder(match, root)
            else:
                yield from _file(match, root)
    else:
        raise InputError(f"'{given}' does not exist")


def _in_folder(folder: Path, root: Path) -> Iterator[InputFile]:
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if not name.startswith("."):
                yield from _file(Path(parent) / name, root)


def _file(path: Path, root: Path | None) -> Iterator[InputFile]:
    found = format_of(path)
    if found is None or not path.is_file():
        return
    if not os.access(path, os.R_OK):
        raise InputError(f"'{path}' may not be read: check its permissions")
    yield InputFile(path, found, path.stat().st_size, root)


def _fixed_part(pattern: Path) -> Path:
    return next(parent for parent in pattern.parents if not glob.has_magic(str(parent)))
