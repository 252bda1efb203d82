"""Settings that a run can be given: listed, explained, and as the page docs/settings.md.

`python -m tasks.pipeline.settings` writes the page.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_origin

from pydantic.fields import FieldInfo

from models.parameters import PRESETS, Parameters, Section

PAGE = Path(__file__).resolve().parents[2] / "docs" / "settings.md"
HEAD = """# Settings

Every number that changes the answer, written from `models/parameters.py` by `python -m tasks.pipeline.settings`; a test
holds the page to it. `semhash-llm settings WORD` finds them on the command line and shows what differs in a published
snapshot (`--out`). They are changed by `--set section.key=value`, by `--preset NAME` or in a file,
`--config settings.toml`:

```toml
[verify]
tau_a = 0.8

[extract]
source_priority = ["books", "news"]
```

A `--set` wins over the file, and the file over the preset.
"""


class Setting(NamedTuple):
    """Setting as it is told: its name, its default, what it may be, and what it does."""

    name: str
    default: str
    allowed: str
    says: str


def settings(word: str = "") -> list[Setting]:
    """Settings in whose name or description a word stands, in any case; all of them for none."""
    sought = word.lower()
    return [one for one in _settings() if sought in one.name.lower() or sought in one.says.lower()]


def told(found: list[Setting], in_force: Parameters | None = None) -> str:
    """Settings in words, with their values in force where these are not the defaults."""
    lines = []
    for one in found:
        section, key = one.name.split(".")
        value = one.default if in_force is None else _value(getattr(getattr(in_force, section), key))
        lines += [f"{one.name} = {value}" + ("" if value == one.default else f"   (default {one.default})")]
        lines += [f"    {one.says}; {one.allowed}"]
    return "\n".join(lines)


def page() -> str:
    """The page as it must be."""
    lines = [HEAD]
    lines += ["## Presets", "", "| preset | what it does | what it sets |", "| --- | --- | --- |"]
    lines += [
        f"| `{name}` | {given.says} | {', '.join(f'`{one}`' for one in given.settings)} |"
        for name, given in PRESETS.items()
    ]
    lines += ["", "What they remove of labelled corpora is in `measured.md`."]
    for name, field in Parameters.model_fields.items():
        lines += ["", f"## {name}", "", _doc(field.annotation), "", "| key | default | may be | what it does |"]
        lines += ["| --- | --- | --- | --- |"]
        rows = [one for one in _settings() if one.name.startswith(f"{name}.")]
        lines += [_row(one) for one in rows]
    return "\n".join(lines) + "\n"


def from_toml(given: dict[str, Any]) -> list[str]:
    """Settings of a file as `section.key=value`.

    Raises:
        ValueError: something stands there that is no section with keys.
    """
    made = []
    for section, keys in given.items():
        if not isinstance(keys, dict):
            raise ValueError(f"'{section}' stands outside of a section: write it as [section] and key = value")
        made += [f"{section}.{key}={_value(value)}" for key, value in keys.items()]
    return made


def _settings() -> Iterator[Setting]:
    for section, field in Parameters.model_fields.items():
        kind = field.annotation
        assert isinstance(kind, type)
        assert issubclass(kind, Section)
        for key, one in kind.model_fields.items():
            yield Setting(f"{section}.{key}", _value(one.default), _allowed(one), one.description or "")


def _value(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def _allowed(field: FieldInfo) -> str:
    choices = [str(one) for kind in (field.annotation, *get_args(field.annotation)) for one in _choices(kind)]
    if choices:
        return ", ".join(choices)
    signs = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}
    bounds = [
        f"{said} {getattr(one, sign)}" for one in field.metadata for sign, said in signs.items() if hasattr(one, sign)
    ]
    kinds = get_args(field.annotation) if type(None) in get_args(field.annotation) else (field.annotation,)
    names = {bool: "true or false", int: "whole number", float: "number", str: "text"}
    name = next((said for kind, said in names.items() if kind in kinds), "list, by commas")
    return ", ".join([name + (" or nothing" if type(None) in kinds else ""), *bounds])


def _choices(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) is Literal else ()


def _doc(kind: Any) -> str:
    return (kind.__doc__ or "").strip().splitlines()[0]


def _row(one: Setting) -> str:
    cells = (f"`{one.name.split('.')[1]}`", f"`{one.default}`" if one.default else "", one.allowed, one.says)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
