"""Type F: texts that look alike and state different things.

One changed fact makes another record of a short text; of a long one see `longfacts`. A page becomes that of something
else when its name changes throughout, or when all slots of its template are filled anew.
"""

import re
from collections import Counter
from random import Random

from models.evaluation.synthesis.edits.edits import touched
from models.evaluation.synthesis.material.material import Material
from models.evaluation.synthesis.material.splitting import WORD, clip, plain, splice
from models.evaluation.synthesis.operator import Made, Make, Operator
from models.evaluation.synthesis.short_texts.perturbations import PERTURBATIONS, perturbed
from models.evaluation.synthesis.types.swaps import (
    CAPITAL,
    FAMILIES,
    NUMBER,
    SWAPS,
    VERSION,
    YEAR,
    alike,
    facts,
    other_digits,
)

SLOTS, REFILLED = 5, 0.06
"""Different slots of a template, and share of its words, that must change when it is filled anew."""
RENAMED = 5, 1 / 60
"""How often a name must stand in a text, and how often per word, for its change to make another page."""
RARE = 1 / 400
"""Share of the documents read in which the name of a page stands at most."""
SIBLINGS = 0.1, 0.75
"""Containment between which siblings are near by words and no copies."""
OWN_WORDS = 0.12
"""Share of each sibling's distinct words that the other does not have."""

_SLOT = re.compile("|".join(pattern.pattern for pattern in (VERSION, YEAR, NUMBER, CAPITAL)))
_TOKEN = re.compile(r"[^\W\d_][\w.-]{2,}[^\W_]")


def _swap(name: str) -> Make:
    def make(text: str, document: int, material: Material, rng: Random) -> Made | None:
        swapped = SWAPS[name](text, material, rng)
        if swapped is None or plain(swapped) == plain(text):
            return None
        if rng.random() < 0.7:
            return Made(text, swapped)
        known = material.allowed(PERTURBATIONS)
        noisy, applied = perturbed(swapped, rng.choice(known), 2, material, rng) if known else (swapped, [])
        return Made(text, noisy, "+".join([name, *applied]))

    return make


def _refilled(text: str, document: int, material: Material, rng: Random) -> Made | None:
    """All numbers, years, versions and names of a short page changed, each throughout."""
    page = clip(text, rng.randint(300, 1500))
    slots = facts(_SLOT, page)
    new = {
        slot[0]: rng.choice(material.names or [slot[0]]) if slot[0][0].isalpha() else other_digits(slot[0], rng)
        for slot in slots
    }
    changes = [
        (*slot.span(), new[slot[0]]) for slot in slots if slot[0][-1].isdigit() or not alike(slot[0], new[slot[0]])
    ]
    different = len({page[start:stop] for start, stop, _ in changes})
    if different < SLOTS or len(changes) < REFILLED * len(WORD.findall(page)):
        return None
    return Made(page, splice(page, changes))


def subject(text: str, material: Material) -> str | None:
    """Return the rare word of a text's head that stands in it most often; None where none stands often enough."""
    head = set(map(str.casefold, _TOKEN.findall(text[:200])))
    counts = Counter(token for token in map(str.casefold, _TOKEN.findall(text)) if token in head)
    rare = max(3, RARE * material.read)
    for token, count in counts.most_common():
        if count < max(RENAMED[0], RENAMED[1] * len(WORD.findall(text))):
            return None
        if material.vocabulary[token] <= rare and token in text[len(text) // 2 :].casefold():
            return token
    return None


def _renamed(text: str, document: int, material: Material, rng: Random) -> Made | None:
    """The same page about another thing: its name changed wherever it stands."""
    page = clip(text, rng.randint(600, 4000))
    name = subject(page, material)
    if name is None:
        return None
    others = (subject(material.texts[rng.randrange(len(material.texts))][:4000], material) for _ in range(30))
    other = next((found for found in others if found and not alike(found, name)), None)
    if other is None:
        return None
    copy = re.sub(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", lambda found: _cased(other, found[0]), page, flags=re.I)
    changed, applied = touched(copy, rng.choice((0, 0, 1, 2)), material, rng)
    return Made(page, changed, "+".join(["renamed", *applied]))


def _cased(word: str, like: str) -> str:
    return word.upper() if like.isupper() else word.capitalize() if like[0].isupper() else word


def _sibling(text: str, document: int, material: Material, rng: Random) -> Made | None:
    """A neighbour in the corpus that shares much wording, while each has words of its own all over."""
    near = [
        other
        for other, of_one, of_other in material.neighbours.get(document, [])
        if max(of_one, of_other) <= SIBLINGS[1] and min(of_one, of_other) >= SIBLINGS[0]
    ]
    # the nearest comes first in the list
    return next((Made(text, material.texts[other]) for other in near if distinct(text, material.texts[other])), None)


def distinct(one: str, other: str) -> bool:
    """Has each text a share of words of its own, in its middle too, where no template changes the frame only?"""
    for text, against in ((one, other), (other, one)):
        known = set(map(str.casefold, WORD.findall(against)))
        third = len(text) // 3
        for part in (text, text[third : 2 * third]):
            words = set(map(str.casefold, WORD.findall(part)))
            if len(words - known) < OWN_WORDS * len(words) or not words:
                return False
    return True


OPERATORS = [
    *(Operator("F", name, FAMILIES[name], "short", _swap(name)) for name in SWAPS),
    Operator("F", "refilled", "records", "long", _refilled),
    Operator("F", "renamed", "records", "long", _renamed),
    Operator("F", "sibling", "siblings", "long", _sibling),
]
