"""Two forms of one clause are no copies of each other; a copy with an edit still is one."""

import pytest

from models.decision.types import Verdict
from tests.models.decision.evidence.test_own_content import compared

NOTICE = (
    "1. Terms. This {} is free for everybody who wants to read it, to lend it to others or to print it again, as "
    "long as nobody takes money for the paper. It comes with no promise of any kind, and whoever is harmed by it, "
    "be it in body, in purse or in standing, cannot ask its authors to pay for that. 2. Copies. Every copy "
    "carries these words at its head, unabridged, in a size of type that can be read without a glass, and names "
    "those who have changed it. Changes are marked on the page where they were made, with the day and the name of "
    "the one who made them. Whoever breaks a term of this notice loses the right to copy from that day on, while "
    "those who had copies from him keep theirs.\n"
)
LIBRARY, MANUAL = NOTICE.format("library"), NOTICE.format("manual")


@pytest.mark.parametrize(("one", "other"), [(LIBRARY, MANUAL), (LIBRARY, LIBRARY.replace("unabridged, ", ""))])
def test_two_forms_of_a_notice_both_stay_where_each_is_in_many_documents(one, other):
    found = compared(one, other, common=[one, other])
    assert found["stock_words_a"] == 1
    assert not found["goes_a"]
    edited = compared(one, other, common=[other])
    assert (edited["stock_words_a"], edited["goes_a"]) == (0, True), "nobody else writes it like this: an edit"


@pytest.mark.parametrize(("one", "other"), [("2. Copies", "7. Copies"), ("Every copy", "Each copy")])
def test_numbers_of_a_list_and_articles_are_no_form_of_a_clause(one, other):
    renamed = LIBRARY.replace(one, other)
    found = compared(LIBRARY, renamed, common=[LIBRARY, renamed])
    assert (found["stock_words_a"], found["stock_words_b"]) == (0, 0)
    assert found["verdict"] == Verdict.EITHER


def test_a_name_that_only_one_of_two_clauses_has_keeps_both():
    plain, named = (LIBRARY.replace("this notice", name) for name in ("the Harbour", "the Lesser Harbour"))
    found = compared(plain, named, common=[plain, named])
    assert (found["stock_words_a"], found["stock_words_b"]) == (1, 1)
    assert found["verdict"] == Verdict.DISTINCT
