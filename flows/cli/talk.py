"""What a run says on the terminal: how much, and what came of it in words or as JSON."""

import json
import os
from pathlib import Path
from typing import Any, NamedTuple

import typer


class Talk(NamedTuple):
    """How a command was asked to talk."""

    quiet: bool = False
    verbose: bool = False
    as_json: bool = False

    def begin(self) -> None:
        """Have it so from now on; before Prefect is imported."""
        from tasks.runtime.progress import be_quiet

        if self.quiet:
            be_quiet()
        if self.verbose:
            os.environ["PREFECT_LOGGING_LEVEL"] = "INFO"

    def tell(self, snapshot: Path, outcome: str) -> None:
        """Say in a few lines what a run came to: "published", "dry run passed", "indexed anew"."""
        from tasks.publish.outcome import Outcome

        came = Outcome.of(snapshot)
        for warning in came.warnings:
            typer.secho(warning, fg=typer.colors.YELLOW, err=True)
        typer.echo(json.dumps(self._plain(came, outcome)) if self.as_json else "\n".join(came.lines(outcome)))

    def stays(self, snapshot: Path) -> None:
        """Say that a night brought nothing, so that the snapshot before stays; its own night is not this one."""
        from tasks.publish.outcome import Outcome

        came = Outcome.of(snapshot)._replace(night={}, warnings=[])
        told = (
            json.dumps(self._plain(came, "nothing new")) if self.as_json else f"nothing new tonight: {snapshot} stays"
        )
        typer.echo(told)

    @staticmethod
    def _plain(came: Any, outcome: str) -> dict[str, Any]:
        return {"outcome": outcome, **came._asdict()}
