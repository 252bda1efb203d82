"""The lexical lane alone: what it removes is what an exact comparison of all pairs removes."""

import random
import re
from itertools import combinations
from pathlib import Path

import polars as pl
import pytest

from models.parameters import Parameters
from tests.support.runs import curate, refresh

pytestmark = pytest.mark.flows

LANE = (
    "encoder.name=none",
    "prescreen.min_shared=0",
    "cascade.routing=lexical",
    "sketch.use_attention=false",
    "sketch.use_idf=false",
    "sketch.short_chars=0",
    "verify.decider=fixed",
)


def shingles(text: str) -> set[str]:
    words = re.findall(r"\w+", text.lower())
    return {" ".join(words[at : at + 5]) for at in range(max(len(words) - 4, 1))}


def jaccard(a: set[str], b: set[str]) -> float:
    return len(a & b) / len(a | b)


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """Texts of distinct words, and copies of them with more and more words replaced."""
    draw = random.Random(1)
    made = {}
    for base in range(60):
        words = [f"w{draw.randrange(100_000)}" for _ in range(120)]
        for copy, changes in enumerate((0, 1, 2, 3, 6, 12)):
            edited = list(words)
            for at in draw.sample(range(len(words)), changes):
                edited[at] = f"x{draw.randrange(100_000)}"
            made[f"{base:02}-{copy}"] = " ".join(edited)
    return made


@pytest.fixture(scope="module")
def snapshot(texts, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("lane")
    table = pl.DataFrame({"doc_id": list(texts), "text": list(texts.values())})
    table.write_parquet(folder / "texts.parquet")
    return curate([folder / "texts.parquet"], folder / "out", LANE)


def test_every_removal_and_no_other_has_a_survivor_at_jaccard_eight_tenths(texts, snapshot):
    decisions = pl.read_parquet(snapshot / "decisions" / "*.parquet")
    grams = {name: shingles(text) for name, text in texts.items()}
    removed = decisions.filter(pl.col("action") == "remove")
    assert 100 < removed.height < 300
    assert all(jaccard(grams[row["doc_id"]], grams[row["survivor_id"]]) >= 0.8 for row in removed.iter_rows(named=True))
    kept = sorted(decisions.filter(pl.col("action") != "remove")["doc_id"])
    assert max(jaccard(grams[a], grams[b]) for a, b in combinations(kept, 2) if a[:2] == b[:2]) < 0.8


def test_nothing_is_said_of_meaning(snapshot):
    metrics = pl.read_parquet(snapshot / "stage_metrics" / "*.parquet")
    found = dict(metrics.select("stage", "pairs_out").iter_rows())
    assert found["block"] == found["nest"] == 0
    assert not pl.read_parquet(snapshot / "fragment_spans" / "*.parquet").height


@pytest.mark.slow
def test_a_night_goes_on_by_wording_alone(texts, snapshot, tmp_path):
    arrived = {"new": " ".join(f"y{at}" for at in range(120)), "again": texts["00-0"] + " more"}
    pl.DataFrame({"doc_id": list(arrived), "text": list(arrived.values())}).write_parquet(tmp_path / "new.parquet")
    after = refresh([tmp_path / "new.parquet"], snapshot.parents[1])
    decisions = pl.read_parquet(after / "decisions" / "*.parquet").filter(pl.col("doc_id").is_in(list(arrived)))
    assert dict(decisions.select("doc_id", "action").iter_rows()) == {"new": "keep", "again": "remove"}


def test_what_needs_meaning_is_refused_without_an_encoder():
    with pytest.raises(ValueError, match=r"also set cascade\.routing=lexical, verify\.decider=fixed or rules"):
        Parameters().with_settings(["encoder.name=none", "sketch.use_attention=false", "verify.decider=network"])
