"""What pairs of real texts are judged to be, and who of them stays."""

import numpy as np
import polars as pl
import pytest

from models.decision.evidence.pair_evidence import evidence
from models.decision.rules.measures import measure
from models.decision.rules.removal_graph import (
    edges,
    fuller,
    general,
    orphans,
    outside_families,
    outside_forms,
    survivors,
    worn,
)
from models.decision.rules.thresholds import may_go
from models.decision.rules.verdict import open_to_opinion, with_verdicts
from models.decision.types import Verdict
from models.lexical.sketch.features import Frequencies, featurise
from models.lexical.sketch.weights import cells
from models.lexical.text import normalise, split_words
from models.parameters import Parameters

BITS = 16
CORPUS = 10_000
COMMON = 300
"""Documents of the corpus that hold each word of the texts here; a word of `rare` is in one."""

STORY = (
    "The harbour office of Linden opened its new reading room last spring, and some forty people came to hear the "
    "mayor praise the carpenters who had built it out of old ship timber within a single winter. The shelves follow "
    "the curve of a hull, so that nobody who stands at the desk can see where they end. Children are allowed to "
    "climb the lower ones. The librarian says that she lends more books on knots than on any other subject, and that "
    "the fishermen bring them back wet.\n"
    "What the town had not expected was the noise. Timber that has been at sea for eighty years goes on working when "
    "it dries, and on hot afternoons the whole room creaks like a ship at anchor. Two readers complained, and a third "
    "asked for a key so that he could come at night and listen. The council has decided to leave everything as it is, "
    "since the carpenters promise that the wood will be quiet in about ten years.\n"
)
OTHER = (
    "Rain fell on the upper valley for three days before the dam keeper rang the bell. Farmers moved their cattle to "
    "the chapel hill, where the grass is poor but the ground has never been under water as far as anyone remembers. "
    "By noon the road had become a second river, and the postman crossed it in a feeding trough with a shovel for an "
    "oar. Nobody was hurt, although a great many potatoes were lost, and the school gave everyone a week off.\n"
)
SHORT_NEWS = "The city council voted to lease the old harbour hall"
MENU = "Home\nNews\nSport\nWeather\nSign in\nSubscribe\n"
FOOTER = "\nContact\nImprint\nAll rights reserved\n"


RULES = Parameters().with_settings(["verify.decider=rules"])


def measured(a, b, rare=(), cosine=0.9, parameters=RULES, holders=1):
    """Measures of one pair: every word but the `rare` ones common in the corpus, every gram in so many documents."""
    texts = pl.Series([a, b])
    words = split_words(normalise(texts))
    table = np.zeros(1 << BITS, np.uint32)
    table[cells(words.hash, BITS)] = COMMON
    if rare:
        seldom = split_words(normalise(pl.Series(list(rare)))).hash
        table[cells(seldom, BITS)] = 1
    counted = Frequencies(np.full(1 << BITS, holders, np.uint32), table, CORPUS)
    columns = evidence(
        featurise(texts, None, counted, parameters.sketch, parameters.sketch.short_chars), np.array([0]), np.array([1])
    )
    return measure(pl.DataFrame({"a": [0], "b": [1], **columns, "cosine": np.float32([cosine])}))


def judged(a, b, rare=(), cosine=0.9, parameters=RULES, holders=1):
    """The judgement on one pair."""
    return with_verdicts(measured(a, b, rare, cosine, parameters, holders), parameters).row(0, named=True)


def overruled(a, b, p_dup, sigma=0.0, rare=(), decider="network"):
    """Type and verdict of a pair on which the network has this opinion."""
    parameters = Parameters().with_settings([f"verify.decider={decider}"])
    opinion = {"p_dup": pl.lit(p_dup, pl.Float32), "sigma": pl.lit(sigma, pl.Float32), "tau": pl.lit(0.4, pl.Float32)}
    found = with_verdicts(measured(a, b, rare).with_columns(**opinion), parameters).row(0, named=True)
    return found["type"], found["verdict"]


def kind(a, b, **given):
    """Type of a pair, which must not depend on which comes first."""
    one, other = judged(a, b, **given), judged(b, a, **given)
    assert one["type"] == other["type"]
    assert one["p_dup"] == pytest.approx(other["p_dup"], abs=1e-5)
    mirrored = {Verdict.IN_A: Verdict.IN_B, Verdict.IN_B: Verdict.IN_A}.get(other["verdict"], other["verdict"])
    assert one["verdict"] == mirrored
    return one["type"], one["verdict"]


SECTIONS = (
    "Opinion Travel Food Cars Letters Crossword Jobs Houses Archive Podcasts Recipes Obituaries Radio Theatre Chess",
    "Login Basket Wishlist Offers Returns Delivery Vouchers Help Stores Careers Press Blog Forum Shoes Coats",
)


def template(text, words, lines=3):
    """The text between menus of one word per line."""
    menu = "\n".join((words.split() * lines)[: 8 * lines])
    return f"{menu}\n\n{text}\n{menu.upper()}\n"


def test_the_same_article_in_another_template_is_a():
    framed = [template(STORY, words) for words in SECTIONS]
    assert kind(*framed) == ("A", Verdict.EITHER)
    other = [template(STORY, SECTIONS[0]), template(STORY.replace("eighty", "ninety"), SECTIONS[1])]
    strict = RULES.with_settings(["verify.max_facts=0"])
    assert kind(*other, parameters=strict)[1] == "distinct"


