"""Memory of this process: its peak per stage, from the kernel's own accounting, and what can be given back."""

import ctypes
import resource
from pathlib import Path

import pyarrow as pa

_STATUS = Path("/proc/self/status")
_CLEAR = Path("/proc/self/clear_refs")
_SIZES = Path("/proc/self/statm")

WORTH_IT = 16_000_000
"""Bytes taken since memory was last given back, from which it is asked what may go: that takes a millisecond."""
_least = 0


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

    Only glibc can be asked to; where another library stands in for it, nothing happens, nor where little was taken
    since the last time.
    """
    global _least
    held = _resident_bytes()
    _least = min(_least, held)
    if held < _least + WORTH_IT:
        return
    pa.default_memory_pool().release_unused()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim:
        trim(0)
    _least = _resident_bytes()


def _resident_bytes() -> int:
    """What this process holds now, or 0 where the kernel does not say: then nothing is worth the time."""
    return int(_SIZES.read_text().split()[1]) * resource.getpagesize() if _SIZES.exists() else 0
