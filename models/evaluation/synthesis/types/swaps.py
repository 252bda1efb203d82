"""Changed facts: each function turns one kind of fact in a text into another; None where the text states none."""

import itertools
import re
from collections.abc import Callable
from random import Random

from models.evaluation.synthesis.material.material import Material
from models.evaluation.synthesis.material.splitting import PROTECTED, WORD, open_words, splice
from models.evaluation.synthesis.material.wordlists import (
    AUXILIARIES,
    DAYS,
    DENIALS,
    MONTHS,
    NUMERALS,
    OPPOSITES,
    UNITS,
)

Swap = Callable[[str, Material, Random], str | None]

NUMBER = re.compile(r"(?<![\w.,/:#\[-])\d{1,12}(?:[.,]\d+)*(?![\w/:\]-]|[.,]\d)")
"""Figures that stand by themselves: no version, date, address or note."""
VERSION = re.compile(r"(?<![\w./-])v?\d{1,3}\.\d{1,3}(?:\.\d{1,4})*(?![\w/]|\.\d)")
MODEL = re.compile(r"(?<![\w./-])(?=[\w-]*\d)[A-Z][A-Za-z]*-?\d[A-Za-z0-9]*(?![\w/])")
YEAR = re.compile(r"(?<![\w.,/-])(?:19|20)\d\d(?![\w/]|[.,]\d)")
CAPITAL = re.compile(r"(?<=[^\W_A-Z.!?:] )[A-Z][a-z]{2,}\b|(?<=[,;] )[A-Z][a-z]{2,}\b")
"""A name by its capital: it does not open a sentence, nor does a capital stand right before it."""

_CALENDAR = re.compile(rf"\b(?:{'|'.join((*MONTHS, *DAYS))})\b")
_DATE = re.compile(r"(?<![\w.-])(?:\d{4}-\d\d-\d\d|\d\d?[./]\d\d?[./]\d{2,4})(?![\w/-]|\.\d)")
_UNIT = re.compile(r"(?<=\d)(\s?)(" + "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True)) + r")\b")
_AMOUNT = re.compile(
    r"(?<![\w.,])(?:[$€£¥]\s?\d+(?:[.,]\d+)*"
    r"|\d+(?:[.,]\d+)*\s?(?:%|percent|per cent|dollars|euros?|pounds|USD|EUR|GBP|€))"
)
NUMBER_IN = re.compile(r"\d+(?:[.,]\d+)*")
_MODALS = {
    "must": ("may", "need not"), "may": ("must", "may not"), "shall": ("may", "shall not"), "can": ("cannot", "must"),
    "should": ("must", "may"), "required": ("optional",), "optional": ("required",), "mandatory": ("optional",),
    "might": ("will",), "cannot": ("can",), "always": ("sometimes",), "sometimes": ("always",), "all": ("some",),
    "permitted": ("prohibited",), "prohibited": ("permitted",), "allowed": ("forbidden",), "recommended": ("required",),
}  # fmt: skip
_MODAL = re.compile(rf"(?<![\w'’-])(?:{'|'.join(_MODALS)})(?![\w'’-]| not\b)")
_IDENTIFIER = re.compile(
    r"(?<![\w./:@-])(?:[a-z]+(?:_[a-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]+)+|[a-z_]{3,}(?:::?|\.)[a-z_]{3,})(?![\w/@-])"
)
_TURNED = {
    "only": "also", "or later": "only", "or newer": "only", "at least": "at most", "at most": "at least",
    "up to": "more than", "more than": "less than", "less than": "more than", "except": "including",
    "including": "excluding", "until": "after", "unless": "if", "excluding": "including", "both": "neither",
}  # fmt: skip
_CLAUSES = re.compile(rf"(?<![\w-])(?:{'|'.join(_TURNED)})(?![\w-])", re.IGNORECASE)
_WORDED = re.compile(rf"\b(?:{'|'.join(NUMERALS)})\b")


