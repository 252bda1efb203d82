"""Which words are frames of mails, and which ask for consent."""

import pytest

from models.lexical.content.frames import beside_quotes, consent, list_footers, mail_frames, mail_heads
from tests.support.texts.told_words import told


def test_the_head_of_a_mail_is_three_fields_or_more() -> None:
    head = "From: Ann <ann@a.example>\nDate: 2005-02-11\nSubject: boats"
    assert (
        told(mail_frames, f"Begin it.\n{head}\n\nThe harbour closed.")
        == "From Ann ann a example Date 2005 02 11 Subject boats"
    )
    assert told(mail_frames, "From: Ann\nSubject: boats\nThe harbour closed.") == ""
    assert told(mail_frames, "Von: Ann\nAn: Bea\nBetreff: Boote\nHallo") == "Von Ann An Bea Betreff Boote"


@pytest.mark.parametrize(
    ("head", "framed"),
    [
        ("author: Ann\nurl: https://a.example/boats\nhostname: a.example", True),
        ("dc.contributor: Ann\ndc.language: en\ndc:creator: Bea", True),
        ("WARC-Type: conversion\nWARC-Date: 2020-05-11\nContent-Length: 1416", True),
        ("Path: news.a.example!ann\nFrom: Ann\nNewsgroups: rec.boats", True),
        ("URL Source: https://a.example/boats\n\nPublished Time: 2020\n\nMarkdown Content:", True),
        ("list the boats: two\nreturn the mail: one\nmessage in a bottle: none", False),
        ("author: Ann\nlanguage: en\ncategory: boats", False),  # people write these, too
        ("dc: Ann\nurl: a.example\nThe harbour closed.", False),
    ],
)
def test_the_head_of_a_crawled_page_has_a_field_that_only_machines_write(head: str, framed: bool) -> None:
    assert (told(mail_heads, f"{head}\n\nThe harbour closed.") != "") is framed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\ntitle: Boats\nlayout: post\nmood: calm\n---\nThe harbour closed.", "title Boats layout post mood calm"),
        ("+++\ntitle: Boats\ntags: sea\n+++\nThe harbour closed.", "title Boats tags sea"),
        ("---\nport: 80\nhost: a\n---\nThe harbour closed.", ""),
        ("title: Boats\nlayout: post\n---\nThe harbour closed.", ""),
        ("<item>\n<title>Boats</title>\n<link>https://a.example</link>\nClosed.",
         "item title Boats title link https a example link"),
    ],
)  # fmt: skip
def test_front_matter_and_tags_of_feeds_are_heads(text: str, expected: str) -> None:
    assert told(mail_heads, text) == expected


RULE = "_" * 30


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"Closed.\n{RULE}\nboats mailing list\nhttps://boats.example/", "boats mailing list https boats example"),
        ("The harbour closed.\n-- \nAnn\nOne\nTwo\nSix\nann@a.example", "Ann One Two Six ann a example"),
        (f"The harbour closed.\n{RULE}\nboats and harbours", ""),
        (f"Write to ann@a.example.\n{RULE}\n" + "The harbour closed. " * 30, ""),
        ("The harbour -- closed now --\nsays ann@a.example", ""),
    ],
)  # fmt: skip
def test_the_footer_of_a_mail_stands_behind_a_rule_and_names_an_address(text: str, expected: str) -> None:
    assert told(mail_frames, text) == expected


@pytest.mark.parametrize(
    ("footer", "expected"),
    [
        ("Boats-Users mailing list\nBoats-Users@lists.example\nhttps://lists.example/listinfo/boats",
         "Boats Users mailing list Boats Users lists example https lists example listinfo boats"),
        ("Contact\nWrite to contact@lists.example before noon", ""),
        ("Boats and harbours\nBoats are listed at https://boats.example", ""),
    ],
)  # fmt: skip
def test_the_footer_of_a_mailing_list_begins_like_its_address(footer: str, expected: str) -> None:
    assert told(list_footers, f"The harbour closed.\n{RULE}\n{footer}") == expected


def test_what_stands_beside_a_quoted_mail_is_told_but_for_the_line_that_introduces_it() -> None:
    quoted = "Ann wrote on Monday:\n> Is it open on Sundays from noon on?\n> > No.\n\n> Then when?"
    assert told(beside_quotes, f"Hello.\n\n{quoted}\n\nIn May.\nKim") == "Hello In May Kim"
    assert told(beside_quotes, "In May:\nit opens\n> so they say") == "", "one line is no mail"
    assert told(beside_quotes, "Add them:\n>>> add(1, 2)\n3\n>>> add(2, 2)\n4\n>>> add(2, 3)\n5") == "", "prompts"
    page = "The harbour is open from noon until the evening, and the inner basin is not.\n> Note\n> It is.\nSo it is."
    assert told(beside_quotes, page) == "", "a note in a page"
    assert told(beside_quotes, "No.\n>>> Is it open?\n>> When?\n> In May?") == "No", "a mail within mails"
    assert told(beside_quotes, "if a > b:\n    a > b\n") == "", "a sign amid a line"


def asking(_, words):
    return consent(words)


NOTICE = "We use cookies to make this site work.\nRead our privacy policy.\nAccept all | Reject all"


def test_a_notice_of_consent_is_told_by_its_words() -> None:
    assert told(asking, f"The harbour closed at noon.\n\n{NOTICE}\n\nAll boats left.") == " ".join(
        NOTICE.replace(".", "").replace("|", "").split()
    )
    assert told(asking, "The ministers did agree on the policy of harbours and of boats in all of the north.") == ""


def test_a_notice_of_consent_is_told_beside_other_lines() -> None:
    line = "We use cookies by your consent, see our privacy policy."
    assert told(asking, "The harbour closed at noon and boats left it. " * 9 + f"\n{line}") == (
        "We use cookies by your consent see our privacy policy"
    )


def test_a_last_section_under_its_heading_is_no_head_of_a_mail() -> None:
    page = "The harbour closed.\n\nContact\n-------\nWrite to ann@a.example before noon."
    assert told(mail_heads, page) == ""
    assert "before noon" in told(mail_frames, page), "so only heads may go without another copy"
