"""Hostile pairs are the distinct ones with an attack in one document, and enough of each."""

from models.decision.llm_judge.prompt import LABELS
from tests.support.texts.hostile import PER_PAIR, PLACES, attacks, clean_pairs, hostile

CLEAN = clean_pairs()
HOSTILE = hostile(CLEAN)


def test_there_are_clean_pairs_of_every_label_and_enough_distinct_ones():
    assert set(CLEAN["label"]) == set(LABELS)
    assert CLEAN.filter(label="distinct").height >= 40
    assert CLEAN.filter(CLEAN["text_a"] == CLEAN["text_b"]).is_empty() and CLEAN.is_unique().all()


def test_every_attack_is_made_in_every_place_on_either_side():
    assert HOSTILE.height == PER_PAIR * CLEAN.filter(label="distinct").height >= 200
    assert HOSTILE.select("attack", "place").n_unique() == len(attacks()) * len(PLACES)
    assert HOSTILE.select("attack", "side").n_unique() == len(attacks()) * 2
    assert HOSTILE.select("pair", "attack", "place").is_unique().all()


def test_one_document_is_hostile_and_all_the_rest_is_as_it_was():
    for row in HOSTILE.iter_rows(named=True):
        clean = CLEAN.row(row["pair"], named=True)
        mine, other = ("text_a", "text_b") if row["side"] == "a" else ("text_b", "text_a")
        assert row[other] == clean[other] and row["label"] == clean["label"] == "distinct"
        passage = attacks_by_name[row["attack"]]
        assert row[mine].replace(passage, "").split() == clean[mine].split()
        where = row[mine].index(passage) / len(clean[mine])
        assert {"start": where == 0, "middle": 0.4 < where < 0.7, "end": where > 0.99}[row["place"]]


attacks_by_name = attacks()
