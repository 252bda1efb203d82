"""Type N: documents that are no duplicates, though something ties them together."""

from random import Random

from models.evaluation.synthesis.material.boilerplate import wrap
from models.evaluation.synthesis.material.material import LONG, SHORT, Material
from models.evaluation.synthesis.material.splitting import WORD, clip, sentence_starts
from models.evaluation.synthesis.operator import Made, Operator
from models.evaluation.synthesis.types.plantings import planted

LONGEST = 6_000
"""Characters of a document at most."""
OVERLAP = 0.35
"""Share of each of two excerpts that the other holds too, at most."""
SHARED_WORDS = 0.4
"""Jaccard index of the words of two short texts, at most."""


def _template(text: str, document: int, material: Material, rng: Random) -> Made | None:
    """Two contents in one page template."""
    others = material.strangers(document, rng, LONG)
    if others is None:
        return None
    longest = rng.randint(200, 3000)
    first, second = clip(text, longest), clip(material.texts[others[0]], longest)
    page = wrap("\0", 1 / (1 + len(first) * rng.uniform(0.2, 2)), material.boilerplate, rng)
    return Made(page.replace("\0", first), page.replace("\0", second))


def _neighbours(text: str, document: int, material: Material, rng: Random) -> Made | None:
    """Two documents of the corpus with some wording in common."""
    near = [other for other, *shared in material.neighbours.get(document, []) if max(shared) <= 0.15]
    return Made(text, material.texts[rng.choice(near)]) if near else None


def _paragraph(text: str, document: int, material: Material, rng: Random) -> Made | None:
    """A longer passage that both quote, a third of either at most."""
    others = material.strangers(document, rng, 1200, 1200)
    if others is None:
        return None
    other, source = (material.texts[one] for one in others)
    hosts = [clip(host, LONGEST) for host in (text, other)]
    start = rng.choice(sentence_starts(source))
    passage = clip(source[start:], rng.randint(400, max(400, min(map(len, hosts)) // 2)))
    if len(passage) < 400 or len(passage) > 0.5 * min(map(len, hosts)):
        return None
    first, second = (planted(host, passage, rng.choice(("head", "tail", "within")), rng) for host in hosts)
    return Made(first, second)


def _parts(text: str, document: int, material: Material, rng: Random) -> Made | None:
    """Two excerpts of one document that share little or nothing."""
    starts = sentence_starts(text)
    if len(text) < 800 or len(starts) < 6:
        return None
    share = rng.uniform(0.2, 0.5)
    overlap = share * rng.choice((0, 0, rng.uniform(0, OVERLAP)))
    first = [start for start in starts if start <= share * len(text)][-1]
    begin = next((start for start in starts if start >= (share - overlap) * len(text) and start > 0), None)
    if begin is None or first < 200:
        return None
    stop = [*[start for start in starts if start >= begin + first * 0.8], len(text)][0]
    one, other = text[:first].strip(), text[begin:stop].strip()
    shared = max(first - begin, 0)
    return (
        Made(one, other) if min(len(one), len(other)) >= 200 and shared <= OVERLAP * min(len(one), len(other)) else None
    )


def _strangers(text: str, document: int, material: Material, rng: Random) -> Made | None:
    others = material.strangers(document, rng, LONG)
    return None if others is None else Made(clip(text, LONGEST), clip(material.texts[others[0]], LONGEST))


def _short(text: str, document: int, material: Material, rng: Random) -> Made | None:
    """The short text of the same group, a neighbour or one of six, that shares most words, and yet few."""
    others = material.short_of[material.group(document)]
    near = [material.texts[other] for other, *_ in material.neighbours.get(document, [])]
    drawn = rng.sample(others, min(6, len(others))) + [other for other in near if len(other) < SHORT]
    words = _words(text)
    found = [(len(words & own) / len(words | own), other) for other in drawn if (own := _words(other)) and own != words]
    found = [(shared, other) for shared, other in found if shared <= SHARED_WORDS]
    return Made(text, max(found)[1]) if found else None


def _words(text: str) -> set[str]:
    return set(map(str.casefold, WORD.findall(text)))


OPERATORS = [
    Operator("N", "template", "unrelated", "long", _template),
    Operator("N", "neighbours", "unrelated", "long", _neighbours),
    Operator("N", "paragraph", "unrelated", "long", _paragraph),
    Operator("N", "parts", "unrelated", "long", _parts),
    Operator("N", "strangers", "unrelated", "long", _strangers),
    Operator("N", "short", "unrelated", "short", _short),
]
