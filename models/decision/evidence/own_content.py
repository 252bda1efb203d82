"""Own content: what a text says that unrelated documents do not, and how much of it another text holds.

Word 5-grams that many documents hold (a licence header, a preamble of a manual, a menu) are evidence for nothing. What
is left is a text's own; a document may go only if its own content stands in the one that stays.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.alignment.place import BEGIN, END, LEFT, RIGHT, Document
from models.decision.evidence.alignment.word_alignment import SIDE_A, SIDE_B
from models.decision.evidence.page_edges.teaser_lists import teaser_lists
from models.decision.evidence.page_edges.templates import NEVER, forget_paragraphs, is_template, least_template
from models.kernels.hash_set import hash_sets, holds
from models.kernels.jit import ZERO, inlined, inner, kernel, lean
from models.lexical.content.dialogues import turns
from models.lexical.content.frames import beside_quotes, consent, mail_frames
from models.lexical.content.prose import CODE_LINE, glued_menus, kinds_of_text, prose
from models.lexical.sketch.features import Features
from models.lexical.text.scripts import scripts_of_words
from models.lexical.text.word_sets import stands_in_lists

GRAM = 5
"""Words of a gram."""
COMMON_RUN = 3
"""Common grams in a row that are no accident."""
EDGE_RUN = 12
"""Matched words in a row with which what two texts share begins and ends; menus share fewer by accident."""
DENSE = 0.5
"""Share of running text up to which what stands before or behind all that two texts share is the frame of a site."""
SOLID, AKIN = 0.9, 0.15
"""Share of running text up to which such an edge may also be a frame, if no more than this share of its vocabulary (by
weight) stands in the other text."""
ALTERED, HELD = 40, 0.75
"""Words in a row of which the other text has this share in another place, but with other words between them."""
GIVEN_UP = 0.75
"""Running text that goes with the frames of sites, at most, as a share of that between them: of copies in two templates
two in a thousand have more, and release notes whose lists an extractor broke had up to twice as much."""
RELATED = 0.5
"""Share of the vocabulary (by weight) of such an edge that the other text has, from which it is a section of what the
two texts are about and no frame: of the frames of real pages 3 in 100 have as much."""
CODE_WORDS, CODE_SHARE = 20, 0.6
"""Words in lines of code, and their share of such an edge, that no frame of a page has."""
FRAME_WORDS, OTHERS = 12, 0.7
"""Words that both texts have alone in such an edge, and what share of it, from which they match by accident there."""
SMALL, LARGE = 1, 2
"""A few words that only one text has in such an edge, and a frame of a page."""
TEXT, FRAME, ANSWER, SAID, PROSE, LISTED, TERM, CODE = (np.uint8(1 << bit) for bit in range(8))
"""Bits of `OwnContent.text`: running text, code included; the frame of a mail, which is none; running text of a
dialogue or beside a mail that is quoted; that of turns and answers which came as such; prose; lists of teasers with
menus that are glued to sentences; terms of licences; and lines of code."""
ANSWERED, TURN = 3, 5
"""Words for which each word of an answer, and of a turn, counts: all that somebody has to say of a mail may be five
words, and to a question two."""
TRANSLATED = 4
"""Words that two texts have in each other's place from which they may be one text in two scripts."""
RARE_WORDS, RARE_SHARE = 30, 0.2
"""Words of rare prose, and their share of all prose, from which it alone is a document's own content."""


