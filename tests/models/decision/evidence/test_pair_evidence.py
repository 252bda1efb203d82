"""Evidence on pairs that look like real ones: what may be deleted, and what must not."""

import unicodedata

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.decision.diff.segments import passages
from models.decision.evidence.columns import Count, Share
from models.decision.evidence.page_edges.stamp_lines import MOST_WORDS
from models.decision.evidence.pair_evidence import OF_SIDES, SHORT_PAIRS, evidence
from models.decision.evidence.spelling.levenshtein import levenshtein
from models.lexical.sketch.features import Features
from models.lexical.sketch.shingles import hash_word_grams, shingle
from models.lexical.text import normalise, split_words
from models.lexical.text.canonical.plain_words import plain_words
from tests.support.examples import examples

SHORT_CHARS = 320
NEWS = (
    "A US judge has ruled that the creator of the comic hero must receive a share of the profits from the films. "
    "Lawyers for the company said on Tuesday that they would appeal against the decision of the court in New York. "
    "The writer, now 82, took the studio to court after the first picture earned more than 800 million dollars. "
    "He had signed a contract in 1998 that promised him ten per cent of whatever the characters brought in. "
)
OTHER_NEWS = (
    "Farmers along the river woke to fields under water after three days of rain that broke every record since 1954. "
    "Engineers opened the gates of the upper dam at dawn, and villages on the plain were told to move their cattle. "
    "Insurance for the harvest covers only hail, a spokeswoman for the union said, so most will have to borrow. "
    "Schools stay closed until Monday while the army clears the road that links the valley with the coast. "
)
MENU = "Home\n  News\n  Business\n  Sport\n  Opinion\nSign In\n  Subscribe\n"
FOOTER = "\nContact us\n  Privacy\n  Terms of use\nCopyright 2019 The Daily Planet\n"


def features(texts):
    normalised = normalise(pl.Series(texts))
    words = split_words(normalised)
    shingles = shingle(normalised, words, SHORT_CHARS)
    even = np.ones(shingles.hash.size, np.float32), np.ones(words.hash.size, np.float32)
    none, unseen = np.zeros(words.hash.size, np.uint32), np.zeros(words.hash.size, np.uint8)
    plain = plain_words(normalised, words)
    return Features(normalised, words, shingles, *even, none, hash_word_grams(plain), none, plain.hash, unseen)


def compared(a, b, df=None):
    """Evidence on one pair; df maps words to document frequencies, 50 for all others."""
    batch = features([a, b])
    spelt = [batch.normalised.codes[s:e].tobytes().decode("utf-32-le") for s, e in zip(*batch.words[:2], strict=True)]
    counted = np.array([0 if df is None else df.get(word, 50) for word in spelt], np.uint32)
    columns = evidence(batch._replace(word_df=counted), np.array([0]), np.array([1]))
    assert columns.keys() == {*(column.name.lower() for column in (*Share, *Count)), *OF_SIDES, *SHORT_PAIRS}
    return {name: column[0].item() for name, column in columns.items()}


