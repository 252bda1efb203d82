"""Does the judge help? Automatic, judge and fused probability against what people said, with bootstrap intervals.

`python -m tests.benchmarks.judge.quality ../shared/corpora/pairs --document docs/judge.md` asks about held-out pairs of
four sources, none of which anything in the bundle was trained on: all that would be routed, and a sample of all. With
`--part tune` it reads the other part of each source; what was chosen by looking at labels was chosen there.
"""

import argparse
import dataclasses
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
from scipy.stats import rankdata

from models.bundle import load
from models.decision.evidence.pair_evidence import evidence
from models.decision.llm_judge.calibration import CONTENT_FREE, Calibration, leaning
from models.decision.llm_judge.ensemble import ensemble, p_llm, route
from models.decision.llm_judge.local import LocalJudge
from models.decision.llm_judge.prompt import LABELS, query
from models.decision.llm_judge.smollm import LanguageModel, weights_file
from models.decision.rules.measures import measure
from models.decision.rules.verdict import with_verdicts
from models.decision.verifier.inference import Verifier
from models.evaluation.bootstrap import interval
from models.lexical.sketch.features import Frequencies, featurise, quantise_attention
from models.lexical.sketch.shingles import shingle
from models.lexical.sketch.weights import count_documents, distinct_per_document
from models.lexical.text import normalise, split_words, text_hash
from models.parameters import Parameters
from models.semantic.encoder.encoder import word_spans
from models.semantic.encoder.student import Student, word_table
from tests.support.texts.hostile import clean_pairs

PARAMETERS = Parameters().with_settings(["judge.max_share=1"])
FREQUENCY_BITS, BATCH = 20, 2048
RESAMPLES, BINS = 2000, 10
METHODS = ("automatic", "judge", "fused", "judge without adapter", "fused without adapter")
TITLE = "## Against people"


def sources(folder: Path, part: str) -> dict[str, pl.DataFrame]:
    """Held-out pairs of each source (`part` "test"), or the others ("tune"): text_a, text_b, duplicate."""
    test = part == "test"
    sts = pl.read_parquet(folder / "sts_pairs.parquet")
    mrpc = sts.filter(subset="mrpc", split="test" if test else "train").with_columns(duplicate=pl.col("label") == "1")
    sick = sts.filter(subset="sick", split="test_annotated" if test else "train")
    tweets = pl.read_parquet(folder / "twitter_url.parquet")
    tweets = tweets.filter(
        pl.Series([digest[-1] in "02468ace" for digest in text_hash(normalise(tweets["text_a"]))]) == test
    )
    products = pl.read_parquet(folder / "product_match.parquet").filter(
        pl.col("split").str.starts_with("test") == test, pl.col("subset") != "wdc-all"
    )
    labelled = {
        "MRPC": mrpc,
        "SICK": sick.with_columns(duplicate=pl.col("entail") == "ENTAILMENT"),
        "Twitter": tweets.with_columns(duplicate=pl.col("label") == "1"),
        "products": products.with_columns(duplicate=pl.col("label") == "1"),
    }
    wanted = ("text_a", "text_b", "duplicate")
    return {name: pairs.select(wanted).unique(wanted[:2], maintain_order=True) for name, pairs in labelled.items()}


def verified(pairs: pl.DataFrame) -> pl.DataFrame:
    """What `verify` finds about pairs of texts, had they been one corpus: columns of `verified` and text hashes."""
    bundle = load()
    student = Student(bundle.student, threads=2)
    verifier = Verifier.load(bundle.verifier, bundle.settings, word_table(bundle.student))
    counted = frequencies(pl.concat([pairs["text_a"], pairs["text_b"]]).unique(maintain_order=True))
    sketch, found = PARAMETERS.sketch, []
    for batch in pairs.iter_slices(BATCH):
        texts = pl.concat([batch["text_a"], batch["text_b"]])
        normalised = normalise(texts)
        words = split_words(normalised)
        encoded = student.encode(texts.to_list(), word_spans(normalised, words))
        features = featurise(texts, quantise_attention(encoded.attention), counted, sketch, sketch.short_chars)
        a, b = np.split(np.arange(len(texts)), 2)
        cosine = np.einsum("pd,pd->p", encoded.vector[a], encoded.vector[b])
        measured = measure(pl.DataFrame(evidence(features, a, b) | {"cosine": cosine}))
        described = verifier.describe(normalised, words, student.vocabulary.rows(words.hash), encoded.vector)
        opinion = verifier.opine("measured", described, a, b, measured)
        opined = measured.with_columns(
            p_dup=pl.Series(opinion.p_dup), sigma=pl.Series(opinion.sigma), tau=pl.Series(opinion.threshold)
        )
        found.append(with_verdicts(opined, PARAMETERS))
    hashes = {f"text_hash_{side}": pl.Series(text_hash(normalise(pairs[f"text_{side}"]))) for side in "ab"}
    return pairs.hstack(pl.concat(found)).with_columns(**hashes)


