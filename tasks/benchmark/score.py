"""Scores and costs of variants on a labelled corpus; all rows → the table, JSON and charts."""

from pathlib import Path
from typing import Any

from prefect import task

import sql
from models.evaluation.rewrites import rewrite_score
from tasks.benchmark.comparison import compare
from tasks.benchmark.forest_plot import differences_svg, scores_svg
from tasks.benchmark.markdown import page
from tasks.benchmark.mean_gates import mean_gates
from tasks.benchmark.split import frame
from tasks.benchmark.table_row import Cost, Scored, cost, scored
from tasks.benchmark.variants import OURS, Variant
from tasks.candidates.pairs import all_pairs
from tasks.pipeline.run_tables import Tables
from tasks.pipeline.stage_metrics import fate_of_canaries, made, stage_metrics
from tasks.resolve.decisions import fates
from tasks.runtime.run import Run
from tasks.storage.atomic import atomic_path, write_json
from tasks.storage.tables import about, glob, scan


@task(task_run_name="score {variant.key}")
def score(run: Run, split: Path, variant: Variant, tables: Tables) -> Scored:
    """Score what became of the labelled documents."""
    with run.connect() as con:
        spans = sql.run(
            con, "published/spans", spans=glob(tables["fragment_spans"]), decisions=glob(tables["decisions"])
        ).pl()
    details = {
        "settings": list(variant.settings),
        "parameters": run.parameters.model_dump(mode="json"),
        "canaries": [fate.plain() for fate in fate_of_canaries(run, tables)],
        "stages": stage_metrics(run, tables).to_dicts(),
        "gates": _gates(split, tables),
        "rewrites": _rewrites(split, tables),
    }
    outcome = fates(tables["decisions"]).collect(), spans
    kind = "ours" if variant == OURS else "ablation"
    return scored(split, outcome, _cost(tables), variant.name, kind, variant.says, details)


def _gates(split: Path, tables: Tables) -> list[dict[str, Any]]:
    """Mean gates of the described documents; none where no network was asked."""
    gates, documents = scan(tables["features"]).collect(), scan(tables["documents"]).select("doc", "doc_id", "n_chars")
    return mean_gates(gates, documents.collect(), frame(split, "truth")).to_dicts() if gates.height else []


def _rewrites(split: Path, tables: Tables) -> dict[str, Any] | None:
    """Score of the listed rewrites; None where the split has no such labels."""
    numbers = scan(tables["documents"]).select("doc", "doc_id", "n_chars").collect()
    names = numbers.select("doc", "doc_id")
    listed = scan(tables["rewrites"]).select("a", "b", "p_same").collect()
    named = listed.join(names.rename({"doc": "a", "doc_id": "a_id"}), on="a")
    found = rewrite_score(
        frame(split, "truth"), named.join(names.rename({"doc": "b", "doc_id": "b_id"}), on="b").drop("a", "b"), numbers
    )
    return found._asdict() if found else None


def _cost(tables: Tables) -> Cost:
    verified = about(tables["verified"])
    neural = verified["facts"].get("neural_pairs", 0)
    return cost(
        [tables[row.names[0]] for row in made(tables)],
        all_pairs(tables["documents"].rows),
        verified["counts"]["pairs_in"],
        neural,
    )


@task(task_run_name="tabulate")
def tabulate(split: Path, out: Path, rows: list[Scored], left_out: list[str]) -> str:
    """Write `benchmark.json`, `benchmark.md` and the charts under `out`; return the page.

    Args:
        split: labelled corpus.
        out: folder of the benchmark.
        rows: in the order of the table.
        left_out: keys of methods that could not run for want of a corpus to learn from.
    """
    compared = compare(rows)
    text = page(split.name, compared, left_out)
    write_json(out / "benchmark.json", {"split": split.name, "rows": [one.plain() for one in compared]})
    files = {"benchmark.md": text, "benchmark.svg": scores_svg(compared)}
    if any(one.difference for one in compared):
        files["ablations.svg"] = differences_svg(compared)
    for name, content in files.items():
        with atomic_path(out / name) as temporary:
            temporary.write_text(content, encoding="utf-8")
    return text
