"""Task runners for the parts of a table: none, processes of this machine, or a Dask or Ray cluster."""

import logging
import os
import signal
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import BrokenExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from typing import Any, Literal, Self

from prefect import Task
from prefect.context import (
    FlowRunContext,
    TaskRunContext,
    get_settings_context,
    refresh_global_settings_context,
    serialize_context,
)
from prefect.futures import PrefectFuture
from prefect.settings import PREFECT_API_SSL_CERT_FILE, PREFECT_API_URL, temporary_settings
from prefect.task_runners import ProcessPoolTaskRunner, TaskRunner

from tasks.remote.worker_scratch import LOCAL
from tasks.runtime.errors import InputError
from tasks.runtime.process_exit import HELD_BACK, work_for_another
from tasks.runtime.progress import say
from tasks.runtime.run import Run, own_bytes

Runner = Literal["threads", "processes", "dask", "ray"]
Opening = Callable[[], AbstractContextManager[TaskRunner[Any]]]
OWN_BYTES = 1_000_000_000
"""Of the process of the run and its temporary server while workers work."""
WORKER_BYTES = 700_000_000
"""Of one worker with a part in its hands."""
UNUSED_CERTIFICATE = Path(__file__).with_name("unused_certificate.pem")
"""File with one certificate, whose key nobody has: a client must read some, though it uses none."""
_DASK_HERE = {
    "distributed.worker.profile.enabled": False,
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": None,
}
"""Settings of a Dask cluster that the run starts itself: else its workers look a hundred times a second what they do,
and give memory back that they take again at once."""
CLUSTER = 64
"""Workers that a cluster is taken to have: with more of them the last parts of a stage are shared out less evenly."""


class Processes(ProcessPoolTaskRunner):
    """Prefect's pool of processes, for several stages one after the other, of which some may be killed.

    To pack and unpack Prefect's settings would take ten times what else a task costs: workers are given them when
    they begin, and the context of the task that submits is packed once for a stage.
    """

    _submitting: TaskRunContext | None = None

    def __enter__(self) -> Self:
        """Open the pool; a killed process may hold the lock of its queue, and this one must end all the same."""
        self._initializer = _begin_worker
        self._initargs = (get_settings_context().settings.to_environment_variables(exclude_unset=True),)
        entered = super().__enter__()
        if self._subprocess_message_queue is not None:
            self._subprocess_message_queue.cancel_join_thread()
        return entered

    def submit(self, *given: Any, **named: Any) -> Any:
        """Submit as part of the stage that is running now; left alone, the pool goes on naming the first one."""
        stage = TaskRunContext.get()
        if self._cached_context is None or stage is not self._submitting:
            self._cached_context = serialize_context() | {"settings_context": {}}
            self._cached_env, self._submitting = {}, stage
        # Threads begun here start the processes, which inherit what is blocked: Ctrl-C must not meet them half begun.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, HELD_BACK)
        try:
            return super().submit(*given, **named)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def without_authorities(environment: Mapping[str, str]) -> dict[str, str]:
    """Settings with which a client of a server without TLS does not read the certificates of all authorities.

    Clients of Prefect read them whatever the address is, two for each task: that took a worker most of the time that a
    task took it.

    Args:
        environment: settings of Prefect as variables; what it says of certificates itself stands.
    """
    plain = environment.get(PREFECT_API_URL.name, "").startswith("http://")
    named = PREFECT_API_SSL_CERT_FILE.name
    return {named: str(UNUSED_CERTIFICATE)} if plain and named not in environment else {}


def _begin_worker(settings: dict[str, str]) -> None:
    os.environ |= settings
    refresh_global_settings_context()
    work_for_another()


class Workers:
    """A task runner of Prefect that is opened when it is first needed, and anew after it broke.

    Attributes:
        places: tasks under way at the same time, about.
        opened: how often it was opened.
    """

    def __init__(self, make: Opening, places: int = CLUSTER) -> None:
        self.places = places
        self.opened = 0
        self._make = make
        self._runner: TaskRunner[Any] | None = None
        self._stack = ExitStack()

    def submit(self, task: Task[..., Any], parameters: dict[str, Any]) -> PrefectFuture[Any]:
        """Give a task to one of the workers."""
        if self._runner is None:
            self._runner = self._stack.enter_context(self._make())
            self.opened += 1
        return self._runner.submit(task, parameters)  # type: ignore[no-any-return]

    def mend(self, error: Exception, opened: int) -> None:
        """After a task failed that was submitted when `opened` was what it was: is its runner of any use?

        A cluster replaces workers that die. A pool of processes does not, and fails all that it still has to do.
        """
        if isinstance(error, BrokenExecutor) and opened == self.opened:
            self.close()

    def close(self) -> None:
        """Close the runner, if one is open."""
        self._runner = None
        self._stack.close()


