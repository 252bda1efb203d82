"""Kernels of the evidence on pairs: columns of measures of aligned texts."""

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.alignment import ANCHOR_WORDS, SIDE_A, SIDE_B
from models.decision.evidence.facts.book import Book, kind_of
from models.decision.evidence.facts.exchanges.headings import heading_words
from models.decision.evidence.facts.exchanges.places import ALIGNED, EDITED, SHARED, exchanged
from models.decision.evidence.facts.exchanges.sentences import is_cut
from models.decision.evidence.facts.exchanges.slots import slot
from models.decision.evidence.facts.exchanges.titles import title_words
from models.decision.evidence.facts.kinds import BY_CHANCE, changes_on_one_side, tell_volatile
from models.decision.evidence.facts.lexicon import CALENDAR, NUMERAL, SCHEME
from models.decision.evidence.facts.terms import in_address, is_enumerator, is_note
from models.decision.evidence.facts.volatile.places import volatile, volatile_mass
from models.decision.evidence.levenshtein import letter_similarity
from models.decision.evidence.match_words import compare
from models.decision.evidence.ngram_index import find_runs
from models.decision.evidence.own_content import OwnContent, lacking, page_frames
from models.decision.evidence.spelling.letters import Script
from models.decision.evidence.spelling.match import TYPOGRAPHIC
from models.decision.evidence.stock_phrases import stock_words
from models.kernels.hash_set import hash_sets, holds
from models.kernels.jit import kernel, lean
from models.lexical.sketch.jaccard import overlap
from models.lexical.text import CAPITAL, HAS_DIGIT, SENTENCE
from models.lexical.text.unicode_table import KIND, SINGLE

PROSE_WORDS = 8
"""An unmatched run of this many words within one line reads as prose; menus and bylines stand in shorter pieces."""
_GOES_ON = 40
"""Words at the end of a text from which it goes on where the other, an excerpt, has stopped."""
_CHANCE = 3
"""Letters of a sentence in which each is a word, for each that must be matched."""
NEAR = 0.8
"""Share of the words of a text that is matched where it stands in no template of a site of its own."""
SPELLING_WORDS = 50
"""A differing place of more words than this is no matter of spelling."""
SHARES = (
    "weighted_jaccard",
    "jaccard",
    "containment_a",
    "containment_b",
    "weighted_containment_a",
    "weighted_containment_b",
    "aligned_a",
    "aligned_b",
    "shared_mass",
    "rest_mass_a",
    "rest_mass_b",
    "rest_prose_a",
    "rest_prose_b",
    "novel_mass_a",
    "novel_mass_b",
    "edited_mass",
    "fact_mass",
    "spelling",
    "own_a",
    "own_b",
    "lacking_a",
    "lacking_b",
    "lacking_text_a",
    "lacking_text_b",
)
"""Columns of float32."""
COUNTS = (
    "longest_run",
    "runs",
    "replaced",
    "typographic",
    "edited",
    "changed_facts",
    "sentence_facts",
    "hard_facts",
    "moved",
    "other_facts",
    "volatile",
    "own_words_a",
    "own_words_b",
    "alone_a",
    "alone_b",
    "alone_run_a",
    "alone_run_b",
    "text_run_a",
    "text_run_b",
    "replaced_words",
    "stock_words_a",
    "stock_words_b",
    "rare_words_a",
    "rare_words_b",
    "other_words",
    "title_words_a",
    "title_words_b",
    "slot",
    "fill_a",
    "fill_b",
)
"""Columns of int32."""


@kernel
def count_overlaps(
    gram: NDArray[np.uint64],
    gram_weight: NDArray[np.float32],
    gram_pointers: NDArray[np.int64],
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    shares: NDArray[np.float32],
) -> None:
    """Fill the columns on shingles alone."""
    for pair in range(len(a)):
        shares[0:6, pair] = overlap(gram, gram_weight, gram_pointers, a[pair], b[pair])


