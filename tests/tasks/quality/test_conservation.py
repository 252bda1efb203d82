"""Repeats are removed, never content: what is rescued, what is measured as lost, and when the gate refuses."""

import itertools
import json
import random
import shutil
from pathlib import Path

import polars as pl
import pytest

from tasks.explain.document import explain
from tasks.quality.conservation_summary import figures
from tasks.resolve.rescue import passage
from tasks.runtime.errors import GateError, InputError
from tests.support.processes.unruly import at_work
from tests.support.runs import curate, refresh, table

pytestmark = pytest.mark.flows

WORDS = [*map("".join, itertools.product("bdfklmnrst", "aeiou", "lnrst", ["on", "er", "um"]))]


def sentences(seed: str, count: int) -> str:
    """Prose that no other seed gives."""
    draw = random.Random(seed)
    told = "The {} of the {} kept {} and {} for the {}."
    return " ".join(told.format(*(draw.choice(WORDS) for _ in range(5))) for _ in range(count))


STORY = sentences("story", 40)
SETTINGS = ("extract.id_column=doc_id", "extract.source_column=source", "encoder.name=none", "cascade.routing=lexical",
            "sketch.use_attention=false", "verify.decider=fixed")  # fmt: skip
"""Without an encoder nothing is cut; with fixed thresholds a passage of its own keeps no document, but its rescue."""


def corpus(folder: Path, texts: dict[str, str], source: str = "web", name: str = "in") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.parquet"
    sources = [key.partition("/")[0] if "/" in key else source for key in texts]
    pl.DataFrame({"doc_id": list(texts), "source": sources, "text": list(texts.values())}).write_parquet(path)
    return path


def fates(snapshot: Path) -> dict[str, tuple]:
    rows = table(snapshot, "decisions").select("doc_id", "action", "survivor_id", "stage")
    return {row[0]: row[1:] for row in rows.iter_rows()}


def only(number: int, sentences_of: int = 2) -> str:
    return sentences(f"own {number}", sentences_of)


OWN = {
    "whole": STORY,
    "copy": STORY.replace("kept", "held", 1),
    "own-1": f"{STORY} {only(1)}",
    "own-2": f"{only(2)} {STORY}",
    "own-2-again": f"{only(2)} {STORY} ",
    "known": f"{STORY} {only(3)}",
    "elsewhere": f"{sentences('else', 30)} {only(3)}",
}


def test_two_documents_with_a_paragraph_of_their_own_each_both_stay(plain, tmp_path):
    made = curate([corpus(tmp_path, OWN)], tmp_path / "out", SETTINGS)
    found = fates(made)
    stays = {name for name, (action, *_) in found.items() if action == "keep"}
    assert {"own-1", "own-2", "elsewhere"} <= stays
    assert {found[name][0] for name in ("whole", "copy")} == {"keep", "remove"}
    assert found["known"][0] == "remove", "what it says stands elsewhere"
    assert {name for name, (*_, stage) in found.items() if stage == "rescue"} == {"own-1", "own-2"}
    assert found["own-2-again"][:2] == ("remove", "own-2"), "a copy follows the text that it copies"
    reason = table(made, "decisions").filter(doc_id="own-1")["reason"].item()
    assert reason.startswith("Kept: it alone says “The ") and "else it would give way to" in reason
    assert reason in " ".join(explain(tmp_path / "out", "own-1").split())


MENU = "\n".join(word.capitalize() for word in WORDS[7::37])
REPORTS = "\n".join(f"LWG#{number}" for number in range(2229, 2259, 2))
COUNTERS = (
    "latest commit e63fde0 on September 23, 2010\nHistory\n2 contributors\n295 lines (120 sloc) 9.2 KB\nRaw Blame"
)
CREDIT = (
    "A C program for MT19937, with initialization improved 2002/1/26.\n  Coded by Takuji Nishimura and Makoto Saito"
)


@pytest.mark.parametrize(
    ("rescue", "frame", "goes"),
    [
        ("content", MENU, True),
        ("all", MENU, False),
        ("content", REPORTS, False),
        ("content", COUNTERS, True),
        ("content", CREDIT, False),
    ],
)
def test_the_menu_of_a_site_keeps_no_copy_of_its_page_and_a_list_of_reports_does(plain, tmp_path, rescue, frame, goes):
    """A copy as it is (type B): that is no page in another template (type A), whose menu never kept it."""
    priority = "extract.source_priority=first,site"
    settings = (*SETTINGS[:-1], "verify.decider=rules", f"conserve.rescue={rescue}", priority)
    held = sentences("framed", 40)
    texts = {"first/page": held, "site/framed": f"{frame}\n\n{held}"}
    made = curate([corpus(tmp_path, texts)], tmp_path / "out", settings)
    found = table(made, "decisions").select("doc_id", "action", "type", "stage").rows()
    assert len(frame.split()) >= 15
    framed = next(row[1:] for row in found if row[0] == "site/framed")
    assert framed == (("remove", "B", "verify") if goes else ("keep", None, "rescue"))


