"""Groups of labelled documents of types A to D: one content and what operators make of it."""

from collections.abc import Callable, Sequence
from itertools import cycle
from random import Random
from typing import NamedTuple

from models.evaluation.synthesis.edits import frames
from models.evaluation.synthesis.edits.edits import EDITS, LOSING, MOST, edited, touched
from models.evaluation.synthesis.material.drawing import Drawing
from models.evaluation.synthesis.material.material import Source
from models.evaluation.synthesis.material.splitting import clip, plain
from models.evaluation.synthesis.operator import Made, Operator
from models.evaluation.synthesis.short_texts.perturbations import MOST as MOST_PERTURBATIONS
from models.evaluation.synthesis.short_texts.perturbations import PERTURBATIONS, perturbed
from models.evaluation.synthesis.types import digests, excerpts, templates

ORIGINAL = "original"
"""Family of a text that no operator touched."""
TRIES = 400
"""Texts in a row that do not suit before a maker is given up."""


class Doc(NamedTuple):
    """A labelled document to be.

    Attributes:
        text: whole.
        type: A to F or background.
        group: of documents that belong together; None without any.
        role: canonical, duplicate, parent, child, host, protected, background.
        family: of the operator, `ORIGINAL` without one.
        operator: names joined by "+".
        source: of the text that the operator worked on.
        spans: planted passages: name, start, end in code points, exact.
    """

    text: str
    type: str
    group: str | None
    role: str
    family: str
    operator: str
    source: str
    spans: tuple[tuple[str, int, int, bool], ...] = ()


Variant = tuple[str, str, str]
"""A text, its family and its operators."""


def pages(drawing: Drawing, groups: int, rng: Random) -> list[Doc]:
    """Type A: one content on two to four pages, or bare and on pages."""
    known = [("template", name) for name in templates.PAGES] + [("page frame", name) for name in frames.FRAMES]
    turns = cycle([one for one in known if drawing.allows(one[0])] or [("", "")])

    def variants(content: str, size: int) -> list[Variant]:
        made: list[Variant] = []
        if rng.random() < 0.5:
            made.append((content, ORIGINAL, ORIGINAL))
        spoken = False
        while len(made) < size:
            family, name = next(turns)
            # readers' comments are prose of a page's own: of two pages that have some, none says all
            if name == "comments" and (spoken or len(made) < size - 1):
                family, name = next(turns)
            spoken |= name == "comments"
            made.append(_page(content, family, name, drawing, rng))
        return made

    def group(number: int, document: int, text: str) -> list[Doc]:
        content = clip(text, rng.randint(templates.SHORTEST, templates.LONGEST))
        suits = len(content) >= templates.SHORTEST and known
        made = variants(content, rng.choice((2, 2, 2, 3, 4))) if suits else []
        return _copies("A", number, made, drawing.source[document])

    return _collect(drawing, "prose", groups, group, rng)


def _page(content: str, family: str, name: str, drawing: Drawing, rng: Random) -> Variant:
    content, applied = touched(content, rng.choice((0, 0, 0, 1)), drawing, rng, LOSING)
    if family == "template":
        return templates.PAGES[name](content, drawing, rng), family, "+".join([name, *applied])
    others = [other for other in frames.QUIET if other != name]
    names = [name, *rng.sample(others, rng.randint(0, 2))]
    for frame in names:
        content = frames.FRAMES[frame](content, drawing, rng)
    return content, family, "+".join([*names, *applied])


def copies(
    drawing: Drawing, groups: int, hot: tuple[int, ...], rng: Random, most: Sequence[int] = (MOST,)
) -> list[Doc]:
    """Type B: a text and one to four edited copies of it, or as many as `hot` says.

    How many edits a copy has at most is drawn from `most`.
    """
    names = drawing.allowed(EDITS)
    rng.shuffle(names)
    turns = cycle(names or [""])

    def group(number: int, document: int, text: str) -> list[Doc]:
        size = hot[number] if number < len(hot) else rng.choice((2, 2, 2, 3, 5))
        content = clip(text, rng.randint(700, 7000))
        made: list[Variant] = [(content, ORIGINAL, ORIGINAL)]
        for _ in range(12 * size if len(content) >= 320 and names else 0):
            name = next(turns)
            copy, applied = edited(content, name, rng.choice(most), drawing, rng)
            if name in applied:
                made.append((copy, EDITS[name].family, "+".join(applied)))
            if len(made) == size:
                break
        return _copies("B", number, made, drawing.source[document])

    return _collect(drawing, "prose", groups + len(hot), group, rng)