def same_content(found):
    return (found["rest_mass_a"], found["rest_mass_b"], found["replaced"], found["changed_facts"]) == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (
            "There is a subversive element to this Disney cartoon",
            "There 1s a subversive elem3nt to this D15ney car7oon!",
        ),
        ("@USAirways my luggage was delayed, you know", "@US\u200bАirwауs my luggаgе wаs dеlауed , y оu   knоw 🤔🤔"),
        ("weather reLate Flightd Cancelled Flights? Hours", "weather reLate Flightd Cancelle d Flig hts?  Hours"),
        ("we closed on the 3rd of May", "We closed on the 3 rd of May"),
        ("a loss of 1,300 jobs", "a loss of 1300 jobs"),
        ("I can't and I won't", "i cant and i wont"),
        ("Nestlé declined to comment by mid-year", "NESTLE declined to comment by midyear"),
        ("its zeal to spread propaganda", "1ts z3al 70 spr34d pr0p4g4nd4"),
        ("one of a kind", "one of 4 kind"),
        ("thank you", "than kyou"),
    ],
)
def test_disguise_and_spacing_are_no_difference(a, b):
    assert same_content(compared(a, b)) and same_content(compared(b, a))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The road FM 1506 runs north", "The road FM 1507 runs north"),
        ("The Canon M200 camera in black", "The Canon M300 camera in black"),
        ("My Cloud NAS WDBCTL0060HWT drive", "My Cloud NAS WDBCTL0030HWT drive"),
        ("requires version 7.2 of the shell", "requires version 7.3 of the shell"),
        ("the price is 1.5 dollars now", "the price is 15 dollars now"),
        ("an order of 11.21 euros", "an order of 112.1 euros"),
        ("It is not safe to eat", "It is safe to eat"),
        ("You can talk freely in class", "You can't talk freely in class"),
        ("Das ist kein Problem für uns", "Das ist ein Problem für uns"),
        ("worth two million pounds a year", "worth two billion pounds a year"),
        ("talks with Iran have failed", "talks with Iraq have failed"),
        ("see Schedule A to the lease", "see Schedule 4 to the lease"),
        ("the new iphone7 is here", "the new iphone6 is here"),
        ("the new iphone7 is here", "the new iphone is here"),
        ("售价 五 元", "售价 六 元"),
        ("open from 2004 to now", "open from 2040 to now"),
        ("about eight hundred came", "about eighty hundred came"),
    ],
)
def test_a_changed_fact_is_never_taken_for_spelling(a, b):
    rare = dict.fromkeys(set(a.casefold().split()) - set(b.casefold().split()), 1)
    for found in (compared(a, b), compared(b, a), compared(a, b, {}), compared(a, b, rare), compared(b, a, rare)):
        assert found["changed_facts"] >= 1 and found["fact_mass"] >= 1
        assert found["typographic"] == 0


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Your teeth are in your mouth", "Your eyes are in your mouth"),
        ("Dolphins from the sea are blue", "Dolphins from the sea are red"),
        ("he walked to the mail room", "he walked to the mall room"),
        ("Returns the cosine of a number", "Returns the sine of a number"),
        ("it is legal to sell them", "it is illegal to sell them"),
        ("filed by Anders Petersen of Oslo", "filed by Anders Peterson of Oslo"),
        ("from the house on the hill", "from the mouse on the hill"),
    ],
)
def test_another_word_is_a_replacement_whatever_the_corpus_says_of_both(a, b):
    for found in (compared(a, b), compared(a, b, {})):
        assert (found["replaced"], found["typographic"], found["edited"]) == (1, 0, 1)
        assert found["rest_mass_a"] == found["novel_mass_a"] == 1
        assert found["spelling"] < 1


def test_a_slip_is_forgiven_where_the_corpus_proves_it():
    a, b = "the users want more of it", "the users wlnt more of it"
    assert same_content(compared(a, b, {"wlnt": 1}))
    assert compared(a, b, {"wlnt": 30})["replaced"] == 1, "both are words of the corpus"
    assert compared(a, b)["replaced"] == 1, "nobody counted"
    assert same_content(compared("call the publisher", "call the publihser", {"publihser": 1}))
    assert compared("a long trial ahead", "a long trail ahead", {"trial": 9, "trail": 9})["replaced"] == 1


def test_unproven_slips_keep_the_letters_alike_and_other_words_do_not():
    assert compared("my flight to Rome", "my fliht to Rome")["spelling"] > 0.8
    assert compared("my flight to Rome", "my hotel in Rome")["spelling"] < 0.4
    assert compared("my flight to Rome", "my late flight to Rome")["spelling"] == 0
    assert compared("my flight to Rome", "My flight to Rome")["spelling"] == 1


def test_a_hot_spot_copy_with_a_header_and_a_stamp_changes_no_fact():
    found = compared(NEWS, "Posted 26.10. at 18:57\n\nUPDATE - " + NEWS.replace("Lawyers", "Lawyrs") + "\n[ref 40015]")
    assert found["changed_facts"] == 0 and found["rest_prose_b"] == 0
    assert found["rest_mass_b"] <= 10 and found["rest_mass_a"] <= 1
    assert found["shared_mass"] >= 70 and found["longest_run"] >= 40


