"""Command `plan`: what a corpus will cost, before it is curated, and how far that was off afterwards."""

import json
from pathlib import Path
from typing import Annotated

import typer

from flows.cli.app import RUN, app
from flows.cli.guard import guarded
from flows.cli.options import CorpusFiles, IdColumn, SourceColumn, TextColumn, TextFrom
from tasks.runtime.errors import arguments
from tasks.runtime.machine import cores

Price = Annotated[float | None, typer.Option(min=0, help="Of a machine for an hour, in any currency.")]


@app.command(rich_help_panel=RUN)
def plan(
    inputs: CorpusFiles,
    out: Annotated[
        Path | None, typer.Option("--out", help="Afterwards: folder of the run, to say how far the plan was off.")
    ] = None,
    machines: Annotated[int, typer.Option(min=1, help="Machines that are there.")] = 1,
    cores_each: Annotated[int, typer.Option("--cores", min=1, help="Cores of each.")] = cores(),
    hours: Annotated[float, typer.Option(min=0.01, help="Hours that there are: how many machines does it take?")] = 12,
    price_hour: Price = None,
    price_gb_month: Annotated[float | None, typer.Option(min=0, help="Of a GB on disk or in a store, a month.")] = None,
    price_requests: Annotated[float | None, typer.Option(min=0, help="Of a million requests to the store.")] = None,
    id_column: IdColumn = None,
    text_column: TextColumn = None,
    text_from: TextFrom = None,
    source_column: SourceColumn = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as a line of JSON.")] = False,
) -> None:
    """Say what curating a corpus will cost, before it is done: CPU hours, time, memory, disk, requests, money.

    Looks into at most 32 of its files, in some seconds, and grows the costs of each stage that were measured for this
    version. Says, too, what of it no machine more makes shorter, as it is the work of one process. With --out it
    compares itself with the run that made what is published there: 1.20 is a fifth more than planned.

    Example: semhash-llm plan crawl/*.parquet --machines 64 --cores 16 --price-hour 0.80
    """

    def action() -> None:
        from models.parameters import Parameters, column_settings
        from tasks.plan.corpus_sample import sample
        from tasks.plan.costs import shipped, taken
        from tasks.plan.forecast import Machines, Prices, forecast, off, plain, told

        with arguments():
            given = Parameters().with_settings(column_settings(id_column, text_column, source_column, text_from))
        sampled, measured = sample(inputs, given), shipped()
        planned, kind = forecast(sampled.documents, sampled.text_bytes, measured), Machines(machines, cores_each)
        prices = Prices(price_hour, price_gb_month, price_requests)
        took = taken(out) if out else None
        if as_json:
            typer.echo(json.dumps(plain(planned, kind, prices, hours, took)))
            return
        typer.echo(told(sampled, planned, kind, prices, measured, hours))
        if took:
            typer.echo(f"\n{off(planned, took)}")

    guarded(action)
