"""Short texts as they are read: what disguise, decoration and haste do not change."""

import unicodedata

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.lexical.sketch.shingles import is_short
from models.lexical.text import normalise, split_words, to_text
from models.lexical.text.canonical.consonants import consonants
from models.lexical.text.canonical.lookalikes import LIMIT, lookalikes
from models.lexical.text.canonical.reading import BREAK, CAPITAL, CODE, FIGURE, LINK, OPTIONAL, SET_OFF, UNIT, read
from tests.support.examples import examples


def reading(*texts):
    return read(normalise(pl.Series(texts, dtype=pl.String)), np.ones(len(texts), np.bool_))


def spelt(text):
    """Words as they are read, without what may be no letter."""
    letters = reading(text).letters
    kept = letters[(letters & OPTIONAL) == 0]
    breaks = (kept & BREAK) != 0
    return "".join(
        (" " if begins else "") + chr(code) for code, begins in zip(kept & CODE, breaks, strict=True)
    ).strip()


def bare(text):
    return to_text(consonants(reading(text)).codes)


@pytest.mark.parametrize(
    ("disguised", "plain"),
    [
        ("ＣＡＬＬ ｎｏｗ", "cal now"),
        ("𝓒𝓪𝓵𝓵 𝕟𝕠𝕨", "cal now"),
        ("Ⓒⓐⓛⓛ 🅽🅾🆆", "cal now"),
        ("⒞⒜⒧⒧ now", "cal now"),
        ("🇨🇦🇱🇱 now", "cal now"),
        ("Ꮯall Ոow", "cal now"),
        ("ꓚꓮꓡꓡ ꓠꓳꓪ", "cal now"),
        ("ᴄᴀʟʟ ɴᴏᴡ", "cal now"),
        ("Саll nоw", "cal now"),
        ("ϲαll ποω", "cal now"),
        ("c̷a̶l̵l̴ n̸̛̹o̷̧w̶", "cal now"),
        ("c\u200ba\u00adl\u2060l n\ufeffow", "cal now"),
        ("çàłl ñöw", "cal now"),
        ("c a l l n o w", "calnow"),
        ("c.a.l.l n.o.w", "calnow"),
        ("c|a|l|l n|o|w", "calnow"),
        ("caaaalllll now!!!", "cal now"),
        ("call 🔥🔥 now 👉", "cal now"),
        ("**call** «now»", "cal now"),
        ("c@ll now", "cal now"),
    ],
)
def test_disguise_is_undone(disguised, plain):
    assert spelt(disguised) == plain
    assert bare(disguised) == bare(plain)


@pytest.mark.parametrize(
    ("leet", "plain"),
    [
        ("c4ll n0w", "call now"),
        ("8re@k|n6 n€w5: +h€ Qu3€n w1£1 v|$1+ 0ur 5m4£1 +0wn", "breaking news the queen will visit our small town"),
        ("#0m3 0f 7#e 8r@ve", "home of the brave"),
        ("$€rv!¢3 d3$k", "service desk"),
    ],
)
def test_digits_and_signs_stand_for_letters_among_letters(leet, plain):
    assert bare(leet) == bare(plain)


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("5 pm on 12 May 2021", "5 pm on 12 may 2021"),
        ("$1,000.50", "1 000 50"),
        ("World War III, XXL, AAA", "world war iii xxl aaa"),
        ("don't can’t", "dont cant"),
        ("मैं हिन्दी", "मैं हिन्दी"),
        ("今天 气", "今 天 气"),
        ("1 2 3 4 5", "1 2 3 4 5"),
        ("flags 🇫🇷 🇩🇪", "flags"),
        ("We <3 it", "we it"),
    ],
)
def test_what_is_no_disguise_is_read_as_it_stands(text, read_as):
    assert spelt(text) == read_as


def test_bits_tell_what_stood_there():
    letters = reading("Pay $50 or 5% at https://a.org/b1\n[Ad]").letters
    assert letters[0] & CODE == ord("p") and letters[0] & CAPITAL and letters[0] & BREAK
    digits = letters[(letters & FIGURE != 0) & (letters & LINK == 0)]
    assert [chr(code) for code in digits & CODE] == ["5", "0", "5"]
    assert digits[0] & UNIT and digits[2] & UNIT and digits[0] & UNIT != digits[2] & UNIT
    assert to_text(letters[(letters & LINK != 0) & (letters & OPTIONAL == 0)] & CODE) == "htpsaorgb1"
    assert letters[-2] & SET_OFF and letters[-2] & CODE == ord("a")


def test_every_lookalike_is_one_letter_and_letters_are_their_own():
    small, capital = lookalikes()
    assert small[:128].tolist() == list(range(128))
    changed = np.flatnonzero(small != np.arange(LIMIT))
    assert changed.size > 1000
    latin, arabic = set(range(ord("a"), ord("z") + 1)), set(map(ord, "ايكه"))
    assert set(small[changed]) | set(capital[capital != small]) <= latin | arabic
    accented = [code for code in range(0xC0, 0x17F) if unicodedata.decomposition(chr(code)).split()[:1]]
    for code in accented:
        base = unicodedata.normalize("NFD", chr(code))[0]
        if chr(code).islower() and base.isascii() and base.isalpha():
            assert small[code] == ord(base)


LETTERS = st.text(st.sampled_from("abdeghiklmnoprstuvwz"), min_size=1, max_size=9)
TEXTS = st.lists(LETTERS, min_size=5, max_size=20).map(" ".join)


@examples(100)
@given(TEXTS, st.randoms(use_true_random=False))
def test_decoration_never_changes_the_consonants(text, rng):
    plain = bare(text)
    decorated = "".join(
        rng.choice((one, one.upper(), one + "\u0301\u0316", one + "\u200b", chr(ord(one) + 0x1D41A - 97)))
        if one != " " else rng.choice((" ", "  ", " 🔥 ", " * ", "\n"))
        for one in text
    )  # fmt: skip
    assert bare(decorated) == plain
    assert bare("-".join(text.replace(" ", "-"))) == plain
    assert bare("".join(one * rng.randint(1, 4) for one in text)) == plain


@pytest.mark.slow
@examples(200)
@given(st.lists(st.text(max_size=40), min_size=1, max_size=5))
def test_any_text_is_read_alone_as_among_others(texts):
    together = reading(*texts)
    for index, text in enumerate(texts):
        alone = reading(text)
        low, high = together.pointers[index], together.pointers[index + 1]
        assert np.array_equal(together.letters[low:high], alone.letters)
        assert high - low == 0 or alone.letters[0] & BREAK


def test_texts_blown_up_by_blanks_and_marks_are_short_all_the_same():
    text = "Come to the market square at noon on Friday and bring your old books, we will swap them all"
    forms = [" ".join(text * 2), "".join(one + "\u0316\u0317\u0318" for one in text * 2), text * 4, "今天天气很好" * 60]
    normalised = normalise(pl.Series(forms))
    assert is_short(normalised, split_words(normalised), 320).tolist() == [True, True, False, False]
