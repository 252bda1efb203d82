"""Neighbours in meaning: pairs of kept documents, each among the nearest of the other → `neighbours`.

No wording is asked for, so a text that says the same in other words is found like any other. Every distinct text of
some content takes part, whatever the pre-screen said of it. A refresh gives the live documents of the index, too: pairs
that its documents make with those are found as if all were compared, those among live ones are not looked for.
"""

from functools import partial

import numpy as np
import polars as pl
from numpy.typing import NDArray
from prefect import task

from data_contracts.schemas import NEIGHBOURS
from models.parameters import Meaning
from models.semantic.neighbours.distance_ratio import distance_ratios
from models.semantic.neighbours.search import Neighbours, Take, mutual, nearest, nearest_of
from tasks.candidates.pairs import pairs_met
from tasks.candidates.vector_files import Fetched, Held, codes_of, vectors_at_hand
from tasks.parallel.map_parts import map_chunks
from tasks.pipeline.registry import ASSOCIATE
from tasks.refresh.previous_snapshot import Live
from tasks.runtime.run import Run
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, scan

SHORTEST = 0.5
"""A text of fewer words than this part of the other is a summary, no rewrite."""
AROUND = 2
"""Times as many neighbours as may say the same are looked up: the further ones tell how crowded it is around a text."""
PAIRS = 1 << 14
"""Pairs whose vectors are compared together."""


@task(task_run_name="associate by meaning")
def associate(
    run: Run,
    documents: TableRef,
    embeddings: TableRef,
    aside: TableRef,
    survivors: TableRef,
    live: Live | None = None,
) -> TableRef:
    """Find the nearest neighbours of what is kept, canaries among themselves; nothing where nobody asks for rewrites.

    Args:
        run: its `meaning` section says how many neighbours and how near.
        documents: working documents.
        embeddings: vectors of those in play.
        aside: vectors of those that share no wording with any other.
        survivors: removals by wording; what is removed has no neighbours.
        live: what was published before.
    """
    wanted = run.parameters.looks_for_rewrites
    inputs = [documents, embeddings, aside, survivors, *((live.roster, live.embeddings) if live else ())]
    with Stage(run, ASSOCIATE, inputs, run.parameters.meaning, extra=wanted) as stage:
        if not stage.finished:
            groups = [[embeddings, aside], *([[live.embeddings]] if live else [])]
            kept = _kept(run, documents, groups, survivors, live) if wanted else None
            found, unseen = [pl.DataFrame(schema=NEIGHBOURS.schema)], 0
            with stage.progress(0 if kept is None else kept.height) as bar:
                for planted in (False, True) if kept is not None else ():
                    group = kept.filter(pl.col("planted") == planted)  # type: ignore[union-attr]
                    pairs, missed = _pairs(stage, groups, group)
                    found.append(pairs)
                    unseen += missed
                    bar.advance(group.height)
            stage.write(0, pl.concat(found).sort("a", "b"))
            own = 0 if kept is None else kept.filter("own", ~pl.col("planted")).height
            stage.counts = {"pairs_in": pairs_met(own, live), "pairs_out": sum(some.height for some in found)}
            stage.facts = {"documents": 0 if kept is None else kept.height, "documents_in_crowds": unseen}
    return stage.ref


def _kept(
    run: Run, documents: TableRef, groups: list[list[TableRef]], survivors: TableRef, live: Live | None
) -> pl.DataFrame:
    """Kept texts that say something: `doc`, in order, `words`, and whether each is of this run, and planted."""
    tonight = scan(documents).filter(~pl.col("published"))
    known = [tonight.select("doc", own=pl.lit(value=True), planted=pl.col("canary").is_not_null())]
    counted = [pl.concat([scan(ref).select("doc", "words") for ref in group]) for group in groups]
    if live:
        stays = scan(live.roster).filter(pl.col("survivor").is_null())
        known.append(stays.select("doc", own=pl.lit(value=False), planted=pl.lit(value=False)))
    # Nobody is both: what is checked again left the roster.
    those = [some.join(marks, on="doc") for some, marks in zip(counted, known, strict=True)]
    return (
        pl.concat(those)
        .filter(pl.col("words") >= run.parameters.meaning.min_words)
        .join(scan(survivors).select("doc"), on="doc", how="anti")
        .sort("doc")
        .collect()
    )


def _pairs(stage: Stage, groups: list[list[TableRef]], group: pl.DataFrame) -> tuple[pl.DataFrame, int]:
    """Pairs of mutual neighbours that are near enough, stand out from what is around them and are of like length.

    And how many texts stand in a crowd.
    """
    bars, own = stage.run.parameters.meaning, group["own"].to_numpy()
    if group.height < 2 or not own.any():
        return pl.DataFrame(schema=NEIGHBOURS.schema), 0
    doc, ranked = group["doc"].to_numpy(), AROUND * bars.neighbours
    over = partial(map_chunks, stage)
    held = [Held(tables, doc[side]) for tables, side in zip(groups, (own, ~own), strict=False)]
    if own.all():
        with vectors_at_hand(stage, held) as laid:
            met = nearest(laid.codes, laid.exact, ranked, over)
            return _near(bars, group, met, laid.vectors.__getitem__)
    fetched = Fetched(held)
    met = nearest_of(np.flatnonzero(own), codes_of(held), fetched.take, ranked, over, mutual_k=bars.neighbours)
    return _near(bars, group, met, fetched.take)


def _near(bars: Meaning, group: pl.DataFrame, met: Neighbours, take: Take) -> tuple[pl.DataFrame, int]:
    doc, words, own = (group[name].to_numpy() for name in ("doc", "words", "own"))
    a, b = mutual(met.row[:, : bars.neighbours])
    alike = np.minimum(words[a], words[b]) >= SHORTEST * np.maximum(words[a], words[b])
    asked_for = alike & (own[a] | own[b])
    a, b = a[asked_for], b[asked_for]
    cosine = _cosines(take, a, b)
    ratio = distance_ratios(met, bars.neighbours, a, b, cosine)
    near = (cosine >= bars.min_cosine) & (ratio <= bars.max_distance_ratio)
    pairs = pl.DataFrame({"a": doc[a], "b": doc[b], "cosine": cosine, "distance_ratio": ratio})
    return pairs.filter(near), met.unseen


def _cosines(take: Take, a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.float32]:
    found = np.empty(len(a), np.float32)
    for at in range(0, len(a), PAIRS):
        one, other = (take(side[at : at + PAIRS]).astype(np.float32) for side in (a, b))
        found[at : at + PAIRS] = np.einsum("pd,pd->p", one, other)
    return found
