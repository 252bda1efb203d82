"""Settings chapter: input files, parameters, versions."""

from markupsafe import Markup

from tasks.report.html import badge, count, folded, join, section, table, tag
from tasks.report.material import Material

FILES = 50


def settings(material: Material) -> Markup:
    """Inputs and parameters; those that differ from their defaults come first."""
    made = material.archive.manifest
    inputs: list[list[str | Markup]] = [
        [one["path"], count(one["bytes"]), tag("code", one["sha256"][:16])] for one in made["inputs"][:FILES]
    ]
    versions: list[list[str | Markup]] = [
        ["SemHash-LLM", made["version"]],
        ["bundle", tag("code", made["bundle"])],
        ["encoder", tag("code", made["encoder"])],
        ["index", tag("code", made["index_version"])],
        ["workspace", tag("code", made.get("store") or made["workspace"])],
    ]
    changed, kept = _parameters(material)
    more = len(made["inputs"]) - FILES
    head = ["parameter", "value", "meaning"]
    return section(
        "Run",
        tag("h3", "Input"),
        table(["file", "bytes", "SHA-256"], inputs, numbers=(1,)),
        tag("p", f"{count(more)} more files stand in manifest.json.", class_="note") if more > 0 else None,
        tag("h3", "Parameters"),
        table(head, changed) if changed else tag("p", "All parameters have their defaults."),
        folded(f"{len(kept)} parameters at their defaults", table(head, kept)),
        tag("h3", "Versions"),
        table(["what", "which"], versions),
    )


def _parameters(material: Material) -> tuple[list[list[str | Markup]], list[list[str | Markup]]]:
    changed: list[list[str | Markup]] = []
    kept: list[list[str | Markup]] = []
    parameters = material.run.parameters
    for name in type(parameters).model_fields:
        values = getattr(parameters, name)
        for key, field in type(values).model_fields.items():
            value, default = getattr(values, key), field.get_default()
            row = [tag("code", f"{name}.{key}"), tag("code", _said(value)), field.description or ""]
            if value == default:
                kept.append(row)
            else:
                changed.append([row[0], join([row[1], " ", badge(f"default {_said(default)}")]), row[2]])
    return changed, kept


def _said(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value).lower() if isinstance(value, bool) or value is None else str(value)
