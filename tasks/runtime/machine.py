"""Machine: how many cores and how much memory a run may take where nobody says."""

import math
import os
from pathlib import Path

CGROUP = Path("/sys/fs/cgroup")
"""Where Linux tells a container what it may have."""
SHARE = 0.5
"""Of the memory; the rest is for whoever else works here."""


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


def _told(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
