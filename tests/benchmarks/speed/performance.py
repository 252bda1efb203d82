"""Time our command and its peers on the same corpora, whole processes by turns, and write the page about it.

    python -m tests.benchmarks.speed.performance [CORPORA] --work DIR [--sizes 10k,30k,100k] [--runs 3]
        [--peers gaoya,daft] [--exact 100k] [--document docs/performance.md --chart docs/images/performance.svg]

Makes what is missing under DIR: corpora (`corpora.py`), an environment per peer (`environments.py`), results. A result
that is there is not taken again as long as contender, corpus and, for ours, our code are the same; so a session that
was broken off goes on, and several sessions with other `--sizes` and `--peers` add up to one page. Every contender runs
once on a small corpus before it is timed, so that nobody compiles or fills a cache within a timed run.

`--exact SIZE` compares what each contender removes on that corpus with all pairs of Jaccard 0.8 (`exact_jaccard.py`).
Figures are of whole processes with all that they start (`processes.py`). With `--peers none` only ours run.
"""

import argparse
import functools
import hashlib
import json
import shutil
import sys
from pathlib import Path
from typing import Any, NamedTuple

from tests.benchmarks.common.pages import replace_section
from tests.benchmarks.common.processes import Cost, measured
from tests.benchmarks.speed import outcomes, page
from tests.benchmarks.speed.contenders import OURS, PEERS_KNOWN, ROOT, SHORT_CHARS, Contender, Ready, ready
from tests.benchmarks.speed.exact_jaccard import reference

MODULE = (sys.executable, "-m")
EVERYONE = [*OURS.values(), *PEERS_KNOWN.values()]
WARM = "1k"
STAGES_OF = "100k"
"""The corpus whose stages are shown, beside those of the largest."""
OWN = ("flows", "tasks", "models", "sql", "data_contracts")


class Result(NamedTuple):
    """One timed run; `stages` and `amounts` are of ours only."""

    name: str
    size: str
    run: int
    version: str
    documents: int
    megabytes: float
    cost: Cost
    removed: int
    trouble: str
    stages: dict[str, dict[str, Any]]
    amounts: dict[str, float]


class Laboratory:
    """The folder in which corpora, environments and results lie."""

    def __init__(self, work: Path, texts: Path | None, seed: int) -> None:
        self.work, self.texts, self.seed = work, texts, seed
        self.ready: dict[str, Ready | str] = {}

    def corpus(self, size: str) -> Path:
        """Part files of a corpus of that many documents; its card is written last."""
        folder = self.work / "corpora" / size
        if not (folder / "card.json").exists():
            told = [*([str(self.texts)] if self.texts else []), "--seed", str(self.seed), "--out", str(folder)]
            made = [*MODULE, "tests.benchmarks.common.corpora", "--documents", str(number(size)), *told]
            cost = measured(made, self.work / "logs" / f"corpus-{size}.log")
            if cost.code:
                raise SystemExit(f"no corpus of {size}: see {self.work / 'logs' / f'corpus-{size}.log'}")
        return folder

    def prepare(self, one: Contender) -> None:
        """Make a contender ready and let it run once untimed, or note why it cannot."""
        self.ready[one.name] = ready(one, self.work)
        self.take(one, WARM, 0)

    def take(self, one: Contender, size: str, run: int) -> None:
        """Time one contender on one corpus, unless that has been done."""
        path, made = self._path(one, size, run), self.ready[one.name]
        if isinstance(made, str) or (path.exists() and not json.loads(path.read_text())["trouble"]):
            return
        corpus, out = self.corpus(size), self.work / "runs" / one.name
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        log = self.work / "logs" / f"{one.name}-{size}-{run}.log"
        cost = measured(made.command(corpus, out), log, ROOT, made.env)
        trouble = f"ended with {cost.code}: {_last_line(log)}" if cost.code else ""
        removed = [] if trouble else outcomes.removed(out, corpus)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".txt").write_text("".join(f"{name}\n" for name in removed))
        card = json.loads((corpus / "card.json").read_text())
        ours = not (one.driver or trouble)
        result = Result(
            one.name, size, run, made.version, card["documents"], outcomes.megabytes(corpus), cost, len(removed),
            trouble, outcomes.stages(out) if ours else {}, outcomes.amounts(out) if ours else {},
        )  # fmt: skip
        path.write_text(json.dumps(result._asdict() | {"cost": cost._asdict()}, indent=1) + "\n")
        shutil.rmtree(out)
        print(f"{one.name:<16} {size:>5} run {run}: {cost.cpu:8.2f} CPU s {cost.wall:8.2f} s {cost.memory_mb:7.0f} MB "
              f"{len(removed):>8,} removed {trouble}", flush=True)  # fmt: skip

    def results(self, contenders: list[Contender]) -> list[Result]:
        """All timed runs that are there and still hold."""
        found = []
        for one in contenders:
            for folder in sorted((self.work / "results").iterdir()):
                for path in sorted(folder.glob(f"{self._name(one, folder.name)}-[1-9]*.json")):
                    told = json.loads(path.read_text())
                    found.append(Result(**told | {"cost": Cost(**told["cost"])}))
        return sorted(found, key=lambda one: (one.documents, one.name, one.run))

    def removed(self, one: Contender, size: str) -> set[str] | None:
        """What a contender removed on one corpus, from its first run that is there."""
        found = sorted((self.work / "results" / size).glob(f"{self._name(one, size)}-[1-9]*.txt"))
        return set(found[0].read_text().splitlines()) if found else None

    def rates(self, size: str) -> dict[str, float]:
        """What the machine can do at most, on the documents of a corpus, as `bounds.py` measures it now."""
        log = self.work / "logs" / f"bounds-{size}.json"
        measured([*MODULE, "tests.benchmarks.speed.bounds", str(self.corpus(size))], log)
        return json.loads(log.read_text())

    def _path(self, one: Contender, size: str, run: int) -> Path:
        return self.work / "results" / size / f"{self._name(one, size)}-{run}.json"

    def _name(self, one: Contender, size: str) -> str:
        """The contender, and a fingerprint of all that a result depends on."""
        code = [] if one.driver else [path.read_bytes() for folder in OWN for path in sorted((ROOT / folder).rglob("*"))
                                      if path.suffix in (".py", ".sql", ".safetensors", ".json", ".txt")]  # fmt: skip
        recipe = json.dumps([one.recipe, self._digest(size)]).encode()
        return f"{one.name}-{hashlib.sha256(b''.join([recipe, *code])).hexdigest()[:10]}"

    @functools.cache  # noqa: B019 there is one laboratory
    def _digest(self, size: str) -> str:
        whole = hashlib.sha256()
        for part in sorted(self.corpus(size).glob("part-*.parquet")):
            whole.update(part.read_bytes())
        return whole.hexdigest()


