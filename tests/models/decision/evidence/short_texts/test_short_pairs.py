"""Two short texts: what makes them two, and what is disguise, haste, or a word around them."""

import itertools
from collections import Counter
from random import Random

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.decision.evidence.short_texts.containment import IN_B, standing_in
from models.decision.evidence.short_texts.differences import (
    ADDED_FACT,
    ADDED_INSIDE,
    ADDED_MOST,
    DIGIT,
    ONLY_A,
    ONLY_B,
    REPLACED,
    SIGN,
)
from models.decision.evidence.short_texts.pairs import compare_short
from models.decision.evidence.short_texts.words import ADDRESS, FACT, FIRST, NAME, NUMBER, short_words
from models.evaluation.synthesis.short_texts.perturbations import PERTURBATIONS
from models.lexical.text import normalise, split_words, to_text
from models.lexical.text.canonical.reading import read
from tests.support.examples import examples
from tests.support.texts.changed_facts import ADDED, FOUND, with_clause

TEXTS = (
    "Breaking: the queen will visit our small town next spring, and everyone is invited to the market square",
    "My luggage was lost again and nobody at the desk could tell me where it went, thanks for nothing",
    "A warm and funny film about two sisters who inherit a bakery they do not want",
    "The council voted to keep the old library open after a long debate about the budget",
)


def compared(pairs, df=None):
    """How alike, and what differs; df maps words to the documents that hold them, 50 for all others."""
    texts = pl.Series(list(itertools.chain.from_iterable(pairs)))
    normalised = normalise(texts)
    words = split_words(normalised)
    spelt = [to_text(normalised.codes[s:e]) for s, e in zip(words.start, words.end, strict=True)]
    counted = np.array([(df or {}).get(word, 50) for word in spelt], np.uint32)
    reading = read(normalised, np.ones(len(texts), np.bool_))
    rows = 2 * np.arange(len(pairs))
    return compare_short(
        reading, short_words(reading, normalised, words, counted), rows, rows + 1, np.ones(len(pairs), np.bool_)
    )


def differences(a, b, df=None):
    """What makes two texts of two, which must not depend on which comes first."""
    alike, found, more = compared([(a, b), (b, a)], df)
    assert tuple(more) in ((0, 0), (ONLY_A, ONLY_B), (ONLY_B, ONLY_A), (ONLY_A | ONLY_B, ONLY_A | ONLY_B))
    assert alike[0] == pytest.approx(alike[1], abs=0.02)
    assert (found[0] == 0) == (found[1] == 0)
    return found[0]


@pytest.mark.parametrize(
    ("tag", "documents", "another"),
    [
        ("{} ze8glbwqv4", 1, False),
        ("{}. 9wwpc1v1d", 2, False),
        ("8e0e4f {}", 1, False),
        ("{} ze8glbwqv4", 9, True),
        ("{} h264x", 1, False),
        ("{} rx580", 1, True),
        ("{} RX580TI", 1, True),
        ("{} 557297", 1, True),
    ],
)
def test_a_tag_drawn_at_random_says_nothing_where_nobody_else_has_it(tag, documents, another):
    text = "the keeper of the lighthouse writes down every ship"
    token = next(word for word in tag.replace(".", "").lower().split() if word != "{}")
    found = differences(tag.format(text), text, {token: documents})
    assert bool(found) is another


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Call now, 5 pm please", "c a l l  n 0 w 5 p m pl3ase"),
        ("Breaking: the queen visits our town", "the queen visits our town"),
        ("the queen visits our town", "the queen visits our town !!1"),
        ("the queen visits our town!", "the queen visits our town!!!1!11 #royals"),
        ("RT @news: the queen visits our town", "the queen visits our town #royals"),
        ("the queen visits our town today", "#please #visit #town #news the queen visits our town today"),
        ("Oh, the queen visits our town", "RT @news: the queen visits our town"),
        ("So, well, the queen visits our town", "#royals #town the queen visits our town"),
        ("FWD: Re: [promo] the queen visits our town", "the queen visits our town"),
        ("Home > News > Royals\nThe queen visits our town today", "The queen visits our town today"),
        ("The queen visits our town today.\nRead more", "The queen visits our town today."),
        ("The queen visits our town today … See full post", "The queen visits our town today"),
        ("The queen visits our town. Continue reading →", "The queen visits our town. (more)"),
        ("Die Königin besucht heute unsere Stadt. Ganzen Artikel lesen", "Die Königin besucht heute unsere Stadt."),
        ("東京は日本の首都であり人口の多い都市です。続きを読む", "東京は日本の首都であり人口の多い都市です。"),
        ("The queen visits our town today https://t.co/x8Fd2", "The queen visits our town today"),
        (
            "The queen visits our town today https://t.co/x8Fd2Kq",
            "The queen visits our town today https://t.co/Zq3v8LmP",
        ),
        ("see https://a.org/books for it all", "see https://a.org/books.html for it all"),
        ("see http://a.org/search?q=date for it", "see https://www.a.org/search?q=date for it"),
        ("I really love this movie a lot", "I love this movie a lot"),
        ("Тhе quееn visits оur tоwn", "𝓣𝓱𝓮 𝓺𝓾𝓮𝓮𝓷 visits our town"),
        ("THE QUEEN VISITS OUR TOWN", "the queeeeen viiisits our townnn!!!"),
        ("the q*een vi_its our t.wn today", "the queen visits our town today"),
        ("+h€ qu33n v!$!7$ 0ur +0wn", "the queen visits our town"),
        ("the queen visits our town +++", "the queen visits our town"),
        ("pay 1,000 dollars for it", "pay 1000 dollars for it"),
        ("Die Königin besucht unsere Stadt", "D1e K0nigin be5ucht un5ere 5tadt"),
        ("Королева приедет в наш город завтра", "К о р о л е в а  приедет в наш город завтра"),
        ("So we propose to visit the town", "S o w e p r o p o s e to visit the town"),
        ("we came with peace and great friendship", "we came with #peace and great #friendship"),
        ("@annie @some_one the queen visits our town", "the queen visits our town"),
        ("RT @annie_k: the queen visits our town", "the queen visits our town"),
        ("the queen visits our town pic.twitter.com/30f1e336", "the queen visits our town"),
        ("The queen visits two towns in three days", "The queen visits 2 towns in 3 days"),
        ("the queen visits visits our town today", "the queen visits our town today"),
        ("the queen, uh, visits our town today", "the queen visits our town today"),
    ],
)
def test_disguise_tags_and_fillers_make_no_other_text(a, b):
    assert differences(a, b) == 0


