"""Remote inputs: objects behind URLs that fsspec knows, fetched once per process into the temporary folder."""

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tasks.runtime.errors import InputError

OURS = {"s3": "s3", "gs": "gs", "gcs": "gs", "http": "http", "https": "http", "hf": "hf"}
"""Extra of each protocol."""
PACKAGES = {name: f"semhash-llm[{extra}]" for name, extra in OURS.items()} | {"az": "adlfs", "abfs": "adlfs"}
"""What serves a protocol, beside fsspec."""


def objects(url: str) -> Iterator[tuple[str, int, str | None]]:
    """List what a URL means: an object, all below a prefix, or what matches a pattern.

    Yields:
        The URL of an object, its size, and the part of its path that the user named as a folder.

    Raises:
        InputError: the protocol is unknown or its package missing, or nothing answers.
    """
    protocol = url.partition("://")[0]
    fs, path = connected(url)
    try:
        if any(sign in path for sign in "*["):
            found, root = fs.glob(path, detail=True), path[: min(map(path.find, [s for s in "*?[" if s in path]))]
            root = root.rpartition("/")[0]
        elif fs.isfile(path):
            found, root = {path: fs.info(path)}, None
        else:
            found, root = fs.find(path, detail=True), path.rstrip("/")
    except Exception as error:  # each library has its own
        raise InputError(f"{url} cannot be read: {first_line(error)}") from error
    if not found:
        raise InputError(f"'{url}' does not exist, or holds nothing")
    for key, told in sorted(found.items()):
        if told.get("type", "file") == "file" and not key.rpartition("/")[2].startswith("."):
            whole = key if "://" in key else f"{protocol}://{key}"
            yield whole, int(told.get("size") or 0), None if root is None else root.partition("://")[2] or root


@cache
def fetched(url: str) -> Path:
    """A copy of an object, which stays until the process ends; its name ends as that of the object.

    Raises:
        InputError: it cannot be fetched.
    """
    fs, path = connected(url)
    target = Path(tempfile.mkdtemp(dir=_folder())) / Path(path).name
    try:
        with fs.open(path, "rb") as source, target.open("wb") as sink:
            shutil.copyfileobj(source, sink, 1 << 20)
    except Exception as error:  # each library has its own
        raise InputError(f"{url} cannot be fetched: {first_line(error)}") from error
    return target


@cache
def _folder() -> str:
    folder = tempfile.mkdtemp(prefix="semhash-inputs-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def connected(url: str) -> tuple[Any, str]:
    """File system of fsspec behind a URL, and the path in it.

    Raises:
        InputError: the protocol is unknown or its package missing.
    """
    protocol = url.partition("://")[0]
    if protocol not in PACKAGES:
        raise InputError(f"'{url}': no such protocol is read, only {', '.join(sorted(PACKAGES))}")
    if protocol == "hf":
        os.environ["HF_HUB_OFFLINE"] = "0"  # else it is set, so that nothing is fetched that nobody asked for
    try:
        import fsspec

        fs, path = fsspec.url_to_fs(url, use_listings_cache=False)
    except ImportError as error:
        raise InputError(f"{url}: pip install '{PACKAGES[protocol]}'") from error
    return fs, path


def first_line(error: Exception) -> str:
    """What an error of a library says, as far as it fits into a message."""
    return (str(error).splitlines() or [type(error).__name__])[0][:200] or type(error).__name__


def upload(folder: Path, url: str) -> None:
    """Put the files of a folder under a URL that holds nothing yet.

    Raises:
        InputError: something stands there, or it cannot be written.
    """
    fs, base = connected(url.rstrip("/"))
    try:
        taken = fs.exists(base) and bool(fs.find(base))
        if not taken:
            for path in sorted(path for path in folder.rglob("*") if path.is_file()):
                target = f"{base}/{path.relative_to(folder).as_posix()}"
                fs.makedirs(target.rpartition("/")[0], exist_ok=True)
                fs.put_file(str(path), target)
    except Exception as error:  # each library has its own
        raise InputError(f"{url} cannot be written: {first_line(error)}") from error
    if taken:
        raise InputError(f"'{url}' is not empty: name a new prefix, nothing is written over")
