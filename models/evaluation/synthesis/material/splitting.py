"""Lines, sentences and words of a text, and what may not be touched in it."""

import itertools
import re
import unicodedata
from random import Random

from models.decision.evidence.facts.lexicon import listed_facts

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
PROTECTED = frozenset(listed_facts())
"""Words that state facts: no edit that keeps the meaning touches them."""

_SENTENCE = re.compile(r"(?<=[.!?…。])[\"'’”)\]]*\s+(?=[\"'‘“(\[¿¡]?[^\W_a-z])|\n\s*\n")
_NOT_CONTRACTED = re.compile(r"n['’]t\b")
_NO_LETTERS = re.compile(r"[^\w ]|[\d_]")
_IN_CODE = re.compile(r"[/\\@=<>&%#`_~|]|[.:](?=\S)")
_HAN = "\u2e80"  # from here on one letter is a word
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")


def plain(text: str) -> str:
    """Fold what exact collapse folds: NFKC, case, white space, invisible characters."""
    return " ".join(_INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).casefold().split())


def sentence_starts(text: str) -> list[int]:
    """Return where sentences and paragraphs begin, in rising order, 0 first."""
    return [0, *(found.end() for found in _SENTENCE.finditer(text) if found.end() < len(text))]


def sentences(text: str) -> list[str]:
    """Return the sentences, none empty; a heading or a list without full stops counts as one."""
    starts = [*sentence_starts(text), len(text)]
    pieces = (text[start:stop].strip() for start, stop in itertools.pairwise(starts))
    return [piece for piece in pieces if piece]


def is_prose(sentence: str) -> bool:
    """Does a piece of text read as a sentence: six words or more, mostly letters?"""
    letters = len(_NO_LETTERS.sub("", sentence))
    return letters >= 0.85 * len(sentence) and len(WORD.findall(sentence)) >= 6


def prose_share(text: str) -> float:
    """Share of the characters that stand in sentences, 0 to 1."""
    return sum(len(sentence) for sentence in sentences(text) if is_prose(sentence)) / max(len(text), 1)


def open_words(text: str, shortest: int = 4) -> list[re.Match[str]]:
    """Words whose spelling may be disturbed.

    Letters only, `shortest` or longer; no number word, no negation, no abbreviation, no part of an address or of code.
    """
    return [
        found
        for found in WORD.finditer(text)
        if len(found[0]) >= shortest
        and found[0].isalpha()
        and max(found[0]) < _HAN
        and found[0].casefold() not in PROTECTED
        and not (found[0].isupper() and len(found[0]) <= 6)
        and not _NOT_CONTRACTED.search(found[0])
        and not _IN_CODE.match(text, found.end())
        and not (found.start() and _IN_CODE.match(text, found.start() - 1))
    ]


def splice(text: str, changes: list[tuple[int, int, str]]) -> str:
    """Put strings in place of spans (start, stop, new) that do not overlap."""
    pieces, at = [], 0
    for start, stop, new in sorted(changes):
        pieces += [text[at:start], new]
        at = stop
    return "".join([*pieces, text[at:]])


def clip(text: str, longest: int) -> str:
    """Cut a text behind the last line or sentence that ends within `longest` characters."""
    if len(text) <= longest:
        return text
    head = text[:longest]
    cut = max(head.rfind("\n"), head.rfind(". ") + 1)
    return head[: cut if cut > longest // 2 else longest].rstrip()


def lines_of(text: str) -> list[str]:
    """Return the lines that are not blank, stripped; the text itself where there is none."""
    return [line.strip() for line in text.split("\n") if line.strip()] or [text]


def paragraphs_of(text: str) -> list[str]:
    """Return what stands between empty lines, or between line ends where there are no empty lines."""
    parts = [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]
    return parts if len(parts) > 1 else lines_of(text)


def filled(paragraph: str, width: int) -> str:
    """Break a paragraph into lines of at most `width` characters, as far as words allow."""
    lines, line = [], ""
    for word in paragraph.split():
        if line and len(line) + len(word) >= width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return "\n".join([*lines, line])


def placed(text: str, line: str, rng: Random) -> str:
    """Put a line before or behind a text."""
    return f"{line}\n\n{text}" if rng.random() < 0.5 else f"{text}\n\n{line}"
