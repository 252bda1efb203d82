"""Load and save what is learned: a folder of safetensors and one JSON page that vouches for them. No pickles."""

import hashlib
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load as read_tensors
from safetensors.numpy import save as write_tensors

from models.semantic.encoder.student import Weights
from models.semantic.hash.projection_hash import BITS, ProjectionHash

FORMAT = 2
"""Raised when older bundles can no longer be read."""

SHIPPED = Path(__file__).parent / "bundles"
PAGE = "bundle.json"
JUDGE = "judge.safetensors"
VERIFIER = "verifier.safetensors"

Tensors = dict[str, NDArray[Any]]


class Bundle(NamedTuple):
    """A trained set.

    Attributes:
        id: derived from the content, so equal ids mean equal answers.
        student: the encoder.
        projections: the semantic hash for the vectors of each encoder, by `Encoder.name`.
        verifier: tensors of the verification network (`models.decision.verifier.inference`); may be empty.
        settings: JSON values that go with those tensors.
        metadata: JSON values that inform only: training data, metrics, command.
        judge: tensors of the adapter of the local judge; empty in a bundle without one.
        judge_settings: JSON values that go with those; `id` names both.
    """

    id: str
    student: Weights
    projections: dict[str, ProjectionHash]
    verifier: Tensors
    settings: dict[str, Any]
    metadata: dict[str, Any]
    judge: Tensors = {}  # noqa: RUF012 a tuple's default, never written to
    judge_settings: dict[str, Any] = {}  # noqa: RUF012


class BundleError(ValueError):
    """A bundle that is not there, not readable by this version, or not what its page says."""


def save(
    folder: Path,
    student: Weights,
    projections: dict[str, ProjectionHash],
    verifier: Tensors,
    settings: dict[str, Any],
    metadata: dict[str, Any],
) -> Bundle:
    """Write a bundle, its page last; files of an earlier bundle in the folder are overwritten.

    Returns:
        What `load(folder)` gives from now on.
    """
    folder.mkdir(parents=True, exist_ok=True)
    hashes = {f"{name}.{part}": array for name, one in projections.items() for part, array in one._asdict().items()}
    page: dict[str, Any] = {"format": FORMAT, "files": {}, "settings": settings, "metadata": metadata}
    for name, tensors in {"student": student._asdict(), "projection_hash": hashes, "verifier": verifier}.items():
        content = write_tensors({key: np.ascontiguousarray(tensor) for key, tensor in tensors.items()})
        page["files"][f"{name}.safetensors"] = _sha256(content)
        (folder / f"{name}.safetensors").write_bytes(content)
    page["id"] = _identity(page)
    _write_page(folder, page)
    return Bundle(page["id"], student, projections, verifier, settings, metadata)


def add_judge(folder: Path, tensors: Tensors, settings: dict[str, Any], metadata: dict[str, Any]) -> str:
    """Add the adapter of the local judge to a bundle, in place of an earlier one; returns the adapter's id.

    The id of the bundle stays: the judge has its own, which names its verdicts, and what was indexed without a judge
    stays as good as it was.

    Raises:
        BundleError: there is no bundle in the folder.
    """
    page = _read_page(folder)
    content = write_tensors({key: np.ascontiguousarray(tensor) for key, tensor in sorted(tensors.items())})
    name = _sha256(content + _canonical(settings))[:8]
    digest = _sha256(content)
    page["judge"] = {"sha256": digest, "settings": {**settings, "id": name}, "metadata": metadata}
    (folder / JUDGE).write_bytes(content)
    _write_page(folder, page)
    return name


def replace_verifier(folder: Path, tensors: Tensors, settings: dict[str, Any], metadata: dict[str, Any]) -> str:
    """Put another verification network into a bundle; encoder, hashes and judge stay. Returns the new id.

    Raises:
        BundleError: there is no bundle in the folder.
    """
    page = _read_page(folder)
    content = write_tensors({key: np.ascontiguousarray(tensor) for key, tensor in tensors.items()})
    page["files"] = {**page["files"], VERIFIER: _sha256(content)}
    page["settings"] = settings
    page["metadata"] = {**page["metadata"], "verifier": metadata}
    page["id"] = _identity(page)
    (folder / VERIFIER).write_bytes(content)
    _write_page(folder, page)
    identity: str = page["id"]
    return identity


def _write_page(folder: Path, page: dict[str, Any]) -> None:
    page["page_sha256"] = _sha256(_canonical(page))
    (folder / PAGE).write_text(json.dumps(page, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def load(name: str | Path = "default") -> Bundle:
    """Read a bundle and check every hash on the way.

    Args:
        name: of a shipped bundle, or the folder of another.

    Raises:
        BundleError: not found (the message lists the shipped ones), of another format, or changed since it was saved.
    """
    folder = SHIPPED / name if (SHIPPED / name / PAGE).is_file() else Path(name)
    if not (folder / PAGE).is_file():
        shipped = sorted(page.parent.name for page in SHIPPED.glob(f"*/{PAGE}"))
        raise BundleError(f"no bundle '{name}': neither a folder with {PAGE} nor shipped ({', '.join(shipped)})")
    page = _read_page(folder)
    files = {file: _read(folder, file, digest) for file, digest in page["files"].items()}
    hashes = files["projection_hash.safetensors"]
    projections = {
        encoder: ProjectionHash(hashes[f"{encoder}.weight"], hashes[f"{encoder}.bias"])
        for encoder in sorted({key.split(".")[0] for key in hashes})
    }
    for encoder, one in projections.items():
        if one.weight.shape[1:] != (BITS,) or one.bias.shape != (BITS,):
            raise BundleError(f"bundle {folder}: expected {BITS} hyperplanes for {encoder}, got {one.weight.shape}")
    student = Weights(**files["student.safetensors"])
    verifier = files[VERIFIER]
    judge = page.get("judge")
    return Bundle(
        page["id"], student, projections, verifier, page["settings"], page["metadata"],
        _read(folder, JUDGE, judge["sha256"]) if judge else {}, judge["settings"] if judge else {},
    )  # fmt: skip


def _read(folder: Path, file: str, digest: str) -> Tensors:
    try:
        content = (folder / file).read_bytes()
    except OSError as error:
        raise BundleError(f"bundle {folder}: {file} cannot be read: {error}") from error
    if _sha256(content) != digest:
        raise BundleError(f"bundle {folder}: {file} is not the file that {PAGE} vouches for")
    tensors: Tensors = read_tensors(content)
    return tensors


def _read_page(folder: Path) -> dict[str, Any]:
    try:
        page: dict[str, Any] = json.loads((folder / PAGE).read_text(encoding="utf-8"))
        claimed = page.pop("page_sha256")
        genuine = claimed == _sha256(_canonical(page)) and page["id"] == _identity(page)
    except (OSError, ValueError, KeyError, AttributeError, TypeError) as error:
        raise BundleError(f"bundle {folder}: {PAGE} cannot be read: {error!r}") from error
    if not genuine:
        raise BundleError(f"bundle {folder}: {PAGE} was changed after it was saved")
    if page["format"] != FORMAT:
        raise BundleError(f"bundle {folder} has format {page['format']}, this version reads {FORMAT}")
    return page


def _identity(page: dict[str, Any]) -> str:
    """Name what changes answers; metadata does not."""
    return _sha256(_canonical({key: page[key] for key in ("format", "files", "settings")}))[:16]


def _canonical(value: dict[str, Any]) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
