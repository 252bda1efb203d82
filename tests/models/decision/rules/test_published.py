"""Which published documents a night may remove: small cases with the whole answer."""

import polars as pl
import pytest

from models.decision.rules.published import allowed, copies_behind, heirs_of, of_tonight, outlived, with_heirs
from models.decision.rules.removal_graph import survivors

CHILD, HEIR, OTHER_HEIR, PARENT, LATER, ELSEWHERE = 1, 2, 3, 10, 11, 4
"""A published document, two that were removed in its favour, two new documents, another published one."""
COLUMNS = ["loser", "winner", "score", "more", "general"]


def found(*permissions: tuple[int, int, bool], general: bool = False) -> pl.DataFrame:
    """Permissions (loser, winner, inside)."""
    schema = {"loser": pl.Int64, "winner": pl.Int64, "inside": pl.Boolean}
    return pl.DataFrame(permissions, schema, orient="row").with_columns(
        score=pl.lit(1.0, pl.Float32), more=pl.lit(0, pl.Int8), general=pl.lit(value=general)
    )


def heirs(*rows: tuple[int, int, int | None]) -> pl.DataFrame:
    """Heirs (doc, survivor, copy_of)."""
    return pl.DataFrame(rows, {"doc": pl.Int64, "survivor": pl.Int64, "copy_of": pl.Int64}, orient="row")


def pairs(permissions: pl.DataFrame, published: list[int], behind: pl.DataFrame) -> list[tuple[int, int]]:
    """Loser and winner of what is allowed."""
    left = allowed(permissions, pl.Series(published, dtype=pl.Int64), behind)
    assert left.columns == COLUMNS
    return sorted(left.select("loser", "winner").rows())


def settled(permissions: pl.DataFrame, published: list[int], behind: pl.DataFrame, protected: tuple[int, ...] = ()):
    """Who goes for whom when the night is over; the published ones have the better claim."""
    docs = sorted({*permissions["loser"], *permissions["winner"], *behind["doc"]})
    claims = pl.DataFrame({"doc": docs}).with_columns(
        protected=pl.col("doc").is_in(protected), tier=pl.lit(1), published=pl.col("doc").is_in(published),
        completeness=pl.lit(0.0), mass=pl.lit(0.0), disguised=pl.lit(0),
    )  # fmt: skip
    left = allowed(permissions, pl.Series(published, dtype=pl.Int64), behind)
    return sorted(of_tonight(survivors(left, claims).drop_nulls("survivor"), behind).rows())


def test_where_nothing_was_published_every_permission_is_left():
    free = found((1, 2, False), (2, 1, False), (3, 1, True), (4, 3, False))
    assert allowed(free, pl.Series([], dtype=pl.Int64), heirs()).equals(free.select(COLUMNS))


def test_a_published_document_stays_beside_its_equal_and_the_new_one_goes():
    alike = found((CHILD, PARENT, False), (PARENT, CHILD, False))
    assert pairs(alike, [CHILD], heirs()) == [(PARENT, CHILD)]
    assert settled(alike, [CHILD], heirs()) == [(PARENT, CHILD)]


def test_of_two_published_documents_neither_goes_unless_one_is_inside_the_other():
    assert pairs(found((CHILD, ELSEWHERE, False), (ELSEWHERE, CHILD, False)), [CHILD, ELSEWHERE], heirs()) == []
    assert pairs(found((CHILD, ELSEWHERE, True)), [CHILD, ELSEWHERE], heirs()) == [(CHILD, ELSEWHERE)]


def test_a_child_without_heirs_goes_to_its_new_parent():
    assert settled(found((CHILD, PARENT, True)), [CHILD], heirs()) == [(CHILD, PARENT)]


BEHIND = heirs((HEIR, CHILD, None), (OTHER_HEIR, CHILD, None))
ALL_INSIDE = found((CHILD, PARENT, True), (HEIR, PARENT, True), (OTHER_HEIR, PARENT, False))


def test_a_child_goes_with_all_its_heirs_to_one_parent():
    everyone = [CHILD, HEIR, OTHER_HEIR]
    assert settled(ALL_INSIDE, everyone, BEHIND) == [(doc, PARENT) for doc in everyone]


@pytest.mark.parametrize("missing", [HEIR, OTHER_HEIR])
def test_a_child_and_its_heirs_stay_as_they_are_if_one_of_them_may_not_go(missing):
    less = ALL_INSIDE.filter(pl.col("loser") != missing)
    assert (CHILD, PARENT) not in pairs(less, [CHILD, HEIR, OTHER_HEIR], BEHIND)
    assert settled(less, [CHILD, HEIR, OTHER_HEIR], BEHIND) == []


def test_heirs_that_would_go_to_different_parents_keep_the_child():
    split = found((CHILD, PARENT, True), (CHILD, LATER, True), (HEIR, PARENT, True), (OTHER_HEIR, LATER, True))
    assert settled(split, [CHILD, HEIR, OTHER_HEIR], BEHIND) == []


def test_an_heir_that_may_go_to_the_parent_twice_counts_once():
    twice = found((CHILD, PARENT, True), (HEIR, PARENT, True), (HEIR, PARENT, False))
    assert (CHILD, PARENT) not in pairs(twice, [CHILD, HEIR, OTHER_HEIR], BEHIND)


