"""Columns of the evidence on pairs, as rows of the two arrays that the kernels fill."""

from enum import IntEnum


class Share(IntEnum):
    """Columns of float32."""

    WEIGHTED_JACCARD = 0
    JACCARD = 1
    CONTAINMENT_A = 2
    CONTAINMENT_B = 3
    WEIGHTED_CONTAINMENT_A = 4
    WEIGHTED_CONTAINMENT_B = 5
    ALIGNED_A = 6
    ALIGNED_B = 7
    SHARED_MASS = 8
    REST_MASS_A = 9
    REST_MASS_B = 10
    REST_PROSE_A = 11
    REST_PROSE_B = 12
    NOVEL_MASS_A = 13
    NOVEL_MASS_B = 14
    EDITED_MASS = 15
    FACT_MASS = 16
    SPELLING = 17
    OWN_A = 18
    OWN_B = 19
    LACKING_A = 20
    LACKING_B = 21
    LACKING_TEXT_A = 22
    LACKING_TEXT_B = 23


class Count(IntEnum):
    """Columns of int32."""

    LONGEST_RUN = 0
    RUNS = 1
    REPLACED = 2
    TYPOGRAPHIC = 3
    EDITED = 4
    CHANGED_FACTS = 5
    SENTENCE_FACTS = 6
    HARD_FACTS = 7
    MOVED = 8
    OTHER_FACTS = 9
    VOLATILE = 10
    OWN_WORDS_A = 11
    OWN_WORDS_B = 12
    ALONE_A = 13
    ALONE_B = 14
    ALONE_RUN_A = 15
    ALONE_RUN_B = 16
    TEXT_RUN_A = 17
    TEXT_RUN_B = 18
    REPLACED_WORDS = 19
    STOCK_WORDS_A = 20
    STOCK_WORDS_B = 21
    RARE_WORDS_A = 22
    RARE_WORDS_B = 23
    OTHER_WORDS = 24
    TITLE_WORDS_A = 25
    TITLE_WORDS_B = 26
    SLOT = 27
    FILL_A = 28
    FILL_B = 29
