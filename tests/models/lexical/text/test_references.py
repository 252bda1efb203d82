"""References and tags in texts: what the kernel reads beside regular expressions, one text after the other."""

import html
import itertools
import json
import quopri
import re

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from models.lexical.text import normalise, original_spans, split_words
from models.lexical.text.markup.references import read_references

BLOCKS = r"p|div|t[rdh]|table|tbody|thead|[uod]l|li|d[td]|h[1-6]|section|article|header|footer|blockquote|figure"
INLINE = "span|font|strong|em|[abiu]"
WRONG = "[\x80-\xbfŒœŠšŸŽžƒˆ˜–—‘-‚“-„†-•…‰‹›€™]"
NUMBERED = "#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}"
AGAIN = "amp|lt|gt|quot|apos|nbsp|shy|[nm]dash|[lr][sd]quo|hellip"
ONCE, LOST = (rf"[ÂÃ]{one}|[âã]{one}{{2}}|ð{one}{{3}}|â€\ufffd" for one in (WRONG, f"(?:{WRONG}|\ufffd)"))
"""Letters in a wrong encoding, and such that may have lost a byte, where others tell that the text is in one."""
WRONG_AGAIN = rf"[ÂÃ]{WRONG}|[à-ï]{WRONG}{{2}}"
TWICE = rf"Ã[\x82\x83‚ƒ]Â{WRONG}|Ã[\xa0-\xaf](?:Â{WRONG}|â{WRONG}{{2}}){{2}}"
OTHERS = (
    rf"&(?:amp;)?lt;/?(?ai:{BLOCKS}|{INLINE}|br)&(?:amp;)?gt;|&amp;(?:{NUMBERED}|(?i:{AGAIN}));"
    rf"|&(?:{NUMBERED}|{AGAIN}|copy|reg|middot|bull|[lr]aquo|trade|euro|[A-Za-z]{{1,2}}(?:acute|cedil|circ|grave|lig|ring|slash|tilde|uml));"
    r"|\\(?:[_#%&-]|(?:emph|section)\*?\{)|<\|\w+\|>|\[\[\w[^][|]*\|(?=[^][|]*\]\])"
    r"|<[bB][rR] ?/?>"
    rf"|(?ai:</(?:{BLOCKS}|{INLINE})>|<(?:{BLOCKS}|{INLINE})(?: [a-z-]+=(?:\"[^\"<>]*\"|'[^'<>]*'))*>)"
)
SLOW, SLOW_IN_WRONG = re.compile(f"{OTHERS}|{TWICE}|{ONCE}"), re.compile(f"{OTHERS}|{TWICE}|{LOST}")
PIECES = [
    "&", ";", "<", ">", "/", "_", "=", "'", '"', "p", "v", "x", "ñ", "Ã", "Â", "â", "ð", "€", "™", "\ufffd", "\x80",
    "\x9d", "Ÿ", "˜", "ƒ", "日", " ", "\n", "&amp;", "&AMP;", "&lt", "&eacute;", "&Ouml;", "&foo;", "&#0;", "&#39;",
    "&#x27;", "&#X1F600;", "&#xD800;", "&#1234567;", "&#12345678;", "</", "<p>", '<P class="x">', "<br>", "<br />",
    "<br/ >", "</br>", "<BR/>", "<br class='x'>", "<div id='a\"b' CLASS=\"c\">", '<a href="?a&amp;b">', "<a href='",
    "<a b>", "<a b=c>", "<a ->", "</a >", "<td  a=''>", "vector<p>", "vector<br>", "blockquote>", "<blockquote>",
    "<pblockquote>", "<h1>", "<h7>", "<b_>", "â€™", "â€œ", "â€\ufffd", "Ã©", "Ã¢", "ðŸ˜€",
    "Ã\x83Â³", "Ãƒ", "Â³", "donÃ¢â‚¬â„¢t", "Ã¢", "Â\x80", "Ã©Â»Â¿", "‚",
    "&lt;", "&gt;", "&amp;lt;", "&amp;gt;", "&lt;b&gt;", "amp;", "&amp;#39;", "&shy;", "\\_", "\\emph{", "\\section*{",
    "\\foo{", "<|im_end|>", "<|", "|>", "[[", "|", "]]", "[[a b|",
    f'<a href="{"x" * 200}">', f'<a href="{"x" * 201}">', f'<a href="{"ñ" * 101}">',
]  # fmt: skip


@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=12).map("".join), min_size=1, max_size=4))
@example([f"[[a b|{'x' * 194}]]", f"[[a b|{'x' * 193}]]", "Ã© Ã¢ Ã\ufffd", "Ã© Ã\ufffd"])
@settings(deadline=None, max_examples=500)
def test_references_are_read_as_by_regular_expressions(texts):
    _, offsets, data = pl.Series(texts).to_arrow(compat_level=pl.CompatLevel.oldest()).buffers()
    pointers = np.frombuffer(offsets, np.int64)[: len(texts) + 1].copy()
    found, bounds, references = read_references(np.frombuffer(data or b"", np.uint8)[: pointers[-1]], pointers)
    slow = [slowly(text) for text in texts]
    assert [found[low:high].tobytes().decode() for low, high in itertools.pairwise(bounds)] == [
        read for read, _ in slow
    ]
    told = [] if references is None else list(zip(references.place.tolist(), references.extra.tolist(), strict=True))
    assert told == [place for _, places in slow for place in places]
    if references is not None:
        assert np.diff(references.pointers).tolist() == [len(places) for _, places in slow]


