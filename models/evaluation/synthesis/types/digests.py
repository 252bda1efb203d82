"""Type D, families "collection", "mail" and "list": a document that stands whole in another, or a part of a list."""

from random import Random

from models.evaluation.synthesis.edits.edits import touched
from models.evaluation.synthesis.edits.frames import titles
from models.evaluation.synthesis.edits.mail import introduction, quote
from models.evaluation.synthesis.edits.ordering import runs_of
from models.evaluation.synthesis.material.material import LONG, Material
from models.evaluation.synthesis.material.splitting import clip, lines_of, plain
from models.evaluation.synthesis.operator import Made, Operator

LONGEST = 4_000
"""Characters of a child that stands whole in its parent."""
ITEMS, ITEM, LISTED = 18, 120, 0.7
"""Lines of a list from which a part is taken, characters of a line on average at most, and share of the lines that
have the form of items: lines of a prose text or of code in a row of their own would be no part that anybody cites."""


def _child(text: str, material: Material, rng: Random) -> tuple[str, str, list[str]]:
    """A text, and how it stands alone: as it is, or with an edit."""
    whole = clip(text, rng.randint(2 * LONG, LONGEST))
    alone, applied = touched(whole, rng.choice((0, 0, 1, 2)), material, rng)
    return whole, alone, applied


def _collected(text: str, document: int, material: Material, rng: Random) -> Made | None:
    """A document and a page on which it stands after or before another one."""
    others = material.strangers(document, rng, 200)
    if others is None:
        return None
    whole, child, applied = _child(text, material, rng)
    companion = material.texts[others[0]][: int(len(whole) * rng.uniform(0.5, 3))]
    both = [whole, companion] if rng.random() < 0.5 else [companion, whole]
    parent = rng.choice(("\n\n", "\n\n---\n\n", "\n\n* * *\n\n")).join(both)
    return Made(parent, child, "+".join(["collection", *applied])) if len(child) < 0.9 * len(parent) else None


def _digest(text: str, document: int, material: Material, rng: Random) -> Made | None:
    """A document among several others under headings of their own."""
    others = material.strangers(document, rng, *([LONG] * rng.randint(2, 3)))
    if others is None:
        return None
    whole, child, applied = _child(text, material, rng)
    entries = [whole, *(clip(material.texts[other], rng.randint(LONG, 2000)) for other in others)]
    rng.shuffle(entries)
    head = rng.choice(("In this issue", "Digest", "Weekly summary", "Contents", "Today's messages"))
    form = rng.choice(("{}. {}\n\n", "## {1}\n\n", "--- {} ---\n\n", "Message: {}\nSubject: {}\n\n"))
    names = [*titles(material, len(entries), rng), *["Untitled"] * len(entries)]
    body = "\n\n".join(form.format(at, names[at]) + entry for at, entry in enumerate(entries))
    return Made(f"{head}\n\n{body}", child, "+".join(["digest", *applied]))


def _answered(text: str, document: int, material: Material, rng: Random) -> Made | None:
    """A message and the longer answer that quotes all of it."""
    others = material.strangers(document, rng, LONG)
    if others is None:
        return None
    whole = clip(text, rng.randint(LONG, 2500))
    answer = clip(material.texts[others[0]], rng.randint(LONG, 3000))
    quoted = f"{introduction(material, rng)}\n{quote(whole, rng)}"
    parts = [answer, quoted] if rng.random() < 0.6 else [quoted, answer]
    return Made("\n\n".join(parts), whole)


def _listed(text: str, document: int, material: Material, rng: Random) -> Made | None:
    """Some lines of a list in order: one run, or scattered ones."""
    lines = lines_of(text)
    items = sum(stop - start for start, stop in runs_of(lines))
    if len(lines) < ITEMS or sum(map(len, lines)) > ITEM * len(lines) or items < LISTED * len(lines):
        return None
    size = rng.randint(len(lines) // 4, 2 * len(lines) // 3)
    start = rng.randint(0, len(lines) - size)
    kept = range(start, start + size) if rng.random() < 0.6 else sorted(rng.sample(range(len(lines)), size))
    child = "\n".join(lines[at] for at in kept)
    return Made(text, child) if len(child) >= LONG and plain(child) != plain(text) else None


OPERATORS = [
    Operator("D", "collection", "collection", "prose", _collected),
    Operator("D", "digest", "collection", "prose", _digest),
    Operator("D", "answered mail", "mail", "prose", _answered),
    Operator("D", "list part", "list", "long", _listed),
]
