"""Commands about snapshots: list, rollback, gc."""

import json
from contextlib import suppress
from typing import Annotated

import typer

from flows.cli.app import KEEP, app
from flows.cli.guard import guarded
from flows.cli.options import Out
from tasks.runtime.errors import arguments


@app.command(rich_help_panel=KEEP)
def snapshots(
    out: Out,
    check: Annotated[bool, typer.Option("--check", help="Read every file through and name what is damaged.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print them as a line of JSON.")] = False,
) -> None:
    """List the snapshots that passed their gate, the newest first; a star marks the one that readers see."""

    def action() -> None:
        from tasks.runtime.errors import DamageError
        from tasks.snapshots.history import history, told, unreadable
        from tasks.snapshots.store import bring, catalogued
        from tasks.storage.checksums import damaged

        with catalogued(out) as listed:
            published, lost = history(listed), unreadable(listed)
        typer.echo(json.dumps([one._asdict() for one in published]) if as_json else told(published))
        if lost:
            typer.secho(f"their manifests cannot be read: {', '.join(lost)}", fg=typer.colors.YELLOW, err=True)
        if check and (
            spoiled := [
                f"{snapshot.name}/{file}" for snapshot in published for file in damaged(bring(out, snapshot.name))
            ]
        ):
            raise DamageError(f"{len(spoiled)} files are gone or damaged: {', '.join(spoiled[:5])}")

    guarded(action, as_json)


@app.command(rich_help_panel=KEEP)
def rollback(
    snapshot: Annotated[str, typer.Argument(metavar="SNAPSHOT", help="Id, or enough of its beginning.")], out: Out
) -> None:
    """Point `current` at another snapshot, in one step; nothing is changed or removed."""

    def action() -> None:
        from tasks.runtime.errors import ToldError
        from tasks.snapshots.history import roll_back, taken_back
        from tasks.snapshots.layout import published

        before = None
        with suppress(ToldError):  # a current that points nowhere is what a rollback may mend
            before = published(out)
        chosen = roll_back(out, snapshot)
        typer.echo(f"current: {chosen.name} of {chosen.created}, {chosen.kept:,} of {chosen.documents:,} documents")
        deletions, documents = taken_back(before, published(out)) if before else (0, 0)
        if deletions or documents:
            typer.echo(
                f"undone: {deletions:,} deletions and {documents:,} documents that came since; later nights go on from "
                "here, so list and present them again (refresh FILES --deleted FILE)",
                err=True,
            )

    guarded(action)


@app.command(rich_help_panel=KEEP)
def export(
    target: Annotated[str, typer.Argument(metavar="FOLDER|URL", help="Where to; nothing may stand there yet.")],
    out: Out,
    write: Annotated[
        str,
        typer.Option(
            metavar="documents|decisions|attributes",
            help="Rows that are kept; or ids with action, survivor, reason and cuts; or Dolma's attributes.",
        ),
    ] = "documents",
    keep_layout: Annotated[
        bool | None,
        typer.Option(
            "--keep-layout/--own-layout",
            help="Files, order and formats of the input, where they can be written; by default if it is several files.",
        ),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option("--format", metavar="parquet|jsonl.zst", help="Of files of our own; asks for --own-layout."),
    ] = None,
) -> None:
    """Write what is published to a folder or an object store, in the layout of the input or in files of our own.

    The snapshot stays as it is: a refresh goes on from it. Deleted documents are in no export.

    Example: semhash-llm export s3://bucket/corpus/v2 --out published
    """

    def action() -> None:
        from tasks.export import Export, export

        with arguments():
            if write not in ("documents", "decisions", "attributes") or form not in (None, "parquet", "jsonl.zst"):
                raise ValueError("--write takes documents, decisions or attributes, --format parquet or jsonl.zst")
            if form and keep_layout:
                raise ValueError("--keep-layout keeps the formats of the input, so --format says nothing beside it")
        layout = False if form else keep_layout
        names = export(out, target, Export(write, layout, form or "parquet"))  # type: ignore[arg-type]
        typer.echo(f"{len(names)} files in {target}, for example {names[0]}" if names else "nothing is published")

    guarded(action)


@app.command(rich_help_panel=KEEP)
def gc(
    out: Out,
    keep: Annotated[int, typer.Option(min=1, help="How many of the newest snapshots stay.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would go, remove nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print what goes as a line of JSON.")] = False,
) -> None:
    """Remove all but the newest snapshots, and what only they needed of the workspace.

    The published snapshot stays, and so does one that is being read. What was refused or tried before the oldest
    snapshot left goes, too, and all tables under OUT that no snapshot left was made from: their stages would be
    repeated by a run that needs them.
    """

    def action() -> None:
        from tasks.snapshots.garbage_collect import collect, told

        found = collect(out, keep, dry_run=dry_run)
        typer.echo(json.dumps(found._asdict(), default=str) if as_json else told(found, dry_run))

    guarded(action, as_json)
