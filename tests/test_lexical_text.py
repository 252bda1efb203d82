import time
import unicodedata
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
import xxhash
from hypothesis import given, settings
from hypothesis import strategies as st

from models.lexical.normalisation import CLUSTER_LIMIT
from models.lexical.text import (
    CAPITAL,
    HAS_DIGIT,
    MIXED,
    SENTENCE,
    normalise,
    original_spans,
    split_words,
    text_hash,
    to_text,
)
from models.lexical.unicode_table import LIMIT, is_invisible

TRICKY = (
    "aZé ßİıſﬁﷺ¨½²Ⅷ\n\r\t\v\x1c\x85\xa0\u1680\u2028\u3000\0\x7f\xad\u200b\u200d\u2060\ufeff\u034f\ufe0f"
    "\U000e0041\U000e0100"
    "\u0301\u0323\u0307\u0345\u0338\u1100\u1161\u11a8\u115f가각漢字かガｶﾞ゙กำเ\u094dक़\u0958ﬃǅΣςᾳ𝐀🇩🇪👩🏽😀\ue000\U000f0000\U0010ffff!.。,-_\u0344\u212bÅ"
)
TEXT = st.text(
    st.one_of(
        st.sampled_from(TRICKY),
        st.characters(exclude_categories=["Cs"]),
        st.characters(categories=["Mn", "Mc", "Zs", "Cf", "Lu"]),
    ),
    max_size=40,
)


def reference(text):
    visible = "".join(c for c in text if not is_invisible(c))
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", visible).casefold())
    return " ".join(folded.split())


def batch(*texts):
    return normalise(pl.Series(texts, dtype=pl.String))


def strings(normalised):
    bounds = normalised.pointers.tolist()
    return [to_text(normalised.codes[low:high]) for low, high in pairwise(bounds)]


def original_words(*texts):
    """The original spelling of every word."""
    normalised = batch(*texts)
    words = split_words(normalised)
    first, behind = original_spans(normalised, words.start, words.end)
    owner = np.searchsorted(words.pointers, np.arange(first.size), side="right") - 1
    return [texts[d][a:b] for d, a, b in zip(owner, first, behind, strict=True)]


@settings(max_examples=600, deadline=None)
@given(st.lists(TEXT, max_size=4))
def test_normalise_is_what_unicodedata_makes_of_each_text(texts):
    normalised = batch(*texts)
    assert strings(normalised) == [reference(text) for text in texts]
    assert strings(batch(*strings(normalised))) == strings(normalised)


def test_every_code_point_alone_and_after_a_letter():
    points = [chr(p) for p in [*range(0xD800), *range(0xE000, LIMIT + 500), *range(0xDFF00, 0xE1100)]]
    for texts in (points, ["a" + c for c in points]):
        wrong = [t for t, got in zip(texts, strings(batch(*texts)), strict=True) if got != reference(t)]
        assert not wrong


@settings(max_examples=500, deadline=None)
@given(TEXT)
def test_origin_leads_back(text):
    normalised = batch(text)
    origin = normalised.origin
    assert (np.diff(origin) >= 0).all()
    if not origin.size:
        return
    # The original span of any span normalises to something that holds it: nothing that made the codes is left out.
    low, high = origin.size // 3, origin.size
    (first,), (behind,) = original_spans(normalised, np.array([low]), np.array([high]))
    assert to_text(normalised.codes[low:high]).strip() in reference(text[first:behind])
    assert reference(text[behind:]) == ""


def test_origin_of_a_worked_example():
    normalised = batch("  A\u200b\t\nﬁx e\u0301! ")
    assert strings(normalised) == ["a fix é!"]
    assert normalised.origin.tolist() == [2, 4, 6, 6, 7, 8, 9, 11]
    assert normalised.stops.tolist() == [12]
    spans = original_spans(normalised, np.array([0, 2, 3, 6, 7]), np.array([1, 3, 5, 7, 8]))
    assert [span.tolist() for span in spans] == [[2, 6, 6, 9, 11], [4, 7, 8, 11, 12]]


