"""Measures of repeated passages do not depend on which of them are looked at together."""

from functools import partial

import numpy as np
import polars as pl

import tasks.resolve.fragments.virality
from models.lexical.fragments.search import fragments
from models.lexical.sketch.features import Frequencies
from models.lexical.sketch.weights import count_documents, distinct_per_document
from models.lexical.text import normalise, split_words
from models.parameters import Parameters
from tasks.resolve.fragments.cuts import wholes
from tasks.resolve.fragments.search import _tables
from tasks.resolve.fragments.virality import Corpus, rate, weigh
from tasks.runtime.run import Run
from tests.tasks.resolve.fragments.test_cuts import NOTICES, body

SETTINGS = {"fragment": {"min_chars": 20, "min_hosts": 3, "min_viral": 0.0}}


STRANGERS = (
    "Bake the dough for forty minutes in a hot oven and brush the crust with butter while it is still warm.",
    "The striker scored twice before the break, and the keeper of the guests saved a late penalty.",
    "Prices of copper fell in London after the mines of Chile had settled with their unions.",
    "A comet of the outer cloud can be seen in the evening, low above the western horizon.",
    "The parser reads one token ahead and keeps the grammar of the language in a table of states.",
    "Her second novel tells of two sisters who inherit a lighthouse and cannot agree to sell it.",
)
GERMAN = (
    "Den Teig vierzig Minuten im heißen Ofen backen und die Kruste noch warm mit Butter bestreichen.",
    "Der Stürmer traf zweimal vor der Pause, und der Torwart der Gäste hielt spät einen Elfmeter.",
    "Kupfer wurde in London billiger, nachdem die Bergwerke in Chile sich mit den Gewerkschaften geeinigt hatten.",
    "Ein Komet ist abends tief über dem westlichen Horizont zu sehen, wenn der Himmel klar bleibt.",
)

GUIDES = (
    "This guide to the harbour law says what it asks of fishermen.",
    "The harbour law asks several things of guests, as this guide says.",
    "What does the harbour law ask? A guide for fishermen and guests.",
    "A guide for guests of the harbour: what its law asks of them.",
)


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
    monkeypatch.setattr(tasks.resolve.fragments.virality, "TOGETHER", 1)
    some = weigh(run, corpus, passages, parts, by_doc)
    assert whole.features["kinship"].is_not_nan().sum() == 2
    assert whole.features["kinship"].n_unique() == 2
    assert some.features.equals(whole.features)


def actions(tmp_path, passage: str, texts: list[str], sources: list[str], **bounds: int) -> list[str]:
    """What happens to a passage in some texts, where nearly every one is taken for viral."""
    settings = {"fragment": SETTINGS["fragment"] | {"min_viral": 1e-6} | bounds}
    run = Run(workspace=tmp_path, parameters=Parameters.model_validate(settings))
    normalised = normalise(pl.Series(texts))
    passages, places = _tables(fragments(normalised, split_words(normalised), 20, 3))
    by_doc = dict(enumerate(texts))
    corpus = Corpus(partial(counted, texts), pl.DataFrame({"doc": range(len(texts)), "source": sources}))
    rated, _ = rate(run, corpus, passages, wholes(places, by_doc, 20), by_doc, map)
    return rated.filter(pl.col("text").str.starts_with(passage[:11].lower()))["action"].to_list()


def test_a_passage_in_as_many_languages_as_hosts_has_not_been_translated_yet(tmp_path):
    passage = "What stands here has been written in English and was not translated into the language of the page yet."
    french = "Le gardien du phare note chaque navire qui passe, et personne ne lit ce qu'il a écrit pendant vingt ans."
    for around, action in (((STRANGERS[0], GERMAN[1], french), "keep"), ((*GERMAN, *STRANGERS[4:]), "cut")):
        texts = [f"{text}\n\n{passage}\n\n{text}" for text in around]
        assert actions(tmp_path, passage, texts, ["here"] * len(texts)) == [action]


def test_a_passage_is_no_part_of_the_language_of_its_host(tmp_path):
    passage = (
        "What stands here has been written in English, and it was not translated into the language of the page. " * 3
    )
    french = "Le gardien du phare note chaque navire qui passe, et personne ne lit ce qu'il a écrit pendant vingt ans."
    texts = [f"{text}\n\n{passage}" for text in (STRANGERS[0], GERMAN[1], french)]
    assert actions(tmp_path, passage, texts, ["here"] * 3) == ["keep"]


