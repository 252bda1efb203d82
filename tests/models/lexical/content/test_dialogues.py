"""Turns of a dialogue, and what is none."""

import pytest

from models.lexical.content.dialogues import LABELS, turns
from tests.support.texts.told_words import told

ASKED = "You are a kind teacher.\nTeacher: 9,10?\nStudent: 11\n**Teacher**: Good work!\nStudent: 12\nTeacher:\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (ASKED + "Great job!\n2023", "9 10 11 Good work 12 Great job 2023"),
        ("用户：你好\n助手：好\n用户：谢谢\n助手：不", "你 好 好 谢 谢 不"),
        ("Speaker A: so\nSpeaker B: well\nSpeaker A: yes\nSpeaker B: no", "so well yes no"),
        ("Title: Home\nDate: today\nTitle: News\nText behind", ""),
        (":param a: one\n:type a: str\n:param b: two\n:type b: int", ""),
        ("At 12:30 there\nwe met: he\nAt 12:45 there\nwe left: she", ""),
        ("".join(f"Head {chr(97 + at)}: is\n" for at in range(LABELS + 1)) * 3, ""),
        ("Note: one\nNote: two\nNote: three\nTip: four\nTip: five", ""),
    ],
)  # fmt: skip
def test_all_behind_labels_that_come_again_is_said_by_somebody(text: str, expected: str) -> None:
    assert told(turns, text) == expected
