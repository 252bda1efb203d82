"""Labelled documents that have to stay: look-alikes, hosts of planted passages, unrelated documents."""

from collections.abc import Iterator
from itertools import cycle
from random import Random
from typing import NamedTuple

from models.evaluation.synthesis.corpus.groups import ORIGINAL, TRIES, Doc
from models.evaluation.synthesis.material.drawing import Drawing
from models.evaluation.synthesis.material.material import Source
from models.evaluation.synthesis.material.splitting import clip, plain, sentence_starts, splice
from models.evaluation.synthesis.operator import Operator
from models.evaluation.synthesis.types import longfacts, lookalikes, siblings, unrelated
from models.evaluation.synthesis.types.plantings import FRAGMENT, fragment_of
from models.evaluation.synthesis.types.plantings import SHARE as HELD

WHOLE = 6_000
"""Characters of a host at most."""
INEXACT = 0.12
"""Share of the planted passages that have a word changed."""
LEAST_HOSTS, SKEW = 6, 8
"""Hosts of a passage at least, and how many times more often one passage is planted than another."""
FAMILY = 2, 2, 3, 5, 9
"""Documents of a family of look-alikes that a template makes."""


class _Group(NamedTuple):
    """Texts that one maker made, and how."""

    texts: list[str]
    operator: Operator
    how: str
    source: str


def lookalike_groups(drawing: Drawing, groups: int, rng: Random) -> list[Doc]:
    """Type F: two documents and more that look alike and state different things, each maker in turn."""
    operators = [*lookalikes.OPERATORS, *longfacts.OPERATORS, *siblings.OPERATORS]
    return [
        Doc(text, "F", f"F/{number}", "protected", group.operator.family, group.how, group.source)
        for number, group in enumerate(_groups(operators, drawing, groups, rng))
        for text in group.texts
    ]


def unrelated_documents(drawing: Drawing, groups: int, rng: Random) -> list[Doc]:
    """Background that shares a template, a passage or a source with another document, and is none of its copies."""
    return [
        Doc(text, "background", f"N/{number}", "background", group.operator.family, group.how, group.source)
        for number, group in enumerate(_groups(unrelated.OPERATORS, drawing, groups, rng))
        for text in group.texts
    ]


def _groups(operators: list[Operator], drawing: Drawing, count: int, rng: Random) -> Iterator[_Group]:
    """`count` groups of free texts, each operator in turn; fewer where none suits any more."""
    active = [one for one in operators if drawing.allows(one.family)]
    queues = {one: drawing.texts_of(one.source, Random(f"{rng.random()}/{one.name}")) for one in active}
    for operator in cycle(active):
        if count == 0 or not queues:
            return
        group = _next(operator, queues[operator], drawing, rng) if operator in queues else None
        if group is None:
            queues.pop(operator, None)
            continue
        count -= 1
        yield group


def _next(operator: Operator, queue: Iterator[tuple[int, str]], drawing: Drawing, rng: Random) -> _Group | None:
    for idle, (document, text) in enumerate(queue):
        drawing.pending.clear()
        texts, how = _make(operator, text, document, drawing, rng)
        if texts and _free(texts, document, drawing) and len(set(map(plain, texts))) == len(texts):
            # a natural sibling is a whole document of the corpus
            drawing.take(document, *(drawing.place[one] for one in texts if one in drawing.place))
            return _Group(texts, operator, how, drawing.source[document])
        if idle == 3 * TRIES:
            break
    drawing.pending.clear()
    return None


def _make(operator: Operator, text: str, document: int, drawing: Drawing, rng: Random) -> tuple[list[str], str]:
    """Two texts, or as many as a family may have."""
    many = siblings.MANY.get(operator.name)
    if many is not None:
        return many(text, document, drawing, rng, rng.choice(FAMILY)), operator.name
    made = operator.make(text, document, drawing, rng)
    return ([made.text_a, made.text_b], made.how or operator.name) if made else ([], "")