def test_a_part_of_a_list_goes_for_the_list_though_other_items_follow_one_another(plain, tmp_path):
    draw = random.Random("items")
    items = [" ".join(draw.choice(WORDS) for _ in range(4)) for _ in range(200)]
    given = corpus(tmp_path, {"list": "\n".join(items), "part": "\n".join(items[:180] + items[180::2]), "other": STORY})
    settings = (*SETTINGS[:-1], "verify.decider=rules", "gate.max_content_lost=1", "gate.max_source_content_lost=1")
    found = fates(curate([given], tmp_path / "out", settings))
    assert found["part"][:2] == ("remove", "list") and found["list"][0] == "keep"


def test_without_rescue_the_same_run_loses_them_and_says_so(plain, tmp_path):
    lenient = ("conserve.rescue=off", "gate.max_content_lost=1", "gate.max_source_content_lost=1")
    made = curate([corpus(tmp_path, OWN)], tmp_path / "out", (*SETTINGS, *lenient))
    told = figures(made)
    assert told["sampled_one_in"] == 1
    assert told["removals_that_lose_a_passage"]["lost"] >= 1
    lost = table(made, "lost_passages")
    assert lost.height == told["removals_that_lose_a_passage"]["lost"]
    assert all(any(said[:40] in OWN[name] for name in OWN) for said in lost["passage"])
    assert json.loads((made / "manifest.json").read_text())["conservation"] == told
    warned = [one for one in json.loads((made / "manifest.json").read_text())["gate"] if not one["passed"]]
    assert "runs_lost" in {one["check"] for one in warned} and {one["severity"] for one in warned} == {"warning"}
    page = (made / "report.html").read_text()
    assert page.index("What was lost") < page.index("Funnel") and "Longest passages that are lost" in page


def test_a_rescued_run_loses_nothing(plain, tmp_path):
    made = curate([corpus(tmp_path, OWN)], tmp_path / "out", SETTINGS)
    told = figures(made)
    assert told["removals_that_lose_a_passage"]["lost"] == told["content_of_one_source"]["lost"] == 0
    assert table(made, "lost_passages").is_empty()


def test_a_passage_is_told_in_the_words_of_the_original():
    assert passage("Ａ “Quoted”  WORD,\n and more — of it!", 1, 5) == "Quoted”  WORD,\n and more"


def test_a_source_that_is_one_page_many_times_passes(plain, tmp_path):
    """Five hundred copies lose no content; 99.8 % of the documents of that source go."""
    mirror = {f"mirror/{number}": STORY if number % 2 else f"{STORY}  " for number in range(500)}
    others = {f"web/{number}": sentences(f"other {number}", 6) for number in range(60)}
    made = curate([corpus(tmp_path, mirror | others)], tmp_path / "out", SETTINGS)
    counted = table(made, "decisions").group_by("source", "action").len().rows()
    assert ("mirror", "remove", 499) in counted and ("web", "keep", 60) in counted
    assert figures(made)["content_of_one_source"]["share"] == 0


def test_a_source_that_loses_content_of_its_own_is_refused(plain, tmp_path):
    """A page each of sixty says more than the others; without a rescue a hundredth of what the source says is lost."""
    pages = {f"site/{number:02}": f"{STORY} {only(number, 3)}" for number in range(60)}
    given = [corpus(tmp_path, pages)]
    with pytest.raises(GateError, match="source_content_lost"):
        curate(given, tmp_path / "out", (*SETTINGS, "conserve.rescue=off", "verify.tau_a=0.1"))
    [refused] = (tmp_path / "out" / "refused").iterdir()
    assert figures(refused)["worst_source"][0]["source"] == "site"
    assert fates(curate(given, tmp_path / "out", SETTINGS)).keys() == pages.keys()


def test_protected_documents_that_repeat_each_other_are_all_kept(plain, tmp_path):
    texts = {
        "a": STORY, "b": STORY, "c": STORY.upper(), "d": STORY.replace("kept", "held", 1), "e": STORY, "f": f"{STORY} "
    }  # fmt: skip
    (tmp_path / "protected.txt").write_text("b\nc\nd\n")
    made = curate([corpus(tmp_path, texts)], tmp_path / "out", SETTINGS, protected=str(tmp_path / "protected.txt"))
    found = fates(made)
    assert {name for name, (action, *_) in found.items() if action == "keep"} == {"b", "c", "d"}
    assert {found[name][1] for name in "aef"} == {"b"}
    assert set(table(made, "documents")["doc_id"]) == {"b", "c", "d"}


