"""Type B: copies with small edits that leave every statement as it is."""

import re
from collections.abc import Callable
from random import Random

from models.evaluation.synthesis.boilerplate import byline, stamp
from models.evaluation.synthesis.material import Material
from models.evaluation.synthesis.operator import Made, Make, Operator
from models.evaluation.synthesis.perturbations import slip
from models.evaluation.synthesis.splitting import clip, is_prose, open_words, sentence_starts, splice

SHORTEST, LONGEST = 400, 8_000
"""Characters of a text that is copied."""
STAMPED = 1_500
"""Characters from which both sides may carry a stamp of their own: on a shorter text it would name another record."""
DROPPED = ADDED = 0.1
"""Share of a text that a sentence may be, to be dropped or added."""

Edit = Callable[[str, Material, Random], str]

_QUOTES = (("“", '"'), ("”", '"'), ("‘", "'"), ("’", "'"), ("–", "-"), ("—", "--"), ("…", "..."))
_FIGURE = re.compile(r"\d")
_CURLY = str.maketrans({"'": "’", '"': "”"})


def _placed(text: str, line: str, rng: Random) -> str:
    return f"{line}\n\n{text}" if rng.random() < 0.5 else f"{text}\n\n{line}"


def _stamped(text: str, material: Material, rng: Random) -> str:
    what = rng.choice(("Updated", "Last modified:", "Retrieved", "Published on", "As of", "Printed"))
    return _placed(text, f"{what} {stamp(rng)}", rng)


def _counted(text: str, material: Material, rng: Random) -> str:
    number = rng.randint(2, 90_000)
    forms = f"{number:,} views;Read {number} times;Comments ({number % 400});Shares: {number};Page {number % 90 + 1}"
    return _placed(text, rng.choice(forms.split(";")), rng)


def _numbered(text: str, material: Material, rng: Random) -> str:
    number = f"{rng.choice('ABKMRTX')}{rng.randint(100, 99_999)}"
    forms = f"Ref. {number};[Reference: {number}/{rng.randint(1, 99)}];Document no. {number};ID {number}"
    return _placed(text, rng.choice(forms.split(";")), rng)


def _sourced(text: str, material: Material, rng: Random) -> str:
    who = rng.choice(material.boilerplate.names)
    forms = f"Source: {who};(via {who});From the archive of {who};{byline(material.boilerplate.names, rng)}"
    return _placed(text, rng.choice(forms.split(";")), rng)


def _headed(text: str, material: Material, rng: Random) -> str:
    """A line of furniture, or another sentence before the first or behind the last."""
    lines = material.boilerplate.lines or ["Read this first.", "More on this below.", "Thank you for reading."]
    line = rng.choice(lines)
    return _placed(text, line, rng) if len(line) <= ADDED * len(text) else text


def _without_first(text: str, material: Material, rng: Random) -> str:
    starts = sentence_starts(text)
    return text[starts[1] :] if len(starts) > 5 and _small(text[: starts[1]], text) else text


def _without_last(text: str, material: Material, rng: Random) -> str:
    starts = sentence_starts(text)
    return text[: starts[-1]].rstrip() if len(starts) > 5 and _small(text[starts[-1] :], text) else text


def _small(sentence: str, text: str) -> bool:
    """May a sentence go? A date or a heading of its own may not, it says what the text is about."""
    return len(sentence) <= DROPPED * len(text) and is_prose(sentence) and not _FIGURE.search(sentence)


def _quoted(text: str, material: Material, rng: Random) -> str:
    """Quotes, dashes and dots in the other typography."""
    straight = text
    for curly, plain in _QUOTES:
        straight = straight.replace(curly, plain)
    return straight if straight != text else text.translate(_CURLY).replace(" - ", " – ").replace("...", "…")


def _spaced(text: str, material: Material, rng: Random) -> str:
    blanks = [found.span() for found in re.finditer(r"(?<=\S) (?=\S)", text)]
    chosen = rng.sample(blanks, len(blanks) // rng.choice((3, 10, 30)))
    return splice(text, [(*span, rng.choice(("  ", "\u00a0", "\t", "   "))) for span in chosen])


def _reflowed(text: str, material: Material, rng: Random) -> str:
    """Break lines elsewhere: one line per paragraph, or a width of its own."""
    width = rng.choice((10**9, 60, 72, 100))
    return "\n\n".join(_filled(paragraph, width) for paragraph in re.split(r"\n\s*\n", text))


def _filled(paragraph: str, width: int) -> str:
    lines, line = [], ""
    for word in paragraph.split():
        if line and len(line) + len(word) >= width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return "\n".join([*lines, line])


def _mistyped(text: str, material: Material, rng: Random) -> str:
    """One or two slips of the keyboard, in words that are neither names nor numbers."""
    words = [found for found in open_words(text, shortest=6) if found[0].islower()]
    chosen = rng.sample(words, min(rng.randint(1, 2), len(words)))
    return splice(text, [(*found.span(), slip(found[0], material.vocabulary, rng)) for found in chosen])


EDITS: dict[str, Edit] = {
    "stamp": _stamped,
    "counter": _counted,
    "reference": _numbered,
    "source": _sourced,
    "added": _headed,
    "first dropped": _without_first,
    "last dropped": _without_last,
    "quotes": _quoted,
    "space": _spaced,
    "reflow": _reflowed,
    "typo": _mistyped,
}
_ON_BOTH = ("stamp", "counter", "reference", "source")


def edited(text: str, first: str, most: int, material: Material, rng: Random) -> tuple[str, list[str]]:
    """Apply one edit and up to `most` - 1 others; the names of those that changed something."""
    others = [name for name in EDITS if name != first]
    applied = []
    for name in [first, *rng.sample(others, rng.randint(0, most - 1))]:
        before, text = text, EDITS[name](text, material, rng)
        applied += [name] * (text != before)
    return text, applied


def _edit(name: str) -> Make:
    def make(text: str, document: int, material: Material, rng: Random) -> Made | None:
        original = clip(text, LONGEST)
        if len(original) < SHORTEST:
            return None
        copy, applied = edited(original, name, 4, material, rng)
        if name not in applied:
            return None
        # hot-spot documents are copies of each other: both sides may have been stamped, each with its own number
        if name in _ON_BOTH and len(text) >= STAMPED and rng.random() < 0.5:
            original, _ = edited(original, name, 2, material, rng)
        return Made(original, copy, "+".join(applied))

    return make


OPERATORS = [Operator("B", name, "prose", _edit(name)) for name in EDITS]
