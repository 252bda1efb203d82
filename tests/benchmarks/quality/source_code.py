"""Which files are taken for source code, by the ends of their names: code and data should be, prose should not.

    python -m tests.benchmarks.quality.source_code [FOLDER ...] [--corpora CORPORA] [--each 400]

FOLDER holds files of any kind, such as unpacked packages; without one it is the library of this environment. CORPORA is
a folder of *.parquet with `text`, mostly prose. Prints a row for each ending that 20 files have, and for each table.
"""

import argparse
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import polars as pl

from models.lexical.text import normalise
from models.lexical.text.markup.source_code import source_texts

FEWEST, LONGEST = 20, 60_000
"""Files of an ending, and bytes of a file that is looked at."""


def main() -> None:
    """Print the table."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("folders", type=Path, nargs="*", default=[Path(sysconfig.get_paths()["purelib"])])
    asked.add_argument("--corpora", type=Path)
    asked.add_argument("--each", type=int, default=400, help="texts of an ending, or of a table")
    given = asked.parse_args()
    rows = [*_of_files(given.folders, given.each), *(_of_tables(given.corpora, given.each) if given.corpora else ())]
    print("| texts | read | taken for source code |\n| --- | --- | --- |")
    for name, texts in rows:
        found = source_texts(normalise(pl.Series(texts)), np.ones(len(texts), np.bool_))
        print(f"| {name} | {len(texts)} | {found.mean():.1%} |")


def _of_files(folders: list[Path], each: int) -> Iterator[tuple[str, list[str]]]:
    """Texts of files, by what their names end with."""
    by_ending: dict[str, list[Path]] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix and path.is_file() and not path.is_symlink() and 0 < path.stat().st_size <= LONGEST:
                by_ending.setdefault(path.suffix.lower(), []).append(path)
    for ending, paths in sorted(by_ending.items()):
        texts = []
        for path in Random(1).sample(paths, len(paths)):
            try:
                texts.append(path.read_bytes().decode())
            except UnicodeDecodeError:
                continue
            if len(texts) == each:
                break
        if len(texts) >= FEWEST:
            yield ending, texts


def _of_tables(folder: Path, each: int) -> Iterator[tuple[str, list[str]]]:
    """Texts of Parquet files."""
    for path in sorted(folder.glob("*.parquet")):
        texts = pl.read_parquet(path, columns=["text"])["text"]
        yield path.stem, texts.sample(min(each, len(texts)), seed=1).to_list()


if __name__ == "__main__":
    main()
