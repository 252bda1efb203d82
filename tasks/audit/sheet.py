"""Spreadsheet (CSV) of an audit's sample, with an empty column for the answers."""

from collections.abc import Iterable
from pathlib import Path

from tasks.audit.answers import Answer, Key
from tasks.audit.cases import Case
from tasks.audit.excerpt import excerpt
from tasks.audit.pages import Page, Side
from tasks.explain.terminal import bracketed
from tasks.review.csv_sheet import inert, write_sheet
from tasks.runtime.visible import visible

HEAD = (*Case._fields, "answer", "note", "told", "only here, and where else", "one", "other")
LONGEST = 8000
"""Code points of a text in a cell; a spreadsheet takes 32,767."""
CONTEXT = 300


def export(path: Path, pages: Iterable[Page], answers: dict[Key, Answer]) -> int:
    """Write pages, what only one text says in brackets, with the answers that were given; returns how many."""
    return write_sheet(path, HEAD, (_row(page, answers.get(page.case.key)) for page in pages))


def _row(page: Page, answer: Answer | None) -> list[str]:
    named = [inert(cell) for cell in page.case[:5]] + [str(place) for place in page.case[5:]]
    given = [answer.answer, inert(answer.note)] if answer else ["", ""]
    stretches = "\n".join(f"[{one.text}] {one.place}" for one in page.stretches)
    texts = [" ".join(page.told), stretches, _text(page.one), _text(page.other)]
    return [*named, *given, *(inert(visible(text)) for text in texts)]


def _text(side: Side) -> str:
    return bracketed(excerpt(side.pieces, CONTEXT, LONGEST))
