"""Kernels of the evidence on pairs: columns of measures of aligned texts."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.alignment.match_words import compare
from models.decision.evidence.alignment.ngram_index import find_runs
from models.decision.evidence.alignment.place import (
    BEGIN,
    END,
    LEFT,
    RIGHT,
    Document,
    Place,
    matched_before,
    matched_behind,
    places,
    size,
)
from models.decision.evidence.alignment.word_alignment import ANCHOR_WORDS, SIDE_A, SIDE_B
from models.decision.evidence.columns import Count, Share
from models.decision.evidence.facts.book import Book, kind_of
from models.decision.evidence.facts.exchanges.places import ALIGNED, EDITED, SHARED, exchanged
from models.decision.evidence.facts.exchanges.sentences import is_cut
from models.decision.evidence.facts.exchanges.slots import slot
from models.decision.evidence.facts.exchanges.subjects.headings import first_headings, heading_words
from models.decision.evidence.facts.exchanges.subjects.headlines import STORY, Headlines, headlines, without_headlines
from models.decision.evidence.facts.exchanges.subjects.sites import of_one_site
from models.decision.evidence.facts.exchanges.subjects.titles import other_title, title_words
from models.decision.evidence.facts.kinds import BY_CHANCE, changes_on_one_side, tell_volatile
from models.decision.evidence.facts.lexicon import CALENDAR, NUMERAL, SCHEME
from models.decision.evidence.facts.terms import in_address, is_enumerator, is_note
from models.decision.evidence.facts.volatile.places import volatile, volatile_mass
from models.decision.evidence.own_content import (
    PROSE,
    OwnContent,
    core,
    lacking,
    own_share,
    page_frames,
    without_frames,
)
from models.decision.evidence.page_edges.templates import is_template
from models.decision.evidence.phrases.clauses import clause_words
from models.decision.evidence.phrases.stock_phrases import stock_words
from models.decision.evidence.phrases.translated_lines import translated_words
from models.decision.evidence.spelling.letters import Script
from models.decision.evidence.spelling.levenshtein import letter_similarity
from models.decision.evidence.spelling.match import TYPOGRAPHIC
from models.kernels.hash_set import hash_sets, holds
from models.kernels.jit import ZERO, inner, kernel, lean
from models.lexical.sketch.jaccard import overlap
from models.lexical.text import CAPITAL, HAS_DIGIT, SENTENCE
from models.lexical.text.unicode_table import KIND, SINGLE

SHARES, COUNTS = len(Share), len(Count)
PROSE_WORDS = 8
"""An unmatched run of this many words within one line reads as prose; menus and bylines stand in shorter pieces."""
_GOES_ON = 40
"""Words at the end of a text from which it goes on where the other, an excerpt, has stopped."""
_CHANCE = 3
"""Letters of a sentence in which each is a word, for each that must be matched."""
NEAR = 0.8
"""Share of the words of a text that is matched where it stands in no template of a site of its own."""
FIRM = 4
"""Words of a short text beside which a stamp or a link may differ at least."""
SPELLING_WORDS = 50
"""A differing place of more words than this is no matter of spelling."""


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
        shares[: Share.ALIGNED_A, pair] = overlap(gram, gram_weight, gram_pointers, a[pair], b[pair])


class Batch(NamedTuple):
    """What comparing pairs of a batch of n texts with w words needs, made once.

    Attributes:
        facts: the texts as the rules on facts read them.
        content: their own content.
        kinds: uint8[w], see `fact_kinds`.
        weight: float32[w], see `Features.word_weight`.
        headings: int64[n, 2], see `first_headings`.
        anchored: uint8[2, words of the longest text] and changes, float64[2, 7]: overwritten for each pair.
        changes: see anchored.
        most_edits: see `models.decision.evidence.pair_evidence.evidence`.
    """

    facts: Book
    content: OwnContent
    kinds: NDArray[np.uint8]
    weight: NDArray[np.float32]
    headings: NDArray[np.int64]
    anchored: NDArray[np.uint8]
    changes: NDArray[np.float64]
    most_edits: float


class Pair(NamedTuple):
    """A pair of aligned texts.

    Attributes:
        one: row of the first text, other: of the second.
        other: see one.
        a: the first text, b: the second.
        b: see a.
        rows: what is matched, see `compare`.
        gaps: what lies between, see `Place`.
        asked: without the headlines of one story.
        front: gaps of asked in a frame of two sites, and back: the first one in another, see `page_frames`.
        back: see front.
        told: what of asked, and told_rows: what of rows, tells two records apart, without the frames of two sites.
        told_rows: see told.
        one_story: whether both are the same story under headlines.
        both_short: whether both went the character lane.
    """

    one: int
    other: int
    a: Document
    b: Document
    rows: NDArray[np.int32]
    gaps: NDArray[np.int32]
    asked: NDArray[np.int32]
    front: int
    back: int
    told: NDArray[np.int32]
    told_rows: NDArray[np.int32]
    one_story: bool
    both_short: bool


@kernel
def measure_pairs(
    facts: Book,
    content: OwnContent,
    kinds: NDArray[np.uint8],
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
    """All columns of `Share` and of `Count`, one row each."""
    text = facts.text
    shares = np.zeros((SHARES, len(a)), np.float32)
    counts = np.zeros((COUNTS, len(a)), np.int32)
    known, known_pointers = hash_sets(text.hash, word_pointers)
    runs = find_runs(text.hash, word_pointers, ANCHOR_WORDS)
    longest = np.diff(word_pointers).max() if len(word_pointers) > 1 else 0
    anchored, changes = np.empty((2, longest), np.uint8), np.empty((2, 7))
    headings = first_headings(facts, word_pointers)
    batch = Batch(facts, content, kinds, weight, headings, anchored, changes, most_edits)
    for pair in range(len(a)):
        one, other = a[pair], b[pair]
        of_a = _document(one, word_pointers, known, known_pointers, content)
        of_b = _document(other, word_pointers, known, known_pointers, content)
        rows = compare(text, word_pointers, runs, one, other)
        gaps = _gaps(rows, of_a.stop - of_a.first, of_b.stop - of_b.first)
        both_short = short[one] and short[other]
        story = Headlines(ZERO, ZERO, ZERO, ZERO)
        if not both_short and min(content.rare_words[one], content.rare_words[other]) >= STORY:
            story = headlines(facts, rows, of_a, of_b)
        one_story = story.a_stop > 0
        asked = without_headlines(gaps, story, of_a, of_b) if one_story else gaps
        front, back = (0, len(asked)) if both_short else page_frames(asked, content, of_a, of_b)
        told, told_rows = without_frames(asked, rows, front, back, of_a, of_b)
        shares[: Share.ALIGNED_A, pair] = overlap(gram, gram_weight, gram_pointers, one, other)
        compared = Pair(one, other, of_a, of_b, rows, gaps, asked, front, back, told, told_rows, one_story, both_short)
        _measure(batch, compared, shares[:, pair], counts[:, pair])
        counts[Count.MOVED, pair] = _moved(gaps, text.hash[of_a.first : of_a.stop], text.hash[of_b.first : of_b.stop])
    return shares, counts


@lean
def _measure(batch: Batch, pair: Pair, share: NDArray[np.float32], count: NDArray[np.int32]) -> None:
    """Fill the columns of one pair but for those on shingles and `Count.MOVED`."""
    facts, content, weight = batch.facts, batch.content, batch.weight
    a, b, rows, gaps = pair.a, pair.b, pair.rows, pair.gaps
    n, m = a.stop - a.first, b.stop - b.first
    share[Share.ALIGNED_A], share[Share.ALIGNED_B] = _aligned(gaps, SIDE_A, n), _aligned(gaps, SIDE_B, m)
    share[Share.SHARED_MASS] = _shared_mass(rows, weight[a.first : a.stop], weight[b.first : b.stop])
    rest_a, rest_b = _rest(gaps, SIDE_A, a, b, facts, weight), _rest(gaps, SIDE_B, b, a, facts, weight)
    share[Share.REST_MASS_A], share[Share.REST_PROSE_A], share[Share.NOVEL_MASS_A] = rest_a
    share[Share.REST_MASS_B], share[Share.REST_PROSE_B], share[Share.NOVEL_MASS_B] = rest_b
    if pair.both_short:
        # A stamp is much of a short text.
        share[Share.REST_MASS_A] -= volatile_mass(gaps, SIDE_A, facts, weight, a)
        share[Share.REST_MASS_B] -= volatile_mass(gaps, SIDE_B, facts, weight, b)
    changed = _changes(batch, pair)
    count[Count.EDITED], count[Count.CHANGED_FACTS] = changed[0], changed[1]
    count[Count.SENTENCE_FACTS], count[Count.HARD_FACTS] = changed[2], changed[3]
    share[Share.EDITED_MASS], share[Share.FACT_MASS] = changed[4], changed[5]
    found = _runs(rows, facts, a, b)
    count[Count.LONGEST_RUN], count[Count.RUNS] = found[0], found[1]
    count[Count.REPLACED], count[Count.TYPOGRAPHIC] = found[2], found[3]

    # Another version, whatever else: no rule takes so many edits for small ones.
    apart = not pair.both_short and share[Share.EDITED_MASS] > batch.most_edits * share[Share.SHARED_MASS]
    _tell_facts(batch, pair, share, count, apart)
    # Distances are dear, and these two differ too much for slips to explain it.
    share[Share.SPELLING] = 0 if apart else _spelling(gaps, facts.text, a, b)

    lacks_a = lacking(gaps, SIDE_A, content, a, b, not apart)
    lacks_b = lacking(gaps, SIDE_B, content, b, a, not apart)
    share[Share.LACKING_A], share[Share.LACKING_B] = lacks_a.words / max(1, n), lacks_b.words / max(1, m)
    share[Share.LACKING_TEXT_A], share[Share.LACKING_TEXT_B] = lacks_a.text / max(1, n), lacks_b.text / max(1, m)
    own_a, own_b = own_share(lacks_a, content, pair.one), own_share(lacks_b, content, pair.other)
    share[Share.OWN_A], share[Share.OWN_B] = own_a, own_b
    count[Count.ALONE_A], count[Count.ALONE_B] = lacks_a.rare, lacks_b.rare
    count[Count.ALONE_RUN_A], count[Count.ALONE_RUN_B] = lacks_a.rare_run, lacks_b.rare_run
    count[Count.TEXT_RUN_A], count[Count.TEXT_RUN_B] = lacks_a.text_run, lacks_b.text_run
    count[Count.OWN_WORDS_A], count[Count.OWN_WORDS_B] = content.words[pair.one], content.words[pair.other]
    count[Count.RARE_WORDS_A] = content.rare_words[pair.one]
    count[Count.RARE_WORDS_B] = content.rare_words[pair.other]
    count[Count.REPLACED_WORDS] = _replaced_words(gaps, facts, a, b)
    if not apart:
        stock, clauses = stock_words(gaps, content, facts, a, b), clause_words(gaps, content, facts, a, b)
        of_a = translated_words(gaps, SIDE_A, content, facts, a, b)
        of_b = translated_words(gaps, SIDE_B, content, facts, b, a)
        count[Count.STOCK_WORDS_A] = stock[0] + clauses[0] + of_a
        count[Count.STOCK_WORDS_B] = stock[1] + clauses[1] + of_b


@lean
def _tell_facts(batch: Batch, pair: Pair, share: NDArray[np.float32], count: NDArray[np.int32], apart: bool) -> None:
    """Fill the columns on facts, titles and slots, where the two texts are alike enough."""
    facts, content, a, b = batch.facts, batch.content, pair.a, pair.b
    shared, edited = share[Share.SHARED_MASS], share[Share.EDITED_MASS]
    rest = max(share[Share.REST_MASS_A], share[Share.REST_MASS_B])
    aligned = max(share[Share.ALIGNED_A], share[Share.ALIGNED_B])
    # Where they have half in common they are look-alikes; else the facts say whether they are variants.
    if apart and (shared > rest or edited > EDITED * shared):
        count[Count.OTHER_FACTS] = count[Count.SENTENCE_FACTS]
        return
    if not (pair.both_short or aligned >= ALIGNED or shared >= SHARED * (shared + rest)):
        return
    head_a = head_b = titles = 0
    if not pair.one_story:
        of_a, of_b = batch.headings[pair.one], batch.headings[pair.other]
        head_a, head_b = heading_words(facts, of_a, of_b, b), heading_words(facts, of_b, of_a, a)
        titles = int(head_a > 0 and head_b > 0) or other_title(facts, a, b)
    told = exchanged(pair.told_rows, pair.told, facts, a, b, titles)
    count[Count.OTHER_FACTS], count[Count.VOLATILE], count[Count.OTHER_WORDS] = told
    # Of a text that is little else, a stamp or a link is what it says.
    if pair.both_short and told[1] > 0 and min(_firm_words(facts, a), _firm_words(facts, b)) < FIRM:
        count[Count.OTHER_FACTS] += told[1]
    if count[Count.OTHER_FACTS] == 0 and count[Count.OTHER_WORDS] == 0:
        count[Count.SLOT], count[Count.FILL_A], count[Count.FILL_B] = slot(facts, pair.asked, a, b)
    of_a_site = content.begins_alike[pair.one] or content.begins_alike[pair.other]
    near_a, near_b = share[Share.ALIGNED_A] >= NEAR, share[Share.ALIGNED_B] >= NEAR
    far = not near_a and not near_b
    near_a, near_b = near_a and not of_a_site, near_b and not of_a_site
    if not pair.one_story:
        count[Count.TITLE_WORDS_A] = head_a if head_a else title_words(facts, a, b, near_a, near_b)
        count[Count.TITLE_WORDS_B] = head_b if head_b else title_words(facts, b, a, near_b, near_a)
        if far and of_one_site(facts, a, b):
            count[Count.TITLE_WORDS_A] += 1
            count[Count.TITLE_WORDS_B] += 1


@inner
def _document(
    row: int,
    pointers: NDArray[np.int64],
    known: NDArray[np.uint64],
    known_pointers: NDArray[np.int64],
    content: OwnContent,
) -> Document:
    """One document of the batch, with its words and grams from the tables of all."""
    vocabulary = known[known_pointers[row] : known_pointers[row + 1]]
    grams = content.held[content.held_pointers[row] : content.held_pointers[row + 1]]
    return Document(pointers[row], pointers[row + 1], vocabulary, grams)


@inner
def _gaps(rows: NDArray[np.int32], n: int, m: int) -> NDArray[np.int32]:
    """What lies between matched runs of two texts of n and m words, see `Place`."""
    gaps = np.empty((len(rows) + 1, 6), np.int32)
    k = 0
    a_end = b_end = 0
    for row in range(len(rows) + 1):
        inner = row < len(rows)
        a_next = rows[row, 0] if inner else n
        b_next = rows[row, 2] if inner else m
        if a_next > a_end or b_next > b_end:
            gaps[k, 0], gaps[k, 1], gaps[k, 2], gaps[k, 3] = a_end, a_next, b_end, b_next
            gaps[k, LEFT], gaps[k, RIGHT] = row > 0, inner
            k += 1
        if inner:
            a_end, b_end = rows[row, 1], rows[row, 3]
    return gaps[:k]


@lean
def _unmatched(gaps: NDArray[np.int32], side: int) -> int:
    words = 0
    for row in range(len(gaps)):
        words += gaps[row, side + END] - gaps[row, side + BEGIN]
    return words


@lean
def _aligned(gaps: NDArray[np.int32], side: int, words: int) -> float:
    return (words - _unmatched(gaps, side)) / words if words else 0.0


@lean
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
    side: int,
    document: Document,
    other: Document,
    book: Book,
    weight: NDArray[np.float32],
) -> tuple[np.float32, np.float32, np.float32]:
    """Mass of the unmatched words of one side: all, in prose, and found nowhere in the other text."""
    text, line = book.text, book.line
    rest = in_prose = novel = np.float32(0)
    for row in range(len(gaps)):
        word, stop = document.first + gaps[row, side + BEGIN], document.first + gaps[row, side + END]
        while word < stop:
            begin, capitals = word, 0
            mass = 0.0
            while word < stop and line[word] == line[begin]:
                mass += weight[word]
                capitals += (text.flags[word] & CAPITAL) != 0
                if not holds(other.vocabulary, text.hash[word]):
                    novel += weight[word]
                word += 1
            rest = np.float32(rest + mass)
            if word - begin >= PROSE_WORDS and 2 * capitals < word - begin:
                in_prose = np.float32(in_prose + mass)
    return rest, in_prose, novel


@lean
def _changes(batch: Batch, pair: Pair) -> tuple[int, int, int, int, float, float]:
    """Edited words, changed facts, those in sentences, hard ones; mass of the words and of the facts.

    Words that match within the frames of two sites make no sentence of those beside them, nor do those of lines that
    many documents hold before and behind all that the two share.
    """
    book, kinds, weight = batch.facts, batch.kinds, batch.weight
    a, b, gaps = pair.a, pair.b, pair.asked
    edited = facts = in_sentences = hard = 0.0
    mass = fact_mass = 0.0
    text, ours, theirs = book.text, batch.changes[0], batch.changes[1]
    a_anchored, b_anchored = batch.anchored[0], batch.anchored[1]
    _anchor(gaps, SIDE_A, book, a, a_anchored)
    _anchor(gaps, SIDE_B, book, b, b_anchored)
    _unanchor_templates(gaps, SIDE_A, batch.content, a, a_anchored)
    _unanchor_templates(gaps, SIDE_B, batch.content, b, b_anchored)
    front, back = pair.front, pair.back
    for row in (front - 1, back):
        if 0 <= row < len(gaps):
            one, other = places(gaps, row, a, b)
            _unanchor(a_anchored[one.begin - a.first : one.stop - a.first])
            _unanchor(b_anchored[other.begin - b.first : other.stop - b.first])
    for row in range(max(0, front - 1), min(back + 1, len(gaps))):
        one, other = places(gaps, row, a, b)
        left = matched_before(one) and row != front - 1
        right = matched_behind(one) and row != back
        at_an_end = left != right and not pair.both_short
        if at_an_end and (_is_piece(text, one, other, left) or _is_piece(text, other, one, left)):
            continue
        tell_volatile(book, kinds, one)
        tell_volatile(book, kinds, other)
        changes_on_one_side(book, one, other, left, right, kinds, weight, a_anchored, ours)
        changes_on_one_side(book, other, one, left, right, kinds, weight, b_anchored, theirs)
        edited += max(ours[0], theirs[0])
        facts += max(ours[1], theirs[1])
        in_sentences += max(ours[2], theirs[2])
        hard += min(ours[5], theirs[5]) + max(ours[6], theirs[6])
        mass += max(ours[3], theirs[3])
        fact_mass += max(ours[4], theirs[4])
    return int(edited), int(facts), int(in_sentences), int(hard), mass, fact_mass


@lean
def _unanchor_templates(
    gaps: NDArray[np.int32], side: int, content: OwnContent, document: Document, anchored: NDArray[np.uint8]
) -> None:
    begin, stop, least = core(gaps, side, content, document)
    for word in range(document.first, document.stop):
        template = is_template(content.line_df[word], content.text[word] & PROSE, least)
        if template and not begin <= word < stop:
            anchored[word - document.first] = BY_CHANCE


@lean
def _is_piece(text: Script, one: Place, other: Place, left: bool) -> bool:
    """Is this side the piece of a word in which an excerpt begins or ends, and the other side how that goes on?

    `left` says that the matched words stand before it.
    """
    return is_cut(text, one, other, left) and not text.exact[one.begin]


@lean
def _spelling(gaps: NDArray[np.int32], text: Script, a: Document, b: Document) -> float:
    least = 1.0
    # Most pairs fail here, and distances are dear.
    for row in range(len(gaps)):
        one, other = places(gaps, row, a, b)
        if min(size(one), size(other)) == 0 or max(size(one), size(other)) > SPELLING_WORDS:
            return 0.0
    for row in range(len(gaps)):
        one, other = places(gaps, row, a, b)
        least = min(least, letter_similarity(text, one.begin, one.stop, other.begin, other.stop))
    return least


@lean
def _anchor(gaps: NDArray[np.int32], side: int, book: Book, document: Document, anchored: NDArray[np.uint8]) -> None:
    """Write for every word of a gap: is none (0), some (1) or most (2) of its sentence matched, or `BY_CHANCE`?

    Where every letter is a word, any two sentences have some in common: of those a third must be matched.
    """
    first, flags = document.first, book.text.flags[document.first : document.stop]
    row = done = 0
    while row < len(gaps):
        begin = max(gaps[row, side + BEGIN], done)
        if begin >= gaps[row, side + END]:
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
        while inside < len(gaps) and gaps[inside, side + BEGIN] < stop:
            hits -= max(0, min(gaps[inside, side + END], stop) - max(gaps[inside, side + BEGIN], begin))
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
def _firm_words(book: Book, document: Document) -> int:
    """Words of a text that are in no volatile place and in no address."""
    words = 0
    for at in range(document.first, document.stop):
        words += not (in_address(book, at) or volatile(book, at, document.first, document.stop))
    return words


@lean
def _replaced_words(gaps: NDArray[np.int32], book: Book, a: Document, b: Document) -> int:
    """Words that stand in place of others between matched words or at both ends, no numbers, dates or schemes."""
    replaced = 0
    for row in range(len(gaps)):
        one, other = places(gaps, row, a, b)
        # At its ends an excerpt meets what goes on in the other text; two texts that both end soon do not go on.
        if max(size(one), size(other)) > _GOES_ON and not (matched_before(one) and matched_behind(one)):
            continue
        ours = _spelt(book, one)
        replaced += min(ours, _spelt(book, other)) if ours else 0
    return replaced


@lean
def _spelt(book: Book, place: Place) -> int:
    words = 0
    for at in range(place.begin, place.stop):
        words += not (book.text.flags[at] & HAS_DIGIT or kind_of(book, at) & (NUMERAL | CALENDAR | SCHEME))
    return words


@lean
def _runs(rows: NDArray[np.int32], book: Book, a: Document, b: Document) -> tuple[int, int, int, int]:
    """The first four of `Count` of one pair; runs go on through another spelling of a word, and over what is put in."""
    n, m = a.stop - a.first, b.stop - b.first
    longest = several = replaced = typographic = 0
    a_end = b_end = run = 0
    for row in range(len(rows) + 1):
        a_next = rows[row, 0] if row < len(rows) else n
        b_next = rows[row, 2] if row < len(rows) else m
        if a_next > a_end or b_next > b_end or row == len(rows):
            replaced += min(a_next - a_end, b_next - b_end)
            inner = 0 < row < len(rows)
            if not inner or not _is_put_in(book, a, a_end, a_next, b, b_end, b_next):
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
def _is_put_in(book: Book, a: Document, i: int, i_stop: int, b: Document, j: int, j_stop: int) -> bool:
    """Whether links, marks of notes, numbers of lines or volatile places are all between matched words, in one text."""
    if i == i_stop:
        return bool(_is_aside(book, b, j, j_stop))
    return bool(j == j_stop and _is_aside(book, a, i, i_stop))


@lean
def _is_aside(book: Book, document: Document, begin: int, stop: int) -> bool:
    for at in range(document.first + begin, document.first + stop):
        told = in_address(book, at) or is_note(book, at) or is_enumerator(book, at)
        if not told and volatile(book, at, document.first, document.stop) == 0:
            return False
    return True


@inner
def _moved(gaps: NDArray[np.int32], a: NDArray[np.uint64], b: NDArray[np.uint64]) -> bool:
    words = _unmatched(gaps, SIDE_A)
    if words == 0 or words != _unmatched(gaps, SIDE_B):
        return False
    of_a, of_b = _words_of(gaps, SIDE_A, a, words), _words_of(gaps, SIDE_B, b, words)
    return bool((np.sort(of_a) == np.sort(of_b)).all())


@inner
def _words_of(gaps: NDArray[np.int32], side: int, hashes: NDArray[np.uint64], words: int) -> NDArray[np.uint64]:
    found = np.empty(words, np.uint64)
    k = 0
    for row in range(len(gaps)):
        for word in range(gaps[row, side + BEGIN], gaps[row, side + END]):
            found[k] = hashes[word]
            k += 1
    return found
