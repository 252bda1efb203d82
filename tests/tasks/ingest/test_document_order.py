"""Rows in the order of documents: every part holds its own, however files, groups and shares are cut."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tasks.ingest import document_order
from tasks.runtime.run import Run
from tasks.storage.parquet import read_columns, write_columns, write_passing
from tasks.storage.part_bounds import part_bounds
from tasks.storage.stage import Stage
from tests.support.made_up import made_up


@pytest.mark.parametrize("bytes_of_a_task", [1, 700, 1 << 26])
def test_rows_stand_in_the_order_of_documents_whatever_a_task_holds(tmp_path, monkeypatch, bytes_of_a_task):
    monkeypatch.setattr(document_order, "BYTES", bytes_of_a_task)
    rng = np.random.default_rng(1)
    order = rng.permutation(90)
    order[order >= 77] = -1
    raw, first = [], 0
    for number, rows in enumerate((40, 0, 1, 49)):
        columns = {"own": pa.array([f"row {first + row}" * (row % 7) for row in range(rows)], pa.large_string())}
        if number < 3:
            columns["nested"] = pa.array([[first + row, None] for row in range(rows)], pa.list_(pa.int16()))
        raw.append(tmp_path / f"raw-{number}.parquet")
        write_passing(pa.table(columns), raw[-1])
        first += rows
    whole = pa.concat_tables([read_columns(path) for path in raw], promote_options="default")
    bounds = part_bounds(np.ones(77, np.int64), 10, 1000)
    with Stage(Run(workspace=tmp_path), made_up("numbers"), []) as stage:
        document_order.place_rows(stage, raw, order, bounds, write_columns)
        made = [pq.read_table(stage.part(part)) for part in range(8)]
        assert [part.num_rows for part in made] == [10] * 7 + [7]
        expected = whole.take(np.argsort(order)[13:]).combine_chunks()
        assert pa.concat_tables(made).drop_columns("semhash_doc").combine_chunks().equals(expected)
        assert pa.concat_tables(made)["semhash_doc"].to_pylist() == list(range(77))
        assert not [*stage.path.glob(".*")], "nothing waits any more"


def test_without_documents_there_is_one_part_with_the_columns(tmp_path):
    write_passing(pa.table({"own": pa.array(["taken"])}), tmp_path / "raw.parquet")
    with Stage(Run(workspace=tmp_path), made_up("numbers"), []) as stage:
        bounds = part_bounds(np.array([], np.int64), 10, 10)
        document_order.place_rows(stage, [tmp_path / "raw.parquet"], np.array([-1]), bounds, write_columns)
    made = pq.read_table(stage.part(0))
    assert made.schema.names == ["semhash_doc", "own"] and made.num_rows == 0 and bounds.tolist() == [0, 0]


def test_a_part_ends_where_its_rows_or_their_sizes_do():
    assert part_bounds(np.array([1, 1, 1, 9, 1, 1]), 2, 5).tolist() == [0, 2, 3, 4, 6]
