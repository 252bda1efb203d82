"""How rewrites are found and told from look-alikes, on a split with labels of them.

    python -m tests.benchmarks.meaning.rewrites SPLIT [--among PARQUET] [--teacher] [--without-lookalikes VERSION]
        [--pairs PARQUET]

SPLIT is a folder with documents.parquet (doc_id, text, source) and truth.parquet (doc_id, type, group_id, version), of
which documents of type P and one group say the same. Prints which true pairs are mutual neighbours, by brute force and
by codes; then what would be removed in favour of the fullest text, at the best threshold of each precision and at the
shipped one. `--pairs`, a table of labelled pairs (text_a, text_b, label, source), says of those that are mutual
neighbours and pass the verifier how many stand out from what is around them, at several distance ratios. `--among`
adds texts of a corpus, among which neighbours are searched. `--teacher` sets MiniLM beside. `--without-lookalikes` also
scores without the look-alikes of one version, whose labels are in doubt.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import polars as pl
from numba import njit
from numpy.typing import NDArray

from models.bundle import load
from models.decision.meaning.bags import Bags, bags
from models.decision.meaning.english_prose import is_english_prose
from models.decision.meaning.left_over import left_over_cosine
from models.decision.meaning.numbers import compare_numbers
from models.decision.meaning.rewrite_removals import rewrite_removals
from models.decision.meaning.verifier import examine
from models.decision.meaning.word_vectors import word_vectors
from models.kernels.bits import popcount
from models.parameters import Parameters
from models.semantic.encoder.student import Student
from models.semantic.neighbours.codes import BITS, Planes, planes
from models.semantic.neighbours.distance_ratio import distance_ratios
from models.semantic.neighbours.search import LISTED, Neighbours, mutual, nearest
from tasks.candidates.semantic_neighbours import AROUND, SHORTEST

LEVELS = (0.99, 0.95)
RATIOS = (0.4, 0.5, 0.6, 0.7, 0.8)
FEWEST = 20
"""Removals from which a precision says something."""


class Split:
    """Labelled documents."""

    def __init__(self, folder: Path) -> None:
        documents = pl.read_parquet(folder / "documents.parquet")
        truth = pl.read_parquet(folder / "truth.parquet")
        self.frame = documents.join(truth, on="doc_id", how="left", maintain_order="left").with_row_index("row")
        self.texts = self.frame["text"]
        rewrites = self.frame.filter(pl.col("type") == "P")
        self.true, self.translated = self._pairs("P"), self._pairs("T")
        self.possible = rewrites.height - rewrites["group_id"].n_unique()
        self.type, self.source = self.frame["type"].to_numpy(), self.frame["source"].to_numpy()
        self.version = self.frame["version"].fill_null("").to_numpy()

    def _pairs(self, kind: str) -> set[tuple[int, ...]]:
        """Rows of the pairs of a type that are of one group."""
        here = self.frame.filter(pl.col("type") == kind)
        pairs = here.join(here, on="group_id").filter(pl.col("row") < pl.col("row_right"))
        return set(pairs.select("row", "row_right").rows())

    def recall(self, a: NDArray[np.int64], b: NDArray[np.int64]) -> float:
        return len(self.true & set(zip(a.tolist(), b.tolist(), strict=True))) / len(self.true)

    def removals(
        self, a: NDArray[np.int64], b: NDArray[np.int64], p: NDArray[np.float32], least: float
    ) -> pl.DataFrame:
        """What goes: `doc`, `survivor`, `right`."""
        chosen = p >= least
        pairs = pl.DataFrame({"a": a[chosen], "b": b[chosen], "p_same": p[chosen]})
        ends = np.unique(np.concatenate([a[chosen], b[chosen]]))
        claims = pl.DataFrame({"doc": ends, "n_chars": self.texts.str.len_chars().to_numpy()[ends]})
        gone = rewrite_removals(pairs, claims.with_columns(guarded=pl.lit(value=False), tier=pl.lit(0)))
        low, high = (
            gone.select(pl.min_horizontal("doc", "survivor")).to_series(),
            gone.select(pl.max_horizontal("doc", "survivor")).to_series(),
        )
        return gone.with_columns(
            right=pl.Series([pair in self.true for pair in zip(low, high, strict=True)], dtype=pl.Boolean)
        )

    def scopes(self, doubted: str) -> dict[str, NDArray[np.bool_]]:
        """Texts that count: all, and all but the look-alikes of a version whose labels are in doubt."""
        found = {"as labelled": np.ones(len(self.texts), bool)}
        if doubted:
            found[f"without look-alikes `{doubted}`"] = (self.type != "F") | (self.version != doubted)
        return found

    def figures(self, gone: pl.DataFrame, looked_at: NDArray[np.bool_]) -> tuple[float, float, float]:
        """Recall, precision, and share of the look-alikes that go."""
        right = int(gone["right"].sum())
        lookalikes = (self.type == "F") & looked_at
        return (
            right / self.possible,
            right / max(1, gone.height),
            float(lookalikes[gone["doc"].to_numpy()].sum() / lookalikes.sum()),
        )


@njit(cache=True)
def by_code(codes: NDArray[np.uint64], asked: int, listed: int) -> NDArray[np.int32]:
    """The nearest by code of the first `asked`, of all, in one pass without cells; of equal ones the first."""
    found = np.full((asked, listed), -1, np.int32)
    apart = np.empty(len(codes), np.int64)
    for i in range(asked):
        for j in range(len(codes)):
            apart[j] = 0
            for k in range(codes.shape[1]):
                apart[j] += np.int64(popcount(codes[i, k] ^ codes[j, k]))
        apart[i] = 1 << 30
        found[i] = np.argsort(apart * len(codes) + np.arange(len(codes)))[:listed]
    return found


def by_library(vectors: NDArray[np.float32], k: int) -> NDArray[np.int32] | None:
    """The nearest of all by usearch (HNSW over float16, its defaults); None where it is not installed."""
    try:
        from usearch.index import Index
    except ImportError:
        return None
    index = Index(ndim=vectors.shape[1], metric="cos", dtype="f16")
    index.add(np.arange(len(vectors)), vectors, threads=1)
    found = index.search(vectors, k + 1, threads=1).keys.astype(np.int64)
    itself = found == np.arange(len(found))[:, None]
    itself[~itself.any(1), -1] = True
    return found[~itself].reshape(len(found), k).astype(np.int32)


def ranked(vectors: NDArray[np.float32], short: NDArray[np.int32], k: int) -> NDArray[np.int32]:
    cosine = np.stack([vectors[row] @ vectors[i] for i, row in enumerate(short)])
    return np.take_along_axis(short, np.argsort(-cosine, axis=1)[:, :k], 1)


def brute(vectors: NDArray[np.float32], asked: int, k: int) -> NDArray[np.int32]:
    found = []
    for first in range(0, asked, 512):
        cosine = vectors[first : min(asked, first + 512)] @ vectors.T
        cosine[np.arange(len(cosine)), first + np.arange(len(cosine))] = -2
        found.append(np.argsort(-cosine, axis=1)[:, :k])
    return np.concatenate(found).astype(np.int32)


def candidates(split: Split, vectors: NDArray[np.float32], name: str) -> None:
    """Print recall of the true pairs among mutual neighbours."""
    asked, all_ = len(split.texts), len(vectors)
    print(f"\n{len(split.true):,} true pairs among {all_:,} texts, vectors of the {name}\n")
    print("| neighbours by | k | candidates a text | recall | CPU s |\n| --- | --- | --- | --- | --- |")

    def row(how: str, near: NDArray[np.int32], k: int, spent: float) -> None:
        a, b = mutual(near[:, :k])
        print(f"| {how} | {k} | {len(a) / len(near):.2f} | {split.recall(a, b):.3f} | {spent:.1f} |", flush=True)

    began = time.process_time()
    near, spent = brute(vectors, asked, 10), time.process_time() - began
    for k in (1, 3, 5, 10):
        row("brute force", near, k, spent)
    if name != "student":
        return
    random = np.random.default_rng(0).standard_normal((vectors.shape[1], BITS)).astype(np.float32)
    centred = Planes(random, (-vectors[asked:].mean(0) if all_ > asked else -vectors.mean(0)) @ random)
    several = {
        "SPH, 64 bits of the bundle": load("default").projections["student"].codes(vectors)[:, None],
        **{f"random hyperplanes, {64 * words} bits": centred.codes(vectors)[:, :words] for words in (1, 2, 4)},
        "learned for neighbours, 256 bits": planes(vectors.shape[1]).codes(vectors),
    }
    by_code(several["SPH, 64 bits of the bundle"][:9], 2, 2)
    for how, codes in several.items():
        began = time.process_time()
        near = ranked(vectors, by_code(np.ascontiguousarray(codes), asked, LISTED), 3)
        row(f"{how}, the nearest {LISTED} ranked", near, 3, time.process_time() - began)
    codes = several["learned for neighbours, 256 bits"]
    nearest(codes[:9], vectors[:9], 3)
    began = time.process_time()
    found = nearest(codes, vectors.astype(np.float16), 3).row
    row("learned for neighbours, in cells, of all texts", found, 3, time.process_time() - began)
    began = time.process_time()
    library = by_library(vectors, 3)
    if library is None:
        print("usearch is not installed: pip install usearch")
    else:
        row("usearch (HNSW, float16), of all texts", library, 3, time.process_time() - began)


def verification(
    split: Split, student: Student, vectors: NDArray[np.float32], beside: NDArray[np.float32] | None, doubted: str
) -> None:
    """Print what would be removed."""
    bars, held = Parameters().meaning, bags(split.texts, student.vocabulary)
    a, b, cosine = compared(vectors, held)
    began = time.process_time()
    p, _ = examine(held, word_vectors(student), cosine, a, b)
    left = left_over_cosine(student, split.texts.gather(a), split.texts.gather(b))
    p[left < bars.min_left_cosine] = 0  # NaN says nothing
    spoken = is_english_prose(split.texts)
    p[~(spoken[a] & spoken[b])] = 0
    spent = time.process_time() - began
    print(
        f"\n{len(a):,} candidates compared in {spent:.1f} CPU s; they hold {split.recall(a, b):.3f} of the true pairs\n"
    )
    numbers = compare_numbers(held.numbers, a, b)
    same = (numbers[:, 1] == 0) & (numbers[:, 2] == 0)
    methods = {
        "rewrites (shipped)": p,
        "student's cosine": cosine,
        "student's cosine, same numbers": np.where(same, cosine, 0),
    }
    if beside is not None:
        other = np.einsum("pd,pd->p", beside[a], beside[b])
        methods |= {"MiniLM cosine": other, "MiniLM cosine, same numbers": np.where(same, other, 0)}
    print(
        "| labels | method | "
        + " | ".join(f"recall at precision >= {level} (look-alikes removed)" for level in LEVELS)
        + " |\n"
        + "| --- " * (2 + len(LEVELS))
        + "|"
    )
    for scope, looked_at in split.scopes(doubted).items():
        here = looked_at[a] & looked_at[b]
        for name, scores in methods.items():
            told = [
                best_at(split, a[here], b[here], scores[here].astype(np.float32), level, looked_at) for level in LEVELS
            ]
            print(f"| {scope} | {name} | " + " | ".join(told) + " |", flush=True)
        gone = split.removals(a[here], b[here], p[here], bars.min_probability)
        recall, precision, lookalikes = split.figures(gone, looked_at)
        bar = f"shipped, from {bars.min_probability}"
        print(f"| {scope} | {bar} | recall {recall:.3f} ({lookalikes:.4f}) | precision {precision:.4f} |")
    found, listed = (
        len(split.translated & set(zip(a[here].tolist(), b[here].tolist(), strict=True)))
        for here in (p >= 0, p >= bars.min_probability)
    )
    print(f"\nOf {len(split.translated)} translations {found} are compared and {listed} would be listed.")
    print("\n| source | rewrites | recall at the shipped bar | removed wrongly |\n| --- | --- | --- | --- |")
    gone = split.removals(a, b, p, bars.min_probability)
    gone = gone.with_columns(source=pl.Series(split.source)[gone["doc"]])
    for source in sorted(set(split.source)):
        here = gone.filter(pl.col("source") == source)
        group = split.frame.filter((pl.col("source") == source) & (pl.col("type") == "P"))
        possible = group.height - group["group_id"].n_unique()
        if here.height or possible:
            right = int(here["right"].sum())
            share = right / possible if possible else 0
            print(f"| {source} | {possible:,} | {share:.3f} | {here.height - right} |")


def embedded(student: Student, texts: pl.Series) -> list[NDArray[np.float32]]:
    """Vectors of many texts, some at a time."""
    return [student.embed(texts[at : at + 4096].to_list()) for at in range(0, len(texts), 4096)]


def met_by(vectors: NDArray[np.float32]) -> tuple[Neighbours, NDArray[np.int64], NDArray[np.int64]]:
    """Neighbours as a run looks for them, with what is around them, and the pairs that are each other's."""
    k = Parameters().meaning.neighbours
    met = nearest(planes(vectors.shape[1]).codes(vectors), vectors, AROUND * k)
    return met, *mutual(met.row[:, :k])


