"""Surroundings of all tests, and what many of them start from."""
# ruff: noqa: E402

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

# Before any of these libraries is imported: no network, no analytics, no log lines among the ones that tests read.
for name, value in {
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_LOGGING_LEVEL": "WARNING",
    "GX_ANALYTICS_ENABLED": "false",
    "HF_HUB_OFFLINE": "1",
    "TOKENIZERS_PARALLELISM": "false",
}.items():
    os.environ.setdefault(name, value)

import polars as pl
import pytest
from hypothesis import settings
from prefect.client.orchestration import SyncPrefectClient, get_client

from tasks.runtime.process_exit import quietly
from tests.support.runs import SETTINGS, curate, planted, real_texts, without_prefect

if TYPE_CHECKING:
    from models.decision.llm_judge.smollm import LanguageModel

MODELS = Path(__file__).parent / "models"

quietly()
settings.register_profile("fast", max_examples=10, deadline=None)
# The same examples each time: that a change passes says nothing of luck. The fast profile draws others each time.
settings.register_profile("patient", derandomize=True, deadline=None)  # the first example of some compiles a kernel
settings.load_profile("patient")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Modules of which no test is wanted, by their mark, are not imported: they want the largest libraries."""
    wanted = config.option.markexpr
    if collection_path.suffix != ".py" or not re.fullmatch(r"not \w+( and not \w+)*", wanted):
        return None
    marked = re.search(r"^pytestmark = pytest\.mark\.(\w+)$", collection_path.read_text(), re.MULTILINE)
    return (marked is not None and f"not {marked[1]}" in wanted) or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Kernels first: the file that compiles most of them, then those of kernels that it does not need.

    Flows need all kernels. If two processes began with flows, each would compile the same ones for minutes; and one
    that begins with a flow beside the first file waits for what that compiles.
    """
    order = ["decision/evidence/test_pair_evidence.py", "semantic", "lexical", ""]
    of_flows = {item.path for item in items if "curated" in getattr(item, "fixturenames", ())}

    def place(item: pytest.Item) -> int:
        if item.path in of_flows:
            return len(order)
        return next((at for at, path in enumerate(order) if item.path.is_relative_to(MODELS / path)), len(order))

    items.sort(key=place)


@pytest.fixture(scope="session")
def corpus(tmp_path_factory) -> pl.DataFrame:
    """About 120 real texts and the planted ones, sorted by id."""
    texts = real_texts(tmp_path_factory.mktemp("licences"), 120)
    return pl.concat([texts, planted(texts)]).sort("doc_id")


@pytest.fixture(scope="module")
def client() -> Iterator[SyncPrefectClient]:
    """A client of a Prefect server that stands as long as the tests of a module run; flows that they call use it."""
    from prefect.events.worker import EventsWorker
    from prefect.testing.utilities import prefect_test_harness

    # Flows of other tests leave a worker whose server is gone: waiting for it takes forever.
    EventsWorker.reset_instances_for_fork()
    with prefect_test_harness(server_startup_timeout=120), get_client(sync_client=True) as made:
        yield made


@pytest.fixture
def plain() -> Iterator[None]:
    """The flow as a plain function while a test runs."""
    with without_prefect():
        yield


@pytest.fixture(scope="session")
def bare() -> "LanguageModel":
    """The language model of the judge without an adapter; tests leave it as it was."""
    from models.decision.llm_judge.smollm import LanguageModel, weights_file

    return LanguageModel(weights_file())


@pytest.fixture(scope="session")
def curated(corpus, tmp_path_factory) -> Path:
    """Output folder of one undisturbed run on `corpus`; tests only read it."""
    folder = tmp_path_factory.mktemp("curated")
    corpus.write_parquet(folder / "corpus.parquet")
    curate([folder / "corpus.parquet"], folder / "out", SETTINGS)
    return folder / "out"
