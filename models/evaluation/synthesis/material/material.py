"""What pairs are made from: documents parted into groups, short texts, names and boilerplate of one corpus."""

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from random import Random
from typing import Literal, Protocol

import numpy as np
import polars as pl

from models.evaluation.synthesis.material.boilerplate import Boilerplate, harvest
from models.evaluation.synthesis.material.relations import Relations, relate
from models.evaluation.synthesis.material.splitting import WORD, clip, is_prose, plain, prose_share, sentences

Source = Literal["prose", "long", "short"]
"""A document that mostly reads as sentences, any document from `LONG` characters, a short text."""
LONGEST = 10_000
"""Documents are cut to this many characters: more would cost time and show nothing new."""
DOCUMENTS = 60_000
"""Of a larger corpus this many texts are drawn."""
FAMILY = 12
"""Near-copies kept of one family: a licence that stands in a thousand packages is one text, not a thousand."""
HEAD = 4_000
"""Characters from which a document is judged and its sentences are taken."""
READ = 6_000
"""Documents whose words, names and boilerplate are read."""
LONG = 300
"""Characters of a document that is no short text."""
SHORT = 280
"""Characters of a short text at most (type C)."""

_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{3,}\b")
_TOKEN = re.compile(r"[^\W\d_]{3,}")


class OfFamily(Protocol):
    """Something that belongs to a family of operators."""

    @property
    def family(self) -> str:
        """The family."""
        ...


@dataclass(frozen=True)
class Material:
    """One corpus, ready to make pairs from.

    Attributes:
        texts: n documents, no two equal, cut to `LONGEST` characters.
        relations: who is whose neighbour, family and group.
        members: documents of each group.
        neighbours: for each document its neighbours of the same group, each with the containments both ways.
        prose: documents that mostly read as sentences, in order.
        short: short texts, each with its document: short documents, titles and sentences.
        vocabulary: in how many of the documents read each word (casefolded) stands.
        read: how many documents these are.
        names: words found only with a capital within sentences, sorted.
        nouns: words in the middle of the frequency range, sorted.
        boilerplate: page furniture.
        left_out: families of operators that nothing may be made with.
    """

    texts: list[str]
    relations: Relations
    members: dict[int, list[int]]
    neighbours: dict[int, list[tuple[int, float, float]]]
    prose: list[int]
    short: list[tuple[int, str]]
    vocabulary: Counter[str]
    read: int
    names: list[str]
    nouns: list[str]
    boilerplate: Boilerplate
    left_out: frozenset[str] = frozenset()

    def allows(self, family: str) -> bool:
        """May operators of a family be used?"""
        return family not in self.left_out

    def allowed(self, known: Mapping[str, "OfFamily"]) -> list[str]:
        """Return the names of those edits or perturbations that may be used, in their order."""
        return [name for name, one in known.items() if self.allows(one.family)]

    def group(self, document: int) -> int:
        """Return the group of a document."""
        return int(self.relations.group[document])

    def sources(self, kind: Source) -> list[tuple[int, str]]:
        """Return documents and texts of one kind: "prose", "long" (documents) or "short"."""
        if kind == "short":
            return list(self.short)
        documents = self.prose if kind == "prose" else sorted(chain(*self.members.values()))
        return [(document, self.texts[document]) for document in documents if len(self.texts[document]) >= LONG]

    @cached_property
    def short_of(self) -> dict[int, list[str]]:
        """Short texts of each group."""
        found: dict[int, list[str]] = {}
        for document, text in self.short:
            found.setdefault(self.group(document), []).append(text)
        return found

    def stranger(self, drawn: list[int], rng: Random, longer: int) -> int | None:
        """Draw a document that has so many characters and shares next to nothing with those drawn already."""
        others = [other for other in self.members[self.group(drawn[0])] if len(self.texts[other]) >= longer]
        rng.shuffle(others)
        return next((other for other in others if all(self.unlike(one, other) for one in drawn)), None)

    def strangers(self, document: int, rng: Random, *longer: int) -> list[int] | None:
        """Draw documents of the same group that share next to nothing with it, nor with each other.

        Args:
            document: to be met.
            rng: random numbers.
            longer: characters that each must have at least, one number per document wanted.

        Returns:
            As many documents; None where the group does not hold them.
        """
        found = [document]
        for length in longer:
            stranger = self.stranger(found, rng, length)
            if stranger is None:
                return None
            found.append(stranger)
        return found[1:]

    def unlike(self, one: int, other: int) -> bool:
        """Do two documents share less than a fiftieth of their shingles, and not the title either?"""
        titles = {plain(self.texts[document].split("\n", 1)[0]) for document in (one, other)}
        return one != other and len(titles) == 2 and self.relations.shared(one, other) < 0.02


