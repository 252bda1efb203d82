"""Cards of pairs: what a page may grow by does not depend on what documents hold."""

from tasks.explain.differences import Piece
from tasks.report.explorer.cards import _shortened


def test_texts_take_no_more_room_than_there_is():
    pieces = [Piece("ab", True), Piece("汉字汉字汉字", False), Piece("never seen", True)]
    assert _shortened(pieces, 10) == [["ab", 1], ["汉字 …", 0]]
    assert _shortened(pieces, 100) == [["ab", 1], ["汉字汉字汉字", 0], ["never seen", 1]]
