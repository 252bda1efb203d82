"""Peak memory of this process, stage by stage, from the kernel's own accounting; and what a limit means in bytes."""

import resource
from pathlib import Path

_STATUS = Path("/proc/self/status")
_CLEAR = Path("/proc/self/clear_refs")


def reset_peak_memory() -> None:
    """Restart the kernel's high-water mark; where it cannot be restarted the peak is that of the whole process."""
    try:
        _CLEAR.write_text("5")
    except OSError:
        return


def peak_memory_mb() -> float:
    """Peak resident memory in MB (10^6 bytes) since `reset_peak_memory`."""
    if _STATUS.exists():
        for line in _STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return round(int(line.split()[1]) * 1024 / 1e6, 1)
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6, 1)


def in_bytes(limit: str) -> int:
    """Bytes of a limit such as `4GB`, in powers of ten as DuckDB reads it."""
    return int(float(limit[:-2]) * {"MB": 1e6, "GB": 1e9, "TB": 1e12}[limit[-2:]])
