"""Cosines of texts in languages that the encoder was not taught."""

import numpy as np
import pytest

from models.decision.evidence.facts.lexicon import SPOKEN
from models.lexical.fragments.hosts.language_likeness import ENGLISH, as_in_english, strangers


def of(*names, script=0):
    bits = sum(1 << SPOKEN.index(name) for name in names)
    return strangers(np.array([bits], np.uint32), np.array([script]), SPOKEN)[0]


def test_strangers_in_other_languages_are_more_alike_than_in_english():
    assert of(ENGLISH) < of("de") < of("ru")
    assert of("de", "ru") == of("de") and of() == of(ENGLISH)
    assert of(script=96) > of(ENGLISH), "kanji or hangul without any word that is told"


@pytest.mark.parametrize("name", ["en", "de", "ru"])
def test_cosines_are_read_by_how_far_they_are_from_strangers(name):
    unrelated = np.full(3, of(name))
    read = as_in_english(np.array([of(name), 1.0, np.nan]), unrelated)
    assert read[:2] == pytest.approx([of(ENGLISH), 1.0]) and np.isnan(read[2])
    assert as_in_english(np.array([0.3]), np.array([of(ENGLISH)])) == pytest.approx([0.3])
