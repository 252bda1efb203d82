"""Terminal dialogue of a review: one pair after the other, and what a person decides about each."""

from collections.abc import Callable, Iterable
from pathlib import Path

from rich.console import Console
from rich.text import Text

from tasks.explain.differences import Piece, compare
from tasks.explain.terminal import bracketed
from tasks.explain.wording import typed
from tasks.review import store as reviews
from tasks.review.queue import Borderline
from tasks.runtime.visible import visible

KEYS = {"d": "duplicate", "c": "contained", "x": "distinct"}
PROMPT = "[d]uplicate  [c]ontained  [x] distinct  [s]kip  [q]uit: "


def talk(pairs: Iterable[Borderline], path: Path, ask: Callable[[str], str], console: Console) -> int:
    """Show pairs and keep each decision at once; returns how many were taken.

    Args:
        pairs: in the order in which to show them.
        path: file of the reviews.
        ask: shows a prompt and returns what was typed; EOFError or KeyboardInterrupt ends like `q`.
        console: where to show the pairs.
    """
    taken = 0
    for number, pair in enumerate(pairs, start=1):
        console.print(_card(number, pair))
        answer = _answer(ask, console)
        if answer == "q":
            break
        if answer in KEYS:
            ids, texts = (pair.doc_id_a, pair.doc_id_b), (pair.text_a, pair.text_b)
            reviews.keep(path, reviews.decided(ids, texts, KEYS[answer]))
            taken += 1
    return taken


def _answer(ask: Callable[[str], str], console: Console) -> str:
    while True:
        try:
            given = ask(PROMPT).strip().lower()
        except (EOFError, KeyboardInterrupt):
            console.print()
            return "q"
        if given in (*KEYS, "s", "q"):
            return given


def _card(number: int, pair: Borderline) -> Text:
    """A pair with its scores; what differs is coloured, and in brackets for those who see no colours."""
    found = compare(pair.text_a, pair.text_b)
    card = Text()
    card.append(f"{number}. {visible(pair.doc_id_a)} and {visible(pair.doc_id_b)}\n", "bold")
    card.append(f"   {_scores(pair)}\n")
    for name, pieces, colour in ((pair.doc_id_a, found.one, "red"), (pair.doc_id_b, found.other, "green")):
        card.append(f"\n{visible(name)}\n", "dim").append_text(_side(pieces, colour)).append("\n")
    if found.differences > found.shown:
        card.append(f"\n{found.differences:,} places differ; the first {found.shown} are shown.\n", "dim")
    return card


def _scores(pair: Borderline) -> str:
    told = f"{typed(pair.type)}, {pair.verdict}; p {pair.p_dup:.2f} ± {pair.sigma:.2f}"
    if pair.judge_label is None or pair.judge_p is None or pair.p_final is None:
        return told
    return f"{told}; judge: {pair.judge_label} ({pair.judge_p:.2f}); both {pair.p_final:.2f}"


def _side(pieces: list[Piece], colour: str) -> Text:
    """One text; each piece goes through `bracketed` on its own, so that only what differs is coloured."""
    side = Text(overflow="fold")
    for piece in pieces:
        side.append(visible(bracketed([piece])), colour if piece.marked else "")
    return side
