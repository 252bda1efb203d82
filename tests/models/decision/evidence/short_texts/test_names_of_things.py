"""What names a thing is a fact: its title, and one word for which another text has the same other word every time."""

import numpy as np
import polars as pl
import pytest

from models.decision.evidence.short_texts.containment import IN_B, standing_in
from models.decision.evidence.short_texts.differences import ADDED_FACT, CHANGED, ONLY_A, ONLY_B
from models.decision.types import Verdict
from models.lexical.text import normalise, split_words
from tests.models.decision.evidence.short_texts.test_short_pairs import compared as compared_short
from tests.models.decision.evidence.short_texts.test_short_pairs import differences
from tests.models.decision.evidence.test_own_content import ARTICLE, compared

BODY = (
    "The programs of this kind lay out a drawing of pipes and of what flows in them, so that a plumber can see at a "
    "glance where a valve is stuck, where a pump runs dry and which of two branches takes more than its part of the "
    "load. Drawings are kept as plain text and can be laid side by side; the older of two is shown in grey. Whoever "
    "wants another sheet of symbols draws it with a pencil of his own and has it read by the camera of the machine."
)

PREFACE = (
    "Before there were machines a plumber had his wall and a piece of chalk, and whoever came after him read from it "
    "what had been laid where, unless somebody had washed the wall. Of these walls a few are kept in museums, where "
    "children are shown how long a house took, and why there was never any water on the fourth floor of the school."
)


def page(title: str, end: str = "") -> str:
    return f"{title}\n\n{BODY}\n\n{end}".strip()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Drawings of pipes - runtime library", "Drawings of pipes - command line tools"),
        ("Drawings of pipes -- examples", "Drawings of pipes -- manual"),
        ("Drawings of pipes (examples)", "Drawings of pipes (manual)"),
    ],
)
def test_two_things_of_a_kind_stay_also_where_their_titles_are_in_parts(one, other):
    assert compared(page(one), page(other))["verdict"] == Verdict.DISTINCT


@pytest.mark.parametrize(("one", "other"), [("debian10", "ubuntu1804"), ("rhel8", "rhel9")])
def test_one_word_with_a_number_above_a_text_names_what_it_is_of(one, other):
    assert compared(page(one), page(other))["verdict"] == Verdict.DISTINCT


def test_what_only_one_title_says_stays_with_it():
    found = compared(page("Drawings of pipes (examples)"), page("Drawings of pipes"))
    assert (found["title_words_a"], found["title_words_b"]) == (1, 0)
    assert (found["goes_a"], found["goes_b"]) == (False, True)


@pytest.mark.parametrize(
    "title", ["Drawings of pipes | Daily News", "BREAKING: Drawings of pipes", "An excerpt from drawings of pipes"]
)
def test_names_of_sites_and_words_of_editors_are_nothing_that_a_title_says(title):
    found = compared(page(title), page("Drawings of pipes"))
    assert (found["title_words_a"], found["goes_a"]) == (0, True)


def test_a_label_before_the_whole_title_says_nothing_and_one_or_two_words_may():
    labelled, other_page = page("Read the whole text: Drawings of pipes"), page("Working with: Drawings of pipes")
    assert compared(labelled, page("Drawings of pipes"))["title_words_a"] == 0
    assert compared(other_page, page("Drawings of pipes"))["title_words_a"] > 0


def test_a_title_says_what_the_text_is_about_and_a_menu_does_not():
    subject = page("Biogenesis screensaver for a player", "All of this is the biogenesis screensaver")
    assert compared(subject, page("Gateway of the tower"))["goes_a"] is False
    menu = page("Skip to weather and sports", "All of this is the same")
    assert compared(menu, page("Gateway of the tower", "All of this is the same"))["goes_a"] is True


def test_titles_of_two_things_below_which_the_text_names_one_of_them_stay_and_names_of_sites_do_not():
    end = "All of this is drawn by Pipeworks for nothing"
    found = compared(page("Pipeworks for embedding", end), page("Shell for artists", end))
    assert (found["goes_a"], found["goes_b"]) == (False, False)
    found = compared(page("Morning Herald", end), page("Evening Post of the tower", end))
    assert (found["goes_a"], found["goes_b"]) == (True, True)


MENU = "Home | Projects | Documentation | Jobs\n\nSearch, support and news of all of our projects\n\n"
"""What stands on every page of a site, before its heading."""


@pytest.mark.parametrize("written", ["# {0}", "## The element `{0}` of a page", "{0}\n======"])
@pytest.mark.parametrize("before", ["", MENU])
def test_two_pages_with_headings_of_two_things_stay(written, before):
    one, other = (before + page(written.format(name)) for name in ("Valves", "Pumps"))
    found = compared(one, other)
    assert (found["verdict"], found["goes_a"], found["goes_b"]) == (Verdict.DISTINCT, False, False)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("# Valves", "# Valves [![status](http://status.example/valves.svg)](http://status.example)"),
        ("# Valves", "# Valves 2.0.1"),
        ("# Valves", "# Valve"),
        ("# StopValve", "# Stop Valve"),
        ('# "Valves"', '"Valves"\n========'),
        ("### Contents of it", "# Valves"),
        ("# Valves - in brass", "# Valves - for beginners"),
        ("# Valves", "No heading, but a line"),
    ],
)
def test_headings_of_one_thing_keep_no_page(one, other):
    assert compared(page(one), page(other))["title_words_a"] == 0


