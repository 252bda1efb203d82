"""`eq:sem_contain`: a document is contained only where the meaning agrees, too."""

import numpy as np
import polars as pl
import pytest

from models.decision.types import Verdict
from models.parameters import Parameters
from tasks.encode.embeddings import encoder
from tasks.resolve.containment import contain
from tasks.runtime.run import Run
from tasks.storage.stage import Stage
from tasks.storage.tables import scan
from tests.support.made_up import made_up

CHILD = "The ferry leaves the fish quay at seven on weekdays, and tickets are sold on board by an old man."
PARENT = CHILD + " Apples are pressed in October. The mill has stood still since the war, and nobody misses it."
TWIN = "Whoever wants to see the lighthouse walks along the dyke at low tide."


def contained(folder, child_vector, judge_source=None):
    """Child 0 with this vector, parent 1 with the opposite one, twin 2 that no pair calls contained."""
    vector = child_vector.astype(np.float16)
    texts = [CHILD, PARENT, TWIN]
    verified = {"a": [0, 0], "b": [1, 2], "ratio_a": [0.95, 1.0], "ratio_b": [0.4, 1.0]}
    verified |= {"type": ["D", "B"], "verdict": [Verdict.IN_B, Verdict.EITHER]}
    frames = {
        "documents": pl.DataFrame({"doc": [0, 1, 2], "text": texts, "n_chars": [len(text) for text in texts]}),
        "embeddings": pl.DataFrame(
            {"doc": [0, 1, 2], "vector": pl.Series([vector, -vector, vector]), "attention": [b"\x01"] * 3}
        ),
        "verified": pl.DataFrame(verified | {"cosine": pl.Series([-1.0, 1.0], dtype=pl.Float32)}).with_columns(
            judge_source=pl.lit(judge_source, pl.String)
        ),
    }
    run = Run(workspace=folder)
    refs = []
    for name, frame in frames.items():
        with Stage(run, made_up(name), []) as stage:
            stage.write(0, frame)
        refs.append(stage.ref)
    return scan(contain.fn(run, *refs)).collect()


@pytest.fixture
def vector():
    return encoder(Parameters().encoder, 1).embed([CHILD])[0]


def test_a_long_parent_is_compared_by_the_passage_that_matches(tmp_path, vector):
    found = contained(tmp_path, vector)
    assert found.select("child", "parent", "confirmed", "chosen").rows() == [(0, 1, True, True)]
    assert found["cosine"].item() > 0.9, "of the passage: the vectors of the whole texts are opposite"


def test_no_parent_without_agreement_in_meaning(tmp_path, vector):
    found = contained(tmp_path, -vector)
    assert found.select("child", "parent", "confirmed", "chosen").rows() == [(0, 1, False, False)]


def test_a_person_who_read_both_needs_no_agreement_in_meaning(tmp_path, vector):
    found = contained(tmp_path, -vector, "review")
    assert found.select("child", "parent", "confirmed", "chosen").rows() == [(0, 1, True, True)]
    assert not contained(tmp_path / "judge", -vector, "model")["confirmed"].item(), "a model does"
