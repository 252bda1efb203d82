"""Where a text may be cut: what is left of a span that begins and ends anywhere."""

import numpy as np
import pytest

from models.lexical.text.boundaries.spans import whole_parts, with_gaps
from models.lexical.text.spans import cut
from tasks.resolve.fragments.virality import flat

LINE = "no capital and no stop at the end of this line"
LONG = f"{'a line of words that goes on and on and ' * 4}ends."
PROSE = "The harbour closed at noon. The last boat had left an hour before. Nobody waited for another one."


RULED = "We are paid a share of what you buy by way of the links on this page."


def part(text: str, passage: str, inserted: bool = False) -> str:
    """What may be cut of a passage of a text."""
    at = text.index(passage)
    start, end = whole_parts(*flat([text]), *(np.array([value]) for value in (0, at, at + len(passage))), inserted)
    return text[int(start[0]) : int(end[0])]


def left(text: str, passage: str) -> str:
    """What a text becomes when a passage is cut with the gap around it."""
    at = text.index(passage)
    given = (np.array([value]) for value in (0, at, at + len(passage)))
    start, end = with_gaps(*flat([text]), *given)
    return cut(text, [(int(start[0]), int(end[0]))])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "passage", "expected"),
    [
        # no hole is cut into a paragraph
        (PROSE, "noon. The last boat had left an hour before. Nobody", ""),
        (PROSE, "noon. The last boat had left an hour before. Nobody waited for another one.", ""),
        (PROSE, PROSE, PROSE),
        (PROSE, "last boat had left an hour before. Nobody waited", ""),
        ("Ask Dr. Smith of the U.S. Navy. He knows it.", "Smith of the U.S. Navy. He knows it.", ""),
        ("He left.\n\nAsk the U.S. Navy. Now.", "Ask the U.S. Navy. Now.", "Ask the U.S. Navy. Now."),
        ("これは文です。次の文もあります。終わりです。", "です。次の文もあります。終わり", ""),
        ("これは文。\n\n次の文もあります。\n\n終わり。", "文。\n\n次の文もあります。\n\n終", "次の文もあります。"),
    ],
)  # fmt: skip
def test_sentences_stay_whole(text: str, passage: str, expected: str) -> None:
    assert part(text, passage) == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "passage", "expected"),
    [
        # a wrapped sentence goes on in the next line
        (
            "This library is distributed in the hope that it will be useful,\nbut without any warranty. See the\n"
            "licence for more of it.\n\nThe end of it all.",
            "but without any warranty. See the\nlicence for more of it.\n\nThe end",
            "",
        ),
        # lines of a menu are whole by themselves
        (
            "Navigation\n\n  index |\n  Manual »\n  Old Modules »\n  chat — a handler of sockets\n\nIt is old.",
            "Navigation\n\n  index |\n  Manual »\n  Old Modules »\n",
            "Navigation\n\n  index |\n  Manual »\n  Old Modules »",
        ),
        ("Home\nAbout us\nContact\nImprint\nShop", "us\nContact\nImprint\nSh", "Contact\nImprint"),
        # a paragraph is, whatever it ends with
        (f"One.\n\n{LINE}\n\nTwo.", LINE, LINE),
        # a heading leads to what follows, and what is announced stays
        ("Text of it.\n\n## Usage\n\nCall it often.", "Text of it.\n\n## Usage", "Text of it."),
        ("Text of it.\n\nUsage\n=====\n\nCall it often.", "Text of it.\n\nUsage\n=====", "Text of it."),
        ("These are needed:\n\nA cup of tea.\n\nA spoon of it.", "A cup of tea.\n\nA spoon of it.", "A spoon of it."),
        # the heading of a section that goes on stays
        ("## Help\n\nAsk us for it.\n\nBut not at night.", "## Help\n\nAsk us for it.", "Ask us for it."),
        # but no heading is left that heads nothing
        ("## Help\n\nAsk us for it.\n\n## More\n\nNo.", "Ask us for it.", ""),
        ("Help\n====\n\nAsk us for it.", "Ask us for it.", ""),
        ("# Help\n\nAsk us for it.\n\n## At night\n\nNo.", "Ask us for it.", "Ask us for it."),
        # what follows in the block points back to what would be cut, or to what stands before it
        (f"One.\n\n{LONG}\nIt is short.", LONG, ""),
        (f"One.\n\n{LONG}\nTrains are short.", LONG, LONG),
        (f"One.\n\n{LONG}\nIf you saw it, tell us.\n\nTwo.", LONG, LONG),
        (f"One.\n\nBugs are told.\n{LONG}\nIf you saw it, tell us.", LONG, ""),
        (f"Eins.\n\n{LONG}\nDiese ist kurz.", LONG, ""),
        # nor does a wrapped paragraph lose a part, though the part ends with a line
        (f"One.\n\n{LINE}.\nTrains are short.", f"{LINE}.", ""),
        ("一。\n\nここに長い文があります。\nこれは短い。", "ここに長い文があります。", ""),
        ("## Help\n\nAsk us for it.\n\n## More\n\nNo.", "## Help\n\nAsk us for it.", "## Help\n\nAsk us for it."),
        # a list goes whole or stays whole
        ("Do this:\n1. Fork it\n2. Branch it\n3. Push it\n\nThank you all.", "2. Branch it\n3. Push it", ""),
        ("Do it so.\n\n1. Fork it\n\n2. Branch it\n\n3. Push it\n\nThanks.", "2. Branch it\n\n3. Push it", ""),
        # a rule below a sentence that is no heading parts what stands above and below it
        (f"{RULED}\n---\nAsk us for it.", RULED, RULED),
        (f"{RULED}\n---\nAsk us for it.", "Ask us for it.", "Ask us for it."),
        ("Help.\n---\nAsk us for it.", "Help.", ""),
    ],
)  # fmt: skip
def test_lines_and_blocks_stay_whole(text: str, passage: str, expected: str) -> None:
    assert part(text, passage) == expected


