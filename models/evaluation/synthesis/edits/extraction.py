"""Family "extraction": what a text goes through between a page or a file and plain text."""

import html
import re
from random import Random

from models.evaluation.synthesis.material.material import Material
from models.evaluation.synthesis.material.splitting import filled, lines_of, open_words, paragraphs_of, splice
from models.evaluation.synthesis.operator import CARRIER, LAYOUT, SENTENCES, Edit

TITLE = 4, 90
"""Characters of a first line that is a title."""

_CELLS = re.compile(r"[ \t]*(?:\||\t| {3,})[ \t]*")
_MARKS = re.compile(r"(?m)^(?:#{1,6} |[*+-] )|\*\*(?=\S)|(?<=\S)\*\*|`(?=[^`\n]+`)|(?<=[^\s`])`")


def _entities(text: str, material: Material, rng: Random) -> str:
    escaped = html.escape(text).replace("&#x27;", rng.choice(("&#39;", "&apos;")))
    if rng.random() < 0.5:
        escaped = "".join(c if ord(c) < 128 else f"&#{ord(c)};" for c in escaped)
    return escaped.replace("\n\n", rng.choice(("\n\n", "\n<br/>\n", "<br>\n<br>\n")))


def _markup(text: str, material: Material, rng: Random) -> str:
    """Tags that were left standing around paragraphs."""
    forms = ("<p>", "</p>"), ("<div>", "</div>"), ('<p class="body">', "</p>"), ("<td>", "</td>")
    opening, closing = rng.choice(forms)
    return "\n".join(f"{opening}{part}{closing}" for part in paragraphs_of(text))


def _unbroken(text: str, material: Material, rng: Random) -> str:
    """Line ends lost: all of them, or every one within a paragraph."""
    return (
        " ".join(text.split()) if rng.random() < 0.5 else "\n\n".join(" ".join(p.split()) for p in paragraphs_of(text))
    )


def _hyphenated(text: str, material: Material, rng: Random) -> str:
    """Hard lines with some words broken at their ends."""
    lines = "\n\n".join(filled(part, rng.choice((56, 64, 72))) for part in paragraphs_of(text)).split("\n")
    for at, line in enumerate(lines[:-1]):
        head, _, rest = lines[at + 1].partition(" ")
        if line and len(head) > 6 and head.isalpha() and rng.random() < 0.4:
            cut = rng.randint(3, len(head) - 3)
            lines[at], lines[at + 1] = f"{line} {head[:cut]}-", f"{head[cut:]} {rest}".rstrip()
    return "\n".join(lines)


def _doubled(text: str, material: Material, rng: Random) -> str:
    """The title, or else the first words, once more at the top."""
    first = lines_of(text)[0]
    title = first if TITLE[0] <= len(first) <= TITLE[1] else " ".join(first.split()[:9])
    return f"{title}{rng.choice(('', ' | ' + rng.choice(material.boilerplate.names)))}\n{text}"


def _untitled(text: str, material: Material, rng: Random) -> str:
    """Headings lost: short lines without a full stop that stand alone between paragraphs, the title among them."""
    parts = paragraphs_of(text)
    headings = [at for at, part in enumerate(parts[:-1]) if _is_heading(part)]
    if not headings or len(headings) * 4 > len(parts):
        return text
    lost = set(rng.sample(headings, rng.randint(1, min(2, len(headings)))))
    return "\n\n".join(part for at, part in enumerate(parts) if at not in lost)


def _is_heading(part: str) -> bool:
    calm = "\n" not in part and TITLE[0] <= len(part) <= TITLE[1] and part[-1] not in ".!?:;,"
    return calm and part[0].isupper() and part.replace(" ", "").isalpha()


def _marked(text: str, material: Material, rng: Random) -> str:
    """Marks of Markdown put in, or taken out where there are some."""
    bare = _MARKS.sub("", text)
    if bare != text and rng.random() < 0.7:
        return bare
    words = open_words(text, 5)
    chosen = rng.sample(words, min(len(words), rng.randint(2, 8)))
    sign = rng.choice(("**", "*", "_", "__"))
    return splice(text, [(*found.span(), f"{sign}{found[0]}{sign}") for found in chosen])


def _flattened(text: str, material: Material, rng: Random) -> str:
    """Rows of tables lose their bars and columns: one cell a line, or cells set apart by one blank."""
    joint = rng.choice(("\n", " ", ", "))
    lines = [_CELLS.sub(joint, line.strip().strip("|").strip()) if len(_CELLS.findall(line.strip())) > 1 else line
             for line in text.split("\n")]  # fmt: skip
    return "\n".join(line for line in lines if not line or set(line) - set("-=+: ,\n"))


EDITS = [
    Edit("entities", "extraction", CARRIER, _entities),
    Edit("markup", "extraction", CARRIER, _markup),
    Edit("lost breaks", "extraction", LAYOUT, _unbroken),
    Edit("hyphenated", "extraction", LAYOUT, _hyphenated),
    Edit("doubled title", "extraction", SENTENCES, _doubled),
    Edit("lost headings", "extraction", SENTENCES, _untitled),
    Edit("markdown", "extraction", SENTENCES, _marked),
    Edit("flat table", "extraction", SENTENCES, _flattened),
]