@kernel
def measure_pairs(
    text: Script,
    facts: Book,
    content: OwnContent,
    kinds: NDArray[np.uint8],
    line: NDArray[np.int32],
    word_pointers: NDArray[np.int64],
    weight: NDArray[np.float32],
    gram: NDArray[np.uint64],
    gram_pointers: NDArray[np.int64],
    gram_weight: NDArray[np.float32],
    short: NDArray[np.bool_],
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    most_edits: float,
) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """All columns of `SHARES` and of `COUNTS`, one row each."""
    shares = np.zeros((len(SHARES), len(a)), np.float32)
    counts = np.zeros((len(COUNTS), len(a)), np.int32)
    known, known_pointers = hash_sets(text.hash, word_pointers)
    runs = find_runs(text.hash, word_pointers, ANCHOR_WORDS)
    longest = np.diff(word_pointers).max() if len(word_pointers) > 1 else 0
    anchored, changes = np.empty((2, longest), np.uint8), np.empty((2, 7))
    for pair in range(len(a)):
        one, other = a[pair], b[pair]
        a0, a1 = word_pointers[one], word_pointers[one + 1]
        b0, b1 = word_pointers[other], word_pointers[other + 1]
        in_a = known[known_pointers[one] : known_pointers[one + 1]]
        in_b = known[known_pointers[other] : known_pointers[other + 1]]
        shares[0:6, pair] = overlap(gram, gram_weight, gram_pointers, one, other)
        rows = compare(text, word_pointers, runs, one, other)
        gaps = _gaps(rows, a1 - a0, b1 - b0)
        shares[6, pair], shares[7, pair] = _aligned(gaps, a1 - a0, SIDE_A), _aligned(gaps, b1 - b0, SIDE_B)
        shares[8, pair] = _shared_mass(rows, weight[a0:a1], weight[b0:b1])
        rest_a = _rest(gaps[:, 0:2], a0, text.hash, text.flags, line, weight, in_b)
        rest_b = _rest(gaps[:, 2:4], b0, text.hash, text.flags, line, weight, in_a)
        shares[9, pair], shares[11, pair], shares[13, pair] = rest_a
        shares[10, pair], shares[12, pair], shares[14, pair] = rest_b
        both_short = short[one] and short[other]
        if both_short:
            # A stamp is much of a short text.
            shares[9, pair] -= volatile_mass(gaps[:, 0:2], facts, weight, a0, a1)
            shares[10, pair] -= volatile_mass(gaps[:, 2:4], facts, weight, b0, b1)
        found = _changes(gaps, facts, content, kinds, weight, a0, a1, b0, b1, both_short, anchored, changes)
        counts[4, pair], counts[5, pair], counts[6, pair], counts[7, pair] = found[0], found[1], found[2], found[3]
        shares[15, pair], shares[16, pair] = found[4], found[5]
        counts[0, pair], counts[1, pair], counts[2, pair], counts[3, pair] = _runs(rows, facts, a0, a1, b0, b1)
        counts[8, pair] = _moved(gaps, text.hash[a0:a1], text.hash[b0:b1])
        rest = max(shares[9, pair], shares[10, pair])
        alike = max(shares[6, pair], shares[7, pair]) >= ALIGNED or shares[8, pair] >= SHARED * (shares[8, pair] + rest)
        # Another version, whatever else: no rule takes so many edits for small ones.
        apart = not both_short and shares[15, pair] > most_edits * shares[8, pair]
        # Where they have half in common they are look-alikes; else the facts say whether they are variants.
        if apart and (shares[8, pair] > rest or shares[15, pair] > EDITED * shares[8, pair]):
            counts[9, pair] = counts[6, pair]
        elif both_short or alike:
            head_a, head_b = heading_words(facts, a0, a1, b0, b1), heading_words(facts, b0, b1, a0, a1)
            counts[9, pair], counts[10, pair], counts[24, pair] = exchanged(
                rows, gaps, facts, a0, a1, b0, b1, in_a, in_b, head_a > 0 and head_b > 0
            )
            if counts[9, pair] == 0 and counts[24, pair] == 0:
                counts[27, pair], counts[28, pair], counts[29, pair] = slot(facts, gaps, a0, a1, b0, b1)
            of_a_site = content.begins_alike[one] or content.begins_alike[other]
            near_a, near_b = shares[6, pair] >= NEAR and not of_a_site, shares[7, pair] >= NEAR and not of_a_site
            counts[25, pair] = head_a if head_a else title_words(facts, a0, a1, b0, b1, in_a, in_b, near_a, near_b)
            counts[26, pair] = head_b if head_b else title_words(facts, b0, b1, a0, a1, in_b, in_a, near_b, near_a)
        # Distances are dear, and these two differ too much for slips to explain it.
        shares[17, pair] = 0 if apart else _spelling(gaps, text, a0, b0)
        of_a = lacking(gaps, SIDE_A, content, word_pointers, one, other, in_b, not apart)
        of_b = lacking(gaps, SIDE_B, content, word_pointers, other, one, in_a, not apart)
        counts[11, pair], counts[12, pair] = content.words[one], content.words[other]
        counts[13, pair], counts[14, pair], counts[15, pair], counts[16, pair] = of_a[2], of_b[2], of_a[3], of_b[3]
        counts[17, pair], counts[18, pair] = of_a[5], of_b[5]
        counts[22, pair], counts[23, pair] = content.rare_words[one], content.rare_words[other]
        counts[19, pair] = _replaced_words(gaps, facts, a0, b0)
        if not apart:
            counts[20:22, pair] = stock_words(gaps, content, facts, one, other)
        shares[22, pair], shares[23, pair] = of_a[4] / max(1, a1 - a0), of_b[4] / max(1, b1 - b0)
        shares[20, pair], shares[21, pair] = of_a[0] / max(1, a1 - a0), of_b[0] / max(1, b1 - b0)
        shares[18, pair] = 1 - of_a[1] / max(1, content.words[one])
        shares[19, pair] = 1 - of_b[1] / max(1, content.words[other])
    return shares, counts


