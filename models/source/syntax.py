"""Source as text that comments, docstrings and layout do not change, and a hash of it."""

import ast
import hashlib


def digest(text: str) -> str:
    """Hash of a text, long enough to tell all of them apart."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def as_text(node: object) -> str:
    """A syntax tree as text, the same in all versions of Python: some have more fields, which are empty.

    What the `Field` of a section says is not in it: its value is among the parameters. Nor is any `description=`.
    """
    if isinstance(node, list):
        return f"[{','.join(as_text(part) for part in node if not is_docstring(part))}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    if isinstance(node, ast.keyword) and node.arg == "description":
        return ""
    fields = {name: getattr(node, name, None) for name in node._fields if name not in ("ctx", "kind", "type_comment")}
    if isinstance(node, ast.AnnAssign) and getattr(getattr(node.value, "func", None), "id", "") == "Field":
        del fields["value"]
    written = (f"{name}={as_text(value)}" for name, value in fields.items() if value is not None and value != [])
    return f"{type(node).__name__}({','.join(written)})"


def is_docstring(node: object) -> bool:
    """A string that stands alone, wherever it does."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
