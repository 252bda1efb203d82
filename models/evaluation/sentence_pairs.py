"""Labelled pairs of sentences and other short texts, for a judge that reads: reworded, extended, changed, or others.

Duplicates differ in wording as much as distinct pairs do, so that the share of equal words gives nothing away.
"""

import re
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from itertools import cycle
from random import Random

import numpy as np
import polars as pl
from scipy.sparse import csr_array

from models.evaluation.synthesis.material.material import Material, gather
from models.evaluation.synthesis.material.splitting import PROTECTED, WORD, is_prose, plain, sentences
from models.evaluation.synthesis.types.rewording import reworded
from models.evaluation.synthesis.types.swaps import SWAPS

SCHEMA = pl.Schema({"group": pl.Int64()} | dict.fromkeys(("text_a", "text_b", "label", "operator"), pl.String()))
LOOKED_THROUGH = 12_000
"""Short texts among which look-alikes are sought."""
ALIKE = 0.3, 0.85
"""Share of their words (Jaccard) that look-alikes have in common."""
MORE = 3
"""Words that one of two versions of a sentence must have more to contain the other."""
REVISED = 0.45
"""Ratio of equal words from which two sentences are versions of one."""
VERSIONS = 0.5
"""Containment both ways from which two documents are versions of one."""
_FACT = re.compile(r"\d|[A-Z]")

Pair = tuple[int, str, str, str]
Maker = Callable[[Material, Random], Iterator[Pair]]


def sentence_pairs(texts: pl.Series, count: int, seed: int) -> pl.DataFrame:
    """Make about `count` pairs, a third of them duplicates, a sixth contained, half distinct.

    Args:
        texts: the corpus.
        count: pairs wanted; a corpus without material for a kind gives fewer.
        seed: equal arguments give equal pairs.

    Returns:
        `group` int64 (pairs of one group share a source: split by it), `text_a`, `text_b`, `label` (of
        `models.decision.llm_judge.prompt.LABELS`), `operator` str. Never equal after normalisation.
    """
    material, rng = gather(texts, seed), Random(seed)
    rows: list[tuple[object, ...]] = []
    for operator, (label, share, make) in MAKERS.items():
        wanted, seen = round(share * count), set()
        for document, one, other, found in make(material, Random(f"{seed}/{operator}")):
            key = plain(one), plain(other)
            if key[0] == key[1] or key in seen or not all(key):
                continue
            seen.add(key)
            pair = (one, other) if rng.random() < 0.5 else (other, one)
            rows.append((material.group(document), *pair, found or label, operator))
            if len(seen) == wanted:
                break
    rng.shuffle(rows)
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _shorts(material: Material, rng: Random) -> Iterator[tuple[int, str]]:
    """Short texts without end, in a new order each round."""
    short = list(material.short)
    for _ in cycle([None]) if short else []:
        rng.shuffle(short)
        yield from short


def _bounded(pairs: Iterator[Pair | None], tries: int = 200_000) -> Iterator[Pair]:
    for _, pair in zip(range(tries), pairs, strict=False):
        if pair:
            yield pair


def _reworded(material: Material, rng: Random) -> Iterator[Pair]:
    """Both sides in other words."""

    def make(document: int, text: str) -> Pair | None:
        one, other = reworded(text, rng.randint(0, 1), rng), reworded(text, rng.randint(2, 6), rng)
        return (document, one, other, "") if _words(one) != _words(other) else None

    return _bounded(make(*source) for source in _shorts(material, rng))


def _changed(material: Material, rng: Random) -> Iterator[Pair]:
    """A fact changed, and the wording beside it."""
    kinds = cycle(SWAPS)

    def make(document: int, text: str) -> Pair | None:
        kind = next(kinds)
        changed = SWAPS[kind](text, material, rng)
        for _ in range(rng.choice((0, 0, 1)) if changed and kind == "word" else 0):
            changed = SWAPS["word"](changed or text, material, rng) or changed
        if changed is None or plain(changed) == plain(text):
            return None
        return (
            document,
            reworded(text, rng.choice((0, 0, 1)), rng),
            reworded(changed, rng.choice((0, 0, 1, 2, 4)), rng),
            "",
        )

    return _bounded(make(*source) for source in _shorts(material, rng))


def _extended(material: Material, rng: Random) -> Iterator[Pair]:
    """One says all that the other says, and a sentence or clause more."""

    def make(document: int, text: str) -> Pair | None:
        clauses = re.split(r"(?<=[a-z]), (?=(?:which|who|but|and|where|so)\b)", text.rstrip(". "))
        others = material.short_of[material.group(document)]
        if len(clauses) == 2 and len(WORD.findall(clauses[1])) >= 5 and len(WORD.findall(clauses[0])) >= 4:
            return (
                document,
                reworded(text, rng.randint(0, 2), rng),
                reworded(f"{clauses[0]}.", rng.randint(0, 2), rng),
                "",
            )
        more = rng.choice(others)
        if more == text or not is_prose(more) or len(text) + len(more) > 400:
            return None
        both = f"{text.rstrip('. ')}. {more}" if rng.random() < 0.6 else f"{more.rstrip('. ')}. {text}"
        return document, reworded(both, rng.randint(0, 2), rng), reworded(text, rng.randint(0, 3), rng), ""

    return _bounded(make(*source) for source in _shorts(material, rng))


