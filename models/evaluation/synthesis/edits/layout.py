"""Family "layout": the same words in other lines."""

import re
from random import Random

from models.evaluation.synthesis.material.material import Material
from models.evaluation.synthesis.material.splitting import filled, lines_of, paragraphs_of, sentences
from models.evaluation.synthesis.operator import LAYOUT, Edit

_ITEM = re.compile(r"(?m)^[ \t]*[*•–+-] +")


def _reflowed(text: str, material: Material, rng: Random) -> str:
    """Break lines elsewhere: one line per paragraph, or a width of its own."""
    width = rng.choice((10**9, 60, 72, 100))
    return "\n\n".join(filled(part, width) for part in re.split(r"\n\s*\n", text))


def _listed(text: str, material: Material, rng: Random) -> str:
    """Bullets before every line or sentence, or, where lines have some, none or others."""
    mark = rng.choice(("•", "*", "–", "‣", "+"))
    if _ITEM.search(text):
        return _ITEM.sub(rng.choice(("", f"{mark} ")), text)
    return "\n".join(f"{mark} {line}" for line in (lines_of(text) if "\n" in text else sentences(text)))


def _by_sentence(text: str, material: Material, rng: Random) -> str:
    """A line per sentence, with an empty one between paragraphs or without."""
    return rng.choice(("\n\n", "\n")).join("\n".join(sentences(part)) for part in paragraphs_of(text))


def _indented(text: str, material: Material, rng: Random) -> str:
    space = rng.choice(("\t", "    ", "  ", "\u3000"))
    return rng.choice(("\n", "\r\n")).join(space + line for line in lines_of(text))


def _line_numbers(text: str, material: Material, rng: Random) -> str:
    width, first = rng.choice((72, 76, 90)), rng.choice((1, 1, 1, rng.randint(2, 400)))
    lines = [line for part in lines_of(text) for line in filled(part, width).split("\n")]
    form = rng.choice(("{:>4}  {}", "{}: {}", "{:03} {}"))
    return "\n".join(form.format(number, line) for number, line in enumerate(lines, first))


def _capitals(text: str, material: Material, rng: Random) -> str:
    """Titles and headings in capitals, or underlined."""
    rule = rng.choice(("=", "-", "", ""))
    return "\n".join(_dressed(line, rule) if _short(line) else line for line in text.split("\n"))


def _dressed(line: str, rule: str) -> str:
    return f"{line}\n{rule * len(line)}" if rule else line.upper()


def _short(line: str) -> bool:
    return 3 < len(line.strip()) < 60 and line.replace(" ", "").isalpha()


EDITS = [
    Edit("reflow", "layout", LAYOUT, _reflowed),
    Edit("bullets", "layout", LAYOUT, _listed),
    Edit("line per sentence", "layout", LAYOUT, _by_sentence),
    Edit("indent", "layout", LAYOUT, _indented),
    Edit("line numbers", "layout", LAYOUT, _line_numbers),
    Edit("heading dress", "layout", LAYOUT, _capitals),
]
