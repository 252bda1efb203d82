r"""Copies that lost their accents or letters, by language: how many are found, and which of the two stays.

    python -m tests.benchmarks.languages.lost_accents TEXTS --sources SOURCE ... --out DIR [--lost accents]
        [--seed 5] [--each 40]

`TEXTS` is a Parquet file with text and source, of which each source that is named is of one language. Of every one
texts are drawn, and the one that lost something and the original are put among 6,000 others; one run of
`semhash-llm curate` decides, with default settings but for two bounds of its gate. What is lost: accents ("zacnemo" for
"začnemo"), `letters` beyond ASCII ("za\ufffdnemo", Latin-1 that was read as UTF-8), or `marked` ones ("za?nemo").
"""

import argparse
import re
import subprocess
import sys
import unicodedata
from pathlib import Path
from random import Random

import polars as pl

from tests.benchmarks.quality.kinds_of_change import ends

WORDS = (80, 600)
BESIDE = 6000
OTHERS = str.maketrans("łđıŁĐ", "ldiLD")


def bare(text: str) -> str:
    """The text without its accents."""
    letters = (letter for letter in unicodedata.normalize("NFD", text) if not unicodedata.combining(letter))
    return "".join(letters).translate(OTHERS)


LOSSES = {
    "accents": bare,
    "letters": lambda text: re.sub(r"[^\x00-\x7f]", "\ufffd", text),
    "marked": lambda text: re.sub(r"[^\x00-\x7f]", "?", text),
}


def main() -> None:
    """Make the corpus, curate it, and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", type=Path)
    parser.add_argument("--sources", nargs="+", required=True, help="sources of which copies are made")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--lost", choices=LOSSES, default="accents", help="what the copies lost")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--each", type=int, default=40, help="texts of a source")
    given = parser.parse_args()
    rng = Random(given.seed)
    texts = pl.read_parquet(given.texts, columns=["text", "source"]).unique(maintain_order=True)
    rows: list[tuple[str, str]] = []
    for source in given.sources:
        mine = [text for text in texts.filter(source=source)["text"] if WORDS[0] <= len(text.split()) <= WORDS[1]]
        for at, text in enumerate(rng.sample(mine, min(given.each, len(mine)))):
            rows += [(f"{source} {at} original", text), (f"{source} {at} bare", LOSSES[given.lost](text))]
    drawn = {text for _, text in rows}
    others = [text for text in texts["text"] if text not in drawn]
    rows += [(f"beside {at}", text) for at, text in enumerate(rng.sample(others, min(BESIDE, len(others))))]
    rng.shuffle(rows)
    (given.out / "corpus").mkdir(parents=True, exist_ok=True)
    pl.DataFrame(rows, ["id", "text"], orient="row").write_parquet(given.out / "corpus" / "texts.parquet")
    command = ["curate", str(given.out / "corpus"), "--out", str(given.out / "out"), "--set", "extract.id_column=id"]
    bounds = ["--set", "gate.canaries=false", "--set", "gate.max_content_lost=1"]
    subprocess.run([sys.executable, "-m", "flows", *command, *bounds], check=True)
    last = ends(pl.read_parquet(given.out / "out" / "current" / "decisions" / "*.parquet"))
    print("| source | copies | found | the one that lost something stays |\n| --- | ---: | ---: | ---: |")
    for source in given.sources:
        pairs = [
            (last[f"{source} {at} original"], last[f"{source} {at} bare"], at)
            for at in range(given.each)
            if f"{source} {at} bare" in last
        ]
        found = [(one, at) for one, other, at in pairs if one == other]
        print(f"| {source} | {len(pairs)} | {len(found)} | {sum(one == f'{source} {at} bare' for one, at in found)} |")


if __name__ == "__main__":
    main()
