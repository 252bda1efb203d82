"""Spilled tables: the same rows, from a file that nobody sees."""

import polars as pl
from polars.testing import assert_frame_equal

from tasks.storage.spill import spilled


def test_a_spilled_table_has_the_same_rows_and_leaves_no_file(tmp_path):
    rows = pl.DataFrame({"text": ["x", None, "é" * 40], "doc": [2, 0, 1]}, schema={"text": pl.String, "doc": pl.Int64})
    for given in (rows, rows.clear(), rows.vstack(rows)):
        found = spilled(tmp_path, given)
        assert_frame_equal(found, given)
        assert_frame_equal(found.sort("doc", "text"), given.sort("doc", "text"))
    assert not [*tmp_path.iterdir()]
