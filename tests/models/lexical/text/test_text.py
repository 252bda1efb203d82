import html
import re
import unicodedata
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
import xxhash
from hypothesis import example, given
from hypothesis import strategies as st

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
from models.lexical.text.frames.messages import message_frames
from models.lexical.text.normalisation import CLUSTER_LIMIT
from models.lexical.text.unicode_table import LIMIT, SAME, UPPER, is_invisible
from models.lexical.text.utf8 import utf8
from tests.support.examples import examples

TRICKY = (
    "aZé ßİıſﬁﷺ¨½²Ⅷ\n\r\t\v\x1c\x85\xa0\u1680\u2028\u3000\0\x7f\xad\u200b\u200d\u2060\ufeff\u034f\ufe0f"
    "\U000e0041\U000e0100"
    "\u0301\u0323\u0307\u0345\u0338\u1100\u1161\u11a8\u115f가각漢字後著かガｶﾞ゙กำเ\u094dक़\u0958ﬃǅΣςᾳ𝐀🇩🇪👩🏽😀\ue000\U000f0000\U0010ffff!.。,-_\u0344\u212bÅ"
)
TEXT = st.text(
    st.one_of(
        st.sampled_from(TRICKY),
        st.characters(exclude_categories=["Cs"]),
        st.characters(categories=["Mn", "Mc", "Zs", "Cf", "Lu"]),
    ),
    max_size=40,
).filter(lambda text: not re.search(r"[À-ð].*[\x80-\xbf\u0152-\u2122\ufffd]|[&<]|\\.*\\|\\\w", text, re.S))
"""Texts without references, tags, escapes and letters in a wrong encoding, which are read first."""


def reference(text):
    return normal_form(re.sub(r"\\(?=[_#%&-])", "", text))


def normal_form(text):
    visible = ""
    for c in text:
        note = c in "²³¹⁰⁴⁵⁶⁷⁸⁹" and unicodedata.normalize("NFKC", visible)[-1:] in [*".,;:!?"]
        visible += "" if note or is_invisible(c) else c
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", visible).casefold()).translate(SAME)
    return " ".join("".join(c for c in folded if not is_invisible(c)).split())


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


@examples(600)
@given(st.lists(TEXT.filter(lambda text: not {"&", "<"} & {*text}), max_size=4))
def test_normalise_is_what_unicodedata_makes_of_each_text(texts):
    """But for references like `&#9;`, which are read first, too."""
    normalised = batch(*texts)
    assert strings(normalised) == [reference(text) for text in texts]
    assert strings(batch(*strings(normalised))) == strings(normalised)


MIXED_RUNS = st.lists(
    st.one_of(
        st.sampled_from(
            ["Plain words, 12 of 34a. Go! ", "x" * 70, "\n", "\r\n", "  ", "\t", "\n \n", "\x00", "\x7f", "."]
        ),
        st.sampled_from(
            ["é", "e\u0301", "漢", "ﬁ", "\u2028", "\xa0", "9", "1 one\n2 two\n3 three\n4 four\n", "&amp;", "<br>"]
        ),
    ),
    max_size=25,
).map("".join)