def test_an_heir_with_the_text_of_another_need_not_be_asked_and_goes_along():
    behind = heirs((HEIR, CHILD, None), (OTHER_HEIR, CHILD, HEIR), (5, ELSEWHERE, ELSEWHERE))
    going = settled(found((CHILD, PARENT, True), (HEIR, PARENT, True)), [CHILD, HEIR], behind)
    assert going == [(CHILD, PARENT), (HEIR, PARENT)]
    gone = pl.DataFrame(going, ["doc", "survivor"], orient="row")
    assert copies_behind(behind, gone).rows() == [(OTHER_HEIR, HEIR)]
    assert copies_behind(behind, gone.clear()).is_empty()


def test_nothing_goes_in_favour_of_an_heir():
    backward = found((PARENT, HEIR, False), (CHILD, HEIR, True), (LATER, PARENT, False))
    assert pairs(backward, [CHILD, HEIR], heirs((HEIR, CHILD, None))) == [(LATER, PARENT)]


def test_a_protected_child_stays_with_its_heirs():
    assert settled(ALL_INSIDE, [CHILD, HEIR, OTHER_HEIR], BEHIND, protected=(CHILD,)) == []


def test_a_child_in_whose_favour_another_goes_tonight_stays():
    """It would go to the parent otherwise; so would the other, but the published one comes first."""
    chain = found((CHILD, PARENT, True), (LATER, CHILD, False), (LATER, PARENT, True))
    assert settled(chain, [CHILD], heirs()) == [(LATER, CHILD)]


def test_a_parent_that_goes_itself_takes_no_child():
    """The parent is a copy of a published document, which does not hold the child."""
    chain = found((CHILD, PARENT, True), (PARENT, ELSEWHERE, False))
    assert settled(chain, [CHILD, ELSEWHERE], heirs()) == [(PARENT, ELSEWHERE)]


def test_only_confirmed_parents_of_published_children_are_looked_at():
    documents = pl.LazyFrame({"doc": [CHILD, PARENT, LATER], "published": [True, False, False]})
    rows = [(CHILD, PARENT, True), (CHILD, LATER, False), (LATER, PARENT, True)]
    contained = pl.LazyFrame(rows, ["child", "parent", "confirmed"], orient="row")
    assert outlived(documents, contained).rows() == [(CHILD, PARENT)]


def test_of_equal_heirs_the_first_that_was_signed_answers():
    rows = [
        (CHILD, None, "child"),
        (20, CHILD, "child"),  # a copy of the child: it goes wherever that goes
        (21, CHILD, "heir"),  # never signed
        (22, CHILD, "heir"),
        (23, CHILD, "heir"),
        (24, CHILD, "alone"),
        (25, ELSEWHERE, "heir"),
    ]
    live = pl.LazyFrame(rows, ["doc", "survivor", "text_hash"], orient="row")
    signed = pl.LazyFrame({"doc": [CHILD, 22, 23, 24, 25]})
    told = heirs_of(pl.Series([CHILD, CHILD]), live, signed).rows()
    assert told == [(20, CHILD, CHILD), (21, CHILD, 22), (22, CHILD, None), (23, CHILD, 22), (24, CHILD, None)]


def rescued(*rows: tuple[int, int, int]) -> pl.DataFrame:
    """Rescued documents (doc, survivor, words)."""
    told = pl.DataFrame(rows, {"doc": pl.Int64, "survivor": pl.Int64, "words": pl.Int32}, orient="row")
    return told.with_columns(type=pl.lit("B"), passage=pl.lit("what it says"))


def test_a_child_is_rescued_for_an_heir_and_takes_back_all_of_them():
    going = [(CHILD, PARENT, "D"), (HEIR, PARENT, "B"), (OTHER_HEIR, PARENT, "B"), (LATER, PARENT, "A")]
    removals = pl.DataFrame(going, ["doc", "survivor", "type"], orient="row")
    behind = heirs((HEIR, CHILD, None), (OTHER_HEIR, CHILD, None), (5, CHILD, CHILD))
    stays, back = with_heirs(rescued((HEIR, PARENT, 9), (OTHER_HEIR, PARENT, 12), (LATER, PARENT, 7)), removals, behind)
    assert stays.select("doc", "survivor", "type", "words").rows() == [
        (CHILD, PARENT, "D", 12),
        (LATER, PARENT, "A", 7),
    ]
    assert back.to_list() == [HEIR, OTHER_HEIR, 5]


def test_without_heirs_what_is_rescued_is_rescued():
    removals = pl.DataFrame({"doc": [CHILD, LATER], "survivor": [PARENT, PARENT], "type": ["B", "B"]})
    told = rescued((CHILD, PARENT, 9), (LATER, PARENT, 30))
    stays, back = with_heirs(told, removals, heirs())
    assert stays.equals(told) and back.is_empty()


def test_an_heir_follows_its_survivor_though_it_stands_in_several():
    """Were it to stay, it would lean on a document that goes."""
    behind = heirs((HEIR, CHILD, None))
    several = found((CHILD, PARENT, True)), found((HEIR, PARENT, False), (HEIR, LATER, False), general=True)
    assert settled(pl.concat(several), [CHILD, HEIR], behind) == [(CHILD, PARENT), (HEIR, PARENT)]