@pytest.fixture
def published(tmp_path) -> Path:
    texts = {"one": STORY, "two": sentences("two", 20), "three": sentences("three", 20)}
    curate([corpus(tmp_path, texts)], tmp_path / "out", SETTINGS)
    return tmp_path / "out"


def test_a_night_keeps_protected_copies_of_what_is_published(published, tmp_path):
    arrivals = {"same": STORY, "same-again": STORY.upper(), "plain": STORY}
    (tmp_path / "protected.txt").write_text("same\nsame-again\n")
    given = [corpus(tmp_path, arrivals, name="new")]
    made = refresh(given, published, protected=str(tmp_path / "protected.txt"))
    found = fates(made)
    assert {name for name, (action, *_) in found.items() if action == "keep"} == {
        "one", "two", "three", "same", "same-again"
    }  # fmt: skip
    assert found["plain"][:2] == ("remove", "one")
    assert set(table(made, "documents")["doc_id"]) == {"one", "two", "three", "same", "same-again"}
    later = refresh([corpus(tmp_path, {"once-more": f"{STORY} "}, name="later")], published)
    assert fates(later)["once-more"][0] == "remove"


def test_a_night_rescues_an_arrival_with_a_paragraph_of_its_own(published, tmp_path):
    arrivals = {
        "more": f"{STORY} {only(1)}",
        "more-again": f"{STORY} {only(1)} ",
        "less": STORY.replace("kept", "held", 1),
    }
    made = refresh([corpus(tmp_path, arrivals, name="new")], published)
    found = fates(made)
    assert found["less"][:2] == ("remove", "one")
    assert found["more"][0] == "keep"
    assert figures(made)["removals_that_lose_a_passage"]["lost"] == 0
    page = (made / "report.html").read_text()
    assert "This is about the documents that tonight looked at" in page


def test_a_published_document_stays_if_the_new_parent_lacks_what_it_says(plain, tmp_path):
    """More than nine tenths of it stand in the parent, and the rest nowhere; its own copy goes with it, or stays."""
    texts = {"one": STORY, "one-again": STORY.upper(), "two": sentences("two", 20), "three": sentences("three", 20)}
    out, lenient = tmp_path / "out", (*SETTINGS[:2], "verify.decider=fixed")
    curate([corpus(tmp_path, texts)], out, lenient)
    lacking = f"{sentences('before', 60)} {STORY[: len(STORY) * 94 // 100]} {sentences('behind', 60)}"
    whole = f"{sentences('ahead', 60)} {STORY} {sentences('after', 60)}"
    for settings, parent, expected in (
        (["conserve.rescue=off", "gate.max_source_content_lost=1"], lacking, [("remove", "parent")] * 2),
        ([], lacking, [("keep", None), ("remove", "one")]),
        ([], whole, [("remove", "parent")] * 2),
    ):
        again = Path(shutil.copytree(out, tmp_path / str(len(list(tmp_path.iterdir()))), symlinks=True))
        made = refresh([corpus(tmp_path, {"parent": parent}, name="new")], again, settings=settings)
        found = fates(made)
        assert [found[name][:2] for name in ("one", "one-again")] == expected
        assert found["parent"][0] == "keep"
        assert figures(made)["removals_that_lose_a_passage"]["lost"] == (2 if "conserve.rescue=off" in settings else 0)


def test_a_list_that_deletes_most_asks_for_a_word_and_then_goes_through(published, tmp_path):
    before = (published / "current").resolve()
    (tmp_path / "deleted.txt").write_text("one\ntwo\n")
    listed = str(tmp_path / "deleted.txt")
    with pytest.raises(InputError, match=r"lists 2 of 3 published documents.*--delete-most"):
        refresh([], published, deleted=listed)
    assert (published / "current").resolve() == before
    made = refresh([], published, deleted=listed, delete_most=True)
    assert table(made, "documents")["doc_id"].to_list() == ["three"]
    (tmp_path / "deleted.txt").write_text("three\n")
    empty = refresh([], published, deleted=listed, delete_most=True)
    assert table(empty, "documents").is_empty()


def test_half_of_the_documents_need_no_word(published, tmp_path):
    (tmp_path / "deleted.txt").write_text("one\nnobody\nno one\nnone\n")
    assert table(refresh([], published, deleted=str(tmp_path / "deleted.txt")), "documents").height == 2