@pytest.mark.slow
@examples(600)
@given(MIXED_RUNS)
def test_the_end_of_a_batch_is_read_like_its_middle(text):
    """The last bytes of a batch are read one by one, all others in blocks."""
    last, middle = batch(text), batch(text, "y" * 200)
    size, broken = last.codes.size, last.line_breaks.size
    for column in ("codes", "origin", "marks"):
        assert getattr(last, column).tolist() == getattr(middle, column)[:size].tolist()
    assert last.line_breaks.tolist() == middle.line_breaks[:broken].tolist() and last.stops[0] == middle.stops[0]
    if not message_frames(*utf8(pl.Series([text])))[0].size:
        assert strings(last) == [read(text)]
    words, others = split_words(last), split_words(middle)
    for column in ("start", "end", "hash", "flags", "line"):
        assert getattr(words, column).tolist() == getattr(others, column)[:-1].tolist()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("مُحَمَّد", "محمد", True),
        ("الإعـــلان", "الاعلان", True),
        ("ज़रूर", "जरूर", True),
        ("पाँच", "पांच", True),
        ("ещё", "еще", True),
        ("٢٤٠ २४० ２４０", "240 240 240", True),
        ("२४०", "४२८", False),
        ("мой", "мои", False),
        ("año", "ano", False),
        ("か", "が", False),
        ("電 腦 的 著 作 權", "电 脑 的 着 作 权", True),
        ("東", "西", False),
    ],
)
def test_what_may_be_written_or_left_out_is_left_out(one, other, same):
    assert (strings(batch(one)) == strings(batch(other))) is same
    assert original_words(one) == one.split(), "the way back leads to all of it"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cyrillic", "latin"),
    [
        (
            "Настави да нападаш обојицом вилењака, Љубо, док не довршиш дрвенка и џак!",
            "Nastavi da napadaš obojicom vilenjaka, Ljubo, dok ne dovršiš drvenka i džak!",
        ),
        (
            "Ћирилица и латиница су два писма српског језика; Ђорђе их чита.",
            "Ćirilica i latinica su dva pisma srpskog jezika; Đorđe ih čita.",
        ),
        ("Продолжай нападать, и в имени Јова стоит одна чужая буква.", ""),
        ("Одлуката е донесена за секој ѓак и ќерка, а ѕвездите сјаат.", ""),  # Macedonian
    ],
)
def test_serbian_is_read_in_latin_letters(cyrillic, latin):
    read = normalise(pl.Series([cyrillic]))
    text = "".join(map(chr, read.codes))
    same = cyrillic.casefold().translate(SAME)
    assert text == (latin.casefold() or same)
    assert read.origin.tolist() == sorted(read.origin.tolist()) and read.origin[-1] == len(cyrillic) - 1
    first = np.diff(read.origin, prepend=-1) > 0
    capitals = [cyrillic[at].isupper() for at in read.origin[first]]
    assert (read.marks[first] & UPPER != 0).tolist() == capitals


def test_every_code_point_alone_and_after_a_letter():
    points = [chr(p) for p in [*range(0xD800), *range(0xE000, LIMIT + 500), *range(0xDFF00, 0xE1100)]]
    for texts in (points, ["a" + c for c in points]):
        wrong = [t for t, got in zip(texts, strings(batch(*texts)), strict=True) if got != reference(t)]
        assert not wrong


@examples(500)
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


def test_marks_that_only_decorate_are_dropped_and_diacritics_stay():
    plain = "Größe e\u0301té 1 ≠"
    for mark in "\u0332\u0336\u0305\u20dd\u20e3":
        decorated = "".join(c + mark for c in plain)
        assert strings(batch(decorated)) == strings(batch(plain))
        assert original_words(decorated)[0] == "".join(c + mark for c in "Größe")
    assert strings(batch("=\u0338")) == ["≠"]


REFERENCE = re.compile(
    r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|amp|lt|gt|quot|apos|nbsp|ndash|mdash|lsquo|rsquo|ldquo|rdquo|hellip|copy|reg"
    r"|eacute|szlig);|<br ?/?>|(?<![0-9a-z_\u0080-\U0010ffff])<b>",
    re.ASCII | re.IGNORECASE,
)


def unescaped(reference):
    """What a match of `REFERENCE` is read as, by the standard library; itself where that is no character."""
    if reference[0] == "<":
        return "\u200b" if reference == "<b>" else "\n"
    character = html.unescape(reference)
    known = len(character) == 1 and character != "\ufffd" and (reference[1] == "#" or reference != reference.upper())
    return character if known else reference


HOLDING_REFERENCES = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "&amp;",
                "&quot;",
                "&nbsp;",
                "&hellip;",
                "&AMP;",
                "&Eacute;",
                "&szlig;",
                "&in;",
                "&frac12;",
                "&#39;",
                "&#0146;",
                "&#xD800;",
            ]
        ),
        st.sampled_from(
            [*"&;#x<br/> >aÉ1😀", "&#", "\u0301", "\r\n", "<br", "<BR />", "<br/>", "<b>", "&#x301;", "&lt"]
        ),
        st.integers(0, 0x12FFFF).map(lambda code: f"&#{code};"),
        st.integers(0, 0x12FFFF).map(lambda code: f"&#x{code:X};"),
    ),
    max_size=12,
).map("".join)


def read(text):
    """What comes out of a reference is not read again, so that a backslash of one stays."""
    pieces = re.compile(rf"\\([_#%&-])|{REFERENCE.pattern}", REFERENCE.flags)
    return normal_form(pieces.sub(lambda match: match[1] or unescaped(match[0]), text))


