"""Measures of repeated passages do not depend on which of them are looked at together."""

from functools import partial

import numpy as np
import polars as pl

import tasks.resolve.fragment_virality
from models.lexical.fragments.search import fragments
from models.lexical.sketch.features import Frequencies
from models.lexical.sketch.weights import count_documents, distinct_per_document
from models.lexical.text import normalise, split_words
from models.parameters import Parameters
from tasks.resolve.fragment_cuts import wholes
from tasks.resolve.fragment_search import _tables
from tasks.resolve.fragment_virality import Corpus, rate, weigh
from tasks.runtime.run import Run
from tests.tasks.resolve.test_fragment_cuts import NOTICES, body

SETTINGS = {"fragment": {"min_chars": 20, "min_hosts": 3, "min_viral": 0.0}}


def counted(texts: list[str]) -> Frequencies:
    words = split_words(normalise(pl.Series(texts)))
    table = np.zeros(1 << 12, np.uint32)
    count_documents(table, distinct_per_document(words.hash, words.pointers))
    return Frequencies(np.zeros(1, np.uint32), table, len(texts))


def test_kinship_is_the_same_whoever_stands_beside(tmp_path, monkeypatch):
    kin = [
        f"The valve of the Korrigan pump, page {at}. {NOTICES[0]}\n\nTurn the Korrigan {at} times." for at in range(4)
    ]
    apart = [f"{body(at)}\n\n{NOTICES[1 + at % 2]}\n\n{body(at + 50)}" for at in range(8)]
    texts = kin + apart
    run = Run(workspace=tmp_path, parameters=Parameters.model_validate(SETTINGS))
    normalised = normalise(pl.Series(texts))
    passages, places = _tables(fragments(normalised, split_words(normalised), 20, 3))
    by_doc = dict(enumerate(texts))
    corpus = Corpus(partial(counted, texts), pl.DataFrame({"doc": range(len(texts)), "source": "here"}))
    parts = wholes(places, by_doc, 20)
    whole = weigh(run, corpus, passages, parts, by_doc)
    monkeypatch.setattr(tasks.resolve.fragment_virality, "TOGETHER", 1)
    some = weigh(run, corpus, passages, parts, by_doc)
    assert whole.features["kinship"].is_not_nan().sum() == 2
    assert whole.features["kinship"].n_unique() == 2
    assert some.features.equals(whole.features)


def actions(tmp_path, passage: str, texts: list[str], sources: list[str]) -> list[str]:
    """What happens to a passage in some texts, where nearly every one is taken for viral."""
    settings = {"fragment": SETTINGS["fragment"] | {"min_viral": 1e-6}}
    run = Run(workspace=tmp_path, parameters=Parameters.model_validate(settings))
    normalised = normalise(pl.Series(texts))
    passages, places = _tables(fragments(normalised, split_words(normalised), 20, 3))
    by_doc = dict(enumerate(texts))
    corpus = Corpus(partial(counted, texts), pl.DataFrame({"doc": range(len(texts)), "source": sources}))
    rated, _ = rate(run, corpus, passages, wholes(places, by_doc, 20), by_doc, map)
    return rated.filter(pl.col("text").str.starts_with(passage[:11].lower()))["action"].to_list()


def test_a_passage_in_as_many_languages_as_hosts_has_not_been_translated_yet(tmp_path):
    passage = "What stands here has been written in English and was not translated into the language of the page yet."
    english = "It is one of the pages of which this book is made, and there are others in it. " * 3
    german = "Es ist eine der Seiten, aus denen dieses Buch besteht, und es gibt noch andere in ihm. " * 3
    french = "C'est une des pages dont ce livre est fait, et il y en a encore d'autres dans celui-ci. " * 3
    for around, action in (([english, german, french], "keep"), ([german] * 4 + [english] * 2, "cut")):
        texts = [f"{text}\n\n{passage}\n\n{text}" for text in around]
        assert actions(tmp_path, passage, texts, ["here"] * len(texts)) == [action]


def test_what_all_records_of_one_source_begin_with_is_their_instruction(tmp_path):
    task = "Read the passage below and answer each question that follows it with a quotation from it."
    records = [f"{task}\n\n{body(at)}\n\n{body(at + 50)}" for at in range(4)]
    assert actions(tmp_path, task, records, ["tasks"] * 4) == ["keep"]
    assert actions(tmp_path, task, records, ["tasks", "pages"] * 2) == ["cut"], "several sources"
    below = [f"{body(at)}\n\n{task}\n\n{body(at + 50)}" for at in range(4)]
    assert actions(tmp_path, task, [*records[:2], *below[2:]], ["tasks"] * 4) == ["cut"], "not all"