def compared(
    vectors: NDArray[np.float32], held: Bags
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
    """Candidates as a run has them: mutual neighbours, near enough and of like length, with their cosine."""
    bars, words = Parameters().meaning, held.counts[:, 0]
    met, a, b = met_by(vectors)
    cosine = np.einsum("pd,pd->p", vectors[a], vectors[b]).astype(np.float32)
    ratio = distance_ratios(met, bars.neighbours, a, b, cosine)
    near = (cosine >= bars.min_cosine) & (ratio <= bars.max_distance_ratio)
    near &= np.minimum(words[a], words[b]) >= SHORTEST * np.maximum(words[a], words[b])
    near &= np.minimum(words[a], words[b]) >= bars.min_words
    return a[near], b[near], cosine[near]


def standing_out(labelled: pl.DataFrame, others: list[str], student: Student) -> None:
    """Print which labelled pairs stand out, all texts of them and others beside them, by source."""
    bars = Parameters().meaning
    pairs = labelled.filter(pl.col("label") == 1).unique(["text_a", "text_b"], maintain_order=True)
    texts = pl.concat([labelled["text_a"], labelled["text_b"], pl.Series(others, dtype=pl.String)]).unique(
        maintain_order=True
    )
    vectors = np.concatenate(embedded(student, texts))
    place = {text: row for row, text in enumerate(texts)}
    one, other = (np.array([place[text] for text in pairs[side]]) for side in ("text_a", "text_b"))
    met, a, b = met_by(vectors)
    found = set(zip(a.tolist(), b.tolist(), strict=True))
    here = np.array([pair in found for pair in zip(np.minimum(one, other), np.maximum(one, other), strict=True)])
    cosine = np.einsum("pd,pd->p", vectors[one], vectors[other]).astype(np.float32)
    ratio = distance_ratios(met, bars.neighbours, one, other, cosine)
    words, rows = word_vectors(student), np.flatnonzero(here)
    likely = np.zeros(len(one), bool)
    for at in range(0, len(rows), 4096):
        some = rows[at : at + 4096]
        ends = pl.concat([pairs["text_a"].gather(some), pairs["text_b"].gather(some)])
        side = np.arange(len(some))
        p, _ = examine(bags(ends, student.vocabulary), words, cosine[some], side, side + len(some))
        likely[some] = p >= bars.min_probability
    shown = pairs.with_columns(ratio=pl.Series(ratio)).filter(pl.Series(likely))
    print("\n| source | pairs that pass | " + " | ".join(f"ratio {bar}" for bar in RATIOS) + " |")
    print("| --- " * (2 + len(RATIOS)) + "|")
    for (source,), some in shown.group_by("source", maintain_order=True):
        cells = (f"{(some['ratio'] <= bar).mean():.2f}" for bar in RATIOS)
        print(f"| {source} | {some.height:,} | " + " | ".join(cells) + " |")


def best_at(
    split: Split,
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    p: NDArray[np.float32],
    level: float,
    looked_at: NDArray[np.bool_],
) -> str:
    """Recall at the bar that finds most with so much precision, as a cell of a table."""
    best = (0.0, 0.0, 0.0, 0.0)
    for least in np.unique(np.quantile(p[p > 0], np.linspace(0, 1, 200))):
        gone = split.removals(a, b, p, float(least))
        recall, precision, lookalikes = split.figures(gone, looked_at)
        if precision >= level and gone.height >= FEWEST and recall > best[0]:
            best = recall, lookalikes, precision, float(least)
    return f"{best[0]:.3f} ({best[1]:.4f}; from {best[3]:.2f})" if best[0] else "not reached"


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("split", type=Path)
    options.add_argument("--among", type=Path)
    options.add_argument("--teacher", action="store_true")
    options.add_argument("--without-lookalikes", default="", metavar="VERSION")
    options.add_argument("--pairs", type=Path)
    told = options.parse_args()
    split, student = Split(told.split), Student(load("default").student)
    vectors = student.embed(split.texts.to_list())
    others, distractors = [], pl.Series([], dtype=pl.String)
    if told.among:
        distractors = pl.read_parquet(told.among)["text"].unique(maintain_order=True)
        others = embedded(student, distractors)
    candidates(split, np.concatenate([vectors, *others]), "student")
    beside = None
    if told.teacher:
        from models.semantic.encoder.teacher import Teacher

        beside = Teacher().embed(split.texts.to_list())
        candidates(split, beside, "MiniLM teacher")
    verification(split, student, vectors, beside, told.without_lookalikes)
    if told.pairs:
        standing_out(pl.read_parquet(told.pairs), distractors.to_list(), student)


if __name__ == "__main__":
    main()
