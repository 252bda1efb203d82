"""Learn which pairs say the same in other words, and how well that holds for sources that were left out.

    python -m tests.benchmarks.meaning.learn_rewrites CORPORA [--leave-out] [--write]

CORPORA is a folder with `pairs/rewrites.parquet` (text_a, text_b, label, source, licence_group) and tables of open
texts. Beside the labelled pairs it learns from changes of its own: a fact exchanged in a rewrite, two numbers that
change places, a text reworded, and neighbours of other content. `--write` puts the trees where the package reads them;
they learn from the group `open` alone. Needs scikit-learn.
"""

import argparse
import json
import re
from pathlib import Path
from random import Random

import numpy as np
import polars as pl
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import roc_auc_score

from models.bundle import load
from models.decision.meaning.bags import bags
from models.decision.meaning.rewrite_features import FEATURES, rewrite_features
from models.decision.meaning.verifier import WEIGHTS, vetoed
from models.decision.meaning.word_vectors import word_vectors
from models.evaluation.synthesis.material.material import Material, gather
from models.evaluation.synthesis.types.rewording import reworded
from models.evaluation.synthesis.types.swaps import SWAPS
from models.semantic.encoder.student import Student

OPEN = ("docs_html", "pypi_readme", "proposals")
"""Tables of which paragraphs are reworded, changed and compared with their neighbours."""
ALIKE = 0.25
"""Jaccard of word 5-grams from which neighbours may be copies, and say nothing."""
RISES = {"cosine", "cover", "met", "same", "worst_sentence", "worst_told", "told", "number_share", "straight",
         "least_straight", "length_ratio"}  # fmt: skip
"""Features that never speak against a pair when they are larger, by their name without the side."""
FALLS = {"unmet_sentences", "rarest_unmet", "unmet_names", "other_names", "lost", "opposites", "aligned_opposites",
         "swapped", "numbers_low", "numbers_high", "small_low", "small_high", "other_units", "numbers_astray",
         "negations_apart", "qualifiers_apart", "exchanged", "most_exchanged", "exchanged_names",
         "crossed"}  # fmt: skip
"""Features that never speak for a pair when they are larger."""
BARS = (0.1, 0.2, 0.3, 0.4, 0.5)
ENOUGH = 1500
"""Pairs of a source, label and kind whose weights sum to no more."""
COLUMNS = ("text_a", "text_b", "label", "source", "licence_group", "kind")
_FIGURE = re.compile(r"(?<![\w.,])\d+(?![\w.,]\d)")


def given(corpora: Path) -> pl.DataFrame:
    """The labelled pairs."""
    return pl.read_parquet(corpora / "pairs" / "rewrites.parquet").with_columns(kind=pl.lit("given")).select(COLUMNS)


def passages(corpora: Path, rng: Random) -> list[str]:
    """A paragraph or a few of open texts."""
    found = []
    for text in pl.concat([pl.read_parquet(corpora / f"{name}.parquet", columns=["text"]) for name in OPEN]).sample(
        6000, seed=1
    )["text"]:
        prose = [part.strip() for part in text.split("\n\n") if _is_prose(part.strip())]
        if prose:
            first = rng.randrange(len(prose))
            passage = "\n\n".join(prose[first : first + rng.choice((1, 1, 2, 3, 5))])
            if 80 <= len(passage) <= 3000:
                found.append(passage)
    return list(dict.fromkeys(found))


def pieces(corpora: Path, rng: Random) -> list[str]:
    """Pieces that follow each other in pages of open texts, whatever they hold: near in meaning, and never the same."""
    found = []
    tables = [pl.read_parquet(corpora / f"{name}.parquet", columns=["text"]) for name in OPEN]
    for text in pl.concat(tables).sample(2500, seed=2)["text"]:
        at = 0
        for _ in range(4):
            size = rng.randint(200, 2500)
            piece = text[at : at + size].strip()
            at += size
            if len(piece) >= 150:
                found.append(piece)
    return list(dict.fromkeys(found))


def _is_prose(text: str) -> bool:
    return text.count(" ") >= 10 and sum(one.isalpha() or one == " " for one in text) > 0.85 * len(text)


