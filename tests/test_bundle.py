import json

import numpy as np
import pytest

from models import bundle
from models.semantic.projection_hash import random_hyperplanes


@pytest.fixture
def saved(tmp_path):
    bundle.save(tmp_path / "b", random_hyperplanes(12, seed=3), "teacher", {"note": "é", "steps": 5})
    return tmp_path / "b"


def test_a_bundle_comes_back_as_it_was_saved(saved):
    expected = random_hyperplanes(12, seed=3)
    loaded = bundle.load(saved)
    assert np.array_equal(loaded.projection.weight, expected.weight)
    assert np.array_equal(loaded.projection.bias, expected.bias)
    assert (loaded.encoder, loaded.metadata) == ("teacher", {"note": "é", "steps": 5})


def test_the_id_follows_what_changes_answers_and_nothing_else(saved, tmp_path):
    first = bundle.load(saved).id
    assert bundle.save(tmp_path / "c", random_hyperplanes(12, seed=3), "teacher", {"other": 1}).id == first
    assert bundle.save(tmp_path / "d", random_hyperplanes(12, seed=4), "teacher", {}).id != first
    assert bundle.save(tmp_path / "e", random_hyperplanes(12, seed=3), "student", {}).id != first


@pytest.mark.parametrize("position", [-1, 100])
def test_a_flipped_bit_in_the_tensors_is_noticed(saved, position):
    content = bytearray((saved / bundle.TENSORS).read_bytes())
    content[position] ^= 1
    (saved / bundle.TENSORS).write_bytes(content)
    with pytest.raises(bundle.BundleError, match="vouches"):
        bundle.load(saved)


@pytest.mark.parametrize(
    ("path", "value"),
    [(("id",), "0" * 16), (("encoder",), "student"), (("metadata", "steps"), 6), (("files", bundle.TENSORS), "0" * 64)],
)
def test_a_changed_page_is_noticed(saved, path, value):
    page = json.loads((saved / bundle.PAGE).read_text())
    target = page
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value
    (saved / bundle.PAGE).write_text(json.dumps(page))
    with pytest.raises(bundle.BundleError, match="changed"):
        bundle.load(saved)


@pytest.mark.parametrize("content", ["", "[]", "{}", "{", "\ud800".encode("utf-8", "surrogatepass").decode("latin-1")])
def test_an_unreadable_page_is_a_bundle_error(saved, content):
    (saved / bundle.PAGE).write_text(content)
    with pytest.raises(bundle.BundleError, match="cannot be read"):
        bundle.load(saved)


def test_missing_parts_are_named(saved):
    with pytest.raises(bundle.BundleError, match=r"no bundle 'nonsense'; shipped: .*default"):
        bundle.load("nonsense")
    (saved / bundle.TENSORS).unlink()
    with pytest.raises(bundle.BundleError, match=bundle.TENSORS):
        bundle.load(saved)


def test_the_default_bundle_is_small_and_fits_the_packaged_teacher():
    default = bundle.load()
    assert default.projection.weight.shape == (384, 64)
    assert default.encoder == "teacher"
    assert sum(file.stat().st_size for file in (bundle.SHIPPED / "default").iterdir()) < 30_000_000
