"""Import of large libraries without the parts that are not used."""

import gc
import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from copy import copy
from importlib import import_module
from types import ModuleType
from typing import Any


@contextmanager
def at_once() -> Iterator[None]:
    """Import in the block without a look for garbage, and leave what it made out of all later looks.

    Modules live as long as the process. Each look goes through all of them, again and again while they grow: that takes
    as long as the imports themselves.
    """
    looking = gc.isenabled()
    gc.collect(1)  # of what is older little is garbage, and to find it takes long
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if looking:
            gc.enable()


def later(*names: str) -> AbstractContextManager[None]:
    """Lazy import of these modules in the block, when an attribute is first used; not for `from X.Y import Z`."""
    return _instead({name: _Later(name) for name in names})


def absent(*names: str) -> AbstractContextManager[None]:
    """Hide these packages in the block from others that can do without them."""
    return _instead(dict.fromkeys(names))


@contextmanager
def inherited_flat() -> Iterator[None]:
    """Flat copies, in the block, of the fields that a class of `pydantic.v1` inherits, without all that hangs below.

    A class changes nothing below: it replaces what it finds in a field. The deep copies were a quarter of an import.
    """
    from pydantic.v1.fields import ModelField

    main: Any = import_module("pydantic.v1.main")
    deeply = main.smart_deepcopy

    def flat(value: Any) -> Any:
        if not (isinstance(value, dict) and all(isinstance(field, ModelField) for field in value.values())):
            return deeply(value)
        fields = {name: copy(field) for name, field in value.items()}
        for field in fields.values():
            field.field_info, field.class_validators = copy(field.field_info), dict(field.class_validators)
        return fields

    main.smart_deepcopy = flat
    try:
        yield
    finally:
        main.smart_deepcopy = deeply


@contextmanager
def _instead(others: Mapping[str, ModuleType | None]) -> Iterator[None]:
    """Replace the modules of these names in the block, but for those that are imported already."""
    placed: dict[str, Any] = {name: other for name, other in others.items() if name not in sys.modules}
    sys.modules.update(placed)
    try:
        yield
    finally:
        for name, other in placed.items():
            if sys.modules.get(name, placed) is other:
                del sys.modules[name]


class _Later(ModuleType):
    """Stand-in for a module until an attribute of it is wanted."""

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), attribute)