@kernel
def _gaps(rows: NDArray[np.int32], n: int, m: int) -> NDArray[np.int32]:
    """What lies between matched runs: rows (a0, a1, b0, b1, matched words before, matched words behind)."""
    gaps = np.empty((len(rows) + 1, 6), np.int32)
    k = 0
    a_end = b_end = 0
    for row in range(len(rows) + 1):
        inner = row < len(rows)
        a_next = rows[row, 0] if inner else n
        b_next = rows[row, 2] if inner else m
        if a_next > a_end or b_next > b_end:
            gaps[k, 0], gaps[k, 1], gaps[k, 2], gaps[k, 3] = a_end, a_next, b_end, b_next
            gaps[k, 4], gaps[k, 5] = row > 0, inner
            k += 1
        if inner:
            a_end, b_end = rows[row, 1], rows[row, 3]
    return gaps[:k]


@lean
def _unmatched(gaps: NDArray[np.int32], side: int) -> int:
    words = 0
    for row in range(len(gaps)):
        words += gaps[row, side + 1] - gaps[row, side]
    return words


@lean
def _aligned(gaps: NDArray[np.int32], size: int, side: int) -> float:
    return (size - _unmatched(gaps, side)) / size if size else 0.0


@kernel
def _shared_mass(rows: NDArray[np.int32], a_weight: NDArray[np.float32], b_weight: NDArray[np.float32]) -> float:
    mass = 0.0
    for row in range(len(rows)):
        of_a = a_weight[rows[row, 0] : rows[row, 1]].sum()
        of_b = b_weight[rows[row, 2] : rows[row, 3]].sum()
        # A misspelt word is rare and would weigh more than the word that it stands for.
        mass += min(of_a, of_b) if rows[row, 4] == TYPOGRAPHIC else (of_a + of_b) / 2
    return mass


@lean
def _rest(
    gaps: NDArray[np.int32],
    first: int,
    hashes: NDArray[np.uint64],
    flags: NDArray[np.uint8],
    line: NDArray[np.int32],
    weight: NDArray[np.float32],
    known: NDArray[np.uint64],
) -> tuple[np.float32, np.float32, np.float32]:
    """Mass of the unmatched words of one side: all, in prose, and found nowhere in the other text."""
    rest = in_prose = novel = np.float32(0)
    for row in range(len(gaps)):
        word, stop = first + gaps[row, 0], first + gaps[row, 1]
        while word < stop:
            begin, capitals = word, 0
            mass = 0.0
            while word < stop and line[word] == line[begin]:
                mass += weight[word]
                capitals += (flags[word] & CAPITAL) != 0
                if not holds(known, hashes[word]):
                    novel += weight[word]
                word += 1
            rest = np.float32(rest + mass)
            if word - begin >= PROSE_WORDS and 2 * capitals < word - begin:
                in_prose = np.float32(in_prose + mass)
    return rest, in_prose, novel


