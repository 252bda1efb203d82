"""Training, too, runs where the nights do: on a worker, as a deployment."""

import pytest

from models import bundle
from tests.support.runs import real_texts

pytestmark = pytest.mark.e2e


def test_a_worker_trains_a_bundle(station, tmp_path):
    real_texts(tmp_path / "licences", 1500)
    course = {"inputs": [str(tmp_path / "licences")], "bundle": str(tmp_path / "bundle")}
    run = station.trigger("train/train", course | {"passages": 1500, "words": 800, "pairs": 600})
    assert station.state(run) == "Completed"
    assert bundle.load(tmp_path / "bundle").verifier
