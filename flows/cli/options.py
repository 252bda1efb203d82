"""Options that several commands have."""

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from flows.cli.guard import guarded
from tasks.ingest.formats import NAMES
from tasks.runtime.machine import amount, cores, memory_limit


def _amount(given: str) -> str:
    try:
        return amount(given)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


def _folder(given: str) -> Path:
    from tasks.snapshots.output_mirror import folder_of

    found: list[Path] = []
    guarded(lambda: found.append(folder_of(given)))
    return found[0]


Out = Annotated[
    Path,
    typer.Option(
        "--out",
        parser=_folder,
        metavar="FOLDER|URL",
        help="Folder of the snapshots, or URL of a store; `current` in it is the published one.",
    ),
]
CorpusFiles = Annotated[
    list[str],
    typer.Argument(metavar="CORPUS...", help=f"Files, folders or globs: {NAMES}."),
]
ExcludeSource = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="Source that must not be learned from; may be given several times."),
]
IdColumn = Annotated[
    str | None,
    typer.Option(help="Column with the id; '' for ids from content. Default: doc_id or id, whichever every file has."),
]
TextColumn = Annotated[
    str | None,
    typer.Option(help="Column with the text. Default: text; where nobody has it, also content or raw_content."),
]
TextFrom = Annotated[
    str | None,
    typer.Option(
        metavar="NAME,NAME",
        help="Columns of which the text is made: question and answer, or a list of turns. Default where there is no "
        "text: messages, conversations, instruction and output, and the like. Such texts are never cut.",
    ),
]
SourceColumn = Annotated[
    str | None, typer.Option(help="Column that names the source. Default: source where every file has it.")
]
Protected = Annotated[
    Path | None, typer.Option(help="Ids that must be kept: one per line, or a table with a column doc_id.")
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="SECTION.KEY=VALUE", help="Change a parameter, e.g. cascade.routing=cascade."),
]
Threads = Annotated[int, typer.Option(min=1, help="Threads; they never change the result.")]
MemoryLimit = Annotated[
    str, typer.Option(callback=_amount, help="Bound for all processes of a run, e.g. 4GB; the rest waits on disk.")
]
Workspace = Annotated[
    str | None,
    typer.Option(
        metavar="FOLDER|URL",
        help="Tables between stages. Default: OUT/workspace; a URL (s3://bucket/prefix) keeps a copy there.",
    ),
]
RunnerName = Annotated[
    str,
    typer.Option(
        "--runner",
        metavar="threads|processes|dask|ray",
        help="Who makes the parts of tables: this process, several, or a cluster; it never changes the result.",
    ),
]
Cluster = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Scheduler of Dask or node of Ray; default: one started here.")
]
Expectations = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[decisions=]FILE",
        help="JSON of an ExpectationSuite that the published documents, or decisions, must meet; several times.",
    ),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Do everything, report it, publish nothing.")]
_SHARED: dict[str, tuple[Any, Any]] = {
    "workspace": (Workspace, None),
    "threads": (Threads, cores()),
    "memory_limit": (MemoryLimit, memory_limit()),
    "runner": (RunnerName, "threads"),
    "cluster": (Cluster, None),
    "expectations": (Expectations, []),
    "dry_run": (DryRun, False),
}
"""Type and default of the options of a run, by their names in `flows.options`."""


_COURSE: dict[str, tuple[Any, Any]] = {
    "inputs": (CorpusFiles, inspect.Parameter.empty),
    "bundle": (
        Annotated[Path, typer.Option("--bundle", help="Folder of the bundle; what is learned is replaced in it.")],
        inspect.Parameter.empty,
    ),
    "exclude_source": (ExcludeSource, None),
    "seed": (Annotated[int, typer.Option(min=0, help="Of every random choice; one seed gives one bundle.")], 1),
    "workspace": (
        Annotated[Path | None, typer.Option(help="Tables between steps. Default: BUNDLE-workspace.")],
        None,
    ),
    "id_column": (IdColumn, None),
    "text_column": (TextColumn, None),
    "source_column": (SourceColumn, None),
    "settings": (Settings, None),
}
"""Type and default of the options of a training, by their names in `flows.training.course`."""


_TALK: dict[str, tuple[Any, Any]] = {
    "quiet": (
        Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but warnings and what came of it.")],
        False,
    ),
    "verbose": (
        Annotated[bool, typer.Option("--verbose", "-v", help="Say what Prefect logs, too, with tracebacks.")],
        False,
    ),
    "as_json": (
        Annotated[bool, typer.Option("--json", help="Print what came of it as a line of JSON.")],
        False,
    ),
}
"""Type and default of the options of what a command says, by their names in `flows.cli.talk.Talk`."""


def talk_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of what it says; it takes them together, as its argument `talk`."""
    return _extended("talk", _TALK, command)


def run_options(*names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command some options of a run, all if none is named; it takes them together, as its argument `options`."""
    return functools.partial(_extended, "options", {name: _SHARED[name] for name in names or _SHARED})


def course_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of a training; it takes them together, as its argument `course`."""
    return _extended("course", _COURSE, command)


def _extended(argument: str, chosen: dict[str, tuple[Any, Any]], command: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(command)
    def called(**given: Any) -> None:
        command(**{argument: {name: given.pop(name) for name in chosen}}, **given)

    own = inspect.signature(command)
    kept = [parameter for parameter in own.parameters.values() if parameter.name != argument]
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
        for name, (kind, default) in chosen.items()
    ]
    vars(called)["__signature__"] = own.replace(parameters=[*kept, *added])
    called.__annotations__ = {parameter.name: parameter.annotation for parameter in (*kept, *added)}
    return called
