"""Planted documents made from a corpus itself: pairs by operators of every family, look-alikes, and viral passages.

What comes out is labelled as `models.evaluation.canaries` labels its own texts, and is judged by the same rules.
"""

from collections.abc import Mapping
from itertools import islice
from random import Random
from typing import NamedTuple

import numpy as np
import polars as pl
from scipy.sparse import csr_array

from models.evaluation.synthesis.material import LONGEST, Material, gather
from models.evaluation.synthesis.operator import Operator
from models.evaluation.synthesis.plantings import planted
from models.evaluation.synthesis.splitting import clip, is_prose, plain, sentences
from models.evaluation.synthesis.synthesis import OPERATORS
from models.lexical.shingles import shingle
from models.lexical.text import normalise, split_words
from models.parameters import Sketch

__all__ = ["LONGEST", "plant"]

SHARES: Mapping[str, float] = {"A": 1, "B": 1, "C": 1, "D": 1, "F": 1.5, "N": 0.5}
"""Groups of each type for one of the others; N are neighbours that share some text and no content."""
ROLES = {"D": ("parent", "child"), "F": ("lookalike0", "lookalike1"), "N": ("neighbour0", "neighbour1")}
DUPLICATES = ("variant0", "variant1")
PASSAGES = 5
"""Viral passages."""
HOSTS_MORE = 2
"""Hosts of a passage beyond those that make it viral."""
PASSAGE = 100, 400
"""Characters of a viral passage."""
HOST = 500, 4_000
"""Characters of a host, without the passage."""
TRIES = 25
"""Texts that an operator is shown for each pair before it is given up."""
SPARE = 1.4
"""Pairs that are made for each that is wanted: some have too much in common with others."""
APART = 0.5
"""Share of the shingles of one planted document that may stand in one of another group."""


class _Group(NamedTuple):
    """Planted documents that belong together: type, family of the operator, and a text for each role."""

    type: str
    family: str
    texts: dict[str, str]


def plant(texts: list[str], wanted: int, min_hosts: int, seed: int) -> pl.DataFrame:
    """Make planted documents of a few hundred texts of a corpus.

    No two groups have much in common, so what becomes of one says nothing of another.

    Args:
        texts: of the corpus, in an order that does not change from run to run; of each the first `LONGEST` characters
            and one more matter.
        wanted: groups of each of types A to D; of the others `SHARES`.
        min_hosts: documents that must share a passage for it to be viral.
        seed: the same texts, numbers and seed give the same documents.

    Returns:
        canary (str, `<type>/<number>-<family>/<role>`, behind the role of a host `@` and where the passages stand) and
        text (str). A type for which the texts give no material has fewer groups, or none.
    """
    material = gather(pl.Series(texts, dtype=pl.String), seed)
    quotas = {kind: round(wanted * share) for kind, share in SHARES.items()}
    used: set[int] = set()
    viral = _viral(material, min_hosts + HOSTS_MORE, used, Random(f"{seed}/E"))
    pairs = _pairs(material, {kind: round(SPARE * quota) for kind, quota in quotas.items()}, used, Random(f"{seed}"))
    numbers: dict[str, int] = {}
    rows: list[tuple[str, str]] = []
    for group in _unlike([*viral, *pairs], quotas | {"E": PASSAGES}):
        number = numbers[group.type] = numbers.get(group.type, -1) + 1
        rows += [(f"{group.type}/{number}-{group.family}/{role}", text) for role, text in group.texts.items()]
    return pl.DataFrame(rows, schema={"canary": pl.String, "text": pl.String}, orient="row").sort("canary")


def _pairs(material: Material, quotas: Mapping[str, int], used: set[int], rng: Random) -> list[_Group]:
    """Pairs of each type, its operators in turns, each from a document that nothing was made of before."""
    makers = {kind: [_Maker(one, material, rng) for one in OPERATORS if one.type == kind] for kind in quotas}
    left = dict(quotas)
    found: list[_Group] = []
    while any(makers.values()):
        for kind, turns in makers.items():
            if not turns:
                continue
            maker = turns.pop(0)
            group = maker.next(used) if left[kind] else None
            if group:
                turns.append(maker)
                found.append(group)
                left[kind] -= 1
            elif not left[kind]:
                turns.clear()
    return found


