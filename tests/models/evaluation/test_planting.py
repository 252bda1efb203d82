"""Canaries made of a corpus: what they are, that only its texts decide, and that they touch nothing of the user's."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import polars as pl
import pytest
import xxhash

from models.evaluation.canaries import PREFIX, fragments, named, truth
from models.evaluation.planting import plant
from models.evaluation.synthesis.corpus.labelled import SAME
from models.evaluation.synthesis.material.splitting import plain
from models.lexical.sketch.shingles import shingle
from models.lexical.text import normalise, split_words
from models.parameters import Parameters
from tasks.explain.archive import Archive
from tasks.ingest.canaries import DRAWN, LEAST_TEXTS, Drawing
from tasks.snapshots.layout import manifest
from tests.support import ROOT
from tests.support.runs import SETTINGS, curate, real_texts, refresh, table

pytestmark = pytest.mark.flows

OWN = pl.col("canary").str.split("/").list.get(1).str.contains("-")
"""Is a canary made of the corpus?"""
CANARIES = "gate.canaries=true"
ANY_LOSS = ("gate.max_content_lost=1", "gate.max_source_content_lost=1")


@pytest.fixture(scope="session")
def texts(tmp_path_factory) -> pl.DataFrame:
    return real_texts(tmp_path_factory.mktemp("planting"), 420)


@pytest.fixture(scope="session")
def planted(texts) -> pl.DataFrame:
    return named(plant(texts["text"].to_list(), 8, 5, 3))


@pytest.fixture(scope="session")
def twice(texts, tmp_path_factory) -> tuple[Path, Path]:
    """Output folders of the same corpus with canaries and without."""
    folder = tmp_path_factory.mktemp("twice")
    texts.write_parquet(folder / "corpus.parquet")
    for name, asked in (("with", CANARIES), ("without", "gate.canaries=false")):
        curate(
            [folder / "corpus.parquet"],
            folder / name,
            (*SETTINGS, *ANY_LOSS, asked),
        )
    return folder / "with", folder / "without"


def shingles(text: str) -> set[int]:
    normalised = normalise(pl.Series([text]))
    return set(shingle(normalised, split_words(normalised), 280).hash.tolist())


def test_every_type_is_planted_by_several_families(planted):
    labels = truth(planted)
    groups = dict(labels.group_by("type").agg(pl.col("group_id").n_unique()).iter_rows())
    wanted = {"A": 8, "B": 8, "C": 8, "D": 8, "F": 12}
    assert all(2 <= groups[kind] <= number for kind, number in wanted.items()), groups
    assert groups["E"] >= 1
    families = labels.with_columns(family=pl.col("group_id").str.split("-").list.get(1))
    known = dict(families.group_by("type").agg(pl.col("family").n_unique()).iter_rows())
    assert known["A"] >= 2 and known["B"] >= 2 and known["C"] >= 5 and known["D"] >= 3 and known["F"] >= 4
    assert set(labels["role"]) == {"canonical", "variant", "parent", "child", "host", "lookalike", "neighbour"}
    hot = labels.filter(pl.col("type") == "B").group_by("group_id").len()["len"].sort(descending=True)
    assert hot[0] >= 7  # as many copies as groups are wanted, but for what another one says word for word
    assert planted["canary_id"].is_unique().all() and planted["canary_id"].str.starts_with(PREFIX).all()


def test_groups_have_little_in_common_and_members_differ(planted):
    rows = truth(planted).with_columns(text=planted["text"])
    held = [(group, shingles(text)) for group, text in rows.select("group_id", "text").iter_rows()]
    for number, (group, grams) in enumerate(held):
        for other, others in held[number + 1 :]:
            if group != other:
                # What half of all documents hold counts here, and not where groups are left out.
                assert len(grams & others) <= SAME * min(len(grams), len(others)), (group, other)
    for _, same in rows.filter(pl.col("type") != "E").group_by("group_id"):
        assert len({plain(text) for text in same["text"]}) == same.height >= 2


def test_viral_passages_stand_where_the_labels_say(planted):
    known = dict(planted.select("canary_id", "text").iter_rows())
    places = fragments(planted)
    assert places["fragment_id"].n_unique() >= 2
    for _, hosts in places.group_by("fragment_id"):
        passages = Counter(known[name][start:end] for name, start, end in hosts.select("doc_id", "start", "end").rows())
        (passage, exact), *changed = passages.most_common()
        assert hosts.height > 5 and exact > hosts.height / 2 and 60 <= len(passage) <= 400
        words = set(passage.split())
        assert all(len(words - {*other.split()}) <= 2 for other, _ in changed)


def test_the_same_texts_give_the_same_canaries_in_another_process(texts, planted, tmp_path):
    texts.write_parquet(tmp_path / "texts.parquet")
    code = (
        "import polars as pl; from models.evaluation.canaries import named; "
        "from models.evaluation.planting import plant; "
        f"texts = pl.read_parquet({str(tmp_path / 'texts.parquet')!r})['text'].to_list(); "
        f"named(plant(texts, 8, 5, 3)).write_parquet({str(tmp_path / 'again.parquet')!r})"
    )
    environment = {"PYTHONHASHSEED": "77", "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)
    assert pl.read_parquet(tmp_path / "again.parquet").equals(planted)
    assert not named(plant(texts["text"].to_list(), 8, 5, 4)).equals(planted)


def drawn(texts: list[str], *borders: int) -> pl.DataFrame:
    drawing = Drawing()
    for start, stop in zip((0, *borders), (*borders, len(texts)), strict=True):
        part = texts[start:stop]
        hashes = [xxhash.xxh3_128_hexdigest(text.encode()) for text in part]
        drawing.add(pl.Series(part, dtype=pl.String), hashes, [text.strip().lower() for text in part])
    return drawing.planted(Parameters())


def test_neither_order_nor_parts_show_in_what_is_drawn(texts):
    whole = [*texts["text"].to_list(), *(f"{text} " for text in texts["text"].head(40))]
    one = drawn(whole)
    assert one.equals(drawn(whole[::-1], 1, 17, 300))
    assert one.filter(OWN).height > 60


def test_of_many_documents_few_are_held():
    many = [f"Document number {number} says {number * 7} things." for number in range(3 * DRAWN)]
    drawing = Drawing()
    for start in range(0, len(many), 500):
        part = many[start : start + 500]
        hashes = [xxhash.xxh3_128_hexdigest(text.encode()) for text in part]
        drawing.add(pl.Series(part), hashes, hashes)
    expected = sorted((xxhash.xxh3_128_hexdigest(text.encode()), text) for text in many)[:DRAWN]
    assert drawing._held.select("text_id", "text").rows() == expected


def test_a_small_corpus_gets_the_built_in_ones(texts):
    few = drawn(texts["text"].to_list()[: LEAST_TEXTS - 1])
    assert few.height == 194 and few.filter(OWN).is_empty()


def test_canaries_are_never_published_and_change_nothing_of_the_users(twice):
    with_them, without = (Archive((out / "current").resolve()) for out in twice)
    assert len(with_them.manifest["estimates"]) == 10 and without.manifest["estimates"] == []
    for name in ("decisions", "documents", "fragment_spans", "fragments", "verified", "rejects"):
        one, other = (archive.table(name).collect() for archive in (with_them, without))
        if name == "fragments":  # numbers behind those of the user's passages are of planted ones
            one = one.join(
                with_them.table("fragment_spans").collect(), on="fragment", how="semi", maintain_order="left"
            )
            other = other.join(
                without.table("fragment_spans").collect(), on="fragment", how="semi", maintain_order="left"
            )
        assert one.equals(other), name
        assert not any(PREFIX in str(row) for row in one.iter_rows()), name
    for name in ("documents", "extras", "embeddings", "signatures", "windows"):
        one, other = (pl.read_parquet(archive.path / "index" / name / "*.parquet") for archive in (with_them, without))
        number = "semhash_doc" if name == "extras" else "doc"
        assert one.filter(pl.col(number) < 420).equals(other), name


def test_canaries_count_apart_in_every_stage(twice):
    one, other = (table((out / "current").resolve(), "stage_metrics").sort("position") for out in twice)
    figures = ["stage", "documents_in", "documents_out", "pairs_in", "pairs_out", "pass_rate"]
    assert one.select(figures).equals(other.select(figures))
    assert other.select(pl.sum("planted_in", "planted_out")).row(0) == (0, 0)
    counted = {row["stage"]: (row["planted_in"], row["planted_out"]) for row in one.iter_rows(named=True)}
    documents = counted["collapse"][0]
    assert documents > 100 and counted["extract"] == (0, 0)
    signed = counted["sign"][1]
    assert counted["block"][0] == signed * (signed - 1) // 2 and 0 < counted["block"][1] < counted["block"][0]
    assert 0 < counted["verify"][1] <= counted["verify"][0] == counted["route"][1]
    assert counted["decide"][0] == documents > counted["decide"][1] > 0
    made = manifest((twice[0] / "current").resolve())
    assert made["counts"] == manifest((twice[1] / "current").resolve())["counts"]


def test_the_estimate_says_how_much_it_rests_on(twice):
    made = {fate["score"]: fate for fate in manifest((twice[0] / "current").resolve())["estimates"]}
    for score in ("S_A", "S_B", "S_C", "S_D", "S_P", "preservation", "precision", "listed"):
        assert 0 <= made[score]["low"] <= made[score]["share"] <= made[score]["high"] <= 1
        assert 0 <= made[score]["right"] <= made[score]["cases"]
    assert made["S_B"]["share"] > 0.5 and made["preservation"]["share"] > 0.8


def test_a_night_plants_its_own(twice, texts, tmp_path):
    arrivals = tmp_path / "tonight.parquet"
    texts.head(30).with_columns(doc_id="tonight-" + pl.col("doc_id"), text="Tonight: " + pl.col("text")).write_parquet(
        arrivals
    )
    night = refresh([arrivals], twice[0])
    stages = table(night, "stage_metrics").sort("position")
    counted = {row["stage"]: row for row in stages.iter_rows(named=True)}
    assert counted["present"]["planted_in"] > 100 and counted["admit"]["planted_in"] == 0
    assert counted["collapse"]["documents_in"] <= 60 and counted["verify"]["planted_in"] > 0
    assert all(
        row[name] is None or row[name] >= 0 for row in counted.values() for name in row if name[-3:] in ("_in", "out")
    )
    assert {fate["score"] for fate in manifest(night)["estimates"]} >= {"S_A", "S_C", "S_E", "preservation"}
    assert not table(night, "decisions")["doc_id"].str.starts_with(PREFIX).any()
