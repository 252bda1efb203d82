"""Repeated passages: the pre-filter loses nothing, the suffix array finds them, originals are hit exactly."""

import re
import weakref
from collections.abc import Iterable
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.lexical.fragments.anchors import Marks, find_anchors, sort_anchors
from models.lexical.fragments.occurrences import at_anchors, occurrences, of_shard
from models.lexical.fragments.repeats import (
    ALONE,
    CLOSING,
    SEPARATOR,
    LaidBatch,
    LaidRegions,
    Lay,
    Read,
    Regions,
    Text,
    WindowCounts,
    hold,
    repeated_regions,
)
from models.lexical.fragments.search import Fragments, fragments, fragments_in, relevance
from models.lexical.text import Normalised, Words, normalise, split_words, to_text
from tests.support.examples import examples
from tests.support.texts.whole_suffixes import reference, whole_texts


def prepare(texts: list[str]) -> tuple[Normalised, Words]:
    normalised = normalise(pl.Series(texts, dtype=pl.String))
    return normalised, split_words(normalised)


def find(texts: list[str], min_chars: int, min_hosts: int) -> Fragments:
    return fragments(*prepare(texts), min_chars, min_hosts)


def named(found: Fragments) -> dict[str, list[tuple[int, int, int]]]:
    """Fragment text → (doc, start, end) of its occurrences in the originals."""
    spans = list(zip(found.doc.tolist(), found.start.tolist(), found.end.tolist(), strict=True))
    names = found.texts.to_list()
    return {name: spans[a:b] for name, (a, b) in zip(names, pairwise(found.pointers), strict=True)}


def slow(texts: list[str], min_chars: int, min_hosts: int) -> dict[str, list[tuple[int, int]]]:
    """Fragment text → (doc, position), by definition and without a filter."""
    normalised, words = prepare(texts)
    docs = [to_text(normalised.codes[a:b]) for a, b in pairwise(normalised.pointers)]
    begin, breaks = normalised.pointers.tolist(), {*normalised.line_breaks.tolist()}
    inside = [set[int]() for _ in docs]
    for start, end in zip(words.start.tolist(), words.end.tolist(), strict=True):
        d = int(np.searchsorted(normalised.pointers, start, side="right")) - 1
        inside[d].update(range(start - normalised.pointers[d] + 1, end - normalised.pointers[d]))

    # a passage neither begins nor ends with a rule, nor within one
    ruled = [
        {at for rule in re.finditer(r"(?<![^ ])([-=])\1+(?![^ ])", doc) for at in range(rule.start(), rule.end() + 1)}
        for doc in docs
    ]

    def shared(d: int, p: int) -> int:
        lengths = range(len(docs[d]) - p, min_chars - 1, -1)
        return next((n for n in lengths if sum(docs[d][p : p + n] in doc for doc in docs) >= min_hosts), 0)

    def opens(d: int, p: int) -> bool:
        after_space = p == 0 or docs[d][p - 1] == " "
        alone = p > 0 and begin[d] + p not in breaks and docs[d][p + 1 : p + 2] in ("", " ")
        closing = CLOSING if not after_space else ALONE if alone else ()
        return p not in inside[d] | ruled[d] and docs[d][p] != " " and ord(docs[d][p]) not in closing

    passages = []
    for d, doc in enumerate(docs):
        furthest = 0
        for a in range(len(doc)):
            b = a + shared(d, a)
            while b > a and (b in inside[d] | ruled[d] or doc[b - 1] == " "):
                b -= 1
            if opens(d, a) and b - a >= min_chars and b > furthest:
                passages.append((a - b, d, a))
                furthest = b
    taken = [set[int]() for _ in docs]
    found: dict[str, list[tuple[int, int]]] = {}
    for minus, d, p in sorted(passages):
        free = [q for q in range(p, p - minus) if q not in taken[d]]
        gaps = [i for i in range(1, len(free)) if free[i] != free[i - 1] + 1]
        for low, high in pairwise([0, *gaps, len(free)]):
            a, b = (free[low], free[high - 1] + 1) if free else (0, 0)
            while a < b and not opens(d, a):
                a += 1
            while a < b and (b in ruled[d] or docs[d][b - 1] == " "):
                b -= 1
            if b - a >= min_chars:
                taken[d].update(range(a, b))
                found.setdefault(docs[d][a:b], []).append((d, a))
    return found