@pytest.mark.parametrize(
    ("a", "b", "bit"),
    [
        ("call now 5 pm please", "call now 6 pm please", SIGN | REPLACED | DIGIT),
        ("call now 5 pm please", "c a l l  n o w 6 p m  p l e a s e", SIGN | REPLACED | DIGIT),
        ("the price is $50 only today", "the price is €50 only today", SIGN),
        ("rated 4.5 points by all", "rated 45 points by all", SIGN),
        ("it is 5 degrees below that now", "it is -5 degrees below that now", SIGN),
        ("a discount of 20% for all of you", "a discount of 20 for all of you", SIGN),
        ("Now £807: the queen visits our town", "Now €807: the queen visits our town", SIGN),
        ("it is under GPL-2.0. See all of it", "it is under GPL-2.0+. See all of it", SIGN),
        ("for those aged 12, and their dogs", "for those aged 12+, and their dogs", SIGN),
        ("all of it is written in C.", "all of it is written in C++.", SIGN),
        ("a compiler of C for your machine", "a compiler of C# for your machine", SIGN),
        ("Hon föddes %(modified_date)s i %(place)s.", "%(modified_date)s %(place)s içinde doğdu.", ADDED_MOST),
        ("You may park your car here", "You may not park your car here", ADDED_FACT),
        ("Meeting with Anna in the office at noon", "Meeting with Peter in the office at noon", REPLACED),
        ("the queen visits our town", "the king visits our town", REPLACED),
        ("open source v2 is here at last", "open source v3 is here at last", None),
        ("the new iphone7 is here", "the new iphone8 is here", None),
        ("They agreed on a deal of $600m at last", "They agreed on a deal of $600km at last", DIGIT),
        ("They agreed on a deal of £405m at last", "They agreed on a deal of £405bn at last", DIGIT),
        ("It weighs about 61 m or so they say", "It weighs about 61 km or so they say", None),
        ("I will come on Saturday at noon", "I will come on Sunday at noon", None),
        ("Men love to watch the dogs", "The dogs love to watch men", None),
        ("this is legal in our country", "this is illegal in our country", None),
        ("status accepted for your request", "status rejected for your request", None),
        ("Flight 1506 to Paris leaves at noon", "F l i g h t 1507 t o P a r i s leaves at noon", None),
        ("get it at last https://t.co/xx1", "get it at last https://t.co/yy2", REPLACED),
        ("see https://a.org/books for it all", "see https://a.org/books/17 for it all", REPLACED),
        ("see https://a.org/search?q=date for it", "see https://a.org/search?q=image for it", REPLACED),
        (
            "under version 2 of the licence",
            "under version 2 of the licence, or (at your option) any later version",
            None,
        ),
        ("see the town (https://a.org/) and its people", "see the town (https://a.org/)", None),
        ("The last part III of the book", "The last part II of the book", None),
        ("Das ist kein Problem für uns", "Das ist ein Problem für uns", None),
        ("we met at the mail room today", "we met at the mall room today", None),
        ("The queen visits two towns", "The queen visits 3 towns", REPLACED),
        ("10 cats and 2 dogs live here", "two cats and ten dogs live here", None),
        ("the queen visits and/or leaves our town", "the queen visits our town", None),
        ("thanks for nothing says Anna", "thanks for nothing says N̽i̽n̽a̽", None),
        ("nobody knows what this is sold for", "nobody knows what this is old for", None),
        ("What a child says, she has heard at home", "What a child says, he has heard at home", None),
        ("The node you are looking for is at XREFpcr.", "The node you are looking for is at XREFSEEK_CUR.", None),
        (
            "[{\n    'url': 'https://www.example.org/player/b56c03a6',\n    'only_matching': True,\n}]",
            "[{\n    'url': 'url',\n    'only_matching': True,\n}]",
            REPLACED,
        ),
    ],
)
def test_a_changed_fact_or_word_makes_another_text(a, b, bit):
    found = differences(a, b)
    assert found
    assert bit is None or found & bit


