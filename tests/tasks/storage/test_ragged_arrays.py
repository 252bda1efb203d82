"""Columns that hold arrays: what is put in comes out."""

import numpy as np
import polars as pl
import pytest

from tasks.storage.ragged_arrays import flat_bytes, matrix, packed, packed_bytes

ROWS = np.random.default_rng(1).standard_normal((20, 6)).astype(np.float16)


@pytest.mark.parametrize("rows", [ROWS, ROWS[3:9], ROWS[::2], ROWS[:, ::3], ROWS[:, :0]])
def test_packed_rows_come_back_bit_by_bit(tmp_path, rows):
    pl.DataFrame({"vector": packed(rows)}).write_parquet(tmp_path / "part.parquet")
    np.testing.assert_array_equal(matrix(pl.read_parquet(tmp_path / "part.parquet")["vector"]), rows)


def test_packed_rows_that_were_chosen_and_put_together_are_in_their_order():
    column = pl.concat([packed(ROWS)[4:7], packed(ROWS).gather([9, 2])], rechunk=False)
    np.testing.assert_array_equal(matrix(column), ROWS[[4, 5, 6, 9, 2]])
    assert matrix(column[:0]).size == 0


def test_packed_bytes_come_back_behind_one_another_with_how_many_each_row_has():
    content, sizes = flat_bytes(packed_bytes(np.arange(5, dtype=np.uint8), np.array([0, 2, 2, 5]))[1:])
    assert content.tolist() == [2, 3, 4] and sizes.tolist() == [0, 3]
