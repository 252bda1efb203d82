"""Machine: how many cores and how much memory a run may take where nobody says, and amounts of memory as people do."""

import math
import os
import re
from pathlib import Path

CGROUP = Path("/sys/fs/cgroup")
"""Where Linux tells a container what it may have."""
SHARE = 0.5
"""Of the memory; the rest is for whoever else works here."""
MEMORY = re.compile(r"\s*(\d{1,9}(?:\.\d{1,9})?)\s*([MGT])(?:B|iB)?\s*", re.IGNORECASE)
"""A number with its unit."""
UNITS = {"MB": 10**6, "GB": 10**9, "TB": 10**12}
LEAST_BYTES = 200 * 10**6
"""Least memory of a run: with less not even 2,000 documents fit; at 150 MB the database has no room for its blocks."""


def cores(group: Path = CGROUP) -> int:
    """Cores that this process may use, at least one."""
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota, period = [*_told(group / "cpu.max").split(), "max", ""][:2]
    return here if quota == "max" or not period else max(1, min(here, math.ceil(int(quota) / int(period))))


def memory_limit(group: Path = CGROUP) -> str:
    """Half of the memory that this process may have, as `--memory-limit` takes it."""
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    bound = _told(group / "memory.max").strip()
    mine = SHARE * min(whole, int(bound) if bound.isdigit() else whole)
    return f"{int(mine / 1e9)}GB" if mine >= 2e9 else f"{max(1, int(mine / 1e6))}MB"


def amount(given: str) -> str:
    """An amount of memory as people write it ("4 GB", "4g", "3.5GiB"), with its unit in capitals and powers of ten.

    Raises:
        ValueError: it is none, or less than a run can work with.
    """
    found = MEMORY.fullmatch(given)
    if not found:
        raise ValueError(f"'{given}' is no amount of memory: say for example 4GB or 800 MB")
    told = f"{found[1]}{found[2].upper()}B"
    if bytes_of(told) < LEAST_BYTES:
        raise ValueError(f"{told} is too little: the least that a run can work with is {LEAST_BYTES // 10**6}MB")
    return told


def bytes_of(memory: str) -> int:
    """What `amount` gives, in bytes."""
    return int(float(memory[:-2]) * UNITS[memory[-2:]])


def _told(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
