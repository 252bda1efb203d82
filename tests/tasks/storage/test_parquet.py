"""Files of tables are the same bytes however their rows were put together."""

import polars as pl

from tasks.storage.parquet import write_part


def test_chunks_of_a_frame_do_not_show_in_its_file(tmp_path):
    several = [pl.DataFrame({"doc": range(size), "kind": ["x"] * size}) for size in (70_000, 90_000, 50_000)]
    for name, rechunk in (("one", True), ("several", False)):
        frame = pl.concat(several, rechunk=rechunk)
        assert frame.n_chunks() == (1 if rechunk else 3)
        write_part(frame, tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "several").read_bytes()
