"""Judge stage: borderline pairs put to a language model, and pairs that people decided about → `judged`.

What a model answers hangs on more than the input: an endpoint may be down. So asking is no stage. Which pairs are asked
about is one (`routed`), and what becomes of them given the answers at hand is another (`judged`), whose address holds
these answers. With the same answers it is found finished; a run that gets some that were missing makes it anew.
"""

import hashlib
from pathlib import Path

import polars as pl
from prefect import task

from data_contracts.schemas import JUDGE_COLUMNS
from models.decision.llm_judge.fuse import PROBABILITIES, fused
from models.decision.rules.human_review import reviewed
from models.decision.types import KNOWN_OF_PAIRS, REMOVES
from tasks.llm_judge.backends import judging
from tasks.llm_judge.query import Answers, ask
from tasks.llm_judge.select_pairs import routed
from tasks.pipeline.registry import JUDGE
from tasks.quality.enforce_contracts import hold
from tasks.review.match_pairs import measured, reviewed_pairs
from tasks.runtime.run import Run
from tasks.storage.link_parts import link
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, parts, scan

KEYS = ["a", "b"]
CHANGED = [*KEYS, "type", "verdict", *JUDGE_COLUMNS]


@task(task_run_name="judge borderline pairs")
def judge(
    run: Run,
    documents: TableRef,
    frequencies: TableRef,
    embeddings: TableRef,
    verified: TableRef,
    reviews: Path | None = None,
    *,
    proposed_only: bool = False,
) -> TableRef:
    """Ask a language model about borderline pairs; people have the last word on those that they reviewed.

    With nobody to ask and nothing reviewed the pairs stay as they are: `verified` itself comes back.

    Args:
        run: says who is asked, and about how many pairs at most.
        documents: all that the pairs are about, with their texts.
        frequencies: of shingles and words, to measure what is reviewed and was not proposed.
        embeddings: of the distinct documents.
        verified: pairs with their measures and what automation makes of them.
        reviews: where what people decided is kept, if anything.
        proposed_only: leave reviewed pairs alone that are not in `verified`, because another table brings them up.
    """
    asked, told = judging(run), reviewed_pairs(documents, embeddings, verified, reviews)
    if proposed_only:
        told = told._replace(pairs=told.pairs.filter("proposed"))
    if asked is None and told.pairs.is_empty():
        return verified
    settled = told.pairs.select(KEYS)
    answers = ask(run, asked, documents, routed(run, documents, verified, settled)) if asked else None
    sections = (run.parameters.verify, run.parameters.containment)
    with Stage(run, JUDGE, [verified], *sections, extra=[_digest(answers), told.pairs.rows()]) as stage:
        if not stage.finished:
            rows = [_rows(verified, told.pairs.filter("proposed"))]
            if not told.pairs["proposed"].all():
                unknown = told.pairs.filter(~pl.col("proposed"))
                rows.append(measured(stage, documents, frequencies, embeddings, unknown).select(rows[0].columns))
            decided = reviewed(pl.concat(rows), run.parameters)
            heard = decided.clear()
            if answers:
                told_nothing = answers.suspicious.with_columns(judge_source=pl.lit("suspicious"))
                heard = pl.concat(
                    [one.select(decided.columns) for one in (fused(answers.pairs, run.parameters), told_nothing)]
                )
                stage.facts |= answers.facts
                stage.seconds_before, stage.cpu_before, stage.memory_before = answers[3:]
            _write(stage, verified, pl.concat([heard, decided]))
            added = int((~told.pairs["proposed"]).sum())
            stage.facts |= {"reviewed": settled.height, "added": added, "reviews_elsewhere": told.elsewhere}
            stage.facts |= _moves(verified, heard, "judge") | _moves(verified, decided, "review")
            stage.counts = {"pairs_in": verified.rows, "pairs_out": heard.height}
    budget = run.parameters.judge.model_dump(include={"max_share", "max_pairs"})
    return hold(run, JUDGE, budget | KNOWN_OF_PAIRS, judged=stage.ref, documents=documents, verified=verified)


def moved(verified: TableRef, judged: pl.LazyFrame) -> pl.DataFrame:
    """Rows of `judged` that may go now and might not before, or the other way round; `removes` says which."""
    before = scan(verified).select(*KEYS, before=pl.col("verdict").is_in(REMOVES))
    asked = judged.filter(pl.col("judge_source").is_not_null()).with_columns(removes=pl.col("verdict").is_in(REMOVES))
    both = asked.join(before, on=KEYS, how="left")
    return both.filter(pl.col("removes") != pl.col("before").fill_null(False)).sort(KEYS).collect(engine="streaming")


def _rows(verified: TableRef, pairs: pl.DataFrame) -> pl.DataFrame:
    """Rows of some pairs, with their `label`."""
    return scan(verified).join(pairs.lazy().select(*KEYS, "label"), on=KEYS).sort(KEYS).collect(engine="streaming")


def _write(stage: Stage, verified: TableRef, changed: pl.DataFrame) -> None:
    """Write the parts in which rows changed, link the others, and put pairs that are in none behind them."""
    number = 0
    for number, path in enumerate(parts(verified), start=1):
        here = changed.join(pl.read_parquet(path, columns=KEYS), on=KEYS, how="semi")
        changed = changed.join(here, on=KEYS, how="anti", maintain_order="left")
        if here.is_empty():
            link(path, stage.part(number - 1))
        else:
            stage.write(number - 1, pl.read_parquet(path).update(here.select(CHANGED), on=KEYS))
    if changed.height:
        stage.write(number, changed)


def _moves(verified: TableRef, rows: pl.DataFrame, by: str) -> dict[str, int]:
    found = moved(verified, rows.lazy())["removes"]
    return {f"{by}_to_removal": int(found.sum()), f"{by}_to_keep": int((~found).sum())}


def _digest(answers: Answers | None) -> str | None:
    if answers is None:
        return None
    told = (
        answers.pairs.select(*KEYS, *PROBABILITIES, "judge_model").write_csv()
        + answers.suspicious.select(KEYS).write_csv()
    )
    return hashlib.sha256(told.encode()).hexdigest()
