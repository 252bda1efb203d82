"""The page: chapters one after the other, everything inside one file."""

from tasks.report import html
from tasks.report.cascade import cascade
from tasks.report.checks import checks, rejects
from tasks.report.conservation import conservation
from tasks.report.costs import costs, limits
from tasks.report.html import tag
from tasks.report.judge import judge
from tasks.report.material import Material
from tasks.report.passages import fragments
from tasks.report.removals import removals
from tasks.report.samples import kept_apart, samples
from tasks.report.settings import settings
from tasks.report.style import CSS
from tasks.report.verdict import verdict

CHAPTERS = (
    conservation,
    cascade,
    removals,
    samples,
    fragments,
    kept_apart,
    judge,
    checks,
    rejects,
    limits,
    costs,
    settings,
)
_LINKS = (
    "What was lost", "Funnel", "Removals", "Sample removals", "Fragments", "Kept apart", "Judge", "Checks",
    "Rejected rows", "Limits", "Time and memory", "Run",
)  # fmt: skip


def page(material: Material) -> str:
    """The whole report as HTML."""
    snapshot = material.archive.manifest["snapshot"]
    links = (tag("a", name, href=f"#{name.lower().replace(' ', '-')}") for name in _LINKS)
    return html.page(
        f"Curation report {snapshot}",
        CSS,
        tag("header", verdict(material)),
        tag("nav", *links),
        *(chapter(material) for chapter in CHAPTERS),
        tag("footer", "Ask about one document: semhash-llm explain DOC_ID --out DIR", class_="end"),
    )
