"""Children of a process that has imported the product can use all of it, and one that hangs is no test that hangs."""

import time

import polars as pl
import pytest

from tests.support.processes.children import forked_from, outcome

IMPORTED = ("flows.curate", "flows.refresh", "flows.training.bundle", "great_expectations", "transformers")


def count() -> None:
    """Work for the threads of Polars: a process that was forked after they began would wait for them for ever."""
    assert pl.LazyFrame({"one": [1] * 100_000}).group_by("one").len().collect()["len"].item() == 100_000


@pytest.mark.slow
def test_no_import_starts_what_a_forked_process_would_lack():
    forked_from(*IMPORTED)
    assert outcome(count, seconds=300) == 0


def test_a_child_that_hangs_is_killed():
    with pytest.raises(AssertionError, match=r"sleep\(60,\) did not end within 1 s"):
        outcome(time.sleep, [60], seconds=1)