def gather(texts: pl.Series, seed: int, left_out: Collection[str] = ()) -> Material:
    """Read a corpus of n texts (nulls, blanks and exact copies are left out)."""
    generator, rng = np.random.default_rng(seed), Random(seed)
    kept = _distinct(texts, generator)
    relations = relate(pl.Series(kept, dtype=pl.String), generator)
    chosen = _thinned(relations.family, generator)
    prose = [document for document in chosen if len(kept[document]) >= LONG and _is_prose(kept[document])]
    read = [kept[document] for document in rng.sample(chosen, min(READ, len(chosen)))]
    vocabulary, names = _vocabulary(read)
    rare, common = 2 if len(read) > 200 else 1, max(3, len(read) // 50)
    members: dict[int, list[int]] = {}
    for document in chosen:
        members.setdefault(int(relations.group[document]), []).append(document)
    return Material(
        texts=kept,
        relations=relations,
        members=members,
        neighbours=_neighbours(relations, set(chosen)),
        prose=prose,
        short=_short_texts(kept, chosen, rng),
        vocabulary=vocabulary,
        read=len(read),
        names=names,
        nouns=sorted(word for word, df in vocabulary.items() if rare <= df <= common and len(word) >= 5),
        boilerplate=harvest(read, names),
        left_out=frozenset(left_out),
    )


def bounded(text: str) -> str:
    """Return the head of a text that is read."""
    return clip(text[: LONGEST + 1].strip(), LONGEST)


def _distinct(texts: pl.Series, generator: np.random.Generator) -> list[str]:
    filled = texts.cast(pl.String).drop_nulls()
    drawn = np.sort(generator.permutation(len(filled))[:DOCUMENTS])
    found: dict[str, str] = {}
    for text in map(bounded, filled.gather(drawn)):
        found.setdefault(plain(text), text)
    return [text for key, text in found.items() if key and "\0" not in text]


def _is_prose(text: str) -> bool:
    return prose_share(text[:HEAD]) >= 0.6


def _thinned(family: np.ndarray, generator: np.random.Generator) -> list[int]:
    shuffled = pl.DataFrame({"document": generator.permutation(len(family))})
    thinned = shuffled.with_columns(family=pl.Series(family)[shuffled["document"].to_numpy()])
    return sorted(thinned.filter(pl.int_range(pl.len()).over("family") < FAMILY)["document"].to_list())


def _neighbours(relations: Relations, chosen: set[int]) -> dict[int, list[tuple[int, float, float]]]:
    inside = np.flatnonzero(relations.group[relations.a] == relations.group[relations.b])
    found: dict[int, list[tuple[int, float, float]]] = {}
    for edge in inside.tolist():
        a, b = int(relations.a[edge]), int(relations.b[edge])
        if a in chosen and b in chosen:
            of_a, of_b = map(float, relations.containment[edge])
            found.setdefault(a, []).append((b, of_a, of_b))
            found.setdefault(b, []).append((a, of_b, of_a))
    return dict(sorted(found.items()))


def _short_texts(texts: list[str], chosen: list[int], rng: Random) -> list[tuple[int, str]]:
    """Short texts of all documents, none twice: a sentence of two documents would tie their groups together."""
    found: dict[str, tuple[int, str]] = {}
    for document in chosen:
        for one in _short(document, texts[document], rng):
            found.setdefault(plain(one[1]), one)
    return list(found.values())


def _short(document: int, text: str, rng: Random) -> list[tuple[int, str]]:
    """The text itself, or else its title and two of its sentences."""
    if len(text) < SHORT:
        return [(document, text)] if len(WORD.findall(text)) >= 4 else []
    title = text.split("\n", 1)[0].strip()
    titles = [title] if 25 <= len(title) < SHORT and len(WORD.findall(title)) >= 4 else []
    spoken = [one for one in sentences(text[:HEAD]) if 40 <= len(one) < SHORT and "\n\n" not in one and is_prose(one)]
    return [(document, one) for one in titles + rng.sample(spoken, min(2, len(spoken)))]


def _vocabulary(texts: list[str]) -> tuple[Counter[str], list[str]]:
    vocabulary: Counter[str] = Counter()
    capitals: Counter[str] = Counter()
    small: set[str] = set()
    for text in texts:
        tokens = set(_TOKEN.findall(text))
        small.update(token for token in tokens if token.islower())
        vocabulary.update({token.casefold() for token in tokens})
        capitals.update(set(_NAME.findall(text)))
    return vocabulary, sorted(name for name in capitals if name.casefold() not in small)
