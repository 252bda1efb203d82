"""Parts that go on into another table, and single rows read out of one."""

import os
import random
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest

from data_contracts.schemas import HEIRS, SNAPSHOT
from tasks.refresh.previous_snapshot import fetch, fetch_columns
from tasks.runtime.run import Run
from tasks.storage.link_parts import carry, link, save, unite
from tasks.storage.parquet import FETCHED
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, about, part_name, parts, scan
from tests.support.made_up import made_up

CUT = (4, 3, 5)
ROWS = pl.DataFrame({"doc": range(12), "doc_id": [f"d{doc}" for doc in range(12)]})


def stored(folder: Path, frame: pl.DataFrame = ROWS, cut: tuple[int, ...] = CUT, group: int | None = None) -> TableRef:
    """A table of several parts, its row groups `group` rows long."""
    folder.mkdir(parents=True)
    ends = np.cumsum(cut)
    assert ends[-1] == frame.height
    for number, end in enumerate(ends.tolist()):
        rows = frame[end - cut[number] : end]
        rows.write_parquet(folder / part_name(number), row_group_size=group)
    return TableRef(folder.name, str(folder), frame.height, folder.name)


def same_file(one: Path, other: Path) -> bool:
    return one.stat().st_ino == other.stat().st_ino


def test_parts_are_linked_rewritten_or_left_behind(tmp_path: Path) -> None:
    before = stored(tmp_path / "before")
    then = {path.name: path.read_bytes() for path in parts(before)}
    folder = tmp_path / "after" / "documents"
    gone = pl.Series([1, 3, 4, 5, 6, 99])
    assert carry(before, folder, "doc", gone) == 3
    linked, rewritten = folder / part_name(2), folder / part_name(0)
    assert sorted(folder.iterdir()) == [rewritten, linked], "nothing is left of the second part, and nothing else there"
    assert same_file(linked, Path(before.path, part_name(2)))
    assert pl.read_parquet(rewritten).equals(ROWS[[0, 2]])
    assert {path.name: path.read_bytes() for path in parts(before)} == then, "the table before is as it was"


def test_the_parts_of_a_thinned_table_move_together(tmp_path: Path) -> None:
    before = stored(tmp_path / "before")
    carry(before, tmp_path / "after", "doc", pl.Series([4, 5, 6]))
    thinned = TableRef("after", str(tmp_path / "after"), 9, "")
    assert carry(thinned, tmp_path / "last", "doc", pl.Series([], dtype=pl.Int64)) == 2
    assert [path.name for path in sorted((tmp_path / "last").iterdir())] == [part_name(0), part_name(1)]
    assert same_file(tmp_path / "last" / part_name(1), Path(before.path, part_name(2)))


