"""Page of the report: its chapters one after the other, everything inside one file."""

from tasks.report import html
from tasks.report.chapters.cascade import cascade
from tasks.report.chapters.checks import checks, rejects
from tasks.report.chapters.conservation import conservation
from tasks.report.chapters.costs import costs, limits
from tasks.report.chapters.fragments import fragments
from tasks.report.chapters.llm_judge import judge
from tasks.report.chapters.removals import removals
from tasks.report.chapters.samples import kept_apart, samples
from tasks.report.chapters.settings import settings
from tasks.report.chapters.verdict import verdict
from tasks.report.html import tag
from tasks.report.material import Material
from tasks.report.style import CSS

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