def frequencies(texts: pl.Series) -> Frequencies:
    shingles, words = np.zeros(1 << FREQUENCY_BITS, np.uint32), np.zeros(1 << FREQUENCY_BITS - 3, np.uint32)
    normalised = normalise(texts)
    found = split_words(normalised)
    count_documents(shingles, shingle(normalised, found, PARAMETERS.sketch.lane).hash)
    count_documents(words, distinct_per_document(found.hash, found.pointers))
    return Frequencies(shingles, words, len(texts))


def chosen(folder: Path, part: str, routed: int, sampled: int) -> pl.DataFrame:
    """Pairs to ask about: `routed`, the most uncertain of each source, and a random sample of each source."""
    settings = PARAMETERS.with_settings([f"judge.max_pairs={routed}"])
    picked = []
    for name, pairs in sources(folder, part).items():
        found = verified(pairs).with_row_index("pair")
        asked = route(found, settings)["pair"]
        sample = found.sample(min(sampled, found.height), seed=1)["pair"]
        marked = found.with_columns(
            source=pl.lit(name),
            routed=pl.col("pair").is_in(asked.implode()),
            sampled=pl.col("pair").is_in(sample.implode()),
        )
        print(f"{name}: {found.height:,} pairs, {asked.len():,} routed", flush=True)
        picked.append(marked.filter(pl.col("routed") | pl.col("sampled")))
    return pl.concat(picked)


def queries(pairs: pl.DataFrame) -> list:
    """Queries of pairs, the text with the lesser hash first as in a run."""
    ordered = (
        (a, b) if one <= other else (b, a)
        for a, b, one, other in pairs.select("text_a", "text_b", "text_hash_a", "text_hash_b").iter_rows()
    )
    return [query(a, b, PARAMETERS.judge.chars) for a, b in ordered]


def zero_shot() -> LocalJudge:
    """The model as it comes, with contextual calibration and nothing learned."""
    model = LanguageModel(weights_file())
    bare = LocalJudge(model, Calibration((0.0,) * len(LABELS), 0, 1), "bare")
    lean = leaning(bare.logits([query(a, b, PARAMETERS.judge.chars) for a, b in CONTENT_FREE]))
    return LocalJudge(model, Calibration(lean, 1, 1), "zero-shot")


def answered(pairs: pl.DataFrame, trained: LocalJudge) -> pl.DataFrame:
    """The pairs with the probability of each of `METHODS`."""
    asked = queries(pairs)
    p, bare = (p_llm(one.ask(asked)) for one in (trained, zero_shot()))
    auto, sigma = pairs["p_dup"].to_numpy(), pairs["sigma"].to_numpy()
    columns = (auto, p, ensemble(auto, sigma, p), bare, ensemble(auto, sigma, bare))
    return pairs.with_columns(**{name: pl.Series(column) for name, column in zip(METHODS, columns, strict=True)})


def accuracy(p: np.ndarray, y: np.ndarray, weight: np.ndarray) -> float:
    return float(np.average((p >= 0.5) == y, weights=weight))


def auc(p: np.ndarray, y: np.ndarray, weight: np.ndarray) -> float:
    """Probability that a duplicate scores above a distinct pair, ties counting half; weights are whole numbers."""
    p, y = np.repeat(p, weight), np.repeat(y, weight)
    positive = y.sum()
    if positive in (0, len(y)):
        return float("nan")
    return float((rankdata(p)[y].sum() - positive * (positive + 1) / 2) / (positive * (len(y) - positive)))


def calibration_error(p: np.ndarray, y: np.ndarray, weight: np.ndarray) -> float:
    """Mean distance of probability and share of duplicates over ten bins of equal width."""
    bins = np.minimum((p * BINS).astype(int), BINS - 1)
    gap = np.bincount(bins, weight * (p - y), BINS)
    return float(np.abs(gap).sum() / weight.sum())


MEASURES: dict[str, Callable[[np.ndarray, np.ndarray, np.ndarray], float]] = {
    "accuracy": accuracy, "AUC": auc, "ECE": calibration_error,
}  # fmt: skip


@dataclasses.dataclass
class Scores:
    """Of one set of pairs: float64[methods, measures], and the same for each resample in front."""

    pairs: int
    share: float
    point: np.ndarray
    samples: np.ndarray


