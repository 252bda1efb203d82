"""Nights on a small real corpus: every policy once, and what must hold after any night."""

import json
import shutil
import threading
import time
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pytest

from flows.reindex import Indexed
from models.lexical.text.spans import restore
from tasks.explain.archive import Archive
from tasks.runtime.errors import BusyError, GateError, InputError
from tasks.snapshots.layout import current
from tasks.snapshots.locks import reading, writing
from tasks.storage.checksums import CONTENT, seal
from tests.support.runs import contents, curate, refresh, table, without_prefect

pytestmark = pytest.mark.flows

NOTICE = "Readers of this page also ordered the printed almanac of harbours, lighthouses and tide tables from our shop."
HOSTS = {
    "host-1": "The ferry to Linden leaves at noon and returns before dark, except on the days of the regatta.",
    "host-2": "A good sourdough wants nothing but flour, water, salt and the patience of a whole long night.",
    "host-3": "Her first violin was made of maple that had floated down the river in the flood of spring.",
    "host-4": "Nobody had seen the comet that winter, because the clouds hung low over the valley for weeks.",
    "host-5": "Twice a year the museum lends its globes to the school, and twice a year one comes back dented.",
}
ADDED = " ".join(
    f"Chapter {number} of this edition is new and tells of garden {number * 3}, of the river that left its bed in "
    f"{1700 + number} and of what {number * 11} sacks of potatoes cost at the market then."
    for number in range(60)
)
OTHER = "Under this name something else is kept now: a recipe for plum cake that needs neither butter nor eggs."


def hosting(name: str) -> str:
    words = HOSTS[name].split()
    tail = " ".join(f"{one} {other}" for one, other in zip(words[::-1], sorted(words), strict=True))
    return f"{HOSTS[name]}\n\n{NOTICE}\n\n{HOSTS[name][::-1]} {tail}"


def frame(texts: dict[str, str]) -> pl.DataFrame:
    empty = {name: [""] * len(texts) for name in ("license_expression", "language")}
    return pl.DataFrame(
        {"doc_id": list(texts), "source": ["tonight"] * len(texts), "text": list(texts.values()), **empty}
    )


class Night(NamedTuple):
    """The published state before and after a night."""

    before: Path
    after: Path
    names: dict[str, str]

    def fate(self, doc_id: str) -> dict:
        return table(self.after, "decisions").row(by_predicate=pl.col("doc_id") == doc_id, named=True)

    def published(self) -> dict[str, str]:
        return dict(table(self.after, "documents").select("doc_id", "text").iter_rows())


@pytest.fixture(scope="module")
def base(corpus, tmp_path_factory) -> Path:
    """Output folder of a curated corpus; nights work on copies of it."""
    folder = tmp_path_factory.mktemp("base")
    old = {name: hosting(name) for name in ("host-1", "host-2", "host-3")}
    pl.concat([corpus, frame(old)], how="vertical").write_parquet(folder / "corpus.parquet")
    curate([folder / "corpus.parquet"], folder / "out", ("extract.part_rows=64", "gate.max_published_loss=0.5"))
    return folder / "out"


@pytest.fixture
def out(base, tmp_path) -> Path:
    return Path(shutil.copytree(base, tmp_path / "out", symlinks=True))


def heirs(snapshot: Path, survivor: str) -> set[str]:
    return set(table(snapshot, "decisions").filter(survivor_id=survivor)["doc_id"])


@pytest.fixture(scope="module")
def night(base, tmp_path_factory) -> Night:
    """One night with everything in it."""
    folder = tmp_path_factory.mktemp("night")
    out = Path(shutil.copytree(base, folder / "out", symlinks=True))
    before = current(out)
    decisions = table(before, "decisions")
    copied = decisions.filter(doc_id="planted-upper")["survivor_id"].item()
    parent = decisions.filter(doc_id="planted-child")["survivor_id"].item()
    texts = dict(table(before, "documents").select("doc_id", "text").iter_rows())
    alone = decisions.filter(pl.col("action") == "keep", ~pl.col("doc_id").is_in(decisions["survivor_id"].implode()))
    changed, unchanged, guarded = [
        name for name in alone["doc_id"].to_list() if len(texts[name]) > 600 and "planted" not in name
    ][:3]
    edited = texts[guarded].replace(" the ", " teh ", 1)
    arrivals = {
        "tonight-copy": f"  {texts[copied]} ",
        "tonight-near": texts["planted-fee-200"].replace("started calendar", "started  calender"),
        "tonight-fee": texts["planted-fee-200"].replace("200", "350"),
        "tonight-parent": f"{texts[parent]}\n\n{ADDED}",
        "tonight-guarded": edited,
        "tonight-unwanted": "This one arrives although its id stands in the list of deletions.",
        changed: OTHER,
        "host-4": hosting("host-4"),
        "host-5": hosting("host-5"),
    }
    same = pl.read_parquet(base.parent / "corpus.parquet").filter(doc_id=unchanged)
    pl.concat([frame(arrivals), same]).write_parquet(folder / "new.parquet")
    (folder / "deleted.txt").write_text(f"{copied}\ntonight-unwanted\nnever-heard-of\n")
    (folder / "protected.txt").write_text("tonight-guarded\n")
    listed = {"deleted": str(folder / "deleted.txt"), "protected": str(folder / "protected.txt")}
    # few short hosts: the judge of fragments would not be sure
    after = refresh([folder / "new.parquet"], out, settings=["fragment.min_viral=0"], **listed)
    names = {"copied": copied, "parent": parent, "changed": changed, "unchanged": unchanged, "guarded": guarded}
    return Night(before, after, names)


