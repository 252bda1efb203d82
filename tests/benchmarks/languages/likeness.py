"""How like each other the encoder finds texts of one language that have nothing to do with each other.

    python -m tests.benchmarks.languages.likeness TEXTS [TEXTS ...] [--write]

TEXTS are Parquet files with `text` and `source`. The encoder was taught in English: the vectors of any two texts in
another language share what tells that language. Prints the mean cosine of texts of different sources by language and,
where no language is told, by script; `--write` writes it to models/lexical/fragments/hosts/language_likeness.json, by
which `models.lexical.fragments.hosts.language_likeness` reads cosines of hosts.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import polars as pl

from models.decision.evidence.facts.lexicon import SPOKEN, languages_of
from models.lexical.fragments.hosts import language_likeness
from models.lexical.text import normalise, split_words
from models.lexical.text.scripts import scripts_of
from models.parameters import Parameters
from tasks.encode.embeddings import encoder

CHARS, FEWEST, MOST = 1000, 25, 2000
"""Code points of a text that are embedded, and texts of a language at least and at most."""


def main() -> None:
    """Measure languages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", type=Path, nargs="+")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    tables = [pl.read_parquet(path, columns=["text", "source"]) for path in given.texts]
    long = pl.concat(tables).filter(pl.col("text").str.len_chars() > CHARS // 4).unique("text", maintain_order=True)
    texts = long["text"].str.slice(0, CHARS)
    normalised = normalise(texts)
    told, scripts = languages_of(split_words(normalised), 1.0), scripts_of(normalised)
    names = [_name(int(bits), int(script)) for bits, script in zip(told, scripts, strict=True)]
    model = encoder(Parameters().encoder, 2)
    found = {}
    for name in sorted(set(names) - {""}):
        rows = [at for at, one in enumerate(names) if one == name][:MOST]
        sources = long["source"].gather(rows).to_numpy()
        apart = sources[:, None] != sources[None, :]
        if len(rows) < FEWEST or not apart.any():
            continue
        vectors = np.concatenate(
            [model.embed(texts.gather(rows[at : at + 512]).to_list()) for at in range(0, len(rows), 512)]
        )
        found[name] = round(float((vectors @ vectors.T)[apart].mean()), 2)
        print(f"| {name} | {len(rows):,} | {found[name]:.2f} |")
    if given.write:
        path = Path(language_likeness.__file__).with_suffix(".json")
        path.write_text(json.dumps(found, indent=1) + "\n")


def _name(bits: int, script: int) -> str:
    """Code of the one language that a text is told to be in, else the number of its script; empty for Latin letters."""
    if bits:
        return SPOKEN[bits.bit_length() - 1] if bits & (bits - 1) == 0 else ""
    return str(script) if script else ""


if __name__ == "__main__":
    main()
