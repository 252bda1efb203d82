"""Grams of a fixed set that other texts hold, too: looked up part by part, by workers where there are any."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar

from numpy.typing import NDArray

from models.lexical.content.coverage import GramSet
from tasks.parallel.map_parts import Arrays, map_chunks
from tasks.parallel.runners import current
from tasks.storage.work import Work

Value = TypeVar("Value")
Look = Callable[[GramSet, Arrays, int], Iterable[Value]]
"""Shows the texts of a part to a set of grams, and gives what else is to be known of them."""


def meet(stage: Work, known: GramSet, look: Look[Value], numbers: Sequence[int], rows: Arrays) -> Iterator[Value]:
    """Have a set meet the texts of some parts; yields what `look` gives, in the order of the parts.

    Args:
        stage: what this is for.
        known: the set.
        look: a function of a module with arguments that can be pickled.
        numbers: of the parts.
        rows: what `look` must know of the texts, for all parts together.
    """
    if current():
        for values, places in map_chunks(stage, partial(_look_there, look), numbers, {**known.arrays, **rows}):
            known.mark(places)
            yield from values
    else:
        for number in numbers:
            yield from look(known, rows, number)


def _look_there(look: Look[Value], arrays: Arrays, number: int) -> tuple[list[Value], NDArray[Any]]:
    known = GramSet.of(arrays["keys"], arrays["bits"])
    return list(look(known, arrays, number)), known.places
