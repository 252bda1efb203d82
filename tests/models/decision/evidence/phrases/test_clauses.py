"""A licence with a clause more is another licence; one that stands in a longer text in one piece is not."""

import pytest

from models.decision.types import Verdict
from tests.models.decision.evidence.test_own_content import ARTICLE, compared

HEAD = (
    "Permission is granted to anybody who holds a copy of these tables to use, print and redistribute them, with or "
    "without changes, provided that the conditions below are met and that nobody is charged for more than the paper. "
)
SECOND = "2. Redistributions in print must carry this notice and the disclaimer on the page that bears the title. "
THIRD = "3. The name of the observatory may not be used to endorse a work that was made from these tables. "
END = (
    "The tables come as they are, without any warranty, and in no event shall the Royal Observatory or those who "
    "reckoned the tables be liable for ships that were lost, whether or not anybody had been told that it might "
    "happen, and whatever the theory on which a claim is founded may be called in the country where it is brought."
)
FIRST = "1. Redistributions of the tables must retain this list of conditions and the disclaimer below. "
CLAUSE = 7
TWO, THREE = HEAD + FIRST + SECOND + END, HEAD + FIRST + SECOND + THIRD + END


def test_a_licence_does_not_go_for_one_with_another_clause():
    found = compared(TWO, THREE)
    assert (found["stock_words_a"], found["goes_a"]) == (CLAUSE, False), "all its words stand there"
    assert (found["stock_words_b"], found["goes_b"]) == (CLAUSE, False), "the clause is lacking"
    assert found["verdict"] == Verdict.DISTINCT


def test_a_licence_that_stands_in_a_longer_text_in_one_piece_goes():
    found = compared(TWO, f"{ARTICLE}\nThe tables at the end are free.\n\n{TWO}\n")
    assert (found["stock_words_a"], found["goes_a"]) == (0, True)


@pytest.mark.parametrize("mark", ["…", "[...]", "* * *"])
def test_an_excerpt_may_say_that_it_leaves_clauses_out(mark):
    excerpt = f"{HEAD}{FIRST}{mark.replace('* * *', '***')}\n{END}"
    assert compared(excerpt, THREE)["stock_words_a"] == 0


def test_the_beginning_of_a_licence_is_no_frame_of_a_page():
    found = compared(THREE, FIRST + SECOND + THIRD + END)
    assert found["stock_words_a"] > 15
    assert not found["goes_a"]


def test_who_grants_something_is_part_of_what_is_granted():
    hollow = THREE.replace("the Royal Observatory or those who", "those who")
    found = compared(THREE, hollow)
    assert (found["stock_words_a"], found["goes_a"]) == (4, False)
    assert not found["goes_b"], "nor does the one in which nobody is named: it binds others"


def test_a_story_may_go_for_one_with_a_sentence_more():
    told = ARTICLE.replace(
        "The harbour master", "Visitors must ask for a permit, provided by the port. The harbour master"
    )
    assert compared(ARTICLE, told)["stock_words_a"] == 0


BARE = f"{THREE}\n"
HOLDER = "Copyright (c) 2015 Josh Junon\n"
MENU_OF_A_SITE = "Home Catalogue Visitors Shop Contact Imprint Search Login Language Newsletter Jobs\n" * 2


@pytest.mark.parametrize(
    ("before", "behind", "stays"),
    [
        (HOLDER, "", True),
        ("Copyright JS Observatory and others\n", "", True),
        ("COPYRIGHT JS OBSERVATORY AND OTHERS\n", "", False),
        ("Academic Tables License\n", "", True),
        ("Share Telegram Pocket Print\n", "", False),
        ("Geode says:\n", "", False),
        ("THE TABLES LICENCE, VERSION 2\n", "", False),
        ("", "\nTidal Window is a licensed mark of the Consortium.\n", True),
        (MENU_OF_A_SITE, "", False),
        (MENU_OF_A_SITE + HOLDER, "", True),
    ],
)
def test_a_name_before_or_behind_a_licence_is_part_of_it(before, behind, stays):
    found = compared(before + BARE + behind, BARE)
    assert (found["stock_words_a"] > 0, found["goes_a"]) == (stays, not stays)
    assert found["goes_b"], "the one without loses nothing"


def test_a_holder_whom_the_other_names_as_well_is_not_lost():
    assert compared(HOLDER + BARE, f"(c) Junon, Josh, 2015\n{BARE}")["stock_words_a"] == 0
