"""Labelled pairs out of any corpus, by operators that keep a text's content or change it."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from random import Random
from types import MappingProxyType

import numpy as np
import polars as pl

from models.evaluation.synthesis.edits import frames
from models.evaluation.synthesis.material.material import Material, gather
from models.evaluation.synthesis.material.splitting import plain
from models.evaluation.synthesis.operator import Made, Operator
from models.evaluation.synthesis.short_texts import perturbations
from models.evaluation.synthesis.types import (
    digests,
    excerpts,
    longfacts,
    lookalikes,
    plantings,
    revisions,
    siblings,
    templates,
    unrelated,
)
from models.lexical.text import normalise, same_text

_MODULES = (templates, frames, revisions, perturbations, excerpts, digests, plantings)
_KEPT = (lookalikes, longfacts, siblings, unrelated)
OPERATORS: list[Operator] = [operator for module in (*_MODULES, *_KEPT) for operator in module.OPERATORS]
FAMILIES: tuple[str, ...] = tuple(dict.fromkeys(operator.family for operator in OPERATORS))
"""Every family of operators, those that make duplicates first."""
WEIGHTS: Mapping[str, float] = MappingProxyType({"A": 1, "B": 1, "C": 1, "D": 1, "E": 2, "F": 6, "N": 4})
"""Pairs of each type in proportion: of the pairs that a corpus puts up for decision most are no duplicates."""
TYPES = "".join(WEIGHTS)
TRIES = 3000
"""Texts in a row that do not suit before an operator is given up."""
USES = 3
"""Pairs that one operator makes from one text at most."""

SCHEMA = {
    "group": pl.Int64,
    "source_a": pl.Int64,
    "text_a": pl.String,
    "text_b": pl.String,
    "type": pl.String,
    "family": pl.String,
    "operator": pl.String,
    "duplicate": pl.Boolean,
}


def synthesise(
    texts: list[str] | pl.Series,
    count: int,
    seed: int,
    leave_out: Collection[str] = (),
    weights: Mapping[str, float] = WEIGHTS,
) -> pl.DataFrame:
    """Make labelled pairs from a corpus.

    Types get shares of `count` by weight, and within a type its operators get equal ones. A type for which the corpus
    has no material gets fewer pairs, never worse ones; `shortfall` says how many are missing.

    Args:
        texts: the corpus, in any order; nulls, blanks and exact copies are left out.
        count: pairs wanted.
        seed: the same texts, count and seed give the same pairs.
        leave_out: families (of `FAMILIES`) whose operators nothing is made with, neither alone nor upon others.
        weights: of each type of `TYPES`; a type without one gets no pairs.

    Returns:
        At most `count` pairs in random order:

        - group int64: all pairs that share a source document, or near-copies of it, have one group. Split by it.
        - source_a int64: the document that text_a was made from. Pairs of one source are variants of one content.
        - text_a, text_b str: never equal after normalisation. For type D, text_b is the child.
        - type str: A to F, or N for neighbours that are unrelated.
        - family str: of the first operator.
        - operator str: what was done, several names joined by "+".
        - duplicate bool: may one of the two go (A, B, C, D)?

    Raises:
        ValueError: count is negative, or a family or a type is not known.
    """
    if count < 0:
        raise ValueError(f"{count} pairs")
    if unknown := sorted({*leave_out} - {*FAMILIES}) + sorted({*weights} - {*TYPES}):
        raise ValueError(f"{unknown[0]} is no family and no type of pairs")
    material = gather(pl.Series(texts, dtype=pl.String), seed, leave_out)
    rows: list[tuple[object, ...]] = []
    owner: dict[str, int] = {}
    for kind, wanted in quotas(count, weights).items():
        rows += _of_type(kind, wanted, material, owner, Random(f"{seed}/{kind}"))
    Random(seed).shuffle(rows)
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def quotas(count: int, weights: Mapping[str, float] = WEIGHTS) -> dict[str, int]:
    """How many of `count` pairs each type gets; what rounding leaves goes to the first ones."""
    known = [kind for kind in TYPES if weights.get(kind, 0) > 0]
    total = sum(weights[kind] for kind in known)
    shares = {kind: int(count * weights[kind] / total) for kind in known}
    for kind in known[: count - sum(shares.values())]:
        shares[kind] += 1
    return shares


def shortfall(pairs: pl.DataFrame, count: int, weights: Mapping[str, float] = WEIGHTS) -> dict[str, int]:
    """Pairs of each type that are missing of its share of `count`; types that lack none are left out."""
    found = Counter(pairs["type"].to_list())
    return {kind: wanted - found[kind] for kind, wanted in quotas(count, weights).items() if found[kind] < wanted}


def makers(kind: str, material: Material, rng: Random) -> dict[Operator, Iterator[tuple[int, Made]]]:
    """What each operator of a type that may be used makes of the corpus."""
    return {
        operator: _pairs(operator, material, Random(f"{rng.random()}/{operator.name}"))
        for operator in OPERATORS
        if operator.type == kind and material.allows(operator.family)
    }


def _of_type(
    kind: str, wanted: int, material: Material, owner: dict[str, int], rng: Random
) -> list[tuple[object, ...]]:
    """Let the operators of a type take turns until there are enough pairs or none finds a text any more.

    `owner` is the group of every text so far: a text that another group has made too is not made again.
    """
    active = makers(kind, material, rng)
    rows: list[tuple[object, ...]] = []
    seen: set[tuple[str, str]] = set()
    while active and len(rows) < wanted:
        drawn: list[tuple[object, ...]] = []
        while active and len(rows) + len(drawn) < wanted:
            drawn += _turn(active, seen, owner, material, wanted - len(rows) - len(drawn))
        rows += _different(drawn)
    return rows


def _turn(
    active: dict[Operator, Iterator[tuple[int, Made]]],
    seen: set[tuple[str, str]],
    owner: dict[str, int],
    material: Material,
    most: int,
) -> list[tuple[object, ...]]:
    """One pair of each operator, `most` in all; those that find no text any more are taken out."""
    rows: list[tuple[object, ...]] = []
    for operator, pairs in list(active.items()):
        if len(rows) == most:
            break
        found = next(pairs, None)
        if found is None:
            del active[operator]
            continue
        document, made = found
        key = plain(made.text_a), plain(made.text_b)
        group = material.group(document)
        if key[0] == key[1] or not all(key) or key in seen or any(owner.get(text, group) != group for text in key):
            continue
        seen.add(key)
        owner.update(dict.fromkeys(key, group))
        row = (group, document, made.text_a, made.text_b, operator.type, operator.family)
        rows.append((*row, made.how or operator.name, operator.duplicate))
    return rows


def _different(rows: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """Leave out pairs that normalisation makes equal."""
    made = pl.DataFrame(rows, schema=SCHEMA, orient="row")
    same = same_text(normalise(made["text_a"]), normalise(made["text_b"])) if rows else np.empty(0, np.bool_)
    return [row for row, equal in zip(rows, same, strict=True) if not equal]


def _pairs(operator: Operator, material: Material, rng: Random) -> Iterator[tuple[int, Made]]:
    """What an operator makes of texts in random order; ends when too many in a row do not suit."""
    texts = material.sources(operator.source)
    idle = 0
    for _ in range(USES):
        rng.shuffle(texts)
        for document, text in texts:
            made = operator.make(text, document, material, rng)
            if made:
                yield document, made
            idle = 0 if made else idle + 1
            if idle >= min(TRIES, len(texts)):
                return