def disguised(drawing: Drawing, groups: int, rng: Random, most: Sequence[int] = (MOST_PERTURBATIONS,)) -> list[Doc]:
    """Type C: a short text and one to five copies of it, each disturbed in as many ways at most as `most` says."""
    names = drawing.allowed(PERTURBATIONS)
    rng.shuffle(names)
    turns = cycle(names or [""])

    def group(number: int, document: int, text: str) -> list[Doc]:
        size = rng.choice((2, 2, 3, 4, 6))
        made: list[Variant] = [(text, ORIGINAL, ORIGINAL)]
        for _ in range(8 * size if names and len(text) >= 30 else 0):
            name = next(turns)
            copy, applied = perturbed(text, name, rng.choice(most), drawing, rng)
            if name in applied:
                made.append((copy, PERTURBATIONS[name].family, "+".join(applied)))
            if len(made) == size:
                break
        return _copies("C", number, made, drawing.source[document])

    return _collect(drawing, "short", groups, group, rng)


def parts(drawing: Drawing, groups: int, rng: Random) -> list[Doc]:
    """Type D: a text and one to three excerpts of it, or a collection and a document in it."""
    known = [one for one in (*excerpts.OPERATORS, *digests.OPERATORS) if drawing.allows(one.family)]
    rng.shuffle(known)
    turns, docs = cycle(known), []
    for number in range(groups if known else 0):
        operator = next(turns)
        docs += _collect(drawing, operator.source, 1, _part_of(operator, known, drawing, rng), rng, number)
    return docs


def _part_of(
    operator: Operator, known: list[Operator], drawing: Drawing, rng: Random
) -> Callable[[int, int, str], list[Doc]]:
    others = [one for one in known if one in excerpts.OPERATORS]

    def group(number: int, document: int, text: str) -> list[Doc]:
        chosen = [operator, *(rng.sample(others, min(rng.randint(0, 2), len(others))) if operator in others else [])]
        made = [(one, one.make(text, document, drawing, rng)) for one in chosen]
        found = [(one, pair) for one, pair in made if pair is not None and _smaller(pair)]
        if not found or found[0][0] is not operator:
            return []
        source, label = drawing.source[document], f"D/{number}"
        docs = [Doc(found[0][1].text_a, "D", label, "parent", ORIGINAL, ORIGINAL, source)]
        for one, pair in {plain(pair.text_b): (one, pair) for one, pair in found}.values():
            docs.append(Doc(pair.text_b, "D", label, "child", one.family, pair.how or one.name, source))
        return docs

    return group


def _smaller(made: Made) -> bool:
    """Is a child so much smaller that nobody takes the two for copies?"""
    return len(made.text_b) <= 0.85 * len(made.text_a)


def _copies(kind: str, number: int, made: list[Variant], source: str) -> list[Doc]:
    """The documents of a group, the first one as the canonical one; none where fewer than two differ."""
    distinct = {plain(text): (text, family, how) for text, family, how in reversed(made)}
    rows = list(distinct.values())[::-1]
    roles = ["canonical", *["duplicate"] * (len(rows) - 1)]
    docs = [
        Doc(text, kind, f"{kind}/{number}", role, family, how, source)
        for role, (text, family, how) in zip(roles, rows, strict=False)
    ]
    return docs if len(docs) > 1 else []


def _collect(
    drawing: Drawing,
    kind: Source,
    groups: int,
    group: Callable[[int, int, str], list[Doc]],
    rng: Random,
    first: int = 0,
) -> list[Doc]:
    """Make `groups` groups of free texts; fewer where too many in a row do not suit."""
    docs: list[Doc] = []
    number, idle = first, 0
    for document, text in drawing.texts_of(kind, rng):
        if number == first + groups or idle == TRIES:
            break
        made = group(number, document, text)
        if made:
            docs += made
            drawing.take(document)
            number += 1
        drawing.pending.clear()
        idle = 0 if made else idle + 1
    return docs
