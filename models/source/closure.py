"""Closure of a name over the source: all definitions, statements and data files that it is made of, and their hash.

From a name the search goes to the names that its definition uses: functions, classes and constants, wherever of ours
they are defined, with the statements of `sql/` that they run and the data files that they read. Comments, docstrings,
layout and the order of definitions do not count, nor what else stands in those modules. Names are followed as they are
written, so nothing of ours may be imported or looked up by a string.
"""

import hashlib
import json
import os
import re
import sys
import time
import tomllib
from collections.abc import Collection, Iterable
from contextlib import suppress
from importlib.util import resolve_name
from itertools import dropwhile
from pathlib import Path
from typing import Any
from uuid import uuid4

from models.source import definitions as reading
from models.source import syntax
from models.source.definitions import ALL, EFFECTS, FOLDER, PACKAGES, Definition, definitions
from models.source.syntax import digest

UNUSED_SECONDS = 30 * 24 * 3600
_MOVED = re.compile(rb"^(\s*)from semhash_llm import (sql)$", re.MULTILINE)
DATA = (".json", ".toml", ".txt")
_SQL_TOKENS = re.compile(r"""--[^\n]*|/\*.*?\*/|\s+|('(?:[^']|'')*'|"(?:[^"]|"")*"|\w+|.)""", re.DOTALL)


class Sources:
    """The source of packages in a folder as it is now: what changes later is not what this process runs.

    Following all names takes a second, so what comes of it is remembered under the hash of all files. What was
    remembered of sources that nobody has started for 30 days goes when there are new ones.

    Args:
        root: folder of the packages.
        home: folder of what is remembered; it is made, and nothing is remembered where that fails.
        packages: those to read.
        ends: names, as "package.module:name" or "package.module" for all of it, at which the search ends.

    Attributes:
        is_new: whether nothing is remembered of exactly these sources yet.
    """

    def __init__(
        self, root: Path, home: Path, packages: Iterable[str] = PACKAGES, ends: Collection[str] = frozenset()
    ) -> None:
        self._files: dict[str, bytes] = {}
        self._ends = ends
        for package in packages:
            for folder, _, names in os.walk(root / package):
                place = Path(folder).relative_to(root).as_posix()
                kinds = (".py", ".sql", *DATA) if "__init__.py" in names else (".sql",)
                for name in names:
                    if name.endswith(kinds):
                        self._files[f"{place}/{name}"] = _as_written(Path(folder, name).read_bytes())
        self._modules: dict[str, dict[str, Definition]] = {}
        self._found: dict[str, Definition] = {}
        self._versions: dict[str, str] = {}
        self._page = home / f"versions-{_hash_of_all(self._files)}.json"
        self.is_new = not self._page.exists()
        if self.is_new:
            _forget_unused(home)
        with suppress(OSError, ValueError):
            self._versions = json.loads(self._page.read_text())
            os.utime(self._page)

    def version(self, *names: str) -> str:
        """Hash of all that names are made of: "package.module:name" each, or "package.module" for all of it.

        Raises:
            LookupError: there is no such name.
        """
        key = " ".join(names)
        if key not in self._versions:
            self._versions[key] = self._version(*names)
            _remember(self._page, self._versions)
        return self._versions[key]

    def version_within(self, module: str, name: str) -> str:
        """Hash of all that a name is made of, found for all names of its module at once.

        Raises:
            LookupError: there is no such name.
        """
        key = f"{module}:{name}"
        if key not in self._versions:
            names = [f"{module}:{one}" for one in self._module(module)]
            self._versions |= {one: self._version(one) for one in names}
            _remember(self._page, self._versions)
        if key not in self._versions:
            raise LookupError(f"{module} does not define {name}")
        return self._versions[key]

    def _version(self, *names: str) -> str:
        told = [(name, self._definition(name).digest) for name in sorted(self.closure(*names))]
        return digest(json.dumps(told))

    def closure(self, *names: str) -> set[str]:
        """The names, and all that they use, one through the other: definitions, statements and data files."""
        found: set[str] = set()
        waiting = [name for wanted in names for name in self._named(*wanted.partition(":")[::2])]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += self._definition(name).uses
        return found

    def _definition(self, name: str) -> Definition:
        """The digest of a name of the closure, and the names that it uses."""
        if name not in self._found:
            module, is_code, defined = name.partition(":")
            if is_code:
                known = self._module(module)[defined]
                uses = [one for used in known.uses for one in self._used(module, used)]
                self._found[name] = Definition(known.digest, uses)
            else:
                self._found[name] = Definition(digest(json.dumps(_read(name, self._files[name].decode()))), [])
        return self._found[name]

    def _used(self, module: str, used: str) -> list[str]:
        """Names of the closure that a use in a module stands for."""
        folder = self._path(module).rpartition("/")[0]
        if used == FOLDER:
            return [file for file in self._files if file.rpartition("/")[0] == folder and file.endswith(DATA)]
        if used.startswith("sql/"):
            return [f"{used}.sql"]
        where, _, name = used.partition(":")
        where = resolve_name(where, folder.replace("/", ".")) if where.startswith(".") else where or module
        return self._named(where, name)

    def _named(self, module: str, name: str) -> list[str]:
        if module in self._ends or f"{module}:{name}" in self._ends:
            return []
        known = self._module(module)
        if name not in known and name != ALL and self._path(f"{module}.{name}"):
            return self._named(f"{module}.{name}", ALL)
        if name not in known and name != ALL and EFFECTS not in known:
            raise LookupError(f"{module} does not define {name}")
        return [f"{module}:{one}" for one in known if name == ALL or one in (name, EFFECTS)]

    def _module(self, module: str) -> dict[str, Definition]:
        if module not in self._modules:
            if not (path := self._path(module)):
                raise LookupError(f"there is no module {module}")
            self._modules[module] = definitions(self._files[path])
        return self._modules[module]

    def _path(self, module: str) -> str:
        place = module.replace(".", "/")
        return next((path for path in (f"{place}.py", f"{place}/__init__.py") if path in self._files), "")


