"""Terminal dialogue of an audit: one case per page, one key per answer."""

from collections.abc import Callable, Iterable

from rich.console import Console
from rich.text import Text

from tasks.audit.answers import RIGHT, UNSURE, WRONG, Answer, now
from tasks.audit.excerpt import excerpt
from tasks.audit.pages import Page, Side
from tasks.explain.terminal import bracketed
from tasks.explain.wording import several, shortened
from tasks.runtime.visible import visible

KEYS = {"r": RIGHT, "w": WRONG, "u": UNSURE}
PROMPT = "[r]ight  [w]rong  [u]nsure  [s]kip  [q]uit, and a note behind it if you like: "
LONGEST = 6000
"""Code points shown of a text, what it has to itself before all else."""
CONTEXT = 300


def talk(
    numbered: Iterable[tuple[int, Page]], whole: int, keep: Callable[[Answer], None], ask: Callable[[str], str],
    console: Console,
) -> int:  # fmt: skip
    """Show cases and keep each answer at once; returns how many were given.

    Args:
        numbered: pages with the numbers of their cases.
        whole: cases in all.
        keep: keeps an answer.
        ask: shows a prompt and returns what was typed; EOFError or KeyboardInterrupt ends like `q`.
        console: where to show the pages.
    """
    given = 0
    for number, page in numbered:
        console.clear()
        console.print(card(page, f"{number} of {whole}"))
        key, note = _answer(ask, console)
        if key == "q":
            break
        if key in KEYS:
            keep(now(page.case, KEYS[key], note))
            given += 1
    return given


def _answer(ask: Callable[[str], str], console: Console) -> tuple[str, str]:
    while True:
        try:
            key, _, note = ask(PROMPT).strip().partition(" ")
        except (EOFError, KeyboardInterrupt):
            console.print()
            return "q", ""
        if key.lower() in (*KEYS, "s", "q"):
            return key.lower(), note.strip()


def card(page: Page, number: str) -> Text:
    """A case; what only one text says is coloured, and in brackets for those who see no colours."""
    shown = Text(overflow="fold")
    shown.append(f"{number}: {page.case.kind}, source {visible(page.case.source) or 'not given'}\n", "bold")
    shown.append("".join(f"{visible(line)}\n" for line in page.told))
    shown.append_text(_side(page.one, "red")).append_text(_side(page.other, "green"))
    if page.stretches:
        shown.append("\nWhere else it stands\n", "bold")
    for stretch in page.stretches:
        quoted = visible(shortened(stretch.text, 160, keep="both"))
        shown.append(f"  {several(stretch.words, 'word')}, “{quoted}”: {visible(stretch.place)}\n")
    if page.more:
        shown.append(f"  and {several(page.more, 'place')} more\n")
    return shown


def _side(side: Side, colour: str) -> Text:
    """One text; each piece goes through `bracketed` on its own, so that only what is marked is coloured."""
    text = Text(f"\n{visible(side.title)}\n", "dim", overflow="fold")
    for piece in excerpt(side.pieces, CONTEXT, LONGEST):
        text.append(visible(bracketed([piece])), colour if piece.marked else "not dim")
    return text.append("\n")
