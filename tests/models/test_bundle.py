import json

import numpy as np
import pytest

from models import bundle
from models.semantic.encoder.student import Student, Weights
from models.semantic.hash.projection_hash import random_hyperplanes

FILES = ("student.safetensors", "projection_hash.safetensors", "verifier.safetensors")
HASHES = {name: random_hyperplanes(12, seed) for name, seed in (("student", 3), ("teacher", 4))}
VERIFIER = {"masks.0": np.arange(6, dtype=np.float32).reshape(2, 3).T, "platt": np.array([1.5, -0.25])}
SETTINGS = {"format": 1, "features": ["cosine"]}


def weights(seed: int = 1) -> Weights:
    """A student of 5 words and 3 buckets, 16 wide, with vectors of length 12."""
    random = np.random.default_rng(seed)
    shapes = {"query": (16, 16), "straight": (16, 12), "inner_weight": (16, 4), "inner_bias": (4,)}
    shapes |= {"outer_weight": (4, 12), "outer_bias": (12,), "salience": (8,), "scale": (8,)}
    drawn = {name: random.standard_normal(shape, np.float32) for name, shape in shapes.items()}
    table = random.integers(-127, 128, (8, 16), np.int8)
    return Weights(words=random.integers(0, 2**63, 5).astype(np.uint64), table=table, **drawn)


def save(folder, student=None, hashes=HASHES, verifier=VERIFIER, settings=SETTINGS, metadata=None):
    return bundle.save(folder, student or weights(), hashes, verifier, settings, metadata or {})


@pytest.fixture
def saved(tmp_path):
    save(tmp_path / "b", metadata={"note": "é", "steps": 5})
    return tmp_path / "b"


def test_a_bundle_comes_back_as_it_was_saved(saved):
    loaded = bundle.load(saved)
    pairs = list(zip(loaded.student, weights(), strict=True))
    pairs += [(loaded.projections[name][part], HASHES[name][part]) for name in HASHES for part in (0, 1)]
    pairs += [(loaded.verifier[name], VERIFIER[name]) for name in VERIFIER]
    for found, expected in pairs:
        assert found.dtype == expected.dtype
        assert np.array_equal(found, expected)
    assert loaded.projections.keys() == HASHES.keys()
    assert loaded.verifier.keys() == VERIFIER.keys()
    assert (loaded.settings, loaded.metadata) == (SETTINGS, {"note": "é", "steps": 5})
    assert Student(loaded.student).fingerprint == Student(weights()).fingerprint


def test_another_verifier_takes_the_place_of_the_first(saved):
    before, student = bundle.load(saved), (saved / "student.safetensors").read_bytes()
    bundle.add_judge(saved, {"down": np.ones(2, np.float32)}, {"rank": 1}, {})
    other = {"platt": np.array([0.5, 0.5])}
    found = bundle.replace_verifier(saved, other, {"format": 1, "features": ["jaccard"]}, {"seed": 2})
    after = bundle.load(saved)
    assert after.id == found != before.id and list(after.verifier) == ["platt"]
    assert np.array_equal(after.verifier["platt"], other["platt"]) and after.settings["features"] == ["jaccard"]
    assert after.metadata == {"note": "é", "steps": 5, "verifier": {"seed": 2}} and after.judge_settings["rank"] == 1
    assert (saved / "student.safetensors").read_bytes() == student


def test_the_id_follows_what_changes_answers_and_nothing_else(saved, tmp_path):
    first = bundle.load(saved).id
    assert save(tmp_path / "c", metadata={"other": 1}).id == first
    others = [
        {"student": weights(2)},
        {"hashes": {"student": HASHES["teacher"], "teacher": HASHES["student"]}},
        {"hashes": {"student": HASHES["student"]}},
        {"verifier": VERIFIER | {"platt": np.array([1.5, 0.25])}},
        {"settings": SETTINGS | {"format": 2}},
    ]
    found = [save(tmp_path / "d", **other).id for other in others]
    assert len({first, *found}) == 6


@pytest.mark.parametrize("position", [-1, 100])
@pytest.mark.parametrize("name", FILES)
def test_a_flipped_bit_in_the_tensors_is_noticed(saved, name, position):
    content = bytearray((saved / name).read_bytes())
    content[position] ^= 1
    (saved / name).write_bytes(content)
    with pytest.raises(bundle.BundleError, match=f"{name} is not the file that bundle.json vouches for"):
        bundle.load(saved)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("id",), "0" * 16),
        (("settings", "format"), 9),
        (("metadata", "steps"), 6),
        *((("files", name), "0" * 64) for name in FILES),
    ],
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


def test_another_format_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(bundle, "FORMAT", 1)
    save(tmp_path / "old")
    monkeypatch.undo()
    with pytest.raises(bundle.BundleError, match="has format 1, this version reads 2"):
        bundle.load(tmp_path / "old")


@pytest.mark.parametrize("content", ["", "[]", "{}", "{", "\ud800".encode("utf-8", "surrogatepass").decode("latin-1")])
def test_an_unreadable_page_is_a_bundle_error(saved, content):
    (saved / bundle.PAGE).write_text(content)
    with pytest.raises(bundle.BundleError, match="cannot be read"):
        bundle.load(saved)


def test_missing_parts_are_named(saved):
    with pytest.raises(bundle.BundleError, match=r"no bundle 'nonsense': neither a folder .* shipped \(.*default"):
        bundle.load("nonsense")
    (saved / FILES[1]).unlink()
    with pytest.raises(bundle.BundleError, match=FILES[1]):
        bundle.load(saved)


def test_hyperplanes_of_another_number_are_refused(tmp_path):
    narrow = HASHES["student"]._replace(weight=HASHES["student"].weight[:, :32])
    save(tmp_path / "narrow", hashes={"student": narrow})
    with pytest.raises(bundle.BundleError, match="expected 64 hyperplanes for student"):
        bundle.load(tmp_path / "narrow")


def test_the_default_bundle_is_small_and_fits_both_encoders():
    default = bundle.load()
    assert {name: one.weight.shape for name, one in default.projections.items()} == {
        "student": (384, 64),
        "teacher": (384, 64),
    }
    assert default.student.straight.shape[1] == 384
    assert default.verifier.keys()
    assert sum(file.stat().st_size for file in (bundle.SHIPPED / "default").iterdir()) < 30_000_000