@pytest.mark.parametrize(("words", "holders", "expected"), [(60, 1, "A"), (60, COMMON, "none"), (32, 1, "none")])
def test_a_short_article_in_another_template_is_a_if_few_documents_say_what_it_says(words, holders, expected):
    article = " ".join(STORY.split()[:words]) + "."
    assert kind(*[template(article, menu, 2) for menu in SECTIONS], holders=holders)[0] == expected


BARS = (
    "Privacy Top Sitemap Ottomans Share About us Deiner Terms Jabbar Print Byler Marquette Sandringham Subscribe Forum "
    "Voyager Pasiphae Warne",
    "Archive Login Top Digitalwaren Roadstock Erdbeben About us Contact Next Share Sorbet Careers Blog Shoes Coats "
    "Stores Recipes Crossword",
)
"""Two bars of links with "Top" and "About us" in common."""


@pytest.mark.parametrize("text", ["{0}\n{1}", "{1}\n{0}\n"])
def test_words_that_two_menus_have_in_common_by_accident_make_no_edits(text):
    menus = [
        judged(*(text.format(bar, STORY) for bar in BARS)),
        judged(*(text.format(bar[:60], STORY) for bar in BARS)),
    ]
    assert [(found["edited"], found["verdict"]) for found in menus[:1]] == [(0, Verdict.EITHER)]
    assert menus[1]["edited"] > 0, "a title with another name is as short"


def test_an_article_in_a_template_beside_the_bare_article():
    """The bare one is contained; too much of the page is its own for a copy with small edits."""
    assert kind(STORY, template(STORY, SECTIONS[0])) == ("A", Verdict.EITHER)


def test_two_articles_in_one_template_are_no_duplicates():
    frame = MENU + "Editor's picks\nTravel offers\nCrossword\n{}" + FOOTER
    found, verdict = kind(frame.format(STORY), frame.format(OTHER * 2), cosine=0.4)
    assert (found, verdict) in (("none", "distinct"), ("F", "distinct"))


def test_one_line_among_menus_may_be_all_that_a_page_says():
    menu = [f"{word} {number}" for number in range(60) for word in ("specifier", "library", "header", "keyword")]
    lines = ("float type: as the declaration of the type", "if statement: as the declaration of the if statement")
    pages = ["\n".join([*menu[:200], "Usage", line, *menu[200:]]) for line in lines]
    assert kind(*pages)[1] == Verdict.DISTINCT
    assert kind(pages[0], pages[0].replace("keyword 7", "keywords 7"))[1] == Verdict.EITHER
    found = judged(pages[0], pages[0].replace("keyword 7", "keywords 7"))
    assert (found["own_words_a"], found["text_run_a"], found["replaced_words"], found["edited"]) == (0, 0, 1, 1)
    spelt = pl.DataFrame([found | {"spelling": alike} for alike in (0.6, 0.4)])
    assert spelt.select(may_go(RULES.verify, "a")).to_series().to_list() == [True, False], "another word"
    stamped = [f"{pages[0]}\nPosted at {stamp}\n" for stamp in ("2024-03-01 12:30:11", "2023-11-27 09:05:48")]
    assert kind(*stamped)[1] == Verdict.EITHER, "a stamp is volatile"
    numbered = [f"- {number} -\n{pages[0]}\n" for number in (62, 63)]
    assert kind(*numbered)[1] == Verdict.EITHER, "a page number on a line of its own"
    assert kind(pages[0] + "\nfinal specifier", pages[0] + "\nswitch statement")[1] == Verdict.DISTINCT
    ends = kind(f"{pages[0]}\nfinal specifier", f"{pages[0]}\nswitch statement\n{STORY}")
    assert ends[1] == Verdict.IN_B, "an excerpt meets what goes on in the other text"


def test_rows_in_place_of_others_are_the_page_where_all_else_is_what_many_pages_have():
    menu = [f"{word} {number}" for number in range(60) for word in ("driver", "media", "kernel", "subsystem")]
    said = " ".join(STORY.split()[:45]) + "."
    rows = ["Afatech pocket tuner", "Ansonic silver receiver"], ["Terratec desktop adapter", "Zydas golden reference"]
    pages = ["\n".join([*menu[:180], said, *menu[180:200], *own, *menu[200:]]) for own in rows]
    assert kind(*pages, holders=COMMON) == ("F", Verdict.DISTINCT)
    longer = [page.replace(said, STORY) for page in pages]
    assert kind(*longer, holders=COMMON) == ("B", Verdict.EITHER), "it says more than what differs"


def test_what_stands_between_the_head_and_the_foot_of_all_pages_is_the_page():
    """Pages of a reference that say "No usage of" and no more once went in favour of the summary of a module."""
    head = "\n".join(f"{word} {number}" for number in range(2) for word in ("driver", "media", "kernel", "tree"))
    foot = " ".join(STORY.split()[:80]) + "."
    said = "Uses of Class java sql SQLDataException\nNo usage of java sql SQLDataException"
    summary = "Module jdk incubator\nDefines an interface for computations that compile at runtime to vectors"
    pages = [f"{head}\n{own}\n{foot}" for own in (said, summary)]
    assert kind(*pages, holders=COMMON)[1] == Verdict.DISTINCT


