"""Kernels that Python calls, and those without a wrapper for it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from models.kernels.hash_set import _put, hash_set

ROOT = Path(__file__).parents[3]
WITHOUT_WRAPPER, WITH_WRAPPER, OTHERS = {"inner", "lean"}, {"kernel", "lean_kernel"}, {"counted", "inlined", "compiled"}


def test_kernel_without_wrapper_is_refused_to_python_before_and_after_it_was_compiled():
    table, hashes = np.zeros(8, np.uint64), np.ones(1, np.uint64)
    with pytest.raises(TypeError, match="_put has no wrapper"):
        _put(table, hashes)
    assert 1 in hash_set(hashes)
    with pytest.raises(TypeError, match="_put has no wrapper"):
        _put(table, hashes)


def _decorator(node: ast.stmt) -> str | None:
    """Name of the decorator of a kernel, None of anything else."""
    named = [getattr(one, "func", one) for one in getattr(node, "decorator_list", [])]
    names = {name.id for name in named if isinstance(name, ast.Name)}
    return next(iter(names & (WITHOUT_WRAPPER | WITH_WRAPPER | OTHERS)), None)


def _called(module: str, tree: ast.Module) -> Iterator[str]:
    """Whole names of what stands outside of kernels, as it is or as an attribute of a module."""
    names = {node.name: f"{module}.{node.name}" for node in tree.body if isinstance(node, ast.FunctionDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    left: list[ast.AST] = [tree]
    while left:
        node = left.pop()
        if isinstance(node, ast.Name):
            yield names.get(node.id, node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield f"{names.get(node.value.id, node.value.id)}.{node.attr}"
        left += [
            child for child in ast.iter_child_nodes(node) if not (isinstance(child, ast.stmt) and _decorator(child))
        ]


def test_kernels_have_a_wrapper_if_python_calls_them():
    """A wrapper that nobody calls costs every machine the time to compile it."""
    decorators, called, aliases = {}, set(), {}
    for path in (path for room in ("models", "tasks", "tests") for path in (ROOT / room).rglob("*.py")):
        if path != Path(__file__):
            module, tree = ".".join(path.relative_to(ROOT).with_suffix("").parts), ast.parse(path.read_text("utf-8"))
            decorators |= {f"{module}.{node.name}": name for node in tree.body if (name := _decorator(node))}
            called |= set(_called(module, tree))
            imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
            here = module.removesuffix(".__init__")
            aliases |= {f"{here}.{one.name}": f"{node.module}.{one.name}" for node in imports for one in node.names}
    called = {name.replace(".__init__", "") for name in called}
    called |= {aliases[name] for name in called & aliases.keys()}
    assert called, "nothing was read"
    for name, decorator in decorators.items():
        if decorator not in OTHERS:
            has_wrapper, is_called = decorator in WITH_WRAPPER, name.replace(".__init__", "") in called
            assert has_wrapper == is_called, f"{name} is {'' if is_called else 'not '}called from Python"
