"""Labelled documents that have to stay: look-alikes, hosts of planted passages, unrelated documents."""

from collections.abc import Iterator
from itertools import cycle
from random import Random

from models.evaluation.synthesis import longfacts, lookalikes, siblings, unrelated
from models.evaluation.synthesis.drawing import Drawing
from models.evaluation.synthesis.labelled_groups import ORIGINAL, TRIES, Doc
from models.evaluation.synthesis.material import Source
from models.evaluation.synthesis.operator import Made, Operator
from models.evaluation.synthesis.plantings import FRAGMENT, fragment_of
from models.evaluation.synthesis.plantings import SHARE as HELD
from models.evaluation.synthesis.splitting import clip, plain, sentence_starts, splice

WHOLE = 6_000
"""Characters of a host at most."""
INEXACT = 0.12
"""Share of the planted passages that have a word changed."""
LEAST_HOSTS = 6


def lookalike_groups(drawing: Drawing, groups: int, rng: Random) -> list[Doc]:
    """Type F: two documents that look alike and state different things, each maker in turn."""
    operators = [*lookalikes.OPERATORS, *longfacts.OPERATORS, *siblings.OPERATORS]
    docs: list[Doc] = []
    for number, (operator, made, source) in enumerate(_made(operators, drawing, groups, rng)):
        how = made.how or operator.name
        texts = (made.text_a, made.text_b)
        docs += [Doc(text, "F", f"F/{number}", "protected", operator.family, how, source) for text in texts]
    return docs


def unrelated_documents(drawing: Drawing, groups: int, rng: Random) -> list[Doc]:
    """Background that shares a template, a passage or a source with another document, and is none of its copies."""
    docs: list[Doc] = []
    for operator, made, source in _made(unrelated.OPERATORS, drawing, groups, rng):
        how = made.how or operator.name
        for text in (made.text_a, made.text_b):
            docs.append(Doc(text, "background", None, "background", operator.family, how, source))
    return docs


def _made(operators: list[Operator], drawing: Drawing, count: int, rng: Random) -> Iterator[tuple[Operator, Made, str]]:
    """`count` pairs of free texts, each operator in turn; fewer where none suits any more."""
    active = [one for one in operators if drawing.allows(one.family)]
    queues = {one: drawing.texts_of(one.source, Random(f"{rng.random()}/{one.name}")) for one in active}
    for operator in cycle(active):
        if count == 0 or not queues:
            return
        found = _next(operator, queues[operator], drawing, rng) if operator in queues else None
        if found is None:
            queues.pop(operator, None)
            continue
        document, made = found
        # a natural sibling is a whole document of the corpus
        met = [drawing.place[text] for text in made[:2] if text in drawing.place]
        drawing.take(document, *met)
        count -= 1
        yield operator, made, drawing.source[document]


def _next(
    operator: Operator, queue: Iterator[tuple[int, str]], drawing: Drawing, rng: Random
) -> tuple[int, Made] | None:
    for idle, (document, text) in enumerate(queue):
        drawing.pending.clear()
        made = operator.make(text, document, drawing, rng)
        if made is not None and _free(made, document, drawing) and plain(made.text_a) != plain(made.text_b):
            return document, made
        if idle == 3 * TRIES:
            break
    drawing.pending.clear()
    return None


def _free(made: Made, document: int, drawing: Drawing) -> bool:
    """Is the other document, where it is one of the corpus, still free and no near-copy?"""
    family = drawing.relations.family
    met = [drawing.place[text] for text in made[:2] if text in drawing.place]
    others = [one for one in met if one != document]
    return all(drawing.free(one) and family[one] != family[document] for one in others)


def hosts(drawing: Drawing, fragments: int, count: int, rng: Random) -> list[Doc]:
    """Type E: documents with one to three of the passages that are planted in many of them."""
    passages = _passages(drawing, fragments, rng) if drawing.allows("planted") else []
    if not passages:
        return []
    weights = [1 / (1 + number % 8) for number in range(len(passages))]
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
    rare = {name for name in held if held.count(name) < LEAST_HOSTS}
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