@lean
def _changes(
    gaps: NDArray[np.int32],
    book: Book,
    content: OwnContent,
    kinds: NDArray[np.uint8],
    weight: NDArray[np.float32],
    a0: int,
    a1: int,
    b0: int,
    b1: int,
    both_short: bool,
    anchored: NDArray[np.uint8],
    found: NDArray[np.float64],
) -> tuple[int, int, int, int, float, float]:
    """Edited words, changed facts, those in sentences, hard ones; mass of the words and of the facts.

    Words that match within the frames of two sites make no sentence of those beside them.

    `anchored`, of two texts, and `found`, float64[2, 7], are overwritten.
    """
    edited = facts = in_sentences = hard = 0.0
    mass = fact_mass = 0.0
    text, one, other = book.text, found[0], found[1]
    a_anchored, b_anchored = anchored[0], anchored[1]
    _anchor(gaps[:, 0:2], book, a0, a1, a_anchored)
    _anchor(gaps[:, 2:4], book, b0, b1, b_anchored)
    front, back = (0, len(gaps)) if both_short else page_frames(gaps, content, a0, a1, b0, b1)
    for row in (front - 1, back):
        if 0 <= row < len(gaps):
            _unanchor(a_anchored[gaps[row, 0] : gaps[row, 1]])
            _unanchor(b_anchored[gaps[row, 2] : gaps[row, 3]])
    for row in range(max(0, front - 1), min(back + 1, len(gaps))):
        i, i_stop, j, j_stop = a0 + gaps[row, 0], a0 + gaps[row, 1], b0 + gaps[row, 2], b0 + gaps[row, 3]
        left = gaps[row, 4] == 1 and row != front - 1
        right = gaps[row, 5] == 1 and row != back
        at_an_end = left != right and not both_short
        if at_an_end and (_is_half(text, i, i_stop, j, j_stop, left) or _is_half(text, j, j_stop, i, i_stop, left)):
            continue
        tell_volatile(book, kinds, i, i_stop, a0, a1)
        tell_volatile(book, kinds, j, j_stop, b0, b1)
        changes_on_one_side(i, i_stop, j, j_stop, left, right, kinds, weight, a_anchored, book, a0, one)
        changes_on_one_side(j, j_stop, i, i_stop, left, right, kinds, weight, b_anchored, book, b0, other)
        edited += max(one[0], other[0])
        facts += max(one[1], other[1])
        in_sentences += max(one[2], other[2])
        hard += min(one[5], other[5]) + max(one[6], other[6])
        mass += max(one[3], other[3])
        fact_mass += max(one[4], other[4])
    return int(edited), int(facts), int(in_sentences), int(hard), mass, fact_mass


@lean
def _is_half(text: Script, own: int, own_stop: int, other: int, other_stop: int, left: bool) -> bool:
    """Is this side the piece of a word in which an excerpt begins or ends, and the other side how that goes on?

    `left` says that the matched words stand before it.
    """
    return is_cut(text, own, own_stop, other, other_stop, left) and not text.exact[own]


@lean
def _spelling(gaps: NDArray[np.int32], text: Script, a0: int, b0: int) -> float:
    least = 1.0
    # Most pairs fail here, and distances are dear.
    for row in range(len(gaps)):
        size, across = gaps[row, 1] - gaps[row, 0], gaps[row, 3] - gaps[row, 2]
        if size == 0 or across == 0 or max(size, across) > SPELLING_WORDS:
            return 0.0
    for row in range(len(gaps)):
        i, i_stop, j, j_stop = gaps[row, 0], gaps[row, 1], gaps[row, 2], gaps[row, 3]
        least = min(least, letter_similarity(text, a0 + i, a0 + i_stop, b0 + j, b0 + j_stop))
    return least


@lean
def _anchor(gaps: NDArray[np.int32], book: Book, first: int, last: int, anchored: NDArray[np.uint8]) -> None:
    """Write for every word of a gap: is none (0), some (1) or most (2) of its sentence matched, or `BY_CHANCE`?

    Where every letter is a word, any two sentences have some in common: of those a third must be matched.
    """
    flags = book.text.flags[first:last]
    row = done = 0
    while row < len(gaps):
        begin = max(gaps[row, 0], done)
        if begin >= gaps[row, 1]:
            row += 1
            continue
        while begin > 0 and not flags[begin] & SENTENCE:
            begin -= 1
        stop = begin + 1
        while stop < len(flags) and not flags[stop] & SENTENCE:
            stop += 1
        singles = 0
        for word in range(begin, stop):
            singles += book.marks[book.text.start[first + word]] & KIND == SINGLE
        hits = stop - begin
        inside = row
        while inside < len(gaps) and gaps[inside, 0] < stop:
            hits -= max(0, min(gaps[inside, 1], stop) - max(gaps[inside, 0], begin))
            inside += 1
        anchored[begin:stop] = 2 if hits >= 4 and 2 * hits >= stop - begin else min(hits, 1)
        if 2 * singles >= stop - begin and _CHANCE * hits < stop - begin:
            anchored[begin:stop] = BY_CHANCE
        done = stop


