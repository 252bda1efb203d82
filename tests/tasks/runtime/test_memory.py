"""What bounds memory: limits that bite change no byte, and one huge document passes beside small ones."""

import itertools
import json
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import tasks.candidates.merge
import tasks.ingest.document_order
import tasks.ingest.extract
import tasks.parallel.beside_survivors
import tasks.resolve.containment
import tasks.resolve.decisions
import tasks.snapshots.published_documents
import tasks.snapshots.published_pairs
import tasks.storage.ragged_arrays
import tasks.verify.batching
import tasks.verify.document_features
import tasks.verify.stage
from models.lexical.sketch.jaccard import overlap
from tasks.runtime.run import Run, own_bytes
from tasks.storage.document_store import Shelf, texts_at_hand
from tasks.storage.ragged_arrays import batches
from tasks.storage.spill import Floor
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, characters_of
from tasks.storage.work import Work
from tests.support import ROOT
from tests.support.runs import SETTINGS, contents, curate, table

pytestmark = pytest.mark.flows

PUBLISHED = ("decisions", "documents", "fragments", "fragment_spans", "verified", "rejects")


def test_batches_cut_across_frames_by_rows_and_by_bytes():
    sizes = [1, 5, 5, 90, 1, 1, 1, 1]
    frame = pl.DataFrame({"doc": range(8), "text": ["ä" + "x" * (size - 2) if size > 1 else "x" for size in sizes]})
    cut = list(batches([frame[:3], frame[3:3], frame[3:]], rows=3, text_bytes=10))
    assert [batch["doc"].to_list() for batch in cut] == [[0, 1], [2], [3], [4, 5, 6], [7]]
    assert [batch.height for batch in batches([frame[:0]], 3, 10)] == [0]


@pytest.mark.parametrize("shape", ["hub", "clique", "chain"])
def test_pairs_are_cut_into_batches_of_bounded_text(shape, monkeypatch):
    monkeypatch.setattr(tasks.verify.batching, "BYTES_PER_BATCH", 1000)
    sizes = np.full(400, 10)
    sizes[399] = 5000
    pairs = {
        "hub": [(doc, 399) for doc in range(399)],
        "clique": list(itertools.combinations(range(150), 2)),
        "chain": list(itertools.pairwise(range(399))),
    }[shape]
    asked = pl.DataFrame(pairs, schema=["a", "b"], orient="row")
    cut = list(tasks.verify.batching.bounded(asked, lambda doc: sizes[doc]))
    assert pl.concat(cut).sort("a", "b").equals(asked.sort("a", "b"))
    texts = [int(sizes[np.unique(np.concatenate([batch["a"], batch["b"]]))].sum()) for batch in cut]
    assert max(texts) <= 1000 + (5000 if shape == "hub" else 0)
    # Each batch of the hub reads the large text again, so there must be few of them.
    assert sum(texts) <= {"hub": 9 * 5500, "clique": 40_000, "chain": 8000}[shape]


