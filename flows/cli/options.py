"""Options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

Out = Annotated[Path, typer.Option("--out", help="Folder of the snapshots; `current` in it is the published one.")]
CorpusFiles = Annotated[
    list[str],
    typer.Argument(metavar="CORPUS...", help="Files, folders or globs: jsonl(.gz, .zst), parquet, csv, tsv, txt."),
]
ExcludeSource = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="Source that must not be learned from; may be given several times."),
]
IdColumn = Annotated[
    str | None, typer.Option(help="Column with the id. Default: doc_id where every file has it, else from content.")
]
TextColumn = Annotated[str, typer.Option(help="Column with the text.")]
SourceColumn = Annotated[
    str | None, typer.Option(help="Column that names the source. Default: source where every file has it.")
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="SECTION.KEY=VALUE", help="Change a parameter, e.g. cascade.routing=cascade."),
]
Threads = Annotated[int, typer.Option(min=1, help="Threads; they never change the result.")]
MemoryLimit = Annotated[str, typer.Option(help="Bound for all processes of a run, e.g. 4GB; the rest waits on disk.")]
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


def column_settings(id_column: str | None, text_column: str, source_column: str | None) -> list[str]:
    """Column options as settings."""
    named = {"text_column": text_column, "id_column": id_column, "source_column": source_column}
    return [f"extract.{key}={name}" for key, name in named.items() if name]
