"""Definitions of a module: what it gives a name, a hash of each, and the names that each uses."""

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from models.source.syntax import as_text, digest, is_docstring

PACKAGES = ("tasks", "models", "sql", "data_contracts")
"""Where a stage finds what it uses."""
ALL = ""
"""In place of a name: all of a module."""
EFFECTS = "*"
"""In place of a name: what a module does when it is imported, besides defining names."""
FOLDER = "."
"""In place of what is used: the data files beside a module."""


class Definition(NamedTuple):
    """A name of a module.

    Attributes:
        digest: of its source, which comments, docstrings and layout do not change; of an imported name, whose it is.
        uses: names as "module:name", or ":name" in the same module, statements as "sql/room/name", and `FOLDER`.
    """

    digest: str
    uses: list[str]


def definitions(source: bytes) -> dict[str, Definition]:
    """Definitions of a module by name.

    A use is where a name is written, whatever it means there; one too many does no harm. What is imported for type
    checkers alone is not used.
    """
    imported: dict[str, list[str]] = {}
    defined: dict[str, list[ast.stmt]] = {}
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            for name, target in _imports(statement):
                imported.setdefault(name, []).append(target)
        elif not (is_docstring(statement) or _is_for_types(statement)):
            for name in _names(statement) or [EFFECTS]:
                defined.setdefault(name, []).append(statement)
    known = imported.keys() | defined.keys()
    found = {name: Definition(" ".join(targets), targets) for name, targets in imported.items()}
    for name, statements in defined.items():
        uses = {used for statement in statements for used in _uses(statement, known)}
        found[name] = Definition(digest(as_text(statements)), sorted(uses | set(imported.get(name, []))))
    return found


def _imports(statement: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """Names that an import of ours binds, and what each stands for."""
    for alias in statement.names:
        if isinstance(statement, ast.Import):
            name, target = alias.asname or alias.name.partition(".")[0], f"{alias.name}:{ALL}"
        else:
            name, target = alias.asname or alias.name, f"{'.' * statement.level}{statement.module or ''}:{alias.name}"
        if target.startswith(".") or re.split(r"[.:]", target)[0] in PACKAGES:
            yield name, target


def _names(statement: ast.stmt) -> list[str]:
    """Names that a statement gives a meaning, if it does nothing else."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [statement.name]
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = [one for target in statement.targets for one in getattr(target, "elts", [target])]
    elif isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    return names if len(names) == len(targets) else []


def _uses(statement: ast.stmt, known: set[str]) -> Iterator[str]:
    for node in ast.walk(statement):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from (target for _, target in _imports(node))
        elif isinstance(node, ast.Name) and node.id in ("__file__", "__name__", "__package__"):
            yield FOLDER
        elif isinstance(node, ast.Name) and node.id in known:
            yield f":{node.id}"
        elif isinstance(node, ast.Call):
            yield from _statements(node)


def _statements(call: ast.Call) -> Iterator[str]:
    """Statements that `sql.run(con, "room/name")` runs, or that hold the `Contract("name")`."""
    of_sql = isinstance(call.func, ast.Attribute) and getattr(call.func.value, "id", "") == "sql"
    of_contract = getattr(call.func, "id", "") == "Contract"
    for given in call.args if of_sql or of_contract else ():
        if isinstance(given, ast.Constant) and isinstance(given.value, str):
            yield f"sql/contracts/{given.value}" if of_contract else f"sql/{given.value}"


def _is_for_types(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and getattr(statement.test, "id", "") == "TYPE_CHECKING"