def _free(texts: list[str], document: int, drawing: Drawing) -> bool:
    """Are other documents, where they are of the corpus, still free and no near-copies?"""
    family = drawing.relations.family
    others = {drawing.place[text] for text in texts if text in drawing.place} - {document}
    return all(drawing.free(one) and family[one] != family[document] for one in others)


def hosts(
    drawing: Drawing, fragments: int, count: int, rng: Random, least: int = LEAST_HOSTS, skew: int = SKEW
) -> list[Doc]:
    """Type E: documents with one to three of the passages that are planted in many of them.

    `least` hosts hold each passage, and the most frequent of them stands in `skew` times as many as the rarest.
    """
    passages = _passages(drawing, fragments, rng) if drawing.allows("planted") else []
    if not passages:
        return []
    weights = [1 / (1 + number % skew) for number in range(len(passages))]
    docs: list[Doc] = []
    for document, text in drawing.texts_of("prose", rng):
        if len(docs) == count:
            break
        host = clip(text, rng.randint(600, WHOLE))
        chosen = dict.fromkeys(rng.choices(range(len(passages)), weights, k=rng.choice((1, 1, 2, 3))))
        planted = [(number, passages[number]) for number in chosen if len(passages[number]) <= HELD * len(host)]
        if not planted:
            continue
        changed, spans = _planted(host, planted, rng)
        drawing.take(document)
        docs.append(Doc(changed, "E", None, "host", "planted", "planted", drawing.source[document], spans))
    held = [name for doc in docs for name, *_ in doc.spans]
    rare = {name for name in held if held.count(name) < least}
    return [doc for doc in docs if not rare & {name for name, *_ in doc.spans}]


def _passages(drawing: Drawing, count: int, rng: Random) -> list[str]:
    """Passages out of documents that do not come into the corpus."""
    found: list[str] = []
    for document, text in drawing.texts_of("prose", rng):
        if len(found) == count:
            break
        passage = fragment_of(text, rng)
        if passage is not None and len(passage) >= FRAGMENT[0] + 20:
            drawing.take(document)
            found.append(passage)
    return found


def _planted(
    host: str, passages: list[tuple[int, str]], rng: Random
) -> tuple[str, tuple[tuple[str, int, int, bool], ...]]:
    """Put passages at the head, at the tail or between sentences, and say where they stand."""
    starts = sentence_starts(host)
    places = sorted((rng.choice((0, len(host), rng.choice(starts))), *one) for one in passages)
    text, spans, at = "", [], 0
    for place, number, passage in places:
        exact = rng.random() >= INEXACT
        shown = passage if exact else _bent(passage, rng)
        gap = rng.choice((" ", "\n\n", "\n")) if 0 < place < len(host) else "\n\n"
        text += host[at:place].rstrip() if host[at:place] else ""
        text += gap if text else ""
        spans.append((f"f{number:03}", len(text), len(text) + len(shown), shown == passage))
        text += shown + gap
        at = place
    return (text + host[at:]).rstrip(), tuple(spans)


def _bent(passage: str, rng: Random) -> str:
    """Change a word or two of a passage."""
    words = list(_words(passage))
    chosen = sorted(rng.sample(words, min(len(words), rng.randint(1, 2))))
    return splice(passage, [(start, stop, rng.choice(("our", "these", "such", "this"))) for start, stop in chosen])


def _words(passage: str) -> Iterator[tuple[int, int]]:
    at = 0
    for word in passage.split(" "):
        if word.isalpha() and word.islower() and len(word) > 4:
            yield at, at + len(word)
        at += len(word) + 1


def background(drawing: Drawing, count: int, rng: Random) -> list[Doc]:
    """Documents as they are, in equal shares of the sources: two thirds long ones, one third short ones."""
    docs: list[Doc] = []
    shares: list[tuple[Source, int]] = [("long", 2 * count // 3), ("short", count)]
    for kind, wanted in shares:
        for document, text in drawing.texts_of(kind, rng):
            if len(docs) >= wanted:
                break
            drawing.take(document)
            docs.append(Doc(text, "background", None, "background", ORIGINAL, ORIGINAL, drawing.source[document]))
    return docs