@pytest.mark.slow
@examples(600)
@given(st.lists(HOLDING_REFERENCES, max_size=3))
@example(["&#92;&amp;"])
def test_references_are_read_as_html_does_and_lead_back(texts):
    normalised = batch(*texts)
    assert strings(normalised) == [read(text) for text in texts]
    for text, (low, high) in zip(texts, pairwise(normalised.pointers.tolist()), strict=True):
        references = [match.span() for match in REFERENCE.finditer(text) if unescaped(match[0]) != match[0]]
        places = np.arange(low, high)
        for at, first, behind in zip(places, *original_spans(normalised, places, places + 1), strict=True):
            assert 0 <= first < behind <= len(text)
            assert not any(start < cut < end for start, end in references for cut in (first, behind))
            assert to_text(normalised.codes[at : at + 1]).strip() in read(text[first:behind])


def test_a_reference_does_not_reach_into_the_next_text():
    texts = ["a &am", "p; b &#3", "9;<b", "r> &amp; c"]
    assert strings(batch(*texts)) == ["a &am", "p; b &#3", "9;<b", "r> & c"]
    assert original_words(*texts) == ["a", "am", "p", "b", "3", "9", "b", "r", "c"]


def test_tags_of_a_layout_are_no_words():
    texts = ['<p class="body">One <b>two</b></p><TD>three</td>', "vector<p> a<b>c <T> <i", "<td", "> x"]
    assert strings(batch(*texts)) == ["one two three", "vector<p> a<b>c <t> <i", "<td", "> x"]
    assert original_words(texts[0])[-1] == "three"
    links = ['<a href="?a=1&amp;b=&#39;2">one</a>&amp;<a href="/x">two', 'x<a href="?a&amp;b">']
    assert strings(batch(*links)) == ["one&two", 'x<a href="?a&b">']


def test_marks_of_notes_are_no_part_of_a_text():
    marked = (
        "One,[note 1] two[Anm. 12] three.<sup>3</sup> Four<sup>[4]</sup> five.¹² Six m² and 10<sup>5</sup> [note 7]"
    )
    read = "one, two three. four five. six m2 and 10<sup>5</sup> [note 7]"
    assert strings(batch(marked)) == [read]
    assert original_words(marked)[-1] == "7"


def test_letters_in_a_wrong_encoding_are_read_again():
    text = "there’s a “café – naïve © 🔎 прошлое"
    wrong = "".join(letter.encode().decode("cp1252") if letter in "’“éï–©🔎" else letter for letter in text)
    assert "â€™" in wrong and strings(batch(wrong)) == strings(batch(text))
    assert original_words(wrong)[-1] == "прошлое"
    assert strings(batch(b"caf\xc3\x83\xc2\xa9 \xc3\xa2\xc2\x80\xc2\x99".decode())) == ["café ’"]  # as Latin-1
    assert strings(batch("“so â€\ufffd he")) == ["“so ” he"], "a byte that Windows-1252 has not"
    assert strings(batch("“so” â€ he said.â€")) == ["“so” â€ he said.”"], "that byte left out, behind what is quoted"
    assert strings(batch("MENÜ“ né’ Ã â€ à “x”")) == ["menü“ né’ ã â€ à “x”"]


@pytest.mark.parametrize(
    "text", ["прошлое лето – нет", "größte šotor, žaba in član", "ευχαριστώ", "日本語", "ขอบคุณ", "תודה", "شكرا"]
)
def test_letters_of_any_script_are_read_again(text):
    wrong = "".join(letter.encode().decode("cp1252", "replace") if letter > "\x7f" else letter for letter in text)
    read = strings(batch(wrong))[0]
    assert len(read) == len(strings(batch(text))[0])
    assert all(one in (letter, "\ufffd") for one, letter in zip(read, strings(batch(text))[0], strict=True))
    assert read.count("\ufffd") < len(text) / 3


def test_a_text_with_a_lost_byte_behind_a_rare_letter_is_in_a_wrong_encoding():
    assert strings(batch("raÄ\ufffdun je Å¡e", "raÄ\ufffdun je")) == ["ra\ufffdun je še", "raä\ufffdun je"]


def test_letters_before_what_stands_behind_any_are_in_no_wrong_encoding():
    kept = batch("tÄmÄ” vÄ… é”… “PÅ’", "Å\xa0 Ñ” É\ufffd Ø™ Å³", "ÚŽASNÝ MÍŠA ráïššè")
    assert strings(kept) == ["tämä” vä... é”... “på’", "å ñ” é\ufffd ø å3", "úžasný míša ráïššè"]


