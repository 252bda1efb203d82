"""Type C: short texts whose characters are disturbed while every word can still be read.

Words that state facts by themselves (numbers, negations) stay as they are, and no slip makes another known word.
"""

import itertools
import re
from collections import Counter
from collections.abc import Callable
from random import Random

import numpy as np

from models.decision.distance import levenshtein
from models.evaluation.synthesis.material import Material
from models.evaluation.synthesis.operator import Made, Make, Operator
from models.evaluation.synthesis.splitting import PROTECTED, open_words, splice
from models.evaluation.synthesis.wordlists import EMOJI

STRENGTH = 0.2
"""Share of the words that one perturbation touches at most, beyond the first."""

Perturbation = Callable[[str, Counter[str], Random], str]

DISTANCE = 0.2
"""Edit distance of the letters, disguise taken off, over their number: a perturbed text stays within."""

_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_NEAR = {row[at]: row[max(at - 1, 0) : at] + row[at + 1 : at + 2] for row in _ROWS for at in range(len(row))}
_LEET = {"a": "4@", "e": "3", "i": "1", "o": "0", "s": "5$", "t": "7"}
_LOOKALIKE = dict(zip("aceopxyijsABCEHKMOPTXI", "асеорхуіјѕАВСЕНКМОРТХІ", strict=True))
_UNDONE = {ord(sign): letter for letter, signs in _LEET.items() for sign in signs}
_UNDONE |= {ord(sign.casefold()): letter.casefold() for letter, sign in _LOOKALIKE.items()}
_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff"


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


def _on_words(text: str, rng: Random, change: Callable[[str], str], shortest: int = 4) -> str:
    """Change a few words, at least one."""
    words = open_words(text, shortest)
    most = 1 + int(STRENGTH * len(words))
    chosen = rng.sample(words, min(rng.randint(1, most), len(words)))
    return splice(text, [(*found.span(), change(found[0])) for found in chosen])


def _typo(text: str, vocabulary: Counter[str], rng: Random) -> str:
    return _on_words(text, rng, lambda word: slip(word, vocabulary, rng, swap=False), 5)


def _swap(text: str, vocabulary: Counter[str], rng: Random) -> str:
    return _on_words(text, rng, lambda word: slip(word, vocabulary, rng, swap=True), 5)


def _leet(text: str, vocabulary: Counter[str], rng: Random) -> str:
    """Figures for letters; the first letter stays, so that no word becomes a number."""
    chance = rng.uniform(0.3, 1)

    def disguise(word: str) -> str:
        return word[0] + "".join(
            rng.choice(_LEET[letter]) if letter in _LEET and rng.random() < chance else letter for letter in word[1:]
        )

    return _on_words(text, rng, disguise)


def _lookalikes(text: str, vocabulary: Counter[str], rng: Random) -> str:
    return _on_words(
        text,
        rng,
        lambda word: "".join(_LOOKALIKE.get(letter, letter) if rng.random() < 0.6 else letter for letter in word),
    )


def _invisible(text: str, vocabulary: Counter[str], rng: Random) -> str:
    def hide(word: str) -> str:
        at = rng.randrange(1, len(word))
        return word[:at] + rng.choice(_INVISIBLE) + word[at:]

    return _on_words(text, rng, hide)


def _spacing(text: str, vocabulary: Counter[str], rng: Random) -> str:
    """A word cut in two, two words run together, a word spaced out, or blanks doubled."""
    form = rng.randrange(4)
    if form == 0:
        return _on_words(text, rng, lambda word: f"{word[: len(word) // 2]} {word[len(word) // 2 :]}", 6)
    if form == 1:
        return _joined(text, rng)
    if form == 2:
        return _on_words(text, rng, " ".join, 4) if len(open_words(text)) < 8 else _joined(text, rng)
    return re.sub(r" (?=\S)", lambda _: rng.choice((" ", "  ", "   ")), text)


def _joined(text: str, rng: Random) -> str:
    words = open_words(text, 3)
    pairs = [
        (one.end(), other.start(), "")
        for one, other in itertools.pairwise(words)
        if text[one.end() : other.start()] == " "
    ]
    return splice(text, rng.sample(pairs, min(rng.randint(1, 2), len(pairs))))


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


def _case(text: str, vocabulary: Counter[str], rng: Random) -> str:
    forms: tuple[Callable[[str], str], ...] = (str.upper, str.lower, str.title, str.swapcase)
    changed = rng.choice(forms)(text)
    # some scripts change their letters with the case: only what folds back is the same text
    return changed if changed.casefold() == text.casefold() else text


def _emoji(text: str, vocabulary: Counter[str], rng: Random) -> str:
    ends = [found.start() for found in re.finditer(r"(?<=\S)(?=\s)", text)]
    chosen = {rng.choice([*ends, 0, len(text), len(text)]) for _ in range(rng.randint(1, 3))}
    return splice(text, [(at, at, f" {rng.choice(EMOJI)} ") for at in sorted(chosen)]).strip()


PERTURBATIONS: dict[str, Perturbation] = {
    "typo": _typo,
    "swap": _swap,
    "leet": _leet,
    "spacing": _spacing,
    "punctuation": _punctuation,
    "case": _case,
    "emoji": _emoji,
    "zero width": _invisible,
    "homoglyph": _lookalikes,
}


def perturbed(text: str, first: str, most: int, vocabulary: Counter[str], rng: Random) -> tuple[str, list[str]]:
    """Apply one perturbation and up to `most` - 1 others; the names of those that changed something."""
    others = rng.sample([name for name in PERTURBATIONS if name != first], rng.randint(0, most - 1))
    # disguise comes last: words that hold other alphabets or invisible signs are no words to the others
    order = list(PERTURBATIONS)
    applied = []
    for name in sorted([first, *others], key=order.index):
        before, text = text, PERTURBATIONS[name](text, vocabulary, rng)
        applied += [name] * (text != before)
    return text, applied


def distance(one: str, other: str) -> float:
    """Edit distance of the letters of two texts over the longer length, whatever their case, spacing and disguise."""
    a, b = (np.array([ord(letter) for letter in _letters(text)], np.uint32) for text in (one, other))
    return float(levenshtein(a, b)) / max(len(a), len(b), 1)


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold().translate(_UNDONE) if letter.isalpha())


def _perturb(name: str) -> Make:
    def make(text: str, document: int, material: Material, rng: Random) -> Made | None:
        copy, applied = perturbed(text, name, 4, material.vocabulary, rng)
        if name not in applied:
            return None
        original = perturbed(text, rng.choice(list(PERTURBATIONS)), 1, material.vocabulary, rng)[0]
        original = original if rng.random() < 0.25 else text
        return Made(original, copy, "+".join(applied)) if distance(original, copy) <= DISTANCE else None

    return make


OPERATORS = [Operator("C", name, "short", _perturb(name)) for name in PERTURBATIONS]
