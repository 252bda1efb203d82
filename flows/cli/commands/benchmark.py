"""Command `benchmark`: scores of the method and its baselines on a labelled corpus."""

from pathlib import Path
from typing import Annotated, Any

import typer

from data_contracts.imports import at_once
from flows.cli.app import LEARN, app
from flows.cli.guard import recorded
from flows.cli.options import Settings, run_options
from tasks.runtime.errors import arguments


@app.command(rich_help_panel=LEARN)
@run_options("threads")
def benchmark(
    split: Annotated[Path, typer.Argument(help="Folder with documents, truth and fragments.parquet.")],
    out: Annotated[Path, typer.Option("--out", help="Folder of the table; finished stages in it are used again.")],
    methods: Annotated[
        str,
        typer.Option(metavar="all|none|NAME,...", help="Baselines to run beside; a wrong name lists the known ones."),
    ] = "none",
    ablations: Annotated[
        str, typer.Option(metavar="all|none|NAME,...", help="Ablations: the method with one part switched off or back.")
    ] = "none",
    tune_on: Annotated[
        Path | None,
        typer.Option(help="Another such folder: baselines also run under the threshold that is best there."),
    ] = None,
    train_on: Annotated[
        list[str] | None,
        typer.Option(metavar="CORPUS", help="Files, folders or globs that baselines with a network learn from."),
    ] = None,
    settings: Settings = None,
    *,
    options: dict[str, Any],
) -> None:
    """Curate a labelled corpus and print the paper's table: scores with 95 % intervals, harm, cost.

    SPLIT holds documents (doc_id, text), truth (doc_id, type A-F or background, group_id, role) and fragments
    (fragment_id, doc_id, start, end). Everything goes to OUT: benchmark.md, benchmark.json, benchmark.svg and
    ablations.svg. All rows share OUT/workspace; a run that was killed goes on where it stopped, and another ablation
    makes only the stages that it changes.

    Example: semhash-llm benchmark test --methods all --ablations all --tune-on dev --train-on corpus --out table
    """

    def action() -> None:
        from models.parameters import Parameters

        with arguments():
            parameters = Parameters().with_settings(settings or [])
            with at_once():
                from flows.benchmark import Labelled, benchmark

            labelled = Labelled(
                split=split,
                out=out,
                methods=methods,
                ablations=ablations,
                tune_on=tune_on,
                train_on=train_on or [],
                parameters=parameters,
                **options,
            )
        table = benchmark(labelled)
        typer.echo(table)

    recorded(action)