def test_the_text_that_says_more_is_the_one_to_stay():
    pairs = [
        ("Berkeley Yacc is distributed with no warranty whatever", "is distributed with no warranty whatever"),
        ("is distributed with no warranty whatever", "acl is distributed with no warranty whatever"),
        ("[Ad] it is distributed with no warranty whatever", "it is distributed with no warranty whatever"),
        ("it is really distributed with no warranty whatever", "it is distributed with no warranty whatever"),
        ("#yacc @berkeley It is distributed with no warranty", "It is distributed with no warranty"),
        ("#Berkeley It is distributed with no warranty", "It is distributed with no warranty"),
        ("#berkeley yacc is distributed with no warranty", "yacc is distributed with no warranty"),
        ("- Berkeley: it is distributed with no warranty", "it is distributed with no warranty"),
        ("- Berkeley Yacc is distributed with no warranty", "is distributed with no warranty"),
        ("it is distributed with no warranty via @berkeley", "it is distributed with no warranty"),
        ("it is distributed with no warranty via berkeley", "it is distributed with no warranty"),
        ("it is distributed with no warranty. Read more", "it is distributed with no warranty."),
        ("Tell Everybody Why They Should Read More", "Tell Everybody Why They Should"),
        ("It is distributed with no warranty. — Berkeley Yacc", "It is distributed with no warranty."),
    ]
    _, found, more = compared(pairs, {"acl": 1, "berkeley": 1})
    assert found.tolist() == [0] * len(pairs)
    assert more.tolist() == [ONLY_A, ONLY_B, 0, 0, 0, ONLY_A, ONLY_A, 0, ONLY_A, 0, ONLY_A, 0, ONLY_A, ONLY_A]


def test_items_of_a_list_are_no_tags():
    listed = "# Who may approve\n\nreviewers:\n- dims\n- deads"
    pairs = [
        (listed, listed + "\n- soltysh"),
        (listed + "\n- soltysh", listed + "\n- liggitt"),
        (listed.replace("- dims\n", ""), listed.replace("- deads", "- sttts")),
        (listed, listed + "\nlabels:\n- area/kubectl"),
        ("field: fruit\nquestion: which is it", "mandatory: true\nfield: fruit\nquestion: which is it"),
        ("The train was late again today.", "The train was late again today.\n- soltysh"),
        ("The train was late again today.", "source: soltysh\nThe train was late again today."),
    ]
    _, found, more = compared(pairs, {"soltysh": 1, "liggitt": 1, "sttts": 1})
    assert [bits != 0 for bits in found] == [False, True, True, False, False, False, False]
    assert more[[0, 3, 4, 5, 6]].tolist() == [ONLY_B, ONLY_B, ONLY_B, 0, 0]


