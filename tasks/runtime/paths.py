"""Paths of folders that a run writes: what cannot be one is told before anything begins."""

import os
import re
from pathlib import Path

from tasks.runtime.errors import InputError

MAGIC = "*?[\\"
"""Characters that make a pattern of a path, for the libraries that read tables: other folders would match it."""


def readable(path: str | Path) -> str:
    """A path as text, bytes that are no UTF-8 as escapes."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def hold_folder(folder: Path, role: str) -> None:
    """Check that tables can be written to a folder and asked for there.

    Raises:
        InputError: its path is a pattern or no text, or a file stands there.
    """
    path = readable(folder.absolute())
    if found := [sign for sign in MAGIC if sign in str(folder.absolute())]:
        raise InputError(
            f"the {role} folder '{path}' has a '{found[0]}' in its path, which makes it a pattern: name another, or "
            "rename the folder"
        )
    if divided := [part for part in folder.absolute().parts if "=" in part]:
        raise InputError(
            f"the {role} folder '{path}' lies in '{divided[0]}', which readers take for a column: name another"
        )
    try:
        str(folder.absolute()).encode()
    except UnicodeEncodeError as error:
        raise InputError(f"the path of the {role} folder '{path}' is not UTF-8: name another") from error
    if folder.exists() and not folder.is_dir():
        raise InputError(f"cannot write to the {role} folder '{path}': it is a file")


def hold_output(out: Path) -> None:
    """Check that snapshots can be published in a folder.

    Raises:
        InputError: it is no folder to write to, or what is called `current` there is not ours.
    """
    if re.match(r"[a-z0-9]+:/", str(out)):  # a path has lost the second stroke of a URL
        raise InputError(f"--out {out} is a URL where a folder is meant; in Python a URL is text, no Path")
    hold_folder(out, "output")
    hold_link(out)
    link = out / "current"
    if link.exists() and link.resolve().parent != (out / "snapshots").resolve():
        raise InputError(f"'{link}' points to {link.resolve()}, which is no snapshot in this folder: remove the link")


def hold_link(out: Path) -> None:
    """Check that `current` can be made to point to a snapshot.

    Raises:
        InputError: something else is called so.
    """
    link = out / "current"
    if link.exists() and not link.is_symlink():
        raise InputError(f"'{link}' is no link to a snapshot but a file or folder of its own: move it away")
