"""The original text of a document."""

from pathlib import Path

from tasks.errors import InputError
from tasks.explain.archive import Archive


def restore(out: Path, doc_id: str) -> str:
    """Exact original text: the published one with its passages put back, or from the workspace for a removed one.

    Args:
        out: folder of the snapshots.
        doc_id: id of a document of the published snapshot.

    Raises:
        InputError: nothing is published, no document has this id, or it was removed and the workspace is gone.
    """
    archive = Archive.current(out)
    fate = archive.decision(doc_id)
    if fate["action"] != "remove":
        return archive.restored(doc_id)
    texts = archive.originals([doc_id])
    if doc_id not in texts:
        workspace = archive.manifest["workspace"]
        raise InputError(
            f"document '{doc_id}' was removed in favour of '{fate['survivor_id']}', and the workspace that held its "
            f"text is gone: {workspace}"
        )
    return texts[doc_id]
