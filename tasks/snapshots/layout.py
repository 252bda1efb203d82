"""Layout of snapshots: `snapshots/<id>`, `refused/<id>`, and the link `current`, switched last."""

import json
import shutil
import uuid
from pathlib import Path
from typing import Any

from tasks.runtime.errors import DamageError, InputError
from tasks.runtime.paths import hold_link, hold_output
from tasks.snapshots.output_mirror import called
from tasks.storage.sync import sync

_MENDED = "go back with `semhash-llm rollback`, or curate again"


def current(out: Path) -> Path | None:
    """Folder of the published snapshot, or None when nothing has been published."""
    link = out / "current"
    return link.resolve() if link.exists() else None


class Manifest(dict[str, Any]):
    """Object of a manifest; what it lacks is damage, as it was written with everything."""

    def __missing__(self, key: str) -> Any:
        raise DamageError(f"a manifest lacks '{key}': {_MENDED}")


KINDS: tuple[tuple[str, type], ...] = (
    *((name, str) for name in ("snapshot", "created", "bundle", "workspace")),
    *((name, Manifest) for name in ("counts", "parameters", "tables")),
    ("gate", list),
)
"""What some entries of a manifest are, where it is one."""


def manifest(snapshot: Path) -> Manifest:
    """Manifest of a snapshot.

    Raises:
        DamageError: it is gone or cannot be read, or is no manifest; also later, when what it lacks is looked up.
    """
    page = snapshot / "manifest.json"
    try:
        found = json.loads(page.read_text(), object_hook=Manifest)
        if not isinstance(found, Manifest) or any(type(found.get(key, kind())) is not kind for key, kind in KINDS):
            raise ValueError
    except (OSError, ValueError, RecursionError) as error:
        raise DamageError(f"{page} is gone or damaged: {_MENDED}") from error
    return found


def published(out: Path) -> Path:
    """Folder of the published snapshot.

    Raises:
        InputError: nothing has been published under `out`, or what is there cannot be read.
    """
    hold_output(out)
    found = current(out)
    if found is None and any((out / "snapshots").glob("[!.]*/manifest.json")):
        raise InputError(f"no snapshot under {called(out)} is current: make one so with `semhash-llm rollback`")
    if found is None:
        name = called(out)
        raise InputError(f"nothing is published under {name}: run `semhash-llm curate INPUT... --out {name}` first")
    return found


def place(staging: Path, out: Path, folder: str, name: str) -> Path:
    """Give a finished snapshot its final name in one step, replacing one of the same id that is not in use."""
    target = out / folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    old = target.with_name(f".{name}.old.tmp")
    if target.exists():
        target.replace(old)
    staging.replace(target)
    sync(target.parent)
    shutil.rmtree(old, ignore_errors=True)
    return target


def switch(out: Path, target: Path) -> None:
    """Point `current` at a snapshot by one atomic rename.

    Raises:
        InputError: something of another kind is called so.
    """
    hold_link(out)
    link = out / f".current.{uuid.uuid4().hex}.tmp"
    link.symlink_to(target.relative_to(out), target_is_directory=True)
    link.replace(out / "current")
    sync(out)
