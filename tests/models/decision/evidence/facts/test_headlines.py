"""One story under two headlines is one document; what a heading alone says still makes another one."""

import pytest

from models.decision.types import Verdict
from tests.models.decision.evidence.test_own_content import compared

STORY = (
    "The harbour town of Wexley will close its old ferry pier in the spring, after divers found that half of the piles "
    "below it are eaten away by worms. The council voted on the matter on Tuesday evening, in a hall so full that many "
    "people had to listen from the stairs.\n"
    "Mayor Ada Lindqvist said that nobody would be cut off from the islands while the pier is built anew. Two boats of "
    "the fishing fleet are to carry passengers from the fish market instead, every hour from six in the morning until "
    "midnight, and bicycles go free of charge.\n"
    "Shopkeepers near the pier are less sure. Their customers come with the ferry, said Tom Arkwright, who sells rope "
    "and paint there as his father did, and whoever gets off at the market will buy his bread at the market. "
    "He asks the council to lower the rents for as long as the work goes on.\n"
    "The new pier is to stand on steel, which no worm eats. It will be paid for by county, town and the fund that "
    "fishermen set up after the great storm, and should be open again before the herring arrive."
)


def page(headline: str, story: str = STORY) -> str:
    return f"{headline}\n\n{story}"


def framed(headline: str) -> str:
    return f"Home | News | Sport | Weather\n{headline}\nBy Paul Harris\n{STORY}\nMost read\nTerms of use"


HEADLINES = [
    ("Wexley council closes ferry pier", "Worms shut the old pier of Wexley"),
    ("Ferry pier at Wexley to close in spring", "Fishing boats to carry passengers as ferry pier is closed"),
    ("Shopkeepers fear for customers of ferry pier", "Council votes to build the ferry pier anew"),
]


@pytest.mark.parametrize(("one", "other"), HEADLINES)
def test_a_story_is_one_document_whatever_headline_stands_above_it(one, other):
    assert compared(page(one), page(other))["verdict"] == Verdict.EITHER
    assert compared(framed(one), page(other))["verdict"] in (Verdict.EITHER, Verdict.IN_A, Verdict.IN_B)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Wexley council closes ferry pier", "Wexley council will not close ferry pier"),
        ("Wexley council closes ferry pier", "Only Wexley council may close the ferry pier"),
        ("The council of Wexley closes the ferry pier", "The council of Denholm closes the ferry pier"),
        ("Wexley council closes ferry pier", "Recipes for the long winter evenings"),
    ],
)
def test_a_heading_that_says_what_the_story_does_not_makes_another_document(one, other):
    assert compared(page(one), page(other))["verdict"] == Verdict.DISTINCT


def test_who_alone_states_a_number_stays():
    found = compared(page(HEADLINES[0][0]), page("Ferry pier closed after 340 complaints"))
    assert not found["goes_b"]


def test_what_stands_in_the_story_is_asked_for_facts_as_ever():
    later = STORY.replace("every hour from six", "every hour from seven")
    assert compared(page(HEADLINES[0][0]), page(HEADLINES[0][1], later))["verdict"] == Verdict.DISTINCT


def test_a_few_sentences_are_no_story():
    few = STORY.partition("\n")[0]
    assert compared(page(HEADLINES[0][0], few), page(HEADLINES[0][1], few))["verdict"] == Verdict.DISTINCT
