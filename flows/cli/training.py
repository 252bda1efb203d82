"""Commands that make bundles: train, train-verifier, train-judge, export-judge."""

from pathlib import Path
from typing import Annotated, Any

import typer

from data_contracts.imports import at_once
from flows.cli.app import app
from flows.cli.guard import arguments, guarded, recorded
from flows.cli.options import (
    CorpusFiles,
    ExcludeSource,
    IdColumn,
    Settings,
    SourceColumn,
    TextColumn,
    column_settings,
    run_options,
)


@app.command()
@run_options("threads", "memory_limit")
def train(
    inputs: CorpusFiles,
    bundle: Annotated[Path, typer.Option("--bundle", help="Folder of the bundle; an earlier bundle is replaced.")],
    teacher: Annotated[
        Path | None,
        typer.Option(help="Folder of another transformers encoder to learn from. Default: the packaged MiniLM."),
    ] = None,
    exclude_source: ExcludeSource = None,
    passages: Annotated[
        int, typer.Option(min=1000, help="Passages that the teacher reads: most of the time.")
    ] = 600_000,
    words: Annotated[int, typer.Option(min=100, max=500_000, help="Words with a vector of their own.")] = 48_000,
    pairs: Annotated[int, typer.Option(min=500, help="Labelled pairs that the verifier learns from.")] = 40_000,
    judge: Annotated[
        bool, typer.Option("--judge", help="Teach the local judge, too: it needs its packages and half an hour more.")
    ] = False,
    reviews: Annotated[
        Path | None, typer.Option(help="Pairs that people reviewed, for the judge to learn from.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of every random choice; one seed gives one bundle.")] = 1,
    workspace: Annotated[Path | None, typer.Option(help="Tables between steps. Default: BUNDLE-workspace.")] = None,
    id_column: IdColumn = None,
    text_column: TextColumn = "text",
    source_column: SourceColumn = None,
    settings: Settings = None,
    *,
    options: dict[str, Any],
) -> None:
    """Learn from your own corpus, without labels: a fast encoder, semantic hashes and a verifier, in one bundle.

    The packaged teacher reads passages of the corpus; a student that is many times faster learns to agree with it. The
    hashes are fitted to the vectors of both, and the verifier to duplicates and look-alikes made of your documents.

    On two cores it takes about an hour, most of it the teacher's reading. Finished steps are reused: a training
    that was killed goes on where it stopped. Look at BUNDLE/training.html and BUNDLE/README.md afterwards, and use the
    bundle with: semhash-llm curate … --set encoder.bundle=BUNDLE

    Example: semhash-llm train corpus/*.parquet --bundle learned --exclude-source forum
    """
    given = [*column_settings(id_column, text_column, source_column), *(settings or [])]

    def action() -> None:
        from models.parameters import Parameters

        with arguments():
            parameters = Parameters().with_settings(given)
            with at_once():
                from flows.train import Course, train

            course = Course(
                inputs=inputs,
                bundle=bundle,
                workspace=workspace,
                exclude_sources=exclude_source or [],
                teacher=teacher,
                passages=passages,
                words=words,
                pairs=pairs,
                judge=judge,
                reviews=reviews,
                seed=seed,
                parameters=parameters,
                **options,
            )
        made = train(course)
        typer.echo(f"bundle {made}: {course.bundle.resolve()}")

    recorded(action)


@app.command(name="export-judge")
def export_judge(
    file: Annotated[Path, typer.Argument(metavar="FILE.gguf", help="Adapter to be written.")],
    bundle: Annotated[
        str, typer.Option("--bundle", help="Name or folder of the bundle that holds the judge.")
    ] = "default",
) -> None:
    """Write the trained judge as a GGUF adapter, to be served by llama.cpp on another machine (docs/judge-endpoint.md).

    Example: semhash-llm export-judge judge.gguf
    """

    def action() -> None:
        from models.parameters import Encoder
        from tasks.llm_judge.export_gguf import export

        typer.echo(export(file, Encoder(bundle=bundle)))

    guarded(action)