_open: ContextVar[Workers | None] = ContextVar("workers", default=None)


def current() -> Workers | None:
    """The workers of this run; None where it works alone."""
    return _open.get()


def share(run: Run) -> Run:
    """The run as one part sees it: alone it has all of it, beside others one thread, and its share of the memory.

    How much that is changes no byte: a statement spills where it needs more.
    """
    if not (beside := current()):
        return run
    _, room = split(run.limit_bytes, beside.places)
    return run.model_copy(update={"threads": 1, "memory_limit": f"{room // 10**6}MB"})


def split(limit_bytes: int, places: int) -> tuple[int, int]:
    """Split a limit evenly: bytes of the process of the run, and of each worker; no less than they need at all."""
    own = max(OWN_BYTES, limit_bytes // (places + 1))
    return own, max(WORKER_BYTES, (limit_bytes - own) // places)


def apart(runner: Runner, cluster: str | None) -> bool:
    """Do workers not see the folder of the run? Those that it starts itself do, unless they are to have their own."""
    return runner != "threads" and bool(cluster or os.environ.get(LOCAL))


@contextmanager
def workers(runner: Runner, cluster: str | None, places: int, limit_bytes: int) -> Iterator[None]:
    """Open a task runner for the parts of stages while the block runs.

    Args:
        runner: "threads" for none but this process.
        cluster: address of the scheduler of Dask, or of a node of Ray; without one `places` processes are started here.
        places: parts under way at the same time where `cluster` does not say it.
        limit_bytes: memory of all processes that are started here, and of this one; it may allow fewer places.

    Raises:
        InputError: the packages of the runner are not installed, or a cluster is named for one that has none.
    """
    if cluster and runner not in _CLUSTERS:
        raise InputError(f"--cluster: a cluster is of dask or ray, but the runner is {runner}")
    if runner == "threads":
        yield
        return
    if not cluster and (fitting := max(1, (limit_bytes - OWN_BYTES) // WORKER_BYTES)) < places:
        say(f"--memory-limit: {fitting} workers instead of {places}, as each takes some {WORKER_BYTES / 1e9} GB")
        places = fitting
    opening: Opening = partial(Processes, max_workers=places)
    if runner in _CLUSTERS:
        opening = _CLUSTERS[runner](cluster, places)
    made = Workers(opening, CLUSTER if cluster else places)
    with _one_server():
        token, bound = _open.set(made), own_bytes.set(limit_bytes if cluster else split(limit_bytes, places)[0])
        try:
            yield
        finally:
            _open.reset(token)
            own_bytes.reset(bound)
            made.close()


@contextmanager
def _one_server() -> Iterator[None]:
    """Point workers and their threads to the server of this run, also a temporary one; else they start others."""
    context = FlowRunContext.get()
    if context is None:
        yield
        return
    address = {PREFECT_API_URL.name: str(context.client.api_url)}
    given = address | without_authorities(os.environ | address)  # workers that are started here begin with them
    before = {name: os.environ[name] for name in given if name in os.environ}
    with temporary_settings({PREFECT_API_URL: address[PREFECT_API_URL.name]}):
        os.environ |= given
        refresh_global_settings_context()  # threads know no other
        try:
            yield
        finally:
            for name in given:
                del os.environ[name]
            os.environ |= before
            refresh_global_settings_context()


def _dask(cluster: str | None, places: int) -> Opening:
    try:
        from prefect_dask import DaskTaskRunner
    except ImportError as error:
        raise InputError("--runner dask: pip install 'semhash-llm[dask]'") from error
    if cluster:
        return partial(DaskTaskRunner, address=cluster)
    # Its schedulers tell every step, and open a page for anyone at a fixed port.
    logging.getLogger("distributed").setLevel(logging.ERROR)
    local = {"n_workers": places, "threads_per_worker": 1, "memory_limit": None, "dashboard_address": "127.0.0.1:0"}
    return partial(_own_dask, **local)


@contextmanager
def _own_dask(**cluster: Any) -> Iterator[TaskRunner[Any]]:
    """Dask cluster of a run: as long as it is open, and for it alone, its settings hold."""
    import dask
    from prefect_dask import DaskTaskRunner

    with dask.config.set(_DASK_HERE), DaskTaskRunner(cluster_kwargs=cluster) as runner:
        yield runner


def _ray(cluster: str | None, places: int) -> Opening:
    try:
        from prefect_ray import RayTaskRunner
    except ImportError as error:
        raise InputError("--runner ray: pip install 'semhash-llm[ray]'") from error
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    if cluster:
        return partial(RayTaskRunner, address=cluster, init_kwargs=quiet)
    return partial(RayTaskRunner, init_kwargs=quiet | {"num_cpus": places, "include_dashboard": False})


_CLUSTERS = {"dask": _dask, "ray": _ray}
