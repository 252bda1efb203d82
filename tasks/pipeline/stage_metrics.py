"""Every table of a run and what each stage took in, let through and cost."""

from typing import Any, NamedTuple

import polars as pl

from models.evaluation.canaries import Planted as Fate
from models.evaluation.canaries import estimate
from tasks.quality.planted_counts import Planted
from tasks.runtime.run import Run
from tasks.storage.tables import TableRef, about, scan


class Tables(NamedTuple):
    """Every table of a run, in the order in which stages made them."""

    documents: TableRef
    extras: TableRef
    rejects: TableRef
    copies: TableRef
    frequencies: TableRef
    prescreen: TableRef
    embeddings: TableRef
    signatures: TableRef
    blocked: TableRef
    banded: TableRef
    nested: TableRef
    candidates: TableRef
    features: TableRef
    verified: TableRef
    judged: TableRef
    containment: TableRef
    settled: TableRef
    rescued: TableRef
    survivors: TableRef
    fragments: TableRef
    spans: TableRef
    decisions: TableRef


STAGES = {
    "extract": "documents",
    "collapse": "copies",
    "count": "frequencies",
    "prescreen": "prescreen",
    "embed": "embeddings",
    "sign": "signatures",
    "block": "blocked",
    "band": "banded",
    "nest": "nested",
    "route": "candidates",
    "describe": "features",
    "verify": "verified",
    "judge": "judged",
    "contain": "containment",
    "settle": "settled",
    "rescue": "survivors",
    "fragment": "fragments",
    "decide": "decisions",
}


NIGHT = {"extract": "admit", "count": "tally", "prescreen": "present"}
"""Stages of `curate` in whose place a refresh has others."""
NIGHT_STAGES = {NIGHT.get(stage, stage): table for stage, table in STAGES.items()}


def made(tables: Tables, stages: dict[str, str] = STAGES) -> dict[str, TableRef]:
    """Each stage that did something, and the table that it made; a judge who is off gives back what he was given."""
    found = {stage: getattr(tables, name) for stage, name in stages.items()}
    if tables.judged == tables.verified:
        del found["judge"]
    return found


def stage_metrics(run: Run, tables: Tables, stages: dict[str, str] = STAGES) -> pl.DataFrame:
    """What each stage took in, let through and cost; `stages` says which table each made.

    Documents, pairs and the pass rate are the user's. `planted_in` and `planted_out` count the planted documents, or
    where a stage counts pairs those of planted documents.
    """
    planted = Planted(run, tables, () if stages == STAGES else ("decide",))
    rows: list[dict[str, Any]] = []
    for position, (stage, table) in enumerate(made(tables, stages).items()):
        record = about(table)
        unit = "pairs" if "pairs_in" in record["counts"] else "documents"
        counted = record["counts"].get(f"{unit}_in"), record["counts"].get(f"{unit}_out")
        (entered, left), (planted_in, planted_out) = planted.apart(stage, table.name, counted)
        rows.append(
            {
                "stage": stage,
                "position": position,
                "documents_in": None,
                "documents_out": None,
                "pairs_in": None,
                "pairs_out": None,
                **{f"{unit}_in": entered, f"{unit}_out": left},
                "planted_in": planted_in,
                "planted_out": planted_out,
                "pass_rate": left / entered if entered and left is not None else None,
                "seconds": record["seconds"],
                "peak_memory_mb": record["peak_memory_mb"],
                "reused": record["token"] != run.token,
            }
        )
    integers = [f"{unit}_{side}" for unit in ("documents", "pairs", "planted") for side in ("in", "out")]
    return pl.DataFrame(rows, schema_overrides=dict.fromkeys(integers, pl.Int64) | {"position": pl.Int32})


def fate_of_canaries(run: Run, tables: Tables) -> list[Fate]:
    """What became of the planted documents, score by score; nothing where none were planted."""
    known = scan(tables.documents).filter(pl.col("canary").is_not_null())
    planted = known.select("doc", "canary", canary_id="doc_id").collect()
    if planted.is_empty():
        return []
    decided = scan(tables.decisions).filter(pl.col("canary").is_not_null()).collect()
    spans = scan(tables.spans).join(planted.lazy().select("doc", doc_id="canary_id"), on="doc").collect()
    action = run.parameters.fragment.action
    fates = estimate(planted, decided, spans, copies=int(action == "keep_one"))
    return [fate for fate in fates if fate.score != "S_E" or action in ("cut", "keep_one")]
