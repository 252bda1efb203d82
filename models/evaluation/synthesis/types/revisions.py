"""Type B: copies with small edits that leave every statement as it is."""

from random import Random

from models.evaluation.synthesis.edits.edits import EDITS, MOST, edited
from models.evaluation.synthesis.material.material import Material
from models.evaluation.synthesis.material.splitting import clip
from models.evaluation.synthesis.operator import Made, Make, Operator

SHORTEST, LONGEST = 320, 8_000
"""Characters of a text that is copied."""
STAMPED = 1_500
"""Characters from which both sides may carry a stamp of their own: on a shorter text it would name another record."""


def _edit(name: str) -> Make:
    def make(text: str, document: int, material: Material, rng: Random) -> Made | None:
        original = clip(text, rng.randint(2 * SHORTEST, LONGEST))
        if len(original) < SHORTEST or EDITS[name].change(original, material, rng) == original:
            return None
        copy, applied = edited(original, name, MOST, material, rng)
        if name not in applied:
            return None
        # hot-spot documents are copies of each other: both sides may have been stamped, each with its own number
        if EDITS[name].volatile and len(original) >= STAMPED and rng.random() < 0.5:
            original, others = edited(original, name, 2, material, rng)
            applied += [other for other in others if other not in applied]
        return Made(original, copy, "+".join(applied))

    return make


_LISTS = ("list order", "flat table", "lost headings")
"""Edits of lists, tables and headings, which stand in documents that read as no prose, too."""

OPERATORS = [
    Operator("B", edit.name, edit.family, "long" if edit.name in _LISTS else "prose", _edit(edit.name))
    for edit in EDITS.values()
]