def test_what_was_removed_comes_back_when_it_is_protected(plain, tmp_path):
    texts = {"one": STORY, "one-again": STORY.upper(), "near": STORY.replace("kept", "held", 1), "two": only(7, 9)}
    curate([corpus(tmp_path, texts)], tmp_path / "out", SETTINGS)
    kept = [name for name, (action, *_) in fates((tmp_path / "out" / "current").resolve()).items() if action == "keep"]
    assert len(kept) == 2 and "two" in kept
    (tmp_path / "protected.txt").write_text("one\none-again\nnear\n")
    made = refresh([], tmp_path / "out", protected=str(tmp_path / "protected.txt"))
    assert {action for action, *_ in fates(made).values()} == {"keep"}
    decisions = table(made, "decisions")
    assert set(decisions.filter("protected")["doc_id"]) == {"one", "one-again", "near"}
    assert decisions["reason"].str.starts_with("Checked again, because it is protected now.").sum() == 2
    assert set(table(made, "documents")["doc_id"]) == {*texts}
    later = refresh([corpus(tmp_path, {"new": only(8, 9)}, name="new")], tmp_path / "out")
    assert set(table(later, "decisions").filter("protected")["doc_id"]) == {"one", "one-again", "near"}


def test_a_night_with_a_protected_list_of_unknown_ids_stops(published, tmp_path):
    (tmp_path / "protected.txt").write_text("nobody\n")
    given = [corpus(tmp_path, {"new": sentences("new", 5)}, name="new")]
    with pytest.raises(InputError, match="none of the 1 protected ids is published or arrives tonight"):
        refresh(given, published, protected=str(tmp_path / "protected.txt"))


NOTICE = (
    "Subscribe to the weekly letter of the harbour office and read it before the ships come in. "
    "You may leave it again at any time, and nobody else will ever see your address."
)


PAGES = {f"page-{at}": f"{sentences(f'a{at}', 9)}\n\n{NOTICE}\n\nPage{at} {sentences(f'b{at}', 9)}" for at in range(12)}
BY_ID = ("extract.id_column=doc_id", "extract.source_column=source", "fragment.min_viral=0")


@pytest.mark.parametrize("rescue", ["all", "off"])
def test_workers_rescue_and_measure_what_one_process_does(plain, tmp_path, rescue):
    lenient = ("gate.max_content_lost=1", "gate.max_source_content_lost=1", "verify.decider=fixed")
    chosen = (*BY_ID, *lenient, f"conserve.rescue={rescue}", "fragment.action=cut", "extract.part_rows=64")
    others = {f"other-{number}": sentences(f"other {number}", 9) for number in range(120)}
    given = [corpus(tmp_path, OWN | PAGES | others)]
    alone = curate(given, tmp_path / "alone", chosen)
    with at_work(OSError, together=1, places=2, i0=1):
        shared = curate(given, tmp_path / "shared", chosen)
    for name in ("decisions", "conservation", "lost_passages", "documents"):
        assert table(shared, name).equals(table(alone, name)), name
    assert {"edit", "remove"} <= {action for action, *_ in fates(alone).values()}
    assert table(alone, "lost_passages").is_empty() == (rescue == "all")
    took = [json.loads((made / "manifest.json").read_text())["elsewhere"]["cpu"] for made in (alone, shared)]
    assert took[0] == 0 < took[1]


@pytest.mark.parametrize(("action", "given_up"), [("cut", 12), ("keep_one", 0)])
def test_a_run_that_cuts_every_copy_publishes_and_says_so(plain, tmp_path, action, given_up):
    made = curate([corpus(tmp_path, PAGES)], tmp_path / "out", (*BY_ID, f"fragment.action={action}"))
    assert sum(NOTICE in text for text in table(made, "documents")["text"]) == (0 if given_up else 1)
    told = figures(made)
    assert told["cut_passages_given_up_on_purpose"]["lost"] == given_up
    assert told["cut_passages_without_a_copy"]["lost"] == told["shared_by_10"]["lost"] == 0
    assert ("12 of them were given up on purpose" in (made / "report.html").read_text()) == bool(given_up)
    more = {"late": f"{sentences('late', 9)}\n\n{NOTICE}\n\n{sentences('later', 9)}"}
    later = refresh([corpus(tmp_path, more, name="more")], tmp_path / "out")
    assert table(later, "decisions").filter(doc_id="late")["action"].item() == "edit"
    assert figures(later)["cut_passages_given_up_on_purpose"]["lost"] == (1 if given_up else 0)
    assert figures(later)["cut_passages_without_a_copy"]["lost"] == 0
