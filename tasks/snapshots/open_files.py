"""Which folders other processes have files of open, as far as the system tells (on Linux, for one's own user)."""

from glob import iglob
from itertools import chain
from pathlib import Path

PLACES = ("/proc/[0-9]*/fd/*", "/proc/[0-9]*/cwd")


def opened(folders: list[Path]) -> set[Path]:
    """Those of the folders in which a process of this user works, or has a file open.

    A reader shows here only while it reads: between two queries DuckDB and Polars keep nothing open.

    Args:
        folders: resolved paths.
    """
    taken = set()
    links = chain.from_iterable(map(iglob, PLACES))  # Path.glob raises where a process has just ended
    for link in links:
        try:
            place = Path(link).readlink()
        except OSError:  # closed since, or of another user
            continue
        taken |= {place, *place.parents}.intersection(folders)
    return taken
