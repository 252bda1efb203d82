"""Records of question sets and texts of signs: what looks alike around them is not what they say."""

import itertools

import pytest

from models.decision.evidence.short_texts.differences import ONLY_A, ONLY_B
from models.decision.types import Verdict
from tests.models.decision.evidence.facts.test_exchanges import both
from tests.models.decision.evidence.test_own_content import compared
from tests.models.decision.evidence.test_pair_evidence import NEWS, OTHER_NEWS

PASSAGE = NEWS + OTHER_NEWS


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Who paid for the bridge?", "When was the harbour closed?"),
        ("Question: Who paid for it.\nAnswer: the council.", "Question: Who paid for it.\nAnswer: a widow."),
        ("Who paid for the bridge?\nNobody", "Who paid for the bridge?\nThe council of the town"),
        ("What did the bridge of the widow say?\nNo.", "What is the name of the bridge of the widow?\nNo."),
        ("Response: a bridge was opened.", "Response: nobody came to see it."),
        ("**Prompt**: agitée", "**Prompt**: bavarder"),
        ("Who paid for the bridge?\nThe council\nYes.", "Who paid for the bridge?\nThe council\nNo."),
        ("question: was the bridge ever closed at night", "question: was the bridge first opened by a widow"),
    ],
)
def test_another_question_or_answer_behind_one_passage_makes_another_record(one, other):
    assert both(f"{PASSAGE}\n{one}", f"{PASSAGE}\n{other}")["other_facts"] > 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Who paid for the bridge?\nThe council.\nA council", "When was the harbour closed?\nIn May\nin the spring"),
        (
            "Who details the bridge of Sophia?\nMrs. Baines\nBaines",
            "Where do the bridge of Sophia and the harbour meet?\nIn Oslo",
        ),
        ("Where was the widow who paid for the harbour from?\nOslo", "Where was the widow from?\nFrom Bergen"),
        ("question: can we sit in a train with that ticket", "question: can we board a train with that ticket"),
    ],
)
def test_another_question_above_a_passage_makes_another_record(one, other):
    assert both(f"{one}\n{PASSAGE}", f"{other}\n{PASSAGE}")["other_facts"] > 0


def test_a_record_is_in_no_longer_one_that_asks_something_else():
    longer = f"{PASSAGE}\nThe widow laughed at all of that.\nWho told interesting stories?\nThe widow"
    assert both(f"{PASSAGE}\nWho was forgetful?\nUnknown", longer)["other_facts"] > 0
    assert (
        both(f"{PASSAGE}\nThe widow laughed at all of that.\nWho told interesting stories?", longer)["other_facts"] == 0
    )


def test_a_question_below_a_passage_is_another_than_one_above_it():
    below = f"passage: {PASSAGE}\nquestion: was the bridge ever closed at night"
    assert both(f"question: did a widow open the bridge\npassage: {PASSAGE}", below)["other_facts"] > 0
    assert both(f"question: was the bridge ever closed at night\npassage: {PASSAGE}", below)["other_facts"] == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Who paid for the bridge?", "Who payed for the bridge?"),
        ("See https://example.org/?page=7.7 for more", "See https://example.org/?page=7.5 for more"),
        ("Read more", "Share this story with others"),
        ("Was this page of any help?", ""),
        (
            "Home | Taxes | Sports | Weather | Travel | Food | Cars | Houses | Jobs | Books | Films | Music | Games | "
            "Garden | Health | Science | Money | Letters | Puzzles | Deaths | Births | Weddings | Crime | Courts | "
            "Parks | Roads | Rails | Ports | Schools | Churches | Pools | Imprint | Contact | Lost your password?",
            "Home\nTaxes\nSports\n\nLost your password?",
        ),
        (
            "3 comments\n\nAnna, 3 May\nWho paid for it?\nReply\nLike\nShare\nInput: none",
            "Related pages\nHave a question?\nTaxes\nSports\nWeather\nImprint",
        ),
    ],
)
def test_what_a_template_puts_behind_a_passage_is_no_other_answer(one, other):
    assert both(f"{PASSAGE}\n{one}", f"{PASSAGE}\n{other}")["other_facts"] == 0


def test_a_record_whose_last_field_is_empty_says_less():
    empty, filled = "Instruction: Write a string.\n\nOutput: \x80\x81", "Instruction: Write a string.\n\nOutput: JOSEVI"
    assert (compared(empty, filled)["says_more"], compared(filled, empty)["says_more"]) == (ONLY_B, ONLY_A)
    empty, filled = (
        "# What is run when an address is freed.\nfree =",
        "# What is run when an address is freed.\nfree = fire",
    )
    assert (compared(empty, filled)["says_more"], compared(filled, empty)["says_more"]) == (ONLY_B, ONLY_A)
    assert compared(f"{empty} =", f"{empty}==")["says_more"] == 0, "a ruler"


