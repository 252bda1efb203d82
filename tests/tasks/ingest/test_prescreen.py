"""Which texts stay in play, and how often shingles and words are counted."""

from collections import Counter
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import tasks.ingest.bloom_prescreen
from models.lexical.sketch.bloom import BLOCK_BYTES, TwoGenerationBloom
from models.lexical.sketch.line_shapes import line_shapes
from models.lexical.sketch.shingles import shingle
from models.lexical.sketch.weights import cells
from models.lexical.text import normalise, split_words
from models.parameters import Parameters
from tasks.ingest.bloom_prescreen import prescreen
from tasks.ingest.document_frequencies import count, load_frequencies
from tasks.runtime.run import Run
from tasks.storage.stage import Stage
from tasks.storage.tables import about, parts, scan
from tests.support.made_up import made_up
from tests.support.processes.unruly import at_work

PARENT = (
    "The glass works at Uhlborn were founded in a wet year, when the charcoal burners could not sell their wood and a "
    "travelling master from the south offered to turn it into bottles. He stayed for forty years. His bottles are "
    "green at the neck and nearly clear at the foot, because he let the pot cool while he told stories, and the "
    "apprentices did not dare to interrupt him. Collectors hold them against the light and read off how long each "
    "story was. The longest is thought to be the one about the bishop, of which three bottles are known. Two stand in "
    "the town hall; the third was drunk from at a wedding and then thrown over the bridge, as is the custom."
)
EXCERPT = (
    "Collectors hold them against the light and read off how long each story was. The longest is thought to be one."
)
OTHER = (
    "Anyone who wants to keep bees on a roof must first find out how the wind gets there. Hives that stand in draughts "
    "winter badly, and a swarm that hangs from the neighbour's aerial belongs to whoever climbs up first. Put the "
    "entrance towards the morning sun, weigh the lid down with two bricks, and leave a dish of water with moss in it, "
    "so that nobody drowns. The honey of a city tastes of lime trees in June and of everything else in August."
)
UNLIKE = (
    "Sleep well and do not let the dog onto the new sofa",
    "Reminder: hand in the parking permits by the end of the week",
    "Why is there only ever one shoe lying beside the motorway?",
)


@pytest.fixture
def run(tmp_path):
    return Run(workspace=tmp_path)


def corpus(run, texts, copies=(), rows_per_part=2, published=()):
    """The tables `documents` (in small parts) and `copies`."""
    recipe = [list(texts), list(copies), rows_per_part, list(published)]
    documents, collapsed = (Stage(run, made_up(name), [], extra=recipe) for name in ("documents", "copies"))
    frame = pl.DataFrame({"doc": range(len(texts)), "text": list(texts)})
    frame = frame.with_columns(n_chars=pl.col("text").str.len_chars().cast(pl.Int32), canary=pl.lit(None, pl.String))
    frame = frame.with_columns(published=pl.col("doc").is_in(list(published)))
    with documents, collapsed:
        for index, part in enumerate(frame.iter_slices(rows_per_part)):
            documents.write(index, part)
        collapsed.write(0, pl.DataFrame(list(copies), schema={"doc": pl.Int64, "copy_of": pl.Int64}, orient="row"))
    return documents.ref, collapsed.ref


def screened(run, texts, copies=(), **given):
    made = prescreen.fn(run, *corpus(run, texts, copies, **given))
    return scan(made).collect(), made


def in_play(run, *texts):
    return screened(run, texts)[0]["in_play"].to_list()


def test_of_a_night_every_distinct_text_is_in_that_was_not_published(run):
    documents, copies = corpus(run, (PARENT, OTHER, PARENT, *UNLIKE), [(2, 0)], published=[1, 4])
    made = prescreen.fn(run, documents, copies, everything=True)
    assert scan(made).select("doc", "in_play").collect().rows() == [
        (0, True), (1, False), (3, True), (4, False), (5, True)
    ]  # fmt: skip
    assert about(made)["counts"] == {"documents_in": 5, "documents_out": 3}


def test_texts_that_share_nothing_are_out(run):
    assert in_play(run, PARENT, OTHER, *UNLIKE) == [False] * 5


def test_long_texts_that_share_a_sentence_are_in_on_both_sides(run):
    sentence = "He stayed for forty years. His bottles are green at the neck and nearly clear at the foot."
    assert in_play(run, PARENT, OTHER, OTHER[:300].upper() + " " + sentence, *UNLIKE) == [True] * 3 + [False] * 3


@pytest.mark.parametrize(("words", "expected"), [(10, False), (11, True)])
def test_four_shared_shingles_of_eight_words_keep_a_long_text(run, words, expected):
    shared = " ".join(PARENT.split()[20 : 20 + words])
    assert in_play(run, PARENT, f"{OTHER} {shared} {UNLIKE[0]}") == [expected] * 2


def test_fewer_may_be_enough_when_asked(run):
    shared = " ".join(PARENT.split()[20:28])
    asked = run.model_copy(update={"parameters": Parameters().with_settings(["prescreen.min_shared=1"])})
    assert in_play(asked, PARENT, f"{OTHER} {shared} {UNLIKE[0]}") == [True] * 2


def test_short_texts_are_measured_by_their_characters(run):
    noisy = "Sleep wel1 and do n0t let the d0g onto the new s0fa!"
    assert in_play(run, UNLIKE[0], noisy, *UNLIKE[1:]) == [True, True, False, False]
    assert in_play(run, UNLIKE[0], "Sleep well, " + UNLIKE[1], UNLIKE[2]) == [False] * 3