class OwnContent(NamedTuple):
    """Own content of a batch of n documents with w words.

    Attributes:
        gram: uint64[w], see `Features`.
        held: uint64[t], the grams of each document as a `hash_sets` table.
        held_pointers: int64[n + 1] into `held`.
        rare: bool[w], whether this word stands in prose that few documents hold.
        own: bool[w], whether it is own content: rare prose, or in a document that has hardly any, all of its prose.
        words: int32[n], own words of each document.
        rare_words: int32[n], the same, 0 of a document whose own content is not rare.
        text: uint8[w], `TEXT` where this word stands in running text, which frames of mails and notices of consent are
            not; `FRAME` in those of mails, `ANSWER` where a text answers what it quotes, or somebody in a dialogue,
            `SAID` where all of every text is turns, `PROSE` in prose, `LISTED` in a list of teasers or in
            `glued_menus`, `TERM` where it is a word of licences,
            `CODE` in lines of code without prose.
        script: uint16[w], see `scripts_of_words`.
        word: uint64[w], see `Words.hash`.
        weight: float32[w], see `Features.word_weight`.
        common: bool[w], whether the gram that begins here is one of `COMMON_RUN` and more in a row that many documents
            hold.
        gram_df: uint32[w], see `Features`.
        line_df: uint8[w], see `Features`, 0 of lines that few documents hold, and of prose that goes over several.
        begins_alike: bool[n], whether many documents begin with the same words, as pages of one site do.
    """

    gram: NDArray[np.uint64]
    held: NDArray[np.uint64]
    held_pointers: NDArray[np.int64]
    rare: NDArray[np.bool_]
    own: NDArray[np.bool_]
    words: NDArray[np.int32]
    rare_words: NDArray[np.int32]
    text: NDArray[np.uint8]
    script: NDArray[np.uint16]
    word: NDArray[np.uint64]
    weight: NDArray[np.float32]
    common: NDArray[np.bool_]
    gram_df: NDArray[np.uint32]
    line_df: NDArray[np.uint8]
    begins_alike: NDArray[np.bool_]


class Lacking(NamedTuple):
    """What one text of a pair says and the other does not, in words.

    Attributes:
        words: all.
        own: own content.
        rare: of rare prose.
        rare_run: the most of these in a row.
        text: of running text.
        text_run: the most of these in a row, where those of an answer count `ANSWERED` times, of a turn `TURN`.
    """

    words: int
    own: int
    rare: int
    rare_run: int
    text: int
    text_run: int


class Tally(NamedTuple):
    """Counts of `Lacking` up to a word, and the words of rare prose and of running text in a row that end there."""

    own: int
    rare: int
    rare_run: int
    text: int
    text_run: int
    rare_row: int
    text_row: int


class Stretch(NamedTuple):
    """What is lacking in one gap between matched words, or in all gaps of an edge.

    Attributes:
        lacks: counts, before anything is taken for a frame.
        unlisted: the same without lists of teasers and glued menus, where it was asked for.
        framed: words in the frame of a mail.
        code: words in lines of code.
        run: the most words in a row.
        translated: whether the other text has words of another script in their place.
        mass: weight of the words, where it was asked for.
        akin: weight of those that the other text has anywhere.
    """

    lacks: Lacking
    unlisted: Lacking
    framed: int
    code: int
    run: int
    translated: bool
    mass: np.float32
    akin: np.float32


class Edge(NamedTuple):
    """What is lacking at an end of a text.

    Attributes:
        said: all of it.
        framed: what is left if it is the frame of a site, all where it is none.
        given_up: words of running text that only the former counts.
    """

    said: Lacking
    framed: Lacking
    given_up: int


class Majority(NamedTuple):
    """Vote of words for their script (Boyer and Moore 1981): the one at hand, by how many it leads, and all votes."""

    script: np.uint16
    lead: int
    votes: int


def own_content(features: Features, most_documents: int, all_said: bool = False) -> OwnContent:
    """Find what is each document's own.

    A document with little rare prose is either one of many copies, such as an article under a thousand templates, or
    made of text that everybody uses, such as a licence. In both cases all of its prose is what it has to say, and that
    little of it that is rare must not be all that counts.

    Args:
        features: a batch of documents, with `gram_df` along the words.
        most_documents: documents that may hold a gram for it still to be rare.
        all_said: whether all of every text is what somebody says, as in conversations, or questions and answers.
    """
    pointers = features.words.pointers
    held, held_pointers = hash_sets(features.gram, pointers)
    framed = mail_frames(features.normalised, features.words)
    readable = prose(features.normalised, features.words) & ~framed
    rare, own, words, rare_words, common = _own(features.gram_df, readable, pointers, most_documents)
    asks = consent(features.words)
    said = turns(features.normalised, features.words)
    kinds = kinds_of_text(features.normalised, features.words)
    running = (readable | said | all_said | (kinds != 0)) & ~framed & ~asks
    answers = running & (said | beside_quotes(features.normalised, features.words))
    text = TEXT * running + FRAME * framed + ANSWER * answers + SAID * (running & all_said) + PROSE * readable
    listed = teaser_lists(features.gram_df, features.words.line, pointers, GRAM)
    text += LISTED * (listed | glued_menus(features.normalised, features.words))
    text += TERM * stands_in_lists(features.words, "terms") + CODE * (running & ~readable & (kinds & CODE_LINE != 0))
    script = scripts_of_words(features.normalised, features.words)
    of_words = (script, features.words.hash, features.word_weight)
    begins_alike = np.zeros(len(words), np.bool_)
    whole = np.diff(pointers) >= GRAM
    begins_alike[whole] = features.gram_df[pointers[:-1][whole]] > most_documents
    counted = rare, own, words, rare_words, text
    several = np.flatnonzero(features.line_df > most_documents)
    line_df = np.zeros(len(features.line_df), np.uint8)
    line_df[several] = features.line_df[several]
    forget_paragraphs(line_df, readable, features.words)
    known = common, features.gram_df, line_df
    return OwnContent(features.gram, held, held_pointers, *counted, *of_words, *known, begins_alike)