def test_under_a_long_menu_all_that_a_page_says_may_be_a_hundredth_of_its_words():
    menu = [f"{word} {number}" for number in range(90) for word in ("driver", "media", "kernel", "subsystem")]
    page = "\n".join([*menu[:180], " ".join(STORY.split()[:40]) + ".", "{}", *menu[180:]])
    found = judged(page.format("Tunings of strings"), page.format(OTHER), holders=COMMON)
    assert (found["goes_a"], found["own_words_a"]) == (True, 40)
    lacking = pl.DataFrame([found | {"own_a": own} for own in (0.95, 0.8)])
    assert lacking.select(may_go(RULES.verify, "a")).to_series().to_list() == [True, False]


@pytest.mark.parametrize(
    ("one", "other", "verdict"),
    [
        ("2 words.", "1 word.", Verdict.DISTINCT),
        ("2 words.", "3 words.", Verdict.DISTINCT),
        ("2 comments.", "1 comment.", Verdict.EITHER),
        ("5 hours ago.", "2 days ago.", Verdict.EITHER),
    ],
)
def test_an_amount_on_a_line_of_its_own_is_a_fact_where_a_stop_ends_it(one, other, verdict):
    menu = "\n".join(f"{word} {number}" for number in range(30) for word in ("driver", "media", "kernel"))
    assert kind(*[f"{menu}\n{STORY}\nSize:\n{said}\nOperands:\ns\n{menu}" for said in (one, other)])[1] == verdict


def test_an_amount_on_a_line_of_its_own_is_a_fact_where_a_sentence_goes_on_around_it():
    wrapped = STORY + " This means that you should provide at least\n{}\nof disk space for the root partition."
    assert kind(*[wrapped.format(said) for said in ("700-850MB", "600-750MB")])[1] == Verdict.DISTINCT


def test_what_a_source_file_declares_below_a_notice_is_its_content():
    notice = "/*\n" + STORY.replace(". ", ".\n") + "\n*/\n"
    declared = (
        "// Code generated by a tool. DO NOT EDIT.\n\n// This package has the generated clients.\npackage versioned\n",
        'package statefulset // import "example.org/registry/statefulset"\n',
    )
    assert kind(*[f"{notice}\n{own}" for own in declared], holders=COMMON)[1] == Verdict.DISTINCT
    short = " ".join(STORY.split()[:60])
    imported = 'package policy // import "example.org/registry/networking/policy"\n', "package versioned\n"
    years = (f"/*\nCopyright {year}The Authors of the Harbour.\n\n{short}.\n*/\n\n" for year in ("2017 ", ""))
    dated = judged(*[head + own for head, own in zip(years, imported, strict=True)], holders=COMMON)
    assert dated["volatile"] > 0 and dated["lacking_text_a"] > 0.1, "what differs beside the notice is volatile"
    assert dated["code_words_a"] > 0 and not dated["goes_a"]


def test_a_copy_with_small_edits_is_b():
    edited = STORY.replace("librarian", "libraryan").replace("Two readers", "Two  readers").upper()
    assert kind(STORY, "Archive, page one\n" + edited, rare=["libraryan"]) == ("B", Verdict.EITHER)


def test_one_name_in_many_places_makes_a_page_of_its_own():
    """Each change weighs little in a long text, so that neither share nor edits speak against a copy."""
    sentences = " ".join((STORY + OTHER).replace("\n", " ").split(". ")).split()
    paragraphs = [" ".join(sentences[at : at + 34]) for at in range(0, len(sentences) - 34, 34)]
    menus = (sections.replace(" ", "\n") for sections in SECTIONS)
    names = ("network", "networks")
    pages = ["\n".join([f"{text} for {name} clients." for text in paragraphs]) for name in names]
    pages = [f"{page}\n{menu}\n" for page, menu in zip(pages, menus, strict=True)]
    found = judged(*pages)
    assert Parameters().verify.tau_b <= found["share"] < Parameters().verify.whole
    assert found["edits"] <= Parameters().verify.max_edits
    assert kind(*pages) == ("F", "distinct")
    once = pages[0].replace("network", "networks", 1)
    assert kind(pages[0], once) == ("B", Verdict.EITHER)


@pytest.mark.parametrize(
    ("a", "b", "rare"),
    [
        ("A subversive element in this Disney cartoon", "A subversive elem3nt 1n this D15ney car7oon!", ()),
        ("@USAirways my luggage was delayed, you know", "@US\u200bАirwауs my luggаgе wаs dеlауed , y оu knоw 🤔🤔", ()),
        ("The meeting is on 12 May 2021 in room 5", "The meeting iss on 12 May 2021 in rooom 5", ("iss", "rooom")),
        ("I will not fly with them ever again", "I will not fiy with them evver agian", ("fiy", "evver", "agian")),
        ("They don't serve tea after six", "They dont serve tae after  six", ("tae",)),
        ("Two women saw the battle end", "Two womennnn saw the battle end", ("womennnn",)),
        ("It is not safe to go there", "It is nottt safe to gooo there", ("nottt", "gooo")),
        ("A battleground for young Trump voters", "A bttlgrnd for young Trmp voters", ("bttlgrnd", "trmp")),
        ("They don't know what will happen", "They don't know wht wll happen", ("wht", "wll")),
        ("She said it was w\u0336o\u0336r\u0336k\u0336 &amp; fun", "She said it was work & fun", ()),
    ],
)  # fmt: skip
def test_perturbed_short_texts_are_c(a, b, rare):
    assert kind(a, b, rare=rare) == ("C", Verdict.EITHER)