def changed(text: str, material: Material, rng: Random) -> tuple[str, str] | None:
    """The text with one fact exchanged, and the kind of fact."""
    for _ in range(6):
        kind = rng.choice(list(SWAPS))
        new = SWAPS[kind](text, material, rng)
        if new and new.strip() != text.strip():
            return new, f"swap-{kind}"
    return None


def reordered(text: str, rng: Random) -> str | None:
    """The text with two of its numbers in each other's place."""
    values = sorted(set(_FIGURE.findall(text)))
    if len(values) < 2:
        return None
    one, other = rng.sample(values, 2)
    return _FIGURE.sub(lambda found: {one: other, other: one}.get(found[0], found[0]), text)


def made(pairs: pl.DataFrame, paragraphs: list[str], others: list[str], student: Student, rng: Random) -> pl.DataFrame:
    """Pairs of our own making, in the columns of the labelled ones."""
    of_open = pairs.filter(pl.col("licence_group") == "open")
    material = gather(pl.Series([*of_open["text_a"].sample(3000, seed=2), *paragraphs[:2000]]), seed=1)
    rows: list[tuple[str, str, int, str, str, str]] = []

    def turn(one: str, other: str, source: str, group: str) -> None:
        if found := changed(other, material, rng):
            rows.append((one, found[0], 0, source, group, found[1]))
        if (new := reordered(other, rng)) and rng.random() < 0.5:
            rows.append((one, new, 0, source, group, "swap-order"))

    for one, other, _, source, group, _ in pairs.filter(pl.col("label") == 1).iter_rows():
        turn(*rng.sample((one, other), 2), source, group)
    problems = pairs.filter(pl.col("source") == "gsm8k_numbers")["text_a"].unique(maintain_order=True).to_list()
    for source, texts, share in (("gsm8k_numbers", problems, 0.6), ("prose", paragraphs, 1.0)):
        for text in texts:
            new = reworded(text, rng.randint(3, 10), rng)
            if new != text and rng.random() < share:
                rows.append((text, new, 1, source, "open", "reworded"))
                turn(text, new, source, "open")
        rows += [
            (texts[i], texts[j], 0, source, "open", "neighbour")
            for i, j in neighbours(student.embed(texts))
            if _apart(texts[i], texts[j])
        ]
    for i, j in neighbours(student.embed(others)):
        if _apart(others[i], others[j]):
            rows.append((others[i], others[j], 0, "pages", "open", "neighbour"))
    return pl.DataFrame(rows, schema=pairs.schema, orient="row")


def neighbours(vectors: NDArray[np.float32], k: int = 4) -> list[tuple[int, int]]:
    """Pairs i < j that are among the k nearest of each other."""
    cosine = vectors @ vectors.T
    np.fill_diagonal(cosine, -1)
    near = np.argsort(-cosine, axis=1)[:, :k]
    return [(i, int(j)) for i in range(len(near)) for j in near[i] if i < j and i in near[j]]


def _apart(one: str, other: str) -> bool:
    grams = [
        {tuple(words[at : at + 5]) for at in range(len(words) - 4)}
        for words in (one.lower().split(), other.lower().split())
    ]
    return len(grams[0] & grams[1]) < ALIKE * max(1, len(grams[0] | grams[1]))


def described(pairs: pl.DataFrame, student: Student) -> NDArray[np.float32]:
    """Features of pairs."""
    texts = pl.concat([pairs["text_a"], pairs["text_b"]]).unique(maintain_order=True)
    place = {text: row for row, text in enumerate(texts)}
    a, b = (np.array([place[text] for text in pairs[side]]) for side in ("text_a", "text_b"))
    vectors = student.embed(texts.to_list())
    cosine = np.einsum("pd,pd->p", vectors[a], vectors[b])
    return rewrite_features(bags(texts, student.vocabulary), word_vectors(student), cosine, a, b)