@pytest.mark.parametrize(
    "barred",
    [
        "```python\nprint(1)\nvalue = call(2)\n```",
        "    int main(void) { return call(1); }",
        "Type help or copyright for more of it.\n>>> 1 + 1\n2",
        "  -h, --help     show this message and leave the programme",
        "import Tabs from '@theme/Tabs';",
        "| name | size |\n| ---- | ---- |\n| one  | two  |",
        "name\t\tsize\t\tweight\none\t\ttwo\t\tthree",
        ">>> call(1)",
    ],
)
def test_code_and_tables_are_never_cut(barred: str) -> None:
    text = f"Here is how it is done by us.\n\n{barred}\n\nThis is all that there is to it."
    assert part(text, text) in ("Here is how it is done by us.", "This is all that there is to it.")
    assert part(text, barred) == ""


def test_lines_set_in_beside_paragraphs_of_one_line_are_quoted_and_one_line_by_itself_is_not() -> None:
    notice = (
        "     This program is distributed in the hope that it will be useful,\n"
        "     but without any warranty; without even the implied warranty of\n"
        "     merchantability or fitness for a particular purpose.  See the\n"
        "     GNU General Public License for more details."
    )
    text = f"{LONG}\n\n    License: GPL-2+\n{notice}\n\n{LONG}"
    assert part(text, notice) == ""
    addressed = "You may obtain a copy of the licence at\n\n    https://example.org/licences/1\n\nand nowhere else."
    assert part(f"{LONG}\n\n{addressed}\n\n{LONG}", addressed) == addressed


def test_a_line_with_marks_of_code_amid_a_sentence_is_part_of_it() -> None:
    told = "modify it under the terms of the Perl Artistic License or the"
    marked = r"\&\s-1GNU\s0 General Public License as published by the Free Software"
    behind = "Foundation; either version 2 of the License, or (at your option) any\nlater version."
    text = f"{told}\n{marked}\n{behind}\n\nWhat comes next is another paragraph."
    assert part(text, behind) == ""
    assert part(text, told) == ""
    called = (
        "       In the above table, grent in race:grent signifies that if any of the\n       functions getgrent_r() are"
    )
    behind = "       used in parallel in different threads of a program, then data races\n       could occur.\n"
    assert part(f"{called}\n{behind}\nVERSIONS", behind) == ""