def slowly(text: str) -> tuple[str, list[tuple[int, int]]]:
    """A text as read, and of each reference where it stood in it and how many characters went."""
    read, places, at = "", [], 0
    wrong = sum(bool(re.match(ONCE, text[place:])) for place in range(len(text))) > 1
    while at < len(text):
        match = (SLOW_IN_WRONG if wrong else SLOW).match(text, at)
        became = meant(match[0]) if match and not is_glued(text, match) and not is_long(match, text) else ""
        if match and became:
            places.append((len(read), len(match[0]) - 1))
        whole = match and (became or re.fullmatch(TWICE, match[0]))
        read += became or (match[0] if match and whole else text[at])
        at = match.end() if match and whole else at + 1
    return read, places


def is_glued(text: str, match: re.Match[str]) -> bool:
    before = text[match.start() - 1 : match.start()] if match.start() else ""
    opens = re.match(r"<(?!/|br|\|)", match[0], re.IGNORECASE)
    return bool(opens) and bool(re.fullmatch(r"[\w\x80-\U0010ffff]", before))


def is_long(match: re.Match[str], text: str) -> bool:
    tag = match[0]
    if tag.startswith("[["):
        return len(text[match.start() : text.index("]]", match.end())].encode()) >= 200
    return any(len(value.encode()) > 202 for value in re.findall("\"[^\"]*\"|'[^']*'", tag))


def meant(reference: str) -> str:
    if reference[0] in "[\\":
        return reference[1] if len(reference) == 2 else "\n" if reference[1] == "s" else "\u200b"
    if reference.startswith("<|"):
        return "\n"
    if tag := re.fullmatch("&(?:amp;)?lt;(.+)&(?:amp;)?gt;", reference):
        return meant(f"<{tag[1]}>")
    if reference[0] == "&" and len(reference) > 5:
        reference = reference.replace("&amp;", "&")
    if reference[0] == "<":
        return "\n" if re.match(rf"(?i)</?(?:br|{BLOCKS})\b", reference) else "\u200b"
    if reference[0] == "&":
        character = html.unescape(reference)
    else:
        wrong = reference.replace("\ufffd", "\x9d")
        held = b"".join(bytes([ord(one)]) if 0x80 <= ord(one) < 0x100 else one.encode("cp1252") for one in wrong)
        character = held.decode(errors="ignore")
        character = character if character.encode() == held else ""
        if len(character) == 2 or len(character) == 3:
            return meant(character) if re.fullmatch(WRONG_AGAIN, character) else ""
        if "\ufffd" in reference:
            return "”" if character == "”" else "\ufffd"
    return character if len(character) == 1 and character != "\ufffd" else ""


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ('See [Section 6.4](ch06s04.html "6.4. Loading") for it.', "see [section 6.4 for it."),
        ("[![Back](images/back.gif)](pr01.html) | Next", "[![back | next"),
        ("See:\n[Get](get.md)\n[Set](set.md)", "see: [get](get.md) [set](set.md)"),
        ('[guide](https://a.example/b.html "t")', '[guide](https://a.example/b.html "t")'),
        (
            "the [keeper](https://a.example/?utm_source=nl) of [it](https://b.example).",
            "the [keeper of [it](https://b.example).",
        ),
        ("[![Run](https://a.example/b)](https://c.example) of", "[![run](https://a.example/b)](https://c.example) of"),
        ("he's%20happy!%20caf%C3%A9%20and%20100%25", "he's happy! café and 100%"),
        ("see https://a.example/x%20y%20z%20w in it", "see https://a.example/x%20y%20z%20w in it"),
        ("handlers[name](event.target)", "handlers[name](event.target)"),
        ("a [[file:page.html#x][Figure 9.3]] b", "a figure 9.3]] b"),
        ("- [[/635][Figure 9.3]] b", "- figure 9.3]] b"),
        (r"see \href{/46}{the lamps} \textbar{} of it", r"see the lamps} } of it"),
        ("a[[1.0][2.0]]", "a[[1.0][2.0]]"),
        ("`15.1. Better <next.html#hard>`__ and", "`15.1. better and"),
        ('[`openpty`](os.html#openpty\n"os.openpty: a\npair") if possible', "[`openpty` if possible"),
        ("raises :exc:`~django.db.DatabaseError` here", "raises databaseerror` here"),
        ("see (:py:func:`os.open`) and :meth:`!close`", "see (os.open`) and close`"),
        ("the :ref:`list of\n<all-roles>` and `a <k>` of it", "the list of and `a <k>` of it"),
        ("see {meth}`~click.Context.invoke` and (${var}`x`)", "see invoke` and (${var}`x`)"),
        ("`GET /users/{id}` of `a {b}` is", "`get /users/{id}` of `a {b}` is"),
        ("as :rfc:`2822` says, a:b:`c` or ``:exc:``", "as :rfc:`2822` says, a:b:`c` or ``:exc:``"),
        ("memÃ\x83Â³ria, donÃ¢â‚¬â„¢t", "memória, don’t"),
    ],
)
def test_labels_stay_and_pages_that_they_lead_to_go(text, read):
    found = normalise(pl.Series([text]))
    assert "".join(map(chr, found.codes)) == read
    start, end = original_spans(found, np.array([0]), np.array([len(found.codes)]))
    assert (start.tolist(), end.tolist()) == ([0], [len(text)])