def test_the_manifest_counts_what_the_night_was(night):
    told = json.loads((night.after / "manifest.json").read_text())["refresh"]
    assert told["base"] == night.before.name and told["generation"] == 1
    events = {"arrivals": 10, "new": 7, "changed": 1, "unchanged": 1, "refused": 1, "deleted": 1, "unknown": 1}
    assert {name: told[name] for name in events} == events
    assert told["rechecked"] == len(heirs(night.before, night.names["copied"])) >= 2
    assert told["recut"] == 3


def test_a_published_document_stays_and_its_new_duplicate_goes(night):
    assert night.fate("planted-fee-200")["action"] == "keep"
    fate = night.fate("tonight-near")
    assert (fate["action"], fate["survivor_id"], fate["generation"]) == ("remove", "planted-fee-200", 1)
    assert night.fate("planted-fee-200")["reason"] == "Kept; stands for 1 removed document."


def test_a_look_alike_of_a_published_document_stays(night):
    assert night.fate("tonight-fee")["action"] == "keep"


def test_a_new_parent_takes_the_child_and_what_the_child_stood_for(night):
    child, heir = night.fate(night.names["parent"]), night.fate("planted-child")
    assert (child["action"], child["type"], child["survivor_id"]) == ("remove", "D", "tonight-parent")
    assert (heir["action"], heir["survivor_id"]) == ("remove", "tonight-parent")
    assert night.fate("tonight-parent")["action"] in ("keep", "edit")


def test_what_was_removed_for_a_deleted_document_is_checked_again(night):
    gone = night.fate(night.names["copied"])
    assert gone["action"] == "delete" and gone["survivor_id"] is None and "list of deletions" in gone["reason"]
    stays = night.fate("planted-copy")
    assert stays["action"] in ("keep", "edit") and stays["reason"].startswith("Checked again, because")
    assert {night.fate(name)["survivor_id"] for name in ("planted-upper", "tonight-copy")} == {"planted-copy"}


def test_deletion_wins_over_an_arrival_and_leaves_no_text(night):
    assert night.fate("tonight-unwanted")["action"] == "delete"
    indexed = table(night.after / "index", "documents")
    assert not {"tonight-unwanted", night.names["copied"]} & set(indexed["doc_id"])


def test_a_known_id_gets_its_new_text(night):
    fate = night.fate(night.names["changed"])
    assert fate["action"] == "keep" and fate["reason"].startswith("New text under a known id.")
    assert night.published()[night.names["changed"]] == OTHER
    assert Archive(night.after).originals([night.names["changed"]]) == {night.names["changed"]: OTHER}


def test_a_protected_arrival_and_its_published_duplicate_both_stay(night):
    assert {night.fate(name)["action"] for name in ("tonight-guarded", night.names["guarded"])} <= {"keep", "edit"}
    assert night.fate("tonight-guarded")["protected"]


def test_a_passage_that_becomes_viral_tonight_is_cut_from_old_and_new_documents(night):
    [fragment] = table(night.after, "fragments").filter(pl.col("text").str.contains("almanac")).rows(named=True)
    assert (fragment["hosts"], fragment["occurrences"], fragment["action"]) == (5, 5, "cut")
    whole = [name for name in HOSTS if NOTICE in night.published()[name]]
    assert len(whole) == 1, "one copy of it stays"
    for name in HOSTS:
        assert night.fate(name)["action"] == ("keep" if name in whole else "edit")
        assert (NOTICE[:60] in night.published()[name]) == (name in whole)
        before = dict(table(night.before, "documents").select("doc_id", "text").iter_rows())
        assert NOTICE in before.get(name, NOTICE), "it was not viral before"