def _neighbours(material: Material, rng: Random) -> Iterator[Pair]:
    """Two sentences of one document that follow each other: one subject, two statements."""

    def make(document: int) -> Pair | None:
        found = [one for one in sentences(material.texts[document][:6000]) if 40 <= len(one) < 280 and is_prose(one)]
        if len(found) < 3:
            return None
        at = rng.randrange(len(found) - 1)
        return document, found[at], found[at + 1], ""

    return _bounded(make(rng.choice(material.prose)) for _ in cycle([None]) if material.prose)


def _lookalikes(material: Material, rng: Random) -> Iterator[Pair]:
    """Short texts of one corpus that share many words, and state something else."""
    short = rng.sample(material.short, min(LOOKED_THROUGH, len(material.short)))
    for i, j in _alike([text for _, text in short], rng):
        (document, one), (_, other) = short[i], short[j]
        if all(_own(text, rival) for text, rival in ((one, other), (other, one))):
            yield document, one, other, ""


def _own(text: str, rival: str) -> bool:
    """Has a text a figure or two words of content that the other has not? One other word may be a mere paraphrase."""
    own = _content(text) - _content(rival)
    return len(own) >= 2 or any(map(str.isdigit, own))


def _alike(texts: list[str], rng: Random) -> list[tuple[int, int]]:
    """Rows of pairs with a Jaccard similarity of words within `ALIKE`, in random order; each row twice at most."""
    vocabulary: dict[str, int] = {}
    bags = [{vocabulary.setdefault(word, len(vocabulary)) for word in _words(text)} for text in texts]
    rows = np.repeat(np.arange(len(bags)), [len(bag) for bag in bags])
    columns = np.fromiter((word for bag in bags for word in bag), np.int64, len(rows))
    matrix = csr_array((np.ones(len(rows), np.float32), (rows, columns)), shape=(len(bags), len(vocabulary)))
    size = np.diff(matrix.indptr)
    frequent = np.bincount(columns, minlength=len(vocabulary)) > len(texts) / 20
    rare = matrix[:, ~frequent]
    found = []
    for start in range(0, len(texts), 2000):
        shared = (rare[start : start + 2000] @ rare.T).tocoo()
        keep = (shared.data >= 2) & (shared.row + start < shared.col)
        found.append(np.stack([shared.row[keep] + start, shared.col[keep]], 1))
    pairs = np.concatenate(found)
    both = np.array([len(bags[i] & bags[j]) for i, j in pairs])
    jaccard = both / np.maximum(size[pairs[:, 0]] + size[pairs[:, 1]] - both, 1)
    near = pairs[(jaccard >= ALIKE[0]) & (jaccard <= ALIKE[1])].tolist()
    rng.shuffle(near)
    used = np.zeros(len(texts), np.int64)
    chosen = []
    for i, j in near:
        if used[i] < 2 and used[j] < 2:
            used[[i, j]] += 1
            chosen.append((i, j))
    return chosen


def _revised(material: Material, rng: Random) -> Iterator[Pair]:
    """Versions of one sentence in two versions of a document, as people revised it."""
    edges = [(a, b) for a, near in material.neighbours.items() for b, x, y in near if a < b and min(x, y) >= VERSIONS]
    rng.shuffle(edges)
    for a, b in edges:
        one, other = (_spoken(material.texts[document]) for document in (a, b))
        for text in rng.sample(sorted(one - other), min(3, len(one - other))):
            version = max(other - one, key=lambda rival: _ratio(text, rival), default="")
            if version and REVISED <= _ratio(text, version) < 0.97:
                yield a, text, version, _revision(text, version)


def _spoken(text: str) -> set[str]:
    return {" ".join(one.split()) for one in sentences(text) if 30 <= len(one) < 280 and is_prose(one)}


def _ratio(one: str, other: str) -> float:
    return SequenceMatcher(None, one.lower().split(), other.lower().split(), autojunk=False).ratio()


def _revision(one: str, other: str) -> str:
    """What a revision is by the words that only one side has: facts make it distinct, mere additions contained."""
    only, others = (
        [word for word in WORD.findall(text) if word.lower() not in _words(rival)]
        for text, rival in ((one, other), (other, one))
    )
    if any(
        _FACT.search(word) or word.lower() in PROTECTED
        for word in only[:] + others
        if word not in (one.split()[0], other.split()[0])
    ):
        return "distinct"
    if not min(len(only), len(others)) and max(len(only), len(others)) >= MORE:
        return "contained"
    return "duplicate"


def _words(text: str) -> set[str]:
    return {word.lower() for word in WORD.findall(text)}


def _content(text: str) -> set[str]:
    return {word for word in _words(text) if len(word) >= 4 or word.isdigit()}


MAKERS: dict[str, tuple[str, float, Maker]] = {
    "reworded": ("duplicate", 0.27, _reworded),
    "revised": ("", 0.12, _revised),
    "extended": ("contained", 0.13, _extended),
    "changed": ("distinct", 0.30, _changed),
    "look-alike": ("distinct", 0.13, _lookalikes),
    "neighbours": ("distinct", 0.05, _neighbours),
}
"""Label (or none where the maker says), share of all pairs, maker."""
