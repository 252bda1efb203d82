"""Passages that become viral over the nights: the same cuts as in one run on all documents, at tonight's cost."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pytest

from models.lexical.fragments.search import fragments_in
from models.parameters import Parameters
from tasks.refresh.fragments.minimizers import windows_of
from tasks.refresh.fragments.stage import refragment
from tasks.refresh.previous_snapshot import Base
from tasks.resolve.fragments.stage import fragment
from tasks.runtime.run import Run
from tasks.storage.spill import Floor
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, about, scan
from tests.support.made_up import made_up

NOTICE = "Subscribe to the weekly letter of the harbour office &amp;amp; read it before the ships come in."
FOOTER = "All rights reserved by the society of retired lighthouse keepers, founded in the year of the great storm."
LONGER = "This page was printed on recycled sails. " + FOOTER + " Please do not feed the seagulls on the pier."
BOTTLE = "Whoever finds a bottle on the beach may bring it to the museum, where all of the letters are being read."
CUT = ["fragment.action=cut", "fragment.min_viral=0"]
DOCUMENT = {"doc": pl.Int64, "doc_id": pl.String, "text": pl.String, "protected": pl.Boolean, "canary": pl.String}
SPAN = ["doc_id", "start", "end", "text", "cut"]


class Night(NamedTuple):
    """What is published after a night."""

    documents: pl.DataFrame
    fragments: pl.DataFrame
    spans: pl.DataFrame
    facts: dict[str, Any]


def story(seed: int) -> str:
    """Forty sentences that no other seed has."""
    rng = np.random.default_rng(seed)
    letters = list("abcdefghijklmnopqrstuvwxyz")
    words = ["".join(rng.choice(letters, rng.integers(2, 9))) for _ in range(200)]
    return " ".join(words).capitalize() + "."


def host(seed: int, *passages: str) -> str:
    text = story(seed)
    for number, passage in enumerate(passages, start=1):
        at = text.index(" ", number * len(text) // (len(passages) + 1))
        text = f"{text[:at]}{'.!?…'[seed % 4]}\n\n{passage}\n\n{text[at:].strip().capitalize()}"
    return text


def made(run: Run, name: str, frame: pl.DataFrame, rows: int = 3) -> TableRef:
    with Stage(run, made_up(name), [], extra=[frame.hash_rows().to_list(), frame.columns]) as stage:
        for index, part in enumerate(frame.iter_slices(rows) if frame.height else [frame]):
            stage.write(index, part)
    return stage.ref


def frequencies(run: Run) -> TableRef:
    """Words that nobody counted: all weigh the same."""
    counted = made(run, "frequencies", pl.DataFrame({"doc": [0]}))
    for name in ("shingles.npy", "words.npy", "lines.npy"):
        np.save(f"{counted.path}/{name}", np.zeros(2, np.uint32))
    return counted


def documents(
    texts: dict[str, str], first: int = 0, protected: Iterable[str] = (), canary: str | None = None
) -> pl.DataFrame:
    rows = [(first + at, name, text, name in protected, canary) for at, (name, text) in enumerate(texts.items())]
    frame = pl.DataFrame(rows, schema=DOCUMENT, orient="row")
    frame = frame.with_columns(source=pl.lit("harbour"))
    return frame.with_columns(n_chars=pl.col("text").str.len_chars().cast(pl.Int32), published=pl.lit(value=False))


def curated(run: Run, given: pl.DataFrame) -> Night:
    """What one run on all these documents finds."""
    screened = made(run, "prescreen", given.select("doc", in_play=pl.lit(value=True)))
    nobody = made(run, "survivors", given.select("doc", survivor="doc").clear())
    copies = made(run, "copies", pl.DataFrame(schema={"doc": pl.Int64, "copy_of": pl.Int64}))
    found = fragment.fn(run, made(run, "documents", given), copies, frequencies(run), screened, nobody)
    spans = scan(found.spans).join(given.lazy().select("doc", "doc_id"), on="doc").drop("doc").collect()
    return Night(given, scan(found.fragments).collect(), spans, {})


def refreshed(
    run: Run,
    base: Night,
    tonight: pl.DataFrame,
    gone: Iterable[str] = (),
    copies: pl.DataFrame | None = None,
    settled: pl.DataFrame | None = None,
    leaning: Iterable[str] = (),
    favoured: int = -1,
) -> Night:
    """The night after `base`: `gone` are deleted or changed, `copies` and `settled` removed tonight
    in favour of `favoured`.

    On those of `leaning` documents lean that were removed before.
    """
    removed = [
        made(
            run,
            name,
            (tonight.clear() if frame is None else frame).select("doc", pl.lit(favoured).cast(pl.Int64).alias(role)),
        )
        for name, role, frame in (("copies", "copy_of", copies), ("survivors", "survivor", settled))
    ]
    windows = base.documents.select(
        "doc", windows=windows_of(base.documents["text"], run.parameters.fragment.min_chars)
    )
    tables = {
        "documents": base.documents,
        "windows": windows,
        "fragments": base.fragments,
        "fragment_spans": base.spans,
    }
    refs = {name: made(run, name, frame) for name, frame in tables.items()}
    stays = base.documents.filter(~pl.col("doc_id").is_in(list(gone)))
    leaned_on = pl.col("doc_id").is_in(list(leaning))
    standing = made(run, "standing", stays.select("doc", "doc_id", "protected", leaned_on=leaned_on))
    old = Base(**dict.fromkeys(Base._fields, standing) | refs)  # the rest is not read
    found = refragment.fn(run, old, made(run, "documents", tonight), removed[0], frequencies(run), removed[1], standing)
    everyone = pl.concat([stays, tonight.filter(pl.col("canary").is_null())])
    spans = scan(found.spans).join(everyone.lazy().select("doc", "doc_id"), on="doc").drop("doc").collect()
    replaced = scan(found.hosts).collect()["doc_id"]
    left = base.spans.join(stays, on="doc_id", how="semi").filter(~pl.col("doc_id").is_in(replaced.implode()))
    touched = scan(found.fragments).collect()
    others = base.fragments.join(touched, on="fragment", how="anti")
    facts = about(found.fragments)["facts"] | {
        "replaced": sorted(replaced),
        "touched": touched["fragment"].to_list(),
    }
    return Night(
        everyone, pl.concat([others, touched]).sort("fragment"), pl.concat([left, spans], how="diagonal"), facts
    )


def cuts(night: Night) -> dict[str, list[str]]:
    return {
        name[0]: part.sort("start")["text"].str.strip_chars().to_list()
        for name, part in night.spans.filter("cut").group_by("doc_id", maintain_order=True)
    }


@pytest.fixture
def run(tmp_path) -> Run:
    return Run(workspace=tmp_path, parameters=Parameters().with_settings(CUT))


def test_a_passage_in_three_old_and_two_new_documents_is_cut_in_all_five(run):
    old = {f"old-{seed}": host(seed, NOTICE) for seed in range(3)} | {f"plain-{seed}": story(seed) for seed in (3, 4)}
    base = curated(run, documents(old))
    assert base.spans.is_empty()
    night = refreshed(run, base, documents({f"new-{seed}": host(seed, NOTICE) for seed in (5, 6)}, first=5))
    assert cuts(night) == {name: [NOTICE] for name in ("old-0", "old-1", "old-2", "new-5", "new-6")}
    assert night.fragments.select("hosts", "occurrences").rows() == [(5, 5)]
    assert night.facts["replaced"] == ["old-0", "old-1", "old-2"] and night.facts["published_searched"] == 3


@pytest.mark.slow
def test_four_hosts_are_too_few_and_copies_or_the_removed_are_none(run):
    base = curated(run, documents({f"old-{seed}": host(seed, NOTICE) for seed in range(3)}))
    tonight = documents({f"new-{seed}": host(seed, NOTICE) for seed in (5, 6)}, first=5)
    nights = [refreshed(run, base, tonight[:1]), refreshed(run, base, tonight, gone=["old-1"])]
    nights += [refreshed(run, base, tonight, **{role: tonight[1:]}) for role in ("copies", "settled")]
    for night in nights:
        assert night.spans.is_empty() and night.fragments.is_empty() and night.facts["published_searched"] == 0


def test_what_leads_to_too_many_documents_is_counted_and_not_read(run, monkeypatch):
    base = curated(run, documents({f"old-{seed}": host(seed, NOTICE) for seed in range(4)}))
    monkeypatch.setattr("tasks.refresh.fragments.candidates.MOST_HOSTS", 3)
    night = refreshed(run, base, documents({"new": host(9, NOTICE)}, first=4))
    assert night.facts["published_searched"] == 0 and night.facts["minimizers_crowded"] > 0
    assert night.fragments.is_empty()


def test_a_known_passage_and_a_part_of_it_are_cut_without_reading_published_hosts(run):
    base = curated(run, documents({f"old-{seed}": host(seed, LONGER) for seed in range(6)}))
    new = {"whole": host(10, LONGER), "part": host(11, FOOTER), "none": story(12)}
    night = refreshed(run, base, documents(new, first=6))
    assert night.facts["published_searched"] == 0 and night.facts["replaced"] == []
    assert cuts(night) == cuts(base) | {"whole": [LONGER], "part": [FOOTER]}
    assert night.fragments.select("fragment", "text", "hosts", "occurrences").rows() == [
        (0, LONGER.lower(), 7, 7),
        (1, FOOTER.lower(), 8, 1),
    ]
    assert night.fragments["relevance"][0] == base.fragments["relevance"][0]


def test_what_is_known_as_relevant_is_not_cut(run):
    base = curated(run, documents({f"old-{seed}": host(seed, NOTICE) for seed in range(5)}))
    base = base._replace(fragments=base.fragments.with_columns(action=pl.lit("keep")))
    night = refreshed(run, base, documents({"new": host(9, NOTICE)}, first=5))
    assert night.spans.filter(doc_id="new").select("text", "cut").rows() == [(NOTICE, False)]


def left(base: Night, rated_hosts: int) -> Night:
    """A night on which what was found was left, at so many hosts."""
    rated = base.fragments.with_columns(action=pl.lit("keep"), rated_hosts=pl.lit(rated_hosts, pl.Int32))
    return base._replace(fragments=rated, spans=base.spans.with_columns(cut=pl.lit(value=False)))


def test_what_was_left_at_half_its_hosts_is_rated_again_and_cut_in_all(run, monkeypatch):
    monkeypatch.setattr("tasks.refresh.fragments.candidates.MOST_HOSTS", 3)
    base = curated(run, documents({f"old-{seed}": host(seed, NOTICE) for seed in range(10)}))
    tonight = documents({"new": host(19, NOTICE)}, first=10)
    early = refreshed(run, left(base, 6), tonight)
    assert not cuts(early) and early.facts["published_searched"] == 0
    night = refreshed(run, left(base, 5), tonight)
    assert cuts(night) == cuts(base) | {"new": [NOTICE]}
    assert night.fragments.select("fragment", "hosts", "rated_hosts", "action").rows() == [(0, 11, 11, "cut")]
    elsewhere = refreshed(run, left(base, 5), documents({"new": host(19, FOOTER)}, first=10))
    assert elsewhere.facts["published_searched"] == 0


def test_hosts_that_went_count_for_when_to_rate_again(run):
    base = left(curated(run, documents({f"old-{seed}": host(seed, NOTICE) for seed in range(10)})), 5)
    stay = run.model_copy(update={"parameters": run.parameters.with_settings(["fragment.min_viral=1"])})
    gone = [f"old-{seed}" for seed in range(6)]
    night = refreshed(stay, base, documents({"new": host(19, NOTICE)}, first=10), gone=gone)
    assert night.facts["rated_again"] == 1 and not cuts(night)
    assert night.fragments.select("hosts", "rated_hosts", "action").rows() == [(11, 10, "keep")]
    assert refreshed(stay, night, documents({"more": host(20, NOTICE)}, first=11)).facts["rated_again"] == 0


def test_who_shares_a_phrase_only_is_read_and_left_alone(run):
    phrase = "in the presence of two witnesses and of the harbour master"
    assert len(phrase) < run.parameters.fragment.min_chars
    base = curated(run, documents({f"old-{seed}": host(seed, FOOTER, phrase) for seed in range(5)}))
    night = refreshed(run, base, documents({"new": host(9, phrase)}, first=5))
    assert night.facts["published_searched"] == 5 and night.facts["replaced"] == night.facts["touched"] == []
    assert night.spans.equals(base.spans.select(night.spans.columns)) and night.fragments.equals(base.fragments)


def test_a_protected_host_is_never_cut(run):
    old = {f"old-{seed}": host(seed, NOTICE) for seed in range(3)}
    base = curated(run, documents(old, protected=["old-1"]))
    new = {f"new-{seed}": host(seed, NOTICE) for seed in (5, 6)}
    night = refreshed(run, base, documents(new, first=3, protected=["new-6"]))
    assert set(cuts(night)) == {"old-0", "old-2", "new-5"}
    assert night.spans.filter(~pl.col("cut"))["doc_id"].sort().to_list() == ["new-6", "old-1"]


def keeping_one(run: Run) -> Run:
    settings = ["fragment.action=keep_one"]
    return run.model_copy(update={"parameters": run.parameters.with_settings(settings)})


def test_one_published_copy_is_enough_for_the_nights(run):
    run = keeping_one(run)
    base = curated(run, documents({f"old-{seed}": host(seed, NOTICE) for seed in range(5)}))
    assert set(cuts(base)) == {f"old-{seed}" for seed in range(1, 5)}
    night = refreshed(run, base, documents({"new": host(9, NOTICE)}, first=5))
    assert set(cuts(night)) == set(cuts(base)) | {"new"} and night.facts["replaced"] == []


def test_where_the_copy_goes_another_host_gets_its_text_back(run):
    run = keeping_one(run)
    base = curated(run, documents({f"old-{seed}": host(seed, NOTICE) for seed in range(5)}))
    night = refreshed(run, base, documents({"new": story(9)}, first=5), gone=["old-0"])
    assert night.facts["replaced"] == ["old-1"] and set(cuts(night)) == {"old-2", "old-3", "old-4"}
    assert night.fragments.select("hosts", "occurrences").rows() == [(5, 4)]


def test_an_altered_copy_is_cut_and_never_the_one_that_gets_its_text_back(run):
    run = keeping_one(run)
    altered = NOTICE.replace("the ships", "our ships")
    told = [NOTICE, altered, *[NOTICE] * 4]
    base = curated(run, documents({f"old-{seed}": host(seed, notice) for seed, notice in enumerate(told)}))
    assert cuts(base)["old-1"] == [altered] and "old-0" not in cuts(base)
    tonight = documents({"new": host(9, NOTICE), "changed": host(10, altered)}, first=6)
    night = refreshed(run, base, tonight, gone=["old-0"])
    assert cuts(night)["changed"] == [altered] and cuts(night)["old-1"] == [altered]
    assert night.facts["replaced"] == ["old-2"] and "old-2" not in cuts(night)


@pytest.mark.slow
def test_a_document_that_stands_for_a_removed_one_gets_its_text_back(run):
    base = curated(run, documents({f"old-{seed}": host(seed, NOTICE) for seed in range(6)}))
    tonight = documents({"new": host(3, NOTICE)}, first=6)
    night = refreshed(run, base, tonight, copies=tonight, favoured=3)
    assert night.facts["replaced"] == ["old-3"] and "old-3" not in cuts(night) and len(cuts(night)) == 5


def test_a_document_that_stood_for_a_removed_one_before_is_not_cut(run):
    base = curated(run, documents({f"old-{seed}": host(seed, NOTICE) for seed in range(4)}))
    assert base.spans.is_empty()
    night = refreshed(run, base, documents({"new": host(9, NOTICE)}, first=4), leaning=["old-2"])
    assert set(cuts(night)) == {"old-0", "old-1", "old-3", "new"}


def test_counts_add_up_over_the_nights(run):
    base = curated(run, documents({f"old-{seed}": host(seed, NOTICE) for seed in range(4)}))
    first = refreshed(run, base, documents({"a": host(10, NOTICE, NOTICE), "b": host(11, FOOTER)}, first=4))
    assert first.fragments.select("hosts", "occurrences").rows() == [(5, 6)]
    edited = documents({"old-0": host(20, NOTICE), "c": host(12, NOTICE)}, first=6)
    second = refreshed(run, first, edited, gone=["old-0", "old-1"])
    assert second.fragments.select("fragment", "hosts", "occurrences").rows() == [(0, 6, 6)]
    assert second.facts["published_searched"] == 0
    footers = documents({f"f-{seed}": host(seed, FOOTER) for seed in range(30, 34)}, first=8)
    third = refreshed(run, second, footers)
    assert third.fragments.select("fragment", "hosts", "occurrences").rows() == [(0, 6, 6), (1, 5, 5)]
    assert third.facts["replaced"] == ["b"] and cuts(third)["b"] == [FOOTER]


def test_canaries_and_documents_do_not_make_each_other_viral(run):
    base = curated(run, documents({f"old-{seed}": host(seed, NOTICE) for seed in range(4)}))
    planted = documents({f"c-{seed}": host(seed, NOTICE) for seed in range(10, 14)}, first=4, canary="E")
    assert refreshed(run, base, planted).fragments.is_empty()
    more = documents({"c-14": host(14, NOTICE)}, first=8, canary="E")
    night = refreshed(run, base, pl.concat([planted, more]))
    assert night.fragments.select("hosts", "occurrences").rows() == [(5, 5)] and night.facts["hosts_cut"] == 0


def test_numbers_of_passages_that_altered_copies_take_the_place_of_are_not_given_again(run):
    both = f"{NOTICE} {FOOTER}"
    base = curated(run, documents({f"old-{seed}": host(seed, both) for seed in range(5)}))
    changed = both.replace("the harbour", "our harbour")
    altered = [changed.replace("by the", f"by {word}") for word in ("our", "this", "that", "these", "a")]
    told = [both, *altered, *[BOTTLE] * 5]
    texts = {f"new-{seed}": host(seed, notice) for seed, notice in enumerate(told, start=10)}
    planted = documents({f"c-{seed}": host(seed, LONGER) for seed in range(30, 36)}, first=30, canary="E")
    night = refreshed(run, base, pl.concat([documents(texts, first=5), planted]))
    assert night.facts["new"] == 1 and night.fragments["fragment"].to_list() == [0, 3, 4]


def test_a_tight_memory_limit_changes_nothing(run, tmp_path, monkeypatch):
    texts = {f"doc-{seed:02}": host(seed, *(NOTICE, LONGER, FOOTER)[seed % 3 :]) for seed in range(20)}
    expected = curated(run, documents(texts))
    shards = []
    monkeypatch.setattr("tasks.resolve.fragments.search.SORTED_BYTES", 10_000)
    monkeypatch.setattr("tasks.resolve.fragments.search.Floor", lambda file, room: Floor(file, 0))
    monkeypatch.setattr(
        "tasks.resolve.fragments.search.fragments_in", lambda *given: shards.append(given[3]) or fragments_in(*given)
    )
    tight = curated(run.model_copy(update={"workspace": tmp_path / "tight", "memory_limit": "100MB"}), documents(texts))
    assert max(shards) > 1 and expected.fragments.height > 1
    assert tight.fragments.equals(expected.fragments)
    assert tight.spans.sort("doc_id", "start").equals(expected.spans.sort("doc_id", "start"))


@pytest.mark.slow
def test_nights_cut_like_one_run_on_everything(run):
    """Random passages in random documents, a quarter of them arriving on each of two nights."""
    rng = np.random.default_rng(8)
    passages = [story(1000 + number)[:size] for number, size in enumerate(rng.integers(65, 300, 12))]
    texts = {}
    for seed in range(60):
        chosen = rng.choice(12, rng.integers(0, 4), replace=False)
        texts[f"doc-{seed:02}"] = host(seed, *(passages[at] for at in chosen))
    whole = documents(texts)
    night = curated(run, whole[:30])
    assert night.fragments.height < 12, "some become viral only later"
    night = refreshed(run, night, whole[30:45])
    read = night.facts["published_searched"]
    night = refreshed(run, night, whole[45:])
    expected = curated(run, whole)
    assert cuts(night) == cuts(expected) and len(cuts(expected)) > 40
    counts = ["text", "hosts", "occurrences"]
    assert night.fragments.select(counts).sort("text").equals(expected.fragments.select(counts).sort("text"))
    assert 0 < read < 30 and night.fragments["fragment"].to_list() == list(range(expected.fragments.height))
