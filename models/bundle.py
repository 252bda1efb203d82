"""Load and save what is learned: a folder of safetensors and one JSON page that vouches for them. No pickles."""

import hashlib
import json
from pathlib import Path
from typing import Any, NamedTuple

from safetensors.numpy import load as read_tensors
from safetensors.numpy import save as write_tensors

from models.semantic.projection_hash import BITS, ProjectionHash

FORMAT = 1
"""Raised when older bundles can no longer be read."""

SHIPPED = Path(__file__).parent / "bundles"
PAGE = "bundle.json"
TENSORS = "projection_hash.safetensors"


class Bundle(NamedTuple):
    """A trained set.

    Attributes:
        id: derived from the content, so equal ids mean equal answers.
        encoder: `Encoder.name` that the hash was trained for.
        projection: the semantic hash.
        metadata: JSON values that inform only: training data, metrics, command.
    """

    id: str
    encoder: str
    projection: ProjectionHash
    metadata: dict[str, Any]


class BundleError(ValueError):
    """A bundle that is not there, not readable by this version, or not what its page says."""


def save(folder: Path, projection: ProjectionHash, encoder: str, metadata: dict[str, Any]) -> Bundle:
    """Write a bundle, its page last.

    Args:
        folder: made if need be; files of an earlier bundle there are overwritten.
        projection: the semantic hash.
        encoder: `Encoder.name` that it was trained for.
        metadata: JSON values.

    Returns:
        What `load(folder)` gives from now on.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tensors = write_tensors(projection._asdict())
    page: dict[str, Any] = {
        "format": FORMAT,
        "encoder": encoder,
        "files": {TENSORS: _sha256(tensors)},
        "metadata": metadata,
    }
    page["id"] = _identity(page)
    page["page_sha256"] = _sha256(_canonical(page))
    (folder / TENSORS).write_bytes(tensors)
    (folder / PAGE).write_text(json.dumps(page, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return Bundle(page["id"], encoder, projection, metadata)


def load(name: str | Path = "default") -> Bundle:
    """Read a bundle and check every hash on the way.

    Args:
        name: of a shipped bundle, or the folder of another.

    Raises:
        BundleError: not found (the message lists the shipped ones), of another format, or changed since it was saved.
    """
    folder = name if isinstance(name, Path) else SHIPPED / name
    if not (folder / PAGE).is_file():
        shipped = sorted(page.parent.name for page in SHIPPED.glob(f"*/{PAGE}"))
        raise BundleError(f"no bundle '{name}'; shipped: {', '.join(shipped) or 'none'}")
    page = _read_page(folder)
    try:
        tensors = (folder / TENSORS).read_bytes()
    except OSError as error:
        raise BundleError(f"bundle {folder}: {TENSORS} cannot be read: {error}") from error
    if _sha256(tensors) != page["files"][TENSORS]:
        raise BundleError(f"bundle {folder}: {TENSORS} is not the file that {PAGE} vouches for")
    projection = ProjectionHash(**read_tensors(tensors))
    if projection.weight.shape[1:] != (BITS,) or projection.bias.shape != (BITS,):
        raise BundleError(f"bundle {folder}: expected {BITS} hyperplanes, got {projection.weight.shape}")
    return Bundle(page["id"], page["encoder"], projection, page["metadata"])


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
    return _sha256(_canonical({key: page[key] for key in ("format", "encoder", "files")}))[:16]


def _canonical(value: dict[str, Any]) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
