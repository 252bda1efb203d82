"""Make the table of look-alikes anew out of Unicode's own data.

    python -m tests.benchmarks.languages.lookalikes confusables.txt > models/lexical/text/canonical/lookalikes.txt

`confusables.txt` is that of UTS #39 (https://www.unicode.org/Public/security/; the table was made from 13.0.0). A code
point reads as a Latin letter if it is one with marks on it (NFKD), if its name says so ("LATIN LETTER SMALL CAPITAL
B", "NEGATIVE SQUARED LATIN CAPITAL LETTER B"), if it is in the lists below, or if it may be confused with one. Scripts
whose letters nobody mixes among Latin ones are left alone, and so are digits.
"""

import re
import sys
import unicodedata
from pathlib import Path

CYRILLIC = ("авгеиікмнопрстухьѕјһԁԛԝѵӏяшщцэ", "abreuikmhonpctyxbsjhdqwvirwwue")
GREEK = ("αβγεηικμνοπρςστυχω", "abyenikuvonpcctuxw")
GREEK_CAPITAL = ("αβεζηικμνορτυχ", "abezhikmnoptyx")
LATIN = ("đðħıøŧɑɡßþł", "ddhiotagbpl")
LEFT_ALONE = (
    "ARABIC", "HEBREW", "HIRAGANA", "KATAKANA", "CJK", "HANGUL", "THAI", "LAO", "KHMER", "MYANMAR", "DEVANAGARI",
    "BENGALI", "TAMIL", "SYRIAC", "MALAYALAM", "TELUGU", "KANNADA", "GUJARATI", "SINHALA", "ORIYA", "GURMUKHI",
)  # fmt: skip
HEADER = """\
# Code points that read as a Latin letter, without case: the letter, a blank, its look-alikes.
# Made by tests/benchmarks/languages/lookalikes.py from names and decompositions of Unicode 14.0 and confusables.txt of
# UTS #39, version 13.0.0, (c) 2020 Unicode, Inc. (https://www.unicode.org/terms_of_use.html); hand-picked Greek and
# Cyrillic letters in that script. "capital" lists those that read otherwise where they stood as capitals."""

_FIRST = re.compile(r"LATIN|REGIONAL|NEGATIVE|SQUARED|CIRCLED|CROSSED")
_NAME = re.compile(
    r"(?:(?:NEGATIVE )?(?:SQUARED|CIRCLED) |REGIONAL INDICATOR SYMBOL |CROSSED NEGATIVE SQUARED )?(?:LATIN )?"
    r"(?:(?:SMALL|CAPITAL) )?(?:LETTER )?(?:SMALL CAPITAL |SMALL |CAPITAL )?(?:LETTER )?"
    r"(?:(?:TURNED|REVERSED|INVERTED|SIDEWAYS|SCRIPT|OPEN|BLACKLETTER|INSULAR|DOTLESS|BARRED|STRETCHED|LONG|FINAL|"
    r"CLOSED) )*(?:LETTER )?([A-Z])(?: WITH .*)?$"
)
_LAST = 0x1F200


def bare(text: str) -> str:
    """Without marks, by compatibility."""
    return "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))


def is_letter(text: str) -> bool:
    """Is it one of a to z?"""
    return len(text) == 1 and "a" <= text <= "z"


def reads_as(character: str, listed: dict[str, str], confused: dict[str, str], depth: int = 0) -> str:
    """Return the Latin letter that a code point is taken for, "" for none."""
    if character.isascii():
        return character.lower() if is_letter(character.lower()) else ""
    category, name = unicodedata.category(character), unicodedata.name(character, "")
    base = bare(character).casefold() if len(bare(character)) == 1 else ""
    found = _NAME.match(name) if _FIRST.match(name) else None
    if category[0] in "MNCPZ":
        return ""
    if is_letter(base):
        return base
    if character in listed or base in listed:
        return listed.get(character) or listed[base]
    if found:
        return found[1].lower()
    if category[0] != "L" or name.startswith(LEFT_ALONE):
        return ""
    likeness = confused.get(character) or confused.get(base, "")
    if likeness == "rn":
        return "m"
    likeness = bare(likeness)
    again = len(likeness) == 1 and likeness != character and depth < 3
    return reads_as(likeness, listed, confused, depth + 1) if again else ""


def rows(confused: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Code points without case and their letters; what those read as that were capitals, where it is another letter."""
    small = {one: letter for pair in (LATIN, CYRILLIC, GREEK) for one, letter in zip(*pair, strict=True)}
    capital = small | dict(zip(*GREEK_CAPITAL, strict=True))
    found: tuple[dict[str, str], dict[str, str]] = ({}, {})
    for code in range(0x80, _LAST):
        one = chr(code)
        if unicodedata.category(one) in ("Cn", "Co", "Cs"):
            continue
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", one).casefold())
        if len(folded) != 1:
            continue
        if folded == one and (letter := reads_as(one, small, confused)):
            found[0][one] = letter
        if folded != one and one.isupper() and not folded.isascii():
            letter = capital.get(folded) or reads_as(one, capital, confused)
            if letter and letter != reads_as(folded, small, confused):
                found[1][folded] = letter
    return found


def main() -> None:
    """Print the table."""
    confused = {}
    for line in Path(sys.argv[1]).read_text("utf-8-sig").splitlines():
        fields = [field.strip() for field in line.split("#")[0].split(";")]
        if len(fields) >= 2 and len(fields[0].split()) == 1:
            confused[chr(int(fields[0], 16))] = "".join(chr(int(code, 16)) for code in fields[1].split())
    print(HEADER)
    for name, row in zip(("small", "capital"), rows(confused), strict=True):
        print(f"[{name}]")
        for letter in sorted(set(row.values())):
            print(letter, "".join(sorted(one for one, read in row.items() if read == letter)))


if __name__ == "__main__":
    main()
