"""Plans: a corpus is estimated from the heads of files, costs grow as they were measured, and what was off is said."""

import json
import math

import polars as pl
import pytest
from typer.testing import CliRunner

from flows.cli import app
from models.parameters import Parameters
from tasks.pipeline.registry import STAGES
from tasks.plan import corpus_sample
from tasks.plan.corpus_sample import sample
from tasks.plan.costs import REST, Cost, Measured, Taken, shipped, taken
from tasks.plan.forecast import Machines, Prices, forecast, off


def texts(rows: int, seed: int = 0) -> pl.DataFrame:
    """Texts of 20 to 1,019 bytes, in no order of length."""
    sizes = [20 + (977 * (nth + seed)) % 1000 for nth in range(rows)]
    return pl.DataFrame({"id": [f"{seed}-{nth}" for nth in range(rows)], "text": ["é" + "x" * (n - 2) for n in sizes]})


def test_a_long_file_of_lines_is_estimated_from_its_head(tmp_path, monkeypatch):
    monkeypatch.setattr(corpus_sample, "HEAD_BYTES", 100_000)
    frame = texts(5000)
    frame.write_ndjson(tmp_path / "long.jsonl")
    found = sample([str(tmp_path)], Parameters())
    assert found.looked_at < 400
    assert found.documents == pytest.approx(5000, rel=0.05)
    assert found.text_bytes == pytest.approx(frame["text"].str.len_bytes().sum(), rel=0.05)


def test_of_many_tables_some_are_looked_into(tmp_path, monkeypatch):
    monkeypatch.setattr(corpus_sample, "FILES", 4)
    monkeypatch.setattr(corpus_sample, "ROWS", 100)
    frames = [texts(400, seed) for seed in range(12)]
    for number, frame in enumerate(frames):
        frame.write_parquet(tmp_path / f"{number:02}.parquet")
    found = sample([str(tmp_path)], Parameters())
    assert (found.files, found.looked_at) == (12, 400)
    assert found.documents == pytest.approx(4800, rel=0.05)
    assert found.text_bytes == pytest.approx(sum(frame["text"].str.len_bytes().sum() for frame in frames), rel=0.1)


def cost(cpu: float) -> Cost:
    return Cost(cpu, 0.0, 0.0, 100.0, 0.0, disk_mb=10.0, files=4)


MEASURED = Measured(
    "a machine",
    Taken(10_000, 100.0, {"linear": cost(90), "steep": cost(200), "short": cost(40), REST: cost(9)}, 100.0),
    spread={"linear": 0.75},
    worker_mb=500.0,
    powers={"steep": math.log10(20)},
)


def test_costs_grow_by_what_was_measured():
    plan = forecast(100_000, 1e9, MEASURED)
    seconds = {stage.stage: stage.cpu * 3600 for stage in plan.stages}
    assert seconds == pytest.approx({"linear": 900, "steep": 4000, "short": 400, REST: 90})
    assert plan.table_gb == pytest.approx(0.4) and plan.requests == pytest.approx(4.3 * 160)


def test_machines_take_away_only_what_workers_do():
    plan = forecast(100_000, 1e9, MEASURED)
    alone = (225 + 4000 + 400 + 90) / 3600
    assert plan.alone == pytest.approx(alone)
    assert plan.hours(Machines(1, 10)) == pytest.approx(alone + 675 / 3600 / 7)
    assert plan.hours(Machines(1000, 10)) == pytest.approx(alone, rel=0.01)
    assert plan.enough(alone, 10) is None
    assert plan.enough(alone + 675 / 3600 / 7 / 3 * 1.001, 10) == 3


def test_money_is_the_sum_of_what_has_a_price():
    assert Prices().of(10, 730, 1, 5e6) is None
    assert Prices(hour=2.0).of(10, 730, 1, 5e6) == 20
    assert Prices(2.0, 3.0, 4.0).of(10, 730, 2, 5e6) == pytest.approx(20 + 6 + 20)


def test_what_was_off_is_said_by_stage():
    took = MEASURED.run._replace(stages={"linear": cost(180), "steep": cost(100)}, documents=20_000)
    rows = {line.split()[0]: line.split() for line in off(forecast(10_000, 1e8, MEASURED), took).splitlines()}
    assert rows["linear"][-1] == "2.00" and rows["steep"][-1] == "0.50" and "short" not in rows
    assert rows["documents"][-1] == "2.00" and rows["all"][-1] == "0.97"


def test_shipped_costs_name_stages_that_there_are():
    stages = {row.name for row in STAGES} - {"judge"}
    assert stages | {REST} == set(shipped().run.stages)
    assert shipped().spread.keys() | shipped().powers.keys() <= stages | {REST}
    assert all(0 < share <= 1 for share in shipped().spread.values())
    assert all(power >= 1 for power in shipped().powers.values())


@pytest.mark.flows
def test_a_run_is_compared_with_its_plan(curated):
    took = taken(curated)
    documents = pl.scan_parquet(curated / "current" / "documents" / "*.parquet").select(pl.len()).collect().item()
    assert took.documents > documents > 0 and took.text_mb > 0.01
    assert took.stages.keys() == {REST, *(row.name for row in STAGES)} - {"judge"} and took.stages[REST].cpu > 0
    given = ["plan", str(curated.parent / "corpus.parquet"), "--out", str(curated), "--machines", "3"]
    said = CliRunner().invoke(app, [*given, "--price-hour", "1"])
    assert said.exit_code == 0, said.output
    assert "3 machines" in said.stdout and "money: 0.0" in said.stdout and "documents" in said.stdout
    told = json.loads(CliRunner().invoke(app, [*given, "--json"]).stdout)
    assert told["documents"] == pytest.approx(took.documents, rel=0.01)
    assert told["taken_cpu_seconds"]["verify"] == took.stages["verify"].cpu
