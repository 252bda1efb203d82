"""Altered copies of passages: cut like exact ones, if nothing is lost with them."""

from functools import partial
from pathlib import Path
from types import SimpleNamespace

import polars as pl
import pytest

from models.lexical.fragments.search import fragments
from models.lexical.text import normalise, split_words
from models.lexical.text.spans import restore
from models.parameters import Fragment, Parameters
from tasks.resolve.altered_copies import find_altered
from tasks.resolve.fragments.cuts import place, wholes, without_surroundings
from tasks.resolve.fragments.search import _tables
from tasks.resolve.fragments.spans import with_text
from tasks.runtime.run import Run
from tests.tasks.resolve.fragments.test_cuts import LOOSE, TIES, body, published

NOTICE = (
    "Subscribe to the weekly letter of our small town. It is sent to all readers on the last day of every week "
    "and may be read without any charge by whoever likes to know what goes on."
)
EXACT = 5


def decided(
    texts: list[str],
    guarded: list[int] = [],  # noqa: B006
    action: str = "cut",
    kept: str = "",
    **bounds: object,
) -> pl.DataFrame:
    """The spans of some documents, of which the first hold the notice as it is; what is repeated is viral."""
    chosen = Fragment(**(LOOSE | bounds))  # type: ignore[arg-type]
    normalised = normalise(pl.Series(texts, dtype=pl.String))
    passages, places = _tables(fragments(normalised, split_words(normalised), chosen.min_chars, EXACT))
    by_doc, spared = dict(enumerate(texts)), pl.Series(guarded, dtype=pl.Int64)
    stays = pl.col("text") == kept.lower()
    rated = passages.with_columns(action=pl.when(stays).then(pl.lit("keep")).otherwise(pl.lit(action)))
    parts = without_surroundings(wholes(places, by_doc, chosen.min_chars), rated, chosen.min_chars)
    stage = SimpleNamespace(run=Run(workspace=Path("unused"), parameters=Parameters(fragment=chosen)))
    read = partial(pl.DataFrame, {"doc": range(len(texts)), "text": texts}, schema_overrides={"doc": pl.Int64})
    altered = find_altered(stage, [read], rated, parts, by_doc, spared)  # type: ignore[arg-type]
    return with_text(place(chosen, rated, parts, by_doc, spared, TIES, altered=altered), by_doc)


def corpus(*notices: str) -> list[str]:
    told = [NOTICE] * EXACT + list(notices)
    return [f"{body(seed)}\n\n{notice}\n\n{body(seed + 100)}" for seed, notice in enumerate(told)]


@pytest.mark.parametrize(
    ("before", "after", "goes"),
    [
        ("small town", "the town", True),
        ("to all readers", "to readers", True),
        ("likes to know what", "likes this to know what", True),
        ("weekly", "weeksly", True),
        ("of every week", "of every month", False),
        ("goes on.", "takes place.", False),
        ("last day", "first day", False),
        ("without any", "these any", False),
        ("small town", "small town Ely", False),
        ("and may be read", "and may never be read", False),
        ("of our small town", "of our fine town", True),
        ("weekly letter", "daily letter", False),
        ("small town", "small Ely", False),
        ("weekly letter of our small", "glossy paper of our small", True),
        ("weekly letter of our small town", "glossy paper of our fine village", False),
    ],
)
def test_a_copy_goes_if_it_lacks_nothing_but_says_nothing_more(before, after, goes):
    texts = corpus(NOTICE.replace(before, after, 1))
    spans = decided(texts)
    left = published(texts, spans)[EXACT]
    assert left == (f"{body(EXACT)}\n\n{body(EXACT + 100)}" if goes else texts[EXACT])


def test_what_names_something_may_not_be_missing():
    notice = NOTICE.replace("small town", "small Ely")
    texts = [text.replace(NOTICE, notice) for text in corpus()]
    texts.append(texts[0].replace(notice, notice.replace("Ely", "the")))
    assert published(texts, decided(texts))[EXACT] == texts[EXACT]


def test_the_copy_that_stays_is_an_exact_one():
    texts = corpus(NOTICE.replace("small town", "the town"), NOTICE.replace("to all readers", "to readers"))
    spans = decided(texts)
    assert [NOTICE in text for text in published(texts, spans)].count(True) == 1
    assert spans.filter("cut")["doc"].n_unique() == len(texts) - 1


def test_what_is_cut_can_be_put_back():
    texts = corpus(NOTICE.replace("small town", "the town"))
    cut = decided(texts).filter("cut", doc=EXACT)
    assert restore(published(texts, cut)[EXACT], cut.sort("start").select("start", "text").rows()) == texts[EXACT]


@pytest.mark.parametrize("bounds", [{"guarded": [EXACT]}, {"max_cut_share": 0.2}, {"action": "keep"}])
def test_documents_that_are_spared_keep_their_altered_copies(bounds):
    texts = corpus(NOTICE.replace("small town", "the town"))
    assert published(texts, decided(texts, **bounds))[EXACT] == texts[EXACT]


def test_an_altered_copy_takes_the_place_of_the_passages_in_it():
    longer = f"{NOTICE} We read whatever you write back to us about it."
    texts = [f"{body(seed)}\n\n{longer}\n\n{body(seed + 100)}" for seed in range(EXACT)]
    texts += [f"{body(seed)}\n\n{NOTICE}\n\n{body(seed + 100)}" for seed in range(EXACT, 2 * EXACT)]
    texts.append(texts[0].replace("whatever you write", "what you write").replace(body(0), body(77)))
    spans = decided(texts)
    last = spans.filter(doc=len(texts) - 1)
    assert last.filter("cut").height == last.height == 1
    assert published(texts, spans)[-1] == f"{body(77)}\n\n{body(100)}"


def test_a_notice_goes_from_below_a_line_that_a_few_of_its_hosts_share():
    """The passage that holds the far more common one is longer by a line of its few hosts, which stays."""
    line = "Errors of the standard kind may be thrown by all of it."
    few = [f"{body(seed)}\n\n{line}\n\n{NOTICE}\n\n{body(seed + 100)}" for seed in range(EXACT)]
    many = [f"{body(seed)}\n\n{NOTICE}" for seed in range(10, 40)]
    left = published([*few, *many], decided([*few, *many]))
    assert left[:EXACT] == [f"{body(seed)}\n\n{line}\n\n{body(seed + 100)}" for seed in range(EXACT)]
    assert [NOTICE in text for text in left].count(True) == 1


def test_a_notice_stays_in_a_longer_passage_that_is_kept():
    longer = f"{NOTICE} We read whatever you write back to us about it."
    texts = [f"{body(seed)}\n\n{longer}" for seed in range(EXACT)]
    texts += [f"{body(seed)}\n\n{NOTICE}" for seed in range(10, 40)]
    spans = decided(texts, kept=longer)
    assert set(spans.filter("cut")["doc"]) <= set(range(EXACT, len(texts)))


def test_a_notice_with_another_sign_stays():
    line, notice = (
        "Errors of the standard kind may be thrown by all of it.",
        NOTICE.replace("any charge", "the $5 charge"),
    )
    few = [f"{body(seed)}\n\n{line}\n\n{notice}\n\n{body(seed + 100)}" for seed in range(EXACT + 1)]
    many = [f"{body(seed)}\n\n{notice}" for seed in range(10, 40)]
    few[0] = few[0].replace("$5", "€5")
    left = published([*few, *many], decided([*few, *many]))
    assert left[0] == few[0]
    assert all(one != text for one, text in zip(left[1 : EXACT + 1], few[1:], strict=True))
