"""Report of a run: one HTML file that needs no server, no network and no script."""

from pathlib import Path
from typing import TYPE_CHECKING

from tasks.explain.archive import Archive
from tasks.report.charts import funnel_svg
from tasks.report.material import Material
from tasks.report.page import page
from tasks.runtime.run import Run
from tasks.storage.atomic import atomic_path

if TYPE_CHECKING:
    from tasks.pipeline.stage_metrics import Tables

__all__ = ["funnel_svg", "write_report"]


def write_report(snapshot: Path, run: Run, tables: "Tables") -> None:
    """Write `report.html` into a snapshot that has its tables and its manifest."""
    html = page(Material(Archive(snapshot), run, tables))
    with atomic_path(snapshot / "report.html") as temporary:
        temporary.write_text(html, encoding="utf-8")
