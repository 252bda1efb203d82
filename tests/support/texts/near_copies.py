"""Very many copies of one text, each with a few words changed, and the tables that candidate search needs of them."""

import numpy as np
import polars as pl

from models.bundle import load
from models.lexical.sketch.features import quantise_attention
from models.lexical.text import normalise, split_words
from tasks.runtime.run import Run
from tasks.storage.ragged_arrays import packed_bytes
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef
from tests.support.made_up import made_up

PART = 4096
EDITS = 3
"""Most words changed in one copy."""
STEP = 0.1
"""Length of the random step away from the vector of the original: cosines of about 0.99 between copies."""

TEXT = """
The ferry to the outer islands leaves the fish quay at seven on weekdays and an hour later on Sundays. Tickets are sold
on board, in coins only, by a man who has done nothing else since the bridge was given up. Bicycles stand in the bow,
dogs lie in the stern, and whoever brings a goat is asked to hold it. In a strong wind from the west the boat does not
call at the second pier, so that passengers for the lighthouse have to walk back along the dyke, which takes a good
hour and needs dry shoes. Parcels are handed over against a signature; letters are simply thrown to whoever stands
nearest. When fog comes down the captain rings a bell every two minutes and lets the engine idle, and the old women of
the village, who can tell the boats apart by their bells, put the kettle on. The crossing is free for children, for
midwives and for anybody who can prove that he was born on the water. In winter the service ends with the first ice.
Those who must travel all the same are taken across on a sledge by the postman, for a fee that is agreed beforehand and
paid on arrival. The islands have no doctor, no policeman and no road. They have a school with nine pupils, a shop that
opens when somebody knocks, and a library in the former pilot house, whose books may be kept for as long as they are
being read. Visitors are asked to bring their own bread and to take their own rubbish home with them again.
"""


def near_copies(count: int, seed: int = 0) -> list[str]:
    """`count` copies of `TEXT`, each with one to `EDITS` words replaced by others of its words."""
    words = TEXT.split()
    random = np.random.default_rng(seed)
    changed = random.integers(1, EDITS + 1, count)
    places, others = random.integers(0, len(words), (2, count, EDITS))
    copies = []
    for copy in range(count):
        edited = list(words)
        for edit in range(changed[copy]):
            edited[places[copy, edit]] = words[others[copy, edit]]
        copies.append(" ".join(edited))
    return copies


def tables_of(
    run: Run, texts: list[str], seed: int = 0, step: float = STEP
) -> tuple[TableRef, TableRef, TableRef, TableRef]:
    """Documents, no copies, everything in play, and vectors that lie very near to each other."""
    extra = [len(texts), seed, step]
    documents, copies, screened, embeddings = (
        Stage(run, made_up(name), [], extra=extra) for name in ("documents", "copies", "prescreen", "embeddings")
    )
    numbers = range(len(texts))
    with copies:
        copies.write(0, pl.DataFrame(schema={"doc": pl.Int64, "copy_of": pl.Int64}))
    with documents, screened, embeddings:
        for index, first in enumerate(range(0, len(texts), PART)):
            doc, part = list(numbers[first : first + PART]), pl.Series(texts[first : first + PART])
            documents.write(
                index,
                pl.DataFrame({"doc": doc, "text": part}).with_columns(
                    n_chars=part.str.len_chars().cast(pl.Int32), canary=pl.lit(None, pl.String)
                ),
            )
            screened.write(index, pl.DataFrame({"doc": doc}).with_columns(in_play=True))
            embeddings.write(index, _embedded(doc, part, np.random.default_rng((seed, first)), step))
    return documents.ref, copies.ref, screened.ref, embeddings.ref


def _embedded(doc: list[int], texts: pl.Series, random: np.random.Generator, step: float) -> pl.DataFrame:
    size = len(load().projections["student"].weight)
    original = np.random.default_rng(1).standard_normal(size)
    vector = original / np.linalg.norm(original) + step * random.standard_normal((len(doc), size)) / np.sqrt(size)
    vector /= np.linalg.norm(vector, axis=1, keepdims=True)
    words = split_words(normalise(texts))
    even = quantise_attention(np.ones(words.hash.size, np.float32))
    return pl.DataFrame(
        {
            "doc": doc,
            "vector": pl.Series(vector.astype(np.float16)),
            "attention": packed_bytes(even, words.pointers),
            "entropy": random.normal(4, 0.1, len(doc)).astype(np.float32),
        }
    )