def test_a_shelf_gives_back_what_was_put_on_it(tmp_path):
    rows = pl.DataFrame({"doc": [3, 4, 7, 9], "text": ["", "naïve\n", "𝔘nicode", "last"]})
    attention = [[], [1, 255], [7], [3, 2, 1]]
    vector = np.arange(12, dtype=np.float16).reshape(4, 3)
    for name, frame in {
        "documents": rows,
        "embeddings": pl.DataFrame({"doc": rows["doc"], "attention": pl.Series([bytes(row) for row in attention]),
                                    "vector": pl.Series(vector)}),
    }.items():  # fmt: skip
        (tmp_path / name).mkdir()
        for part in range(2):
            frame[2 * part : 2 * part + 2].write_parquet(tmp_path / name / f"part-{part:05d}.parquet")
    documents, embeddings = (TableRef(name, str(tmp_path / name), 4, "") for name in ("documents", "embeddings"))
    work = Work(Run(workspace=tmp_path), "verified", tmp_path, [])
    shelf = Shelf.fill(work, tmp_path, documents, embeddings, pl.Series([9, 4, 3, 9]))
    assert shelf.doc.tolist() == [3, 4, 9]
    wanted = np.array([2, 1])
    assert shelf.texts(wanted).to_list() == ["last", "naïve\n"]
    assert shelf.attention(wanted).tolist() == [3, 2, 1, 1, 255]
    assert shelf.attention(np.array([0])).tolist() == []
    np.testing.assert_array_equal(shelf.vectors(wanted), vector[[3, 1]])
    assert shelf.text_bytes(np.array([4, 9])).tolist() == [7, 4]
    turned = tmp_path / "turned"  # as a refresh reads: tonight's documents first, then published ones
    turned.mkdir()
    for number in range(2):
        (turned / f"part-0000{number}.parquet").hardlink_to(tmp_path / "documents" / f"part-0000{1 - number}.parquet")
    documents = documents._replace(path=str(turned))
    for wanted, found in (([9, 7, 3], {3: "", 7: "𝔘nicode", 9: "last"}), ([], {})):
        with texts_at_hand(work, documents, pl.Series(wanted, dtype=pl.Int64)) as texts:
            assert dict(texts) == dict(pickle.loads(pickle.dumps(texts))) == found
            assert 4 not in texts
    assert not list((tmp_path / "scratch").iterdir())


def test_a_floor_gives_back_what_was_laid_down(tmp_path):
    arrays = [np.arange(5), np.arange(12, dtype=np.int32).reshape(2, 6)[:, 1:4], np.empty(0, np.uint8), np.eye(3) > 0]
    with (tmp_path / "laid").open("w+b") as file:
        floor = Floor(file, 40)
        laid = floor(arrays)
        file.flush()
        assert (tmp_path / "laid").stat().st_size == sum(array.nbytes for array in arrays[1:])
        assert laid[0]() is arrays[0]
        for array, read in zip(arrays[::-1], laid[::-1], strict=True):
            np.testing.assert_array_equal(read(), array)
            assert read().dtype == array.dtype


def test_characters_are_summed_beyond_32_bits(tmp_path):
    sizes = pl.DataFrame({"n_chars": pl.Series([2**30] * 5, dtype=pl.Int32), "canary": [None] * 4 + ["planted"]})
    sizes.write_parquet(tmp_path / "part-00000.parquet")
    documents = TableRef("documents", str(tmp_path), 5, "")
    assert characters_of(documents) == 2**32, "planted documents count for nothing"
    assert characters_of(documents, planted=True) == 2**30, "and the user's among the planted ones"


def test_shares_of_millions_of_shingles_stay_shares():
    weight = np.random.default_rng(3).uniform(1, 9, 3_000_000).astype(np.float32)
    hashes = np.arange(2 * len(weight), dtype=np.uint64) % np.uint64(len(weight))
    found = overlap(hashes, np.tile(weight, 2), np.array([0, len(weight), 2 * len(weight)]), 0, 1)
    np.testing.assert_allclose(found, 1, rtol=1e-5)


def test_duckdb_gets_a_share_of_the_limit_and_spills_to_the_workspace(tmp_path):
    run = Run(workspace=tmp_path, memory_limit="200MB")
    assert run.share_bytes == 72_000_000
    with run.connect() as con:
        told = con.sql("select current_setting('temp_directory'), sum(hash(range)) from range(10)").fetchall()[0]
        assert told[0] == str(tmp_path / "spill")
        con.execute(
            "create temp table wide as select range as a, repeat(md5(range::varchar), 8) as b from range(600000)"
        )
        assert list((tmp_path / "spill").iterdir()), "153 MB fit into 72 MB"
        counted = con.sql("select count(*), sum(a)::bigint from wide").fetchall()
        assert counted == [(600_000, sum(range(600_000)))]


