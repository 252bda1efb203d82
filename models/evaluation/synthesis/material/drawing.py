"""A corpus from which every text is taken once: what one group of documents says, no other document may say."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from random import Random

import polars as pl

from models.evaluation.synthesis.material.material import Material, Source, bounded, gather
from models.evaluation.synthesis.material.splitting import plain

LOOKED_AT = 60
"""Documents among which a stranger is sought."""


@dataclass(frozen=True)
class Drawing(Material):
    """A corpus with a note of what has been taken.

    Attributes:
        source: of each document.
        taken: families of near-copies of which a document was used.
        pending: families that the maker at work has drawn; they are taken when its work is used.
    """

    source: Sequence[str] = ()
    taken: set[int] = field(default_factory=set)
    pending: set[int] = field(default_factory=set)

    @cached_property
    def place(self) -> dict[str, int]:
        """Document of each text."""
        return {text: document for document, text in enumerate(self.texts)}

    def free(self, document: int) -> bool:
        """Has nothing that is like this document been used?"""
        family = self.relations.family[document]
        return family not in self.taken and family not in self.pending

    def stranger(self, drawn: list[int], rng: Random, longer: int) -> int | None:
        """Draw one that is free from anywhere in the corpus."""
        for _ in range(LOOKED_AT):
            other = rng.randrange(len(self.texts))
            if len(self.texts[other]) >= longer and self.free(other) and all(self.unlike(one, other) for one in drawn):
                self.pending.add(int(self.relations.family[other]))
                return other
        return None

    def take(self, *documents: int) -> None:
        """Note that these documents, and those that were drawn beside them, are used."""
        self.taken.update(int(self.relations.family[document]) for document in documents)
        self.taken.update(self.pending)
        self.pending.clear()

    def texts_of(self, kind: Source, rng: Random) -> Iterator[tuple[int, str]]:
        """Free documents and texts of a kind, each source in turn; what is taken meanwhile is passed over."""
        known = self.sources(kind)
        rng.shuffle(known)
        by_source: dict[str, list[tuple[int, str]]] = {}
        for document, text in known:
            by_source.setdefault(self.source[document], []).append((document, text))
        names = sorted(by_source)
        rng.shuffle(names)
        queues = [by_source[name] for name in names]
        while any(queues):
            for queue in queues:
                while queue:
                    document, text = queue.pop()
                    if self.free(document):
                        yield document, text
                        break


def draw_from(texts: pl.Series, sources: pl.Series, seed: int, leave_out: Collection[str]) -> Drawing:
    """Read a corpus; of equal texts the first one's source counts."""
    material = gather(texts, seed, leave_out)
    known: dict[str, str] = {}
    for text, source in zip(texts.cast(pl.String).fill_null(""), sources.cast(pl.String).fill_null(""), strict=True):
        known.setdefault(plain(bounded(text)), source)
    own = {one.name: getattr(material, one.name) for one in fields(material)}
    return Drawing(**own, source=[known[plain(text)] for text in material.texts])
