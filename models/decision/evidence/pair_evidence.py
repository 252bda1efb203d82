"""Evidence on pairs of documents: what their texts share, what differs, and whether facts changed."""

from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.columns import Count, Share
from models.decision.evidence.facts.book import book
from models.decision.evidence.facts.exchanges.places import EDITED
from models.decision.evidence.facts.kinds import NEGATION, NUMBER, fact_kinds
from models.decision.evidence.facts.lexicon import classes_of
from models.decision.evidence.facts.signs import other_named
from models.decision.evidence.line_containment import lines_inside, lines_of, other_rows
from models.decision.evidence.losses import losses
from models.decision.evidence.own_content import own_content
from models.decision.evidence.page_edges.edges import without_edges
from models.decision.evidence.pair_kernels import count_overlaps, measure_pairs
from models.decision.evidence.short_texts.code import NO_CODE, code_forms
from models.decision.evidence.short_texts.containment import standing_in
from models.decision.evidence.short_texts.differences import ADDED_FACT, CHANGED, ONLY_A, ONLY_B, REPLACED, SIGN
from models.decision.evidence.short_texts.pairs import compare_short
from models.decision.evidence.short_texts.sign_texts import EMPTY, NO_SIGNS, field_forms, sign_forms
from models.decision.evidence.short_texts.telling_signs import UNTOLD, telling_signs
from models.decision.evidence.short_texts.titles import names_another
from models.decision.evidence.short_texts.words import short_words
from models.decision.evidence.spelling.letters import script
from models.lexical.sketch.features import Features
from models.lexical.text.canonical.reading import read
from models.lexical.text.markup.source_code import source_texts

OWN_DOCUMENTS = 8
"""Documents that hold a gram of own content, at most."""
SHORT_CONTAINMENT = 0.2
"""Share of either side's grams below which two short texts are not laid side by side."""
LINES_CONTAINMENT = 0.2
"""The same of two long texts, below which nobody looks whether all lines of one stand in the other."""
CODE_CONTAINMENT = 0.5
"""The same of any two texts, below which words replaced in source code need not be told."""

MOST_REPLACED = 8
"""Words in place of others that make another program; where more differ, a page around the program does, too."""

MOST_LACKING = 0.1
"""Share of its words that a text may lack for anybody to ask whether it is source code; any beside a year or stamp."""
MOST_ALONE = 1
"""Words in a row that source code may have to itself and still go, as "https": two may be a switch or a field."""

FEW_WORDS = 3
"""Words of a text in which no letter may differ and no word be put in: nothing beside it tells a slip from a name."""

OF_SIDES = ("code_words_a", "code_words_b", "intact_a", "intact_b")
"""Columns of int32 on either text of any pair."""

SHORT_PAIRS = ("skeleton_similarity", "differences", "says_more", "stands_in")
"""Columns of float32 and three of int32 on two short texts, see `models.decision.evidence.short_texts`; the last one
tells of all texts which stands whole in the other."""


