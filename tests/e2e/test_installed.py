"""An installed copy serves: server, deployments and worker, beside packages of others that have our names."""

import polars as pl
import pytest

from tests.e2e.station import Station
from tests.support.processes.wheel import beside_others, unpacked
from tests.support.runs import real_texts

pytestmark = pytest.mark.e2e

COMPILING = 900
"""Seconds for the first run of a copy, which compiles all kernels: one or two minutes where nothing else runs."""


def test_a_worker_of_an_installed_copy_curates(tmp_path, tmp_path_factory):
    place = tmp_path / "others"
    place.mkdir()
    real_texts(place / "corpus", 120)
    surroundings = beside_others(unpacked(tmp_path_factory.mktemp("wheel")), place)
    with Station(tmp_path / "station", place, PYTHONPATH=surroundings["PYTHONPATH"]) as station:
        run = station.trigger("curate/curate", {"inputs": ["corpus"], "out": "published"}, watch=False)
        assert station.finished(run, COMPILING) == "Completed", station.logs(run)
        [step] = station.api("/deployments/name/curate/curate")["pull_steps"]
    assert step["prefect.deployments.steps.set_working_directory"]["directory"] == str(place)
    assert pl.read_parquet(place / "published/current/documents/*.parquet").height > 50
