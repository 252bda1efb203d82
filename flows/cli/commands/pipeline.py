"""Commands that make snapshots: curate, refresh, reindex, demo."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from data_contracts.imports import at_once
from flows.cli.app import RUN, app
from flows.cli.guard import recorded
from flows.cli.options import (
    IdColumn,
    Out,
    Protected,
    Settings,
    SourceColumn,
    TextColumn,
    TextFrom,
    run_options,
    talk_options,
)
from flows.cli.talk import Talk
from tasks.ingest.formats import NAMES
from tasks.runtime.errors import arguments

if TYPE_CHECKING:
    from models.parameters import Parameters


@app.command(rich_help_panel=RUN)
@run_options()
@talk_options
def curate(
    inputs: Annotated[list[str], typer.Argument(metavar="INPUT...", help=f"Files, folders or globs: {NAMES}.")],
    out: Out,
    id_column: IdColumn = None,
    text_column: TextColumn = None,
    text_from: TextFrom = None,
    source_column: SourceColumn = None,
    protected: Protected = None,
    preset: Annotated[
        str, typer.Option("--preset", metavar="strict|balanced|aggressive|wording-only", help="Settings to begin with.")
    ] = "balanced",
    config: Annotated[
        Path | None, typer.Option("--config", help="Settings in a TOML file: [section] and key = value.")
    ] = None,
    start_over: Annotated[
        bool, typer.Option("--start-over", help="Yes, forget what nights have added to OUT and deleted from it.")
    ] = False,
    settings: Settings = None,
    *,
    options: dict[str, Any],
    talk: dict[str, Any],
) -> None:
    """Curate a corpus and publish a deduplicated snapshot.

    Finished stages are reused: the same command twice does nothing the second time, and a run that was killed goes on
    where it stopped. Look at OUT/current/report.html afterwards.
    """

    def parameters() -> "Parameters":
        from flows.cli.commands.settings import (
            chosen,  # registers a command, which help lists behind those of this module
        )
        from models.parameters import Parameters, column_settings

        with arguments():
            given = [*chosen(preset, config), *column_settings(id_column, text_column, source_column, text_from)]
            return Parameters().with_settings([*given, *(settings or [])])

    def begin() -> None:
        _hold_paths(inputs, out, options["workspace"], protected)
        wanted = parameters()
        from tasks.ingest.columns import try_columns

        try_columns(wanted, inputs)

    told = Talk(**talk)
    given = options | {"start_over": start_over}
    recorded(lambda: _curate(inputs, out, protected, parameters(), given, told), told, begin)


def _hold_paths(
    inputs: list[str] | None, out: Path, workspace: str | None, *lists: Path | None, at_night: bool = False
) -> None:
    """Say at once which path is wrong: what takes long has not been imported yet. At night a folder may be empty."""
    from tasks.ingest.discover import arrived, discover
    from tasks.runtime.errors import InputError
    from tasks.runtime.paths import hold_folder, hold_output, readable

    hold_output(out)
    if workspace and "://" not in workspace:
        hold_folder(Path(workspace), "workspace")
    if inputs and at_night:
        inputs = arrived(inputs)
    if inputs:
        discover(inputs)
    for path in lists:
        if path is not None and not path.is_file():
            raise InputError(f"the list '{readable(path)}' does not exist or is no file")


def _curate(
    inputs: list[str],
    out: Path,
    protected: Path | None,
    parameters: "Parameters",
    options: dict[str, Any],
    talk: Talk,
) -> None:
    with arguments():
        with at_once():
            from flows.curate import Corpus, curate

        corpus = Corpus(
            inputs=inputs,
            out=out,
            protected=str(protected) if protected else None,
            parameters=parameters,
            **options,
        )
    made = Path(curate(corpus))
    talk.tell(made, "dry run passed" if corpus.dry_run else "published")


@app.command(rich_help_panel=RUN)
@run_options()
@talk_options
def refresh(
    out: Out,
    inputs: Annotated[
        list[str] | None,
        typer.Argument(metavar="NEW...", help=f"Files, folders or globs: {NAMES}."),
    ] = None,
    deleted: Annotated[
        Path | None, typer.Option(help="Ids that must go: one per line, or a table with a column doc_id.")
    ] = None,
    delete_most: Annotated[
        bool, typer.Option("--delete-most", help="Yes, delete what the list says: more than half of what is published.")
    ] = False,
    protected: Protected = None,
    keep: Annotated[
        int | None, typer.Option(min=1, help="Afterwards remove all but this many of the newest snapshots.")
    ] = None,
    settings: Settings = None,
    *,
    options: dict[str, Any],
    talk: dict[str, Any],
) -> None:
    """Check new arrivals against each other and against everything published, and publish what follows.

    Costs follow what is new, not the corpus. Published documents stay: a new duplicate goes in their favour. An id that
    is known gets its new text; one in the list of deletions goes, also if it arrives tonight. A published document
    gives way to a new one only if that contains it, and everything that went in its favour. A passage that has become
    viral is cut from old documents, too. Settings are those of the published snapshot but for --set.

    Example: semhash-llm refresh arrivals/2026-11-20/*.jsonl --deleted gone.txt --out published
    """

    def action() -> None:
        with arguments():
            with at_once():
                from flows.refresh import Arrivals, refresh

            if not inputs and not deleted and not protected:
                raise ValueError("nothing to do: name what arrived, or --deleted FILE, or --protected FILE")
            arrivals = Arrivals(
                inputs=inputs or [],
                out=out,
                deleted=str(deleted) if deleted else None,
                delete_most=delete_most,
                protected=str(protected) if protected else None,
                settings=settings or [],
                keep=keep,
                **options,
            )
        from tasks.snapshots.layout import published
        from tasks.snapshots.store import pull

        pull(out)
        before = published(out)
        snapshot = Path(refresh(arrivals))
        if snapshot == before:
            told.stays(snapshot)
        else:
            told.tell(snapshot, "dry run passed" if arrivals.dry_run else "published")

    told = Talk(**talk)
    recorded(action, told, lambda: _hold_paths(inputs, out, options["workspace"], deleted, protected, at_night=True))


@app.command(rich_help_panel=RUN)
@run_options("workspace", "threads", "memory_limit", "runner", "cluster")
@talk_options
def reindex(
    out: Out,
    settings: Settings = None,
    *,
    options: dict[str, Any],
    talk: dict[str, Any],
) -> None:
    """Make the index of the published snapshot anew: count, embed and sign every live document again.

    Needed when a refresh says so: after another bundle or other parameters, or when so much has arrived that the
    frozen weights are out of date. Decisions stay as they are; it costs about as much as the first stages of curate.
    """

    def action() -> None:
        with arguments():
            with at_once():
                from flows.reindex import Indexed
                from flows.reindex import reindex as make

            indexed = Indexed(out=out, settings=settings or [], **options)
        made = Path(make(indexed))
        told.tell(made, "indexed anew")

    told = Talk(**talk)
    recorded(action, told)


@app.command(rich_help_panel=RUN)
@run_options("threads")
@talk_options
def demo(
    out: Out = Path("demo"),
    everything: Annotated[bool, typer.Option("--all", help="All 37,000 texts instead of a sample.")] = False,
    rows: Annotated[int, typer.Option(min=100, help="Size of the sample.")] = 2500,
    *,
    options: dict[str, Any],
    talk: dict[str, Any],
) -> None:
    """Curate real text: licence texts and notices, with real copies, containment and near-identical versions."""

    def action() -> None:
        from models.parameters import Parameters
        from tasks.demo.licence_corpus import write_demo

        corpus = write_demo(out / "corpus", None if everything else rows)
        _curate([str(corpus)], out, None, Parameters(), options, told)

    told = Talk(**talk)
    recorded(action, told)
