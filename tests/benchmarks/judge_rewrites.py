"""Would asking the judge about rewrites help? The verifier, the judge and both on pairs that a run compares.

    python tests/benchmarks/judge_rewrites.py SPLIT [--each 25]

SPLIT is labelled as in `rewrites.py`. Of the neighbours in meaning that a run compares, those of which the verifier is
least sure are asked about, so many of each source; look-alikes `topic`, whose labels are in doubt, are left out.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parent))

from judge_quality import differences, mean, queries, score, table
from rewrites import Split, compared

from models.bundle import load
from models.decision.llm_judge.ensemble import ensemble, p_llm
from models.decision.llm_judge.local import LocalJudge
from models.decision.meaning.bags import bags
from models.decision.meaning.verifier import examine
from models.decision.meaning.word_vectors import word_vectors
from models.lexical.text import normalise, text_hash
from models.parameters import Parameters
from models.semantic.encoder.student import Student

METHODS = ("automatic", "judge", "fused")
DOUBTED = "topic"


def unsure(split: Split, each: int) -> pl.DataFrame:
    """Compared pairs nearest to the bar of `meaning.min_probability`, so many of each source, without vetoed ones."""
    student = Student(load("default").student)
    held = bags(split.texts, student.vocabulary)
    a, b, cosine = compared(student.embed(split.texts.to_list()), held)
    p, _ = examine(held, word_vectors(student), cosine, a, b)
    wanted = split.scopes(DOUBTED)[f"without look-alikes `{DOUBTED}`"]
    pairs = pl.DataFrame(
        {
            "source": split.source[a],
            "text_a": split.texts.gather(a),
            "text_b": split.texts.gather(b),
            "automatic": p,
            "duplicate": [pair in split.true for pair in zip(a.tolist(), b.tolist(), strict=True)],
            "kept": wanted[a] & wanted[b] & (p > 0),
            "labelled": (split.type[a] != "background") | (split.type[b] != "background"),
        }
    ).filter("kept", "labelled")
    bar = Parameters().meaning.min_probability
    return (
        pairs.sort((pl.col("automatic") - bar).abs())
        .group_by("source", maintain_order=True)
        .head(each)
        .filter(pl.len().over("source") >= each)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("split", type=Path)
    parser.add_argument("--each", type=int, default=25)
    given = parser.parse_args()
    pairs = unsure(Split(given.split), given.each)
    hashes = {f"text_hash_{side}": pl.Series(text_hash(normalise(pairs[f"text_{side}"]))) for side in "ab"}
    learned = load()
    trained = LocalJudge.load(learned.judge, learned.judge_settings, threads=1)
    began = time.process_time()
    p = p_llm(trained.ask(queries(pairs.with_columns(**hashes))))
    spent = (time.process_time() - began) / pairs.height
    automatic = pairs["automatic"].to_numpy()
    sure = np.sqrt(automatic * (1 - automatic))
    pairs = pairs.with_columns(judge=pl.Series(p), fused=pl.Series(ensemble(automatic, sure, p)))
    parts = pairs.partition_by("source", as_dict=True, maintain_order=True)
    each = {name: score(part, number, METHODS) for number, ((name,), part) in enumerate(parts.items())}
    scored = {**each, "mean of sources": mean(list(each.values()))}
    print(f"{pairs.height} pairs, {spent:.2f} CPU s a verdict, judge {trained.model}\n")
    print(table(scored, METHODS), differences(scored), sep="\n\n")


if __name__ == "__main__":
    main()
