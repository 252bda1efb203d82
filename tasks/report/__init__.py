"""Report of a run: one HTML file that needs no server, no network and no script."""

from pathlib import Path

from models.parameters import Parameters
from tasks.explain.archive import Archive
from tasks.pipeline.run_tables import Tables
from tasks.report.charts import funnel_svg
from tasks.report.material import Material
from tasks.report.page import page
from tasks.runtime.run import Run
from tasks.snapshots.layout import manifest
from tasks.storage.atomic import atomic_path
from tasks.storage.tables import sealed

__all__ = ["funnel_svg", "write_later", "write_report"]

REPORT = "report.html"


def write_report(snapshot: Path, run: Run, tables: Tables) -> None:
    """Write `report.html` into a snapshot that has its tables and its manifest."""
    html = page(Material(Archive(snapshot), run, tables))
    with atomic_path(snapshot / REPORT) as temporary:
        temporary.write_text(html, encoding="utf-8")


def write_later(snapshot: Path) -> None:
    """Write the report of a run that wrote no pages, from the manifest and the tables that it names."""
    made = manifest(snapshot)
    tables = Tables(**{name: sealed(Path(path)) for name, path in made["tables"].items()})
    parameters = Parameters.of_manifest(made["parameters"])
    write_report(snapshot, Run(workspace=Path(made["workspace"]), parameters=parameters), tables)