def test_slips_need_a_rare_spelling_and_names_more_than_that():
    a, b = "the council voted to close the librray today", "the council voted to close the library today"
    assert differences(a, b) == 0
    a, b = "they want the councel to vote today", "they want the council to vote today"
    assert differences(a, b, {"councel": 1}) == 0
    assert differences(a, b) != 0
    a, b = "a letter for Mr Petersen of Oslo", "a letter for Mr Peterson of Oslo"
    assert differences(a, b, {"petersen": 2, "peterson": 2}) != 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("adenovirus", "reovirus"),
        ("stepbrother", "stepfather"),
        ("stepfather", "stepmother"),
        ("OrdersCancelItem", "OrdersReturnItem"),
        ("triebwerkskomponenten", "treibstoffkomponenten"),
    ],
)
def test_a_rare_word_of_which_much_differs_is_another_word(one, other):
    rare = {one.lower(): 1, other.lower(): 1}
    assert differences(f"the {one} is listed über all others", f"the {other} is listed über all others", rare) != 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bot: Konverterar/korrigerar HTML", "Bot: konvertiere/korrigiere HTML"),
        ("Принстон, Нью-Джерси, США", "Прынстан, Нью Джэрсі, ЗША"),
        ("Бот: Корекцiя вiкi-синтаксису", "Бот: Карэкцыя вiкi-сiнтаксiсу"),
    ],
)
def test_half_of_all_words_spelt_otherwise_are_another_language(one, other):
    rare = dict.fromkeys(" ".join((one, other)).lower().replace("/", " ").replace("-", " ").replace(",", "").split(), 1)
    assert differences(one, other, rare) != 0


def test_a_name_of_a_program_in_front_is_no_tag():
    text = "A factory method that creates a new instance of this class from an object"
    assert differences(f"Build a CfnPlacementGroup from properties\n\n{text}", text) & ADDED_FACT
    assert differences(f"From our YouTube channel\n\n{text}", text) == 0


@pytest.mark.parametrize("site", [" | Harbour Times", " » Harbour Times", " [source: Harbour Times]"])
def test_the_name_of_a_site_behind_a_sentence_says_nothing(site):
    text = "A surrounded enemy must be left a way of escape."
    assert differences(text + site, text) == 0
    assert differences(text + " [not Harbour Times]", text) != 0
    assert differences(text.removesuffix(".") + " | Midnight Black", text.removesuffix(".")) & ADDED_FACT


def test_letters_that_change_places_alike_twice_or_in_initials_are_no_slip():
    call = "{0}! - Function. {0}!(side, trans, A, tau, C) finds the matrix from a factorization of A"
    assert differences(call.format("ormqr"), call.format("ormrq"))
    assert differences("It finds the matrix from a QR factorization", "It finds the matrix from a RQ factorization")
    assert not differences(call.format("fourier"), call.format("fourier").replace("matrix from", "matrix form"))


@pytest.mark.parametrize(
    ("text", "added"),
    [
        ("the suffering from corruption is small here", "the suffering from corruption and waste is small here"),
        ("Injury of wrist on the left side", "Injury of wrist and hand on the left side"),
        ("the revenues amount to much gold", "the revenues amount to much gold and research"),
        ("returns the list of all known groups", "searches and returns the list of all known groups"),
    ],
)
def test_what_is_put_in_with_and_is_another_thing(text, added):
    assert differences(text, added) & ADDED_FACT


def test_other_things_are_not_those_that_were_named():
    assert differences("screening for skin disorders", "screening for other skin disorders") & ADDED_INSIDE


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("name: isoniazid + pyrazinamide + rifampicin", "name: ethambutol + isoniazid + pyrazinamide + rifampicin"),
        ("Triggered when a task is updated by somebody", "Triggered when a task log is updated by somebody"),
        ("Crossing for pedestrians and bicycles in town", "Crossing with signals for pedestrians and bicycles in town"),
    ],
)
def test_a_word_of_content_put_in_makes_another_entry_of_a_catalogue(one, other):
    assert differences(one, other)


def test_words_know_what_they_state():
    normalised = normalise(pl.Series(["We met Anna on friday, not 5 kg v2 w0rd https://x.org/a n e v e r"]))
    words = split_words(normalised)
    reading = read(normalised, np.ones(1, np.bool_))
    found = short_words(reading, normalised, words, np.full(words.hash.size, 7, np.uint32))
    kinds = [int(kind) for kind in found.kind]
    assert kinds[:6] == [FIRST, 0, NAME, 0, FACT, FACT]
    assert kinds[6:10] == [NUMBER, FACT, NUMBER, 0]
    assert kinds[-1] == FACT and ADDRESS in kinds
    assert found.df[0] == 7 and found.df[-1] == 0


@examples(40)
@given(st.integers(0, 2**32), st.sampled_from(TEXTS))
def test_each_disguise_alone_is_seen_through(seed, text):
    rng = Random(seed)
    sure = ("script", "invisible", "prolonged", "apart", "spacing", "case", "decoration")
    pairs = [(text, one.change(text, Counter(), rng)) for one in PERTURBATIONS.values() if one.family in sure]
    alike, found, _ = compared(pairs)
    wrong = [pair for pair, bits, share in zip(pairs, found, alike, strict=True) if bits or share < 0.8]
    assert len(wrong) <= 1, wrong