def score(pairs: pl.DataFrame, seed: int, methods: tuple[str, ...] = METHODS) -> Scores:
    """Score methods on the same resamples; pairs that share their first text are drawn together."""
    y = pairs["duplicate"].to_numpy()
    unit = pairs["text_a"].rank("dense").to_numpy().astype(int) - 1
    rng = np.random.default_rng(seed)
    drawn = [
        np.bincount(rng.integers(unit.max() + 1, size=unit.max() + 1), minlength=unit.max() + 1)
        for _ in range(RESAMPLES)
    ]
    weights = [np.ones(len(y), int), *(counts[unit] for counts in drawn)]
    columns = [pairs[name].to_numpy().astype(float) for name in methods]
    table = np.array([[[take(p, y, w) for take in MEASURES.values()] for p in columns] for w in weights])
    return Scores(len(y), float(y.mean()), table[0], table[1:])


def mean(scores: list[Scores]) -> Scores:
    """All sources weigh the same."""
    return Scores(
        sum(one.pairs for one in scores),
        float(np.mean([one.share for one in scores])),
        np.mean([one.point for one in scores], axis=0),
        np.mean([one.samples for one in scores], axis=0),
    )


def table(scored: dict[str, Scores], methods: tuple[str, ...] = METHODS) -> str:
    lines = [
        "| source | pairs | duplicates | method | accuracy | AUC | ECE |",
        "| --- | ---: | ---: | --- | --- | --- | --- |",
    ]
    for source, one in scored.items():
        low, high = interval(one.samples)
        for row, method in enumerate(methods):
            cells = [
                f"{one.point[row, column]:.3f} ({low[row, column]:.3f} to {high[row, column]:.3f})"
                for column in range(len(MEASURES))
            ]
            lines.append(f"| {source} | {one.pairs:,} | {one.share:.2f} | {method} | {' | '.join(cells)} |")
    return "\n".join(lines)


def differences(scored: dict[str, Scores]) -> str:
    """Fused minus automatic on the same pairs and resamples."""
    lines = ["| source | accuracy | AUC | ECE |", "| --- | --- | --- | --- |"]
    for source, one in scored.items():
        (low, high), point = interval(one.samples[:, 2] - one.samples[:, 0]), one.point[2] - one.point[0]
        cells = [
            f"{value:+.3f} ({below:+.3f} to {above:+.3f})" for value, below, above in zip(point, low, high, strict=True)
        ]
        lines.append(f"| {source} | {' | '.join(cells)} |")
    return "\n".join(lines)


def verdict(one: Scores) -> str:
    """Better both in accuracy and in AUC, each by an interval that excludes zero.

    Accuracy alone would be cheap: where automation says "distinct" of nearly all, a judge that says "duplicate" of all
    gains as much as the share of duplicates allows, and knows nothing. AUC does not see such shifts.
    """
    low, high = interval(one.samples[:, 2] - one.samples[:, 0])
    said = "beats" if min(low[0], low[1]) > 0 else "does not beat"
    return (
        f"**On the routed pairs fused {said} automatic alone**: the 95 % interval of the difference in accuracy, mean "
        f"of the sources, is {low[0]:+.3f} to {high[0]:+.3f}, in AUC {low[1]:+.3f} to {high[1]:+.3f}."
    )


