"""Type D: a document (text_a) and a part of it (text_b)."""

import itertools
from bisect import bisect_left
from collections.abc import Callable
from random import Random

from models.evaluation.synthesis.edits.edits import touched
from models.evaluation.synthesis.material.material import Material
from models.evaluation.synthesis.material.splitting import plain, sentence_starts
from models.evaluation.synthesis.operator import Made, Make, Operator

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


def _excerpt(name: str, cut: Cut, dress: Callable[[str, str, Material, Random], str]) -> Make:
    def make(text: str, document: int, material: Material, rng: Random) -> Made | None:
        spans = cut(sentence_starts(text), len(text), rng)
        apart = all(one[1] <= other[0] for one, other in itertools.pairwise(spans))
        passages = [text[start:stop].strip() for start, stop in spans]
        held = sum(map(len, passages)) / len(text)
        if len(text) < SHORTEST_PARENT or min(map(len, passages)) < SHORTEST or not SHARE[0] <= held <= SHARE[1]:
            return None
        child, applied = touched(rng.choice(JOINTS).join(passages), rng.choice((0, 0, 1, 2)), material, rng)
        child = dress(child, text, material, rng)
        smaller = apart and len(child) < len(text) and plain(child) != plain(text)
        return Made(text, child, "+".join([name, *applied])) if smaller else None

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


def _teaser(child: str, parent: str, material: Material, rng: Random) -> str:
    """A beginning with a line that leads on."""
    title = parent.split("\n", 1)[0].strip()[:80]
    behind = rng.choice(("Continue reading →", "Read more »", "Read the full story", "[Read more]", "(continued)"))
    return f"{title}\n\n{child}\n\n{behind}" if rng.random() < 0.4 else f"{child} {behind}"


def _cited(child: str, parent: str, material: Material, rng: Random) -> str:
    """A quotation: who said it, marks around it."""
    who = rng.choice(material.boilerplate.names)
    opening, closing = rng.choice((("“", "”"), ('"', '"'), ("«", "»"), ("> ", "")))
    return f"{who} {rng.choice(('writes', 'says', 'explains', 'in full'))}:\n\n{opening}{child}{closing}"


_EXCERPTS: list[tuple[str, str, Cut, Callable[[str, str, Material, Random], str]]] = [
    ("head", "excerpt", _head, _bare),
    ("tail", "excerpt", _tail, _bare),
    ("middle", "excerpt", _middle, _bare),
    ("several", "excerpt", _several, _bare),
    ("ellipsis", "led excerpt", _middle, _dotted),
    ("lead", "led excerpt", _several, _led),
    ("quotation", "led excerpt", _middle, _cited),
    ("preview", "truncation", _head, _chopped),
    ("teaser", "truncation", _head, _teaser),
]
OPERATORS = [Operator("D", name, family, "long", _excerpt(name, cut, dress)) for name, family, cut, dress in _EXCERPTS]
