"""Byte and line streams of files, compressed or not, with every complete line before a break."""

import bz2
import lzma
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import zstandard

CHUNK = 1 << 20
# zstd gives all that a piece of input expands to at once, so pieces are small.
PIECE = 1 << 15
_BOM = b"\xef\xbb\xbf"


_ENGINES: dict[str, Callable[[], Any]] = {
    ".gz": partial(zlib.decompressobj, 31),
    ".zst": lambda: zstandard.ZstdDecompressor(max_window_size=1 << 31).decompressobj(),
    ".bz2": bz2.BZ2Decompressor,
    ".xz": lzma.LZMADecompressor,
}
_DAMAGED = (zlib.error, zstandard.ZstdError, lzma.LZMAError, OSError, EOFError)


class BrokenFileError(Exception):
    """Compressed data that ends early or is damaged; what was read before stands."""


class Lines(NamedTuple):
    """Consecutive lines without their line feed.

    Attributes:
        first: 1-based number of the first line.
        lines: The lines.
        fault: Why the file cannot be read past these lines, or None.
    """

    first: int
    lines: list[bytes]
    fault: str | None


def chunks(path: Path) -> Iterator[bytes]:
    """Yield the content of a file, plain or in one of `COMPRESSIONS`, piece by piece.

    Raises:
        BrokenFileError: After the last good piece, when compressed data is damaged or ends early.
    """
    engine = _ENGINES.get(path.suffix.lower())
    with path.open("rb") as opened:
        if engine:
            yield from _inflate(iter(partial(opened.read, PIECE), b""), engine)
        else:
            yield from iter(partial(opened.read, CHUNK), b"")


def lines(path: Path) -> Iterator[bytes]:
    """Yield lines without their line feed, the last one also when it has none; a byte order mark is dropped.

    Raises:
        BrokenFileError: After the last complete line before a break.
    """
    begun: list[bytes] = []
    first = True
    for chunk in chunks(path):
        whole = chunk.split(b"\n")
        begun.append(whole[0])
        if len(whole) > 1:
            line = b"".join(begun)
            yield line.removeprefix(_BOM) if first else line
            first = False
            yield from whole[1:-1]
            begun = [whole[-1]]
    rest = b"".join(begun)
    if rest:
        yield rest.removeprefix(_BOM) if first else rest


def line_batches(path: Path, rows: int, size: int) -> Iterator[Lines]:
    """Group lines to at most `rows` lines, closing a group early at `size` bytes; a break is told in the last one."""
    first, waiting, held = 1, list[bytes](), 0
    fault = None
    try:
        for line in lines(path):
            waiting.append(line)
            held += len(line)
            if len(waiting) >= rows or held >= size:
                yield Lines(first, waiting, None)
                first, waiting, held = first + len(waiting), [], 0
    except BrokenFileError as error:
        fault = str(error)
    if waiting or fault:
        yield Lines(first, waiting, fault)


def _inflate(pieces: Iterator[bytes], make: Callable[[], Any]) -> Iterator[bytes]:
    """Decompress members, frames or streams one after the other, as `cat a.gz b.gz` makes them."""
    engine = None
    for piece in pieces:
        data = piece
        while data:
            engine = engine or make()
            before = engine.copy() if hasattr(engine, "copy") else None
            try:
                yield engine.decompress(data)
            except _DAMAGED as error:
                yield from _salvage(before, data)
                raise BrokenFileError(f"damaged compressed data ({error})") from error
            data = b""
            if engine.eof:
                # Tapes and some writers pad the end of a gzip file with zeros.
                data, engine = engine.unused_data.lstrip(b"\0"), None
    if engine is not None:
        raise BrokenFileError("the compressed data ends early")


def _salvage(engine: Any, data: bytes) -> Iterator[bytes]:
    """Output of a damaged piece up to the byte where it breaks."""
    for position in range(len(data) if engine else 0):
        try:
            yield engine.decompress(data[position : position + 1])
        except zlib.error:
            return
