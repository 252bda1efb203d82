"""Family "typography": the same signs in another typographer's taste."""

import re
from random import Random

from models.evaluation.synthesis.material.material import Material
from models.evaluation.synthesis.material.splitting import splice
from models.evaluation.synthesis.operator import WORDS, Edit

_QUOTES = (("“", '"'), ("”", '"'), ("‘", "'"), ("’", "'"), ("–", "-"), ("—", "--"), ("…", "..."))
_CURLY = str.maketrans({"'": "’", '"': "”"})


def curled(text: str) -> str:
    """Give a text curly quotation marks, long dashes and one sign for three dots."""
    return text.translate(_CURLY).replace(" - ", " – ").replace("...", "…")


def _quoted(text: str, material: Material, rng: Random) -> str:
    """Quotes, dashes and dots in the other typography."""
    straight = text
    for curly, plain in _QUOTES:
        straight = straight.replace(curly, plain)
    return straight if straight != text else curled(text)


def _spaced(text: str, material: Material, rng: Random) -> str:
    blanks = [found.span() for found in re.finditer(r"(?<=\S) (?=\S)", text)]
    chosen = rng.sample(blanks, len(blanks) // rng.choice((3, 10, 30)))
    return splice(text, [(*span, rng.choice(("  ", "\u00a0", "\t", "   "))) for span in chosen])


def _dashed(text: str, material: Material, rng: Random) -> str:
    """Dashes between words and hyphens within them, in another form."""
    dash, hyphen = rng.choice((" — ", "—", " – ", " -- ")), rng.choice(("‐", "‑", "–"))
    changed = re.sub(r" [-–—]{1,2} |(?<=[^\W\d])—(?=[^\W\d])", dash, text)
    return re.sub(r"(?<=[^\W\d])-(?=[^\W\d])", hyphen, changed)


def _signed(text: str, material: Material, rng: Random) -> str:
    """Marks for registered names, stops behind abbreviations, ampersands: written or left out."""
    forms = (("(C)", "©"), ("(R)", "®"), ("(TM)", "™"), (" and ", " & "), ("e.g. ", "eg "), ("i.e. ", "ie "))
    for one, other in rng.sample(forms, 4):
        text = text.replace(one, other, 3) if one in text else text.replace(other, one, 3)
    return text


EDITS = [
    Edit("quotes", "typography", WORDS, _quoted),
    Edit("space", "typography", WORDS, _spaced),
    Edit("dashes", "typography", WORDS, _dashed),
    Edit("signs", "typography", WORDS, _signed),
]
