"""Family "encoding": signs that were written in one encoding and read in another, or not at all."""

import re
import unicodedata
from random import Random

from models.evaluation.synthesis.edits.typography import curled
from models.evaluation.synthesis.material.material import Material
from models.evaluation.synthesis.material.splitting import WORD, open_words, splice
from models.evaluation.synthesis.operator import CARRIER, WORDS, Edit

_LIGATURES = (("ffi", "ﬃ"), ("ffl", "ﬄ"), ("ff", "ﬀ"), ("fi", "ﬁ"), ("fl", "ﬂ"), ("st", "ﬆ"))
_WIDE = {chr(code): chr(code + 0xFEE0) for code in range(ord("!"), ord("~") + 1)}
MOST_FOREIGN = 0.05
"""Share of a text that other than ASCII signs may be where they are lost: more would lose the text."""


def _mojibake(text: str, material: Material, rng: Random) -> str:
    """UTF-8 read as Windows-1252: quotation marks and accented letters fall apart."""
    curly = curled(text)
    if _foreign(curly) > MOST_FOREIGN:
        return text
    return "".join(c if ord(c) < 128 else c.encode().decode("cp1252", errors="replace") for c in curly)


def _lost(text: str, material: Material, rng: Random) -> str:
    """Signs other than ASCII become one and the same mark, outside of words, or lose their accents, within."""
    curly = curled(text)
    if _foreign(curly) > MOST_FOREIGN:
        return text
    mark = rng.choice(("?", "\ufffd", "", " "))
    bare = re.sub(r"[^\W\d_]+", lambda found: _unaccented(found[0]), curly)
    return "".join(c if ord(c) < 128 or c.isalnum() else mark for c in bare)


def _foreign(text: str) -> float:
    return sum(ord(c) > 127 for c in text) / max(len(text), 1)


def _unaccented(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


def _ligatures(text: str, material: Material, rng: Random) -> str:
    for plain, joined in _LIGATURES[: rng.randint(3, 6)]:
        text = text.replace(plain, joined)
    return text


def _soft(text: str, material: Material, rng: Random) -> str:
    """Soft hyphens or joiners within long words, and blanks that do not break."""
    sign = rng.choice(("\u00ad", "\u200b", "\u200c", "\u2060"))
    words = open_words(text, 7)
    chosen = rng.sample(words, len(words) // rng.randint(2, 8))
    places = [found.start() + rng.randint(2, len(found[0]) - 2) for found in chosen]
    return splice(text, [(at, at, sign) for at in sorted(places)]).replace("  ", "\u00a0 ")


def _wide(text: str, material: Material, rng: Random) -> str:
    """Words in the wide or the decomposed forms of their letters."""
    words = list(WORD.finditer(text))
    chosen = rng.sample(words, min(len(words), 1 + len(words) // rng.randint(20, 80)))
    changed = [(*found.span(), "".join(_WIDE.get(c, c) for c in found[0])) for found in chosen]
    return splice(text, changed) if rng.random() < 0.5 else unicodedata.normalize("NFD", text)


EDITS = [
    Edit("mojibake", "encoding", CARRIER, _mojibake),
    Edit("lost signs", "encoding", CARRIER, _lost),
    Edit("ligatures", "encoding", WORDS, _ligatures),
    Edit("soft hyphens", "encoding", WORDS, _soft),
    Edit("wide forms", "encoding", WORDS, _wide),
]