@kernel
def _own(
    gram_df: NDArray[np.uint32], readable: NDArray[np.bool_], pointers: NDArray[np.int64], most_documents: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_]]:
    """Find rare and own words, how many are own and rare, and common grams.

    Frequencies come from a hashed table, where a rare gram may share its cell with a common one: so only `COMMON_RUN`
    common grams in a row make their words common.
    """
    rare, own = readable.copy(), readable.copy()
    common = np.zeros(len(rare), np.bool_)
    words, rare_words = np.zeros((2, len(pointers) - 1), np.int32)
    for document in range(len(words)):
        first, stop = pointers[document], pointers[document + 1]
        run = 0
        for word in range(first, stop - GRAM + 1):
            run = run + 1 if gram_df[word] > most_documents else 0
            if run >= COMMON_RUN:
                begin = word - run + 1 if run == COMMON_RUN else word
                rare[begin : word + GRAM] = False
                common[begin : word + 1] = True
        few, all_prose = rare[first:stop].sum(), readable[first:stop].sum()
        if few >= RARE_WORDS and few >= RARE_SHARE * all_prose:
            own[first:stop] = rare[first:stop]
            rare_words[document] = few
        words[document] = own[first:stop].sum()
    return rare, own, words, rare_words, common


@lean
def lacking(
    gaps: NDArray[np.int32], side: int, content: OwnContent, document: Document, other: Document, look: bool
) -> Lacking:
    """Count what one text of a pair says and the other does not.

    A word is lacking in the other text if the alignment does not match it and no gram over it stands there, either.
    It counts wherever both texts go on around it. Before the first and behind the last run of `EDGE_RUN` words that
    they share it may be the frame of a site (`_edge`), unless more running text than a part of what they share
    (`GIVEN_UP`) would go with the frame.

    Args:
        gaps: what lies between the matched words, see `models.decision.evidence.alignment.place`.
        side: column of this text's first word in it, `SIDE_A` or `SIDE_B`.
        content: of the batch.
        document: this text.
        other: the other text.
        look: whether to look for grams at all; else all that the alignment does not match is lacking.
    """
    lacks = Lacking(0, 0, 0, 0, 0, 0)
    front, back = edges(gaps, side, document.stop - document.first)
    begin, stop, least = core(gaps, side, content, document)
    for row in range(front, back):
        inner = _lacking_in(gaps[row : row + 1], side, content, document, other, look, False, NEVER)
        lacks = _both(lacks, _said(inner))
    head = _lacking_in(gaps[:front], side, content, document, other, look, look, least)
    foot = _lacking_in(gaps[max(front, back) :], side, content, document, other, look, look, least)
    of_head, of_foot = _edge(head, content, begin, stop, look), _edge(foot, content, begin, stop, look)
    given_up, told = of_head.given_up + of_foot.given_up, 0
    for word in range(begin, stop if given_up else begin):
        told += content.text[word] & TEXT
    content_at_ends = begin < stop and given_up > GIVEN_UP * told
    ends = _both(of_head.said, of_foot.said) if content_at_ends else _both(of_head.framed, of_foot.framed)
    found: Lacking = _both(lacks, ends)
    return found