def test_every_id_has_a_decision_every_survivor_is_kept_and_every_text_can_be_restored(night):
    decisions = table(night.after, "decisions")
    kept = set(decisions.filter(pl.col("action").is_in(["keep", "edit"]))["doc_id"])
    assert set(night.published()) == kept
    assert set(decisions.drop_nulls("survivor_id")["survivor_id"]) <= kept
    assert decisions["doc_id"].n_unique() == decisions.height
    assert set(table(night.before, "decisions")["doc_id"]) < set(decisions["doc_id"])
    originals = dict(table(night.after / "index", "documents").select("doc_id", "text").iter_rows())
    spans = table(night.after, "fragment_spans").filter("cut").sort("start")
    for name, text in night.published().items():
        assert restore(text, spans.filter(doc_id=name).select("start", "text").rows()) == originals[name]


def test_what_did_not_change_is_the_same_file(night):
    shared = {
        path.relative_to(night.after)
        for path in night.after.rglob("part-00000.parquet")
        if (other := night.before / path.relative_to(night.after)).exists() and path.samefile(other)
    }
    assert {Path("index/extras/part-00000.parquet"), Path("verified/part-00000.parquet")} & shared
    assert (night.after / "index/frequencies/words.npy").samefile(night.before / "index/frequencies/words.npy")


def test_the_same_night_again_changes_nothing_and_a_deleted_id_may_return(night, tmp_path):
    out = Path(shutil.copytree(night.after.parents[1], tmp_path / "out", symlinks=True))
    shown = current(out)
    again = [night.after.parents[2] / "new.parquet"]
    listed = str(night.after.parents[2] / "deleted.txt")
    assert refresh(again, out, deleted=listed) == shown, "nothing is new"
    frame({night.names["copied"]: OTHER.replace("plum", "apple")}).write_parquet(tmp_path / "back.parquet")
    after = refresh([tmp_path / "back.parquet"], out)
    fate = table(after, "decisions").row(by_predicate=pl.col("doc_id") == night.names["copied"], named=True)
    assert fate["action"] == "keep" and fate["reason"].startswith("Back after a deletion.")
    assert fate["generation"] == 2


def test_a_night_is_the_same_whatever_the_threads_and_the_cut_of_its_files(out, base, tmp_path):
    new = frame({name: hosting(name) for name in ("host-4", "host-5")})
    new.write_parquet(tmp_path / "one.parquet")
    first = refresh([tmp_path / "one.parquet"], out, threads=1)
    other = Path(shutil.copytree(base, tmp_path / "other", symlinks=True))
    for number, row in enumerate(reversed(range(new.height))):
        new[row].write_parquet(tmp_path / f"part-{number}.parquet")
    second = refresh([tmp_path / "part-0.parquet", tmp_path / "part-1.parquet"], other, threads=2)
    for name in ("documents", "decisions", "fragments", "fragment_spans", "verified"):
        assert contents(first, name) == contents(second, name), name


def test_a_child_stays_when_something_it_stands_for_is_not_in_the_new_parent(out, tmp_path):
    """The heir has a sentence of its own, so it goes in favour of the child but not in favour of the child's parent."""
    body = " ".join(f"Paragraph {number} speaks of harbour {number * 7} and of nothing else." for number in range(60))
    own = "By the way, the bakery in the old town closes on Mondays, which visitors learn at its door."
    child, heir = f"{body} {own}", f"{body} {own}".replace("nothing else", "nothing  else", 1)
    assert refresh([write(tmp_path, "a", {"child": child, "heir": heir})], out)
    assert heirs(current(out), "child") == {"heir"}
    refresh([write(tmp_path, "b", {"parent": f"{child} {ADDED}"})], out)
    assert heirs(current(out), "parent") == {"child", "heir"}, "all of it is contained"


def write(folder: Path, name: str, texts: dict[str, str]) -> Path:
    path = folder / f"{name}.parquet"
    frame(texts).write_parquet(path)
    return path


def test_only_deletions_need_no_input(out, tmp_path):
    (tmp_path / "deleted.txt").write_text("host-1\n")
    after = refresh([], out, deleted=str(tmp_path / "deleted.txt"))
    assert "host-1" not in set(table(after, "documents")["doc_id"])