def effect(pairs: pl.DataFrame) -> str:
    """What the accuracies are worth: the judge that knows nothing, and the pairs beyond the bars of the verdict."""
    bars, routed = PARAMETERS.verify, pairs.filter("routed")
    always = routed.group_by("source").agg(pl.col("duplicate").mean())["duplicate"].mean()
    lines = [
        "| routed pairs | automatic | of these right | fused | of these right |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for name, side, bar in (("removed", ">=", bars.sure_duplicate), ("kept", "<=", bars.sure_distinct)):
        cells = []
        for method in ("automatic", "fused"):
            beyond = pl.col(method) >= bar if side == ">=" else pl.col(method) <= bar
            right = routed.filter(beyond)["duplicate"] == (side == ">=")
            cells.append(f"{len(right)} | {right.mean() or 0:.2f}")
        lines.append(f"| p {side} {bar:.2f}: may be {name} | {' | '.join(cells)} |")
    table = "\n".join(lines)
    return f"""A judge that says "duplicate" of every routed pair would have an accuracy of {always:.3f} (mean of the
sources) and an AUC of 0.5: accuracy at one half says little here, as automation is set to keep what it is unsure of.

{table}"""


def speed(trained: LocalJudge, pairs: pl.DataFrame) -> str:
    """Seconds per verdict in batches, wall and processor, for sentences and for documents."""
    documents = clean_pairs().head(48)
    sentences = queries(pairs.head(96))
    whole = [query(a, b, PARAMETERS.judge.chars) for a, b in documents.select("text_a", "text_b").iter_rows()]
    lines = [
        "| pairs | characters of a pair | seconds per verdict | processor seconds |",
        "| --- | ---: | ---: | ---: |",
    ]
    for name, asked in (("sentences", sentences), ("documents (canaries)", whole)):
        wall, spent = time.perf_counter(), time.process_time()
        trained.ask(asked)
        wall, spent = time.perf_counter() - wall, time.process_time() - spent
        chars = np.mean([len(one.document_a) + len(one.document_b) for one in asked])
        lines.append(f"| {name} | {chars:,.0f} | {wall / len(asked):.3f} | {spent / len(asked):.3f} |")
    return "\n".join(lines)


def batching(trained: LocalJudge, pairs: pl.DataFrame) -> str:
    """Ask the same pairs all at once, one at a time, and with others in other order."""
    few = queries(pairs.sample(24, seed=2))
    together = trained.ask(few)
    alone = np.concatenate([trained.ask([one]) for one in few])
    other = trained.ask([*queries(pairs.head(8)), *few[::-1]])[8:][::-1]
    apart = max(float(np.abs(together - one).max()) for one in (alone, other))
    flips = sum(int((together.argmax(1) != one.argmax(1)).sum()) for one in (alone, other))
    return (
        f"{len(few)} pairs asked together, alone and among others: largest difference {apart:.2g}, labels that changed "
        f"{flips}."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--part", choices=("test", "tune"), default="test")
    parser.add_argument("--routed", type=int, default=150, help="routed pairs per source at most")
    parser.add_argument("--sampled", type=int, default=100, help="pairs per source drawn from all")
    parser.add_argument("--bundle", default="default")
    parser.add_argument("--document", type=Path)
    parser.add_argument("--keep", type=Path, help="write the answers here")
    given = parser.parse_args()
    learned = load(given.bundle)
    trained = LocalJudge.load(learned.judge, learned.judge_settings, threads=2)
    pairs = answered(chosen(given.folder, given.part, given.routed, given.sampled), trained)
    if given.keep:
        pairs.write_parquet(given.keep)
    text = report(pairs, trained)
    print(text)
    if given.document:
        write(given.document, text)


def write(document: Path, text: str) -> None:
    """Put the section into the document in place of the one of the same title, or before all others."""
    old = document.read_text(encoding="utf-8") if document.exists() else "# The judge, measured\n\n"
    known = re.compile(rf"^{TITLE}\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
    head, mark, rest = known.sub("", old).partition("## ")
    document.write_text(f"{head}{text}\n{mark}{rest}".rstrip() + "\n", encoding="utf-8")


def report(pairs: pl.DataFrame, trained: LocalJudge) -> str:
    def scored(which: str) -> dict[str, Scores]:
        parts = pairs.filter(which).partition_by("source", as_dict=True, maintain_order=True)
        each = {name: score(part, number) for number, ((name,), part) in enumerate(parts.items())}
        return {**each, "mean of sources": mean(list(each.values()))}

    routed, sampled = scored("routed"), scored("sampled")
    command = f"python tests/benchmarks/{Path(sys.argv[0]).name} ../shared/corpora/pairs"
    return f"""{TITLE}

Written by `{command} --document docs/judge.md`, judge
`{trained.model}`. Held-out pairs that people labelled; nothing in the bundle was trained on any of them. A duplicate is
a paraphrase in MRPC (test part) and Twitter (half of the tweets, by hash), an entailment in SICK (test part), one
product in the offers (test parts). p of the judge is P(duplicate) + P(contained). Intervals are 95 % bootstrap
intervals over {RESAMPLES:,} resamples; pairs that share their first text are drawn together. Routed are the pairs that
a run would ask about (`models.decision.llm_judge.ensemble.route`), without the budget of
{Parameters().judge.max_share:.0%}.

**No run asks about most of these pairs.** They are handed to the judge as a run would hand it what is routed, but two
short texts of other wording are no candidates in `curate`: its cascade asks for shared wording first, and rewrites have
a verifier of their own (`docs/meaning.md`), which does not ask the judge. So these figures say what the judge can tell
apart, not what it adds to a run.

{verdict(routed["mean of sources"])}

### Fused minus automatic, routed pairs

{differences(routed)}

### What it is worth

{effect(pairs)}

### Routed pairs

{table(routed)}

### A sample of all pairs

{table(sampled)}

### Speed and repeatability

Two threads, beginning of the prompt computed before.

{speed(trained, pairs)}

{batching(trained, pairs)}
"""


if __name__ == "__main__":
    main()
