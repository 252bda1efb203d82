"""Titles of two pages of one site: "Baking | Harbour News" and "Sailing | Harbour News"."""

from models.decision.evidence.alignment.place import Document
from models.decision.evidence.facts.book import Book, is_function
from models.decision.evidence.facts.exchanges.subjects.headings import TITLE, end_of_line, is_dated, is_parted
from models.kernels.hash_set import holds
from models.kernels.jit import lean


@lean
def of_one_site(book: Book, a: Document, b: Document) -> bool:
    """Whether two texts begin with titles of two things, behind which the name of one site stands.

    What they share then is the site's. Each title must have a word of its own, which the other text has nowhere and
    which stands in the text below it, too.
    """
    i_stop = end_of_line(book, a.first, min(a.stop, a.first + TITLE + 1))
    j_stop = end_of_line(book, b.first, min(b.stop, b.first + TITLE + 1))
    longest = min(i_stop - a.first, j_stop - b.first)
    if longest > TITLE:
        return False
    name = 0
    while name < longest - 1 and book.text.hash[i_stop - 1 - name] == book.text.hash[j_stop - 1 - name]:
        name += 1
        i, j = i_stop - name, j_stop - name
        if is_parted(book, i - 1, i + 1) and is_parted(book, j - 1, j + 1):
            return bool(_names_its_own(book, a, i, i_stop, b) and _names_its_own(book, b, j, j_stop, a))
    return False


@lean
def _names_its_own(book: Book, document: Document, stop: int, behind: int, other: Document) -> bool:
    """Whether a word of the title before `stop` stands again `behind` its line and nowhere in the other text."""
    for at in range(document.first, stop):
        if is_function(book, at) or is_dated(book, at) or holds(other.vocabulary, book.text.hash[at]):
            continue
        for below in range(behind, document.stop):
            if book.text.hash[below] == book.text.hash[at]:
                return True
    return False