@lean
def _edge(edge: Stretch, content: OwnContent, begin: int, stop: int, look: bool) -> Edge:
    """What is lacking at an end of a text, which may be the frame of a site.

    Lines that stand in more documents than what the two texts share (`is_template`) count only as lacking words. Where
    at least 1 - `DENSE` of the edge is menus, headlines and the like, its running text does not count. Where it stands
    around rare prose (from `begin` to `stop`), is not quite all running text (`SOLID`), has nothing to do with the
    other text (`AKIN`) and holds no more rare prose for its size than what it stands around, nothing in it is content.
    In what is left all is running text where the other text has words of another script in its place: it is a
    translation, and scripts without capitals hardly show a sentence. One of which more than `DENSE` shows as running
    text is no frame.
    """
    here, said = edge.lacks, _said(edge)
    if look and not edge.translated:
        said = _least(said, edge.unlisted)
    given_up = min(here.text, edge.unlisted.text)
    # The frame of a mail makes no frame of a page of what somebody writes beside it.
    page = here.words - edge.framed
    solid = here.text > SOLID * page or (edge.translated and here.text > DENSE * page)
    code = edge.code >= max(CODE_WORDS, CODE_SHARE * page)
    strange = look and not solid and not code and edge.akin <= AKIN * edge.mass
    if strange and _is_around_content(content, begin, stop, here.rare, here.text):
        return Edge(said, Lacking(here.words, 0, 0, 0, 0, 0), given_up)
    text = page if edge.translated else here.text
    if text <= DENSE * page and edge.akin <= RELATED * edge.mass:
        return Edge(said, Lacking(said.words, said.own, 0, said.rare_run, 0, 0), given_up)
    return Edge(said, said, 0)


@lean
def own_share(lacks: Lacking, content: OwnContent, document: int) -> float:
    """Share of the own content of a text that the other one holds; 1 where there is none.

    Prose that everybody uses, as the foot of a site, does not say what a page of lists is about: where none of it is
    rare and more words than it has are lacking, nothing counts as held.
    """
    words = content.words[document]
    if content.rare_words[document] == 0 and lacks.words > words > 0:
        return 0.0
    return float(1 - lacks.own / max(1, words))


@inlined
def _said(stretch: Stretch) -> Lacking:
    """What is lacking in a stretch where nothing is taken for a frame."""
    here = stretch.lacks
    if stretch.translated:
        return Lacking(here.words, here.own, here.rare, here.rare_run, here.words - stretch.framed, stretch.run)
    return here


@inlined
def _both(one: Lacking, other: Lacking) -> Lacking:
    """What is lacking in two places of a text."""
    rare_run, text_run = max(one.rare_run, other.rare_run), max(one.text_run, other.text_run)
    words, own = one.words + other.words, one.own + other.own
    return Lacking(words, own, one.rare + other.rare, rare_run, one.text + other.text, text_run)


@inlined
def _least(one: Lacking, other: Lacking) -> Lacking:
    """The lower of two counts of each."""
    rare, text = min(one.rare, other.rare), min(one.text, other.text)
    rare_run, text_run = min(one.rare_run, other.rare_run), min(one.text_run, other.text_run)
    return Lacking(one.words, min(one.own, other.own), rare, rare_run, text, text_run)


@lean
def _lacking_in(
    gaps: NDArray[np.int32],
    side: int,
    content: OwnContent,
    document: Document,
    other: Document,
    look: bool,
    weigh: bool,
    least: int,
) -> Stretch:
    """Count what is lacking in some gaps; arguments as of `lacking`.

    `weigh` asks for the masses and for what is `unlisted`; lines that stand in `least` documents say nothing here.
    """
    words = framed = code = longest = 0
    every, unlisted = Tally(0, 0, 0, 0, 0, 0, 0), Tally(0, 0, 0, 0, 0, 0, 0)
    mass = akin = np.float32(0)
    ours, theirs = Majority(np.uint16(0), 0, 0), Majority(np.uint16(0), 0, 0)
    base, there = document.first, other.first
    for row in range(len(gaps)):
        begin, stop = base + gaps[row, side + BEGIN], base + gaps[row, side + END]
        elsewhere = look and not (stop - begin >= ALTERED and _is_altered(content, begin, stop, other))
        covered = begin  # the word behind the last that a gram of the other text covers
        for word in range(max(base, begin - GRAM + 1) if elsewhere else begin, begin):
            if content.gram[word] and holds(other.grams, content.gram[word]):
                covered = word + GRAM
        across = SIDE_B - side
        for word in range(there + gaps[row, across + BEGIN], there + gaps[row, across + END]):
            theirs = _voted(theirs, content.script[word])
        alone = 0
        every, unlisted = _apart(every), _apart(unlisted)
        for word in range(begin, stop):
            if elsewhere and content.gram[word] and holds(other.grams, content.gram[word]):
                covered = word + GRAM
            lacks = word >= covered
            words += lacks
            ours = _voted(ours, content.script[word]) if lacks else ours
            alone = alone + 1 if lacks else 0
            longest = max(longest, alone)
            framed += lacks and content.text[word] & FRAME != 0
            code += lacks and content.text[word] & CODE != 0
            says = lacks and not is_template(content.line_df[word], content.text[word] & PROSE, least)
            every = _with_word(every, says, content, word)
            if not weigh:
                continue
            unlisted = _with_word(unlisted, says and content.text[word] & LISTED == 0, content, word)
            if lacks:
                mass += content.weight[word]
                if holds(other.vocabulary, content.word[word]):
                    akin += content.weight[word]
    translated = min(ours.votes, theirs.votes) >= TRANSLATED and min(ours.lead, theirs.lead) > 0
    translated &= ours.script != theirs.script
    return Stretch(_counts(words, every), _counts(words, unlisted), framed, code, longest, translated, mass, akin)


