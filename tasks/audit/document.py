"""Web page of an audit's sample, in one file; when printed each case is a page of its own."""

from markupsafe import Markup

from tasks.audit.answers import Answer, Key
from tasks.audit.cases import CUT
from tasks.audit.excerpt import excerpt
from tasks.audit.pages import Page, Side
from tasks.explain.wording import several, shortened
from tasks.report import html
from tasks.report.chapters.content.pairs import side as half
from tasks.report.html import badge, join, quote, tag
from tasks.report.style import CSS

LONGEST = 20_000
"""Code points shown of a text, what it has to itself before all else."""
CONTEXT = 1200
_CSS = "@media print{.pair{break-before:page}} .pair footer ul{margin:.2em 0;padding-left:1.2em}"
_KINDS = {"right": "good", "wrong": "bad", "unsure": "warn"}


def document(title: str, pages: list[Page], answers: dict[Key, Answer], rates: str) -> str:
    """The page as HTML: what was answered so far, then the cases."""
    cases = (_case(number, page, answers.get(page.case.key)) for number, page in enumerate(pages, start=1))
    told = "What only one of two texts says is marked. Texts are shortened where both say the same."
    parts = (tag("h1", title), tag("p", told, class_="note"), tag("pre", rates, class_="scroll"), *cases)
    return html.page(title, CSS + _CSS, *parts)


def _case(number: int, page: Page, answer: Answer | None) -> Markup:
    said = badge(answer.answer, _KINDS[answer.answer]) if answer else None
    source = f"source {page.case.source or 'not given'}"
    head = tag("header", tag("b", f"{number}"), badge(page.case.kind), source, said, answer.note if answer else None)
    told = tag("footer", *(tag("div", line) for line in page.told))
    sides = tag("div", _side(page.one), _side(page.other), class_="sides")
    return tag("section", head, told, sides, _stretches(page), class_="pair", id=f"case-{number}")


def _side(side: Side) -> Markup:
    pieces = excerpt(side.pieces, CONTEXT, LONGEST)
    marked = (tag("mark", piece.text) if piece.marked else piece.text for piece in pieces)
    return half(side.title, quote(join(marked), class_="text"))


def _stretches(page: Page) -> Markup | None:
    if not page.stretches:
        return None
    listed = [
        tag("li", f"{several(one.words, 'word')}, “{shortened(one.text, 160, keep='both')}”: {one.place}")
        for one in page.stretches
    ]
    if page.more:
        listed.append(tag("li", f"and {several(page.more, 'place')} more"))
    title = "Where else the passage stands" if page.case.kind == CUT else "Where else that stands"
    return tag("footer", tag("b", title), tag("ul", *listed))
