"""Commands about documents and pairs of a snapshot: explain, review, audit, restore."""

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.app import READ, app
from flows.cli.guard import guarded
from flows.cli.options import Out
from tasks.runtime.errors import arguments


@app.command(rich_help_panel=READ)
def explain(doc_id: Annotated[str, typer.Argument(metavar="DOC_ID")], out: Out) -> None:
    """Say what happened to a document, in whose favour, at which stage, with scores and the passages concerned."""

    def action() -> None:
        from tasks.explain import explain
        from tasks.runtime.compiling import announce_compiling

        announce_compiling()
        typer.echo(explain(out, doc_id))

    guarded(action)


@app.command(rich_help_panel=READ)
def review(
    out: Out,
    csv: Annotated[
        Path | None, typer.Option("--csv", help="Take over decisions: columns doc_id_a, doc_id_b, label, maybe note.")
    ] = None,
    export: Annotated[
        Path | None, typer.Option("--export", help="Write the pairs to this CSV instead, with an empty label.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Pairs at most.")] = None,
) -> None:
    """Decide about pairs that automation is not sure of, the most uncertain first.

    Each pair is shown with what differs; answer d (duplicate: either may go), c (contained: the part may go), x
    (distinct: both stay), s (skip) or q (quit). Every answer is kept at once, in OUT/reviews.parquet. The next curate
    obeys all of them, and so does the next refresh where it looks at both documents; no judge is needed for that.

    Example: semhash-llm review --out published --export pairs.csv, then --csv pairs.csv
    """

    def action() -> None:
        from tasks.review import session as review

        if csv and export:
            with arguments():
                raise ValueError("--csv and --export: one of them at a time")
        if csv:
            typer.echo(review.take_over(out, csv))
        elif export:
            typer.echo(review.export(out, export, limit))
        else:
            typer.echo(review.decide(out, limit))

    guarded(action)


@app.command(rich_help_panel=READ)
def audit(
    out: Out,
    removals: Annotated[int, typer.Option("-n", "--removals", min=0, help="Removals, in equal shares by type.")] = 150,
    cuts: Annotated[int, typer.Option(min=0, help="Cut passages.")] = 80,
    near: Annotated[int, typer.Option(min=0, help="Pairs that were kept, of the 1,000 that came nearest.")] = 40,
    seed: Annotated[int, typer.Option(min=0, help="Of the lot; the same seed draws the same cases, and more.")] = 1,
    csv: Annotated[
        Path | None, typer.Option("--csv", help="Take over answers: a file of --export with the column answer filled.")
    ] = None,
    export: Annotated[
        Path | None, typer.Option("--export", help="Write the cases to this CSV instead, with an empty answer.")
    ] = None,
    html: Annotated[Path | None, typer.Option("--html", help="Write the cases as one web page to read.")] = None,
) -> None:
    """Read a sample of what the run did and say whether it was right; prints how often it is wrong in all.

    Removals are drawn by lot, types in equal shares and sources as they occur; so are cuts, and pairs that were kept
    but came near. Each is shown on a page of its own: the removed text beside the published survivor, what only one of
    them says marked, and where else that stands. Answer r (right), w (wrong), u (unsure), s (skip) or q (quit), with a
    note behind it. Every answer is kept at once, in OUT/audits/SEED.csv; the same command goes on where you stopped.

    Example: semhash-llm audit --out published --seed 7 --html sample.html
    """

    def action() -> None:
        from tasks import audit

        if sum(given is not None for given in (csv, export, html)) > 1:
            with arguments():
                raise ValueError("--csv, --export and --html: one of them at a time")
        sizes = audit.Sizes(removals, cuts, near)
        if csv:
            typer.echo(audit.take_over(out, sizes, seed, csv))
        elif export:
            typer.echo(audit.export(out, sizes, seed, export))
        elif html:
            typer.echo(audit.write_page(out, sizes, seed, html))
        else:
            typer.echo(audit.listen(out, sizes, seed))

    guarded(action)


@app.command(rich_help_panel=READ)
def restore(doc_id: Annotated[str, typer.Argument(metavar="DOC_ID")], out: Out) -> None:
    """Print the original text of a document: a shortened one made whole, a removed one, too."""

    def action() -> None:
        from tasks.explain.archive import restore

        typer.echo(restore(out, doc_id).encode(), nl=False)  # the text itself, whatever the terminal can show

    guarded(action)
