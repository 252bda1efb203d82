"""Schemas: what is written has the columns, types and nulls that they say, and the page on tables says the same."""

import json
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from data_contracts import schemas
from data_contracts.schema import Column, SchemaError, Table, words
from models.decision.llm_judge.fuse import PROBABILITIES
from tasks.pipeline.registry import BENCHMARK, COLLAPSE, ROWS, TRAINING
from tasks.pipeline.tables_page import PAGE, page
from tasks.remote.object_mirror import DONE
from tasks.runtime.run import Run
from tasks.storage.stage import Stage
from tests.support.runs import curate, refresh

PAIRS = Table(
    "pairs",
    "a pair",
    {
        "a": Column(pl.Int64, "one"),
        "vector": Column(pl.Array(pl.Float16, 0), "any length"),
        "words": Column(pl.List(pl.UInt32), "numbers", null=True),
    },
)


@pytest.mark.parametrize(
    ("changed", "wrong"),
    [
        ({}, ""),
        ({"vector": pl.Array(pl.Float16, 3)}, ""),
        ({"a": pl.Int32}, "table pairs: a must be int64, is int32"),
        ({"a": None}, "table pairs: a must be int64, is absent"),
        ({"b": pl.String}, "table pairs: b must be absent, is string"),
        ({"vector": pl.Array(pl.Float32, 3)}, r"vector must be float16\[n\], is float32\[3\]"),
        (
            {"words": pl.List(pl.UInt64), "a": pl.Int8},
            "a must be int64, is int8; words must be list of uint32, is list",
        ),
    ],
)
def test_a_table_says_what_is_wrong_with_it(changed, wrong):
    kinds = {"words": pl.List(pl.UInt32), "vector": pl.Array(pl.Float16, 384), "a": pl.Int64} | changed
    found = pl.Schema({name: kind for name, kind in kinds.items() if kind is not None})
    if wrong:
        with pytest.raises(SchemaError, match=wrong):
            PAIRS.hold(found)
    else:
        PAIRS.hold(found)


def test_columns_of_the_user_may_stand_beside_ours():
    schemas.EXTRAS.hold(pl.Schema({**schemas.EXTRAS.schema, "url": pl.String}))
    with pytest.raises(SchemaError, match="semhash_doc must be int64, is absent"):
        schemas.EXTRAS.hold(pl.Schema({"url": pl.String, "semhash_file": pl.String, "semhash_row": pl.Int64}))


def test_a_table_with_other_columns_is_not_sealed(tmp_path):
    stage = Stage(Run(workspace=tmp_path), COLLAPSE, [])
    with pytest.raises(SchemaError, match="table copies: copy_of must be int64, is int32"), stage:
        stage.write(0, pl.DataFrame(schema=schemas.COPIES.schema))
        stage.write(1, pl.DataFrame({"doc": [1], "copy_of": [0]}, schema_overrides={"copy_of": pl.Int32}))
    assert not (stage.path / DONE).exists()


def test_another_type_is_another_table_another_word_is_not(tmp_path, monkeypatch):
    def path(table):
        return Stage(Run(workspace=tmp_path), COLLAPSE._replace(tables=(table,)), []).path

    columns = dict(schemas.COPIES.columns)
    reworded = {**columns, "doc": columns["doc"]._replace(says="a number")}
    retyped = {**columns, "doc": columns["doc"]._replace(kind=pl.Int32)}
    assert path(Table("copies", "", reworded)) == path(schemas.COPIES)
    assert path(Table("copies", "", retyped)) != path(schemas.COPIES)


def test_every_table_between_stages_has_a_schema_and_every_column_its_words():
    tables = [table for row in ROWS if row not in (*TRAINING, *BENCHMARK) for table in row.tables]
    for table in (*tables, *schemas.SNAPSHOT.values(), schemas.REVIEWS, schemas.VERDICTS):
        assert table.grain
        assert table.columns or (table.name, table.others) == ("documents", True)
        assert all(column.says and words(table.schema[name]) for name, column in table.columns.items())
    assert list(schemas.VERDICTS.columns)[-3:] == list(PROBABILITIES)


def test_the_page_on_tables_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m tasks.pipeline.tables_page"


@pytest.fixture(scope="module")
def made(corpus, tmp_path_factory) -> Path:
    """A curated corpus and a night."""
    folder = tmp_path_factory.mktemp("made")
    corpus.head(60).write_parquet(folder / "corpus.parquet")
    corpus[50:80].write_parquet(folder / "new.parquet")
    curate([folder / "corpus.parquet"], folder / "out", ("gate.min_preservation=0",))
    refresh([folder / "new.parquet"], folder / "out")
    return folder / "out"


def nulls(folder: Path) -> set[str]:
    """Columns of a table in which something is null."""
    rows = pl.concat([pl.read_parquet(path) for path in sorted(folder.glob("part-*.parquet"))])
    return {name for name in rows.columns if rows[name].null_count()}


def fits(table: Table, folder: Path) -> bool:
    """Does a written table agree with a schema?"""
    try:
        for part in folder.glob("part-*.parquet"):
            table.hold(pl.read_parquet_schema(part))
    except SchemaError:
        return False
    return all(name not in table.columns or table.columns[name].null for name in nulls(folder))


def working(out: Path) -> Iterator[tuple[str, Path]]:
    for folder in sorted((out / "workspace" / "tables").iterdir()):
        yield json.loads((folder / DONE).read_text())["name"], folder


@pytest.mark.flows
def test_what_is_written_has_nulls_only_where_the_schema_says(made):
    known = {}
    for row in ROWS:
        for table in row.tables:
            known.setdefault(table.name, []).append(table)
    seen = set()
    for name, folder in working(made):
        seen.add(name)
        assert any(fits(table, folder) for table in known[name]), (name, nulls(folder))
    trained = {table.name for row in (*TRAINING, *BENCHMARK) for table in row.tables}
    assert known.keys() - seen - trained == {"judged", "routed"}, "tables that nothing here writes"
    snapshots = list((made / "snapshots").iterdir())
    assert len(snapshots) == 2
    for snapshot in snapshots:
        assert all(fits(table, snapshot / name) for name, table in schemas.SNAPSHOT.items())