@pytest.mark.parametrize("seed", range(6))
def test_a_carried_table_is_the_table_without_what_is_gone(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    cut = tuple(rng.randrange(1, 9) for _ in range(6))
    count = sum(cut)
    frame = pl.DataFrame({"doc": range(count), "key": [rng.randrange(count // 2) for _ in range(count)]})
    before = stored(tmp_path / "before", frame, cut)
    gone = pl.Series(rng.sample(range(count), rng.randrange(count // 2)), dtype=pl.Int64)
    after = tmp_path / "after"
    carry(before, after, "key", gone)
    assert pl.read_parquet(after / "*.parquet").equals(frame.filter(~pl.col("key").is_in(gone.implode())))
    for path in parts(before):
        untouched = not set(pl.read_parquet(path)["key"]) & set(gone)
        assert untouched == ((after / path.name).exists() and same_file(path, after / path.name))


def test_ids_are_compared_as_strings(tmp_path: Path) -> None:
    """Published ids are of the user's type, decisions name them as strings."""
    before = stored(tmp_path / "before", ROWS.select(nr="doc"))
    carry(before, tmp_path / "after", "nr", pl.Series(["0", "11", "d2"]))
    assert pl.read_parquet(tmp_path / "after" / "*.parquet")["nr"].to_list() == list(range(1, 11))


def test_nobody_gone_links_everything_but_empty_parts(tmp_path: Path) -> None:
    before = stored(tmp_path / "before", cut=(0, 12))
    assert carry(before, tmp_path / "after", "doc_id", pl.Series([], dtype=pl.String)) == 2
    assert [path.name for path in (tmp_path / "after").iterdir()] == [part_name(1)]
    assert same_file(tmp_path / "after" / part_name(1), Path(before.path, part_name(1)))


def test_a_file_system_without_hard_links_gets_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError("no hard links here")

    before = stored(tmp_path / "before")
    monkeypatch.setattr(os, "link", refuse)
    carry(before, tmp_path / "after", "doc", pl.Series([0]))
    one, other = Path(before.path, part_name(1)), tmp_path / "after" / part_name(1)
    assert one.read_bytes() == other.read_bytes() and not same_file(one, other)
    assert len(list((tmp_path / "after").iterdir())) == 3, "no temporary file stays"


def test_a_link_replaces_what_stands_there(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "deep" / "target"
    source.write_text("new")
    target.parent.mkdir()
    target.write_text("old")
    for _ in range(2):
        link(source, target)
        assert target.read_text() == "new" and same_file(source, target)
    assert list(target.parent.iterdir()) == [target]


def test_a_saved_part_is_read_in_small_pieces(tmp_path: Path) -> None:
    frame = pl.DataFrame({"doc": range(2 * FETCHED + 9)})
    save(frame, tmp_path / "part-00000.parquet")
    groups = pq.read_metadata(tmp_path / "part-00000.parquet")
    assert [groups.row_group(at).num_rows for at in range(groups.num_row_groups)] == [FETCHED, FETCHED, 9]
    assert pl.read_parquet(tmp_path / "part-00000.parquet").equals(frame)


def test_united_tables_are_one_table_of_the_same_files(tmp_path: Path) -> None:
    run = Run(workspace=tmp_path / "workspace")
    rows = ROWS.select("doc", windows=pl.concat_list(pl.col("doc").cast(pl.UInt32)))
    refs = [stored(tmp_path / "one", rows), stored(tmp_path / "two", rows.reverse(), (12,))]
    whole = unite(run, "windows", refs)
    assert (whole.name, whole.rows) == ("windows", 24)
    assert scan(whole).collect().equals(pl.concat([rows, rows.reverse()]))
    sources = [path for ref in refs for path in parts(ref)]
    assert all(same_file(*pair) for pair in zip(sources, parts(whole), strict=True))
    assert unite(run, "windows", refs) == whole
    assert about(whole)["rows"] == 24
    assert unite(run, "windows", refs[::-1]) != whole


def test_out_of_no_table_comes_one_without_rows(tmp_path: Path) -> None:
    run = Run(workspace=tmp_path / "workspace")
    nothing = unite(run, "heirs", [])
    assert nothing.rows == 0 and scan(nothing).collect().equals(pl.DataFrame(schema=HEIRS.schema))
    assert unite(run, "heirs", []) == nothing != unite(run, "roster", [])


def groups_read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Collects the row groups that are read with all their columns, part after part."""
    seen: list[int] = []
    read = pq.ParquetFile.read_row_groups

    def watched(self: pq.ParquetFile, groups: list[int], *rest: object) -> object:
        seen.extend(groups)
        return read(self, groups, *rest)

    monkeypatch.setattr(pq.ParquetFile, "read_row_groups", watched)
    return seen


@pytest.mark.parametrize(
    ("wanted", "groups"),
    [([], []), ([99], []), ([1, 0], [0]), ([1, 2], [0, 1]), ([3, 4], [1, 0]), ([6, 9, 11], [1, 1, 2])],
)
def test_only_row_groups_that_hold_a_wanted_row_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: list[int], groups: list[int]
) -> None:
    ref = stored(tmp_path / "documents", group=2)
    seen = groups_read(monkeypatch)
    found = fetch(ref, pl.Series(wanted, dtype=pl.Int64))
    assert found.equals(ROWS.filter(pl.col("doc").is_in(wanted)))
    assert seen == groups


@pytest.mark.parametrize("seed", range(8))
def test_fetched_rows_are_those_of_a_filter(tmp_path: Path, seed: int) -> None:
    """Numbers in no order over the parts and with gaps, wanted ones repeated and partly absent."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(20, 200))
    frame = pl.DataFrame(
        {
            "doc": rng.permutation(3 * count)[:count],
            "text": [f"text {number}" for number in range(count)],
            "tags": [[number, None] for number in range(count)],
            "empty": pl.Series([None] * count, dtype=pl.String),
        }
    )
    cut = np.diff([0, *np.sort(rng.integers(0, count + 1, 4)), count]).tolist()
    ref = stored(tmp_path / "made", frame, tuple(cut), group=int(rng.integers(1, 9)))
    wanted = pl.Series(rng.integers(-5, 3 * count + 5, rng.integers(0, count)), dtype=pl.Int64)
    expected = frame.filter(pl.col("doc").is_in(wanted.implode())).sort("doc")
    assert fetch(ref, wanted).equals(expected)
    some = fetch(ref, wanted, ["tags"])
    assert some.equals(expected.select("doc", "tags"))
    with_key = fetch(ref, wanted, ["text", "doc"])
    assert with_key.select("doc", "text").equals(expected.select("doc", "text"))
    assert with_key.width == 2


def test_nothing_fetched_has_the_columns_and_types_of_the_table(tmp_path: Path) -> None:
    ref = stored(tmp_path / "documents")
    for wanted in (pl.Series([], dtype=pl.Int64), pl.Series([77]), pl.Series([], dtype=pl.Null)):
        assert fetch(ref, wanted).schema == ROWS.schema
        assert fetch(ref, wanted).is_empty()


def test_columns_that_only_later_nights_have_are_null_before(tmp_path: Path) -> None:
    folder = tmp_path / "extras"
    stored(folder, ROWS.select(semhash_doc="doc", year="doc"), (12,))
    later = pl.DataFrame({"semhash_doc": [12, 13], "year": [1, 2], "author": ["x", "y"]})
    later.write_parquet(folder / part_name(1))
    ref = TableRef("extras", str(folder), 14, "")
    assert pl.DataFrame(fetch_columns(ref, pl.Series([13, 3]))).rows() == [(3, 3, None), (13, 2, "y")]
    assert pl.DataFrame(fetch_columns(ref, pl.Series([13]))).rows() == [(13, 2, "y")]


def test_a_table_laid_down_by_a_stage_is_fetched_from(tmp_path: Path) -> None:
    with Stage(Run(workspace=tmp_path), made_up("documents"), []) as stage:
        for number, rows in enumerate(ROWS.iter_slices(5)):
            stage.write(number, rows, 2)
    assert fetch(stage.ref, pl.Series([11, 0]), ["doc_id"]).rows() == [(0, "d0"), (11, "d11")]


def test_a_published_part_that_is_older_than_a_column_has_it_as_null(tmp_path: Path) -> None:
    rows = pl.DataFrame({"doc_id": ["a", "b", "c"], "chars_cut": 7}, schema_overrides={"chars_cut": pl.Int32})
    missing = {name: kind for name, kind in SNAPSHOT["decisions"].schema.items() if name not in rows.columns}
    rows = rows.with_columns(pl.lit(None, kind).alias(name) for name, kind in missing.items())
    before = stored(tmp_path / "decisions", rows.drop("cosine", "similarity"), (2, 1))
    after = tmp_path / "after"
    assert carry(before, after, "doc_id", pl.Series(["b"]), None) == 2
    save(rows[1:2], after / part_name(2), None)
    whole = pl.scan_parquet(after / "*.parquet").collect()
    assert whole.select(sorted(whole.columns)).equals(rows[[0, 2, 1]].select(sorted(rows.columns)))
    assert duckdb.sql(f"select sum(chars_cut), count(cosine) from '{after}/*.parquet'").fetchall() == [(21, 0)]
    without_id = stored(tmp_path / "other" / "decisions", rows.drop("chars_cut"), (3,))
    carry(without_id, tmp_path / "last", "doc_id", pl.Series([], dtype=pl.String), None)
    assert same_file(tmp_path / "last" / part_name(0), Path(without_id.path, part_name(0))), "what must not be null"
