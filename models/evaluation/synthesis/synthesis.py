"""Labelled pairs out of any corpus, by operators that keep a text's content or change it."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import polars as pl

from models.evaluation.synthesis import excerpts, lookalikes, perturbations, plantings, revisions, templates, unrelated
from models.evaluation.synthesis.material import Material, gather
from models.evaluation.synthesis.operator import Made, Operator
from models.evaluation.synthesis.splitting import plain

TYPES = "ABCDEFN"
OPERATORS: list[Operator] = [
    operator
    for module in (templates, revisions, perturbations, excerpts, plantings, lookalikes, unrelated)
    for operator in module.OPERATORS
]
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
    "operator": pl.String,
    "duplicate": pl.Boolean,
}


def synthesise(texts: list[str] | pl.Series, count: int, seed: int) -> pl.DataFrame:
    """Make labelled pairs from a corpus.

    Types get equal shares of `count`, and within a type so do its operators. A type for which the corpus has no
    material gets fewer pairs, never worse ones; `shortfall` says how many are missing.

    Args:
        texts: the corpus, in any order; nulls, blanks and exact copies are left out.
        count: pairs wanted.
        seed: the same texts, count and seed give the same pairs.

    Returns:
        At most `count` pairs in random order:

        - group int64: all pairs that share a source document, or near-copies of it, have one group. Split by it.
        - source_a int64: the document that text_a was made from. Pairs of one source are variants of one content.
        - text_a, text_b str: never equal after normalisation. For type D, text_b is the child.
        - type str: A to F, or N for neighbours that are unrelated.
        - operator str: what was done, several names joined by "+".
        - duplicate bool: may one of the two go (A, B, C, D)?

    Raises:
        ValueError: count is negative.
    """
    if count < 0:
        raise ValueError(f"{count} pairs")
    material = gather(pl.Series(texts, dtype=pl.String), seed)
    rows: list[tuple[object, ...]] = []
    for number, kind in enumerate(TYPES):
        wanted = (count + len(TYPES) - 1 - number) // len(TYPES)
        rows += _of_type(kind, wanted, material, Random(f"{seed}/{kind}"))
    Random(seed).shuffle(rows)
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def shortfall(pairs: pl.DataFrame, count: int) -> dict[str, int]:
    """Pairs of each type that are missing of an equal share of `count`; types that lack none are left out."""
    found = Counter(pairs["type"].to_list())
    wanted = {kind: (count + len(TYPES) - 1 - number) // len(TYPES) for number, kind in enumerate(TYPES)}
    return {kind: wanted[kind] - found[kind] for kind in TYPES if found[kind] < wanted[kind]}


def _of_type(kind: str, wanted: int, material: Material, rng: Random) -> list[tuple[object, ...]]:
    """Let the operators of a type take turns until there are enough pairs or none finds a text any more."""
    makers = {
        operator: _pairs(operator, material, Random(f"{rng.random()}/{operator.name}"))
        for operator in OPERATORS
        if operator.type == kind
    }
    rows: list[tuple[object, ...]] = []
    seen: set[tuple[str, str]] = set()
    while makers and len(rows) < wanted:
        for operator, pairs in list(makers.items()):
            found = next(pairs, None)
            if found is None:
                del makers[operator]
                continue
            document, made = found
            key = plain(made.text_a), plain(made.text_b)
            if key[0] == key[1] or not all(key) or key in seen or len(rows) == wanted:
                continue
            seen.add(key)
            row = (material.group(document), document, made.text_a, made.text_b, kind)
            rows.append((*row, made.how or operator.name, operator.duplicate))
    return rows


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
