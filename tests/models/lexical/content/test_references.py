"""Which lines refer to something by its number, and which only date or count something."""

import pytest

from models.lexical.content.references import references
from tests.support.texts.told_words import told


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Issues\nLWG#229\nLWG#2231", "LWG 229 LWG 2231"),
        ("CVE-2015-12 Escalation\nRFC822\nBug 12345", "CVE 2015 12 Escalation RFC822 Bug 12345"),
        ("Model 3100 of the Series\nFounded 1996", "Model 3100 of the Series"),
        ("- Added operation QuotaOperations.get\n * See os.path", "Added operation QuotaOperations get See os path"),
        ("Added operation QuotaOperations.get\n- Added operations\n* [os.path](/os)", ""),
        ("* [Home](/78451)\n* [LWG#2229](/lwg)\n* [Call 12345 now](/call)", "LWG 2229 lwg Call 12345 now call"),
        ("Sunday, May 8, 2016\n8-May-2016 10:30\n2016-05-08", ""),
        ("Page 12\nComments (1,234)\nMP3 Player\nWindows 10", ""),
    ],
)
def test_a_long_number_or_one_of_a_name_in_capitals_refers_to_something(text: str, expected: str) -> None:
    assert told(references, text).lower() == expected.lower()