def evidence(
    features: Features,
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    most_documents: int = OWN_DOCUMENTS,
    most_edits: float = EDITED,
    all_said: bool = False,
) -> dict[str, np.ndarray]:
    """Compare pairs of documents of a batch on their texts.

    Words are aligned in order; what differs in typography only (spacing, look-alikes, leet, slips of the keyboard)
    counts as matched. Masses are sums of `features.word_weight`, attention times inverse document frequency.

    Args:
        features: a batch of n documents.
        a: int64[p], first document of each pair, as a row of the batch.
        b: int64[p], second document of each pair.
        most_documents: documents that may hold a word 5-gram for it still to be own content.
        most_edits: part of what two long texts share beyond which no rule takes edits for small ones. What else differs
            between such texts is not looked at where that is dear: see other_facts and lacking_a.
        all_said: whether all of every text is what somebody says, as in conversations, or questions and answers.

    Returns:
        One array of length p per column of `Share` (float32), `Count` (int32), `OF_SIDES` and `SHORT_PAIRS`:

        - weighted_jaccard (`eq:weighted_jaccard`), jaccard: of the shingles.
        - containment_a: share of a's shingles found in b; weighted_containment_a: by a's weights; likewise for b.
        - aligned_a, aligned_b: share of the words of each side that are matched.
        - shared_mass: mass of matched words, mean of the two sides.
        - rest_mass_a, rest_mass_b: mass of the unmatched words of each side; of short texts without the volatile ones.
        - rest_prose_a, rest_prose_b: the part of it in runs of `PROSE_WORDS` and more within one line, mostly without
          capitals.
        - novel_mass_a, novel_mass_b: the part of the rest made of words found nowhere in the other text.
        - longest_run: words of the longest matched run; runs: matched runs of `PROSE_WORDS` and more.
        - replaced: words that stand in place of others, replaced_words: those that are neither numbers nor dates;
          typographic: words forgiven as another spelling.
        - edited: words replaced, put in or left out inside otherwise matched sentences, edited_mass: their mass. Menus,
          stamps and sections that one side has on lines of their own are no edits, nor is what stands behind the
          half of a word with which an excerpt ends.
        - changed_facts: those of them that state a fact; sentence_facts: in sentences that are mostly matched;
          fact_mass: the mass of the facts. Of a replacement the larger side counts.
        - hard_facts: numbers that stand in place of other numbers, and negations put in or left out: no slip of the
          keyboard excuses these.
        - spelling: how alike the letters are where the texts differ, the least over all differing places: near 1 for
          slips that could not be proven, near 0 for other words, 0 where one side has nothing and for texts with more
          than `most_edits`.
        - moved: 1 where the unmatched words of both sides are the same in another order, as "tie-dyed teenagers".
        - other_facts: facts exchanged, put in or left out in a matched sentence
          (`models.decision.evidence.facts.exchanges`), in the first one where some are: one makes another record of a
          text of any length, as other rows of numbers do; volatile: those that may differ; other_words: places up to
          there in which a content word or a sentence stands in place of another, which makes another record, too, but
          may say the same; of two texts that are source code, words replaced besides.
          Of texts with more than `most_edits` that have at least half of their content in common, or with more than
          `EDITED`, sentence_facts and 0.
        - skeleton_similarity: how alike two short texts are letter by letter, see
          `models.decision.evidence.short_texts.pairs`; NaN unless both went the character lane.
        - differences: what makes two short texts two texts, says_more: which has more to say; 0 for other pairs.
        - stands_in: which stands whole in the other: of two short texts in a row
          (`models.decision.evidence.short_texts.containment`), of others line by line
          (`models.decision.evidence.line_containment`).
        - own_words_a: words of a that are its own content (`own_content`); rare_words_a: the same if few documents
          hold them, else 0; own_a: share of them that b holds (`own_content.own_share`);
          lacking_a: share of all words of a that are neither matched nor stand in b in another place,
          lacking_text_a: those of them in running text that is not the frame of a site, as a share of all words,
          text_run_a: the most of these in a row, those of answers and turns as `own_content.lacking` counts them;
          stock_words_a: words of running text that a has and b lacks where both have a phrase that many documents hold,
          and names that b has there; where a is a licence those of clauses that only one of both has, and names around
          it; and those of lines that were translated on either side (`models.decision.evidence.phrases`); 0 for texts
          with more than `most_edits`;
          code_words_a: of source code and data, the most words in a row that b lacks where they are more than
          `MOST_ALONE`, else 0;
          title_words_a: words in its title or heading that b does not say, of things of a kind or of near texts
          (`models.decision.evidence.facts.exchanges.subjects.titles`), and 1 of pages of one site (`.subjects.sites`);
          intact_a: what a has and b lost, as bits (`models.decision.evidence.losses`);
          slot: hash of the words before the first place in which the two have other words, negative where no other
          document has these, fill_a: of what a has there (`models.decision.evidence.facts.exchanges.slots`), 0 where
          there is none or a fact was exchanged;
          alone_a: those of them in rare prose, alone_run_a: the most of these in a row; likewise for b. Of texts with
          more than `most_edits`, all that is not matched counts as lacking, wherever else it stands.

    Raises:
        ValueError: the pair columns differ in length or name rows outside the batch.
    """
    documents = features.words.pointers.size - 1
    if len(a) != len(b):
        raise ValueError(f"pairs of {len(a)} and {len(b)} documents")
    if len(a) and not (min(a.min(), b.min()) >= 0 and max(a.max(), b.max()) < documents):
        raise ValueError(f"a pair names a row outside the batch of {documents} documents")
    features, classes = without_edges(features, classes_of(features.words))
    kinds = fact_kinds(features.normalised, features.words, classes)
    text = script(features.normalised, features.words, (kinds & (NUMBER | NEGATION)) != 0, features.word_df)
    facts = book(features, text, classes)
    shares, counts = measure_pairs(
        facts,
        own_content(features, most_documents, all_said),
        kinds,
        features.words.pointers,
        features.word_weight,
        features.shingles.hash,
        features.shingles.pointers,
        features.gram_weight,
        features.shingles.short,
        np.ascontiguousarray(a, np.int64),
        np.ascontiguousarray(b, np.int64),
        most_edits,
    )
    columns = _named(Share, shares) | _named(Count, counts)
    contained = np.maximum(columns["containment_a"], columns["containment_b"])
    columns |= _in_code(features, a, b, contained, columns)
    columns |= losses(features, text, facts.signs, columns["typographic"], a, b)
    of_short, other = _of_short_pairs(features, facts.signs, a, b, contained)
    columns |= of_short
    columns["other_facts"] += other
    inside, rows = _by_lines(features, a, b, contained, columns["changed_facts"] > 0)
    columns["stands_in"] += inside
    columns["other_facts"] += rows
    return columns


