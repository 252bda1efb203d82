"""Neighbours in meaning are the same, whoever looks for them."""

from functools import partial

import numpy as np

from models.semantic.neighbours.codes import planes
from models.semantic.neighbours.search import nearest
from tasks.parallel.map_parts import map_chunks
from tasks.runtime.run import Run
from tasks.storage.stage import Stage
from tests.support.made_up import made_up
from tests.support.unruly import at_work


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
    assert there.unseen == alone.unseen
    assert (alone.row // 4 == np.arange(len(codes))[:, None] // 4).mean() > 0.6, "cells lost too much to be a test"
