"""A corpus of any size out of real text: the same arguments and the same texts give the same bytes.

    python -m tests.benchmarks.common.corpora [CORPORA] --documents N --out DIR [--seed 1]

Writes part-*.parquet (doc_id, source, text) and card.json, which states the mixture and its statistics. `CORPORA` is a
folder of *.parquet with id, text and source; without it the text comes from this machine: the licence texts of the
demo, and the descriptions, notices and documentation that come with installed packages.

- Real text first. Documents of 100 to 8,000 characters are taken whole. Longer ones give passages of 2,000 to 6,000
  characters, cut between paragraphs, which never overlap. Both are shuffled together, so that a small corpus is a fair
  sample of a large one. Natural duplicates stay in: versions of a page, copied licences, pages with and without frame.
- With more than 100,000 documents, or than there are, the same again in other words, as often as it takes: see
  `turns.py`. So each turn repeats itself as much as the real texts do and shares nothing with another but what is very
  short: a million documents are ten times a hundred thousand, a larger sample and not a denser one.
"""

import argparse
import json
import math
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import distributions
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple

import polars as pl
import pyarrow.parquet as pq

from tasks.demo.licence_corpus import write_demo
from tests.benchmarks.common.turns import Turns

LEAST, WHOLE = 100, 8000
"""Characters of a document that is taken whole."""
PASSAGE = (2000, 6000)
"""Characters of a passage of a longer one."""
TURN = 100_000
"""Real pieces before they come again in other words."""
PART = 8192
DOCUMENTED = (".md", ".rst", ".txt", ".html")


class Piece(NamedTuple):
    """One document; `text` is never empty."""

    doc_id: str
    source: str
    text: str


def corpus(texts: Path | None, documents: int, seed: int, turn: int = TURN) -> Iterator[Piece]:
    """`documents` pieces, `turn` real ones first (all, if there are fewer); then the same in other words."""
    pool = real(texts, seed)[: min(turn, documents)]
    yield from pool
    turns = Turns([piece.text for piece in pool], seed) if documents > len(pool) else None
    for number in range(1, math.ceil(documents / len(pool))):
        again = zip(pool, turns.turn(number), strict=True)
        for piece, text in islice(again, documents - number * len(pool)):
            yield Piece(f"turn{number}/{piece.doc_id}", piece.source, text)


def real(texts: Path | None, seed: int) -> list[Piece]:
    """All real pieces of the folder (of this machine without it), in an order given by the seed."""
    found = []
    for doc_id, source, text in sorted(_of_folder(texts) if texts else _of_machine()):
        if LEAST <= len(text) <= WHOLE:
            found.append(Piece(doc_id, source, text))
        elif len(text) > WHOLE:
            parts = passages(text, Random(f"{seed}/{len(text)}"))
            found += [Piece(f"{doc_id}#{number}", source, part) for number, part in enumerate(parts)]
    Random(seed).shuffle(found)
    return found


def passages(text: str, random: Random) -> list[str]:
    """Cut a text between paragraphs (between lines or words where they are too long); no two passages overlap."""
    found, passage, goal = [], "", random.randint(*PASSAGE)
    for piece in _cut(text, ("\n\n", "\n", " ")):
        if passage and len(passage) + len(piece) > goal:
            found.append(passage.strip())
            passage, goal = "", random.randint(*PASSAGE)
        passage += piece
    return [one for one in [*found, passage.strip()] if len(one) >= LEAST]


def edited(text: str, random: Random) -> str:
    """A copy with one to three words of letters dropped or doubled: no fact changes."""
    words = list(re.finditer(r"(?<=\s)[a-z]{4,}(?=\s)", text))
    for word in sorted(random.sample(words, min(random.randint(1, 3), len(words))), reverse=True, key=re.Match.start):
        text = text[: word.start()] + random.choice(("", f"{word[0]} {word[0]}")) + text[word.end() :]
    return text


def _cut(text: str, borders: tuple[str, ...]) -> list[str]:
    """Pieces that end at a border, and at a finer one where they would be longer than a passage."""
    pieces = re.findall(rf"(?s).+?(?:{re.escape(borders[0])}+|\Z)", text)
    if len(borders) == 1:
        return pieces
    return [one for piece in pieces for one in (_cut(piece, borders[1:]) if len(piece) > PASSAGE[0] else [piece])]


def _of_folder(texts: Path) -> Iterator[Piece]:
    for path in sorted(texts.glob("*.parquet")):
        for doc_id, source, text in pl.read_parquet(path).select("id", "source", "text").iter_rows():
            yield Piece(f"{path.stem}/{doc_id}", source, text)


def _of_machine() -> Iterator[Piece]:
    """What the licences' package and other installed packages bring along."""
    with tempfile.TemporaryDirectory() as folder:
        licences = pl.read_parquet(write_demo(Path(folder), None)).select(Piece._fields)
    yield from map(Piece._make, licences.iter_rows())
    for package in distributions():
        name = package.metadata["Name"]
        yield Piece(f"{name}/description", name, str(package.metadata.get_payload()))
        for file in package.files or []:
            if file.suffix in DOCUMENTED and file.locate().is_file():
                yield Piece(f"{name}/{file}", name, file.locate().read_text(errors="replace"))


def write(pieces: Iterator[Piece], out: Path) -> dict[str, object]:
    """Write part files; returns the statistics of what was written."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    lengths, seen, copies, counts, batch = [], set(), 0, Counter(), []

    def flush() -> None:
        frame = pl.DataFrame(batch, schema=dict.fromkeys(Piece._fields, pl.String), orient="row")
        pq.write_table(frame.to_arrow(), out / f"part-{len(list(out.iterdir())):05d}.parquet", compression="zstd")
        batch.clear()

    for piece in pieces:
        batch.append(piece)
        lengths.append(len(piece.text))
        plain = hash(" ".join(piece.text.lower().split()))
        copies += plain in seen
        seen.add(plain)
        counts[_kind(piece.doc_id)] += 1
        if len(batch) == PART:
            flush()
    if batch:
        flush()
    stated = pl.Series(lengths)
    return {
        "documents": len(lengths), **counts, "copies (same words)": copies, "characters": int(stated.sum()),
        "mean": round(stated.mean()), "median": round(stated.median()), "90 %": round(stated.quantile(0.9)),
    }  # fmt: skip


def _kind(doc_id: str) -> str:
    return "in other words" if doc_id.startswith("turn") else "passages" if re.search(r"#\d+$", doc_id) else "whole"


def main() -> None:
    """Write a corpus and say what is in it."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("texts", metavar="CORPORA", type=Path, nargs="?")
    asked.add_argument("--documents", type=int, default=10_000)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--out", type=Path, required=True)
    given = asked.parse_args()
    card = write(corpus(given.texts, given.documents, given.seed), given.out)
    (given.out / "card.json").write_text(json.dumps({"seed": given.seed, **card}, indent=1) + "\n")
    print(json.dumps(card, indent=1))


if __name__ == "__main__":
    main()
