"""Runs from Python: the flows of the command line as functions, quiet and without a server unless asked."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from flows.server.environment import prepare
from models.parameters import PRESETS, Parameters, column_settings
from semhash_llm.data import given
from semhash_llm.result import Result
from tasks.runtime.errors import InputError, arguments
from tasks.runtime.process_exit import quietly
from tasks.runtime.progress import hidden
from tasks.snapshots.output_mirror import folder_of
from tasks.snapshots.store import pull

_quiet_end = cache(quietly)
Settings = Mapping[str, object] | Sequence[str]


def deduplicate(
    data: Any,
    *,
    text: str | Sequence[str] | None = None,
    id: str | None = None,
    source: str | None = None,
    out: str | Path | None = None,
    protected: Sequence[object] | str | Path = (),
    preset: str = "balanced",
    settings: Settings = (),
    parameters: Parameters | None = None,
    progress: bool = False,
    prefect: bool = False,
    **options: Any,
) -> Result:
    """Deduplicate texts.

    Args:
        data: frame of Polars or Pandas, table of Arrow, `datasets.Dataset`, list of texts or of dictionaries; a path,
            glob or URL as str or Path, or a list of Path.
        text: column with the text; several, or one with turns of a conversation, as a list, of which it is made; None:
            `text` or what stands for it by convention, as `content` or `messages`.
        id: column with the id; None: `doc_id` or `id` where there is one, else ids from content; "": from content.
        source: column that names the source; None: `source` where there is one.
        out: folder of the snapshots or URL, as of `curate --out`; None: one that goes with the result.
        protected: ids that must be kept, or a file that lists them.
        preset: name of `models.parameters.PRESETS`.
        settings: what differs from it, {"verify.tau_a": 0.8} or ["verify.tau_a=0.8"].
        parameters: all of them, in place of preset and settings.
        progress: show the stages.
        prefect: record the run at a Prefect server, as the command line does.
        **options: of `flows.options.PublishOptions`: workspace, threads, memory_limit, runner, dry_run, expectations.

    Raises:
        InputError: arguments or data cannot be used.
        GateError: the gate refused what would have been published.
    """
    with _run(progress, prefect) as call:
        from flows.curate import Corpus, curate
        from semhash_llm.passing import Passing

        column, made = (text, None) if text is None or isinstance(text, str) else (None, ",".join(text))
        named = column_settings(id, column, source, made)
        wanted = parameters.with_settings(named) if parameters else _parameters(preset, [*named, *listed(settings)])
        temporary = None if out else TemporaryDirectory(prefix="semhash-")
        folder = folder_of(temporary.name if temporary else out or "").expanduser().absolute()
        with TemporaryDirectory(prefix="semhash-given-") as scratch:
            told = given(data, wanted.extract.text_column, Path(scratch))
            # a server links to the report
            with arguments():
                corpus = (Corpus if out or prefect else Passing)(
                    inputs=told.inputs,
                    out=folder,
                    protected=_list(protected, Path(scratch)),
                    parameters=wanted,
                    **options,
                )
            call(curate, corpus)
        return Result(folder, told, temporary)


def refresh(
    out: str | Path,
    data: Any = None,
    *,
    deleted: Sequence[object] | str | Path = (),
    protected: Sequence[object] | str | Path = (),
    settings: Settings = (),
    progress: bool = False,
    prefect: bool = False,
    **options: Any,
) -> Result:
    """Check new data against all that is published in a folder, as `semhash-llm refresh` does.

    Args:
        out: folder of the snapshots, or URL.
        data: what arrived, see `deduplicate`; in the columns of the published documents.
        deleted: ids that must go, or a file that lists them.
        protected: ids that must be kept, likewise.
        settings: where tonight differs from the snapshot before.
        progress: see `deduplicate`.
        prefect: see `deduplicate`.
        **options: of `flows.refresh.Arrivals`, as delete_most, keep, threads, memory_limit.
    """
    with _run(progress, prefect) as call:
        from flows.refresh import Arrivals, refresh
        from tasks.refresh.previous_snapshot import open_base

        folder = folder_of(out).expanduser().absolute()
        pull(folder)
        with TemporaryDirectory(prefix="semhash-given-") as scratch:
            text = open_base(folder, [])[1].extract.text_column
            told = None if data is None else given(data, text, Path(scratch))
            with arguments():
                arrivals = Arrivals(
                    inputs=told.inputs if told else [],
                    out=folder,
                    deleted=_list(deleted, Path(scratch), "deleted"),
                    protected=_list(protected, Path(scratch)),
                    settings=listed(settings),
                    **options,
                )
            call(refresh, arrivals)
        return Result(folder)


def _parameters(preset: str, settings: Settings) -> Parameters:
    if preset not in PRESETS:
        raise InputError(f"no preset '{preset}'; known: {', '.join(PRESETS)}")
    with arguments():
        return Parameters().with_settings([*PRESETS[preset].settings, *listed(settings)])


def listed(settings: Settings) -> list[str]:
    """Settings as `section.key=value`."""
    if isinstance(settings, Mapping):
        return [f"{name}={value}" for name, value in settings.items()]
    return list(settings)


def _list(ids: Sequence[object] | str | Path, scratch: Path, name: str = "protected") -> str | None:
    """A file that lists ids to the letter."""
    if isinstance(ids, str | Path):
        return str(ids)
    if not len(ids):
        return None
    path = scratch / f"{name}.parquet"
    pl.DataFrame({"doc_id": [str(one) for one in ids]}, schema={"doc_id": pl.String}).write_parquet(path)
    return str(path)


@contextmanager
def _run(progress: bool, prefect: bool) -> Iterator[Any]:
    """Surroundings of a run; yields what calls a flow."""
    prepare()
    _quiet_end()
    with ExitStack() as stack:
        if not progress:
            stack.enter_context(hidden())
        if prefect:
            from flows.server.temporary import server

            stack.enter_context(server())
            yield lambda flow, given: flow(given)
        else:
            from semhash_llm.plain import plain

            yield lambda flow, given: plain(flow)(given)
