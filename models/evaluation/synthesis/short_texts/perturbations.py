"""Perturbations of type C: characters of short texts are changed while every word can still be read.

Words that state facts by themselves (numbers, negations) stay as they are, and no slip makes another known word.
"""

from random import Random

import numpy as np

from models.decision.evidence.spelling.levenshtein import levenshtein
from models.evaluation.synthesis.material.material import Material
from models.evaluation.synthesis.operator import Made, Make, Operator
from models.evaluation.synthesis.short_texts import disguises, dressing, keyboard
from models.evaluation.synthesis.short_texts.disguises import undisguised
from models.evaluation.synthesis.short_texts.perturbation import Perturbation

DISTANCE = 0.2
"""Edit distance of the letters, disguise taken off, over their number: what loses letters stays within."""
MOST = 3
"""Perturbations of one text."""

_ALL = [*keyboard.PERTURBATIONS, *dressing.PERTURBATIONS, *disguises.PERTURBATIONS]
# disguise comes last: words that hold other alphabets or invisible signs are no words to the others
PERTURBATIONS: dict[str, Perturbation] = {one.name: one for one in sorted(_ALL, key=lambda one: not one.lossy)}


def perturbed(text: str, first: str, most: int, material: Material, rng: Random) -> tuple[str, list[str]]:
    """Apply one perturbation and up to `most` - 1 of other families.

    Returns:
        The text and the names of those that changed something; the text as it was, and none, where letters got lost.
    """
    family = PERTURBATIONS[first].family
    known = [one.name for one in PERTURBATIONS.values() if one.family != family and material.allows(one.family)]
    chosen = {first, *rng.sample(known, min(rng.randint(0, most - 1), len(known)))}
    original, applied = text, []
    for one in PERTURBATIONS.values():
        if one.name not in chosen:
            continue
        before, text = text, one.change(text, material.vocabulary, rng)
        applied += [one.name] * (text != before)
        if one.lossy and distance(original, text) > DISTANCE:
            return original, []
    return text, applied


def distance(one: str, other: str) -> float:
    """Edit distance of the letters of two texts over the longer length, whatever their case, spacing and disguise."""
    a, b = (np.array([ord(letter) for letter in undisguised(text)], np.uint32) for text in (one, other))
    return float(levenshtein(a, b)) / max(len(a), len(b), 1)


def _perturb(name: str) -> Make:
    def make(text: str, document: int, material: Material, rng: Random) -> Made | None:
        copy, applied = perturbed(text, name, MOST, material, rng)
        if name not in applied:
            return None
        original = text
        if rng.random() < 0.25:
            original, others = perturbed(text, rng.choice(material.allowed(PERTURBATIONS)), 1, material, rng)
            applied += [other for other in others if other not in applied]
        return Made(original, copy, "+".join([name, *(other for other in applied if other != name)]))

    return make


OPERATORS = [Operator("C", one.name, one.family, "short", _perturb(one.name)) for one in PERTURBATIONS.values()]
