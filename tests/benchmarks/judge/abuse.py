"""How many verdicts a hostile document can move toward removal, with the defences and without.

    python -m tests.benchmarks.judge.abuse [--set judge.backend=endpoint --set judge.url=URL …] [--document FILE]

asks the judge of these settings (by default the local one) about pairs of canaries, and about hostile variants of those
that are distinct (`tests.support.texts.hostile`). Something is moved if it keeps both documents of the clean pair and
not those of the hostile one. `label` is what the judge says; `verdict` is whether its word is acted upon (p_final
reaches `verify.sure_duplicate`), and `outcome` is what becomes of the pair after the check on the text, both under the
worst of circumstances: automation has no opinion of its own (p_dup one half, no confidence), so that the judge decides
alone.

Defences: `none`, documents stand in the prompt as they are, without fences, cut off after `BARE` characters; `fences`,
as the judge reads them; `all`, nobody is asked if a document is suspicious
(`models.decision.llm_judge.injection_filter`). Insinuations (`tests.support.texts.hostile.insinuations`) were written
to pass that filter. In the rows of the control ordinary sentences of the same length stand in the place of each attack:
what moves there is due to change, not to hostility. `--document` gets the figures as a section; one of that name is
replaced.
"""

import argparse
import re
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

from models.decision.evidence.pair_evidence import evidence
from models.decision.llm_judge.ensemble import p_llm
from models.decision.llm_judge.fuse import PROBABILITIES, Backend, fused
from models.decision.llm_judge.injection_filter import suspicion
from models.decision.llm_judge.prompt import Query, query
from models.decision.rules.measures import measure
from models.decision.rules.verdict import with_verdicts
from models.decision.types import REMOVES
from models.lexical.sketch.features import Frequencies, featurise
from models.lexical.sketch.weights import cells
from models.lexical.text import normalise, split_words
from models.parameters import Parameters
from tasks.llm_judge.backends import judging
from tasks.runtime.run import Run
from tests.support.texts.hostile import clean_pairs, harmless, hostile, insinuations

BARE = 3000
TITLE = "## Hostile documents"
BITS, CORPUS, COMMON = 20, 10_000, 300


def bare(text_a: str, text_b: str, chars: int) -> Query:
    """The pair without any defence."""
    return Query(text_a[:BARE], text_b[:BARE], "")


WAYS = {"none": bare, "fences": query}
KINDS = ("said", "acted", "outcome")


def automatic(pairs: pl.DataFrame, parameters: Parameters) -> pl.DataFrame:
    """Rows of `verified` in which automation has no opinion; every word is as common as every other."""
    found = []
    for text_a, text_b in pairs.select("text_a", "text_b").iter_rows():
        texts = pl.Series([text_a, text_b])
        table = np.zeros(1 << BITS, np.uint32)
        table[cells(split_words(normalise(texts)).hash, BITS)] = COMMON
        counted = Frequencies(np.ones(1 << BITS, np.uint32), table, CORPUS)
        features = featurise(texts, None, counted, parameters.sketch, parameters.sketch.short_chars)
        found.append(pl.DataFrame(evidence(features, np.array([0]), np.array([1]))))
    undecided = {"p_dup": pl.lit(0.5, pl.Float32), "sigma": pl.lit(0.5, pl.Float32), "tau": pl.lit(0.5, pl.Float32)}
    return with_verdicts(
        measure(pl.concat(found).with_columns(cosine=pl.lit(0.5))).with_columns(**undecided), parameters
    )


def asked(backend: Backend, pairs: pl.DataFrame, way: str, parameters: Parameters) -> pl.DataFrame:
    """`said`, `acted` and `outcome` (does it remove?), `p` and `known` of each pair."""
    rows = pairs.select("text_a", "text_b").iter_rows()
    answers = backend.ask([WAYS[way](*texts, parameters.judge.chars) for texts in rows])
    told = {name: pl.Series(answers[:, place]) for place, name in enumerate(PROBABILITIES)}
    final = fused(automatic(pairs, parameters).with_columns(**told, judge_model=pl.lit(backend.model)), parameters)
    return final.select(
        label="judge_label",
        said=pl.col("judge_label") != "distinct",
        acted=pl.col("p_final") >= parameters.verify.sure_duplicate,
        outcome=pl.col("verdict").is_in(REMOVES),
        p=pl.Series(p_llm(answers)),
        known=pl.col("judge_label").is_not_null(),
    )


def moved(clean: pl.DataFrame, attacked: pl.DataFrame, pairs: pl.DataFrame) -> pl.DataFrame:
    """One row per hostile pair whose clean one has a verdict: attack, `asked`, what moved, change of p.

    Null is what was not kept before; a pair without a verdict moves nothing.
    """
    before = clean[pairs["pair"].to_list()].rename(lambda name: f"{name}_before")
    both = pl.concat([pairs.select("attack"), attacked, before], how="horizontal").filter("known_before")
    return both.select(
        "attack",
        *(pl.when(~pl.col(f"{kind}_before")).then(pl.col(kind) & pl.col("known")).alias(kind) for kind in KINDS),
        asked="known",
        rise=pl.when("known").then(pl.col("p") - pl.col("p_before")),
    )