@lean
def _unanchor(anchored: NDArray[np.uint8]) -> None:
    """Write that of sentences of which some words are matched, none is."""
    for word in range(len(anchored)):
        if anchored[word] == 1:
            anchored[word] = 0


@lean
def _replaced_words(gaps: NDArray[np.int32], book: Book, a0: int, b0: int) -> int:
    """Words that stand in place of others between matched words or at both ends, no numbers, dates or schemes."""
    replaced = 0
    for row in range(len(gaps)):
        # At its ends an excerpt meets what goes on in the other text; two texts that both end soon do not go on.
        longer = max(gaps[row, 1] - gaps[row, 0], gaps[row, 3] - gaps[row, 2])
        if longer > _GOES_ON and not (gaps[row, 4] and gaps[row, 5]):
            continue
        ours = _spelt(book, a0 + gaps[row, 0], a0 + gaps[row, 1])
        replaced += min(ours, _spelt(book, b0 + gaps[row, 2], b0 + gaps[row, 3])) if ours else 0
    return replaced


@lean
def _spelt(book: Book, word: int, stop: int) -> int:
    words = 0
    for at in range(word, stop):
        words += not (book.text.flags[at] & HAS_DIGIT or kind_of(book, at) & (NUMERAL | CALENDAR | SCHEME))
    return words


@lean
def _runs(rows: NDArray[np.int32], book: Book, a0: int, a1: int, b0: int, b1: int) -> tuple[int, int, int, int]:
    """The first four `COUNTS` of one pair; runs go on through another spelling of a word, and over what is put in."""
    n, m = a1 - a0, b1 - b0
    longest = several = replaced = typographic = 0
    a_end = b_end = run = 0
    for row in range(len(rows) + 1):
        a_next = rows[row, 0] if row < len(rows) else n
        b_next = rows[row, 2] if row < len(rows) else m
        if a_next > a_end or b_next > b_end or row == len(rows):
            replaced += min(a_next - a_end, b_next - b_end)
            inner = 0 < row < len(rows)
            if not inner or not _is_put_in(book, a0 + a_end, a0 + a_next, b0 + b_end, b0 + b_next, a0, b0, a1, b1):
                longest = max(longest, run)
                several += run >= PROSE_WORDS
                run = 0
        if row < len(rows):
            run += rows[row, 1] - rows[row, 0]
            if rows[row, 4] == TYPOGRAPHIC:
                typographic += max(rows[row, 1] - rows[row, 0], rows[row, 3] - rows[row, 2])
            a_end, b_end = rows[row, 1], rows[row, 3]
    return longest, several, replaced, typographic


@lean
def _is_put_in(book: Book, i: int, i_stop: int, j: int, j_stop: int, a0: int, b0: int, a1: int, b1: int) -> bool:
    """Whether links, marks of notes, numbers of lines or volatile places are all between matched words, in one text."""
    if i == i_stop:
        return bool(_is_aside(book, j, j_stop, b0, b1))
    return bool(j == j_stop and _is_aside(book, i, i_stop, a0, a1))


@lean
def _is_aside(book: Book, word: int, stop: int, first: int, last: int) -> bool:
    for at in range(word, stop):
        told = in_address(book, at) or is_note(book, at) or is_enumerator(book, at)
        if not told and volatile(book, at, first, last) == 0:
            return False
    return True


@kernel
def _moved(gaps: NDArray[np.int32], a: NDArray[np.uint64], b: NDArray[np.uint64]) -> bool:
    size = _unmatched(gaps, SIDE_A)
    if size == 0 or size != _unmatched(gaps, SIDE_B):
        return False
    of_a, of_b = _words_of(gaps[:, 0:2], a, size), _words_of(gaps[:, 2:4], b, size)
    return bool((np.sort(of_a) == np.sort(of_b)).all())


@kernel
def _words_of(gaps: NDArray[np.int32], words: NDArray[np.uint64], size: int) -> NDArray[np.uint64]:
    found = np.empty(size, np.uint64)
    k = 0
    for row in range(len(gaps)):
        for word in range(gaps[row, 0], gaps[row, 1]):
            found[k] = words[word]
            k += 1
    return found
