"""Repeated passages: the pre-filter loses nothing, the suffix array finds them, originals are hit exactly."""

from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.lexical.fragments import Fragments, fragments, fragments_in, relevance
from models.lexical.repeats import CLOSING, SEPARATOR, WindowCounts, join_regions, repeated_regions
from models.lexical.suffixes import common_prefixes, suffix_order
from models.lexical.text import Normalised, Words, normalise, split_words, to_text


def prepare(texts: list[str]) -> tuple[Normalised, Words]:
    normalised = normalise(pl.Series(texts, dtype=pl.String))
    return normalised, split_words(normalised)


def find(texts: list[str], min_chars: int, min_hosts: int) -> Fragments:
    return fragments(*prepare(texts), min_chars, min_hosts)


def named(found: Fragments) -> dict[str, list[tuple[int, int, int]]]:
    """Fragment text → (doc, start, end) of its occurrences in the originals."""
    spans = list(zip(found.doc.tolist(), found.start.tolist(), found.end.tolist(), strict=True))
    names = [to_text(found.codes[a:b]) for a, b in pairwise(found.code_pointers)]
    return {name: spans[a:b] for name, (a, b) in zip(names, pairwise(found.pointers), strict=True)}


def slow(texts: list[str], min_chars: int, min_hosts: int) -> dict[str, list[tuple[int, int]]]:
    """Fragment text → (doc, position), by definition and without a filter."""
    normalised, words = prepare(texts)
    docs = [to_text(normalised.codes[a:b]) for a, b in pairwise(normalised.pointers)]
    inside = [set[int]() for _ in docs]
    for start, end in zip(words.start.tolist(), words.end.tolist(), strict=True):
        d = int(np.searchsorted(normalised.pointers, start, side="right")) - 1
        inside[d].update(range(start - normalised.pointers[d] + 1, end - normalised.pointers[d]))

    def shared(d: int, p: int) -> int:
        lengths = range(len(docs[d]) - p, min_chars - 1, -1)
        return next((n for n in lengths if sum(docs[d][p : p + n] in doc for doc in docs) >= min_hosts), 0)

    def opens(d: int, p: int) -> bool:
        after_space = p == 0 or docs[d][p - 1] == " "
        return p not in inside[d] and docs[d][p] != " " and (after_space or ord(docs[d][p]) not in CLOSING)

    passages = []
    for d, doc in enumerate(docs):
        furthest = 0
        for a in range(len(doc)):
            b = a + shared(d, a)
            while b > a and (b in inside[d] or doc[b - 1] == " "):
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
            while a < b and docs[d][b - 1] == " ":
                b -= 1
            if b - a >= min_chars:
                taken[d].update(range(a, b))
                found.setdefault(docs[d][a:b], []).append((d, a))
    return found


@settings(max_examples=300, deadline=None)
@given(
    texts=st.lists(st.text(alphabet="ab é漢😀.", max_size=30), min_size=1, max_size=6),
    min_chars=st.integers(2, 6),
    min_hosts=st.integers(2, 3),
)
def test_equals_the_definition(texts: list[str], min_chars: int, min_hosts: int) -> None:
    found = find(texts, min_chars, min_hosts)
    names = [to_text(found.codes[a:b]) for a, b in pairwise(found.code_pointers)]
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


@given(st.lists(st.text(alphabet="ab~\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff"), max_size=5))
def test_suffixes_are_sorted_by_code_point(texts: list[str]) -> None:
    codes = np.array([ord(c) for text in texts for c in (*text, " ")], np.uint32)
    codes[codes == ord(" ")] = SEPARATOR
    order = suffix_order(codes)
    tails = [codes[p : p + int(np.argmax(codes[p:] == SEPARATOR))].tolist() for p in order]
    assert [[*tail, SEPARATOR] for tail in tails] == sorted([*tail, SEPARATOR] for tail in tails)
    assert sorted(order.tolist()) == np.flatnonzero(codes != SEPARATOR).tolist()
    agree = [
        next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
        for a, b in pairwise(tails)
    ]
    assert common_prefixes(codes, order)[1:].tolist() == agree


def noise(rng: np.random.Generator, chars: int) -> str:
    return "".join(rng.choice(list("abcdefghijklmnopqrstuvwxyz-----é漢"), chars))


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
        joined = join_regions([counts.regions(normalised, words, first) for first, normalised, words in parts])
        for got, expected in zip(fragments_in(joined, 60, 3), find(texts, 60, 3), strict=True):
            np.testing.assert_array_equal(got, expected)
        with pytest.raises(ValueError, match="document 0"):
            counts.add(parts[0][1], 0)


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
    texts = [to_text(found.codes[a:b]) for a, b in pairwise(found.code_pointers)]
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