@pytest.mark.parametrize(
    ("a", "b", "rare"),
    [
        ("The meeting is on 12 May 2021 in rooom 5", "The meeting is on 13 May 2021 in room 5", ("rooom",)),
        ("The meetinng is on 12 May 2021 in rooom 5", "The meeting is on 12 May 2021 in room 7", ("rooom", "meetinng")),
        ("Flight 1506 to Parris leaves att noon", "Flight 1507 to Paris leaves at noon", ("parris", "att")),
        ("The chairrs cost 249 euros in our shpo", "The chairs cost 294 euros in our shop", ("chairrs", "shpo")),
        ("Take ten pills before dinnner", "Take two pills beforre dinner", ("dinnner", "beforre")),
        ("It is not saffe to eat the berrries", "It is safe to eat the berries", ("saffe", "berrries")),
        ("You can tallk freely in classs", "You can't talk freely in class", ("tallk", "classs")),
        ("Das ist kein Probblem für unns", "Das ist ein Problem für uns", ("probblem", "unns")),
        ("The M200 camerra in blackk", "The M300 camera in black", ("camerra", "blackk")),
        ("We meeet on Monday at the staton", "We meet on Sunday at the station", ("meeet", "staton")),
        ("The trian leaves at 7:15 ", "The train leaves at 7:45", ("trian",)),
        ("Pleese pay 1,300 dollars", "Please pay 13,000 dollars", ("pleese",)),
        ("It is safeee to eat the brrs", "It is not safe to eat the berries", ("safeee", "brrs")),
        ("It is nt safe to eattt", "It is safe to eat", ("nt", "eattt")),
        ("It is nt safe to eattt", "It is not safe to eat", ("nt", "eattt")),
        ("They wnt come to the prtyyyy", "They wont come to the party", ("wnt", "prtyyyy")),
        ("He dsn't like the womennnn", "He does like the women", ("dsn", "womennnn")),
        ("Read part III of the bookkkk", "Read part I of the book", ("iii", "bookkkk")),
        ("Meet meeee at 5pm on Mondayyyy", "Meet me at 6pm on Monday", ("meeee", "mondayyyy")),
        ("It costs 12 &euro; and lastssss", "It costs 13 &euro; and lasts", ("lastssss",)),
    ],
)  # fmt: skip
def test_noise_never_excuses_another_number_or_negation(a, b, rare):
    assert kind(a, b, rare=rare)[1] == "distinct"
    assert judged(a, b, rare=rare)["p_dup"] < 0.5


def test_short_texts_that_differ_by_a_word_are_lookalikes():
    assert kind("Dolphins from the sea are blue", "Dolphins from the sea are red") == ("F", "distinct")
    assert kind("Your teeth are in your mouth", "Your eyes are in your mouth") == ("F", "distinct")
    assert kind("The road FM 1506 runs north", "The road FM 1507 runs north") == ("F", "distinct")


def test_half_a_word_at_the_end_excuses_neither_short_texts_nor_numbers():
    assert kind("Bring the long ladder to the car", "Bring the long ladder to the carport") == ("F", "distinct")
    short_of = [f"{STORY}The fee is 1", f"{STORY}The fee is 150 euro a year and is due in May."]
    assert [judged(*pair)["changed_facts"] for pair in (short_of, short_of[::-1])] == [1, 1]
    cut = [f"{STORY}The fee is rai", f"{STORY}The fee is raised once a year and is due in May."]
    assert [judged(*pair)["edited"] for pair in (cut, cut[::-1])] == [0, 0]


def test_the_same_words_in_another_order_are_no_duplicates():
    assert kind("Teenagers wear tie-dyed t-shirts", "Tie-dyed teenagers wear t-shirts")[1] == "distinct"


@pytest.mark.parametrize("start", [0, 150, 400])
def test_an_excerpt_is_d_in_the_direction_of_the_whole_also_when_cut_within_words(start):
    excerpt = (STORY + OTHER)[start : start + 500]
    assert (STORY + OTHER)[start + 499 : start + 501].isalpha(), "the last word is cut"
    assert kind(excerpt, STORY + OTHER) == ("D", Verdict.IN_B)
    assert kind(STORY + OTHER, excerpt) == ("D", Verdict.IN_A)


