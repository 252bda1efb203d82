"""All edits of long texts that leave every statement as it is, and several of them one upon the other."""

from collections.abc import Collection
from random import Random

from models.evaluation.synthesis.edits import (
    encoding,
    extraction,
    feeds,
    layout,
    mail,
    ordering,
    scanning,
    stamps,
    typography,
    wording,
)
from models.evaluation.synthesis.material.material import Material
from models.evaluation.synthesis.operator import Edit

EDITS: dict[str, Edit] = {
    edit.name: edit
    for module in (stamps, feeds, mail, extraction, scanning, encoding, typography, layout, wording, ordering)
    for edit in module.EDITS
}
MOST = 3
"""Edits of one text."""
LOSING = ("trimmed",)
"""Families whose edits leave a sentence out: on a page that says something of its own neither side says all."""


def edited(
    text: str, first: str, most: int, material: Material, rng: Random, without: Collection[str] = ()
) -> tuple[str, list[str]]:
    """Apply one edit and up to `most` - 1 of other families; the names of those that changed something, `first` first.

    Edits are applied by stage: words, sentences, lines, what stands around, what carries the whole. None is of a family
    that is to be left out (`without`).
    """
    known = [name for name in material.allowed(EDITS) if EDITS[name].family not in without]
    rng.shuffle(known)
    by_family = {EDITS[name].family: name for name in [*known, first]}
    others = [name for name in by_family.values() if name != first]
    chosen = [first, *others[: rng.randint(0, most - 1)]]
    applied = []
    for name in sorted(chosen, key=lambda name: EDITS[name].stage):
        before, text = text, EDITS[name].change(text, material, rng)
        applied += [name] * (text != before)
    return text, sorted(applied, key=lambda name: name != first)


def touched(
    text: str, most: int, material: Material, rng: Random, without: Collection[str] = ()
) -> tuple[str, list[str]]:
    """Apply none to `most` edits of any family that may be used and is not `without`."""
    known = [name for name in material.allowed(EDITS) if EDITS[name].family not in without]
    if not known or not most:
        return text, []
    return edited(text, rng.choice(known), rng.randint(1, most), material, rng, without)
