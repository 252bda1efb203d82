"""Page furniture harvested from a corpus: menus, heads and foots, by-lines; and wrapping a content in it."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from random import Random

from models.evaluation.synthesis.material.sites import Site, sites_of
from models.evaluation.synthesis.material.splitting import is_prose
from models.evaluation.synthesis.material.wordlists import MONTHS

EDGE = 12
"""Lines at either end of a document where furniture stands."""
RECURRING = 3
"""Documents that share a line at their edges before it counts as furniture."""

TITLE, TITLED = (8, 90), 300
"""Characters of a line that is a title, and of a document that has one: a short text would stand there whole."""
SIGNED = 0.4
"""Share of the pages that name an author."""
SAID = 3
"""Words of a line from which on a full stop makes it a sentence."""

_CODE = re.compile(r"[{}=<>\\;$`_#*|~├└│]|\(\)|::|->|://|^\W|^(?:import|from|pip|cd|git|def|class) |^[a-z].*\W$")


@dataclass(frozen=True)
class Boilerplate:
    """Furniture of one corpus.

    Attributes:
        menus: runs of short lines without full stops that stand together in one document.
        lines: lines that recur at the edges of documents.
        names: words that serve as authors and sites.
        titles: first lines of documents that are titles.
        sites: each with furniture of its own, made of all this.
    """

    menus: list[tuple[str, ...]]
    lines: list[str]
    names: list[str]
    titles: list[str]
    sites: list[Site]


def harvest(texts: list[str], names: list[str]) -> Boilerplate:
    """Collect furniture: short unpunctuated lines that stand together, lines that recur at heads and foots, titles."""
    counts: Counter[str] = Counter()
    menus: dict[tuple[str, ...], None] = {}
    for text in texts:
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        if len(lines) >= EDGE:
            counts.update({line for line in lines[:EDGE] + lines[-EDGE:] if 10 <= len(line) <= 120})
        menus.update(dict.fromkeys(_runs(lines)))
    recurring = sorted(line for line, count in counts.items() if count >= RECURRING and _is_furniture(line))
    heads = dict.fromkeys(text.split("\n", 1)[0].strip() for text in texts if len(text) >= TITLED)
    titles = [head for head in heads if TITLE[0] <= len(head) <= TITLE[1] and _is_title(head)]
    known = names or ["Editor"]
    return Boilerplate(
        list(menus), recurring, known, titles, sites_of(len(texts), list(menus), recurring, known, titles)
    )


def wrap(content: str, share: float, boilerplate: Boilerplate, rng: Random) -> str:
    """Put a content, whole, between furniture of one site, of which it makes about `share` of the page."""
    room = len(content) * (1 - share) / share
    above = rng.choice((0.0, 0.2, 0.5, 0.8, 1.0))
    site = rng.choice(boilerplate.sites)
    author = byline(boilerplate.names, rng) if room > TITLE[1] and rng.random() < SIGNED else ""
    head, foot = _furniture(room * above, site.pieces), _furniture(room * (1 - above), site.pieces[::-1])
    gap = rng.choice(("\n", "\n\n"))
    return gap.join(piece for piece in (head, author, content, foot) if piece)


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
    """Mostly letters, no code, and no part of a sentence: a page that says one has content of its own."""
    letters = sum(map(str.isalpha, line))
    return 2 * letters > len(line) and not line[0].islower() and not _CODE.search(line) and not _is_said(line)


def _is_title(line: str) -> bool:
    return line[0].isupper() and line[-1] not in ".!?…,;" and 2 * sum(map(str.isalpha, line)) > len(line)


def _is_said(line: str) -> bool:
    return is_prose(line) or (line[-1] in ".!?…" and len(line.split()) > SAID)


def _furniture(room: float, pieces: Sequence[str]) -> str:
    """The first pieces, as many as have room; none below twenty characters."""
    shown: list[str] = []
    size = 0
    for piece in cycle(pieces):
        if room - size <= 20:
            break
        part = piece[: int(room - size) + 40]
        part = part[: part.rfind("\n")] if "\n" in part and size + len(part) > room else part
        shown.append(part)
        size += len(part) + 1
    return "\n".join(shown)