@app.command(name="train-verifier")
@run_options("threads", "memory_limit")
def train_verifier(
    inputs: CorpusFiles,
    bundle: Annotated[Path, typer.Option("--bundle", help="Folder of the bundle that is written.")],
    source: Annotated[
        str, typer.Option("--from", help="Bundle that encoder, hashes and judge come from: shipped, or a folder.")
    ] = "default",
    exclude_source: ExcludeSource = None,
    leave_out: Annotated[
        list[str] | None, typer.Option(help="Family of operators that no pair is made with, to test on it; repeatable.")
    ] = None,
    pairs: Annotated[int, typer.Option(min=500, help="Labelled pairs that the verifier learns from.")] = 40_000,
    seed: Annotated[int, typer.Option(min=0, help="Of every random choice; one seed gives one verifier.")] = 1,
    workspace: Annotated[Path | None, typer.Option(help="Tables between steps. Default: BUNDLE-workspace.")] = None,
    id_column: IdColumn = None,
    text_column: TextColumn = "text",
    source_column: SourceColumn = None,
    settings: Settings = None,
    *,
    options: dict[str, Any],
) -> None:
    """Learn to verify anew on your own corpus, and keep the encoder, the hashes and the judge of a bundle.

    Pairs are made of your documents by many families of operators, duplicates and three times as many look-alikes, and
    the network that verifies, its calibration and its thresholds are fitted to them. No teacher is asked.

    Example: semhash-llm train-verifier corpus/*.parquet --bundle learned --exclude-source forum
    """
    given = [*column_settings(id_column, text_column, source_column), *(settings or [])]

    def action() -> None:
        from models.parameters import Parameters

        with arguments():
            parameters = Parameters().with_settings(given)
            with at_once():
                from flows.train_verifier import VerifierCourse
                from flows.train_verifier import train_verifier as flow

            course = VerifierCourse(
                inputs=inputs,
                bundle=bundle,
                source=source,
                workspace=workspace,
                exclude_sources=exclude_source or [],
                leave_out=leave_out or [],
                pairs=pairs,
                seed=seed,
                parameters=parameters,
                **options,
            )
        made = flow(course)
        typer.echo(f"bundle {made}: {course.bundle.resolve()}")

    recorded(action)


@app.command(name="train-judge")
@run_options("threads", "memory_limit")
def train_judge(
    inputs: CorpusFiles,
    bundle: Annotated[Path, typer.Option("--bundle", help="Folder of the bundle that receives the judge.")],
    reviews: Annotated[
        Path | None, typer.Option(help="Pairs that people reviewed: reviews.parquet in the folder of a curated corpus.")
    ] = None,
    exclude_source: ExcludeSource = None,
    pairs: Annotated[int, typer.Option(min=200, help="Labelled pairs that are made of the corpus.")] = 1_500,
    seed: Annotated[int, typer.Option(min=0, help="Of every random choice; one seed gives one judge.")] = 1,
    workspace: Annotated[Path | None, typer.Option(help="Tables between steps. Default: BUNDLE-workspace.")] = None,
    id_column: IdColumn = None,
    text_column: TextColumn = "text",
    source_column: SourceColumn = None,
    settings: Settings = None,
    *,
    options: dict[str, Any],
) -> None:
    """Teach the local judge on your own corpus and reviewed pairs, and put it into a bundle; all else in it stays.

    Pairs of sentences and documents are made of the corpus, those that you reviewed are added, and a small adapter of
    the packaged language model learns to tell them apart. On two cores 1,000 pairs take about ten minutes.

    Example: semhash-llm train-judge corpus/*.parquet --bundle learned --reviews out/reviews.parquet
    """
    given = [*column_settings(id_column, text_column, source_column), *(settings or [])]

    def action() -> None:
        from models.parameters import Parameters

        with arguments():
            parameters = Parameters().with_settings(given)
            with at_once():
                from flows.train_judge import JudgeCourse
                from flows.train_judge import train_judge as flow

            course = JudgeCourse(
                inputs=inputs,
                bundle=bundle,
                workspace=workspace,
                exclude_sources=exclude_source or [],
                reviews=reviews,
                pairs=pairs,
                seed=seed,
                parameters=parameters,
                **options,
            )
        made = flow(course)
        typer.echo(f"judge {made}: {course.bundle.resolve()}")

    recorded(action)
