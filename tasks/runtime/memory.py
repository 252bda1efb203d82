"""Memory of this process: its peak per stage, from the kernel's own accounting, and what can be given back."""

import ctypes
import resource
from pathlib import Path

import pyarrow as pa

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


def release_memory() -> None:
    """Give freed memory back to the system: allocators keep what the last stage took, and the next takes it elsewhere.

    Only glibc can be asked to; where another library stands in for it, nothing happens.
    """
    pa.default_memory_pool().release_unused()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim:
        trim(0)
