"""Hot spots (type B): a few documents repeated 10, 1,000 and 50,000 times with small edits in a mixed corpus.

    python -m tests.benchmarks.scale.hot_spots [CORPORA] --work DIR [--documents 10000]
        [--copies 10 1000 50000] [--seed 1]

Makes a corpus as `corpora.py` does, draws documents out of it and adds copies of them, each with one to three edits
drawn anew: a stamp, a counter, a reference, a header, a slip of the keyboard, other quotes, other white space.
Curates it with default settings and says how many of each hot spot are left, and whether what is left is whole. Exits
with 1 if the gate refuses, if more than one copy of a hot spot is left (none is left where the corpus holds another
version that stays), or if that copy was cut.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import polars as pl

from flows.curate import Corpus, curate
from models.parameters import Parameters
from tasks.runtime.errors import GateError
from tests.benchmarks.common.corpora import corpus

Edit = Callable[[str, Random], str]
LENGTH = 900, 3500
"""Characters of a document that becomes a hot spot."""


def _slip(text: str, rng: Random) -> str:
    words = text.split(" ")
    long = [at for at, word in enumerate(words) if len(word) > 6 and word.isalpha() and word.islower()]
    if long:
        at = rng.choice(long)
        cut = rng.randrange(1, len(words[at]) - 2)
        words[at] = words[at][:cut] + words[at][cut + 1] + words[at][cut] + words[at][cut + 2 :]
    return " ".join(words)


EDITS: list[Edit] = [
    lambda text, rng: f"{text}\n\nPrinted on {rng.randint(1, 28)}.{rng.randint(1, 12)}.2024, {rng.randint(0, 23)}:05",
    lambda text, rng: f"{text}\n{rng.randint(2, 99999)} views",
    lambda text, rng: f"Ref. no. {rng.randint(10**6, 10**7)}\n{text}",
    lambda text, rng: f"{rng.choice(['FWD', 'Re', 'Fw', 'Copy'])}: for your information\n\n{text}",
    _slip,
    lambda text, rng: text.replace("'", "’").replace('"', "”"),
    lambda text, rng: text.replace(". ", ".  ", rng.randint(1, 5)),
]


def copies(text: str, number: int, rng: Random) -> list[str]:
    """The text and `number` - 1 edited copies of it."""
    made = [text]
    for _ in range(number - 1):
        copy = text
        for edit in rng.sample(EDITS, rng.randint(1, 3)):
            copy = edit(copy, rng)
        made.append(copy)
    return made


def main() -> int:
    """Make the corpus, curate it and say what is left."""
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("corpora", type=Path, nargs="?")
    given.add_argument("--work", type=Path, required=True)
    given.add_argument("--documents", type=int, default=10_000)
    given.add_argument("--copies", type=int, nargs="+", default=[10, 1_000, 50_000])
    given.add_argument("--seed", type=int, default=1)
    args = given.parse_args()
    rng = Random(args.seed)
    pieces = list(corpus(args.corpora, args.documents, args.seed))
    suited = [piece for piece in pieces if LENGTH[0] <= len(piece.text) <= LENGTH[1]]
    rows = [(piece.doc_id, piece.source, piece.text) for piece in pieces]
    for number, piece in zip(args.copies, rng.sample(suited, len(args.copies)), strict=True):
        rows.remove((piece.doc_id, piece.source, piece.text))
        rows += [(f"hot-{number}/{at}", "hot", text) for at, text in enumerate(copies(piece.text, number, rng))]
    rng.shuffle(rows)
    args.work.mkdir(parents=True, exist_ok=True)
    path = args.work / "hot_spots.parquet"
    pl.DataFrame(rows, schema=["doc_id", "source", "text"], orient="row").write_parquet(path)
    wanted = Parameters().with_settings(["extract.id_column=doc_id", "extract.source_column=source"])
    try:
        snapshot = curate(
            Corpus(inputs=[str(path)], out=args.work / "published", parameters=wanted, memory_limit="6GB")
        )
    except GateError as error:
        print(error)
        return 1
    return _judged(Path(snapshot), {row[0]: row[2] for row in rows}, args.copies)


def _judged(snapshot: Path, texts: dict[str, str], numbers: list[int]) -> int:
    kept = pl.read_parquet(snapshot / "documents" / "*.parquet", columns=["doc_id", "text"])
    wrong = 0
    for number in numbers:
        left = kept.filter(pl.col("doc_id").str.starts_with(f"hot-{number}/"))
        whole = sum(texts[doc_id] == text for doc_id, text in left.iter_rows())
        wrong += left.height > 1 or whole != left.height
        print(f"{number:>7,} copies: {left.height} left, {whole} of them whole")
    print(f"published {kept.height:,} of {len(texts):,} documents")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