@lean
def _is_altered(content: OwnContent, begin: int, stop: int, other: Document) -> bool:
    """Does running text stand elsewhere in the other text with other words in it, as the entry of a similar function?

    A passage that moved stands there whole. What lacks before its first gram and behind the last may be a frame.
    """
    first = covered = -1
    lacks = text = 0
    for word in range(begin, stop):
        text += content.text[word] & TEXT != 0
        if content.gram[word] and holds(other.grams, content.gram[word]):
            first = word if first < 0 else first
            lacks += max(0, word - covered) if covered > 0 else 0
            covered = word + GRAM
    held = min(covered, stop) - first - lacks
    return bool(lacks > 0 and 2 * text >= stop - begin and held >= HELD * (stop - begin))


@inlined
def _with_word(tally: Tally, says: bool, content: OwnContent, word: int) -> Tally:
    """The counts with one word more."""
    weight = TURN if content.text[word] & SAID else ANSWERED if content.text[word] & ANSWER else 1
    rare_row = tally.rare_row + 1 if says and content.rare[word] else 0
    text_row = tally.text_row + weight if says and content.text[word] & TEXT else 0
    own = tally.own + (says and content.own[word])
    rare, text = tally.rare + (rare_row > 0), tally.text + (text_row > 0)
    return Tally(own, rare, max(tally.rare_run, rare_row), text, max(tally.text_run, text_row), rare_row, text_row)


@inlined
def _apart(tally: Tally) -> Tally:
    """The counts where a run ends."""
    return Tally(tally.own, tally.rare, tally.rare_run, tally.text, tally.text_run, 0, 0)


@inlined
def _counts(words: int, tally: Tally) -> Lacking:
    return Lacking(words, tally.own, tally.rare, tally.rare_run, tally.text, tally.text_run)


@inlined
def _voted(majority: Majority, script: np.uint16) -> Majority:
    """The vote with one word more."""
    lead = majority.lead + 1 if majority.script == script else majority.lead - 1
    if lead < 0:
        return Majority(script, 1, majority.votes + 1)
    return Majority(majority.script, lead, majority.votes + 1)


@lean
def _is_around_content(content: OwnContent, begin: int, stop: int, rare: int, text: int) -> bool:
    """Do these words hold rare prose, and at least as much of it for their running text as what stands around them?"""
    rare_inside = text_inside = 0
    for word in range(begin, stop):
        rare_inside += content.rare[word]
        text_inside += content.text[word] & TEXT
    return rare_inside >= RARE_WORDS and rare * text_inside <= rare_inside * text


