"""How a process of ours ends."""

import atexit
import gc
import os


def quietly() -> None:
    """Let this process end quickly, and without what native libraries print then (objects that they call leaked)."""
    atexit.register(_hush)


def _hush() -> None:
    gc.freeze()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