@pytest.mark.parametrize("other", ["operator>", "operator!=", "operator<=>", "operator+"])
def test_an_operator_that_is_named_is_no_other_one(other):
    one = page(
        "Functions of the template", "Implementation of `operator>=()` for all of its containers: operator>=(a, b)"
    )
    assert compared(one, one.replace("operator>=", other))["verdict"] == Verdict.DISTINCT


def test_a_name_in_another_spelling_above_and_below_is_another_name():
    client = page("Client of the service Tic in brief", "Put it beside the others: python-client-tic and common")
    assert compared(client, client.replace("Tic", "Tci").replace("tic ", "tci "))["verdict"] == Verdict.DISTINCT


def test_a_negation_in_the_first_sentence_is_a_fact_also_where_the_other_text_has_more_before_it():
    said = "You are hereby {0}allowed {0}to draw on it all that you like, as often as you have the time and the paper."
    for word, verdict in (("not ", Verdict.DISTINCT), ("", Verdict.IN_B)):
        part, whole = f"{said.format(word)}\n\n{BODY}", f"{PREFACE}\n\n{said.format('')}\n\n{BODY}"
        assert compared(part, whole)["verdict"] == verdict


def test_a_page_under_its_heading_may_be_a_section_of_another_and_not_the_other_way_round():
    section = page("# Valves")
    book = f"# All parts of the machine\n\n## Pumps\n\nA pump lifts water out of a well.\n\n#{section}"
    found = compared(section, book)
    assert (found["goes_a"], found["goes_b"]) == (True, False)


@pytest.mark.parametrize(
    ("one", "other", "verdict"),
    [("Size: 4 inches.", "Size: 2 inches.", Verdict.DISTINCT), ("Size: 4 inches.", "Size: 4 inches.", Verdict.IN_B)],
)
def test_a_number_in_a_line_that_is_else_the_same_is_a_fact_below_a_line_that_was_put_in(one, other, verdict):
    said = "It may be put in upside down, and then it is shut by the weight of what lies on it."
    pages = page("Drawings of pipes", one), page("Drawings of pipes", f"{said}\n\n{other}")
    assert compared(*pages)["verdict"] == verdict


@pytest.mark.parametrize(
    ("one", "other"), [("contains the headers", "contains the manual"), ("is for plumbers", "is for painters")]
)
def test_a_short_sentence_states_a_fact_and_a_label_does_not(one, other):
    stated = [page("Drawings of pipes", f"This package {words}.") for words in (one, other)]
    assert compared(*stated)["verdict"] == Verdict.DISTINCT
    labelled = [page("Drawings of pipes", f"Filed under: {words.split()[-1]}") for words in (one, other)]
    assert compared(*labelled)["verdict"] == Verdict.EITHER


def test_a_word_exchanged_again_and_again_names_another_thing_and_a_slip_does_not():
    respelt = "@node {0}\n@section @code{{{0}}}\n@findex {0}\n\n" + BODY
    assert compared(respelt.format("roundevenf"), respelt.format("roundeven"))["verdict"] == Verdict.DISTINCT
    once = respelt.format("roundeven")
    assert compared(once, once.replace("roundeven", "roundevem", 1))["verdict"] == Verdict.EITHER
    marked = respelt.format("matières")
    assert compared(marked, marked.replace("è", "e"))["verdict"] == Verdict.IN_A, "a converter loses every accent"
    page = "{1}(1) of the core utilities\n\n{0} lists what a folder holds. See info {0} as well.\n\n" + BODY
    assert compared(page.format("vdir", "VDIR"), page.format("dir", "DIR"))["verdict"] == Verdict.DISTINCT
    unlike = "Bindings, {0} part\n\nThe files of {0} bind it.\n\n" + BODY
    assert compared(unlike.format("sync"), unlike.format("xv"))["verdict"] == Verdict.DISTINCT


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ein {0}s Paket: das {0} Paket der Leser", ("serbische", "hebräische")),
        ("Scans of {0} pages: what a reader of {0} needs", ("slovenian", "slovakian")),
        ("The node you look for is at {0}", ("XREFdisp", "XREFSIG")),
        ("The node you look for is at {0}", ("XREFfill", "XREFfind")),
        ("A watch of steel and gold {0} at the jeweller", ("SP35C6SPGD", "SP35BSPGD")),
        ("It binds to the library gRPC {0} for all", ("C", "C++")),
    ],
)
def test_a_short_text_names_another_thing(one, other):
    assert differences(*(one.format(word) for word in other), dict.fromkeys(other, 1)) != 0


