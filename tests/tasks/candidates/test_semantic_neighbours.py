"""Neighbours in meaning are the same, whoever looks for them."""

from contextlib import nullcontext
from functools import partial

import numpy as np
import polars as pl
import pytest

from models.semantic.neighbours.codes import planes
from models.semantic.neighbours.search import nearest, whole_numbers
from tasks.candidates.vector_files import Held, vectors_at_hand
from tasks.parallel.map_parts import map_chunks
from tasks.runtime.run import Run
from tasks.storage.ragged_arrays import packed
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef
from tests.support.made_up import made_up
from tests.support.processes.unruly import at_work


def test_workers_find_the_same_neighbours(tmp_path):
    random = np.random.default_rng(2)
    groups = np.repeat(random.standard_normal((1250, 384)), 4, axis=0)
    vectors = (groups + 0.3 * random.standard_normal(groups.shape)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    codes = planes(384).codes(vectors)
    alone = nearest(codes, vectors, 3, seen=100)
    stage = Stage(Run(workspace=tmp_path), made_up("numbers"), [])
    with stage, at_work(OSError, together=1, i0=1):
        there = nearest(codes, vectors, 3, partial(map_chunks, stage), seen=100)
        assert not list(stage.path.glob(".*"))
    np.testing.assert_array_equal(there.row, alone.row)
    np.testing.assert_array_equal(there.cosine, alone.cosine)
    assert there.unseen == alone.unseen
    assert (alone.row // 4 == np.arange(len(codes))[:, None] // 4).mean() > 0.6, "cells lost too much to be a test"


def written(folder, name, parts):
    """A table of vectors, with these documents in each part."""
    random, known = np.random.default_rng(5), {}
    (folder / name).mkdir()
    for number, docs in enumerate(parts):
        vectors = random.standard_normal((len(docs), 384)).astype(np.float16)
        known |= dict(zip(docs, vectors, strict=True))
        frame = pl.DataFrame({"doc": docs}, schema={"doc": pl.Int64}).with_columns(
            vector=packed(vectors), neighbour_code=packed(planes(384).codes(vectors))
        )
        frame.write_parquet(folder / name / f"part-{number:05d}.parquet")
    return TableRef(name, str(folder / name), len(known), ""), known


@pytest.mark.parametrize("workers", [False, True])
def test_vectors_stand_in_the_order_of_documents_from_whichever_table(tmp_path, workers):
    own, one = written(tmp_path, "own", [[5, 0, 1], [], [9, 8]])
    aside, other = written(tmp_path, "aside", [[2], [7], []])
    live, third = written(tmp_path, "live", [[100, 3, 5], [6]])
    known = third | one | other  # 5 was published before, and is looked at again
    stage = Stage(Run(workspace=tmp_path), made_up("numbers"), [])
    first, second = Held([own, aside], np.array([0, 1, 2, 5, 7, 9])), Held([live], np.array([3, 6, 100]))
    for held, docs in ([first], [0, 1, 2, 5, 7, 9]), ([first, second], [0, 1, 2, 3, 5, 6, 7, 9, 100]):
        with stage, at_work(together=1) if workers else nullcontext():
            with vectors_at_hand(stage, held) as laid:
                expected = np.array([known[doc] for doc in docs])
                np.testing.assert_array_equal(laid.vectors, expected)
                np.testing.assert_array_equal(laid.exact, whole_numbers(expected))
                np.testing.assert_array_equal(laid.codes, planes(384).codes(expected))
            assert not list(stage.path.glob(".*"))
