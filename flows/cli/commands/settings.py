"""Command `settings`: what can be set, and what is in force."""

import tomllib
from pathlib import Path
from typing import Annotated

import typer

from flows.cli.app import READ, app
from flows.cli.guard import guarded


@app.command(rich_help_panel=READ)
def settings(
    word: Annotated[str, typer.Argument(metavar="[WORD]", help="Only those in whose name or text it stands.")] = "",
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder of snapshots: show the values that the published one has.")
    ] = None,
) -> None:
    """List the settings: value, meaning, what each may be.

    Example: semhash-llm settings passage
    """

    def action() -> None:
        from models.parameters import Parameters
        from tasks.pipeline.settings import settings, told
        from tasks.runtime.errors import InputError
        from tasks.snapshots.layout import manifest, published

        found = settings(word)
        if not found:
            raise InputError(f"no setting has '{word}' in its name or text; all of them: semhash-llm settings")
        in_force = Parameters.of_manifest(manifest(published(out))["parameters"]) if out else None
        typer.echo(told(found, in_force))

    guarded(action)


def chosen(preset: str, config: Path | None) -> list[str]:
    """Settings of a preset and of a file, those of the file behind.

    Raises:
        ValueError: there is no such preset, or the file cannot be read.
    """
    from models.parameters import PRESETS
    from tasks.pipeline.settings import from_toml

    if preset not in PRESETS:
        raise ValueError(f"--preset {preset}: known are {', '.join(PRESETS)}")
    if config is None:
        return [*PRESETS[preset].settings]
    try:
        return [*PRESETS[preset].settings, *from_toml(tomllib.loads(config.read_text(encoding="utf-8")))]
    except (OSError, ValueError) as error:
        raise ValueError(f"--config {config}: {error}") from error
