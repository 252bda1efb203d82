"""Type D: a document (text_a) and a part of it (text_b)."""

import itertools
from bisect import bisect_left
from collections.abc import Callable
from random import Random

from models.evaluation.synthesis.material import Material
from models.evaluation.synthesis.operator import Made, Operator
from models.evaluation.synthesis.splitting import clip, plain, sentence_starts

SHARE = 0.1, 0.85
"""Of the parent that the child holds."""
SHORTEST_PARENT, SHORTEST = 1_000, 200
"""Characters of a parent and of each passage of a child."""
JOINTS = ("\n\n", "\n", " [...] ", " … ", "\n\n* * *\n\n")
LEAD = 0.1
"""Share of a child that the line which introduces it may have."""
_LEADS = ("[excerpt]", "In part:", "From {}:", "An excerpt from {}", "Read the whole text: {}", "{} (abridged)")

Cut = Callable[[list[int], int, Random], list[tuple[int, int]]]


def _passage(starts: list[int], size: int, share: float, at: float) -> tuple[int, int]:
    """Whole sentences of about `share` of the text, the first near `at` of what is left over."""
    begin = starts[min(bisect_left(starts, at * (1 - share) * size), len(starts) - 1)]
    stops = [*starts[1:], size]
    return begin, stops[min(bisect_left(stops, begin + share * size), len(stops) - 1)]


def _head(starts: list[int], size: int, rng: Random) -> list[tuple[int, int]]:
    return [_passage(starts, size, rng.uniform(*SHARE), 0)]


def _tail(starts: list[int], size: int, rng: Random) -> list[tuple[int, int]]:
    return [(_passage(starts, size, rng.uniform(*SHARE), 1)[0], size)]


def _middle(starts: list[int], size: int, rng: Random) -> list[tuple[int, int]]:
    return [_passage(starts, size, rng.uniform(SHARE[0], 0.7), rng.uniform(0.1, 0.9))]


def _several(starts: list[int], size: int, rng: Random) -> list[tuple[int, int]]:
    """Two or three passages in order."""
    pieces = rng.randint(2, 3)
    share = rng.uniform(0.2, 0.75) / pieces
    return [_passage(starts, size, share, (piece + rng.random() * 0.6) / pieces) for piece in range(pieces)]


def _excerpt(cut: Cut, dress: Callable[[str, str, Material, Random], str]) -> Callable[..., Made | None]:
    def make(text: str, document: int, material: Material, rng: Random) -> Made | None:
        spans = cut(sentence_starts(text), len(text), rng)
        apart = all(one[1] <= other[0] for one, other in itertools.pairwise(spans))
        passages = [text[start:stop].strip() for start, stop in spans]
        held = sum(map(len, passages)) / len(text)
        if len(text) < SHORTEST_PARENT or min(map(len, passages)) < SHORTEST or not SHARE[0] <= held <= SHARE[1]:
            return None
        child = dress(rng.choice(JOINTS).join(passages), text, material, rng)
        return Made(text, child) if apart and plain(child) != plain(text) else None

    return make


def _bare(child: str, parent: str, material: Material, rng: Random) -> str:
    return child


def _dotted(child: str, parent: str, material: Material, rng: Random) -> str:
    dots = rng.choice(("…", "...", "[…]", " ..."))
    return rng.choice((f"{dots} {child}", f"{child} {dots}", f"{dots}{child}{dots}"))


def _led(child: str, parent: str, material: Material, rng: Random) -> str:
    title = parent.split("\n", 1)[0].strip()
    lead = rng.choice(_LEADS).format(title[:80])
    return f"{lead}\n\n{child}" if len(lead) <= LEAD * len(child) else f"{_LEADS[0]} {child}"


def _chopped(child: str, parent: str, material: Material, rng: Random) -> str:
    """An excerpt of so many characters, which ends in the middle of a sentence or a word, as previews do."""
    return child[: -rng.randint(3, 60)].rstrip() + rng.choice(("", "…", "..."))


def _collected(text: str, document: int, material: Material, rng: Random) -> Made | None:
    """A document and a page on which it stands after or before another one."""
    child = clip(text, 4000)
    others = material.strangers(document, rng, SHORTEST)
    if others is None:
        return None
    companion = material.texts[others[0]][: int(len(child) * rng.uniform(0.3, 3))]
    both = [child, companion] if rng.random() < 0.5 else [companion, child]
    return Made(rng.choice(("\n\n", "\n\n---\n\n")).join(both), child)


OPERATORS = [
    Operator("D", "head", "long", _excerpt(_head, _bare)),
    Operator("D", "tail", "long", _excerpt(_tail, _bare)),
    Operator("D", "middle", "long", _excerpt(_middle, _bare)),
    Operator("D", "several", "long", _excerpt(_several, _bare)),
    Operator("D", "ellipsis", "long", _excerpt(_middle, _dotted)),
    Operator("D", "lead", "long", _excerpt(_several, _led)),
    Operator("D", "preview", "long", _excerpt(_head, _chopped)),
    Operator("D", "collection", "prose", _collected),
]
