"""The original text of a document."""

from pathlib import Path

from tasks.explain.archive import Archive
from tasks.runtime.errors import InputError


def restore(out: Path, doc_id: str) -> str:
    """Exact original text: the published one with its passages put back, or from the index for a removed one.

    Args:
        out: folder of the snapshots.
        doc_id: id of a document of the published snapshot.

    Raises:
        InputError: nothing is published, no document has this id, or it was deleted.
    """
    with Archive.current(out) as archive:
        return _original(archive, doc_id)


def _original(archive: Archive, doc_id: str) -> str:
    fate = archive.decision(doc_id)
    if fate["action"] == "delete":
        raise InputError(f"document '{doc_id}' was deleted, and its text with it")
    if fate["action"] != "remove":
        return archive.restored(doc_id)
    return archive.originals([doc_id])[doc_id]