def _as_written(text: bytes) -> bytes:
    """Source as it stands in the repository, before `setup.py` moved it below the name of the interface."""
    return _MOVED.sub(rb"\1import \2", text.replace(b"from semhash_llm.", b"from ")) if b"semhash_llm" in text else text


def _read(name: str, text: str) -> Any:
    """What a statement or a data file says: no comment of SQL or TOML, nor the head of a list, lines with "#"."""
    match Path(name).suffix:
        case ".sql":
            return [token for token in _SQL_TOKENS.findall(text) if token]
        case ".toml":
            return tomllib.loads(text)
    lines = text.splitlines()
    return list(dropwhile(lambda line: line.startswith("#"), lines)) if name.endswith(".txt") else lines


def _hash_of_all(files: dict[str, bytes]) -> str:
    """Hash of exactly these sources, as this code follows them."""
    whole = hashlib.sha256(sys.version.encode())
    for path in (__file__, reading.__file__, syntax.__file__):
        whole.update(Path(path).read_bytes())
    for name in sorted(files):
        whole.update(f"{name} {len(files[name])} ".encode() + files[name])
    return whole.hexdigest()[:16]


def remembered(home: Path) -> set[str]:
    """All versions that stand in a folder, of whatever sources."""
    found: set[str] = set()
    for page in home.glob("versions-*.json"):
        with suppress(OSError, ValueError):
            found |= set(json.loads(page.read_text()).values())
    return found


def _forget_unused(home: Path) -> None:
    """Remove what was last used 30 days ago; several processes may, and who still wants it finds it anew."""
    for page in home.glob("versions-*.json"):
        with suppress(OSError):
            if time.time() - page.stat().st_mtime > UNUSED_SECONDS:
                page.unlink()


def _remember(page: Path, versions: dict[str, str]) -> None:
    """Write what the next start need not find again, where there is a place for it."""
    temporary = page.with_name(f".{page.name}.{uuid4().hex}")
    with suppress(OSError):
        page.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(json.dumps(versions))
        temporary.replace(page)