def test_whom_words_are_by_goes_with_them() -> None:
    quoted = "Nothing is ever lost that somebody has written down.\nNobody knows where, though.\n"
    by = "\t\t-- Douglas Example, Tales for an Accelerated Culture"
    assert part(f"{quoted}{by}\n", by) == ""
    assert part(f"What comes first is a paragraph.\n\n{quoted}{by}\n", quoted + by) == (quoted + by)


def test_the_work_that_words_are_taken_from_goes_with_them_and_a_footer_does_not() -> None:
    quoted = "Nothing is ever lost that somebody has written down.\n"
    source = "Ann Example, Letters from Ed: Dispatches and Salvos from a Norwegian House"
    footer = "Printed by Ann Example, who wrote all of it, in the town of Oslo"
    assert part(quoted + source, source) == ""
    assert part(quoted + footer, footer) == footer


def test_what_was_inserted_may_stand_amid_a_quotation() -> None:
    notice = "We use cookies to make this site better."
    text = f'He said: "It closed. {notice} Nobody came." They left.'
    assert part(text, notice) == ""
    assert part(text, notice, inserted=True) == notice


def test_names_in_braces_are_words() -> None:
    entry = "<processor> The paths between the {CPU} and {main memory}, by which\n   an {address} comes to it."
    assert part(f"Here is how it is done by us.\n\n{entry}", entry) == entry


def test_no_cut_within_a_quotation_of_mail() -> None:
    text = "He wrote to us.\n\n> First of his lines.\n> Second of his lines.\n> Third of them.\n\nWe did not answer."
    assert part(text, "> Second of his lines.\n> Third of them.") == ""
    whole = "> First of his lines.\n> Second of his lines.\n> Third of them."
    assert part(text, whole) == whole


def test_a_piece_that_begins_within_code_knows_it() -> None:
    text = "Key: value of it\nOther: value\n```\n\nSome prose about it.\n\n```yaml\nKey: value\n```\n"
    assert part(text, "Key: value of it\nOther: value") == ""
    assert part(text, "Some prose about it.") == "Some prose about it."


@pytest.mark.parametrize(
    ("text", "passage", "expected"),
    [
        ("One.\n\nCut it.\n\nTwo.", "Cut it.", "One.\n\nTwo."),
        ("One.\nCut it.\n\nTwo.", "Cut it.", "One.\n\nTwo."),
        ("Cut it.\n\nTwo.", "Cut it.", "Two."),
        ("One. Cut it. Two.", "Cut it.", "One. Two."),
        ("One. Cut it.\nTwo.", "Cut it.", "One.\nTwo."),
        ("One. Cut it.", "Cut it.", "One."),
    ],
)
def test_the_gap_goes_with_what_is_cut(text: str, passage: str, expected: str) -> None:
    assert left(text, passage) == expected


def test_lists_of_authors_are_not_cut_but_a_line_on_whom_to_write_to_is():
    names = "Anna Bell\nanna@example.org\n2014, 2015\n\nPaul Kern <paul.kern@example.org>\nMira Holt mira@example.org"
    assert part(f"{names}\n\n{PROSE}", names) == ""
    contact = f"{PROSE}\nWrite to us at office@example.org or call."
    assert part(f"{contact}\n\nThe rest of it is here.", contact) == contact
    chinese = "如有侵权，请发送邮件至 office@example.org，我们将在收到后删除相关内容。版权归原作者所有。"
    assert part(f"{PROSE}\n\n{chinese}", chinese) == chinese, "a sentence without blanks"


def test_the_name_of_who_wrote_a_mail_stays_when_the_footer_of_its_list_is_cut():
    footer = "_______________\nHarbour mailing list\nHarbour@lists.example.org\nhttp://lists.example.org/harbour"
    for name, kept in (("Kim Arden", True), ("--Kim", True), ("Write to all of us at the harbour by mail", False)):
        cut_here = part(f"{PROSE}\n\n{name}\n\n\n{footer}", f"{name}\n\n\n{footer}")
        assert cut_here == (footer if kept else f"{name}\n\n\n{footer}")


def test_the_heading_of_what_follows_stays_also_as_an_item_of_a_list():
    passage = "The methods below are those of every object, and none of them is told again here.\n\n  * ## Fields\n\n"
    assert "Fields" not in part(f"Above it.\n\n{passage}The salt of the hash.\n", passage)
