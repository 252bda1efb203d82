"""Pairs chapter: search over pairs that the report holds, and over all of them where a snapshot is served."""

import shlex
from collections import Counter
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from markupsafe import Markup

from tasks.explain.wording import TYPES
from tasks.report.explorer.cards import Room, cards
from tasks.report.explorer.drawing import PICKED, draw
from tasks.report.explorer.grounds import MEASURES
from tasks.report.html import count, explorer, section
from tasks.report.kept_apart import kept_apart
from tasks.report.material import Material

AT_ONCE = 10
"""Cards on a page."""
ROOM = Room(few=3, side=700, compared=20_000)
"""Of which some 900 pairs fit in two megabytes."""
SOURCES = 60
"""Sources that can be chosen, the most frequent ones."""


@cache
def script(*names: str) -> str:
    """Source of scripts of this folder, one behind the other."""
    return "".join(files(__package__).joinpath(f"{name}.js").read_text(encoding="utf-8") for name in names)


def pairs(material: Material) -> Markup:
    """Pairs drawn by lot from every stratum and the worst by every bound, to be searched in the file itself."""
    archive = material.archive
    shown = cards(archive, draw(archive), ROOM)
    out = archive.path.parent.parent.absolute()
    removed = archive.manifest["counts"]["removed"]
    apart = kept_apart(archive).pairs
    sources = Counter(source for pair in shown for source in pair["sources"] if source)
    return section(
        "Pairs",
        search(
            {kind for pair in shown if (kind := pair["type"])},
            sorted(name for name, _ in sources.most_common(SOURCES)),
            out,
            {"pairs": shown},
        ),
        note=f"{count(len(shown))} of {count(removed)} removals and {count(apart)} pairs that were compared and kept "
        "apart: in equal shares by outcome and type as the lot had them, the worst by every bound, and members of "
        f"the largest clusters. semhash-llm open --out {out} has all of them.",
    )


def search(types: set[str], sources: list[str], out: Path, data: dict[str, Any]) -> Markup:
    """Form, place for cards, and what the script is told."""
    named = [(kind, kind if len(kind) > 1 else f"{kind} · {words}") for kind, words in TYPES.items() if kind in types]
    told = vocabulary(out) | {"at_once": AT_ONCE, **data}
    return explorer(named, sources, PICKED.items() if "pairs" in data else (), told)


def vocabulary(out: Path) -> dict[str, Any]:
    """What the script says of every card: names of types and measures, and the command that explains a document."""
    command = f"semhash-llm explain --out {shlex.quote(str(out))} -- "
    return {"types": TYPES, "picked": PICKED, "measures": MEASURES, "explain": command}