@inner
def without_frames(
    gaps: NDArray[np.int32], rows: NDArray[np.int32], front: int, back: int, a: Document, b: Document
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Gaps and matched rows of two texts (see `Place` and `compare`) without those in the frames of two sites.

    What matches there does so by accident: all of a frame is one gap that stands at an end of both texts.
    """
    if front == 0 and back == len(gaps):
        return gaps, rows
    rest, first, last = gaps.copy(), max(0, front - 1), min(back, len(gaps) - 1)
    core, behind = 0, len(rows)
    if front > 0:
        rest[first, SIDE_A + BEGIN] = rest[first, SIDE_B + BEGIN] = rest[first, LEFT] = 0
        while core < behind and rows[core, SIDE_A + BEGIN] < gaps[first, SIDE_A + END]:
            core += 1
    if back < len(gaps):
        rest[last, SIDE_A + END], rest[last, SIDE_B + END] = a.stop - a.first, b.stop - b.first
        rest[last, RIGHT] = 0
        while behind > core and rows[behind - 1, SIDE_A + END] > gaps[last, SIDE_A + BEGIN]:
            behind -= 1
    return rest[first : last + 1], rows[core:behind]


@lean
def page_frames(gaps: NDArray[np.int32], content: OwnContent, a: Document, b: Document) -> tuple[int, int]:
    """Gaps before the first and behind the last run of `EDGE_RUN` words, where both texts have a frame of their own.

    There both lack `FRAME_WORDS` words of the other and more, at least `OTHERS` of all that stand there, mostly menus,
    headlines and the like: what they have in common they have by accident. Or one does, and the other has fewer words
    there of which none stand in the first.

    Returns:
        How many gaps stand before the first long run, 0 where that is no frame, and the first of those that stand
        behind the last one, else the number of gaps.
    """
    size_a, size_b = a.stop - a.first, b.stop - b.first
    front, back = edges(gaps, SIDE_A, size_a)
    around = front < len(gaps) or back > 0  # is there a long run?
    head, foot = around and front > 0, around and back < len(gaps)
    if head:
        of_head = _page_frame(gaps, 0, front, SIDE_A, content, a, ZERO, gaps[front - 1, SIDE_A + END])
        of_head += _page_frame(gaps, 0, front, SIDE_B, content, b, ZERO, gaps[front - 1, SIDE_B + END])
        head = of_head >= LARGE + SMALL
    if foot:
        of_foot = _page_frame(gaps, back, len(gaps), SIDE_A, content, a, gaps[back, SIDE_A + BEGIN], size_a)
        of_foot += _page_frame(gaps, back, len(gaps), SIDE_B, content, b, gaps[back, SIDE_B + BEGIN], size_b)
        foot = of_foot >= LARGE + SMALL
    return front if head else 0, back if foot else len(gaps)


@lean
def _page_frame(
    gaps: NDArray[np.int32],
    row: int,
    last: int,
    side: int,
    content: OwnContent,
    document: Document,
    begin: int,
    stop: int,
) -> int:
    """`LARGE` or `SMALL` where what stands in these gaps of a text may be the frame of a page, else 0."""
    _, _, least = core(gaps, side, content, document)
    lacks = told = 0
    for gap in range(row, last):
        lacks += gaps[gap, side + END] - gaps[gap, side + BEGIN]
        for word in range(document.first + gaps[gap, side + BEGIN], document.first + gaps[gap, side + END]):
            template = is_template(content.line_df[word], content.text[word] & PROSE, least)
            told += content.text[word] & (TEXT | LISTED) == TEXT and not template
    if lacks < OTHERS * (stop - begin) or told > DENSE * lacks:
        return 0
    return LARGE if lacks >= FRAME_WORDS else SMALL if lacks == stop - begin else 0


@lean
def core(gaps: NDArray[np.int32], side: int, content: OwnContent, document: Document) -> tuple[int, int, int]:
    """The words from the first to the last long run that matched, and how common a line around them must be.

    Returns:
        The first of these words and that behind the last, counted over the batch, the latter before the former where
        there is no long run; and the documents that hold a template (`is_template`), at least.
    """
    front, back = edges(gaps, side, document.stop - document.first)
    begin = document.first + gaps[front - 1, side + END] if front else document.first
    stop = document.first + gaps[back, side + BEGIN] if back < len(gaps) else document.stop
    return begin, stop, least_template(content.common[begin:stop], content.gram_df[begin:stop])


@lean
def edges(gaps: NDArray[np.int32], side: int, size: int) -> tuple[int, int]:
    """How many gaps stand before the first long run of matched words, and the first that stands behind the last one."""
    front, matched = 0, 0
    while front < len(gaps) and gaps[front, side + BEGIN] - matched < EDGE_RUN:
        matched = gaps[front, side + END]
        front += 1
    back, matched = len(gaps), size
    while back > front and matched - gaps[back - 1, side + END] < EDGE_RUN:
        back -= 1
        matched = gaps[back, side + BEGIN]
    return front, back