@pytest.mark.slow
@examples(300)
@given(
    texts=st.lists(st.text(alphabet="ab é字😀.-\n", max_size=30), min_size=1, max_size=6),
    min_chars=st.integers(2, 6),
    min_hosts=st.integers(2, 3),
)
def test_equals_the_definition(texts: list[str], min_chars: int, min_hosts: int) -> None:
    found = find(texts, min_chars, min_hosts)
    names = found.texts.to_list()
    places = list(zip(found.doc.tolist(), found.position.tolist(), strict=True))
    expected = slow(texts, min_chars, min_hosts)
    assert {n: places[a:b] for n, (a, b) in zip(names, pairwise(found.pointers), strict=True)} == {
        name: sorted(spots) for name, spots in expected.items()
    }
    normalised, words = prepare(texts)
    docs = [to_text(normalised.codes[a:b]) for a, b in pairwise(normalised.pointers)]
    regions = repeated_regions(normalised, words, min_chars, min_hosts)
    begin = normalised.pointers[regions.doc] + regions.offset
    assert (begin[1:] >= (begin + np.diff(regions.pointers) - 1)[:-1]).all()
    assert found.hosts.tolist() == [sum(name in doc for doc in docs) for name in names]


def agreement(one: str, other: str) -> int:
    shorter = min(len(one), len(other))
    return next((i for i in range(shorter) if one[i] != other[i]), shorter)


WIDE = st.text(alphabet="ab~\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff", min_size=6)
ENDING_ALIKE = st.tuples(
    st.lists(st.text(alphabet="ab", max_size=4), min_size=3, max_size=8),
    st.text(alphabet="abcdefgh", min_size=8, max_size=20),
).map(lambda drawn: [head + drawn[1] for head in drawn[0]])


@pytest.mark.slow
@examples(500)
@given(st.lists(WIDE, max_size=6) | ENDING_ALIKE, st.integers(2, 8), st.integers(1, 3))
def test_occurrences_are_all_found_and_sorted_by_code_point(texts: list[str], min_chars: int, shards: int) -> None:
    codes = np.array([ord(c) for text in texts for c in (*text, " ")], np.uint32)
    codes[codes == ord(" ")] = SEPARATOR
    pointers = np.cumsum([0, *(len(text) + 1 for text in texts)])
    tails = [text[at:] for text in texts for at in range(len(text) + 1)]
    long = [p for p, tail in enumerate(tails) if len(tail) >= min_chars]
    asked = np.array(long[::3], np.int64)
    wanted = {tails[p][:min_chars] for p in asked}
    placed = []
    half = len(texts) // 2
    cut = pointers[half]
    batches = [Text(0, codes[:cut], pointers[: half + 1]), Text(int(cut), codes[cut:], pointers[half:] - cut)]
    found_in = [find_anchors(batch, min_chars, shards) for batch in batches]
    for shard in range(shards):
        own = [[column[begin[shard] : begin[shard + 1]] for column in marks] for begin, marks in found_in]
        marks = Marks._make(np.concatenate(column) for column in zip(*own, strict=True))
        anchors = sort_anchors(lambda: batches, marks, min_chars)
        there = occurrences(lambda: batches, anchors, of_shard(anchors, [asked]), min_chars)
        for found in (there, at_anchors(anchors)):
            sorted_tails = [tails[p] for p in found.position[found.order]]
            for begin in {tail[:min_chars] for tail in sorted_tails}:
                group = [tail for tail in sorted_tails if tail.startswith(begin)]
                assert group == sorted(group, key=lambda tail: [*map(ord, tail), int(SEPARATOR)])
                at = sorted_tails.index(group[0])
                assert sorted_tails[at : at + len(group)] == group
                agree = [agreement(a, b) for a, b in pairwise(group)]
                assert found.common[at + 1 : at + len(group)].tolist() == agree
                assert found.common[at] < min_chars
        placed += there.position.tolist()
    assert sorted(placed) == [p for p in long if tails[p][:min_chars] in wanted]


def noise(rng: np.random.Generator, chars: int) -> str:
    return "".join(rng.choice(list("abcdefghijklmnopqrstuvwxyz-----é字"), chars))


