"""Commands that make bundles: train, train-verifier, train-judge, export-judge."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from data_contracts.imports import at_once
from flows.cli.app import LEARN, app
from flows.cli.guard import guarded, recorded
from flows.cli.options import course_options, run_options
from tasks.runtime.errors import arguments


@app.command(rich_help_panel=LEARN)
@run_options("threads", "memory_limit")
@course_options
def train(
    teacher: Annotated[
        Path | None,
        typer.Option(help="Folder of another transformers encoder to learn from. Default: the packaged MiniLM."),
    ] = None,
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
    *,
    course: dict[str, Any],
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

    def flow() -> tuple[Any, Any]:
        from flows.training.bundle import BundleCourse, train

        return BundleCourse, train

    own = {"teacher": teacher, "passages": passages, "words": words, "pairs": pairs, "judge": judge, "reviews": reviews}
    _learn(flow, "bundle", course | options | own)


@app.command(rich_help_panel=LEARN, name="export-judge")
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


@app.command(rich_help_panel=LEARN, name="train-verifier")
@run_options("threads", "memory_limit")
@course_options
def train_verifier(
    source: Annotated[
        str, typer.Option("--from", help="Bundle that encoder, hashes and judge come from: shipped, or a folder.")
    ] = "default",
    leave_out: Annotated[
        list[str] | None, typer.Option(help="Family of operators that no pair is made with, to test on it; repeatable.")
    ] = None,
    pairs: Annotated[int, typer.Option(min=500, help="Labelled pairs that the verifier learns from.")] = 40_000,
    *,
    course: dict[str, Any],
    options: dict[str, Any],
) -> None:
    """Learn to verify anew on your own corpus, and keep the encoder, the hashes and the judge of a bundle.

    Pairs are made of your documents by many families of operators, duplicates and three times as many look-alikes, and
    the network that verifies, its calibration and its thresholds are fitted to them. No teacher is asked.

    Example: semhash-llm train-verifier corpus/*.parquet --bundle learned --exclude-source forum
    """

    def flow() -> tuple[Any, Any]:
        from flows.training.verifier import VerifierCourse, train_verifier

        return VerifierCourse, train_verifier

    _learn(flow, "bundle", course | options | {"source": source, "leave_out": leave_out or [], "pairs": pairs})


@app.command(rich_help_panel=LEARN, name="train-judge")
@run_options("threads", "memory_limit")
@course_options
def train_judge(
    reviews: Annotated[
        Path | None, typer.Option(help="Pairs that people reviewed: reviews.parquet in the folder of a curated corpus.")
    ] = None,
    pairs: Annotated[int, typer.Option(min=200, help="Labelled pairs that are made of the corpus.")] = 1_500,
    *,
    course: dict[str, Any],
    options: dict[str, Any],
) -> None:
    """Teach the local judge on your own corpus and reviewed pairs, and put it into a bundle; all else in it stays.

    Pairs of sentences and documents are made of the corpus, those that you reviewed are added, and a small adapter of
    the packaged language model learns to tell them apart. On two cores 1,000 pairs take about ten minutes.

    Example: semhash-llm train-judge corpus/*.parquet --bundle learned --reviews out/reviews.parquet
    """

    def flow() -> tuple[Any, Any]:
        from flows.training.judge import JudgeCourse, train_judge

        return JudgeCourse, train_judge

    _learn(flow, "judge", course | options | {"reviews": reviews, "pairs": pairs})


def _learn(flow: Callable[[], tuple[Any, Any]], made: str, given: dict[str, Any]) -> None:
    """Run a training flow, which is imported with the model of its parameters when these are known to be right."""
    columns = [given.pop(f"{name}_column") for name in ("id", "text", "source")]
    settings = given.pop("settings") or []
    given["exclude_sources"] = given.pop("exclude_source") or []

    def action() -> None:
        from models.parameters import Parameters, column_settings

        with arguments():
            parameters = Parameters().with_settings([*column_settings(*columns), *settings])
            with at_once():
                model, train = flow()
            course = model(**given, parameters=parameters)
        typer.echo(f"{made} {train(course)}: {course.bundle.resolve()}")

    recorded(action)
