"""Concatenated files: what parts write, one behind the other, where workers write each part apart."""

import shutil
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import IO, TypeVar

from tasks.parallel.map_parts import Arrays, map_chunks
from tasks.parallel.runners import current
from tasks.remote.object_mirror import discard, fetch, lend
from tasks.storage.atomic import atomic_path
from tasks.storage.work import Work

Value = TypeVar("Value")
Files = Mapping[str, IO[bytes]]
BUFFER = 1 << 20


def concatenate(
    work: Work,
    places: Mapping[str, Path],
    write: Callable[[Files, Arrays, int], Value],
    numbers: Sequence[int],
    arrays: Arrays,
) -> Iterator[Value]:
    """Write files part by part; yields what `write` says of each part, in the order of `numbers`.

    Args:
        work: what this is for; in its folder wait the pieces of workers.
        places: of the files, by the names that `write` has for them.
        write: a function of a module with arguments that can be pickled; it appends a part to each of the files.
        numbers: its third arguments.
        arrays: its second.
    """
    with ExitStack() as stack:
        files = {name: stack.enter_context(place.open("wb")) for name, place in places.items()}
        if not current():
            yield from (write(files, arrays, number) for number in numbers)
            return
        piece = partial(_piece, work.path / f".{uuid.uuid4().hex}")
        told = map_chunks(work, partial(_write_piece, write, piece, list(places)), numbers, arrays)
        for number, value in zip(numbers, told, strict=True):
            for name, file in files.items():
                with fetch(piece(name, number)).open("rb") as written:
                    shutil.copyfileobj(written, file, BUFFER)
                discard(piece(name, number))
            yield value


def _write_piece(
    write: Callable[[Files, Arrays, int], Value],
    piece: Callable[[str, int], Path],
    names: list[str],
    arrays: Arrays,
    number: int,
) -> Value:
    with ExitStack() as stack:
        places = {name: stack.enter_context(atomic_path(piece(name, number))) for name in names}
        with ExitStack() as opened:
            files = {name: opened.enter_context(place.open("wb")) for name, place in places.items()}
            value = write(files, arrays, number)
    for name in names:
        lend(piece(name, number))
    return value


def _piece(call: Path, name: str, number: int) -> Path:
    return call.with_name(f"{call.name}.{number:05d}.{name}.tmp")