def number(size: str) -> int:
    """10k is 10,000 and 1M a million."""
    return int(float(size.rstrip("kM")) * {"k": 1000, "M": 1_000_000}.get(size[-1], 1))


def _last_line(log: Path) -> str:
    lines = log.read_text(errors="replace").strip().splitlines()
    return lines[-1][:300] if lines else "no word"


def main() -> None:
    """Make, time, compare, write."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("texts", metavar="CORPORA", type=Path, nargs="?")
    asked.add_argument("--work", type=Path, required=True, help="scratch folder; 10 GB for the peers, 10 kB a document")
    asked.add_argument("--sizes", default="10k,30k,100k")
    asked.add_argument("--runs", type=int, default=3)
    asked.add_argument("--peers", default="all", help=f"all, none, or some of {', '.join(PEERS_KNOWN)}")
    asked.add_argument("--ours", default="all", help=f"all, none, or some of {', '.join(OURS)}")
    asked.add_argument("--exact", metavar="SIZE", help="compare removals on this corpus with all pairs")
    asked.add_argument("--document", type=Path, help="page to write, from all results under DIR")
    asked.add_argument("--chart", type=Path, help="plot to write (SVG)")
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    lab = Laboratory(given.work.resolve(), given.texts.resolve() if given.texts else None, given.seed)
    sizes = sorted(given.sizes.split(","), key=number)
    chosen = [*some(OURS, given.ours), *some(PEERS_KNOWN, given.peers)]
    for one in chosen:
        lab.prepare(one)
    for run in range(1, given.runs + 1):
        for size in sizes:
            for one in chosen[run % len(chosen) :] + chosen[: run % len(chosen)] if chosen else []:
                lab.take(one, size, run)
    for name, text in sections(lab, given.exact).items():
        print(f"\n{text}")
        if given.document:
            replace_section(given.document, name, text)
    if given.chart:
        given.chart.write_text(page.chart(page.summaries(lab.results(EVERYONE))) + "\n")


def sections(lab: Laboratory, exact: str | None) -> dict[str, str]:
    """What the page is made of, from all results that are there."""
    results = lab.results(EVERYONE)
    header = page.header(results, lab.texts is not None, EVERYONE)
    found = page.summaries(results)
    versions = {one.name: one.version for one in results}
    unready = {name: made for name, made in lab.ready.items() if isinstance(made, str)}
    told = {
        "timed": f"{header}\n\n{page.timed(found)}",
        "growth": page.growth(found),
        "configurations": page.configurations(EVERYONE, versions, unready),
    }
    whole = [one for one in results if one.stages]
    if whole:
        rate = lab.rates(whole[-1].size)
        shown = [size for size in dict.fromkeys(one.size for one in whole) if size in (STAGES_OF, whole[-1].size)]
        tables = [
            page.stages(runs, rate)
            for size in shown
            for name in OURS
            if (runs := [one for one in whole if (one.size, one.name) == (size, name)])
        ]
        told["stages"] = "\n\n".join([page.rates(rate), *tables])
    if exact:
        truth = reference(lab.corpus(exact), SHORT_CHARS)
        removed = {one.name: gone for one in EVERYONE if (gone := lab.removed(one, exact)) is not None}
        told["exact"] = f"The same with `--exact {exact}`.\n\n{page.exact(truth, removed)}"
    return {name: text for name, text in told.items() if text}


def some(known: dict[str, Contender], names: str) -> list[Contender]:
    """Contenders by name."""
    wanted = {"all": list(known), "none": []}.get(names, names.split(","))
    return [known[name] for name in wanted]


if __name__ == "__main__":
    main()
