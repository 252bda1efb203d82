"""Local mirror of an output folder behind a URL, under a name that follows from the URL."""

import hashlib
import os
import re
from pathlib import Path
from typing import Annotated
from urllib.parse import unquote, urlsplit

from pydantic import BeforeValidator

from tasks.ingest.remote import PACKAGES, connected
from tasks.runtime.errors import InputError

READ_ONLY = frozenset({"http", "https"})
NAMED = ".store"
"""File of a mirror that says of which URL it is one."""


def folder_of(given: str | Path) -> Path:
    """The output folder that a user named; for a URL its mirror on this machine, which remembers the URL.

    Raises:
        InputError: nothing is written behind such a URL, or the mirror cannot be made.
    """
    if "://" not in str(given):
        return Path(given)
    url = str(given).rstrip("/")
    protocol = url.partition("://")[0]
    if protocol == "file":
        return Path(unquote(urlsplit(url).path))
    if protocol not in PACKAGES or protocol in READ_ONLY:
        known = ", ".join(sorted({*PACKAGES} - READ_ONLY))
        raise InputError(f"--out {url}: nothing can be written there; name a folder, or a URL of {known}")
    connected(url)
    name = re.sub(r"[^\w.-]", "_", url.rpartition("/")[2], flags=re.ASCII)
    folder = mirrors() / f"{name}-{hashlib.sha256(url.encode()).hexdigest()[:12]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / NAMED).write_text(url)
    except OSError as error:
        raise InputError(f"the mirror of {url} cannot be made in {folder}: {error.strerror}") from error
    return folder


def called(out: Path) -> str:
    """What messages call an output folder: the URL of which it is a mirror, or its path."""
    named = out / NAMED
    return named.read_text() if named.exists() else str(out)


def mirrors() -> Path:
    """Folder of the mirrors on this machine."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "semhash-llm" / "outputs"


Output = Annotated[Path, BeforeValidator(folder_of)]
"""Folder of snapshots, also given as a URL."""
