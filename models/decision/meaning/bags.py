"""Bags of words: what a text says, as its distinct words with their weights, facts and sentences."""

from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.decision.evidence.facts.kinds import NAME, NEGATION, NUMBER, fact_kinds
from models.decision.evidence.facts.lexicon import FUNCTION, QUALIFIER, Lexicon, class_of, classes_of, lexicon
from models.decision.meaning.numbers import Numbers, numbers
from models.kernels.jit import kernel
from models.lexical.text import SENTENCE, Words, normalise, split_words
from models.semantic.encoder.vocabulary import Vocabulary

MOST = 256
"""Distinct words of a text that are compared, from its beginning on."""
RARE = 0.5
"""Share of the logarithm of the vocabulary from which a word is none that everybody uses."""
COUNTS = ("words", "sentences", "negations", "qualifiers")


class Bags(NamedTuple):
    """Distinct words of n texts, flat; text d owns `pointers[d]:pointers[d + 1]`.

    Attributes:
        row: int32[t], row of the word vector; of a word that shares its vector with others, `words` of the vocabulary
            or more: it is like none but itself.
        hash: uint64[t].
        weight: float32[t], how rare the word is, in the language and not in the corpus.
        place: float32[t], where it stands first, as a share of the text.
        name: bool[t], a capital within a sentence.
        figure: bool[t], a number, in digits or words.
        pointers: int64[n + 1].
        said: int32[s], the words in their order, as numbers within their text; -1 before each sentence.
        said_pointers: int64[n + 1].
        counts: int32[n, 4], `COUNTS`.
        numbers: of the texts.
        known: the listed words.
    """

    row: NDArray[np.int32]
    hash: NDArray[np.uint64]
    weight: NDArray[np.float32]
    place: NDArray[np.float32]
    name: NDArray[np.bool_]
    figure: NDArray[np.bool_]
    pointers: NDArray[np.int64]
    said: NDArray[np.int32]
    said_pointers: NDArray[np.int64]
    counts: NDArray[np.int32]
    numbers: Numbers
    known: Lexicon


def bags(texts: pl.Series, vocabulary: Vocabulary) -> Bags:
    """Read n texts."""
    normalised = normalise(texts)
    words = split_words(normalised)
    classes = classes_of(words)
    kinds = fact_kinds(normalised, words, classes)
    found = _collect(words, classes, kinds, vocabulary.rows(words.hash), len(vocabulary.words), lexicon())
    return Bags._make([*found, numbers(normalised, words, lexicon()), lexicon()])


@kernel
def _collect(
    words: Words,
    classes: NDArray[np.uint32],
    kinds: NDArray[np.uint8],
    rows: NDArray[np.int32],
    vocabulary: int,
    known: Lexicon,
) -> tuple[
    NDArray[np.int32], NDArray[np.uint64], NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_],
    NDArray[np.bool_], NDArray[np.int64], NDArray[np.int32], NDArray[np.int64], NDArray[np.int32],
]:  # fmt: skip
    texts = len(words.pointers) - 1
    row, hashes = np.empty(len(rows), np.int32), np.empty(len(rows), np.uint64)
    weight, place = np.empty(len(rows), np.float32), np.empty(len(rows), np.float32)
    name, figure = np.zeros(len(rows), np.bool_), np.zeros(len(rows), np.bool_)
    pointers, said_pointers = np.zeros(texts + 1, np.int64), np.zeros(texts + 1, np.int64)
    said = np.empty(2 * len(rows), np.int32)
    counts = np.zeros((texts, 4), np.int32)
    scale = 1 / np.log(vocabulary + 2.0)
    types = spoken = 0
    slots, held = np.zeros(4 * MOST, np.int32), np.zeros(4 * MOST, np.uint64)
    for text in range(texts):
        first, stop = words.pointers[text], words.pointers[text + 1]
        slots[:] = -1
        begun = types
        counts[text, 0] = stop - first
        for word in range(first, stop):
            if words.flags[word] & SENTENCE:
                counts[text, 1] += 1
                said[spoken] = -1
                spoken += 1
            counts[text, 2] += kinds[word] & NEGATION != 0
            counts[text, 3] += classes[word] & QUALIFIER != 0
            at = np.int64(words.hash[word] >> np.uint64(20)) & (4 * MOST - 1)
            while slots[at] >= 0 and held[at] != words.hash[word]:
                at = (at + 1) & (4 * MOST - 1)
            if slots[at] < 0:
                if types - begun == MOST:
                    continue
                slots[at], held[at] = types - begun, words.hash[word]
                row[types], hashes[types] = rows[word], words.hash[word]
                rarity = np.log(min(rows[word], vocabulary) + 2.0) * scale
                function = class_of(known, words.hash[word]) & FUNCTION != 0
                weight[types] = np.float32(rarity * rarity * (0.25 if function else 1.0))
                place[types] = np.float32((word - first) / (stop - first))
                types += 1
            number = slots[at]
            name[begun + number] |= kinds[word] & NAME != 0 and class_of(known, words.hash[word]) & FUNCTION == 0
            figure[begun + number] |= kinds[word] & NUMBER != 0
            said[spoken] = number
            spoken += 1
        pointers[text + 1], said_pointers[text + 1] = types, spoken
    return (
        row[:types].copy(), hashes[:types].copy(), weight[:types].copy(), place[:types].copy(), name[:types].copy(),
        figure[:types].copy(), pointers, said[:spoken].copy(), said_pointers, counts,
    )  # fmt: skip