def test_records_of_one_form_differ_in_one_slot():
    prompt = f"{PASSAGE}\n\nWord to be told: "
    fills = ["bridge\nnoun", "to drown\nverb", "harbour and tide\nnouns"]
    slots = [both(prompt + one, prompt + other, {}) for one, other in itertools.combinations(fills, 2)]
    assert len({abs(found["slot"]) for found in slots} - {0}) == 1
    assert len({found[side] for found in slots for side in ("fill_a", "fill_b")}) == 3
    assert both(f"{PASSAGE} Sold by Anna.", f"{PASSAGE} Sold by Ann.")["slot"] == 0, "a slip"
    tokens = [f"{PASSAGE} Click here.\n{token}" for token in ("axnaefpgdoyef", "kpjxxyrsjsnap")]
    alone = both(*tokens, {"axnaefpgdoyef": 1, "kpjxxyrsjsnap": 1})
    assert both(*tokens, {})["slot"] == -alone["slot"] > 0, "nobody else has them"
    assert both(f"{PASSAGE}\nInput: a\nOutput: \"''\"", f"{PASSAGE}\nInput: a\nOutput: drop")["other_facts"] > 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("( [ { } ) ) [ ] ( { } ( ( ) ) ) ( { } )\nInvalid", "} [ } ) ) ) } } } ) ( ] ) ) } ) } ) } )\nInvalid"),
        ("Which of the two is it? 🔵 🟦 🔻 🟡 🔺 🔻", "Which of the two is it? 🟨 🟥 🟨 🔴 🟡 🔵"),
        ("'17:10'\n'17:10'", "'17:05-17:10'\n'17:10'"),
        ("[1, 1, 1, 1, 1, 1, 1, 1]\n[1]", "[1, 1, 1, 1, 1, 1, 1, 1, 1]\n[1, 1, 1, 1, 1, 1, 1, 1, 1]"),
        ("Zombie\nTaunt, and a grave of its own", "Menacing Zombie\nTaunt, and a grave of its own"),
        ("Horn of the tide\nCosts (5).", "Horn of the tide\nCosts (5) less."),
        ("Crasher of walls\nAfter a sale, gain +{0}/+{1}.", "Crasher of walls\nAfter a sale, gain +{0}/+{1} twice."),
        ("} ( ) [\nInvalid", "[ ] [ ) [ ] { [ ( ) [ ( ( ( ) ) ) ] ] }\nInvalid"),
        ("Weak . . .\nnegative", "; ( . .\nnegative"),
        ("lidopen\ngeneric lidocaine", "lidazone\ngeneric lidocaine"),
        ("Instruction: Write a string.\n\nOutput: \"''\"", "Instruction: Write a string.\n\nOutput: JOSEVI"),
        ("Instruction: Write a string.\n\nOutput: \"''\"", "Instruction: Write a string.\n\nOutput: <?>"),
        ("Tiraspol is a name of a country.", "Tripoli is a name of a country."),
        ("Memoirs of old Page 311\nClick to read it.", "Memoirs of old Page 182\nClick to read it."),
        ('LC_NUMERIC\ndecimal_point ","\ngrouping 3;3\nEND LC', 'LC_NUMERIC\ndecimal_point "."\ngrouping 3;3\nEND LC'),
        ("Se esperaba [", "Se esperaba ("),
        ("Condition: x ≥ 10 and the pump is off", "Condition: x < 10 and the pump is off"),
        ("Condition: x <= 10 and the pump is off", "Condition: x >= 10 and the pump is off"),
        ("Y-Index: a book on mails for users", "E-Index: a book on mails for users"),
        ("Highlighted when a user pauses on a series.", "Highlighted when a user pauses on a series point."),
        ("## Documentation", "## Documentation\n\nSee https://pkg.go.dev/github.com/one or https://godocs.io/two"),
        ("TITLE_NAME_PLURAL=Teitlau", "TITLE_NAME_PLURAL=Titlar"),
        ("LIST_ITEM_STATE_INFORMATION=Information", "LIST_ITEM_STATE_INFORMATION=[[[Ĭŋƒŏŗɱąţįŏŋ]]]"),
        ('LC_NUMERIC\nthousands_sep ","\ngrouping 3;3\nEND LC', 'LC_NUMERIC\nthousands_sep ""\ngrouping 3;3\nEND LC'),
        ('LC_NUMERIC\nthousands_sep ","\ngrouping 3;3\nEND LC', 'LC_NUMERIC\nthousands_sep " "\ngrouping 3;3\nEND LC'),
    ],
)
def test_short_texts_of_signs_numbers_and_titles_are_two(one, other):
    assert compared(one, other)["verdict"] == Verdict.DISTINCT


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("🔥 🔥 The council opened a bridge today 🎉", "The council opened a bridge today 😀"),
        ("=== The council ===\nOpened a bridge today", "====== The council ======\nOpened a bridge today"),
        ("The council opened a bridge today", "The council opened a bridge today lol"),
        ("The council opened a bridge today", "The council opened a bridge today. read more »"),
        ("The council opened a bridge today", "The council opened a bridge today https://example.org/bridges/1"),
        ("BREAKING: Bridge opened\nThe council came to see it", "Bridge opened\nThe council came to see it"),
    ],
)
def test_decoration_and_words_of_editors_make_no_other_text(one, other):
    assert compared(one, other)["verdict"] != Verdict.DISTINCT
