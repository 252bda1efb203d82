"""How close the shipped student comes to its teacher on graded sentence pairs, and how much faster it is.

`python -m tests.benchmarks.kernels.student sts_pairs.parquet`, a table with text_a, text_b, subset, split and label; of
SICK and MRPC only the test part counts. Prints Spearman's rank correlation of the cosine with the label, for both
encoders.
"""

import sys
import time

import numpy as np
import polars as pl

from models.bundle import load
from models.lexical.text import normalise, split_words
from models.semantic.distil.student_quality import spearman
from models.semantic.encoder.encoder import Encoder
from models.semantic.encoder.student import Student
from models.semantic.encoder.teacher import Teacher

TEST_PARTS = ["test", "test_annotated"]


def cosines(encoder: Encoder, pairs: pl.DataFrame) -> tuple[np.ndarray, float]:
    """Cosine of each pair, and CPU seconds."""
    texts = pl.concat([pairs["text_a"], pairs["text_b"]]).unique(maintain_order=True)
    place = {text: row for row, text in enumerate(texts)}
    encoder.embed(texts[:64].to_list())  # compiles
    began = time.process_time()
    vectors = encoder.embed(texts.to_list())
    spent = time.process_time() - began
    sides = ([place[text] for text in pairs[side]] for side in ("text_a", "text_b"))
    a, b = (vectors[rows] for rows in sides)
    return np.einsum("pd,pd->p", a, b), spent / len(texts)


def main() -> None:
    pairs = pl.read_parquet(sys.argv[1]).filter(
        pl.col("subset").str.starts_with("sts") | pl.col("split").is_in(TEST_PARTS), pl.col("subset") != "comve"
    )
    pairs = pairs.with_columns(pl.col("label").cast(pl.Float64))
    encoders: list[Encoder] = [Student(load("default").student), Teacher()]
    found = {encoder.name: cosines(encoder, pairs) for encoder in encoders}
    scored = pairs.select("subset", "label", **{name: pl.Series(cosine) for name, (cosine, _) in found.items()})
    rows = [
        (subset, group.height, *(spearman(group[name].to_numpy(), group["label"].to_numpy()) for name in found))
        for (subset,), group in scored.group_by(["subset"], maintain_order=True)
    ]
    print("| pairs | number | student | teacher | ratio |\n| --- | --- | --- | --- | --- |")
    for subset, count, student, teacher in rows:
        print(f"| {subset} | {count} | {student:.3f} | {teacher:.3f} | {student / teacher:.3f} |")
    student, teacher = (float(np.mean([row[column] for row in rows])) for column in (2, 3))
    print(f"| mean | {pairs.height} | {student:.3f} | {teacher:.3f} | {student / teacher:.3f} |")
    words = split_words(normalise(pairs["text_a"])).hash.size / pairs.height
    speeds = {name: 1 / seconds for name, (_, seconds) in found.items()}
    print(
        f"texts of {words:.0f} words per CPU second: student {speeds['student']:,.0f}, "
        f"teacher {speeds['teacher']:,.0f}, {speeds['student'] / speeds['teacher']:.0f} times as many"
    )


if __name__ == "__main__":
    main()
