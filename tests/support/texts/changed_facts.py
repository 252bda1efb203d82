"""Look-alikes among short texts: the same but for one fact, which makes another record of it."""

import re
from collections.abc import Callable
from random import Random

from models.evaluation.synthesis.material.wordlists import AUXILIARIES, DAYS, MONTHS, OPPOSITES

Change = Callable[[Random], tuple[str, str]]

_NAMES = """
Anna Peter Maria Thomas Julia Robert Laura Daniel Nina Viktor Chen Fatima Olga Kenji Aisha Carlos Mehmet Ingrid
Paris Madrid Oslo Lisbon Vienna Prague Dublin Warsaw Athens Cairo Lima Quito Boston Denver Austin Tokyo Osaka Seoul
Delhi Mumbai
"""
_UNITS = (("kg", "g"), ("km", "m"), ("GB", "MB"), ("am", "pm"), ("lbs", "kg"), ("cm", "mm"), ("hours", "days"),
          ("miles", "km"), ("ml", "l"), ("mph", "kph"), ("minutes", "hours"), ("weeks", "months"))  # fmt: skip
_MODELS = ("iPhone {}", "Galaxy S{}", "v{}", "Model X{}", "Windows {}", "GT-{}", "RTX {}0", "Boeing 7{}7", "PS{}")
_ANSWERS = (("yes", "no"), ("open", "closed"), ("accepted", "rejected"), ("won", "lost"), ("true", "false"),
            ("passed", "failed"), ("confirmed", "cancelled"), ("up", "down"))  # fmt: skip


def _numbers(form: str, low: int, high: int) -> Change:
    def change(rng: Random) -> tuple[str, str]:
        one, other = rng.sample(range(low, high), 2)
        return form.format(one), form.format(other)

    return change


def _chosen(form: str, *values: str) -> Change:
    def change(rng: Random) -> tuple[str, str]:
        one, other = rng.sample(values, 2)
        return form.format(one), form.format(other)

    return change


def _amount(rng: Random) -> tuple[str, str]:
    form, (one, other) = rng.choice(("for ${}", "price {} €", "£{} only")), rng.sample(range(2, 900), 2)
    return form.format(one), form.format(other)


def _currency(rng: Random) -> tuple[str, str]:
    one, other = rng.sample("$€£", 2)
    amount = rng.randint(2, 900)
    return f"now {one}{amount}", f"now {other}{amount}"


def _decimal(rng: Random) -> tuple[str, str]:
    whole, part = rng.randint(1, 9), rng.randint(1, 9)
    return f"rated {whole}.{part} points", f"rated {whole}{part} points"


def _time(rng: Random) -> tuple[str, str]:
    one, other = rng.sample(range(1, 12), 2)
    form = rng.choice(("at {} pm", "at {}:30", "by {}am", "until {} o'clock"))
    return form.format(one), form.format(other)


def _unit(rng: Random) -> tuple[str, str]:
    number, pair = rng.randint(2, 90), list(rng.choice(_UNITS))
    rng.shuffle(pair)
    return f"about {number} {pair[0]}", f"about {number} {pair[1]}"


def _model(rng: Random) -> tuple[str, str]:
    form, (one, other) = rng.choice(_MODELS), rng.sample(range(2, 10), 2)
    return f"for {form.format(one)}", f"for {form.format(other)}"


def _answer(rng: Random) -> tuple[str, str]:
    pair = list(rng.choice(_ANSWERS))
    rng.shuffle(pair)
    return f"status {pair[0]}", f"status {pair[1]}"


ADDED: dict[str, Change] = {
    "number": _numbers("for {} people", 2, 100),
    "long number": _numbers("ticket {}", 100_000, 999_999),
    "year": _numbers("in {}", 1950, 2030),
    "percent": _numbers("up {}%", 1, 100),
    "amount": _amount,
    "currency": _currency,
    "decimal point": _decimal,
    "time": _time,
    "weekday": _chosen("on {}", *DAYS),
    "month": _chosen("since {}", *MONTHS),
    "name": _chosen("says {}", *_NAMES.split()),
    "unit": _unit,
    "model": _model,
    "answer": _answer,
}
"""Clauses of two forms that differ in one fact: both texts get one of them."""


def with_clause(text: str, change: Change, rng: Random) -> tuple[str, str]:
    """Two texts that differ by one fact, put in front, behind or between two sentences."""
    one, other = change(rng)
    place = rng.randrange(3)
    if place == 0:
        return f"{one[0].upper()}{one[1:]}: {text}", f"{other[0].upper()}{other[1:]}: {text}"
    if place == 1 or ". " not in text:
        return f"{text} {one}", f"{text} {other}"
    head, tail = text.split(". ", 1)
    return f"{head} {one}. {tail}", f"{head} {other}. {tail}"


def denied(text: str, rng: Random) -> tuple[str, str] | None:
    """A text and the same with "not" behind an auxiliary; None where there is none."""
    found = [one for one in re.finditer(r"[A-Za-z]+(?= )", text) if one[0].lower() in AUXILIARIES]
    if not found:
        return None
    one = rng.choice(found)
    form = rng.choice((" not", " never"))
    return text, text[: one.end()] + form + text[one.end() :]


def opposed(text: str, rng: Random) -> tuple[str, str] | None:
    """A text and the same with one word turned into its opposite; None where none has one."""
    found = [one for one in re.finditer(r"[A-Za-z]+", text) if one[0] in OPPOSITES]
    if not found:
        return None
    one = rng.choice(found)
    return text, text[: one.start()] + OPPOSITES[one[0]] + text[one.end() :]


def renumbered(text: str, rng: Random) -> tuple[str, str] | None:
    """A text and the same with one of its own numbers changed; None where it has none."""
    found = list(re.finditer(r"(?<![\w/@#])\d+(?![\w/])", text))
    if not found:
        return None
    one = rng.choice(found)
    digit = rng.randrange(len(one[0]))
    new = rng.choice([figure for figure in "123456789" if figure != one[0][digit]])
    return text, text[: one.start()] + one[0][:digit] + new + one[0][digit + 1 :] + text[one.end() :]


FOUND = {"negation": denied, "opposite": opposed, "own number": renumbered}
"""Changes of a fact that the text has itself."""