def test_the_short_text_that_says_more_stays_however_many_documents_use_its_words():
    text = "a library of pumps and valves for all who draw"
    for added, more in (("documentation of", ONLY_A), ("really", 0)):
        _, found, says = compared_short([(f"{added} {text}", text)])
        assert (found[0], says[0]) == (0, more)
    _, _, says = compared_short([(text, f"documentation of {text}")])
    assert says[0] == ONLY_B


@pytest.mark.parametrize(("sign", "found"), [("", IN_B), ("++", 0), ("#", 0)])
def test_a_text_on_one_language_does_not_stand_in_one_on_another(sign, found):
    short, full = "It compiles C on all of them.", f"Read this first. It compiles C{sign} on all of them."
    texts = normalise(pl.Series([short, full]))
    rows = np.array([0]), np.array([1]), np.ones(1, np.bool_)
    assert standing_in(texts, split_words(texts), *rows).tolist() == [found]


@pytest.mark.parametrize(("added", "found"), [("Junior", ADDED_FACT), ("Really", 0)])
def test_a_word_put_into_a_title_names_another_thing_and_a_word_of_emphasis_does_not(added, found):
    assert differences("Harbour Boots With Two Straps", f"Harbour {added} Boots With Two Straps") & ADDED_FACT == found


@pytest.mark.parametrize(
    ("text", "added", "found"),
    [
        ("Entry points for all {}features of the library", "stable ", ADDED_FACT),
        ("Entry points for all {}features of the library", "the ", 0),
        ("Entry points for the {}feаtures of the library", "stable ", 0),
        ("Eine Liste für alle {}Häfen an der Küste", "großen ", ADDED_FACT),
    ],
)
def test_a_word_put_in_behind_all_says_it_of_fewer_also_in_disguise(text, added, found):
    """Of "feаtures" one letter is Cyrillic: half a word may stand apart in such a text."""
    assert differences(text.format("").replace("а", "a"), text.format(added)) & ADDED_FACT == found


@pytest.mark.parametrize(
    ("rare", "usual", "found"),
    [
        (("gd", "Grenada"), ("gl", "Greenland"), CHANGED),
        (("gy", "Guyana"), ("gy", "Guinea"), CHANGED),
        (("gd", "Grenada"), ("gl", "Grenada"), CHANGED),
        (("gd", "Grenqda"), ("gd", "Grenada"), 0),
    ],
)
def test_codes_and_names_that_differ_in_several_letters_are_others_however_rare_one_is(rare, usual, found):
    text = "{} is the country code for {} on all networks"
    known = {word.lower(): 1 for word in set(rare) - set(usual)}
    assert differences(text.format(*rare), text.format(*usual), known) == found


NETWORK = (
    "ネットワーク管理フレームワーク ({0} プラグインコア)\n\nネットワークデバイスと接続を管理する"
    "システムネットワークサービスで、利用できる限りアクティブなネットワーク接続を維持するよう動作します。"
    "イーサネット、モバイルブロードバンドおよびその他のデバイスを管理し、また、各種さまざまなサービスと"
    "連携し統合を提供します。\n\n本パッケージは {0} 用プラグインを提供します。"
)


@pytest.mark.parametrize(("one", "other"), [("SSH", "iodine"), ("strongswan", "iodine"), ("SSH", "Fortinet")])
def test_a_word_of_latin_letters_is_a_name_among_those_of_a_script_without_capitals(one, other):
    found = compared(NETWORK.format(one), NETWORK.format(other))
    assert (found["verdict"], found["other_facts"] > 0) == (Verdict.DISTINCT, True)


def test_a_link_is_what_a_text_says_that_is_little_else():
    links = [f"https://www.facebook.com/groups/{group}" for group in (1601381123461284, 1742657446017065)]
    assert compared(*links)["verdict"] == Verdict.DISTINCT
    invited = [f"Join the other mappers of our town every week {link}" for link in links]
    assert compared(*invited)["verdict"] == Verdict.EITHER


def test_two_short_pages_of_one_site_both_stay_however_much_of_it_they_share():
    frame = "Home\nGuides\nAbout us\n\n{}\n\n{}\n\nShare this:\n\n" + ARTICLE
    titles = ("Baking rye bread", "Sailing by night")
    texts = ("Mix flour\nWarm water\nBaking powder\nSalt\n", "Set the lamps\nSailing signals\nLog the depth\n")
    pages = [
        f"{title} | Harbour News\n\n{frame.format(title, text)}" for title, text in zip(titles, texts, strict=True)
    ]
    assert compared(*pages)["verdict"] == Verdict.DISTINCT
    renamed = pages[0].replace("Baking rye bread |", "Rye bread at home |")
    assert compared(pages[0], renamed)["verdict"] != Verdict.DISTINCT, "one page under two titles"