def _named(columns: type[IntEnum], rows: NDArray[Any]) -> dict[str, np.ndarray]:
    return {column.name.lower(): rows[column] for column in columns}


def _in_code(
    features: Features,
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    contained: NDArray[np.float32],
    columns: dict[str, np.ndarray],
) -> dict[str, NDArray[np.int32]]:
    """`other_words` with those replaced in source code, `code_words_a` and `code_words_b`.

    Of a program every word in place of another is another name or value. Such words are told where no more than
    `MOST_REPLACED` are and nothing else is exchanged; words of one side alone where it lacks little enough to go, or
    where only a year or stamp differs in what both share.
    """
    alike, told, replaced = contained >= CODE_CONTAINMENT, columns["other_words"], columns["replaced_words"]
    exchanged = alike & (columns["other_facts"] == 0) & (told == 0) & (replaced > 0) & (replaced <= MOST_REPLACED)
    runs = {side: columns[f"text_run_{side}"] for side in ("a", "b")}
    stamped = columns["volatile"] > 0
    alone = {
        side: alike & (run > MOST_ALONE) & (stamped | (columns[f"lacking_text_{side}"] <= MOST_LACKING))
        for side, run in runs.items()
    }
    wanted = np.zeros(features.shingles.short.size, np.bool_)
    wanted[a[exchanged | alone["a"]]] = wanted[b[exchanged | alone["b"]]] = True
    source = source_texts(features.normalised, wanted)
    return {
        "other_words": told + np.where(exchanged & source[a] & source[b], replaced, np.int32(0)),
        **{
            f"code_words_{side}": np.where(alone[side] & source[own], runs[side], np.int32(0))
            for side, own in (("a", a), ("b", b))
        },
    }


