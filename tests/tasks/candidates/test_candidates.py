"""Candidate search over synthetic signatures against all pairs tried one by one; stars where that would explode."""

from itertools import combinations
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import tasks.candidates.postings
from models.parameters import Parameters
from tasks.candidates.containment_sampling import nest
from tasks.candidates.hamming_blocking import block
from tasks.candidates.lsh_banding import band
from tasks.candidates.merge import contained_enough, route
from tasks.encode.signatures import sign
from tasks.ingest.document_frequencies import count
from tasks.runtime.run import Run
from tasks.storage.stage import Stage
from tasks.storage.tables import about, parts, scan
from tests.support.made_up import made_up
from tests.support.processes.unruly import at_work
from tests.support.texts.near_copies import near_copies, tables_of

N, SLOTS, ROWS, BANDS = 300, 16, 2, 8
LOOSE = ("cascade.hot_bucket=1000", "cascade.crowd=1000000", "containment.hot_shingle=1000")
PART = 128


def run_in(folder, *settings):
    return Run(workspace=folder, parameters=Parameters().with_settings(list(settings)))


def synthetic(seed=0):
    """Signatures of N documents in groups of near ones, one in ten of them planted; doc numbers have gaps."""
    random = np.random.default_rng(seed)
    doc = np.sort(random.choice(4 * N, N, replace=False)).astype(np.int64)
    group = random.integers(0, N // 6, N)
    code = random.integers(0, 2**64, N // 6, dtype=np.uint64)[group]
    for flips in range(8):
        hit = random.random(N) < 0.6 - 0.05 * flips
        code = np.where(hit, code ^ (np.uint64(1) << random.integers(0, 64, N).astype(np.uint64)), code)
    sketch = random.integers(0, 2**32, (N // 6, SLOTS), dtype=np.uint32)[group]
    keep = random.random((N, SLOTS)) < random.random((N, 1))
    sketch = np.where(keep, sketch, random.integers(0, 2**32, (N, SLOTS), dtype=np.uint32))
    held = random.integers(2, BANDS + 1, N)
    bands = [
        [hash((at, *row[ROWS * at : ROWS * at + ROWS])) % 2**64 for at in range(most)]
        for row, most in zip(sketch.tolist(), held.tolist(), strict=True)
    ]
    angle = random.random(N)
    vector = np.stack([np.cos(angle), np.sin(angle)], axis=1).astype(np.float16)
    family = [random.choice(2**40, 30, replace=False) + 2**40 * number for number in range(N // 6)]
    sample = [np.unique(random.choice(family[number], random.integers(0, 25))).tolist() for number in group]
    return pl.DataFrame(
        {
            "doc": doc,
            "code": code,
            "sketch": pl.Series(sketch),
            "bands": pl.Series(bands, dtype=pl.List(pl.UInt64)),
            "sample": pl.Series(sample, dtype=pl.List(pl.UInt64)),
            "vector": pl.Series(list(vector), dtype=pl.List(pl.Float16)),
            "planted": random.random(N) < 0.1,
            "mass": random.uniform(1, 4, N).astype(np.float32),
        }
    )


def stored(run, signatures):
    """The tables `documents`, `embeddings` and `signatures`, the latter two in several parts."""
    documents, embedded, signed = (Stage(run, made_up(name), []) for name in ("documents", "embeddings", "signatures"))
    with documents, embedded, signed:
        planted = pl.when("planted").then(pl.lit("F/0/lookalike0"))
        documents.write(0, signatures.select("doc", canary=planted))
        for index, first in enumerate(range(0, max(signatures.height, 1), PART)):
            embedded.write(index, signatures.select("doc", "vector").slice(first, PART))
            signed.write(index, signatures.drop("planted", "vector").slice(first, PART))
    return documents.ref, embedded.ref, signed.ref


def expected_pairs(signatures, related):
    """Pairs (a, b) of one world for which `related(row, row)` holds."""
    rows = signatures.to_dicts()
    return {
        (one["doc"], other["doc"])
        for one, other in combinations(rows, 2)
        if one["planted"] == other["planted"] and related(one, other)
    }


def hamming(one, other):
    return (one["code"] ^ other["code"]).bit_count()


def shares_band(one, other):
    return not set(one["bands"]).isdisjoint(other["bands"])


def nested(one, other, ratio=0.75):
    a, b = set(one["sample"]), set(other["sample"])
    shared, smaller = len(a & b), min(len(a), len(b))
    return bool(a and b) and (shared >= ratio * smaller or (shared >= 8 and shared >= 0.5 * smaller))


def alike(one, other):
    return np.mean(np.array(one["sketch"]) == np.array(other["sketch"]))


def found_pairs(table):
    found = scan(table).collect()
    assert found.select("a", "b").is_duplicated().sum() == 0, "a pair came twice"
    return set(found.select("a", "b").rows())


@pytest.fixture(scope="module")
def signatures():
    return synthetic()


@pytest.fixture(scope="module")
def searched(signatures, tmp_path_factory):
    """The three routes without any star."""
    run = run_in(tmp_path_factory.mktemp("loose"), *LOOSE)
    documents, embedded, signed = stored(run, signatures)
    return run, (documents, embedded, signed), [one.fn(run, documents, signed) for one in (block, band, nest)]


def test_the_semantic_route_is_all_pairs_within_the_radius(signatures, searched):
    blocked = searched[2][0]
    expected = expected_pairs(signatures, lambda one, other: hamming(one, other) <= 8)
    assert found_pairs(blocked) == expected and len(expected) > 100
    rows = {row["doc"]: row for row in signatures.to_dicts()}
    assert all(distance == hamming(rows[a], rows[b]) for a, b, distance in scan(blocked).collect().rows())
    assert about(blocked)["counts"] == {"pairs_in": N * (N - 1) // 2, "pairs_out": len(expected)}
    assert about(blocked)["facts"]["pairs_skipped"] == 0


def test_the_lexical_route_is_all_pairs_that_share_a_band(signatures, searched):
    expected = expected_pairs(signatures, shares_band)
    assert found_pairs(searched[2][1]) == expected and len(expected) > 100
    assert about(searched[2][1])["counts"]["pairs_out"] == len(expected)


def test_the_containment_route_is_all_pairs_whose_samples_nest(signatures, searched):
    expected = expected_pairs(signatures, nested)
    assert found_pairs(searched[2][2]) == expected and len(expected) > 20


@pytest.mark.parametrize(("shared", "met"), [(30, 1 << 21), (30, 20), (10**6, 20)])
def test_workers_that_own_shares_of_the_keys_make_the_same_bytes(searched, tmp_path, monkeypatch, shared, met):
    monkeypatch.setattr(tasks.candidates.postings, "SHARED", shared)
    monkeypatch.setattr(tasks.candidates.postings, "MET", met)
    _, (documents, _, signed), routes = searched
    run = run_in(tmp_path, *LOOSE)
    for stage, alone in zip((block, band, nest), routes, strict=True):
        with at_work(together=1, i0=1):
            made = stage.fn(run, documents, signed)
        files = [sorted(Path(table.path).glob("[!_]*")) for table in (alone, made)]
        assert [path.read_bytes() for path in files[0]] == [path.read_bytes() for path in files[1]]
        assert about(alone)["facts"] == about(made)["facts"]
        assert not list(Path(made.path).glob(".*"))


def test_ranges_of_documents_cut_a_table_and_nothing_else(searched, tmp_path, monkeypatch):
    monkeypatch.setattr(tasks.candidates.postings, "RANGE", 1)
    monkeypatch.setattr(tasks.candidates.hamming_blocking, "RANGE", 1)
    _, (documents, _, signed), routes = searched
    for stage, whole in zip((block, band, nest), routes, strict=True):
        made = stage.fn(run_in(tmp_path, *LOOSE), documents, signed)
        assert scan(made).collect().equals(scan(whole).collect())
        assert len(parts(made)) == len(parts(signed))


@pytest.mark.slow
@pytest.mark.parametrize("routing", ["union", "cascade"])
def test_routes_are_joined_and_held_to_their_bars(signatures, searched, routing, tmp_path, monkeypatch):
    run, tables, routes = searched
    bars = ["cascade.min_similarity=0.3", "cascade.min_similarity_semantic=0.1", "cascade.min_contained=0.6"]
    bars += [f"cascade.routing={routing}"]
    run = run.model_copy(update={"parameters": Parameters().with_settings([*LOOSE, *bars])})
    rows = {row["doc"]: row for row in signatures.to_dicts()}
    blocked, banded, contained = (found_pairs(one) for one in routes)
    expected, distant, apart = {}, 0, 0
    for pair in blocked | banded | contained:
        similarity = alike(*(rows[doc] for doc in pair))
        both = pair in blocked and pair in banded
        name = "both" if both else "semantic" if pair in blocked else "lexical" if pair in banded else "containment"
        one, other = (rows[doc] for doc in pair)
        near = pair in blocked and hamming(one, other) <= run.parameters.cascade.variant_radius
        close = near and np.dot(one["vector"], other["vector"]) >= run.parameters.verify.tau_semantic
        distant += near and not close
        common = similarity * (one["mass"] + other["mass"]) / (1 + similarity)
        held = common >= 0.6 * min(one["mass"], other["mass"])
        alike_enough = similarity >= (0.1 if name == "semantic" else 0.3)
        apart += alike_enough and not held
        enough = close or (alike_enough and held)
        if pair in contained or (enough and (both or routing == "union")):
            expected[pair] = (name, pytest.approx(similarity))
    monkeypatch.setattr(tasks.candidates.merge, "MERGED", 500)
    made = route.fn(run, *tables, *routes)
    assert len(parts(made)) > 1
    with at_work(together=1, i0=1):
        shared = route.fn(run.model_copy(update={"workspace": tmp_path}), *tables, *routes)
    assert [path.read_bytes() for path in parts(made)] == [path.read_bytes() for path in parts(shared)]
    assert not list(Path(made.path).glob(".*")) + list(Path(shared.path).glob(".*"))
    found = {(a, b): (name, similarity) for a, b, name, similarity in
             scan(made).select("a", "b", "route", "similarity").collect().iter_rows()}  # fmt: skip
    assert found == expected and distant > 5 and apart > 5
    assert {name for name, _ in found.values()} == {"semantic", "lexical", "both", "containment"}
    merged = len(blocked | banded | contained) if routing == "union" else len((blocked & banded) | contained)
    assert about(made)["counts"] == {"pairs_in": merged, "pairs_out": len(expected)}


@pytest.mark.parametrize(("held", "enough"), [(0, False), (7, False), (8, True), (10, True)])
def test_a_smaller_text_is_held_by_as_much_as_both_have_in_common(held, enough):
    """Masses 10 and 40, of which `held` is common: similarity held / (50 - held), and held / 10 of the smaller one."""
    alike = np.array([held / (50 - held)], np.float32)
    small, large = np.full(1, 10, np.float32), np.full(1, 40, np.float32)
    assert contained_enough(alike, small, large, 0.75).tolist() == [enough]
    assert contained_enough(alike, large, small, 0.75).tolist() == [enough]


def test_stars_leave_out_pairs_and_say_how_many(searched, tmp_path):
    _, (documents, _, signed), (blocked, banded, _) = searched
    run = run_in(tmp_path, "cascade.hot_bucket=2", "cascade.representatives=1")
    for stage, whole in ((block, blocked), (band, banded)):
        made = stage.fn(run, documents, signed)
        assert found_pairs(made) <= found_pairs(whole)
        left_out = len(found_pairs(whole)) - len(found_pairs(made))
        assert left_out <= about(made)["facts"]["pairs_skipped"]
        assert left_out > 0 or stage is block, "no three of the codes are equal"


def test_nothing_in_play_gives_empty_tables_with_columns(tmp_path, signatures):
    run = run_in(tmp_path)
    documents, embedded, signed = stored(run, signatures.clear())
    routes = [stage.fn(run, documents, signed) for stage in (block, band, nest)]
    made = route.fn(run, documents, embedded, signed, *routes)
    assert made.rows == 0
    assert {"a", "b", "hamming", "similarity", "route"} <= set(scan(made).collect_schema())


def searched_copies(run, copies, step):
    documents, none, screened, embeddings = tables_of(run, near_copies(copies), step=step)
    counted = count.fn(run, documents, none)._replace(rows=10 * copies)
    signed = sign.fn(run, documents, screened, counted, embeddings)
    routes = [stage.fn(run, documents, signed) for stage in (block, band, nest)]
    return [one.rows for one in (*routes, route.fn(run, documents, embeddings, signed, *routes))]


@pytest.mark.slow
@pytest.mark.parametrize("step", [0.01, 0.2])
def test_a_crowd_of_near_copies_costs_pairs_in_proportion(tmp_path, step):
    """Codes equal or within a few bits, bands shared by nearly all, samples that differ by a shingle or two."""
    run = run_in(tmp_path, "cascade.crowd=50", "cascade.hot_bucket=20", "containment.hot_shingle=20")
    small, large = (searched_copies(run, copies, step) for copies in (500, 2000))
    bands, samples = run.parameters.sketch.bands_max, 4
    bounds = (50, bands * 20 / 2, samples * 20 / 2, 50 + bands * 20 / 2 + samples * 20 / 2)
    for few, many, bound in zip(small, large, bounds, strict=True):
        assert many <= 2000 * bound
        assert many <= 6 * max(few, 500), "four times the copies, four times the pairs"
    assert large[3] >= 2000, "every copy still meets another"
    assert large[3] < 0.05 * 2000 * 1999 / 2