def test_a_word_holds_the_references_that_spell_it():
    text = "  Don&#8217;t&nbsp;eat caf&#233;&amp;bar<br/>\nA&B &amp;lt; &#39;&nbsp; "
    assert strings(batch(text)) == ["don’t eat café&bar a&b < '"]
    assert original_words(text) == ["Don", "t", "eat", "caf&#233;", "bar", "A", "B"]
    assert batch(text).stops.tolist() == [text.rindex("&nbsp;")]


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


@examples(300)
@given(st.lists(st.text(st.sampled_from("abYZñßл١१٣\u0301\u093f 123.,-'\n_½Ⅷ😀"), max_size=30), max_size=4))
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


@examples(300)
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


def numbered(lines, step, form):
    return "\n".join(form.format(step * number) + line for number, line in enumerate(lines, 1))


@examples(100)
@given(
    st.lists(st.sampled_from(["the tide went out", "By noon 12 men", "", "x y", "1 2 3"]), min_size=4, max_size=12),
    st.sampled_from([1, 5, 10]),
    st.sampled_from(["{} ", "{:>4}  ", "> {}\t", "[{} ", "\t{}  > "]),
)
def test_counters_of_numbered_lines_are_no_words(lines, step, form):
    lines = ["It was a long quiet day by the sea", *lines, "The end came"]
    marked, bare = (split_words(batch(text)) for text in (numbered(lines, step, form), "\n".join(lines)))
    for column in ("hash", "flags", "line", "pointers"):
        assert getattr(marked, column).tolist() == getattr(bare, column).tolist()


EXCERPT = ["It was a long day", "by the sea", "", "and the tide", "went out", "with", "12 men", "in one boat"]


def test_numbers_of_the_posts_of_a_thread_are_no_words():
    posts = ["The keeper of the lighthouse", "writes down every ship", "that passes at night"]
    thread = "\n\n".join(f"{number}/3 {post}" for number, post in enumerate(posts, 1))
    assert split_words(batch(thread)).hash.tolist() == split_words(batch("\n\n".join(posts))).hash.tolist()
    for text in ("1/2 cup of oil\n2/2 of salt", "1/3 of it\n1/3 of it\n1/3 of it", "see\n2/3 a\n3/3 b"):
        assert len(split_words(batch(text)).hash) == len(text.replace("/", " ").split())


@pytest.mark.parametrize(("first", "form"), [(207, "{} "), (295, "{}: "), (3, "{} | ")])
def test_an_excerpt_of_numbered_lines_begins_with_any_number(first, form):
    marked = "\n".join(form.format(number) + line for number, line in enumerate(EXCERPT, first) if line)
    assert original_words(marked) != original_words("\n".join(filter(None, EXCERPT)))  # a line is missing: no counters
    marked = "\n".join(form.format(number) + line for number, line in enumerate(filter(None, EXCERPT), first))
    assert original_words(marked) == original_words("\n".join(filter(None, EXCERPT)))


SCENE = [f"{word} came down to the sea" for word in ("ann", "bob", "he", "she", "it", "who", "we", "all", "one")]


@pytest.mark.parametrize("blank", [False, True])
@pytest.mark.parametrize(("step", "first"), [(5, 1), (5, 83), (10, 4)])
def test_numbers_of_every_fifth_or_tenth_line_are_no_words(step, first, blank):
    lines = [part for line in SCENE * 3 for part in ([line, ""] if blank else [line])]
    worded = [at for at, line in enumerate(lines) if line]
    marked = list(lines)
    for rank, at in enumerate(worded, first):
        if rank % step == 0:
            marked[at] = f"{rank:>4}  {lines[at]}"
    assert original_words("\n".join(marked)) == original_words("\n".join(lines))
    marked[worded[0]] = f"12 {lines[0]}"  # a number of the text is one word more, and takes none of the others away
    assert original_words("\n".join(marked)) == ["12", *original_words("\n".join(lines))]


def test_times_in_brackets_that_rise_are_no_words():
    spoken = " ".join(f"[00:0{minute}:16] {line}." for minute, line in enumerate(SCENE))
    assert original_words(spoken) == original_words(". ".join(SCENE) + ".")
    fallen = spoken.replace("[00:01:16]", "[00:09:16]")
    assert len(original_words(fallen)) > len(original_words(spoken))


