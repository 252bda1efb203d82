"""How much rare vocabulary the hosts of a passage have in common."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.lexical.fragments.hosts.kinship import Vocabulary, joined, kinship, vocabulary
from models.lexical.sketch.weights import count_documents, distinct_per_document
from models.lexical.text import normalise, split_words
from tests.support.examples import examples

WORDS = st.lists(st.sampled_from("abcdefghijkl"), max_size=8).map(" ".join)


def words(texts: list[str], table: np.ndarray, documents: int) -> Vocabulary:
    found = split_words(normalise(pl.Series(texts, dtype=pl.String)))
    return vocabulary(found.hash, found.pointers, table, documents)


def counted(texts: list[str]) -> np.ndarray:
    table = np.zeros(1 << 16, np.uint32)
    found = split_words(normalise(pl.Series(texts, dtype=pl.String)))
    count_documents(table, distinct_per_document(found.hash, found.pointers))
    return table


def expected(hosts: list[str], own: str, corpus: list[str]) -> float:
    """The mean cosine, pair by pair."""
    df = {word: sum(word in text.split() for text in corpus) for text in corpus for word in text.split()}
    weighted = [
        {word: np.log((len(corpus) + 1) / (df.get(word, 0) + 1)) for word in set(text.split()) - set(own.split())}
        for text in hosts
    ]
    known = [one for one in weighted if any(weight > 0 for weight in one.values())]
    norms = [np.sqrt(sum(weight**2 for weight in one.values())) for one in known]
    pairs = [
        sum(known[a][word] * known[b][word] for word in known[a].keys() & known[b].keys()) / norms[a] / norms[b]
        for a in range(len(known))
        for b in range(a)
    ]
    return float(np.mean(pairs)) if pairs else np.nan


@pytest.mark.slow
@examples(200)
@given(st.lists(WORDS, min_size=1, max_size=5), WORDS, st.lists(WORDS, min_size=1, max_size=5))
def test_kinship_is_the_mean_cosine_of_all_pairs(hosts: list[str], own: str, others: list[str]) -> None:
    corpus = hosts + others
    table = counted(corpus)
    place = np.arange(len(hosts))
    found = kinship(words(hosts, table, len(corpus)), place, words([own], table, len(corpus)), place * 0, 1)
    assert found[0] == pytest.approx(expected(hosts, own, corpus), abs=1e-5, nan_ok=True)


@pytest.mark.slow
def test_kin_share_rare_words_and_strangers_common_ones() -> None:
    manual = [f"the {verb} of the zebrafish toolkit and the {noun}" for verb, noun in ("ab", "cd", "ef")]
    strangers = [f"the {one} and the {two} of {three}" for one, two, three in ("ghi", "jkl", "mno")]
    corpus = [*manual, *strangers, *(f"the and of {number}" for number in range(30))]
    table, place = counted(corpus), np.arange(6)
    hosts = words([*manual, *strangers], table, len(corpus))
    found = kinship(hosts, place, words(["", ""], table, len(corpus)), place // 3, 2)
    assert found[0] > 0.3 and found[1] < 0.01


def test_batches_of_texts_are_joined() -> None:
    table = counted(["one two", "three"])
    whole, parts = words(["one two", "", "three one"], table, 2), [words([text], table, 2) for text in ("one two", "")]
    again = joined([*parts, words(["three one"], table, 2)])
    for one, other in zip(whole, again, strict=True):
        np.testing.assert_array_equal(one, other)
    assert not len(joined([]).hash)
