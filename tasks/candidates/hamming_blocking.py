"""Hamming blocking, cascade stage 2: pairs of codes within a radius (`eq:blocking`).

A refresh gives the live documents of the index, too: its documents then also meet those, but those not each other.
"""

from functools import partial

import numpy as np
import polars as pl
from prefect import task

from data_contracts.schemas import BLOCKED
from models.semantic.hamming.near import near
from models.semantic.hamming.star import StarJoin
from tasks.candidates.pairs import pairs_met
from tasks.candidates.postings import first_documents
from tasks.parallel.exchange import Exchange, put_apart
from tasks.parallel.map_parts import write_parts
from tasks.pipeline.registry import BLOCK
from tasks.refresh.previous_snapshot import Live
from tasks.runtime.run import Run
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, scan

RANGE = 64
"""Parts of signatures whose documents' pairs make one part, in their order: `route` then reads only what it merges."""
PAIRS = 1 << 18
"""Pairs that are put apart at a time, and that each thread holds at most: 17 bytes a pair, several times."""


@task(task_run_name="block by Hamming radius")
def block(run: Run, documents: TableRef, signatures: TableRef, live: Live | None = None) -> TableRef:
    """Cascade stage 2: all pairs of codes within the Hamming radius (`eq:blocking`)."""
    cascade, radius = run.parameters.cascade, run.parameters.projection_hash.radius
    with Stage(run, BLOCK, [signatures, *(live or ())], run.parameters.projection_hash, cascade) as stage:
        if not stage.finished:
            planted = scan(documents).select("doc", planted=pl.col("canary").is_not_null())
            asked = pl.lit(cascade.routing != "lexical")
            codes = scan(signatures).select("doc", "code").filter(asked)
            coded = codes.join(planted, on="doc", maintain_order="left").collect()
            edges, laid = np.array(first_documents(signatures, RANGE)), Exchange(stage.path, "pairs")
            makers = skipped = 0
            with stage.progress(coded.height) as bar:
                for _, group in sorted(coded.group_by("planted"), key=lambda item: item[0]):
                    doc = group["doc"].to_numpy()
                    join = StarJoin(
                        group["code"].to_numpy(),
                        radius,
                        cascade.hot_bucket,
                        cascade.representatives,
                        PAIRS,
                        threads=run.threads,
                        crowd=cascade.crowd,
                    )
                    for a, b, distance in join:
                        lower = doc[a]
                        order, sizes = put_apart(np.searchsorted(edges, lower, "right") - 1, len(edges))
                        laid.put(makers, sizes, [lower[order], doc[b][order], distance[order].astype(np.int16)])
                        makers += 1
                    skipped += join.skipped
                    bar.advance(group.height)
                found = sum(write_parts(stage, partial(_write_range, stage, laid, makers), range(len(edges))))
                laid.clear(makers)
                if live:
                    pairs = _near_live(run, coded.filter(~pl.col("planted")), live)
                    stage.write(len(edges), pairs)
                    found += pairs.height
            stage.counts = {"pairs_in": pairs_met(coded.height, live), "pairs_out": found}
            stage.facts = {"pairs_skipped": skipped, "distinct_codes": coded["code"].n_unique()}
    return stage.ref


def _write_range(stage: Stage, laid: Exchange, makers: int, number: int) -> list[int]:
    """Write the pairs of a range of documents in order; returns how many."""
    several = [laid.take(maker, [np.int64, np.int64, np.int16], number) for maker in range(makers)]
    columns = dict(zip(BLOCKED.schema, map(np.concatenate, zip(*several, strict=True)), strict=True)) if several else {}
    pairs = pl.DataFrame(columns, BLOCKED.schema).sort("a", "b")
    stage.write(number, pairs)
    return [pairs.height]


def _near_live(run: Run, coded: pl.DataFrame, live: Live) -> pl.DataFrame:
    """Pairs of tonight's codes and those of live documents; kept ones come first where they are too many."""
    cascade, radius = run.parameters.cascade, run.parameters.projection_hash.radius
    roster = scan(live.roster).select("doc", gone=pl.col("survivor").is_not_null())
    there = scan(live.signatures).select("doc", "code").join(roster, on="doc").sort("gone", "doc").collect()
    old, new = there["doc"].to_numpy(), coded["doc"].to_numpy()
    codes = coded["code"].to_numpy(), there["code"].to_numpy()
    b, a, distance = near(*codes, radius, cascade.crowd, cascade.representatives)
    lower, upper = np.minimum(old[a], new[b]), np.maximum(old[a], new[b])
    return pl.DataFrame({"a": lower, "b": upper, "hamming": distance.astype(np.int16)})
