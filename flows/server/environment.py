"""Environment variables that Prefect and other libraries read, to be set before they are imported."""

import atexit
import os
import tempfile
from pathlib import Path

from tasks.runtime.process_exit import undo_if_stopped

DEFAULTS = {
    # Nothing is ever reported to anyone.
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "DO_NOT_TRACK": "1",
    "GX_ANALYTICS_ENABLED": "false",
    "HF_HUB_OFFLINE": "1",
    # A run shows its own progress, and one line for an error; PREFECT_LOGGING_LEVEL=INFO shows all, with tracebacks.
    "PREFECT_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_ROOT_LEVEL": "ERROR",
    "PREFECT_LOGGING_INTERNAL_LEVEL": "CRITICAL",
    "PREFECT_SERVER_LOGGING_LEVEL": "CRITICAL",
    "TOKENIZERS_PARALLELISM": "false",
}


def prepare() -> None:
    """Set what the user has not set, and give Prefect a folder for as long as this process runs where it has none."""
    for name, value in DEFAULTS.items():
        os.environ.setdefault(name, value)
    try:
        home = Path(os.environ.get("PREFECT_HOME", "~/.prefect")).expanduser()
        home.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=home).close()
    except (OSError, RuntimeError):
        temporary = tempfile.TemporaryDirectory(prefix="semhash-prefect-", ignore_cleanup_errors=True)
        atexit.register(temporary.cleanup)
        undo_if_stopped(temporary.cleanup)
        os.environ["PREFECT_HOME"] = temporary.name
