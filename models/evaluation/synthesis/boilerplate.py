"""Page furniture harvested from a corpus: menus, heads and foots, by-lines; and wrapping a content in it."""

import re
from collections import Counter
from dataclasses import dataclass
from random import Random

from models.evaluation.synthesis.wordlists import MENU, MONTHS

EDGE = 12
"""Lines at either end of a document where furniture stands."""
RECURRING = 3
"""Documents that share a line at their edges before it counts as furniture."""

_CODE = re.compile(r"[{}=<>\\;$`_#*|~├└│]|\(\)|::|->|://|^\W|^(?:import|from|pip|cd|git|def|class) |^[a-z].*\W$")
_SEPARATORS = (" | ", " · ", " / ", "  ", " > ", " • ")


@dataclass(frozen=True)
class Boilerplate:
    """Furniture of one corpus.

    Attributes:
        menus: runs of short lines without full stops that stand together in one document.
        lines: lines that recur at the edges of documents.
        names: words that serve as authors and sites.
    """

    menus: list[tuple[str, ...]]
    lines: list[str]
    names: list[str]


def harvest(texts: list[str], names: list[str]) -> Boilerplate:
    """Collect furniture: short unpunctuated lines that stand together, and lines that recur at heads and foots."""
    counts: Counter[str] = Counter()
    menus: dict[tuple[str, ...], None] = {}
    for text in texts:
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        if len(lines) >= EDGE:
            counts.update({line for line in lines[:EDGE] + lines[-EDGE:] if 10 <= len(line) <= 120})
        menus.update(dict.fromkeys(_runs(lines)))
    recurring = sorted(line for line, count in counts.items() if count >= RECURRING and _is_furniture(line))
    return Boilerplate(list(menus), recurring, names or ["Editor"])


def wrap(content: str, share: float, boilerplate: Boilerplate, rng: Random) -> str:
    """Put a content, whole, between furniture of which it makes about `share` of the page."""
    room = len(content) * (1 - share) / share
    above = rng.choice((0.0, 0.2, 0.5, 0.8, 1.0))
    head, foot = _furniture(room * above, boilerplate, rng), _furniture(room * (1 - above), boilerplate, rng)
    gap = rng.choice(("\n", "\n\n"))
    return gap.join(piece for piece in (head, content, foot) if piece)


def stamp(rng: Random) -> str:
    """Write a random date, with a time of day or without, in one of several forms."""
    day, month, year = rng.randint(1, 28), rng.randint(1, 12), rng.randint(1998, 2025)
    name = MONTHS[month - 1]
    date = rng.choice(
        (f"{day} {name} {year}", f"{name} {day}, {year}", f"{year}-{month:02}-{day:02}", f"{day:02}.{month:02}.{year}")
    )
    return date + rng.choice(("", "", f", {rng.randint(0, 23):02}:{rng.randint(0, 59):02}"))


def byline(names: list[str], rng: Random) -> str:
    """Write who published a text, and when."""
    who = f"{rng.choice(names)} {rng.choice(names)}"
    return rng.choice(
        (f"By {who}", f"By {who} | {stamp(rng)}", f"Posted by {who} on {stamp(rng)}", f"{who}, {stamp(rng)}")
    )


def _runs(lines: list[str]) -> list[tuple[str, ...]]:
    """Runs of three to forty lines that could be a menu."""
    runs, run = [], []
    for line in [*lines, "."]:
        if len(line) <= 60 and line[-1] not in ".!?:;,-" and _is_furniture(line):
            run.append(line)
            continue
        if len(run) >= 3:
            runs.append(tuple(run[:40]))
        run = []
    return runs


def _is_furniture(line: str) -> bool:
    """Mostly letters, no code, no middle of a sentence."""
    letters = sum(map(str.isalpha, line))
    return 2 * letters > len(line) and not line[0].islower() and not _CODE.search(line)


def _furniture(room: float, boilerplate: Boilerplate, rng: Random) -> str:
    """Furniture of about `room` characters; none below twenty."""
    pieces, size = [], 0
    while room - size > 20:
        piece = _piece(boilerplate, rng)[: int(room - size) + 40]
        piece = piece[: piece.rfind("\n")] if "\n" in piece and size + len(piece) > room else piece
        pieces.append(piece)
        size += len(piece) + 1
    rng.shuffle(pieces)
    return "\n".join(pieces)


def _piece(boilerplate: Boilerplate, rng: Random) -> str:
    turn = rng.random()
    if turn < 0.1:
        return byline(boilerplate.names, rng)
    if turn < 0.3 and boilerplate.lines:
        return rng.choice(boilerplate.lines)
    menu = list(rng.choice(boilerplate.menus)) if boilerplate.menus and turn < 0.9 else _invented(boilerplate, rng)
    style = rng.random()
    if style < 0.6:
        return "\n".join(menu)
    if style < 0.85:
        return rng.choice(_SEPARATORS).join(menu)
    if style < 0.93:
        return "\n".join(f"* [{item}](/{item.split()[0].lower()})" for item in menu)
    return "<ul>" + "".join(f'<li><a href="/{item.split()[0].lower()}">{item}</a></li>' for item in menu) + "</ul>"


def _invented(boilerplate: Boilerplate, rng: Random) -> list[str]:
    items = rng.sample(MENU, 5) + rng.choices(boilerplate.names, k=rng.randint(2, 10))
    rng.shuffle(items)
    return items
