"""British and American spelling."""

import numpy as np
import pytest

from models.decision.evidence.spelling.letters import DISGUISED
from models.decision.evidence.spelling.regional import is_regional


def regional(one, other):
    x, y = (np.array([*map(ord, word)], np.uint32) for word in (one, other))
    found = is_regional(x, 0, len(x), y, 0, len(y))
    assert found == is_regional(y, 0, len(y), x, 0, len(x))
    return found


def test_an_e_stands_for_the_marks_of_a_vowel_that_has_them():
    plain = np.array([*map(ord, "koennen")], np.uint32)
    marked = np.array([*map(ord, "konnen")], np.uint32)
    assert not is_regional(plain, 0, 7, marked, 0, 6)
    marked[1] |= DISGUISED
    assert is_regional(plain, 0, 7, marked, 0, 6) and is_regional(marked, 0, 6, plain, 0, 7)
    assert not regional("neue", "neu")


ONE_WORD = """
colour color, neighbours neighbors, organise organize, organisation organization, analysed analyzed, centre center,
theatres theaters, travelling traveling, cancelled canceled, modeller modeler, defence defense, licences licenses,
catalogue catalog, dialogues dialogs, programme program, programmes programs, judgement judgment, paediatric pediatric,
oestrogen estrogen, fulfil fulfill, enrol enroll, skilful skillful, instalment installment, favourably favorably
"""
OTHER_WORDS = """
four for, hour hor, filled filed, pulled puled, timbre timber, shoe she, michael michel, size sise, rise rize,
here heer, sense since, stalled staled, colour collar, centre centred, organise organised, tour tor,
peter petre, prise prize
"""


@pytest.mark.parametrize("pair", ONE_WORD.split(","))
def test_one_word_in_both_spellings(pair):
    assert regional(*pair.split())


@pytest.mark.parametrize("pair", OTHER_WORDS.split(","))
def test_other_words_are_other_words(pair):
    assert not regional(*pair.split())