def test_filter_keeps_what_repeats_and_little_else() -> None:
    rng = np.random.default_rng(5)
    passages = [noise(rng, n) for n in (60, 61, 75, 200, 900)]
    docs = [[noise(rng, 800)] for _ in range(40)]
    for i, passage in enumerate(passages):
        for d in rng.choice(40, 5 + i, replace=False):
            docs[d] += [passage, noise(rng, 700)]
    normalised, words = prepare(["#".join(doc) for doc in docs])
    assert WindowCounts(len(normalised.codes), 60, 5).skip_bits == 2
    regions = repeated_regions(normalised, words, 60, 5)
    kept = np.zeros(len(normalised.codes), bool)
    for r, begin in enumerate(normalised.pointers[regions.doc] + regions.offset):
        size = regions.pointers[r + 1] - regions.pointers[r] - 1
        np.testing.assert_array_equal(regions.codes[regions.pointers[r] :][:size], normalised.codes[begin:][:size])
        kept[begin : begin + size] = True
    whole, planted = to_text(normalised.codes), np.zeros(len(kept), bool)
    for passage in passages:
        plain = to_text(prepare([passage])[0].codes)
        at = whole.find(plain)
        while at >= 0:
            planted[at : at + len(plain)] = True
            at = whole.find(plain, at + 1)
    assert planted.sum() > 9000
    assert kept[planted].all()
    assert (kept & ~planted).sum() < 0.02 * (~planted).sum()


def test_parts_change_nothing_and_a_full_table_loses_nothing() -> None:
    rng = np.random.default_rng(6)
    passage = noise(rng, 100)
    texts = [f"{noise(rng, 300)}. {passage}. {noise(rng, 300)}" for _ in range(12)]
    parts = [(first, *prepare(texts[first : first + 5])) for first in range(0, 12, 5)]
    for expected_chars in (10_000, 1):
        counts = WindowCounts(expected_chars, 60, 3)
        for first, normalised, _ in parts:
            counts.add(normalised, first)
        regions = [counts.regions(normalised, words, first) for first, normalised, words in parts]
        for shards in (1, 3):
            found = fragments_in(laid(regions), 60, 3, shards=shards)
            for got, expected in zip(found, find(texts, 60, 3), strict=True):
                np.testing.assert_array_equal(got, expected)
        with pytest.raises(ValueError, match="document 0"):
            counts.add(parts[0][1], 0)


def phrases(rng: np.random.Generator, documents: int) -> list[str]:
    """Texts that share much, as licences do: pieces of a few long ones, between rulers and words of their own."""
    lexicon = [noise(rng, size).lower().replace("-", "") or "x" for size in rng.integers(1, 9, 400)]
    sources = [" ".join(rng.choice(lexicon, 300)) for _ in range(12)]
    texts = []
    for _ in range(documents):
        pieces = []
        for _ in range(rng.integers(1, 12)):
            source = sources[rng.integers(12)]
            at = rng.integers(len(source))
            ruler = str(rng.choice(["-", "=", "| ", "0 ", "ab"])) * int(rng.integers(2, 90))
            pieces += [
                source[at : at + rng.integers(20, 900)],
                ruler,
                " ".join(rng.choice(lexicon, rng.integers(1, 9))),
            ]
        texts.append(" ".join(pieces))
    return texts


def laid(several: list[Regions], lay: Lay = hold) -> LaidRegions:
    return LaidRegions([LaidBatch.of(one, lay) for one in several], lay)