class Labels:
    """Pairs with features, and what is learned from some of them."""

    def __init__(self, pairs: pl.DataFrame, features: NDArray[np.float32]) -> None:
        self.x, self.y = features, pairs["label"].to_numpy()
        self.source = pairs["source"].to_numpy()
        self.open = (pairs["licence_group"] == "open").to_numpy()
        swapped = pl.col("kind").str.starts_with("swap")
        kind = pl.when(swapped).then(pl.lit("swap")).otherwise("kind")
        size = pairs.select(pl.len().over("source", "label", kind)).to_series().to_numpy()
        self.weight = np.minimum(1, ENOUGH / size)
        self.kind = pairs["kind"].to_numpy()
        self.swapped = pairs.select(swapped).to_series().to_numpy()

    def learn(self, chosen: NDArray[np.bool_]) -> HistGradientBoostingClassifier:
        model = HistGradientBoostingClassifier(
            max_iter=150, learning_rate=0.06, max_leaf_nodes=12, min_samples_leaf=40, l2_regularization=5,
            early_stopping=False, random_state=0, monotonic_cst=[direction(name) for name in FEATURES],
        )  # fmt: skip
        return model.fit(self.x[chosen], self.y[chosen], sample_weight=self.weight[chosen])

    def left_out(self) -> None:
        """Print how well each source, and each kind of fact, is told apart by what was learned from the others."""
        print("| source left out | pairs | cosine | learned from open | learned from all |")
        print("| --- | --- | --- | --- | --- |")
        unseen = np.zeros(len(self.y))
        for source in np.unique(self.source):
            here = self.source == source
            found = []
            for others in (self.open & ~here, ~here):
                p = self.learn(others).predict_proba(self.x[here])[:, 1]
                found.append(np.where(vetoed(self.x[here]), 0, p))
            unseen[here] = found[0]
            if len(np.unique(self.y[here])) == 2:
                areas = [roc_auc_score(self.y[here], score) for score in (self.x[here, 0], *found)]
                print(
                    f"| {source} | {here.sum():,} | " + " | ".join(f"{area:.3f}" for area in areas) + " |", flush=True
                )
        print("\nShare that counts as the same from a bar on, learned from the other open sources:\n")
        print("| pairs | number | " + " | ".join(map(str, BARS)) + " |\n" + "| --- " * (2 + len(BARS)) + "|")
        groups = {f"{source}, the same": (self.source == source) & (self.y == 1) for source in np.unique(self.source)}
        told = (self.y == 0) & ~self.swapped
        groups |= {f"{source}, others": (self.source == source) & told for source in np.unique(self.source)}
        groups |= {kind: self.kind == kind for kind in np.unique(self.kind[self.swapped])}
        for name, here in groups.items():
            if here.any():
                shares = " | ".join(f"{(unseen[here] >= bar).mean():.3f}" for bar in BARS)
                print(f"| {name} | {here.sum():,} | {shares} |")


def direction(feature: str) -> int:
    """Whether the answer may only rise (1) or fall (-1) with a feature, or do both (0)."""
    name = feature.removesuffix("_low").removesuffix("_high")
    return (feature in RISES or name in RISES) - (feature in FALLS or name in FALLS)


def exported(model: HistGradientBoostingClassifier) -> dict[str, object]:
    """Trees as lists."""
    found: dict[str, list] = {name: [] for name in ("root", "feature", "threshold", "left", "right", "value")}
    for (tree,) in model._predictors:
        base = len(found["feature"])
        found["root"].append(base)
        for node in tree.nodes:
            leaf = bool(node["is_leaf"])
            found["feature"].append(-1 if leaf else int(node["feature_idx"]))
            found["threshold"].append(0.0 if leaf else float(f"{node['num_threshold']:.7g}"))
            found["left"].append(0 if leaf else base + int(node["left"]))
            found["right"].append(0 if leaf else base + int(node["right"]))
            found["value"].append(float(f"{node['value']:.5g}") if leaf else 0.0)
    return {"features": FEATURES, **found, "bias": float(np.ravel(model._baseline_prediction)[0])}


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("corpora", type=Path)
    options.add_argument("--write", action="store_true")
    options.add_argument("--leave-out", action="store_true", help="leave out each source once")
    told = options.parse_args()
    rng, student = Random(1), Student(load("default").student)
    pairs = given(told.corpora)
    own = made(pairs, passages(told.corpora, rng), pieces(told.corpora, rng), student, rng)
    pairs = pl.concat([pairs, own])
    print(pairs.group_by("licence_group", "label").len().sort("licence_group", "label"))
    labels = Labels(pairs, described(pairs, student))
    if told.leave_out:
        labels.left_out()
    if told.write:
        WEIGHTS.write_text(json.dumps(exported(labels.learn(labels.open)), separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