def test_scripts_tell_languages_of_which_no_words_are_listed(tmp_path):
    passage = "What stands here has been written in English and was not translated into the language of the page yet."
    gujarati = "વિન્ડોને તેની મૂળ સ્થિતિમાં પુનઃસંગ્રહવા માટે તેને ખેંચો અને પછી છોડી દો."
    kannada = "ಕಿಟಕಿಯನ್ನು ಅದರ ಮೂಲ ಸ್ಥಿತಿಗೆ ತರಲು ಅದನ್ನು ಎಳೆಯಿರಿ ಮತ್ತು ನಂತರ ಬಿಡಿ."
    georgian = "ფანჯრის საწყის მდგომარეობაში დასაბრუნებლად გადაათრიეთ ის და შემდეგ გაუშვით."
    greek = "Για να επαναφέρετε το παράθυρο στην αρχική του θέση σύρετέ το και αφήστε το."
    for around, action in (((gujarati, kannada, georgian), "keep"), ((greek, *STRANGERS[4:], *STRANGERS[:2]), "cut")):
        texts = [f"{text}\n\n{passage}\n\n{text}" for text in around]
        assert actions(tmp_path, passage, texts, ["here"] * len(texts)) == [action]


def test_languages_of_many_hosts_are_told_where_the_first_few_are_in_several(tmp_path):
    passage = "What stands here has been written in English and was not translated into the language of the page yet."
    foreign = (
        "વિન્ડોને તેની મૂળ સ્થિતિમાં પુનઃસંગ્રહવા માટે તેને ખેંચો અને પછી છોડી દો.",
        "ಕಿಟಕಿಯನ್ನು ಅದರ ಮೂಲ ಸ್ಥಿತಿಗೆ ತರಲು ಅದನ್ನು ಎಳೆಯಿರಿ ಮತ್ತು ನಂತರ ಬಿಡಿ.",
        "ფანჯრის საწყის მდგომარეობაში დასაბრუნებლად გადაათრიეთ ის და შემდეგ გაუშვით.",
    )
    texts = [f"{text}\n\n{passage}\n\n{text}" for text in STRANGERS[:6]]
    for at, text in zip((2, 5, 8), foreign, strict=True):
        texts.insert(at, f"{text}\n\n{passage}\n\n{text}")
    few = [texts[at] for at in (2, 5, 8)]
    assert actions(tmp_path, passage, few, ["here"] * 3, relevance_hosts=3) == ["keep"]
    assert actions(tmp_path, passage, texts, ["here"] * len(texts), relevance_hosts=3) == ["cut"]


def test_languages_are_not_told_of_passages_that_cannot_be_viral(tmp_path):
    passage = "What stands here has been written in English and was not translated into the language of the page yet."
    texts = [f"{text}\n\n{passage}\n\n{text}" for text in STRANGERS]
    bounds = SETTINGS["fragment"] | {"min_viral": 1.0, "relevance_hosts": 3}
    run = Run(workspace=tmp_path, parameters=Parameters.model_validate({"fragment": bounds}))
    normalised = normalise(pl.Series(texts))
    passages, places = _tables(fragments(normalised, split_words(normalised), 20, 3))
    by_doc = dict(enumerate(texts))
    corpus = Corpus(partial(counted, texts), pl.DataFrame({"doc": range(len(texts)), "source": "here"}))
    weighed = weigh(run, corpus, passages, wholes(places, by_doc, 20), by_doc)
    assert weighed.features["languages"].is_nan().all()


def test_what_all_records_of_one_source_begin_with_is_their_instruction(tmp_path):
    task = "Read the passage below and answer each question that follows it with a quotation from it."
    records = [f"{task}\n\n{text}\n\n{text}" for text in STRANGERS[:4]]
    assert actions(tmp_path, task, records, ["tasks"] * 4) == ["keep"]
    assert actions(tmp_path, task, records, ["tasks", "pages"] * 2) == ["cut"], "several sources"
    below = [f"{text}\n\n{task}\n\n{text}" for text in STRANGERS[:4]]
    assert actions(tmp_path, task, [*records[:2], *below[2:]], ["tasks"] * 4) == ["cut"], "not all"


def test_what_documents_on_one_matter_quote_is_not_cut_from_them(tmp_path):
    passage = "Whoever moors a boat here overnight shall tell the harbour office before sunset, or else pay a fee."
    for around, action in ((GUIDES, "keep"), (STRANGERS[:4], "cut")):
        texts = [f"{text}\n\n{passage}\n\n{text}" for text in around]
        assert actions(tmp_path, passage, texts, ["here"] * 4) == [action]


def test_the_navigation_bar_of_a_site_is_cut_though_its_pages_are_kin(tmp_path):
    bar = "Contents | Index | Next | Previous\n\nHarbour of the Town » Law of the Harbour » Guide"
    texts = [f"{bar}\n\n{text}\n\n{text}" for text in GUIDES]
    assert actions(tmp_path, bar, texts, ["here"] * 4) == ["cut"]
