"""Argument types of kernels: with which each is called, on a page by which it can be compiled before that.

A type is written as `int64`, an array of two dimensions as `uint64[:,:]`, an array of records or a named tuple by the
name of its dtype or class. `python -m models.compiling.argument_types` writes the page from what is compiled, after a
run.
"""

import pickle
import re
import sys
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import from_dtype, types
from numba.np.numpy_support import as_dtype

from models.kernels.cache import FOLDER, SOURCES

PAGE = Path(__file__).with_name("argument_types.toml")
_INDEX = "*.nbi"
_MADE_BY = pickle.dumps(numba.__version__, protocol=-1)
"""What an index of compiled kernels begins with."""
_ARRAY = re.compile(r"(?P<dtype>[^\[]+)\[(?P<axes>[:,]+)\](?P<layout>[AF]?)(?P<const> const)?")


class TypedKernel(NamedTuple):
    """Kernel with the types of its arguments.

    Attributes:
        module: of the kernel, as it is called in the repository.
        name: of the kernel there.
        arguments: types of its arguments, as the page has them.
    """

    module: str
    name: str
    arguments: list[str]

    def folder(self) -> Path:
        """Folder of the compiled kernel, as `models.kernels.cache.KernelFolder` names it.

        Raises:
            LookupError: there is no such kernel any more.
        """
        version = SOURCES.version_within(self.module, self.name)
        return FOLDER / f"{_imported(self.module)}.{self.name}-{version}"

    def is_compiled(self) -> bool:
        """Whether the kernel is compiled by the numba that is installed, with these types or others."""
        for index in self.folder().glob(_INDEX):
            with index.open("rb") as handle:
                return handle.read(len(_MADE_BY)) == _MADE_BY
        return False

    def kernel(self) -> Any:
        """The function to call."""
        return getattr(import_module(_imported(self.module)), self.name)


class Page:
    """The page of argument types, read.

    Attributes:
        tuples: types of the fields of named tuples.
        kernels: argument types of each kernel, as often as it has others; each before those that call it.
    """

    def __init__(self) -> None:
        page = tomllib.loads(PAGE.read_text(encoding="utf-8"))
        self.tuples: dict[str, list[str]] = page["tuples"]
        self.kernels: dict[str, list[list[str]]] = page["kernels"]

    def typed(self) -> Iterator[TypedKernel]:
        """All kernels of the page with their types, each before those that call it."""
        for kernel, given in self.kernels.items():
            module, _, name = kernel.rpartition(".")
            yield from (TypedKernel(module, name, written) for written in given)

    def types_of(self, kernel: TypedKernel) -> tuple[types.Type, ...]:
        """Types of the arguments, as the compiler has them.

        Raises:
            LookupError, AttributeError, ImportError: the page is older than the kernel.
        """
        return tuple(self._type(written) for written in kernel.arguments)

    def _type(self, written: str) -> types.Type:
        if array := _ARRAY.fullmatch(written):
            dtype = _named(array["dtype"]) if "." in array["dtype"] else np.dtype(array["dtype"])
            axes, layout = array["axes"].count(":"), array["layout"] or "C"
            return types.Array(from_dtype(dtype), axes, layout, readonly=array["const"] is not None)
        if "." in written:
            fields = [self._type(field) for field in self.tuples[written]]
            return types.BaseTuple.from_types(fields, _named(written))
        return getattr(types, "boolean" if written == "bool" else written)


def _named(name: str) -> Any:
    module, _, attribute = name.rpartition(".")
    return getattr(import_module(_imported(module)), attribute)


def _imported(module: str) -> str:
    """Name of a module where this one is: a wheel has all of them inside of another package."""
    return __name__.removesuffix("models.compiling.argument_types") + module


def compiled() -> Iterator[tuple[str, tuple[types.Type, ...]]]:
    """Kernels of these sources that lie compiled, and the types of each."""
    for folder in sorted(FOLDER.iterdir()):
        kernel, _, version = folder.name.rpartition("-")
        for index in folder.glob(_INDEX) if _version(kernel) == version else ():
            with index.open("rb") as handle:
                pickle.load(handle)  # version of numba
                _, overloads = pickle.loads(handle.read())
            yield from ((kernel, key[0]) for key in overloads)


def _version(kernel: str) -> str | None:
    """Version of a kernel, None of one that there is not any more."""
    module, _, name = kernel.rpartition(".")
    with suppress(LookupError):
        return SOURCES.version_within(module, name)
    return None


def write() -> int:
    """Write the page anew: with the types of what is compiled, and of what is not, as it was; how many kernels."""
    page = Page()
    tuples, kernels = page.tuples, {kernel: given for kernel, given in page.kernels.items() if _version(kernel)}
    found: dict[str, set[tuple[str, ...]]] = {}
    for kernel, arguments in compiled():
        names = [_written(one, tuples) for one in arguments]
        if None not in names:
            found.setdefault(kernel, set()).add(tuple(map(str, names)))
    kernels |= {kernel: [list(names) for names in sorted(groups)] for kernel, groups in found.items()}
    # Whatever a kernel calls is made of less than it.
    size = {kernel: len(SOURCES.closure(":".join(kernel.rsplit(".", 1)))) for kernel in kernels}
    lines = ["# Written by `python -m models.compiling.argument_types`.", "", "[tuples]"]
    given = {one for group in (*kernels.values(), [*tuples.values()]) for names in group for one in names}
    lines += [f'"{name}" = {_listed(tuples[name])}' for name in sorted(tuples.keys() & given)]
    lines += ["", "[kernels]"]
    for kernel in sorted(kernels, key=lambda kernel: (size[kernel], kernel)):
        lines.append(f'"{kernel}" = [{", ".join(_listed(names) for names in kernels[kernel])}]')
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return len(kernels)


def _listed(names: list[str]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"


def _written(given: types.Type, tuples: dict[str, list[str]]) -> str | None:
    """A type as the page has it; None for literals and plain tuples, which only other kernels pass on.

    And for arrays of records with fields that they had once: what was compiled for these is still in the cache.
    """
    if isinstance(given, types.Array):
        dtype = _record(given.dtype) if isinstance(given.dtype, types.Record) else str(given.dtype)
        layout, const = given.layout.replace("C", ""), "" if given.mutable else " const"
        return dtype and f"{dtype}[{','.join(':' * given.ndim)}]{layout}{const}"
    if isinstance(given, types.NamedTuple | types.NamedUniTuple):
        name = f"{given.instance_class.__module__}.{given.instance_class.__qualname__}"
        fields = [_written(field, tuples) for field in given.types]
        tuples[name] = [field for field in fields if field]
        return name if len(tuples[name]) == len(fields) else None
    is_value = isinstance(given, types.Number | types.Boolean) and not isinstance(given, types.Literal)
    return str(given) if is_value else None


def _record(record: types.Record) -> str | None:
    """Name of the dtype that an array of records has, in a module that was imported for its kernels; None if none."""
    dtype = as_dtype(record)
    for name, module in sorted(sys.modules.items()):
        for attribute, value in vars(module).items() if name.startswith("models.") else ():
            if isinstance(value, np.dtype) and value == dtype:
                return f"{name}.{attribute}"
    return None


if __name__ == "__main__":
    print(f"{write()} kernels in {PAGE}")  # noqa: T201, a command
