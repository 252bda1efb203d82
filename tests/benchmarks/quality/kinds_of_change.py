"""Kinds of change that no operator of the project makes: how many copies are found, how many other facts are kept.

    python -m tests.benchmarks.quality.kinds_of_change CORPORA --out DIR [--seed 1] [--each 40]

`CORPORA` is a folder of *.parquet with id, text and source. For every kind of `change_operators.py` texts are drawn,
and the changed one and the original are put among 7,000 others; one run of `semhash-llm curate` with default settings
decides. A copy is found where both are one document in the end; a fact is lost where what goes has words, or words more
often, than what stays in its place.

Writes kinds_of_change.md beside the corpus and the snapshot.
"""

import argparse
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import polars as pl

from tests.benchmarks.quality.change_operators import FACTS, LONG, SHORT, Change

LONG_WORDS, SHORT_CHARACTERS = (40, 1500), (50, 280)
BESIDE = 4000, 3000
"""Long and short texts that nothing is made of."""
TRIES = 3000


class Texts:
    """Distinct texts, each given once, from all tables in turn."""

    def __init__(self, tables: list[list[str]], rng: Random) -> None:
        """Shuffle the texts of each table."""
        for texts in tables:
            rng.shuffle(texts)
        self._tables, self._turn = tables, 0

    def next(self) -> str | None:
        """The next text; None where none is left."""
        for _ in self._tables:
            self._turn += 1
            table = self._tables[self._turn % len(self._tables)]
            if table:
                return table.pop()
        return None

    def back(self, text: str) -> None:
        """Take a text back that nothing was made of; it comes last."""
        self._tables[self._turn % len(self._tables)].insert(0, text)


def read(corpora: Path, rng: Random) -> tuple[Texts, Texts]:
    """Long texts and short ones."""
    long, short = [], []
    words, characters = pl.col("text").str.count_matches(r"\S+"), pl.col("text").str.len_chars()
    for path in sorted(corpora.glob("*.parquet")):
        found = pl.read_parquet(path, columns=["text"]).unique(maintain_order=True)
        long.append(found.filter(words.is_between(*LONG_WORDS))["text"].to_list())
        if path.stem == "short_texts":
            short.append(found.filter(characters.is_between(*SHORT_CHARACTERS))["text"].to_list())
            long.pop()
    return Texts(long, rng), Texts(short, rng)


def pairs(changes: dict[str, Change], texts: Texts, each: int, rng: Random) -> Iterator[tuple[str, str, str]]:
    """Name of a change, text, changed text."""
    for name, change in changes.items():
        made = 0
        for _ in range(TRIES):
            text = texts.next() if made < each else None
            if text is None:
                break
            changed = change(text, rng)
            if changed.strip() and changed != text:
                yield name, text, changed
                made += 1
            else:
                texts.back(text)


def ends(decisions: pl.DataFrame) -> dict[str, str]:
    """The document that each id ends in."""
    gone = dict(decisions.filter(action="remove").select("doc_id", "survivor_id").rows())
    found = {}
    for one in decisions["doc_id"]:
        last = one
        while last in gone:
            last = gone[last]
        found[one] = last
    return found


def main() -> None:
    """Make the corpus, curate it, and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=40, help="texts of a kind")
    given = parser.parse_args()
    rng = Random(given.seed)
    long, short = read(given.corpora, rng)
    made = [
        *(("copy", *one) for one in pairs(LONG, long, given.each, rng)),
        *(("copy", *one) for one in pairs(SHORT, short, given.each, rng)),
        *(("fact", *one) for one in pairs(FACTS, long, given.each, rng)),
    ]
    beside = [
        text for texts, count in ((long, BESIDE[0]), (short, BESIDE[1])) for _ in range(count) if (text := texts.next())
    ]
    rows = [(f"{at}-{side}", text) for at, (_, _, *both) in enumerate(made) for side, text in enumerate(both)]
    rows += [(f"beside-{at}", text) for at, text in enumerate(beside)]
    rng.shuffle(rows)
    (given.out / "corpus").mkdir(parents=True, exist_ok=True)
    pl.DataFrame(rows, ["id", "text"], orient="row").write_parquet(given.out / "corpus" / "texts.parquet")
    command = ["curate", str(given.out / "corpus"), "--out", str(given.out / "out"), "--set", "extract.id_column=id"]
    subprocess.run([sys.executable, "-m", "flows", *command, "--set", "gate.canaries=false"], check=True)
    last = ends(pl.read_parquet(given.out / "out" / "current" / "decisions" / "*.parquet"))
    whole, one = Counter((kind, name) for kind, name, *_ in made), Counter[tuple[str, str]]()
    text_of = dict(rows)
    for at, (kind, name, *_) in enumerate(made):
        sides = [(f"{at}-{side}", last[f"{at}-{side}"]) for side in (0, 1)]
        same = sides[0][1] == sides[1][1]
        one[kind, name] += same and (kind == "copy" or any(lacks(text_of[end], text_of[side]) for side, end in sides))
    lines = ["| kind of change | texts | one document in the end, of facts words lost |", "| --- | ---: | ---: |"]
    for kind, label in (("copy", "all copies"), ("fact", "all other facts")):
        lines.append(f"| **{label}** | {sum_of(whole, kind):,} | {sum_of(one, kind) / sum_of(whole, kind):.1%} |")
    lines += [
        f"| {name} | {whole[key]} | {one[key]} |"
        for key in sorted(whole, key=lambda key: one[key] / whole[key])
        for name in [key[1]]
    ]
    (given.out / "kinds_of_change.md").write_text("\n".join(lines) + "\n")
    print("\n".join(lines))


def lacks(kept: str, gone: str) -> bool:
    """Whether one text has words, or words more often, than another."""
    own, held = (Counter(re.findall(r"\w+", text.lower())) for text in (gone, kept))
    return bool(own - held)


def sum_of(counts: Counter[tuple[str, str]], kind: str) -> int:
    """All counts of a kind."""
    return sum(count for (one, _), count in counts.items() if one == kind)


if __name__ == "__main__":
    main()
