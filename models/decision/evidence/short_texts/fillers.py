"""Words that say nothing where a short text begins or ends with them: fillers such as "oh", teasers as "read more"."""

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.short_texts.added_words import PLAIN_TAG_WORDS
from models.decision.evidence.short_texts.words import FIRST, NUMBER, ShortWords, fold, fold_words
from models.kernels.hash_set import holds
from models.kernels.jit import lean
from models.lexical.text.canonical.reading import ANY, CAPITAL, CODE, OF_ITSELF, SET_OFF

TEASER_WORDS = 14
"""Words of a teaser at most, letters where no blanks part them."""


@lean
def fillers_in_front(
    letters: NDArray[np.uint32],
    words: ShortWords,
    start: int,
    stop: int,
    fillers: NDArray[np.uint64],
    leet: NDArray[np.uint8],
) -> int:
    """How many words in front of a text say nothing, where there are `PLAIN_TAG_WORDS` others at least.

    A number does, though its digits may stand for the letters of such a word: 807 is no "bot".

    Args:
        letters: of a `Reading`.
        words: of the same texts.
        start: first word of the text; stop is the word behind its last.
        stop: see start.
        fillers: `models.decision.evidence.short_texts.words.filler_words()`.
        leet: `models.lexical.text.canonical.lookalikes.LEET`.
    """
    word = start
    while word + PLAIN_TAG_WORDS < stop and not words.kind[word] & NUMBER:
        # "O-Index" and "so-called" are one word.
        joined = letters[words.first[word + 1] - 1] & CODE == ANY
        if joined or not holds(fillers, fold(letters[words.first[word] : words.first[word + 1]], leet)):
            break
        word += 1
    return word - start


@lean
def teaser_behind(
    letters: NDArray[np.uint32],
    words: ShortWords,
    start: int,
    stop: int,
    teasers: NDArray[np.uint64],
    leet: NDArray[np.uint8],
) -> int:
    """How many words at the end of a text lead to its rest, behind more than `PLAIN_TAG_WORDS` others.

    They begin a sentence or line, a sign sets them off or, if they are several, a capital behind a word without one
    does: of "Why We Should Read More" they are part.

    Args:
        letters: of a `Reading`.
        words: of the same texts.
        start: first word of the text; stop is the word behind its last.
        stop: see start.
        teasers: `models.decision.evidence.short_texts.words.teaser_phrases()`.
        leet: `models.lexical.text.canonical.lookalikes.LEET`.
    """
    for size in range(min(TEASER_WORDS, stop - start - PLAIN_TAG_WORDS - 1), 0, -1):
        word = stop - size
        begin, before = letters[words.first[word]], letters[words.first[word - 1]]
        parted = words.kind[word] & FIRST or begin & SET_OFF or (size > 1 and begin & CAPITAL > before & CAPITAL)
        if (parted or begin & CODE >= OF_ITSELF) and holds(teasers, fold_words(letters, words.first, word, stop, leet)):
            return size
    return 0


@lean
def begin_alike(x: NDArray[np.uint32], y: NDArray[np.uint32], size: int) -> bool:
    """Do both texts begin with these letters, as where a filler of one was joined to other words in the other?"""
    alike = min(x.size, y.size) >= size
    for at in range(size if alike else 0):
        alike &= (x[at] ^ y[at]) & CODE == 0
    return alike