def test_a_filter_that_is_made_share_by_share_answers_the_same(run, tmp_path, monkeypatch):
    texts = (PARENT, OTHER, f"{OTHER[:200]} {PARENT[100:300]}", EXCERPT, *UNLIKE)
    whole = screened(run, texts)[0]
    monkeypatch.setattr(
        tasks.ingest.bloom_prescreen, "TwoGenerationBloom", lambda *given: TwoGenerationBloom(*given[:3], 400)
    )
    parted = screened(Run(workspace=tmp_path / "tight"), texts)[0]
    assert whole["shared"].sum() > 0
    assert parted.equals(whole)


@pytest.mark.parametrize("blocks", [1, 40, 10**6])
def test_workers_that_own_ranges_of_hashes_make_the_same_bytes(run, tmp_path, monkeypatch, blocks):
    """Whatever the number of owners, and if a part must be made again."""
    texts = (PARENT, OTHER, f"{OTHER[:200]} {PARENT[100:300]}", EXCERPT, *UNLIKE)
    monkeypatch.setattr(tasks.ingest.bloom_prescreen, "FILTER_BYTES", blocks * BLOCK_BYTES)
    made = []
    for place in (run, Run(workspace=tmp_path / "spread")):
        with nullcontext() if place is run else at_work(together=1, i1=1):
            tables = corpus(place, texts)
            for table in (count.fn(place, *tables), prescreen.fn(place, *tables)):
                files = sorted(Path(table.path).glob("[!_]*"))
                made.append((table.fingerprint, {path.name: path.read_bytes() for path in files}))
    assert len(made[0][1]) == 7 and made[:2] == made[2:]


def test_an_excerpt_stays_with_its_long_parent(run):
    """Shorter than what is shingled by words, yet it must meet its parent on words."""
    assert len(EXCERPT) < run.parameters.sketch.short_chars < len(PARENT)
    assert in_play(run, PARENT, EXCERPT, OTHER, *UNLIKE) == [True, True, False, False, False, False]


def test_a_medium_text_may_also_stay_for_its_characters(run):
    noisy = EXCERPT.replace("e", "3").replace("o", "0")
    assert in_play(run, EXCERPT, noisy, OTHER) == [True, True, False]


def test_exact_copies_neither_count_nor_appear(run):
    found, made = screened(run, [PARENT, PARENT, OTHER, UNLIKE[0], UNLIKE[0]], [(1, 0), (4, 3)])
    assert found["doc"].to_list() == [0, 2, 3] and found["in_play"].to_list() == [False] * 3
    assert about(made)["counts"] == {"documents_in": 3, "documents_out": 0}


def test_texts_without_words_and_the_shortest_are_answered(run):
    assert in_play(run, "!", "?!", "ok", "🤔🤔🤔", "🤔🤔🤔 ", "ok.") == [False, False, True, True, True, True]


def test_parts_do_not_change_the_answer(run, tmp_path):
    texts = [PARENT, UNLIKE[0], EXCERPT, OTHER, UNLIKE[0] + "!", UNLIKE[1]]
    found, made = screened(run, texts)
    assert len(parts(made)) == 3, "one part for each of the documents"
    assert not list(parts(made)[0].parent.glob(".*")), "the waiting shingles are gone"
    other, _ = screened(Run(workspace=tmp_path / "other"), texts, rows_per_part=6)
    assert found.equals(other)
    assert (found["shared"] <= found["shingles"]).all()
    assert 0 <= about(made)["facts"]["false_positive_rate"] < 0.01


def test_frequencies_count_each_distinct_text_once(run):
    texts = [PARENT, PARENT, EXCERPT, f"{EXCERPT} {EXCERPT}", UNLIKE[0], UNLIKE[0] + "!"]
    made = count.fn(run, *corpus(run, texts, [(1, 0)]))
    found = load_frequencies(made)
    assert found.n_documents == made.rows == 5
    distinct = pl.Series(texts[:1] + texts[2:])
    normalised = normalise(distinct)
    words = split_words(normalised)
    grams = shingle(normalised, words, run.parameters.sketch.short_chars)
    lines = line_shapes(normalised, words)
    for table, hashes, pointers in (
        (found.shingles, grams.hash, grams.pointers),
        (found.words, words.hash, words.pointers),
        (found.lines, lines.hash, lines.pointers),
    ):
        bits = table.size.bit_length() - 1
        expected = Counter()
        for document in np.split(hashes, pointers[1:-1]):
            expected.update(set(document.tolist()) - {0})
        known = np.array(list(expected), np.uint64)
        alone = Counter(cells(known, bits).tolist())
        counted = dict(zip(known.tolist(), table[cells(known, bits)].tolist(), strict=True))
        certain = {
            one for one, cell in zip(known.tolist(), cells(known, bits).tolist(), strict=True) if alone[cell] == 1
        }
        assert len(certain) > 0.95 * len(known)
        assert all(counted[one] == expected[one] for one in certain)
        assert all(counted[one] >= expected[one] for one in expected)
        assert table.sum() == sum(expected.values())
        assert max(expected[one] for one in certain) >= 2


def test_frequencies_are_frozen_with_the_table(run):
    tables = corpus(run, [PARENT, EXCERPT])
    made = count.fn(run, *tables)
    stamp = {path: path.stat().st_mtime_ns for path in parts(made)}
    assert count.fn(run, *tables) == made and stamp == {path: path.stat().st_mtime_ns for path in parts(made)}
    fewer = run.model_copy(update={"parameters": Parameters().with_settings(["sketch.df_bits=10"])})
    other = count.fn(fewer, *tables)
    assert other.fingerprint != made.fingerprint
    assert load_frequencies(other).shingles.size == 1024
