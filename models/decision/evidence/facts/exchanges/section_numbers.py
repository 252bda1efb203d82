"""Numbers of sections that begin a text: "6.47.6 Size of an asm" is "6.48.6 Size of an asm" one version later."""

from models.decision.evidence.alignment.place import Place, size
from models.decision.evidence.facts.book import Book, has_digit, joins
from models.decision.evidence.facts.terms import is_figure
from models.decision.evidence.facts.values import value_of
from models.kernels.jit import lean

_LEAST = 40
"""Words of a text at least: of a shorter one the number is much of what it says."""
_HEADING = 12
"""Words of a heading at most, its number included: a longer line is a verse or a clause."""
_DOT = ord(".")
_HOURS, _MINUTES, _DAYS, _MONTHS = 24, 60, 31, 12


@lean
def is_renumbered(book: Book, one: Place, other: Place) -> bool:
    """Whether two places are parts of the numbers of the sections that the two texts are."""
    return bool(_is_of_number(book, one) and _is_of_number(book, other))


@lean
def _is_of_number(book: Book, place: Place) -> bool:
    """Whether all words of a place are of the number in dots that begins the heading of its text."""
    first, last = place.document.first, place.document.stop
    if not size(place) or last - first < _LEAST:
        return False
    end = first + 1
    while end < last and joins(book, end - 1, last - 1) == _DOT and is_figure(book, end):
        end += 1
    # "F.38"
    lettered = book.text.end[first] - book.text.start[first] == 1
    if place.stop > end or end == first + 1 or not (is_figure(book, first) or lettered) or _is_time(book, first, end):
        return False
    heading = end
    while heading < last and book.line[heading] == book.line[first]:
        # A date or the year of a version stands beside.
        if has_digit(book, heading):
            return False
        heading += 1
    return bool(end < heading <= first + _HEADING)


@lean
def _is_time(book: Book, first: int, end: int) -> bool:
    """Whether figures in dots may be a time of day or a date: "19.30", "3.10.24"."""
    one, other = value_of(book, first), value_of(book, first + 1)
    if end == first + 2:
        return bool(0 <= one < _HOURS and 0 <= other < _MINUTES)
    last = end - 1
    year = end == first + 3 and book.text.end[last] - book.text.start[last] == 2
    return bool(year and 0 < one <= _DAYS and 0 < other <= _MONTHS)
