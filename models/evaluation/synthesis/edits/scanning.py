"""Family "scanning": a text as a scanner reads it. Figures and words that state facts are read right."""

import itertools
import re
from random import Random

from models.evaluation.synthesis.material.material import Material
from models.evaluation.synthesis.material.splitting import PROTECTED, open_words, splice
from models.evaluation.synthesis.operator import WORDS, Edit

RATE = 1 / 200, 1 / 25
"""Share of the words that are misread."""

_MISREAD = (
    ("rn", "m"), ("m", "rn"), ("cl", "d"), ("d", "cl"), ("li", "h"), ("h", "li"), ("e", "c"), ("c", "e"), ("vv", "w"),
    ("w", "vv"), ("t", "f"), ("f", "t"), ("l", "1"), ("i", "l"), ("o", "0"), ("n", "ri"), ("u", "ii"), ("a", "o"),
    ("s", "5"), ("b", "6"), ("g", "9"), ("fi", "ﬁ"), ("nn", "im"), ("y", "v"),
)  # fmt: skip
_SPECKS = ("·", "'", "`", "~", ",", ".", "¸", "|", "^")


def misread(word: str, material: Material, rng: Random) -> str:
    """Confuse a letter or two within a word; never into another word that is known."""
    for seen, read in rng.sample(_MISREAD, len(_MISREAD)):
        places = [found.start() for found in re.finditer(seen, word) if found.start()]
        if places:
            at = rng.choice(places)
            form = word[:at] + read + word[at + len(seen) :]
            if form.casefold() not in material.vocabulary and form.casefold() not in PROTECTED:
                return form
    return word


def _chosen(text: str, rng: Random, shortest: int) -> list[re.Match[str]]:
    words = open_words(text, shortest)
    return rng.sample(words, min(len(words), max(1, round(rng.uniform(*RATE) * len(words)))))


def _letters(text: str, material: Material, rng: Random) -> str:
    return splice(text, [(*found.span(), misread(found[0], material, rng)) for found in _chosen(text, rng, 5)])


def _breaks(text: str, material: Material, rng: Random) -> str:
    """Blanks within words, and words without one between them."""
    split = [
        (at, at, " ")
        for found in _chosen(text, rng, 6)
        if (at := found.start() + parting(found[0], rng)) > found.start()
    ]
    words = open_words(text, 4)
    gaps = [
        (one.end(), other.start(), "")
        for one, other in itertools.pairwise(words)
        if text[one.end() : other.start()] == " "
    ]
    joined = rng.sample(gaps, min(len(gaps), len(split)))
    return splice(text, [*split, *joined])


def parting(word: str, rng: Random) -> int:
    """Where a word may fall apart so that neither part states a fact by itself; 0 where every try fails."""
    for at in rng.choices(range(2, len(word) - 1), k=4):
        if not {word[:at].casefold(), word[at:].casefold()} & PROTECTED:
            return at
    return 0


def _specks(text: str, material: Material, rng: Random) -> str:
    """Dirt on the paper: signs beside words."""
    places = [rng.choice(found.span()) for found in _chosen(text, rng, 3)]
    return splice(text, [(at, at, rng.choice((" ", "")) + rng.choice(_SPECKS)) for at in sorted(set(places))])


EDITS = [
    Edit("misread letters", "scanning", WORDS, _letters),
    Edit("misread gaps", "scanning", WORDS, _breaks),
    Edit("specks", "scanning", WORDS, _specks),
]