def test_two_stamps_are_volatile_and_no_edits():
    long = "\n".join([NEWS] * (MOST_WORDS // len(NEWS.split()) + 1))
    found = compared("Posted 4.10. at 5:38\n\n" + long, "Posted 23.4. at 0:22\n\n" + long)
    assert found["changed_facts"] == found["other_facts"] == found["edited"] == 0 and found["volatile"] == 4
    inside = compared(NEWS, NEWS.replace("82", "79"))
    assert (inside["changed_facts"], inside["sentence_facts"], inside["edited"]) == (1, 1, 1)


def test_another_byline_on_a_line_of_its_own_changes_no_fact():
    found = compared(
        "By J. Doe | 27/7 | 2 min read\n\n" + NEWS, "Brisbane, 14.1.2018, 18:57 GMT, 3 comments\n\n" + NEWS
    )
    assert found["changed_facts"] == found["edited"] == 0 and found["rest_mass_a"] == 8


def test_menus_are_no_prose_and_a_cookie_banner_is():
    banner = "We use cookies to give you the best experience, by staying here you accept our policy.\n"
    found = compared(NEWS, MENU + "\n" + NEWS + FOOTER)
    assert found["aligned_a"] == 1 and found["containment_a"] == 1 and found["rest_mass_a"] == 0
    assert found["rest_mass_b"] > 10 and found["rest_prose_b"] == 0 and found["edited"] == 0
    assert compared(NEWS, MENU + banner + NEWS)["rest_prose_b"] == 16
    in_one_line = " ".join(MENU.split()) + "\n"
    assert compared(NEWS, in_one_line + NEWS)["rest_prose_b"] == 0


def test_the_same_template_around_two_articles_shares_little():
    found = compared(MENU + "\n" + NEWS + FOOTER, MENU + "\n" + OTHER_NEWS + FOOTER)
    assert min(found["rest_prose_a"], found["rest_prose_b"]) > 60
    assert found["shared_mass"] < 30 and found["sentence_facts"] == 0
    assert found["weighted_jaccard"] < 0.4


def test_two_versions_of_a_page_show_their_edits():
    page = (
        "# Start-Job\n\nStarts a background job in PowerShell {}.\n\nThe cmdlet starts a job on the local computer. "
        "You can run it without interacting with the session. When you start a job, the object is returned at once.\n\n"
    )
    old = (
        page.format("7.2") + "The default working directory for jobs is hardcoded.\n\nSee also Get-Job and Stop-Job.\n"
    )
    new = page.format("7.3") + (
        "Beginning in this release the working directory is that of the caller who started it, unless it is set.\n\n"
        "See also Get-Job and Stop-Job.\n"
    )
    found = compared(old, new)
    assert found["changed_facts"] >= 1 and found["sentence_facts"] >= 1
    assert found["rest_prose_b"] >= 8 and found["edited"] >= 5 and found["aligned_a"] > 0.8


def test_a_long_insertion_is_content_and_no_changed_fact():
    found = compared(NEWS, NEWS + "\n" + OTHER_NEWS)
    assert found["changed_facts"] == found["edited"] == 0 and found["aligned_a"] == 1 and found["aligned_b"] < 0.6


def test_the_same_words_in_another_order_are_marked():
    assert compared("Teenagers wear tie-dyed t-shirts", "Tie-dyed teenagers wear t-shirts")["moved"] == 1
    assert compared("from 5 to 7 percent of all", "from 7 to 5 percent of all")["moved"] == 1
    assert compared("Dolphins are blue", "Dolphins are red")["moved"] == 0
    assert compared("Dolphins are blue", "dolphins are BLUE")["moved"] == 0


def test_shingle_columns_are_the_sums_they_say():
    batch = features([NEWS, NEWS + OTHER_NEWS])
    rng = np.random.default_rng(0)
    weight = rng.random(batch.shingles.hash.size).astype(np.float32)
    found = evidence(batch._replace(gram_weight=weight), np.array([0]), np.array([1]))
    rows = [
        dict(zip(batch.shingles.hash[s], weight[s], strict=True))
        for s in (slice(0, batch.shingles.pointers[1]), slice(batch.shingles.pointers[1], None))
    ]
    a, b = rows
    both = a.keys() & b.keys()
    assert found["jaccard"][0] == pytest.approx(len(both) / len(a.keys() | b.keys()))
    assert (found["containment_a"][0], found["containment_b"][0]) == pytest.approx(
        (len(both) / len(a), len(both) / len(b))
    )
    smaller = sum(min(a[g], b[g]) for g in both)
    assert found["weighted_jaccard"][0] == pytest.approx(
        smaller / (sum(a.values()) + sum(b.values()) - smaller), rel=1e-4
    )
    assert found["weighted_containment_b"][0] == pytest.approx(sum(b[g] for g in both) / sum(b.values()), rel=1e-4)


def test_masses_follow_the_word_weights():
    batch = features(["the red car", "the blue car"])
    found = evidence(batch._replace(word_weight=np.array([1, 5, 2, 3, 7, 4], np.float32)), np.array([0]), np.array([1]))
    assert [found[name][0] for name in ("shared_mass", "rest_mass_a", "rest_mass_b", "edited_mass")] == [5, 5, 7, 7]


ALPHABET = st.sampled_from([*list("ab1 .\n"), "not", "Iran ", "7", "é", "а", "你", "👍", "\u200b"])
TEXTS = st.lists(st.lists(ALPHABET, max_size=30).map("".join), min_size=2, max_size=2)


@examples(300)
@given(TEXTS)
def test_sides_swap_and_a_text_equals_itself(texts):
    batch = features(texts)
    found = evidence(batch, np.array([0, 1, 0]), np.array([1, 0, 0]))
    for name, column in found.items():
        if name.endswith("_a"):
            other = found[name[:-1] + "b"]
            if "contain" in name:
                assert column[0] == other[1]
            assert column[0] >= 0 and column[2] == other[2]
        assert not np.isnan(column).any() or name == "skeleton_similarity"
    for name in ("rest_mass_a", "replaced", "typographic", "edited", "changed_facts", "moved"):
        assert found[name][2] == 0
    words = np.diff(batch.words.pointers)
    matched = found["aligned_a"][0] * words[0]
    assert found["rest_mass_a"][0] == pytest.approx(words[0] - matched, abs=1e-3)


@examples(300)
@given(st.lists(st.integers(0, 3), max_size=40), st.lists(st.integers(0, 3), max_size=40))
def test_banded_distance_is_the_edit_distance(a, b):
    best = np.add.outer(np.arange(len(a) + 1), np.arange(len(b) + 1))
    for i, x in enumerate(a, 1):
        for j, y in enumerate(b, 1):
            best[i, j] = min(best[i - 1, j] + 1, best[i, j - 1] + 1, best[i - 1, j - 1] + (x != y))
    assert levenshtein(np.array(a, np.uint32), np.array(b, np.uint32)) == best[-1, -1]


def test_wrong_input_is_refused():
    batch = features(["one two", "three four"])
    with pytest.raises(ValueError, match="outside the batch of 2"):
        evidence(batch, np.array([0]), np.array([2]))
    with pytest.raises(ValueError, match="1 and 2"):
        evidence(batch, np.array([0]), np.array([0, 1]))
    assert all(len(column) == 0 for column in evidence(batch, np.array([], int), np.array([], int)).values())


def test_passages_of_a_worked_example():
    a, b = "See  FM 1506, near Ｔown — today!", "UPDATE: See FM 1507, near town. It rains."
    shown = [(p.kind, a[p.a0 : p.a1], b[p.b0 : p.b1]) for p in passages(a, b)]
    assert shown == [
        ("only_b", "", "UPDATE"),
        ("equal", "See  FM", "See FM"),
        ("replaced", "1506", "1507"),
        ("equal", "near Ｔown", "near town"),
        ("replaced", "today", "It rains"),
    ]
    assert passages("", "") == [] and [p.kind for p in passages("", "one")] == ["only_b"]


@examples(200)
@given(TEXTS)
def test_passages_rise_cover_every_word_and_equal_means_equal(texts):
    def bare(text):
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
        return "".join(c for c in folded if c.isalnum())

    a, b = texts
    found = passages(a, b)
    ends = [0, 0]
    for p in found:
        assert ends[0] <= p.a0 <= p.a1 and ends[1] <= p.b0 <= p.b1
        ends = [p.a1, p.b1]
        assert p.kind != "equal" or bare(a[p.a0 : p.a1]) == bare(b[p.b0 : p.b1])
    assert bare("".join(a[p.a0 : p.a1] for p in found)) == bare(a)
    assert bare("".join(b[p.b0 : p.b1] for p in found)) == bare(b)


TELLING = """
© (c) copyright rights 2019 1969 1.12 1.12+. 5 % $ € - + > >= = # 12:30 PM 3rd Page of 9 posted ago minutes percent km
by on not only later retrieved [edit] [5] session id= a1b2c3d4e5f60718 views ( ) " ' : . , | · Tom Ann built the and
"""
"""What rules on facts look for around a word."""
TOLD = st.sampled_from([*TELLING.split(), "\n"])


def alone_and_amid(a, b, before, between, behind):
    """Evidence on a pair by itself, and in a batch of five texts."""
    alone = evidence(features([a, b]), np.array([0]), np.array([1]))
    amid = evidence(features([before, a, between, b, behind]), np.array([1]), np.array([3]))
    return [{name: column.tolist() for name, column in found.items()} for found in (alone, amid)]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("It was built in 2019 and renovated by Keiko.", "It was built in 1969 and renovated by Keiko."),
        ("whatever it is that you want costs 5%", "whatever it is that you want costs 5"),
    ],
)
def test_no_text_is_read_beyond_its_ends(a, b):
    alone, amid = alone_and_amid(a, b, "© 2001 Ann", "percent of it", "percent of it")
    assert alone == amid


@examples(300)
@given(st.lists(TOLD, min_size=2, max_size=16), st.data(), st.lists(TOLD), st.lists(TOLD))
def test_what_stands_around_a_pair_in_a_batch_says_nothing_of_it(words, data, before, behind):
    other = words.copy()
    other[data.draw(st.integers(0, len(words) - 1))] = data.draw(TOLD)
    a, b, *around = (" ".join(some) for some in (words, other, before, behind))
    alone, amid = alone_and_amid(a, b, *around, "© 2001 Ann")
    assert alone == amid