def test_a_list_that_deletes_too_much_of_a_source_is_refused(out, tmp_path):
    shown = current(out)
    ids = table(shown, "documents")["doc_id"]
    (tmp_path / "deleted.txt").write_text("\n".join(ids.head(len(ids) // 2)))
    with pytest.raises(
        GateError, match=r"published_loss.*: \d+ of \d+ published documents go, \d+ of them were listed"
    ):
        refresh([], out, deleted=str(tmp_path / "deleted.txt"), settings=["gate.min_source_documents=20"])
    assert current(out) == shown


def test_another_sketch_is_refused_with_the_command_that_indexes_anew(out, tmp_path):
    new = write(tmp_path, "new", {"host-4": hosting("host-4")})
    with pytest.raises(InputError, match=r"sketch.rows was 4, is 2.*semhash-llm reindex --out"):
        refresh([new], out, settings=["sketch.rows=2"])


def test_one_writer_at_a_time_and_the_other_is_told(out, tmp_path):
    new = write(tmp_path, "new", {"host-4": hosting("host-4")})
    with writing(out, role="output"):
        for run in (lambda: refresh([new], out), lambda: curate([new], out)):
            with pytest.raises(BusyError, match="another run is writing to the output folder"):
                run()
    assert refresh([new], out)


def test_readers_see_one_snapshot_or_the_other_and_never_wait(out, tmp_path):
    """A reader that looks again and again while a night is published finds documents and decisions that agree."""
    new = write(tmp_path, "new", {name: hosting(name) for name in ("host-4", "host-5")})
    seen, stop = [], threading.Event()

    def read() -> None:
        while not stop.is_set():
            with reading(out) as snapshot:
                decisions = table(snapshot, "decisions").filter(pl.col("action").is_in(["keep", "edit"]))
                agree = set(decisions["doc_id"]) == set(table(snapshot, "documents")["doc_id"])
                seen.append((snapshot.name, agree))

    reader = threading.Thread(target=read)
    reader.start()
    before, after = current(out), refresh([new], out)
    while seen[-1][0] != after.name and reader.is_alive():
        time.sleep(0.05)
    stop.set()
    reader.join()
    assert {name for name, _ in seen} == {before.name, after.name}
    assert all(agree for _, agree in seen)


def test_an_index_made_anew_leaves_the_documents_and_takes_the_next_night(out, tmp_path):
    before = current(out)
    with without_prefect("reindex") as flow:
        after = Path(flow(Indexed(out=out, settings=["sketch.rows=2", "sketch.bands_max=64"])))
    for name in ("documents", "decisions", "fragment_spans"):
        assert contents(after, name) == contents(before, name)
    told = json.loads((after / "index" / "index.json").read_text())
    assert told["made_with"]["sketch.rows"] == 2 and told["arrived"] == 0
    copied = write(
        tmp_path, "new", {"again": dict(table(before, "documents").select("doc_id", "text").rows())["host-1"]}
    )
    night = refresh([copied], out)
    assert table(night, "decisions").filter(doc_id="again")["survivor_id"].item() == "host-1"


def test_no_night_builds_on_a_damaged_snapshot(out, tmp_path):
    part = next((current(out) / "index" / "documents").glob("*.parquet"))
    spoiled = bytearray(part.read_bytes())
    spoiled[len(spoiled) // 2] ^= 1
    part.unlink()  # the file has other names
    part.write_bytes(spoiled)
    with pytest.raises(InputError, match=r"index/documents/.* rollback SNAPSHOT"):
        refresh([write(tmp_path, "new", {"host-4": hosting("host-4")})], out)


def test_no_night_builds_on_a_snapshot_with_columns_of_another_version(out, tmp_path):
    part = next((current(out) / "fragments").glob("*.parquet"))
    older = pl.read_parquet(part).drop("rated_hosts")
    part.unlink()  # the file has other names
    older.write_parquet(part)
    (current(out) / CONTENT).unlink()
    seal(current(out))
    with pytest.raises(InputError, match=r"another version \(table fragments: rated_hosts .* `semhash-llm curate`"):
        refresh([write(tmp_path, "new", {"host-4": hosting("host-4")})], out)


def test_texts_of_which_tags_alone_are_left_are_indexed_and_kept_by_a_night(tmp_path):
    frame(HOSTS | {"tags": "<div>" * 88}).write_parquet(tmp_path / "first.parquet")
    frame({"rest": HOSTS["host-1"][::-1]}).write_parquet(tmp_path / "second.parquet")
    curate([tmp_path / "first.parquet"], tmp_path / "out")
    after = refresh([tmp_path / "second.parquet"], tmp_path / "out")
    assert {*table(after, "documents")["doc_id"]} == {*HOSTS, "tags", "rest"}