@pytest.mark.parametrize(
    "form",
    [
        "{0}\n00:00:{0:02},000 --> 00:00:{0:02},900\n{1}\n",
        "00:{0:02}.000 --> 01:00.000 align:start position:0%\n{1}\n",
        "[00:{0:02}.000 --> 01:00.000]  {1}",
    ],
)
def test_cues_of_subtitles_are_no_words(form):
    cues = "\n".join(form.format(number, line) for number, line in enumerate(SCENE, 1))
    assert original_words(cues) == original_words("\n".join(SCENE))
    marked, bare = (split_words(batch(text)) for text in (cues, "\n".join(SCENE)))
    assert marked.hash.tolist() == bare.hash.tolist()
    assert marked.flags.tolist() == bare.flags.tolist()


def test_the_language_of_a_fence_is_no_word():
    code = "Call it:\n\n```{}\nprint(1)\n```\nand read on."
    assert original_words(code.format("python")) == ["Call", "it", "print", "1", "and", "read", "on"]
    assert original_words(" ".join(code.format("python").split())) == original_words(code.format(""))
    assert original_words("It is ```make```, or ````make````.") == ["It", "is", "make", "or", "make"]
    assert original_words("Write `make`\n`test`\nhere") == ["Write", "make", "test", "here"]


def test_print_of_one_text_ends_with_it():
    texts = ["Call\n\n```", "python", "a -", "lrb- a", "-lrb", "- a", "1\n00:00:01,000 -->", "00:00:02,000 b"]
    assert original_words(*texts) == [word for text in texts for word in original_words(text)]
    assert "python" in original_words(*texts) and original_words(*texts).count("lrb") == 2


def test_brackets_that_are_spelt_are_no_words():
    assert original_words("The firm -LRB- of 1999 -RRB- (-LSB- left") == ["The", "firm", "of", "1999", "left"]


def test_requests_of_roff_on_lines_of_their_own_are_layout():
    assert original_words(".PP\nThe firm\n.br\nof it\n.sp") == ["The", "firm", "of", "it"]
    assert original_words("The firm .PP of it\n.PP below") == ["The", "firm", "PP", "of", "it", "PP", "below"]
    assert original_words("a missing-lsb-keyword, -lrbs-, lrb") == ["a", "missing", "lsb", "keyword", "lrbs", "lrb"]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"{year} a book by her" for year in range(1990, 2000)),
        "\n".join(f"{number}. a book by her" for number in range(1, 10)),
        "1 one here\n2 two here\n3 three here",
        "2 one here\n3 two here\n4 three here\n5 four here",
        "1 one here\n2 two here\n4 three here\n5 four here",
        "1.5 one here\n2.5 two here\n3.5 three here\n4.5 four here",
        "1/5 one here\n2/5 two here\n3/5 three here\n4/5 four here",
        "1\n2\n3\n4\n5",
        "a 1 one\nb 2 two\nc 3 three\nd 4 four",
        "1 one here 2 two here 3 three here 4 four here",
        "126 not run\n\n127 not found\n\n128 not ended",
        "24 pixels\nwide\n26 pixels\nwide\n28 pixels",
        "09:00 --> 10:30\nLunch\n10:30 --> 11:00\nTea",
        "5 men\na\nb\nc\nd\n10 men\na\nb\n13 men\na\nb",
    ],
)
def test_other_numbers_are_words(text):
    assert original_words(text) == re.findall(r"\w+", text)
    assert original_words("x", text, "y")[1:-1] == re.findall(r"\w+", text)


def test_word_hash_is_fixed():
    first = split_words(batch("Hello")).hash
    assert first.tolist() == split_words(batch("x.ＨELLO\u200b")).hash[1:].tolist()
    assert hex(first[0]) == "0x272b1a56c5980488"


def test_text_hash_is_xxh3_of_utf32():
    texts = ["A  b", "", "é"]
    expected = [xxhash.xxh3_128_hexdigest(t.encode("utf-32-le")) for t in ("a b", "", "é")]
    assert text_hash(batch(*texts)) == expected


@pytest.mark.slow
def test_endless_accents_stay_linear():
    """Quadratic time would not see the end of it."""
    text = "a" + "\u0301\u0323" * 200_000
    batch("warm e\u0301")
    normalised = batch(text)
    piece = unicodedata.normalize("NFKC", text[:CLUSTER_LIMIT])
    assert strings(normalised)[0].startswith(piece)


def test_empty_batches_and_nulls():
    assert batch().pointers.tolist() == [0]
    assert split_words(batch()).pointers.tolist() == [0]
    assert split_words(batch("", " \n", "\u200b")).pointers.tolist() == [0, 0, 0, 0]
    with pytest.raises(ValueError, match="null"):
        batch("a", None)