def slow_words(text):
    """Words of an already normalised text, by category, for scripts that use spaces."""
    words, current = [], ""
    for c in text + " ":
        category = unicodedata.category(c)[0]
        if category in "LN" or (current and category == "M"):
            current += c
        elif current:
            words.append(current)
            current = ""
    return words


@settings(max_examples=300, deadline=None)
@given(st.lists(st.text(st.sampled_from("abYZéßл١१٣\u0301\u093f 123.,-'\n_½Ⅷ😀"), max_size=30), max_size=4))
def test_words_are_runs_of_letters_digits_and_marks(texts):
    normalised = batch(*texts)
    words = split_words(normalised)
    got = [to_text(normalised.codes[a:b]) for a, b in zip(words.start, words.end, strict=True)]
    expected = [slow_words(text) for text in strings(normalised)]
    assert got == [word for document in expected for word in document]
    assert np.diff(words.pointers).tolist() == [len(document) for document in expected]
    assert len(set(words.hash.tolist())) == len(set(got))
    for word, flags in zip(got, words.flags.tolist(), strict=True):
        digits = [unicodedata.category(c)[0] == "N" for c in word if unicodedata.category(c)[0] in "LN"]
        assert bool(flags & HAS_DIGIT) == any(digits)
        assert bool(flags & MIXED) == (any(digits) and not all(digits))


def test_scripts_without_spaces_give_a_word_per_letter():
    assert original_words("日本語GPT4カ゛ｶﾞ กำลัง 한국어") == [*"日本語", "GPT4", "カ", "ｶﾞ", "กำ", "ลั", "ง", "한국어"]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.text(st.sampled_from("ab \n\r\v\x1c\x85\u2028\u200b,"), max_size=25), max_size=4))
def test_line_is_that_of_splitlines(texts):
    words = split_words(batch(*texts))
    expected = [
        (number, position == 0)
        for text in texts
        for number, line in enumerate(text.splitlines())
        for position, _ in enumerate(line.replace("\u200b", "").replace(",", " ").split())
    ]
    assert words.line.tolist() == [number for number, _ in expected]
    assert (words.flags & SENTENCE != 0).tolist() == [starts for _, starts in expected]


def test_flags_of_capitals_and_sentences():
    text = 'He met Ann. "You, Bob?" v3.14 works! ok\n- Item one e.g. This\nÉmile'
    words = split_words(batch(text))
    flags = dict(zip(original_words(text), words.flags.tolist(), strict=True))
    assert [w for w, f in flags.items() if f & CAPITAL] == ["He", "Ann", "You", "Bob", "Item", "This", "Émile"]
    assert [w for w, f in flags.items() if f & SENTENCE] == ["He", "You", "v3", "ok", "Item", "This", "Émile"]


def test_word_hash_is_fixed():
    first = split_words(batch("Hello")).hash
    assert first.tolist() == split_words(batch("x.ＨELLO\u200b")).hash[1:].tolist()
    assert hex(first[0]) == "0x272b1a56c5980488"


def test_text_hash_is_xxh3_of_utf32():
    texts = ["A  b", "", "é"]
    expected = [xxhash.xxh3_128_hexdigest(t.encode("utf-32-le")) for t in ("a b", "", "é")]
    assert text_hash(batch(*texts)) == expected


def test_endless_accents_stay_linear():
    text = "a" + "\u0301\u0323" * 200_000
    batch("warm e\u0301")
    begin = time.perf_counter()
    normalised = batch(text)
    assert time.perf_counter() - begin < 5
    piece = unicodedata.normalize("NFKC", text[:CLUSTER_LIMIT])
    assert strings(normalised)[0].startswith(piece)


def test_empty_batches_and_nulls():
    assert batch().pointers.tolist() == [0]
    assert split_words(batch()).pointers.tolist() == [0]
    assert split_words(batch("", " \n", "\u200b")).pointers.tolist() == [0, 0, 0, 0]
    with pytest.raises(ValueError, match="null"):
        batch("a", None)