def test_a_short_excerpt_of_a_long_text_is_d_too():
    sentence = "Timber that has been at sea for eighty years goes on working when it dries"
    assert kind(sentence, STORY) == ("D", Verdict.IN_B)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Timber that has been at sea goes on working when it dries.", "The old shipwright said so to all of us."),
        ("参观者可以打开第二扇门，但是要先问管理员。", "这座房子建于一百年前，花园在房子的后面。"),
        ("أعلنت المدينة أن الجسر القديم سوف يفتح أمام المشاة.", "يبدأ العمل قريبا في الميناء الكبير."),
    ],
)
def test_a_short_text_that_stands_in_another_is_contained(first, second):
    assert kind(first, f"{first} {second}") == ("D", Verdict.IN_B)
    assert kind(second, f"{first}\n{second}") == ("D", Verdict.IN_B)
    half = first[: len(first) * 3 // 4]
    assert kind(half, f"{first} {second}")[1] == "distinct", "no whole sentence of it"


@pytest.mark.parametrize(
    ("whole", "around"),
    [
        (SHORT_NEWS, f"[12:31] {SHORT_NEWS}"),
        (SHORT_NEWS, f"{SHORT_NEWS} (2/6)"),
        (SHORT_NEWS, f"{SHORT_NEWS} - The Old Herald"),
        (SHORT_NEWS, f"<ann_k> {SHORT_NEWS}"),
        (f"{SHORT_NEWS} and the rooms above i...", f"{SHORT_NEWS} and the rooms above it for the summer"),
        (f"{SHORT_NEWS}…", f"{SHORT_NEWS} and the rooms above it for the summer"),
    ],
)
def test_a_short_text_that_signs_part_from_what_is_around_it_is_contained(whole, around):
    assert kind(whole, around) in (("D", Verdict.IN_B), ("C", Verdict.EITHER), ("C", Verdict.IN_B))


@pytest.mark.parametrize(
    ("whole", "around"),
    [
        (SHORT_NEWS, f"{SHORT_NEWS} (fake)"),
        (SHORT_NEWS, f"{SHORT_NEWS} - cancelled"),
        (SHORT_NEWS, f"Nobody believes that {SHORT_NEWS} at noon"),
        (f"{SHORT_NEWS} and the rooms above i", f"{SHORT_NEWS} and the rooms above it for the summer"),
    ],
)
def test_what_takes_a_short_text_back_or_goes_on_with_it_makes_another(whole, around):
    assert kind(whole, around)[1] == "distinct"


def test_a_heading_of_a_short_text_is_not_contained():
    assert kind("The old shipwright", "The old shipwright\nTimber goes on working when it dries.")[1] == "distinct"


def test_an_excerpt_whose_facts_were_changed_is_not_contained():
    excerpt = STORY[:560].replace("forty", "fifty").replace("single winter", "double summer").replace("wet", "dry")
    assert kind(excerpt, STORY + OTHER)[1] == "distinct"


def test_records_of_one_form_are_lookalikes():
    record = (
        "The licensee shall pay to the licensor for each started calendar year, and within thirty days after receipt "
        "of an invoice, a fee of {} euro for every workplace at which the program {} has been installed or used. The "
        "sum is due at the seat of the licensor in {}. Delay of more than {} days ends the licence without notice, and "
        "every copy of the program must then be returned or destroyed under the eyes of a notary."
    )
    filled = [record.format("200", "Atlas", "Oslo", "30"), record.format("900", "Zephyr", "Lima", "45")]
    assert len(filled[0]) > Parameters().sketch.short_chars
    assert kind(*filled) == ("F", "distinct")


def test_a_version_of_a_text_with_one_changed_number_is_f_when_it_weighs():
    found = judged(STORY, STORY.replace("eighty", "ninety"))
    assert found["changed_facts"] == 1
    heavy = RULES.with_settings(["verify.max_facts=0"])
    assert kind(STORY, STORY.replace("eighty", "ninety"), parameters=heavy) == ("F", "distinct")


def test_paraphrases_are_variants_that_stay():
    a, b = "The film moved me to tears and I left early.", "I wept at this picture, so I did not stay until the end."
    assert kind(a, b, cosine=0.95) == ("variant", "variant")
    assert kind(a, b, cosine=0.91) == ("none", "distinct")


def test_unrelated_texts_are_none():
    assert kind(STORY, OTHER, cosine=0.3) == ("none", "distinct")
    assert kind("Buy milk", "The tide is out", cosine=0.1) == ("none", "distinct")


def test_accepted_pairs_are_likelier_than_not_and_refused_ones_are_not():
    pairs = [
        (STORY, STORY.upper()),
        ("The tide is out today", "The tide is  0ut today"),
        (STORY[:500], STORY + OTHER),
        (STORY, OTHER),
        ("Dolphins are blue", "Dolphins are red"),
    ]
    for a, b in pairs:
        found = judged(a, b)
        assert (found["p_dup"] >= 0.5) == (found["verdict"] in (Verdict.EITHER, Verdict.IN_A, Verdict.IN_B))
        assert 0 <= found["p_dup"] <= 1


def interrupted(words, together):
    """The story in a template that breaks it into parts of so many sentences."""
    sentences = STORY.replace("\n", " ").strip().split(". ")
    parts = [". ".join(sentences[at : at + together]) + "." for at in range(0, len(sentences), together)]
    return template("\nAdvertisement\nRead the latest offers of our partners here\n".join(parts), words)


def test_the_network_keeps_what_it_doubts_and_removes_nothing():
    pair = template(STORY, SECTIONS[0]), interrupted(SECTIONS[1], 1)
    assert kind(*pair)[1] == Verdict.DISTINCT, "no long passage: no rule calls it a copy"
    assert overruled(*pair, 1.0)[1] == Verdict.DISTINCT
    edited = STORY.replace("last spring", "last  Spring") + "\nSeen by 12"
    assert kind(STORY, edited)[1] != Verdict.DISTINCT
    assert overruled(STORY, edited, 0.2) == ("F", Verdict.DISTINCT)
    assert overruled(STORY, edited, 0.2, sigma=0.2) == ("F", Verdict.DISTINCT), "to keep a document doubt is enough"
    assert overruled(STORY, edited, 0.4)[1] != Verdict.DISTINCT


@pytest.mark.parametrize("p_dup", [0.0, 0.5, 1.0])
def test_an_opinion_changes_nothing_where_the_network_is_not_asked(p_dup):
    network = Parameters()
    pairs = [
        (STORY, template(STORY, SECTIONS[0])),
        (STORY, STORY.replace("eighty", "ninety")),
        (STORY, STORY.replace("eighty years", "eighty long years")),
        (STORY, OTHER),
        (STORY, STORY + OTHER),
        (STORY, STORY[: len(STORY) // 2] + OTHER),
        ("Call us before 5 pm today", "Call us before 6 pm today"),
        ("Call us before 5 pm today", "call us before 5 pm today!"),
    ]
    found = pl.concat(
        [measured(a, b).with_columns(a=pl.lit(2 * at), b=pl.lit(2 * at + 1)) for at, (a, b) in enumerate(pairs)]
    )
    asked = open_to_opinion(found, network)
    assert 0 < asked.sum() < found.height
    opinion = {"p_dup": p_dup, "sigma": 0.0, "tau": 0.4}
    everywhere = {name: pl.lit(value, pl.Float32) for name, value in opinion.items()}
    where_asked = {name: pl.when(asked).then(value) for name, value in everywhere.items()}
    one, other = (
        with_verdicts(found.with_columns(**everywhere), network),
        with_verdicts(found.with_columns(**where_asked), network),
    )
    assert one["type"].to_list() == other["type"].to_list()
    assert one["verdict"].to_list() == other["verdict"].to_list()
    assert other["p_dup"].is_between(0, 1).all()


def test_the_papers_network_decides_at_its_threshold():
    pair = template(STORY, SECTIONS[0]), interrupted(SECTIONS[1], 2)
    assert overruled(*pair, 0.41, decider="paper")[1] == Verdict.IN_B
    assert overruled(STORY, STORY + "\nSeen by 12", 0.39, decider="paper") == ("F", Verdict.DISTINCT)


@pytest.mark.parametrize("decider", ["network", "paper"])
def test_no_network_lets_changed_facts_pass(decider):
    assert (
        overruled("Flight 1506 to Paris leaves at noon", "Flight 1507 to Paris leaves at noon", 1.0, decider=decider)[1]
        == Verdict.DISTINCT
    )
    other = STORY.replace("eighty", "ninety").replace("forty", "fifty").replace("ten", "two").replace("Linden", "Aster")
    assert (
        overruled(STORY, other, 1.0, rare=("ninety", "fifty", "Linden", "Aster"), decider=decider)[1]
        == Verdict.DISTINCT
    )


def test_fixed_thresholds_know_jaccard_and_containment_only():
    fixed = Parameters().with_settings(["verify.decider=fixed"])
    assert judged(STORY, STORY.replace("eighty", "ninety"), parameters=fixed)["type"] == "B"
    assert judged(STORY[:500], STORY, parameters=fixed)["type"] == "D"
    assert judged(STORY, OTHER, parameters=fixed)["verdict"] == Verdict.DISTINCT


def test_judging_no_pairs_gives_no_rows():
    texts = pl.Series(["a text", "another text"])
    counted = Frequencies(np.ones(1 << BITS, np.uint32), np.ones(1 << BITS, np.uint32), 2)
    none = np.empty(0, np.int64)
    columns = evidence(featurise(texts, None, counted, Parameters().sketch, 320), none, none)
    found = with_verdicts(
        measure(pl.DataFrame({"a": none, "b": none, **columns, "cosine": np.empty(0, np.float32)})), RULES
    )
    assert found.is_empty() and {"type", "verdict", "p_dup", "ratio_a", "ratio_b"} <= set(found.columns)
    assert edges(found.with_columns(fuller(), general=pl.lit(value=False), worn=pl.lit(value=False))).is_empty()


def pairs(*rows, fuller=0, general=False, worn=False):
    schema = {"a": pl.Int64, "b": pl.Int64, "verdict": pl.String, "p_dup": pl.Float32}
    measured = {"fuller": pl.lit(fuller, pl.Int8), "general": pl.lit(general), "worn": pl.lit(worn)}
    return pl.DataFrame(rows, schema=schema, orient="row").with_columns(**measured)


def claims(*rows, published=(), protected=()):
    """Rows (doc, tier, completeness), which of the documents were published before, and which must be kept."""
    schema = {"doc": pl.Int64, "tier": pl.Int64, "completeness": pl.Float64}
    known, guarded = (pl.col("doc").is_in(list(several)) for several in (published, protected))
    told = pl.DataFrame(rows, schema=schema, orient="row").with_columns(published=known, protected=guarded)
    return told.with_columns(mass=pl.lit(0.0), disguised=pl.lit(0))


def equal(*docs):
    return claims(*[(doc, 0, 0.0) for doc in docs])


def removed(found):
    return dict(found.drop_nulls("survivor").iter_rows())


def test_permissions_point_the_way_the_verdict_says():
    found = edges(
        pairs(
            (1, 2, Verdict.EITHER, 0.9),
            (3, 4, Verdict.IN_B, 0.8),
            (5, 6, Verdict.IN_A, 0.7),
            (7, 8, "distinct", 0.1),
            (9, 10, "variant", 0),
        )
    )
    assert sorted(found.select("loser", "winner").rows()) == [(1, 2), (2, 1), (3, 4), (6, 5)]
    assert found.filter(loser=6)["score"].item() == pytest.approx(0.7)


def test_a_better_tier_then_the_more_complete_then_the_cleaner_then_the_earlier_stays():
    pair = edges(pairs((10, 20, Verdict.EITHER, 0.9)))
    assert removed(survivors(pair, claims((10, 1, 9.0), (20, 0, 0.0)))) == {10: 20}
    assert removed(survivors(pair, claims((10, 0, 3.0), (20, 0, 4.0)))) == {10: 20}
    assert removed(survivors(pair, equal(10, 20))) == {20: 10}
    worn = equal(10, 20).with_columns(mass=pl.Series([8.5, 7.0]))
    assert removed(survivors(pair, worn)) == {10: 20}, "slips make rare shingles"
    disguised = worn.with_columns(disguised=pl.Series([0, 3]))
    assert removed(survivors(pair, disguised)) == {20: 10}, "but are nearer to what was written than other letters"


def test_of_equal_claims_the_one_that_stands_for_most_stays():
    """Perturbed copies resemble the clean text, not each other."""
    star = edges(pairs((0, 2, Verdict.EITHER, 0.9), (1, 2, Verdict.EITHER, 0.9), (2, 3, Verdict.EITHER, 0.9)))
    assert removed(survivors(star, equal(0, 1, 2, 3))) == {0: 2, 1: 2, 3: 2}
    longer = claims((0, 0, 1.0), (1, 0, 0.0), (2, 0, 0.0), (3, 0, 0.0))
    assert removed(survivors(star, longer)) == {0: 2, 1: 2, 3: 2}, "were 2 to go in favour of 0, two would stay"
    assert removed(survivors(edges(pairs((0, 1, Verdict.EITHER, 0.9))), claims((0, 0, 0.0), (1, 0, 1.0)))) == {0: 1}


def test_of_two_copies_the_one_that_says_more_stays():
    """A sentence put in weighs too little to make a text more complete."""
    for side, gone in ((1, {20: 10}), (-1, {10: 20}), (2, {20: 10}), (-2, {10: 20})):
        pair = edges(pairs((10, 20, Verdict.EITHER, 0.9), fuller=side))
        assert removed(survivors(pair, equal(10, 20))) == gone
        fuller_text = abs(side) > 1
        assert removed(survivors(pair, claims((10, 0, 5.0), (20, 0, 4.0)))) == (gone if fuller_text else {20: 10})
    first, second = STORY.split(". ", 1)
    longer = judged(STORY, f"{first}. Children under six go in free. {second}")
    assert longer["verdict"] == Verdict.EITHER
    assert pl.DataFrame([longer]).select(fuller()).item() == -2
    menu = judged(STORY, f"Home\nNews\nSports\n{STORY}")
    assert pl.DataFrame([menu]).select(fuller()).item() == -1, "nothing else tells them apart"
    longer_menu = f"{STORY}\n\nHome\nNews\nSports\nContact us\nImprint"
    assert pl.DataFrame([judged(f"{STORY} Read on.", longer_menu)]).select(fuller()).item() == -1, (
        "two words are no text"
    )


def test_what_several_that_stay_have_in_common_is_a_copy_of_none():
    both = ((0, 1, Verdict.IN_B, 0.9), (0, 2, Verdict.IN_B, 0.8))
    assert removed(survivors(edges(pairs(*both)), equal(0, 1, 2))) == {0: 1}, "words put in are not all that differs"
    assert removed(survivors(edges(pairs(*both, general=True)), equal(0, 1, 2))) == {}
    copies = pl.concat([pairs(*both, general=True), pairs((1, 2, Verdict.EITHER, 0.9))])
    assert removed(survivors(edges(copies), equal(0, 1, 2))) == {0: 1, 2: 1}, "one of the two goes"
    slip = pl.concat([pairs(*both, general=True), pairs((0, 3, Verdict.EITHER, 0.9))])
    assert removed(survivors(edges(slip), equal(0, 1, 2, 3))) == {3: 0}, "its own copies go"
    wrist, right, left = (f"{side}burn of first degree of wrist and hand" for side in ("", "right ", "left "))
    found = [judged(wrist, right), judged(wrist, left), judged(right, left)]
    told = pl.DataFrame(found).with_columns(judge_source=pl.Series(["automatic", None, None]))
    assert told.select(general()).to_series().to_list() == [True, True, False]
    assert not told.with_columns(judge_source=pl.lit("review")).select(general().any()).item(), "a person says so"
    assert [one["verdict"] for one in found] == [Verdict.IN_B, Verdict.IN_B, Verdict.DISTINCT]


@pytest.mark.parametrize("rests", ["general", "worn"])
def test_in_a_family_of_lookalikes_a_word_put_in_or_a_letter_makes_another_record(rests):
    doubtful = pairs((0, 1, Verdict.IN_B, 0.9), **{rests: True})
    may_go = edges(pl.concat([doubtful, pairs((0, 9, Verdict.EITHER, 0.9))]))
    several = pl.DataFrame({"a": [0, 2, 0], "b": [3, 0, 4]})
    assert outside_families(may_go, several[:2]).equals(may_go.drop("worn"))
    assert outside_families(may_go, several).select("loser", "winner").rows() == [(0, 9), (9, 0)]
    around = pl.DataFrame({"a": [1, 1, 1], "b": [2, 3, 4]})
    assert outside_families(may_go, around).select("loser", "winner").rows() == [(0, 9), (9, 0)], "nor of the other one"


def test_what_differs_in_a_place_that_three_texts_fill_in_otherwise_is_no_copy():
    schema = ["a", "b", "slot", "fill_a", "fill_b"]
    slotted = [(0, 1, 7, 10, 11), (0, 2, 7, 10, 12), (0, 3, 7, 10, 13), (1, 2, 7, 11, 12)]
    known = pl.DataFrame([*slotted, (0, 4, 8, 10, 14)], schema, orient="row")
    assert outside_forms(known).select("a", "b").rows() == [(1, 2), (0, 4)], "two others are too few"
    same = [(0, 1, 7, 10, 11), (0, 2, 7, 10, 11), (0, 3, 7, 10, 13)]
    assert outside_forms(pl.DataFrame(same, schema, orient="row")).height == 3, "two say the same"
    unknown = [(0, 4, -7, 10, 14), (0, 5, -7, 10, 15), (0, 6, -7, 10, 16)]
    assert outside_forms(pl.DataFrame(unknown, schema, orient="row")).height == 3, "tokens that nobody else has"
    both = outside_forms(pl.DataFrame([*slotted, *unknown], schema, orient="row"))
    assert both.select("a", "b").rows() == [(1, 2)], "but in a form that is known"
    copies = [*slotted, (0, 4, 0, 0, 0), (0, 5, 0, 0, 0)]
    assert outside_forms(pl.DataFrame(copies, schema, orient="row")).height == 6, "copies that differ elsewhere, too"


def test_a_slip_is_a_word_in_place_of_another_where_nothing_is_in_disguise():
    schema = ["type", "replaced_words", "typographic", "judge_source"]
    slips = [("C", 1, 0, None), ("C", 2, 0, None), ("C", 0, 1, None)]
    others = [("C", 1, 1, None), ("C", 0, 2, None), ("C", 0, 0, None), ("B", 1, 0, None), ("C", 1, 0, "review")]
    told = pl.DataFrame(slips + others, schema, orient="row").select(worn()).to_series()
    assert told.to_list() == [True] * 3 + [False] * 5


def test_nothing_goes_in_favour_of_a_worse_tier():
    inside = edges(pairs((0, 1, Verdict.IN_B, 0.9)))
    assert removed(survivors(inside, claims((0, 0, 0.0), (1, 1, 9.0)))) == {}
    assert removed(survivors(inside, claims((0, 0, 9.0), (1, 0, 0.0)))) == {0: 1}, "whatever the completeness"


def test_of_one_tier_the_published_stays_and_a_better_tier_beats_it():
    pair = edges(pairs((10, 20, Verdict.EITHER, 0.9)))
    assert removed(survivors(pair, claims((10, 0, 9.0), (20, 0, 0.0), published=[20]))) == {10: 20}, "less complete"
    assert removed(survivors(pair, claims((10, 0, 0.0), (20, 1, 9.0), published=[20]))) == {20: 10}, "less protected"
    star = edges(pairs((0, 2, Verdict.EITHER, 0.9), (1, 2, Verdict.EITHER, 0.9), (2, 3, Verdict.EITHER, 0.9)))
    beside = claims((0, 0, 0.0), (1, 0, 0.0), (2, 0, 0.0), (3, 0, 0.0), published=[3])
    assert removed(survivors(star, beside)) == {2: 3}, "it stands for fewer"


def test_survivors_name_every_document_in_order_and_need_no_pairs():
    found = survivors(edges(pairs()), equal(3, 5, 9))
    assert found["doc"].to_list() == [3, 5, 9] and found["survivor"].to_list() == [None] * 3
    assert survivors(edges(pairs()), claims()).is_empty()


def test_document_numbers_need_not_be_dense():
    found = survivors(edges(pairs((7, 400, Verdict.EITHER, 0.9))), equal(2, 7, 31, 400))
    assert removed(found) == {400: 7}


def test_a_document_left_standing_is_checked_against_the_survivor_of_its_match():
    chain = pairs((0, 1, Verdict.EITHER, 0.9), (1, 2, Verdict.EITHER, 0.9))
    known = claims((0, 0, 2.0), (1, 0, 1.0), (2, 0, 0.0), published=[0])
    assert removed(survivors(edges(chain), known)) == {1: 0}
    assert orphans(chain, known).rows() == [(0, 2)]
    for verdict, gone in (("distinct", {1: 0}), (Verdict.EITHER, {1: 0, 2: 0})):
        second = pl.concat([chain, pairs((0, 2, verdict, 0.8))])
        assert orphans(second, known).is_empty(), "a pair is judged once"
        assert removed(survivors(edges(second), known)) == gone


def test_documents_that_matched_nothing_removed_are_no_orphans():
    assert orphans(pairs((0, 1, Verdict.EITHER, 0.9), (2, 3, "distinct", 0.1)), equal(0, 1, 2, 3)).is_empty()
    assert orphans(pairs(), equal(0, 1)).is_empty()


def test_the_network_is_not_heard_on_two_short_texts():
    same, other = ("call now 5 pm please", "c a l l n0w 5 p m pl3ase"), ("call now 5 pm please", "call now 6 pm please")
    assert overruled(*same, p_dup=0.01) == ("C", Verdict.EITHER)
    assert overruled(*other, p_dup=0.99)[1] == "distinct"
    assert overruled(*same, p_dup=0.01, decider="paper")[1] == "distinct"
