"""Page of the report: its chapters one after the other, everything inside one file."""

from collections.abc import Callable

from markupsafe import Markup

from tasks.report import html
from tasks.report.chapters.content.conservation import conservation
from tasks.report.chapters.content.fragments import fragments
from tasks.report.chapters.content.llm_judge import judge
from tasks.report.chapters.content.removals import removals
from tasks.report.chapters.content.rewrites import rewrites
from tasks.report.chapters.content.samples import look_alikes, samples
from tasks.report.chapters.run.cascade import cascade
from tasks.report.chapters.run.checks import checks, rejects
from tasks.report.chapters.run.compared import compared
from tasks.report.chapters.run.costs import costs, limits
from tasks.report.chapters.run.lengths import lengths
from tasks.report.chapters.run.settings import settings
from tasks.report.chapters.run.verdict import verdict
from tasks.report.explorer.chapter import pairs, script
from tasks.report.html import tag
from tasks.report.material import Material
from tasks.report.style import CSS

Chapter = Callable[[Material], Markup]
CHAPTERS: tuple[tuple[str, Chapter], ...] = (
    ("What was lost", conservation),
    ("Removals", removals),
    ("Pairs", pairs),
    ("Sample removals", samples),
    ("Fragments", fragments),
    ("In other words", rewrites),
    ("Kept apart", look_alikes),
    ("Lengths", lengths),
    ("Since the snapshot before", compared),
    ("Funnel", cascade),
    ("Judge", judge),
    ("Checks", checks),
    ("Rejected rows", rejects),
    ("Limits", limits),
    ("Time and memory", costs),
    ("Run", settings),
)
"""Title of each section, to which a link leads, and the chapter that it is."""


def page(material: Material) -> str:
    """The whole report as HTML."""
    snapshot = material.archive.manifest["snapshot"]
    links = (tag("a", name, href=f"#{name.lower().replace(' ', '-')}") for name, _ in CHAPTERS)
    return html.page(
        f"Curation report {snapshot}",
        CSS,
        tag("header", verdict(material)),
        tag("nav", *links),
        *(_made(chapter, material) for _, chapter in CHAPTERS),
        tag("footer", "Ask about one document: semhash-llm explain DOC_ID --out DIR", class_="end"),
        script=script("card", "explorer"),
    )


def _made(chapter: Chapter, material: Material) -> Markup:
    """One chapter; what it read is let go before the next one reads."""
    material.run.make_room()
    return chapter(material)