def spans(found: Fragments) -> list[tuple[int, int, int, int]]:
    hosts = np.repeat(found.hosts, np.diff(found.pointers))
    return sorted(zip(*(column.tolist() for column in (found.doc, found.start, found.end, hosts)), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("min_chars", [20, 60])
def test_equals_an_unfiltered_suffix_array_over_all_text(min_chars: int) -> None:
    normalised, words = prepare(phrases(np.random.default_rng(9), 400))
    expected = reference(whole_texts(normalised, words, min_chars), min_chars, 4)
    assert len(expected) > 1000
    regions = repeated_regions(normalised, words, min_chars, 4)
    for shards in (1, 2, 5):
        assert spans(fragments_in(laid([regions]), min_chars, 4, shards=shards)) == expected


@pytest.mark.slow
def test_of_what_was_laid_down_little_is_in_memory_at_a_time() -> None:
    texts = phrases(np.random.default_rng(10), 600)
    counts, batches = WindowCounts(1, 20, 4), [prepare(texts[first : first + 50]) for first in range(0, 600, 50)]
    for number, (normalised, _) in enumerate(batches):
        counts.add(normalised, 50 * number)
    regions = [counts.regions(*batch, 50 * number) for number, batch in enumerate(batches)]
    stored_bytes, read, most = 0, 0, 0

    def gone(size: int) -> None:
        nonlocal read
        read -= size

    def lay(arrays: Iterable[np.ndarray]) -> list[Read]:
        return [put(array) for array in arrays]

    def put(array: np.ndarray) -> Read:
        nonlocal stored_bytes
        stored_bytes, stored = stored_bytes + array.nbytes, array.copy()

        def again() -> np.ndarray:
            nonlocal read, most
            fetched = stored.copy()
            read += fetched.nbytes
            most = max(most, read)
            weakref.finalize(fetched, gone, fetched.nbytes)
            return fetched

        return again

    apart = fragments_in(laid(regions, lay), 20, 4, shards=6)
    assert most < stored_bytes / 6
    for got, expected in zip(apart, fragments_in(laid(regions), 20, 4), strict=True):
        np.testing.assert_array_equal(got, expected)


def test_spans_hit_the_originals() -> None:
    sentence = "Subscribe to our weekly ﬁnance newsletter, it is free."
    wide = "SUBSCRIBE to  our\nweekly ﬁnance news\u200bletter, it is free.\u200b"
    texts = [f"x {sentence} ", f"y {wide} tail", f"{wide}", f"z {sentence} other"]
    (name, spans), *others = named(find(texts, 20, 4)).items()
    assert not others
    assert name == "subscribe to our weekly finance newsletter, it is free."
    assert [texts[d][a:b] for d, a, b in spans] == [sentence, wide, wide, sentence]


def test_no_cut_within_what_one_code_point_became() -> None:
    texts = [f"mix the flour with {amount} of sugar" for amount in ("1⁄3", "1⁄4", "½")]
    spans = named(find(texts, 10, 3))
    assert {name: [texts[d][a:b] for d, a, b in where] for name, where in spans.items()} == {
        "mix the flour with 1⁄": ["mix the flour with 1⁄"] * 2,
        "mix the flour with": ["mix the flour with"],
    }


def test_overlapping_passages_are_cut_once() -> None:
    rng = np.random.default_rng(7)
    whole = noise(rng, 79) + " " + noise(rng, 19) + " " + noise(rng, 79) + "."
    first, second = whole[:99], whole[80:]
    docs = [f"{noise(rng, 90)} {passage} {noise(rng, 90)}" for passage in (first, second) * 3]
    found = find([f"{noise(rng, 90)} {whole}", *docs], 60, 4)
    texts = found.texts.to_list()
    pieces = sorted(zip(found.start[found.doc == 0].tolist(), found.end[found.doc == 0].tolist(), strict=True))
    assert pieces[0][1] <= pieces[1][0]
    assert [end - start for start, end in pieces] in ([99, 80], [79, 100])
    assert whole.startswith(texts[0])
    assert whole.endswith(texts[1])


def test_nested_passage_is_cut_where_the_longer_one_is_not() -> None:
    inner = "all rights reserved worldwide"
    outer = f"made in hamburg by {inner} since nineteen eighty"
    texts = [f"{lead} {outer} {lead}" for lead in "abc"] + [f"{lead} {inner} {lead}" for lead in "defg"]
    found = find(texts, 20, 3)
    assert {name: [d for d, _, _ in spans] for name, spans in named(found).items()} == {
        outer: [0, 1, 2],
        inner: [3, 4, 5, 6],
    }
    assert found.hosts.tolist() == [3, 7]


def test_what_some_hosts_set_off_by_rules_is_one_passage() -> None:
    notice = "we may earn a commission when you buy through links"
    texts = [
        f"{lead} {rule}{notice}{rule[::-1]} {lead}"
        for lead, rule in zip("abcd", ("", "--- ", "===== ", ""), strict=True)
    ]
    assert {name: [d for d, _, _ in spans] for name, spans in named(find(texts, 20, 2)).items()} == {
        notice: [0, 1, 2, 3]
    }


def test_words_are_not_split_and_repeats_within_a_document_are_no_hosts() -> None:
    texts = [f"{stem}ing the terms and conditions of us{end}" for stem, end in (("accept", "e"), ("read", "age"))]
    assert list(named(find(texts, 20, 2))) == ["the terms and conditions of"]
    repeating = prepare(["one two three four five six. " * 5, "something else entirely, no doubt"])
    assert not named(fragments(*repeating, 10, 2))
    assert len(repeated_regions(*repeating, 10, 2).doc) == 0


def test_nothing_to_find() -> None:
    for texts in ([], [""], ["short", "short"], ["no two documents", "have a word in common"]):
        assert len(find(texts, 60, 2).doc) == 0
    with pytest.raises(ValueError, match="min_hosts"):
        find(["a"], 60, 1)


def test_relevance_is_the_mean_cosine_over_hosts_that_have_a_rest() -> None:
    whole = np.array([[1, 0], [3, 4], [1, 1]], np.float32)
    rest = np.array([[2, 0], [0, 5], [0, 0], [1, 0], [0, 0]], np.float32)
    got = relevance(whole, rest, np.array([0, 0, 0, 1, 2]))
    np.testing.assert_allclose(got, [0.5, 0.6, np.nan], rtol=1e-6)
    assert got.dtype == np.float32