@pytest.mark.parametrize("slashes", [False, True])
@pytest.mark.parametrize(
    "text", ['He said "café" 😀.\n\nNext\tline of 1/2', '„So“ sagt er: "ja"\nund', "\u2019s\n\u2019s", 'a \\ "b"\n c']
)
def test_a_string_of_json_is_read_as_its_text(text, slashes):
    escaped = json.dumps(text)[1:-1]
    escaped = escaped.replace("/", "\\/") if slashes else escaped
    one, other = normalise(pl.Series([escaped])), normalise(pl.Series([text]))
    assert one.codes.tolist() == other.codes.tolist()
    start, end = original_spans(one, np.array([0]), np.array([len(one.codes)]))
    assert (start.tolist(), end.tolist()) == ([0], [len(escaped)])
    assert words_of(escaped) == words_of(text)


@given(st.lists(st.text("abé 😀=’\n\t", max_size=30), max_size=5).map(" ".join))
@example("\n==  ====aaaaaaaaaaaaéé’’😀 \n")
@settings(deadline=None)
def test_quoted_printable_is_read_as_its_text(text):
    text = f"{'many words and some more ' * 9}{text} \u00e9."
    for mail in (quopri.encodestring(text.encode()), quopri.encodestring(text.encode()).replace(b"\n", b"\r\n")):
        one, other = normalise(pl.Series([mail.decode()])), normalise(pl.Series([text]))
        assert one.codes.tolist() == other.codes.tolist()
        start, end = original_spans(one, np.array([0]), np.array([len(one.codes)]))
        assert (start.tolist(), end.tolist()) == ([0], [len(mail.rstrip(b"\n\r"))])


def test_quoted_printable_may_be_of_an_older_letter_set_and_equals_signs_of_code_stay():
    begin = f"{'x' * 40} many words of mail stand her"
    mail = f"{begin}=\n{begin}=\nna=EFf it=E2=80=\n=99s =zz"
    assert words_of(mail) == words_of(f"{begin}{begin}naïf it’s zz")
    assert words_of("a =\nb =C3 =\nc") == words_of("a\nb C3\nc")
    code = "\n".join([f"{'name' * 18}="] * 2 + ["value" * 20] * 2)
    assert words_of(code) == words_of(code.replace("=", ""))


def words_of(text: str) -> list[int]:
    return split_words(normalise(pl.Series([text]))).hash.tolist()


def test_escapes_of_a_text_with_lines_or_of_a_single_one_stay():
    assert words_of("C:\\new\\table\n\\n x") == words_of("C new table\nn x")
    assert words_of("one \\n only") == words_of("one n only")
    assert words_of("That\\u2019s it") == words_of("That’s it")
    assert words_of("lone \\ud83d x \\n \\n y") == words_of("lone ud83d x y")


def test_tags_of_forums_are_read_where_one_ends():
    assert words_of("[b]Bold[/b] and [url=https://x.org/a]a page[/url] [quote]said[/quote]") == words_of(
        "Bold and a page said"
    )
    assert words_of("an [b] alone, list[i] and [code") == words_of("an b alone list i and code")
    assert words_of("list[i] and [i]it[/i]") == words_of("list i and it")


def test_marks_of_a_wiki_behind_headings_are_no_words():
    assert words_of("History[edit]\nIt was so.[citation needed] Geschichte[Bearbeiten]") == words_of(
        "History\nIt was so. Geschichte"
    )
    assert words_of("press [edit] to change it, and list[edit2]") == words_of("press edit to change it, and list edit2")


def test_a_record_of_json_has_escapes_though_it_has_lines():
    assert words_of('{\n  "text": "One\\nline \\"said\\" he\\u0301"\n}') == words_of("One\nline said hé")
    assert words_of('{"n": 7, "text": "One\\nline"}') == words_of("n 7 text One\nline")
    assert words_of("It is in C:\\new on this machine") == words_of("It is in C: new on this machine")
    assert words_of("{\\noindent x \\n y \\n}\nz") == words_of("{ noindent x n y n }\nz")
