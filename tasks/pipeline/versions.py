"""Version of a table: hash of all source that its rows follow from, so that nobody has to remember to raise one.

From the task that makes a table the search goes from name to name: functions, classes and constants that are used
there, wherever of ours they are defined, with the statements of `sql/` that they run and the data files that they read.
Comments, docstrings, layout and the order of definitions do not count, nor what else stands in those modules. Names are
followed as they are written, so nothing of ours may be imported or looked up by a string.
"""

import hashlib
import json
import os
import re
import sys
from contextlib import suppress
from importlib.util import resolve_name
from pathlib import Path
from uuid import uuid4

from models import source
from models.source import digest
from tasks.pipeline import definitions as reading
from tasks.pipeline.definitions import ALL, EFFECTS, FOLDER, PACKAGES, Definition, definitions

CARRIERS = {
    "tasks.storage.stage:Stage",
    "tasks.storage.work",
    "tasks.quality.enforce_contracts",
    "tasks.runtime.errors",
    "data_contracts.schema",
    "data_contracts.schemas",
    "tasks.runtime.memory",
    "tasks.pipeline.registry",
    "tasks.runtime.progress",
    "tasks.runtime.run",
    "tasks.parallel.map_parts",
    "tasks.remote.object_mirror",
    "tasks.parallel.runners",
    "models.parameters:Parameters",
}
"""Where the search ends: they see to where rows go, who makes them, how far that is and whether they may stay.

None makes a row. Of the parameters the values are in the name of a table, and the sections that its stage is given
count by themselves; so do contracts, by the names of their own.
"""
_MOVED = re.compile(rb"^(\s*)from semhash_llm import (sql)$", re.MULTILINE)
DATA = (".json", ".toml", ".txt")
_SQL_TOKENS = re.compile(r"""--[^\n]*|/\*.*?\*/|\s+|('(?:[^']|'')*'|"(?:[^"]|"")*"|\w+|.)""", re.DOTALL)


class Sources:
    """The source of all packages in a folder as it is now: what changes later is not what this process runs.

    Following all names takes a second, so what comes of it is remembered under the hash of all files.
    """

    def __init__(self, root: Path) -> None:
        self._files: dict[str, bytes] = {}
        for package in PACKAGES:
            for folder, _, names in os.walk(root / package):
                place = Path(folder).relative_to(root).as_posix()
                kinds = (".py", ".sql", *DATA) if "__init__.py" in names else (".sql",)
                for name in names:
                    if name.endswith(kinds):
                        self._files[f"{place}/{name}"] = _as_written(Path(folder, name).read_bytes())
        self._modules: dict[str, dict[str, Definition]] = {}
        self._found: dict[str, Definition] = {}
        self._page = _page(self._files)
        self._versions: dict[str, str] = {}
        with suppress(OSError, ValueError):
            self._versions = json.loads(self._page.read_text())

    def version(self, *names: str) -> str:
        """Hash of all that names are made of: "package.module:name" each, or "package.module" for all of it.

        Raises:
            LookupError: there is no such name.
        """
        key = " ".join(names)
        if key not in self._versions:
            told = [(name, self._definition(name).digest) for name in sorted(self.closure(*names))]
            self._versions[key] = digest(json.dumps(told))
            _remember(self._page, self._versions)
        return self._versions[key]

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
                text = self._files[name].decode()
                tokens = _SQL_TOKENS.findall(text) if name.endswith(".sql") else text.splitlines()
                self._found[name] = Definition(digest(json.dumps([token for token in tokens if token])), [])
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
        if {module, f"{module}:{name}"} & CARRIERS:
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


def _page(files: dict[str, bytes]) -> Path:
    """File in which versions of exactly these sources are remembered, as this code finds them."""
    whole = hashlib.sha256(sys.version.encode())
    for path in (__file__, reading.__file__, source.__file__):
        whole.update(Path(path).read_bytes())
    for name in sorted(files):
        whole.update(f"{name} {len(files[name])} ".encode() + files[name])
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return home / "semhash-llm" / f"versions-{whole.hexdigest()[:16]}.json"


def _remember(page: Path, versions: dict[str, str]) -> None:
    """Write what the next start need not find again, where there is a place for it."""
    temporary = page.with_name(f".{page.name}.{uuid4().hex}")
    with suppress(OSError):
        page.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(json.dumps(versions))
        temporary.replace(page)


OURS = Sources(Path(__file__).resolve().parents[2])


def version(*names: str) -> str:
    """Hash of all that names of this installation are made of; see `Sources.version`."""
    return OURS.version(*names)


def ours(*names: str) -> list[str]:
    """Names among these that stand in our packages, as the repository calls them: nobody else's source is known."""
    written = [name.removeprefix("semhash_llm.") for name in names]
    return [name for name in written if name.partition(".")[0] in PACKAGES]
