"""Which cuts are made: one copy of everything stays, no stump is left, nothing that others lean on goes."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.lexical.fragments.search import fragments
from models.lexical.text import normalise, split_words, to_text
from models.lexical.text.spans import cut
from models.parameters import Fragment
from tasks.resolve.fragments.cuts import place, wholes, without_surroundings
from tasks.resolve.fragments.search import _tables
from tasks.resolve.fragments.spans import with_text
from tests.support.examples import examples

NOTICES = [
    "We use cookies here. Read more about them on the page of our privacy policy.",
    "Subscribe to our weekly letter. It comes on Fridays and costs nothing at all.",
    "All rights are reserved. No part may be copied by anybody without our consent.",
]
TIES = pl.DataFrame(schema={"fragment": pl.Int64, "doc": pl.Int64, "tie": pl.Float32})
LOOSE = {"min_chars": 20, "min_hosts": 3, "max_cut_share": 1.0, "min_rest_chars": 0, "min_rest_words": 0}


def body(seed: int, sentences: int = 6) -> str:
    return " ".join(f"Story {seed} goes on with item {seed * 31 + at} of {seed + at}." for at in range(sentences))


def decided(texts: list[str], guarded: list[int] = [], ties: pl.DataFrame = TIES, **bounds: object) -> pl.DataFrame:  # noqa: B006
    """The spans of some documents when every repeated passage is viral."""
    given_bounds = Fragment(**(LOOSE | bounds))  # type: ignore[arg-type]
    normalised = normalise(pl.Series(texts, dtype=pl.String))
    found = fragments(normalised, split_words(normalised), given_bounds.min_chars, given_bounds.min_hosts)
    passages, places = _tables(found)
    by_doc = dict(enumerate(texts))
    judged = passages.with_columns(action=pl.lit("cut"))
    parts = without_surroundings(wholes(places, by_doc, given_bounds.min_chars), judged, given_bounds.min_chars)
    return with_text(place(given_bounds, judged, parts, by_doc, pl.Series(guarded, dtype=pl.Int64), ties), by_doc)


def published(texts: list[str], spans: pl.DataFrame) -> list[str]:
    cuts: dict[int, list[tuple[int, int]]] = {}
    for doc, start, end in spans.filter("cut").sort("doc", "start").select("doc", "start", "end").iter_rows():
        cuts.setdefault(doc, []).append((start, end))
    return [cut(text, cuts.get(doc, [])) for doc, text in enumerate(texts)]


def plain(text: str) -> str:
    return to_text(normalise(pl.Series([text], dtype=pl.String)).codes)


PIECES = st.lists(
    st.sampled_from([*NOTICES, *(sentence for one in NOTICES for sentence in one.split(". "))]), max_size=4
)


@pytest.mark.slow
@examples(60)
@given(st.lists(PIECES, min_size=4, max_size=12))
def test_of_all_that_is_cut_a_whole_copy_is_published(pieces: list[list[str]]) -> None:
    texts = ["\n\n".join([body(seed), *chosen, body(seed + 100, 2)]) for seed, chosen in enumerate(pieces)]
    spans = decided(texts)
    everything = " | ".join(map(plain, published(texts, spans)))
    for piece in spans.filter("cut")["text"]:
        assert plain(piece) in everything


def test_one_copy_of_each_stays_where_it_belongs_most() -> None:
    texts = [f"{body(seed)}\n\n{NOTICES[0]}" for seed in range(6)]
    ties = pl.DataFrame({"fragment": [0, 0], "doc": [2, 4], "tie": [0.1, 0.7]}, schema=TIES.schema)
    assert decided(texts, ties=ties).filter("cut")["doc"].to_list() == [0, 1, 2, 3, 5]
    assert decided(texts).filter("cut")["doc"].to_list() == [1, 2, 3, 4, 5]
    assert decided(texts, action="cut").filter("cut")["doc"].to_list() == [0, 1, 2, 3, 4, 5]
    listed = decided(texts, action="annotate")
    assert listed["doc"].to_list() == [0, 1, 2, 3, 4, 5] and not listed["cut"].any()


def test_a_copy_that_stands_anyway_is_enough() -> None:
    texts = [*(f"{body(seed)}\n\n{NOTICES[0]}" for seed in range(4)), NOTICES[0]]
    assert decided(texts, max_cut_share=0.5).filter("cut")["doc"].to_list() == [0, 1, 2, 3]
    assert decided(texts[:4], guarded=[3]).filter("cut")["doc"].to_list() == [0, 1, 2]


@pytest.mark.parametrize(
    ("bounds", "spared"),
    [({"max_cut_share": 0.3}, True), ({"min_rest_chars": 400}, True), ({"min_rest_words": 80}, True), ({}, False)],
)
def test_no_stump_is_left(bounds: dict[str, float], spared: bool) -> None:
    short = f"{body(50, 3)}\n\n{NOTICES[0]}"
    texts = [*(f"{body(seed, 20)}\n\n{NOTICES[0]}" for seed in range(5)), short]
    assert (5 in decided(texts, action="cut", **bounds).filter("cut")["doc"]) != spared


def test_what_holds_no_whole_sentence_is_left() -> None:
    ends = ["on Monday", "by train", "at night", "with care"]
    texts = [
        f"{body(seed)} However {end} we all went on to see the old lighthouse with {end}."
        for seed, end in enumerate(ends)
    ]
    spans = decided(texts)
    assert spans.height and not spans["cut"].any()


def test_a_passage_of_which_a_part_would_stay_is_left() -> None:
    part = "So does the half of it that comes behind and goes on in other words with every one of these"
    texts = [f"{body(seed)}\n\n{NOTICES[0]}\n\n{part} {seed} documents here." for seed in range(6)]
    assert not decided(texts, min_chars=40)["cut"].any()
    whole = [text.replace(part, f"Page {seed}") for seed, text in enumerate(texts)]
    assert decided(whole, min_chars=40)["cut"].any()


def within(seed: int, notice: str) -> str:
    """A paragraph with a notice between two of its sentences, of which the second points back."""
    return f"{body(seed, 3)} {notice} This was told {seed + 7} times. {body(seed + 50, 3)}"


def test_what_stands_on_its_own_lines_elsewhere_is_cut_out_of_a_paragraph() -> None:
    own = [f"{body(seed)}\n\n{NOTICES[0]}" for seed in range(3)]
    spans = decided([*own, within(3, NOTICES[0]), within(4, NOTICES[0])])
    assert spans.filter("cut")["doc"].to_list() == [1, 2, 3, 4]
    assert published([*own, within(3, NOTICES[0]), within(4, NOTICES[0])], spans)[3] == within(3, "").replace("  ", " ")


def test_a_sentence_of_paragraphs_is_left_where_it_hardly_stands_alone() -> None:
    texts = [f"{body(0)}\n\n{NOTICES[0]}", *(within(seed, NOTICES[0]) for seed in range(1, 5))]
    assert decided(texts).filter("cut")["doc"].to_list() == [0]


def test_fields_of_a_record_are_not_cut() -> None:
    field = (
        "deprecated:\n  removed_in: 6.0.0\n  why: This collection and all of it is kept by none.\n  alternative: none"
    )
    texts = [f"module: number_{at}\n\n{{}}\n\n{body(at)}" for at in range(5)]
    assert not decided([text.format(field) for text in texts])["cut"].any()
    assert not decided([text.format(field.replace(":", " :")) for text in texts])["cut"].any()
    assert decided([text.format(field.replace(":", "")) for text in texts])["cut"].any()


def test_the_value_of_a_field_is_not_cut() -> None:
    """A record whose licence is gone says "License: Own-1" and nothing more."""
    texts = [f"Files: {at}/*\nLicense: Own-{at}\n{{}}{NOTICES[2]}\n\n{body(at)}" for at in range(5)]
    assert not decided([text.format(" ") for text in texts])["cut"].any()
    assert decided([text.format("\n") for text in texts])["cut"].any(), "a paragraph of its own"


@pytest.mark.parametrize(
    ("name", "cut"),
    [
        ("seed_{}{{int}}, optional", False),
        ("--seed-{}", False),
        ("seed_{}", False),
        ("seed\nseed_{}", True),
        ("Python 3.{} is required.", True),
    ],
)
def test_what_says_the_meaning_of_a_parameter_is_not_cut(name, cut) -> None:
    texts = [f"{body(at)}\n\n{name.format(at)}\n\n{NOTICES[2]}\n\n{body(at + 50)}" for at in range(5)]
    assert decided(texts)["cut"].any() == cut


@pytest.mark.parametrize(
    ("passage", "cut"),
    [
        ("width : (and/c real? (not/c negative?))\n\nheight : (and/c real? (not/c negative?))", False),
        ("Note: This function can be invoked via the meta-object system of Qt, and from QML.", False),
        ("Cette fonction ne peut être appelée que depuis un fil qui a été lancé par le système.", False),
        ("This website stores cookies on your device to show you what you like, as others do.", True),
        (
            "Methods inherited from class java.lang.Object\n\nclone, equals, finalize, getClass, hashCode, notify",
            False,
        ),
        (
            "2.1. Normal Layer Modes\n\n2.2. Lighten Layer Modes\n\n2.3. Darken Layer Modes\n\n2.4. Contrast Modes",
            False,
        ),
        ("C\nLanguage\nHeaders\nType support\nMemory\nErrors\nUtilities\nDates and times\nStrings\nNumerics", True),
        ("Method Summary\nAll Methods\nInstance Methods\nAbstract Methods\nModifier and Type\nMethod", False),
        ("Legendre, P. and Legendre, L. (2012) \\emph{Numerical Ecology}. 3rd English\n  ed. Elsevier.", False),
        ("References\n\nFox, J. (2008) Applied Regression Analysis and Generalized Linear Models of it. Sage.", False),
        (
            'A {gateway} is told by "router" in <words> of today, an {internet} {protocol} which (all) **know** well.',
            True,
        ),
        ("Your e-mail address, as you know, is never shown to anybody who visits our pages.", True),
        ("[![License: MIT](https://img.shields.io/badge/License-MIT-yellow.svg)](https://opensource.org)", True),
        ("12.2.1. Debugging of interpreted code\n12.2.2. A GUI program with the shell script\n12.2.3. Actions", False),
        (
            "26.2. \nTERMS AND CONDITIONS FOR COPYING IT\n26.3. \nHow to apply these terms to works\n27.",
            False,
        ),
        ("2.1. You may copy and change it; the notice stays.\n2.2. You may sell what you have made of it.", True),
        (".. _oneof: https://proto-plus-python.readthedocs.io/en/stable/fields.html#oneofs-exclusive-fields", False),
        ("[guide]: https://example.org/en/stable/guide\n[faq]: https://example.org/en/stable/faq", False),
        ("This extension is no part of the open format. It is told where the name space is", False),
        ("This extension is no part of the open format. It is told in the manual", True),
        ("Main index |\nRaster index |\nTopics index |\nKeywords index |\nGraphical index |\nFull index", True),
        (
            "本ページに掲載されている情報は予告なく変更されることがあります。あらかじめご了承ください。本ページの情報です。",
            True,
        ),
    ],
)
def test_a_passage_is_cut_for_a_sentence_or_a_notice(passage, cut) -> None:
    texts = [f"{body(at)}\n\n{passage}\n\n{body(at + 50)}" for at in range(5)]
    assert decided(texts, min_chars=40)["cut"].any() == cut


def test_what_some_hosts_have_in_front_of_a_notice_is_theirs() -> None:
    """The passage that holds a far more common one is longer by a line of its few hosts, which would go with it."""
    few = [f"{body(at)}\n\nErrors of the standard kind may be thrown by all of it.\n\n{NOTICES[0]}" for at in range(4)]
    many = [f"{body(at)}\n\n{NOTICES[0]}" for at in range(10, 40)]
    spans = decided([*few, *many])
    assert set(spans.filter("cut")["doc"]) == set(range(4, 34))
    assert set(decided([*few, *many[:4]]).filter("cut")["doc"]) > {1, 2, 3}, "as common as the notice alone"
