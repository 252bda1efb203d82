"""Metrics of stages: what each stage of a run took in, let through and cost."""

from typing import Any

import polars as pl

from data_contracts.schemas import STAGE_METRICS
from models.evaluation.canaries import Planted as Fate
from models.evaluation.canaries import estimate
from tasks.pipeline.registry import DECIDE, JUDGE, STAGES, Row
from tasks.pipeline.run_tables import Tables
from tasks.quality.planted_counts import Planted
from tasks.runtime.run import Run
from tasks.storage.tables import about, scan


def made(tables: Tables, stages: tuple[Row, ...] = STAGES) -> list[Row]:
    """Each stage that did something; a judge who is off gives back what he was given."""
    return [row for row in stages if row.name != JUDGE.name or tables["judged"] != tables["verified"]]


def stage_metrics(run: Run, tables: Tables, stages: tuple[Row, ...] = STAGES) -> pl.DataFrame:
    """Metrics of each stage: what it took in, let through and cost.

    Documents, pairs and the pass rate are the user's. `planted_in` and `planted_out` count the planted documents, or
    where a stage counts pairs those of planted documents.
    """
    planted = Planted(run, tables, () if stages == STAGES else (DECIDE.name,))
    rows: list[dict[str, Any]] = []
    for position, row in enumerate(made(tables, stages)):
        record, unit = about(tables[row.names[0]]), row.unit
        counted = record["counts"].get(f"{unit}_in"), record["counts"].get(f"{unit}_out")
        (entered, left), (planted_in, planted_out) = planted.apart(row, counted)
        rows.append(
            {
                "stage": row.name,
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
    return pl.DataFrame(rows, schema=STAGE_METRICS.schema)


def fate_of_canaries(run: Run, tables: Tables) -> list[Fate]:
    """Fate of the planted documents, score by score; nothing where none were planted."""
    known = scan(tables["documents"]).filter(pl.col("canary").is_not_null())
    planted = known.select("doc", "canary", canary_id="doc_id").collect()
    if planted.is_empty():
        return []
    decided = scan(tables["decisions"]).filter(pl.col("canary").is_not_null()).collect()
    spans = scan(tables["fragment_spans"]).join(planted.lazy().select("doc", doc_id="canary_id"), on="doc").collect()
    action = run.parameters.fragment.action
    fates = estimate(planted, decided, spans, int(action == "keep_one"), _listed(run, tables, planted))
    return [fate for fate in fates if fate.score != "S_E" or action in ("cut", "keep_one")]


def _listed(run: Run, tables: Tables, planted: pl.DataFrame) -> pl.DataFrame | None:
    """Pairs of planted documents that were listed as rewrites; None where nobody looks for any."""
    if not run.parameters.looks_for_rewrites:
        return None
    a, b = (planted.select(pl.col("doc").alias(side), pl.col("canary_id").alias(f"{side}_id")) for side in ("a", "b"))
    return scan(tables["rewrites"]).join(a.lazy(), on="a").join(b.lazy(), on="b").select("a_id", "b_id").collect()