def _by_lines(
    features: Features,
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    contained: NDArray[np.float32],
    changed: NDArray[np.bool_],
) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """Which text of a pair that is not of two short ones stands in the other line by line; whose numbers are others.

    The latter of those that are `changed`, not where all rows have a time code or a number put before them.
    """
    short = features.shingles.short
    asked = ~(short[a] & short[b]) & (contained >= LINES_CONTAINMENT)
    wanted = np.zeros(short.size, np.bool_)
    wanted[a[asked]] = wanted[b[asked]] = True
    lines = lines_of(features.normalised, wanted)
    return lines_inside(lines, a, b, asked), other_rows(lines, a, b, asked & changed)


def _of_short_pairs(
    features: Features,
    signs_of_words: NDArray[np.uint8],
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    contained: NDArray[np.float32],
) -> tuple[dict[str, np.ndarray], NDArray[np.bool_]]:
    """The columns of two short texts, and mask of those whose signs or titles are those of two things."""
    short = features.shingles.short
    both = short[a] & short[b]
    wanted = np.zeros(short.size, np.bool_)
    wanted[a[both]] = wanted[b[both]] = True
    reading = read(features.normalised, wanted)
    words = short_words(reading, features.normalised, features.words, features.word_df)
    asked = both & (contained >= SHORT_CONTAINMENT)
    alike, differences, more = compare_short(reading, words, a, b, asked)
    sizes = np.diff(features.words.pointers)
    few, fewest = np.maximum(sizes[a], sizes[b]) <= FEW_WORDS + 1, np.minimum(sizes[a], sizes[b]) <= FEW_WORDS
    # One with more words may be the same ones, which the other has run together.
    other = (more != 0) | (few & ((alike < 1) | (sizes[a] != sizes[b])))
    differences[asked & fewest & other] |= CHANGED
    forms = code_forms(features.normalised, wanted)
    differences[asked & (forms[a] != NO_CODE) & (forms[b] != NO_CODE) & (forms[a] != forms[b])] |= REPLACED
    named = names_another(features.normalised, features.words, a, b, asked)
    signs = sign_forms(features.normalised, wanted)
    of_signs = signs[a] != NO_SIGNS, signs[b] != NO_SIGNS
    fields = field_forms(features.normalised, features.words, wanted)
    empty = fields == EMPTY
    filled = (fields[a] != fields[b]) & ~empty[a] & ~empty[b]
    signed = asked & ((of_signs[0] & of_signs[1] & (signs[a] != signs[b])) | filled)
    for told in telling_signs(features.normalised, wanted):
        signed |= asked & (told[a] != UNTOLD) & (told[b] != UNTOLD) & (told[a] != told[b])
    signed |= other_named(signs_of_words, features.words.pointers, a, b, asked)
    more[asked & empty[a] & ~empty[b]] = ONLY_B
    more[asked & empty[b] & ~empty[a]] = ONLY_A
    differences |= ADDED_FACT * named + SIGN * signed
    worded = asked & ~named & ~of_signs[0] & ~of_signs[1]
    inside = standing_in(features.normalised, features.words, a, b, worded)
    found = np.where(both, alike, np.float32(np.nan)), np.where(both, differences, np.int32(0)), more, inside
    return dict(zip(SHORT_PAIRS, found, strict=True)), named | signed


def overlaps(features: Features, a: NDArray[np.int64], b: NDArray[np.int64]) -> dict[str, np.ndarray]:
    """Compare pairs by their shingles alone; arguments and columns as of `evidence`, with 0 for all other measures."""
    shares, counts = np.zeros((len(Share), len(a)), np.float32), np.zeros((len(Count), len(a)), np.int32)
    grams = features.shingles
    count_overlaps(grams.hash, features.gram_weight, grams.pointers, a, b, shares)
    columns = _named(Share, shares) | _named(Count, counts)
    both_short = grams.short[a] & grams.short[b]
    columns["skeleton_similarity"] = np.where(both_short, np.float32(0), np.float32(np.nan))
    for name in (*SHORT_PAIRS[1:], *OF_SIDES):
        columns[name] = np.zeros(len(a), np.int32)
    return columns