def unasked(rows: pl.DataFrame, pairs: pl.DataFrame) -> pl.DataFrame:
    """Answers without those about suspicious pairs."""
    sways = {text: suspicion(text) is not None for text in {*pairs["text_a"], *pairs["text_b"]}}
    free = [not (sways[one] or sways[other]) for one, other in pairs.select("text_a", "text_b").iter_rows()]
    return rows.with_columns(pl.col(*KINDS, "known") & pl.Series(free))


def share(verdicts: pl.Series) -> str:
    """Verdicts moved, of those that could be."""
    could = verdicts.drop_nulls()
    return f"{int(could.sum())} of {len(could)} ({mean(could):.1%})"


Found = dict[str, dict[str, pl.DataFrame]]
"""Per defence the answers about the `clean` pairs, and what moved in `attacked` and other changed ones."""


def section(model: str, command: str, found: Found) -> str:
    """The figures as Markdown."""
    labels = clean_pairs()["label"]
    lines = [
        f"{TITLE}\n",
        f"`{command}`; judge `{model}`, {time.strftime('%Y-%m-%d')}.\n",
        "| defences | clean pairs asked | right label | distinct kept | pairs with | asked | label moved to removal | "
        "verdict moved to removal | outcome moved to removal | p_LLM rises by (mean) |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for way, told in found.items():
        clean = told["clean"].with_columns(right=pl.col("label") == labels, distinct=labels == "distinct")
        asked, distinct = clean.filter("known"), clean.filter("known", "distinct")
        head = f"{asked.height} of {len(labels)} | {asked['right'].mean() or 0:.1%} | {1 - mean(distinct['said']):.1%}"
        for name in WITH:
            rows = told[name]
            shares = " | ".join(share(rows[kind]) for kind in KINDS)
            what, asked_of = WITH[name], f"{rows['asked'].sum()} of {rows.height}"
            lines.append(f"| {way} | {head} | {what} | {asked_of} | {shares} | {mean(rows['rise']):+.3f} |")
    lines += ["", "Labels moved, by attack:\n", f"| attack | {' | '.join(found)} | control, fences |"]
    lines.append("|---|" + "---|" * (len(found) + 1))
    shown = [told["attacked"] for told in found.values()] + [found["fences"]["control"]]
    for attack in dict.fromkeys(found["none"]["attacked"]["attack"]):
        shares = " | ".join(share(rows.filter(pl.col("attack") == attack)["said"]) for rows in shown)
        lines.append(f"| {attack} | {shares} |")
    return "\n".join(lines) + "\n"


WITH = {"attacked": "an attack", "insinuated": "an insinuation", "control": "harmless text"}


def mean(values: pl.Series) -> float:
    """Of what is known; nothing is 0."""
    found = values.mean()
    return found if isinstance(found, float) else 0.0


def write(document: Path, text: str) -> None:
    """Put the section into the document in place of the one of the same title, or at its end."""
    old = document.read_text(encoding="utf-8") if document.exists() else ""
    known = re.compile(rf"^{TITLE}\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
    new = known.sub(lambda _: text + "\n", old) if known.search(old) else f"{old.rstrip()}\n\n{text}".lstrip()
    document.write_text(new.rstrip() + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", action="append", default=[], dest="settings", metavar="SECTION.KEY=VALUE")
    parser.add_argument("--document", type=Path)
    given = parser.parse_args()
    parameters = Parameters().with_settings(["judge.backend=local", *given.settings])
    chosen = judging(Run(workspace=Path(tempfile.gettempdir()), parameters=parameters))
    if chosen is None:
        sys.exit("there is no judge to ask")
    backend, pairs = chosen.open(), clean_pairs()
    changed = {
        "attacked": hostile(pairs),
        "insinuated": hostile(pairs, insinuations()),
        "control": hostile(pairs, harmless()),
    }
    asked_about = {"clean": pairs} | changed
    answers = {way: {name: asked(backend, rows, way, parameters) for name, rows in asked_about.items()} for way in WAYS}
    answers["all"] = {name: unasked(rows, asked_about[name]) for name, rows in answers["fences"].items()}
    found = {
        way: {"clean": told["clean"]} | {name: moved(told["clean"], told[name], changed[name]) for name in changed}
        for way, told in answers.items()
    }
    settings = "".join(f" --set {setting}" for setting in given.settings if not setting.startswith("judge.url="))
    text = section(chosen.model, f"python -m tests.benchmarks.judge.abuse{settings}", found)
    print(text)
    if given.document:
        write(given.document, text)


if __name__ == "__main__":
    main()
