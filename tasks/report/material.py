"""Material of the report: tables and figures that its chapters share."""

from typing import NamedTuple

from tasks.explain.archive import Archive
from tasks.pipeline.run_tables import Tables
from tasks.runtime.run import Run


class Material(NamedTuple):
    """The snapshot as written, the run that made it and its working tables."""

    archive: Archive
    run: Run
    tables: Tables