def test_limits_that_bite_everywhere_change_nothing(corpus, curated, tmp_path, monkeypatch):
    for module, name, value in (
        (tasks.verify.batching, "BYTES_PER_BATCH", 8000),
        (tasks.verify.stage, "ORDERED", 20),
        (tasks.candidates.merge, "MERGED", 50),
        (tasks.resolve.containment, "BATCH", 2),
        (tasks.resolve.decisions, "ROWS", 16),
        (tasks.snapshots.published_documents, "PART_CHARS", 10_000),
        (tasks.snapshots.published_pairs, "ROWS", 32),
        (tasks.parallel.beside_survivors, "CHARS", 5000),
        (tasks.ingest.extract, "PART_BYTES", 10_000),
        (tasks.ingest.document_order, "BYTES", 15_000),
    ):
        monkeypatch.setattr(module, name, value)
    cut = tasks.storage.ragged_arrays._cut
    # The network that describes documents rounds otherwise in batches of a few, so those stay.
    monkeypatch.setattr(
        tasks.storage.ragged_arrays, "_cut", lambda frame, rows, size: cut(frame, rows, min(size, 3000 + 10 * rows))
    )
    made: dict[str, int] = {}
    seal = Stage._seal

    def counted(self: Stage) -> None:
        seal(self)
        made[self.name] = len(list(self.path.glob("part-*.parquet")))

    monkeypatch.setattr(Stage, "_seal", counted)
    corpus.write_parquet(tmp_path / "corpus.parquet")
    bounded = curate([tmp_path / "corpus.parquet"], tmp_path / "out", SETTINGS, memory_limit="400MB")
    assert made["documents"] > 3
    assert made["decisions"] > 1
    undisturbed = (curated / "current").resolve()
    for name in PUBLISHED:
        assert table(bounded, name).equals(table(undisturbed, name)), name
    for name in ("fragments", "fragment_spans", "rejects"):
        assert contents(bounded, name) == contents(undisturbed, name)


def test_one_huge_document_among_small_ones_passes_every_stage_within_the_limit(corpus, tmp_path):
    """20 MB of words of the corpus, and a copy with a few words changed; measured in a process of its own.

    The words stand in another order, so the two stay in play up to the end.
    """
    words = " ".join(corpus["text"].to_list()).split()
    drawn = np.random.default_rng(5).choice(words, 3_200_000)
    huge = " ".join(drawn)
    drawn[::100_000] = "otherwise"
    rows = pl.DataFrame({"doc_id": ["huge", "huge-copy"], "source": ["huge"] * 2, "text": [huge, " ".join(drawn)]})
    pl.concat([corpus, rows], how="diagonal").write_parquet(tmp_path / "corpus.parquet")
    code = (
        "import sys; from pathlib import Path; from tests.support.runs import curate; "
        "print(curate([Path(sys.argv[1])], Path(sys.argv[2]), memory_limit='3GB'))"
    )
    asked = [sys.executable, "-c", code, str(tmp_path / "corpus.parquet"), str(tmp_path / "out")]
    told = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True)
    snapshot = Path(told.stdout.strip().splitlines()[-1])
    pair = table(snapshot, "verified").filter(
        pl.col("a_id").is_in(["huge", "huge-copy"]), pl.col("b_id") == "huge-copy"
    )
    assert pair["weighted_jaccard"].to_list() == pytest.approx([1], abs=1e-3)
    published = dict(table(snapshot, "documents").select("doc_id", "text").iter_rows())
    known = {doc_id: text for doc_id, text in rows.select("doc_id", "text").iter_rows() if doc_id in published}
    assert known and known == {doc_id: published[doc_id] for doc_id in known}, "published whole"
    peaks = table(snapshot, "stage_metrics").select("stage", "peak_memory_mb")
    assert peaks["peak_memory_mb"].max() < 3000, json.dumps(dict(peaks.iter_rows()))


@pytest.mark.parametrize(("own", "kept"), [(None, [("taken",)]), (1_000_000_000, [])])
def test_beside_workers_the_database_is_let_go_between_stages(tmp_path, own, kept):
    run = Run(workspace=tmp_path)
    before = own_bytes.set(own)
    try:
        run.connect().execute("create table taken as select 1")
        run.make_room()
        assert run.connect().execute("show tables").fetchall() == kept
    finally:
        run.connect().execute("drop table if exists taken")
        own_bytes.reset(before)
