"""Page numbers: "page 3 of 7", "[Page 12]", "- 3 -", "page 3" on a short line."""

from models.decision.evidence.facts.book import Book, ahead, behind, has_digit, joins, kind_of
from models.decision.evidence.facts.lexicon import OF, PAGED
from models.decision.evidence.facts.volatile.cues import FEW
from models.kernels.jit import lean

_HYPHEN, _EN_DASH = ord("-"), 0x2013
_SQUARE, _CLOSE_SQUARE = ord("["), ord("]")


@lean
def is_page(book: Book, word: int, first: int, stop: int, begin: int, end: int) -> bool:
    """Whether a word is the number of a page; the text is `first:stop`, its sentence `begin:end`."""
    # "- 3 -"
    inside = book.text.start[word] - 2 >= book.before[word] and book.text.end[word] + 1 < book.beyond[word]
    if end - begin == 1 and inside:
        left = book.text.codes[book.text.start[word] - 2]
        right = book.text.codes[book.text.end[word] + 1]
        if left == right and left in (_HYPHEN, _EN_DASH):
            return True
    cue = word - 1
    of = False
    if cue - 1 > first and kind_of(book, cue) & OF and has_digit(book, cue - 1):
        cue, of = cue - 2, True
    elif cue > first and joins(book, cue, stop - 1) == ord("/") and has_digit(book, cue):
        cue, of = cue - 1, True
    if cue < first or not kind_of(book, cue) & PAGED:
        return bool(_is_counted_page(book, word, stop, begin, end))
    if word + 2 < stop and kind_of(book, word + 1) & OF and has_digit(book, word + 2):
        of = True
    if word + 1 < stop and joins(book, word, stop - 1) == ord("/") and has_digit(book, word + 1):
        of = True
    bracketed = ahead(book, cue, first) == _SQUARE and behind(book, word) == _CLOSE_SQUARE
    # "Memoirs page 311" is a title, "Memoirs | page 311" is not.
    parted = cue == begin or book.text.start[cue] > book.text.end[cue - 1] + 1
    return of or bracketed or (parted and end - begin <= FEW)


@lean
def _is_counted_page(book: Book, word: int, stop: int, begin: int, end: int) -> bool:
    """Whether the word for a page stands behind its number in a short line: "第3页，共7页", "3/7 ページ"."""
    if end - begin > FEW + 2:
        return False
    of = word > begin and kind_of(book, word - 1) & OF != 0
    if word > begin and has_digit(book, word - 1) and joins(book, word - 1, stop - 1) == ord("/"):
        of = True
    if word + 1 < end and has_digit(book, word + 1) and joins(book, word, stop - 1) == ord("/"):
        of, word = True, word + 1
    return bool(of and word + 1 < end and kind_of(book, word + 1) & PAGED != 0)