def facts(pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
    """Where a pattern stands within a line: figures that begin one number a list or a chapter, they state nothing."""
    return [found for found in pattern.finditer(text) if found[0].isalpha() or not _opens_line(found.start(), text)]


def _opens_line(at: int, text: str) -> bool:
    return not text[text.rfind("\n", 0, at) + 1 : at].strip(" \t#*>-(")


def _in_sentence(found: re.Match[str]) -> bool:
    """Do eight words and more share the line? A date on a line of its own is a stamp."""
    text = found.string
    end = text.find("\n", found.end())
    return len(WORD.findall(text[text.rfind("\n", 0, found.start()) + 1 : end if end >= 0 else len(text)])) >= 8


def other_digits(figures: str, rng: Random) -> str:
    """Change one to all digits of a string to other ones; no leading zero comes or goes."""
    places = [at for at, character in enumerate(figures) if character.isdecimal()]
    chosen = rng.sample(places, rng.randint(1, min(3, len(places))))
    return "".join(_other(character, rng) if at in chosen else character for at, character in enumerate(figures))


def _other(digit: str, rng: Random) -> str:
    return rng.choice([other for other in "123456789" if other != digit])


def _one(pattern: re.Pattern[str], change: Callable[[str, Random], str]) -> Swap:
    def swap(text: str, material: Material, rng: Random) -> str | None:
        found = facts(pattern, text)
        if not found:
            return None
        chosen = rng.choice(found)
        new = change(chosen[0], rng)
        # the same figure twice is the same fact twice
        return splice(text, [(*one.span(), new) for one in found if one[0] == chosen[0]])

    return swap


def _other_year(year: str, rng: Random) -> str:
    return str(rng.choice([other for other in range(1960, 2030) if other != int(year)]))


def _calendar(text: str, material: Material, rng: Random) -> str | None:
    def change(found: str, rng: Random) -> str:
        if found[0].isalpha():
            return rng.choice([other for other in (MONTHS if found in MONTHS else DAYS) if other != found])
        return _other_year(found, rng) if found.isdecimal() else other_digits(found, rng)

    found = [one for pattern in (_CALENDAR, _DATE, YEAR) for one in facts(pattern, text) if _in_sentence(one)]
    if not found:
        return None
    chosen = rng.choice(found)
    new = change(chosen[0], rng)
    return splice(text, [(*one.span(), new) for one in found if one[0] == chosen[0]])


def _number(text: str, material: Material, rng: Random) -> str | None:
    swapped = _one(NUMBER, other_digits)(text, material, rng)
    return swapped or _one(_WORDED, lambda word, rng: rng.choice([other for other in NUMERALS if other != word]))(
        text, material, rng
    )


def _unit(text: str, material: Material, rng: Random) -> str | None:
    found = list(_UNIT.finditer(text))
    return splice(text, [(*(one := rng.choice(found)).span(2), UNITS[one[2]])]) if found else None


def _name(text: str, material: Material, rng: Random) -> str | None:
    """Another name throughout."""
    names = sorted({found[0] for found in CAPITAL.finditer(text)} - set(MONTHS) - set(DAYS))
    if not names or not material.names:
        return None
    name, other = rng.choice(names), rng.choice(material.names)
    return None if alike(name, other) else re.sub(rf"\b{name}\b", other, text)


def _roles(text: str, material: Material, rng: Random) -> str | None:
    """Two names change places, as in "A beats B" and "B beats A"."""
    found = list(CAPITAL.finditer(text))
    pairs = [
        (one, other)
        for one, other in itertools.pairwise(found)
        if one[0] != other[0] and 2 <= len(WORD.findall(between := text[one.end() : other.start()])) <= 8
        and not re.search(r"\b(?:and|or)\b|[.;]", between)
    ]  # fmt: skip
    if not pairs:
        return None
    one, other = rng.choice(pairs)
    return splice(text, [(*one.span(), other[0]), (*other.span(), one[0])])


def _negation(text: str, material: Material, rng: Random) -> str | None:
    """A "not" put in behind an auxiliary, or a negation taken out."""
    words = list(WORD.finditer(text))
    changes = [(word.start(), word.end() + 1, "") for word in words if word[0] in DENIALS]
    changes += [(word.end() - 3, word.end(), "") for word in words if re.search(r"[^aow]n['’]t$", word[0])]
    for word, behind in itertools.pairwise(words):
        if word[0] in AUXILIARIES and behind[0].islower() and behind[0] not in PROTECTED:
            changes.append((word.end(), word.end(), " not"))
    return splice(text, [rng.choice(changes)]).strip() if changes else None


def _opposite(text: str, material: Material, rng: Random) -> str | None:
    words = [word for word in WORD.finditer(text) if word[0].casefold() in OPPOSITES]
    if not words:
        return None
    word = rng.choice(words)
    new = OPPOSITES[word[0].casefold()]
    return splice(text, [(*word.span(), new.capitalize() if word[0][0].isupper() else new)])


def _amount(text: str, material: Material, rng: Random) -> str | None:
    """Another sum of money or another share of a hundred."""
    found = list(_AMOUNT.finditer(text))
    if not found:
        return None
    chosen = rng.choice(found)[0]
    figures = NUMBER_IN.search(chosen)
    new = chosen.replace(figures[0], other_digits(figures[0], rng)) if figures else chosen
    return text.replace(chosen, new)


def _modal(text: str, material: Material, rng: Random) -> str | None:
    """Duty, permission and possibility exchanged."""
    found = list(_MODAL.finditer(text))
    if not found:
        return None
    word = rng.choice(found)
    return splice(text, [(*word.span(), rng.choice(_MODALS[word[0]]))])


def _identifier(text: str, material: Material, rng: Random) -> str | None:
    """A name out of code, throughout: another part of it, or another number in it."""
    names = sorted({found[0] for found in _IDENTIFIER.finditer(text)})
    if not names or not material.nouns:
        return None
    name = rng.choice(names)
    parts = [part for part in re.split(r"[_.:]+|(?<=[a-z])(?=[A-Z])", name) if len(part) >= 3]
    if not parts:
        return None
    old, new = rng.choice(parts), rng.choice(material.nouns)
    new = new.capitalize() if old[0].isupper() else new
    other = name.replace(old, new)
    return None if alike(old, new) else re.sub(rf"(?<![\w.:]){re.escape(name)}(?!\w)", other, text)


def _clause(text: str, material: Material, rng: Random) -> str | None:
    """A restriction added or taken away: "only", "or later", "except", "at least"."""
    found = list(_CLAUSES.finditer(text))
    versions = list(VERSION.finditer(text))
    if found and (not versions or rng.random() < 0.7):
        one = rng.choice(found)
        return splice(text, [(*one.span(), _TURNED[one[0].casefold()])])
    if versions:
        at = rng.choice(versions).end()
        return splice(text, [(at, at, rng.choice((" only", " or later", "+", " or earlier")))])
    return None


def _word(text: str, material: Material, rng: Random) -> str | None:
    """Another word of content: nothing that could be a slip for the one that stood there."""
    words = [word for word in open_words(text, shortest=5) if word[0].islower()]
    if not words or not material.nouns:
        return None
    word, new = rng.choice(words), rng.choice(material.nouns)
    return None if alike(word[0], new) else splice(text, [(*word.span(), new)])


def alike(one: str, other: str) -> bool:
    """Could one word be a form of the other: do they share half of their letters at the same places from one end?"""
    one, other = one.casefold(), other.casefold()
    front = sum(a == b for a, b in zip(one, other, strict=False))
    back = sum(a == b for a, b in zip(one[::-1], other[::-1], strict=False))
    return 2 * max(front, back) >= min(len(one), len(other))


SWAPS: dict[str, Swap] = {
    "number": _number,
    "date": _calendar,
    "version": _one(VERSION, other_digits),
    "model": _one(MODEL, other_digits),
    "unit": _unit,
    "amount": _amount,
    "name": _name,
    "roles": _roles,
    "negation": _negation,
    "opposite": _opposite,
    "modal": _modal,
    "clause": _clause,
    "identifier": _identifier,
    "word": _word,
}
"""By kind of fact."""
FAMILIES = {
    **dict.fromkeys(("number", "amount", "unit"), "quantities"),
    "date": "dates",
    **dict.fromkeys(("version", "model", "identifier"), "identifiers"),
    **dict.fromkeys(("name", "roles"), "names"),
    **dict.fromkeys(("negation", "opposite", "modal", "clause"), "polarity"),
    "word": "other words",
}
"""Family of each kind of fact."""