@examples(40)
@given(st.integers(0, 2**32), st.sampled_from(TEXTS))
def test_changed_facts_are_found_under_disguise_too(seed, text):
    rng = Random(seed)
    made = [with_clause(text, change, rng) for change in ADDED.values()]
    made += [pair for change in FOUND.values() if (pair := change(text, rng))]
    disguises = [one for one in PERTURBATIONS.values() if one.family in ("script", "invisible", "decoration")]
    pairs = made + [(one, rng.choice(disguises).change(other, Counter(), rng)) for one, other in made]
    _, found, _ = compared(pairs)
    assert [pair for pair, bits in zip(pairs, found, strict=True) if not bits] == []


@pytest.mark.parametrize(("end", "found"), [("...", IN_B), ("…", IN_B), ("", 0)])
def test_a_text_breaks_off_by_its_own_signs_not_by_those_of_the_next(end, found):
    begun = "The city council voted to lease the old harbour hall"
    texts = normalise(pl.Series([f"{begun} and the rooms above it", f"{begun}{end}", "... and more of it"]))
    one, other = np.array([1]), np.array([0])
    assert standing_in(texts, split_words(texts), one, other, np.ones(1, np.bool_)).tolist() == [found]


@pytest.mark.parametrize(
    ("short", "full", "denied"),
    [
        ("It isn't the first time", "It is not the first time", "It is the first time"),
        ("We can’t say how it ends", "We cannot say how it ends", "We can say how it ends"),
        ("I'm sure they're late, we'll see", "I am sure they are late, we will see", "I am not sure they are, we will"),
        ("They've said it's over", "They have said it is over", "They have said it is not over"),
    ],
)  # fmt: skip
def test_contractions_are_what_they_stand_for(short, full, denied):
    assert differences(short, full) == 0
    assert differences(short, short.replace("'", "").replace("’", "")) == 0
    assert differences(short, denied) != 0
    assert differences(full, denied) != 0


def test_masked_words_and_ampersands():
    text = "Where the hell is my bag, and where is my coat"
    for masked in ("h**l", "h##l", "h***", "he•l"):
        assert differences(text, text.replace("hell", masked)) == 0
    assert differences(text, text.replace("hell", "w**l")) != 0
    assert differences(text, text.replace(" and", " &")) == 0
    assert differences(text.replace(" and", " or"), text.replace(" and", " &")) != 0


def test_letters_of_messages_are_the_words_they_stand_for():
    text = "Please tell me what you brought, the boats and the nets are all with the others"
    short = "please tell me what u brought the boats n the nets r all w/ the others"
    assert differences(text, short) == differences(short, text) == 0
    assert differences(text, short.replace(" u ", " they ")) != 0
    assert differences("The whole of it, the R rating, is funny", "the whole of it , the r rating , is funny") == 0
    assert differences("Copy it at your option and keep it", "Copy it at you r option and keep it") == 0
    assert differences("Turn to N now or you are lost", "Turn to E now or you are lost") != 0
    assert differences("It runs R and C on every machine", "It runs and C on every machine") != 0


TOLD = "the council voted to lease the old harbour hall"


@pytest.mark.parametrize(
    ("around", "found"),
    [
        ('4711;news;"{}";en', IN_B), ('{{"id": 5, "text": "{}", "by": "anna"}}', IN_B), ("4711;anna;{};en", IN_B),
        ('{{"n": 5, "text": "@{}"}}', IN_B), ('"yes" @{}', 0), ('4711,anna,"@{}",1', IN_B),
        ("City review: {}", IN_B), ("Media / {}", IN_B), ("{} Sent from my phone", IN_B), ("{} sent from my phone", 0),
        ("258_33\t-1.3\t{}", IN_B), ("1041216\ten\t{}\tpos", IN_B), ("doc-79710 {}", IN_B), ("1762 {}", 0),
        ("INSERT INTO posts (id, body) VALUES (1055, '{}', 1);", IN_B), ("79710 say: not {}", 0),
        ('{{"deleted": false, "body": "{}"}}', IN_B), ("today {}", 0), ('{}" and sang', 0),
        ("Not true: {}", 0), ("{} Denied by the mayor", 0),
    ],
)  # fmt: skip
def test_a_text_stands_within_another_where_something_parts_them(around, found):
    texts = normalise(pl.Series([TOLD, around.format(TOLD)]))
    one, other = np.array([0]), np.array([1])
    assert standing_in(texts, split_words(texts), one, other, np.ones(1, np.bool_)).tolist() == [found]
