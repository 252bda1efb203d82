"""Licence corpus of the demonstration: texts and notices of the package `licensedcode-data`.

It holds copies, containment, notices shared by many and versions that differ by one clause (CC-BY-4.0, nexB Inc. and
others).
"""

import os
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import polars as pl
import xxhash

from tasks.storage.atomic import atomic_path
from tasks.storage.parquet import write_published

FILE_NAME = "licence_texts.parquet"
FAMILY_SHARE = 20
"""One family gives at most this part (1/20) of a sample, so that the common licences do not fill it."""

_FRONT_MATTER = re.compile(r"---\r?\n(.*?)^---\r?$", re.DOTALL | re.MULTILINE)
_FIELD = re.compile(r"^(\w+): *(.*(?:\n +[^ \n].*)*)", re.MULTILINE)
_LICENCE = re.compile(r"[^\s()]+")
_KINDS = ("text", "notice", "reference", "tag", "intro", "clue")


class Piece(NamedTuple):
    """Document of the demonstration corpus."""

    doc_id: str
    source: str
    text: str
    license_expression: str
    language: str


def write_demo(folder: Path, rows: int | None) -> Path:
    """Write the demonstration corpus, or a sample that keeps texts about the same licence together.

    Args:
        folder: Where to write; made when missing.
        rows: Documents in the sample; None for all of them (about 37,000).

    Returns:
        The Parquet file: doc_id (file name), source ('licenses', 'rules/notice', …), text,
            license_expression, language.
        The same package and `rows` give the same bytes.
    """
    pieces = sorted(_pieces())
    if rows is not None:
        pieces = sample(pieces, rows)
    path = folder / FILE_NAME
    with atomic_path(path) as temporary:
        write_published(pl.DataFrame(pieces, dict.fromkeys(Piece._fields, pl.String), orient="row"), temporary)
    return path


def sample(pieces: list[Piece], rows: int) -> list[Piece]:
    """Choose `rows` pieces, sorted by id: families in an order given by the hash of their name.

    A family (the first licence of the expression) comes whole, or with its share of the sample where it is larger:
    then a run of texts that follow each other in the alphabet, so that copies stay together.
    """
    families: dict[str, list[Piece]] = {}
    for piece in sorted(pieces, key=lambda piece: (piece.text, piece.doc_id)):
        families.setdefault(_family(piece), []).append(piece)
    share = max(1, rows // FAMILY_SHARE)
    shares, rests = [], []
    for name in sorted(families, key=_order):
        family = families[name]
        start = _order(name) % max(1, len(family) - share + 1)
        shares += family[start : start + share]
        rests += family[:start] + family[start + share :]
    return sorted((shares + rests)[:rows])


def parse(name: str, folder: str, content: str) -> Piece:
    """Split a .LICENSE or .RULE file into its front matter (YAML between lines of '---') and its text."""
    found = _FRONT_MATTER.match(content)
    header, text = (found.group(1), content[found.end() :]) if found else ("", content)
    fields = {key: " ".join(value.split()).strip("'\"") for key, value in _FIELD.findall(header)}
    kind = next((kind for kind in _KINDS if fields.get(f"is_license_{kind}") == "yes"), "other")
    return Piece(
        doc_id=name,
        source=folder if folder == "licenses" else f"{folder}/{kind}",
        text=text.strip("\r\n"),
        license_expression=fields.get("license_expression") or fields.get("key", ""),
        language=fields.get("language", "en"),
    )


def _pieces() -> Iterator[Piece]:
    data = files("licensedcode") / "data"
    for folder in ("licenses", "rules"):
        with os.scandir(str(data / folder)) as entries:
            for entry in entries:
                if entry.name.endswith((".LICENSE", ".RULE")):
                    yield parse(entry.name, folder, Path(entry.path).read_bytes().decode())


def _family(piece: Piece) -> str:
    found = _LICENCE.search(piece.license_expression)
    return found.group() if found else ""


def _order(name: str) -> int:
    return xxhash.xxh3_64_intdigest(name.encode())
