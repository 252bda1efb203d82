"""Pages of HTML are read as a browser shows them, and lead back to where their letters stand."""

import time
from html.parser import HTMLParser

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.lexical.text import normalise

SEEN = (
    "What a reader of this page would see is this paragraph, which is long enough to be one "
    "that says something of itself, whatever stands around it."
)
HEAD = "<!DOCTYPE html>\n<html lang='en'><head><title>Title</title>"


def read(text: str) -> str:
    return normalise(pl.Series([text])).codes.tobytes().decode("utf-32-le")


@pytest.mark.parametrize(
    ("markup", "seen"),
    [
        ("<p class='x > y' data-a=\"<b>\">one</p><p>two</p>", "one two"),
        ("one<b>s</b> <code>f()</code>", "ones f()"),
        ("<script>if (a < b) { '</p>' }</script>one<style>p > a { }</style>", "one"),
        ("one <!-- two <p> --> three", "one three"),
        ("one<svg><path d='M0'/><text>label</text></svg>two", "one label two"),
        ("<button>Yes</button><button>No</button>", "yes no"),
        ("1 < 2 and a<b", "1 < 2 and a<b"),
        ("<scripted>one</scripted>", "one"),
        ("a &lt;b&gt; &amp; c", "a <b> & c"),
        ("one <unclosed", "one <unclosed"),
    ],
)
def test_tags_comments_and_scripts_are_not_read(markup: str, seen: str) -> None:
    behind = "" if markup.endswith("b") or markup.endswith("unclosed") else "</body></html>"
    assert read(f"{HEAD}</head><body><p>{SEEN}</p><div>{markup}{behind}") == f"title {SEEN.lower()} {seen}"


@pytest.mark.parametrize("before", ["", "\n ", "<?xml version='1.0'?>\n", "<!-- made by hand -->\n"])
def test_a_page_is_told_by_how_it_begins(before: str) -> None:
    script = "<script>var x = 1;</script>"
    assert read(f"{before}<html>{script}<p>{SEEN}") == SEEN.lower()
    assert "var x" in read(f"A page: {before}<html>{script}<p>{SEEN}")
    assert "var x" in read(f"{before}<html>{script}<p>Nothing else.")


@pytest.mark.parametrize(
    "form",
    [
        '<doc title="x"><main><head rend="h2">One</head><p>{}</p><list><item>a</item><item>b</item></list>',
        '<TEI><text><body><head>One</head><p n="1">{}</p><list><item>a</item><item>b</item></list></body></text></TEI>',
        '<?xml version="1.0"?>\n<section><title>One</title><para>{}</para><row><entry>a</entry><entry>b</entry>',
    ],
)
def test_documents_of_other_markup_are_read_as_pages(form: str) -> None:
    assert read(form.format(SEEN)) == f"one {SEEN.lower()} a b"
    assert "<" in read("At first " + form.format(SEEN))


@pytest.mark.parametrize("opening", ["<!--", "<script>", "<a", '<a x="', "</b", "<style "])
def test_openings_without_an_end_take_time_by_their_number(opening: str) -> None:
    text = f"{HEAD}</head><body><p>{SEEN}</p>" + opening * 200_000
    began = time.process_time()
    read(text)
    assert time.process_time() - began < 5


class _Reader(HTMLParser):
    """The slow reference: what stands outside of tags, scripts and styles."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.seen: list[str] = []
        self.within = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.within += tag in ("script", "style")
        self.seen.append(" " if tag in ("p", "div", "br", "td", "pre", "nav", "script", "style") else "")

    def handle_endtag(self, tag: str) -> None:
        self.within -= tag in ("script", "style")
        self.seen.append(" " if tag in ("p", "div", "td", "pre", "nav", "script", "style") else "")

    def handle_data(self, data: str) -> None:
        self.seen.append("" if self.within else data)


WORDS = st.text("abcdefg xyz.,äß1", min_size=1, max_size=12)
ATTRIBUTE = st.tuples(st.sampled_from(["id", "class", "data-x"]), st.text("ab >/<", max_size=6)).map(
    lambda pair: f' {pair[0]}="{pair[1]}"'
)
TAG = st.builds("<{}{}>".format, st.sampled_from(["p", "span", "div", "b", "td", "code", "pre", "nav"]), ATTRIBUTE)
CLOSING = st.sampled_from(["</p>", "</span>", "</div>", "</b>", "<br/>", "</code>", "</nav>"])
RAW = st.builds("<{0}>{1}</{0}>".format, st.sampled_from(["script", "style"]), st.text("ab<>/'{} ", max_size=9))
COMMENT = st.text("ab <>/", max_size=9).map(lambda inner: f"<!--{inner} -->")
MARKUP = st.lists(st.one_of(WORDS, TAG, CLOSING, RAW, COMMENT), max_size=12).map("".join)


@given(MARKUP)
def test_pages_read_as_a_parser_of_html_reads_them(markup: str) -> None:
    text = f"{HEAD}</head><body><p>{SEEN}</p>{markup}"
    reader = _Reader()
    reader.feed(f"<body> {SEEN} {markup}")
    reader.close()
    assert read(text).split() == ["title", *read("".join(reader.seen)).split()]


@given(MARKUP)
def test_what_is_read_leads_back_to_its_letters(markup: str) -> None:
    text = f"{HEAD}</head><body><p>{SEEN}</p>{markup}"
    found = normalise(pl.Series([text]))
    for code, origin in zip(found.codes.tolist(), found.origin.tolist(), strict=True):
        if chr(code).isascii() and chr(code).isalnum() and text[origin] not in "ß":
            assert text[origin].lower() == chr(code)
