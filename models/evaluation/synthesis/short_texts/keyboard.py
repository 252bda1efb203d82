"""Families "keyboard", "case" and "punctuation": slips, capitals and signs of a short text."""

import itertools
import re
from collections import Counter
from collections.abc import Callable
from random import Random

from models.evaluation.synthesis.material.splitting import PROTECTED, open_words, splice
from models.evaluation.synthesis.short_texts.perturbation import Perturbation, on_words

_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_NEAR = {row[at]: row[max(at - 1, 0) : at] + row[at + 1 : at + 2] for row in _ROWS for at in range(len(row))}


def slip(word: str, vocabulary: Counter[str], rng: Random, swap: bool | None = None) -> str:
    """Mistype a word of four letters and more: two letters swapped (`swap`), or one lost, doubled or mis-hit.

    The first letter stays, and the result is no known word; the word itself where eight tries fail.
    """
    for _ in range(8):
        at = rng.randrange(1, len(word) - 1)
        near = _NEAR.get(word[at].lower(), "")
        forms = [word[:at] + word[at + 1] + word[at] + word[at + 2 :]]
        if not swap:
            others = [word[:at] + word[at + 1 :], word[: at + 1] + word[at:]]
            others += [word[:at] + rng.choice(near) + word[at + 1 :]] if near else []
            forms = others if swap is False else forms + others
        form = rng.choice(forms)
        if form != word and form.casefold() not in vocabulary and form.casefold() not in PROTECTED:
            return form
    return word


def _typo(text: str, vocabulary: Counter[str], rng: Random) -> str:
    return on_words(text, rng, lambda word: slip(word, vocabulary, rng, swap=False), 5)


def _swap(text: str, vocabulary: Counter[str], rng: Random) -> str:
    return on_words(text, rng, lambda word: slip(word, vocabulary, rng, swap=True), 5)


def _vowels(text: str, vocabulary: Counter[str], rng: Random) -> str:
    """Vowels left out, as in messages."""

    def brief(word: str) -> str:
        form = word[0] + re.sub("[aeiou]", "", word[1:], count=rng.randint(1, 2))
        return word if form.casefold() in vocabulary or form.casefold() in PROTECTED else form

    return on_words(text, rng, brief, 6)


def _spacing(text: str, vocabulary: Counter[str], rng: Random) -> str:
    """A word cut in two, two words run together, or blanks doubled."""
    form = rng.randrange(3)
    if form == 0:
        return on_words(text, rng, _halved, 6)
    return _joined(text, rng) if form == 1 else re.sub(r" (?=\S)", lambda _: rng.choice((" ", "  ", "   ")), text)


def _halved(word: str) -> str:
    one, other = word[: len(word) // 2], word[len(word) // 2 :]
    return word if {one.casefold(), other.casefold()} & PROTECTED else f"{one} {other}"


def gaps(text: str, shortest: int) -> list[tuple[int, int]]:
    """Blanks between two words that both may be disturbed."""
    pairs = itertools.pairwise(open_words(text, shortest))
    spans = [(one.end(), other.start()) for one, other in pairs]
    return [(start, stop) for start, stop in spans if text[start:stop] == " "]


def _joined(text: str, rng: Random) -> str:
    known = gaps(text, 3)
    return splice(text, [(*gap, "") for gap in rng.sample(known, min(rng.randint(1, 2), len(known)))])


def _run_together(text: str, vocabulary: Counter[str], rng: Random) -> str:
    """Most words, or all, without a blank between them."""
    chance = rng.choice((1.0, 0.4))
    return splice(text, [(*gap, "") for gap in gaps(text, 1) if rng.random() < chance])


def _punctuation(text: str, vocabulary: Counter[str], rng: Random) -> str:
    """Signs lost, added or doubled, none of them next to a figure."""
    signs = [found.span() for found in re.finditer(r"(?<=[^\W\d])[.,;:!?](?=\s|$)", text)]
    lost = rng.sample(signs, rng.randint(0, len(signs)))
    gaps = [found.start() for found in re.finditer(r"(?<=[^\W\d])(?= [^\W\d])", text)]
    added = rng.sample(gaps, min(rng.randint(0, 2), len(gaps)))
    changed = splice(
        text, [(*span, "") for span in lost] + [(at, at, rng.choice((",", " -", "..", ";"))) for at in added]
    )
    return changed + rng.choice(("", "!", "!!!", " ...", "…", "?!"))


def _stops(text: str, vocabulary: Counter[str], rng: Random) -> str:
    """Stops repeated, and a row of signs at the end."""
    many = re.sub(r"(?<=[^\W\d])[.,;:!?](?=\s|$)", lambda found: found[0] * rng.randint(2, 4), text)
    return many + rng.choice(("!!!!", "....", "?!?!", " >>>>", " ---", " !!1"))


def _case(text: str, vocabulary: Counter[str], rng: Random) -> str:
    forms: tuple[Callable[[str], str], ...] = (str.upper, str.lower, str.title, str.swapcase)
    changed = rng.choice(forms)(text)
    # some scripts change their letters with the case: only what folds back is the same text
    return changed if changed.casefold() == text.casefold() else text


PERTURBATIONS = [
    Perturbation("typo", "keyboard", _typo, lossy=True),
    Perturbation("swap", "keyboard", _swap, lossy=True),
    Perturbation("vowels", "keyboard", _vowels, lossy=True),
    Perturbation("spacing", "spacing", _spacing),
    Perturbation("run together", "spacing", _run_together),
    Perturbation("punctuation", "punctuation", _punctuation),
    Perturbation("stops", "punctuation", _stops),
    Perturbation("case", "case", _case),
]
