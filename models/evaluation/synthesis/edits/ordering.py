"""Families "order" and "trimmed": the same passages in another order, and one small sentence less."""

import re
from random import Random

from models.evaluation.synthesis.material.material import Material
from models.evaluation.synthesis.material.splitting import is_prose, lines_of, paragraphs_of, sentence_starts
from models.evaluation.synthesis.operator import SENTENCES, Edit

DROPPED = 0.1
"""Share of a text that a sentence may be, to be dropped."""
LEAST_BLOCKS, LEAST_ITEMS = 4, 5
"""Paragraphs of a text, and lines of a list, that are put in another order."""

_FIGURE = re.compile(r"\d")
_COUNTED = re.compile(r"\s*(?:\d+[.)]|[a-z]\)|step|chapter|section|\(?[ivx]+[.)])", re.IGNORECASE)


def _rearranged(text: str, material: Material, rng: Random) -> str:
    """Sections in another order: two runs of paragraphs change places, or one goes to the end."""
    blocks = paragraphs_of(text)
    if len(blocks) < LEAST_BLOCKS or any(_COUNTED.match(block) for block in blocks):
        return text
    first, second = sorted(rng.sample(range(len(blocks) + 1), 2))
    head, middle, tail = blocks[:first], blocks[first:second], blocks[second:]
    order = [*tail, *middle, *head] if rng.random() < 0.5 else [*head, *tail, *middle]
    return "\n\n".join(order)


def _sorted(text: str, material: Material, rng: Random) -> str:
    """The lines of a list in another order; what is no list stays."""
    lines = lines_of(text)
    runs = [run for run in runs_of(lines) if run[1] - run[0] >= LEAST_ITEMS]
    if not runs:
        return text
    start, stop = rng.choice(runs)
    items = lines[start:stop]
    form = rng.randrange(3)
    items = sorted(items) if form == 0 else items[::-1] if form == 1 else rng.sample(items, len(items))
    return "\n".join([*lines[:start], *items, *lines[stop:]])


def runs_of(lines: list[str]) -> list[tuple[int, int]]:
    """Return runs of lines that begin alike with a bullet, or are short and end alike."""
    runs, start = [], 0
    for at in range(1, len(lines) + 1):
        if at == len(lines) or _form(lines[at]) != _form(lines[start]):
            if _form(lines[start]):
                runs.append((start, at))
            start = at
    return runs


def _form(line: str) -> str:
    if _COUNTED.match(line):
        return ""
    if line[0] in "*•-–+":
        return line[0]
    return "plain" if len(line) < 70 and line[-1].isalnum() and line[0].isalnum() else ""


def _without_first(text: str, material: Material, rng: Random) -> str:
    starts = sentence_starts(text)
    return text[starts[1] :] if len(starts) > 5 and _small(text[: starts[1]], text) else text


def _without_last(text: str, material: Material, rng: Random) -> str:
    starts = sentence_starts(text)
    return text[: starts[-1]].rstrip() if len(starts) > 5 and _small(text[starts[-1] :], text) else text


def _without_one(text: str, material: Material, rng: Random) -> str:
    starts = [*sentence_starts(text), len(text)]
    places = [at for at in range(1, len(starts) - 2) if _small(text[starts[at] : starts[at + 1]].strip(), text)]
    if len(starts) <= 6 or not places:
        return text
    at = rng.choice(places)
    return text[: starts[at]] + text[starts[at + 1] :]


def _small(sentence: str, text: str) -> bool:
    """May a sentence go? A date or a heading of its own may not, it says what the text is about."""
    return len(sentence) <= DROPPED * len(text) and is_prose(sentence) and not _FIGURE.search(sentence)


EDITS = [
    Edit("sections", "order", SENTENCES, _rearranged),
    Edit("list order", "order", SENTENCES, _sorted),
    Edit("first dropped", "trimmed", SENTENCES, _without_first),
    Edit("last dropped", "trimmed", SENTENCES, _without_last),
    Edit("one dropped", "trimmed", SENTENCES, _without_one),
]
