"""Probes of hash tables: a key is found in the slot in which it was put, and nothing else is."""

from itertools import chain

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from models.kernels.hash_set import hash_set, hash_sets, holds
from models.kernels.probe import NOWHERE, probe, probe_indices, probe_of

KEYS = st.lists(st.integers(1, 40) | st.integers(1, 2**64 - 1), max_size=30)


def filled(kind, keys, slots):
    """Puts keys into a table of some kind; the function that says which of them a slot holds, if any."""
    words = np.array([7, 7, *keys], np.uint64)
    if kind == "keys":
        table = np.zeros(slots, np.uint64)
        slot_of = lambda key: probe(table, np.uint64(key) >> np.uint64(60), np.uint64(key))  # noqa: E731
        take = lambda slot, at: table.__setitem__(slot, words[at + 2])  # noqa: E731
        held = lambda slot: int(table[slot]) or None  # noqa: E731
    elif kind == "owner":
        table, owners = np.full(slots, 3, np.uint64), np.full(slots, 8)
        slot_of = lambda key: probe_of(9, owners, table, slots - 1, np.uint64(key))  # noqa: E731
        take = lambda slot, at: (table.__setitem__(slot, words[at + 2]), owners.__setitem__(slot, 9))  # noqa: E731
        held = lambda slot: int(table[slot]) if owners[slot] == 9 else None  # noqa: E731
    else:
        table = np.full(slots + 16, NOWHERE, np.int32)
        slot_of = lambda key: probe_indices(table, 16, slots + 16, words, 2, np.uint64(key))  # noqa: E731
        take = lambda slot, at: table.__setitem__(slot, at)  # noqa: E731
        held = lambda slot: int(words[2 + table[slot]]) if table[slot] != NOWHERE else None  # noqa: E731
    return slot_of, take, held


@given(st.sampled_from(["keys", "owner", "indices"]), KEYS, KEYS)
@settings(deadline=None)
def test_a_table_of_any_kind_holds_what_a_dictionary_would(kind, keys, others):
    slot_of, take, held = filled(kind, keys, 64)
    slots = {}
    for at, key in enumerate(keys):
        slot = slot_of(key)
        assert held(slot) == (key if key in slots else None)
        take(slot, at)
        slots.setdefault(key, slot)
    for key in [*keys, *others]:
        assert held(slot_of(key)) == (key if key in slots else None)
        assert slot_of(key) == slots.get(key, slot_of(key))


@given(st.lists(KEYS, min_size=1, max_size=4), KEYS)
@settings(deadline=None)
def test_a_set_holds_its_hashes_alone_in_whatever_batch(documents, others):
    pointers = np.cumsum([0, *map(len, documents)])
    tables, ends = hash_sets(np.array([*chain(*documents)], np.uint64), pointers)
    for document, start, stop in zip(documents, ends[:-1], ends[1:], strict=True):
        alone = hash_set(np.array(document, np.uint64))
        assert tables[start:stop].tolist() == alone.tolist()
        assert all(holds(alone, np.uint64(key)) == (key in document) for key in {*document, *others})
