"""What the chapters of the report are made of."""

from typing import TYPE_CHECKING, NamedTuple

from tasks.explain.archive import Archive
from tasks.runtime.run import Run

if TYPE_CHECKING:
    from tasks.pipeline.stage_metrics import Tables


class Material(NamedTuple):
    """The snapshot as written, the run that made it and its working tables."""

    archive: Archive
    run: Run
    tables: "Tables"