class _Maker:
    """An operator with the texts that it has not seen yet."""

    def __init__(self, operator: Operator, material: Material, rng: Random) -> None:
        self.operator = operator
        self.material = material
        self.rng = Random(f"{rng.random()}/{operator.name}")
        texts = material.sources(operator.source)
        self.rng.shuffle(texts)
        self.texts = iter(texts)

    def next(self, used: set[int]) -> _Group | None:
        """A pair of a document that is not `used`, which it is then; None where too many in a row do not suit."""
        operator = self.operator
        free = (one for one in self.texts if one[0] not in used)
        for document, text in islice(free, TRIES):
            made = operator.make(text, document, self.material, self.rng)
            if made and plain(made.text_a) != plain(made.text_b) and plain(made.text_a) and plain(made.text_b):
                used.add(document)
                roles = ROLES.get(operator.type, DUPLICATES)
                return _Group(operator.type, _family(operator), dict(zip(roles, made[:2], strict=True)))
        return None


def _family(operator: Operator) -> str:
    """What the operator belongs to, as a part of a name."""
    return str(getattr(operator, "family", operator.name)).replace("/", " ").replace("@", " ")


def _viral(material: Material, hosts: int, used: set[int], rng: Random) -> list[_Group]:
    """Passages, each of a document, planted in others that have nothing in common."""
    donors = [document for document in material.prose if document not in used]
    others = [document for document, text in material.sources("long") if len(text) >= HOST[0]]
    rng.shuffle(donors)
    rng.shuffle(others)
    found: list[_Group] = []
    for donor in donors:
        passage = _passage(material.texts[donor], rng)
        if passage is None:
            continue
        chosen: list[int] = []
        for other in others:
            if other != donor and other not in used and all(material.unlike(one, other) for one in (*chosen, donor)):
                chosen.append(other)
            if len(chosen) == hosts:
                break
        if len(chosen) < hosts or len(found) == PASSAGES:
            break
        used.update((donor, *chosen))
        texts = {}
        for number, other in enumerate(chosen):
            host = clip(material.texts[other], rng.randint(*HOST))
            text = planted(host, passage, rng.choice(("head", "tail", "within")), rng)
            start = text.find(passage)
            texts[f"host{number}@{len(found)}:{start}-{start + len(passage)}"] = text
        found.append(_Group("E", "planted", texts))
    return found


def _passage(text: str, rng: Random) -> str | None:
    """A run of sentences of `PASSAGE` characters."""
    pieces = [piece for piece in sentences(text) if is_prose(piece)]
    starts = [*range(len(pieces))]
    rng.shuffle(starts)
    for start in starts:
        passage = " ".join(pieces[start : start + rng.randint(1, 3)])
        if PASSAGE[0] <= len(passage) <= PASSAGE[1]:
            return passage
    return None


def _unlike(groups: list[_Group], quotas: Mapping[str, int]) -> list[_Group]:
    """Groups in their order, as many as are wanted of each type, but none that is much like one before."""
    texts = [text for group in groups for text in group.texts.values()]
    owner = np.repeat(np.arange(len(groups)), [len(group.texts) for group in groups])
    one, other = _alike(pl.Series(texts, dtype=pl.String))
    tied = np.zeros((len(groups), len(groups)), np.bool_)
    tied[owner[one], owner[other]] = True
    left = dict(quotas)
    kept: list[int] = []
    for number, group in enumerate(groups):
        if left[group.type] and not tied[number, kept].any():
            left[group.type] -= 1
            kept.append(number)
    return [groups[number] for number in kept]


def _alike(texts: pl.Series) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of texts, both ways round, of which `APART` of the smaller one's shingles stand in the other."""
    normalised = normalise(texts)
    found = shingle(normalised, split_words(normalised), Sketch().short_chars)
    _, gram = np.unique(found.hash, return_inverse=True)
    size = np.diff(found.pointers)
    table = csr_array(
        (np.ones(len(gram), np.int32), gram, found.pointers), shape=(len(texts), int(gram.max(initial=0)) + 1)
    )
    shared = (table @ table.T).tocoo()
    one, other = shared.coords
    alike = shared.data >= APART * np.minimum(size[one], size[other])
    return one[alike], other[alike]
