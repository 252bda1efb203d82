"""Audit of the published snapshot: draw a sample, show it, take answers, and compute rates."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from rich.console import Console

from tasks.audit import answers, sheet
from tasks.audit.answers import Answer, Key
from tasks.audit.cases import Sample, Sizes, draw
from tasks.audit.dialogue import talk
from tasks.audit.document import document
from tasks.audit.pages import Page, pages
from tasks.audit.rates import by_machine, told
from tasks.explain.archive import Archive
from tasks.explain.wording import several
from tasks.runtime.errors import InputError
from tasks.runtime.visible import visible
from tasks.snapshots.locks import writing
from tasks.storage.atomic import atomic_path

NAMED = 5


class _Open(NamedTuple):
    archive: Archive
    seed: int
    sample: Sample
    path: Path
    given: dict[Key, Answer]

    def keep(self, *said: Answer) -> None:
        """Keep answers beside those that were given before."""
        self.given.update((answer.case.key, answer) for answer in said)
        answers.keep(self.path, self.archive.path.name, self.given.values())

    def told(self) -> str:
        """Rates of what was read, and what a machine can say of all the rest."""
        read = told(self.archive.path.name, self.seed, self.sample, self.given.values())
        return "\n".join([read, *by_machine(self.archive.path)])


def listen(out: Path, sizes: Sizes, seed: int, ask: Callable[[str], str] = input) -> str:
    """Show the cases without an answer on the terminal and ask about each; returns the rates so far.

    Args:
        out: folder of the snapshots.
        sizes: how many cases of each kind.
        seed: of the lot by which they are drawn.
        ask: shows a prompt and returns what was typed.

    Raises:
        InputError: nothing is published, or the seed was used for another snapshot.
        BusyError: somebody else is auditing.
    """
    with _open(out, sizes, seed) as opened:
        left = [(number, case) for number, case in enumerate(opened.sample.cases, 1) if case.key not in opened.given]
        if left:
            made = pages(opened.archive, [case for _, case in left])
            numbered = zip((number for number, _ in left), made, strict=True)
            talk(numbered, len(opened.sample.cases), opened.keep, ask, Console(highlight=False))
        return opened.told()


def export(out: Path, sizes: Sizes, seed: int, path: Path) -> str:
    """Write the sample as a CSV with a column for the answers; returns what to say.

    Raises:
        InputError: nothing is published, or the seed was used for another snapshot.
    """
    with _open(out, sizes, seed) as opened:
        number = sheet.export(path, _all(opened), opened.given)
    drawn = f"-n {sizes.removals} --cuts {sizes.cuts} --near {sizes.near} --seed {seed}"
    back = f"semhash-llm audit --out {out} {drawn} --csv {path}"
    return f"{several(number, 'case')} in {path}; fill in the column answer and take it over: {back}"


def take_over(out: Path, sizes: Sizes, seed: int, path: Path) -> str:
    """Keep the answers of a CSV, all or, if anything in it is wrong, none; returns the rates.

    Raises:
        InputError: nothing is published, the sheet cannot be used, or it is about cases that were not drawn.
    """
    filled = answers.read(path)
    with _open(out, sizes, seed) as opened:
        drawn = {case.key: case for case in opened.sample.cases}
        unknown = [one.key for one in filled if one.key not in drawn]
        if unknown:
            named = ", ".join(visible(key[1]) for key in unknown[:NAMED])
            raise InputError(
                f"{path}: {several(len(unknown), 'case')} not in the sample of seed {seed}, for example {named}; "
                "-n, --cuts, --near and --seed must be those of the export"
            )
        opened.keep(*(answers.now(drawn[one.key], one.answer, one.note) for one in filled))
        return opened.told()


def write_page(out: Path, sizes: Sizes, seed: int, path: Path) -> str:
    """Write the sample as a web page, with the answers that were given; returns what to say.

    Raises:
        InputError: nothing is published, or the seed was used for another snapshot.
    """
    with _open(out, sizes, seed) as opened:
        title = f"Audit of snapshot {opened.archive.path.name}, seed {seed}"
        text = document(title, _all(opened), opened.given, opened.told())
    with atomic_path(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return f"{several(len(opened.sample.cases), 'case')} in {path}"


def _all(opened: _Open) -> list[Page]:
    return pages(opened.archive, opened.sample.cases)


@contextmanager
def _open(out: Path, sizes: Sizes, seed: int) -> Iterator[_Open]:
    """The published snapshot with the sample drawn of it and its answers, for one reader at a time."""
    with Archive.current(out) as archive, writing(out, role="audits"):
        path = answers.path_of(out, seed)
        yield _Open(archive, seed, draw(archive, sizes, seed), path, answers.load(path, archive.path.name))
