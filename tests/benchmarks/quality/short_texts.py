"""Short texts under disguises that the method was not made for, and look-alikes that differ in one fact.

    python -m tests.benchmarks.quality.short_texts TEXTS... --out DIR [--seed 1] [--half seen|unseen|all] [--keep]

`TEXTS` are parquet files with a column `text`. A corpus is made of them: short texts as they are, copies under each
perturbation of `models.evaluation.synthesis.short_texts.perturbations` and under two or three at once, look-alikes of
`tests.support.texts.changed_facts`, half of them under a disguise too. It is curated with default
settings; printed is, per disguise, how many copies were recognised, and per kind of fact, how many look-alikes were
removed.

The families are halved: the method was designed looking at those of `SEEN`; the others were run, not tuned for.
"""

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import polars as pl

from models.evaluation.synthesis.short_texts.perturbation import Perturbation
from models.evaluation.synthesis.short_texts.perturbations import PERTURBATIONS
from tests.support.texts.changed_facts import ADDED, FOUND, with_clause

SEEN = (
    "typo", "swap", "vowels", "masked", "spacing", "run together", "case", "filler word", "emoji", "parted",
    "forwarding", "link", "more", "breadcrumb", "doubled", "leet", "heavy leet", "apart", "zero width",
    "homoglyph", "alphabet",
)  # fmt: skip
"""Perturbations whose like was looked at when short texts were designed; all others are unseen."""
PER_KIND, BACKGROUND = 80, 3000
LENGTHS = (30, 300)


def halves() -> tuple[dict[str, Perturbation], dict[str, Perturbation]]:
    """Perturbations whose like was looked at, and the others."""
    others = {name: one for name, one in PERTURBATIONS.items() if name not in SEEN}
    return {name: PERTURBATIONS[name] for name in SEEN}, others


def stacked(text: str, chosen: list[Perturbation], rng: Random) -> str:
    """Apply several in the order in which they are listed: some leave no words to the others."""
    for one in PERTURBATIONS.values():
        text = one.change(text, Counter(), rng) if one in chosen else text
    return text


def made(texts: list[str], rng: Random) -> Iterator[tuple[str, str, str, str]]:
    """Rows: group, kind, half, text. Groups of kind "C …" are copies, of kind "F …" look-alikes."""
    pool = iter(texts)
    for half, disguises in zip(("seen", "unseen"), halves(), strict=True):
        kinds = {name: [[disguise]] for name, disguise in disguises.items()}
        for many in (2, 3):
            kinds[f"{many} at once"] = [rng.sample(list(disguises.values()), many) for _ in range(2 * PER_KIND)]
        for name, choices in kinds.items():
            count = 2 * PER_KIND if name.endswith("at once") else PER_KIND
            for number in range(count):
                text = next(pool)
                copy = stacked(text, choices[number % len(choices)], rng)
                if copy != text:
                    yield f"{half}/{name}/{number}", f"C {name}", half, text
                    yield f"{half}/{name}/{number}", f"C {name}", half, copy
        for name in (*ADDED, *FOUND):
            for number in range(PER_KIND):
                text = next(pool)
                pair = with_clause(text, ADDED[name], rng) if name in ADDED else None
                while pair is None:
                    pair = FOUND[name](text, rng)
                    text = next(pool) if pair is None else text
                one, other = pair
                if number % 2:
                    other = stacked(other, [rng.choice(list(disguises.values()))], rng)
                yield f"{half}/F{name}/{number}", f"F {name}", half, one
                yield f"{half}/F{name}/{number}", f"F {name}", half, other
    for number in range(BACKGROUND):
        yield f"background/{number}", "background", "background", next(pool)


def corpus(paths: list[Path], seed: int, size: int) -> pl.DataFrame:
    """Labelled documents; every short text is used once."""
    texts = pl.concat([pl.read_parquet(path, columns=["text"]) for path in paths])["text"]
    lengths = texts.str.len_chars()
    chosen = sorted(set(texts.filter((lengths >= LENGTHS[0]) & (lengths < LENGTHS[1]))))
    rng = Random(seed)
    rng.shuffle(chosen)
    rows = list(made(chosen, rng))
    frame = pl.DataFrame(rows, schema=["group", "kind", "half", "text"], orient="row")
    return frame.with_row_index("doc_id").with_columns(pl.col("doc_id").cast(pl.String), source=pl.col("half"))


def outcome(documents: pl.DataFrame, out: Path) -> pl.DataFrame:
    """The documents with `gone`, and `right`: in favour of one of the same group."""
    decisions = pl.read_parquet(out / "current" / "decisions" / "*.parquet").select(
        "doc_id", "action", "type", "survivor_id"
    )
    groups = documents.select(survivor_id="doc_id", survivor_group="group")
    joined = documents.join(decisions, on="doc_id").join(groups, on="survivor_id", how="left")
    gone = pl.col("action") == "remove"
    return joined.with_columns(gone=gone, right=gone & (pl.col("survivor_group") == pl.col("group")).fill_null(False))


def table(found: pl.DataFrame) -> pl.DataFrame:
    """Per half and kind: pairs, share recognised (C) or removed (F), documents gone otherwise."""
    pairs = found.group_by("half", "kind", "group", maintain_order=True).agg(
        right=pl.col("right").any(), other=(pl.col("gone") & ~pl.col("right")).sum()
    )
    return pairs.group_by("half", "kind", maintain_order=True).agg(
        pairs=pl.len(), removed=pl.col("right").mean(), gone_otherwise=pl.col("other").sum()
    )


def main() -> None:
    """Make the corpus, curate it, print what became of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", nargs="+", type=Path)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    documents = corpus(given.texts, given.seed, PER_KIND)
    path = given.out / "documents.parquet"
    documents.write_parquet(path)
    settings = [
        "extract.id_column=doc_id",
        "extract.source_column=source",
        "gate.max_source_content_lost=1",
        "gate.canaries=false",
    ]
    command = [sys.executable, "-m", "flows", "curate", str(path), "--out", str(given.out / "run")]
    subprocess.run([*command, *(word for one in settings for word in ("--set", one))], check=True)
    found = outcome(documents, given.out / "run")
    found.write_parquet(given.out / "outcome.parquet")
    rows = table(found)
    with pl.Config(tbl_rows=-1, fmt_str_lengths=60):
        print(rows)
    for half in ("seen", "unseen"):
        of_half = rows.filter(pl.col("half") == half)
        c, f = (of_half.filter(pl.col("kind").str.starts_with(kind)) for kind in ("C ", "F "))
        share = {
            name: float((one["removed"] * one["pairs"]).sum() / one["pairs"].sum())
            for name, one in (("C", c), ("F", f))
        }
        worst = c.sort("removed").head(3).select("kind", "removed").rows()
        print(json.dumps({"half": half, "recall": share["C"], "look-alikes removed": share["F"], "worst": worst}))
    gone = found.filter(pl.col("kind") == "background")["gone"].mean()
    print(json.dumps({"background gone": gone}))


if __name__ == "__main__":
    main()
