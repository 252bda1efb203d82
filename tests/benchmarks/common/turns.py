"""The same texts in other words: a turn of a corpus repeats itself just as the real texts do, and no other turn.

Every word becomes another one, the same wherever it stands, through a permutation of the vocabulary: among words of one
script and length whose ranks by frequency lie between the same powers of two, so that the most frequent keep their
places or change them with few others. Upper case stays where it was. The digits 1 to 9 of numbers are permuted, too (0
is not, so that 1.0 and 1 stay as equal as they were, and large numbers large). All else stays: spaces, lines, marks,
the indents of code. Words of scripts that are written without spaces are their characters, since texts that share half
a sentence must share half of it afterwards. All of it is one to one, so two texts of a turn agree exactly where the two
that they were made of do.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from random import Random
from unicodedata import category, name

import numpy as np

UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Thai, Lao, Burmese, Khmer, Kana, Han."""
WORD = re.compile(rf"([^\W\d_{UNSPACED}]+|[{UNSPACED}])")
DIGITS = "123456789"


class Turns:
    """Texts cut once into words and what stands between them, to be written in other words as often as wanted."""

    def __init__(self, texts: Sequence[str], seed: int) -> None:
        """Holds 4 bytes a piece, words and what stands between them, and every different piece once."""
        known: defaultdict[str, int] = defaultdict()
        known.default_factory = known.__len__
        self._texts = [np.array(list(map(known.__getitem__, WORD.split(text))), np.int32) for text in texts]
        self._seed, self._pieces = seed, list(known)
        self._plain = {piece: _plain(piece) for piece in known if WORD.fullmatch(piece)}
        frequency = Counter[str]()
        for piece, count in zip(known, np.bincount(np.concatenate(self._texts)).tolist(), strict=True):
            if piece in self._plain:
                frequency[self._plain[piece]] += count
        self._classes = _classes(frequency)

    def turn(self, number: int) -> Iterator[str]:
        """All texts in other words; the same number gives the same ones."""
        random = Random(f"{self._seed}/{number}")
        digits = str.maketrans(DIGITS, "".join(random.sample(DIGITS, len(DIGITS))))
        other: dict[str, str] = {}
        for members in self._classes:
            other |= zip(members, random.sample(members, len(members)), strict=True)
        written = [
            _in_case(other[self._plain[piece]], piece) if piece in self._plain else piece.translate(digits)
            for piece in self._pieces
        ]
        for text in self._texts:
            yield "".join(map(written.__getitem__, text.tolist()))


def _classes(frequency: Mapping[str, int]) -> list[list[str]]:
    """Words that may stand for each other."""
    ranked = sorted(frequency, key=lambda word: (-frequency[word], word))
    band = {word: rank.bit_length() for rank, word in enumerate(ranked, 1)}

    def kind(word: str) -> tuple[int, int, str, str, bool, bool]:
        script = name(word[0], "").split(" ")[0]
        return band[word], len(word), script, category(word[0]), _paired(word), word == word.upper()

    return [list(members) for _, members in groupby(sorted(ranked, key=kind), kind)]


def _paired(word: str) -> bool:
    """Whether each letter has both cases, one to one, or none has."""
    lower, upper = word.lower(), word.upper()
    if not len(word) == len(lower) == len(upper) or lower.upper() != upper or upper.lower() != lower:
        return False
    cases = list(zip(word, lower, upper, strict=True))
    return len({low == up for _, low, up in cases}) == 1 and all(letter in (low, up) for letter, low, up in cases)


def _plain(word: str) -> str:
    return word.lower() if _paired(word) else word


def _in_case(word: str, like: str) -> str:
    """A plain word with capitals where another of its class has some."""
    if like.islower() or not _paired(word):
        return word
    return "".join(c.upper() if before.isupper() else c for before, c in zip(like, word, strict=True))
