"""Defaults that fit the machine, and the container around the process."""

import os
import re

from tasks.runtime.machine import MEMORY, bytes_of, cores, memory_limit


def test_all_cores_and_half_of_the_memory(tmp_path):
    assert cores(tmp_path) == len(os.sched_getaffinity(0))
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    limit = memory_limit(tmp_path)
    assert re.fullmatch(MEMORY, limit) and 0 <= whole / 2 - bytes_of(limit) <= 1e9


def test_a_container_has_no_more_than_it_was_given(tmp_path):
    for quota, expected in (("100000 100000", 1), ("50000 100000", 1), ("max 100000", len(os.sched_getaffinity(0)))):
        (tmp_path / "cpu.max").write_text(quota + "\n")
        assert cores(tmp_path) == expected
    for bound, expected in ((6_500_000_000, "3GB"), (1_500_000_000, "750MB"), (1000, "1MB")):
        (tmp_path / "memory.max").write_text(f"{bound}\n")
        assert memory_limit(tmp_path) == expected
    (tmp_path / "memory.max").write_text("max\n")
    assert memory_limit(tmp_path) == memory_limit(tmp_path / "none")
