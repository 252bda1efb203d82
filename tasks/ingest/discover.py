"""Discovery of input files: INPUT arguments → the files to read, each with its format."""

import glob
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tasks.ingest.formats import NAMES, Format, format_of
from tasks.ingest.remote import fetched, objects
from tasks.runtime.errors import InputError
from tasks.runtime.paths import readable

OWN = frozenset({".output.lock", ".workspace.lock"})
"""Files by which a folder is known as one that a run wrote: of `tasks.snapshots.locks`."""
DATA_SET = frozenset({"state.json", "dataset_dict.json"})
"""Pages of a folder that Hugging Face's `save_to_disk` wrote; none there is a document."""


class InputFile(NamedTuple):
    """Input file with its format.

    Attributes:
        place: Where it is, as the user wrote it, or its path in a store.
        form: Its format.
        bytes: Size on disk.
        root: Folder that the user named (or the fixed part of the glob); None for a file named by itself.
        table: Of a file that holds several, the one to read; '' where it is not named.
        url: Of an object in a store; '' for a file here.
    """

    place: Path
    form: Format
    bytes: int
    root: Path | None
    table: str = ""
    url: str = ""

    @property
    def name(self) -> str:
        """Path relative to `root` with forward slashes, else the bare file name: the doc_id of a txt document."""
        return self.place.relative_to(self.root).as_posix() if self.root else self.place.name

    @property
    def path(self) -> Path:
        """Where it can be read; an object of a store is fetched first."""
        return fetched(self.url) if self.url else self.place

    @property
    def told(self) -> str:
        """What messages and tables call it."""
        return (self.url or str(self.place)) + (f"::{self.table}" if self.table else "")


def discover(inputs: list[str]) -> list[InputFile]:
    """List the files that `inputs` (files, folders, globs) mean: each once, sorted by path, hidden ones left out.

    Links to folders are followed; folders that a run wrote are left out where a folder around them is named.

    Raises:
        InputError: A path is missing or unreadable, a file has an unknown extension or a name that is no text, or
            nothing matches.
    """
    if not inputs:
        raise InputError("no input given: name files, folders or globs of " + NAMES)
    found: dict[tuple[str, str], InputFile] = {}
    for given in inputs:
        if not given:
            raise InputError("an input is empty: name files, folders or globs, or '.' for this folder")
        matched = list(_matches(given))
        if not matched:
            raise InputError(f"nothing to read in '{readable(given)}': looking for {NAMES}")
        for file in matched:
            found.setdefault((file.url or str(file.place.resolve()), file.table), file)
    return [found[path] for path in sorted(found)]


def arrived(inputs: list[str]) -> list[str]:
    """Inputs of a night that hold something: a folder that is there, or a glob in one, may be empty on a quiet night.

    Raises:
        InputError: A path is missing or unreadable, or has an extension that is not read.
    """
    return [given for given in inputs if not given or any(_matches(given)) or not _is_there(given)]


def _is_there(given: str) -> bool:
    path = Path(given).expanduser()
    return "://" not in given and (_divided(path)[0] if glob.has_magic(given) else path).is_dir()


def left_out(inputs: list[str]) -> list[Path]:
    """Files of other kinds in the folders that the user named, in order; hidden ones are not meant."""
    folders = (Path(given).expanduser() for given in inputs if "://" not in given)
    files = (path for folder in folders if folder.is_dir() for path in _beneath(folder, folder))
    return sorted(path for path in files if format_of(path) is None)


def _matches(given: str) -> Iterator[InputFile]:
    path = Path(given).expanduser()
    file, _, table = given.rpartition("::")
    if "://" in given:
        yield from _in_store(given)
    elif file and not path.exists() and (form := format_of(Path(file))) and form.name == "duckdb":
        yield from (one._replace(table=table) for one in _matches(file))
    elif path.is_dir():
        yield from _in_folder(path, root=path)
    elif path.exists():
        if format_of(path) is None:
            raise InputError(f"'{readable(given)}' has an extension that is not read: use {NAMES}")
        yield from _file(path, root=None)
    elif glob.has_magic(given):
        root, pattern = _divided(path)
        # `glob` and not `Path.glob`, which would match hidden files.
        for match in map(Path, glob.glob(pattern, recursive=True)):  # noqa: PTH207
            if _written_by_a_run(match, root):
                continue
            # `**` also matches the folders between; their files match by themselves.
            if match.is_dir() and "**" not in given:
                yield from _in_folder(match, root)
            else:
                yield from _file(match, root)
    else:
        raise InputError(f"'{readable(given)}' does not exist")


def _in_store(given: str) -> Iterator[InputFile]:
    url, _, table = given.partition("::")
    for one, size, root in objects(url):
        path = Path(one.partition("://")[2])
        if form := format_of(path):
            yield InputFile(path, form, size, Path(root) if root else None, table, one)


def _in_folder(folder: Path, root: Path) -> Iterator[InputFile]:
    for path in _beneath(folder, root):
        yield from _file(path, root)


def _beneath(folder: Path, root: Path) -> Iterator[Path]:
    seen: set[str] = set()
    for parent, folders, names in os.walk(folder, followlinks=True, onerror=_unreadable):
        here = Path(parent)
        own = here != root and not OWN.isdisjoint(names)
        if own or (real := os.path.realpath(parent)) in seen:
            folders.clear()
            continue
        seen.add(real)
        folders[:] = [name for name in folders if not name.startswith(".")]
        saved = not DATA_SET.isdisjoint(names)
        for name in names:
            if not name.startswith(".") and not (saved and name.endswith(".json")):
                yield here / name


def _unreadable(error: OSError) -> None:
    raise InputError(f"folder '{readable(error.filename)}' cannot be read: {error.strerror}") from error


def _written_by_a_run(path: Path, root: Path) -> bool:
    """Does a path lie in a folder below `root` that a run wrote?"""
    between = (parent for parent in path.parents if parent != root and parent.is_relative_to(root))
    return any((parent / name).exists() for parent in between for name in OWN)


def _file(path: Path, root: Path | None) -> Iterator[InputFile]:
    form = format_of(path)
    if form is None or not path.is_file():
        return
    try:
        str(path).encode()
    except UnicodeEncodeError as error:
        raise InputError(f"the name of '{readable(path)}' is not UTF-8: rename it, since names go into ids") from error
    if not os.access(path, os.R_OK):
        raise InputError(f"'{path}' may not be read: check its permissions")
    yield InputFile(path, form, path.stat().st_size, root)


def _divided(path: Path) -> tuple[Path, str]:
    """The folder that a pattern begins with, where brackets in its name are meant as they are; and the pattern."""
    root = next(parent for parent in path.parents if parent.is_dir() or not glob.has_magic(str(parent)))
    return root, str(Path(glob.escape(str(root))) / path.relative_to(root))
