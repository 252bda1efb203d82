"""A labelled corpus out of any texts: groups of duplicates, look-alikes, planted passages, and what is none of these.

Every text is used once, with all its near-copies, so that no document is the duplicate of one of another group; what
exact containment of the finished corpus shows beyond that leaves the background.
"""

from collections.abc import Collection
from hashlib import blake2b
from random import Random
from typing import NamedTuple

import polars as pl

from models.evaluation.synthesis.corpus.groups import ORIGINAL, Doc, copies, disguised, pages, parts
from models.evaluation.synthesis.corpus.rest import background, hosts, lookalike_groups, unrelated_documents
from models.evaluation.synthesis.material.drawing import draw_from
from models.evaluation.synthesis.material.overlap import contained
from models.evaluation.synthesis.material.splitting import plain

SHARED = 0.3
"""Containment from which a background document is too much like another one to be called unrelated."""
SAME = 0.6
"""Containment from which documents of different groups would be taken for copies."""
ORDER = ("background", "E", "F", "D", "A", "C", "B")
"""Types, those first that are easily made again."""
FRAGMENTS = {"fragment_id": pl.String, "doc_id": pl.String, "start": pl.Int64, "end": pl.Int64, "exact": pl.Boolean}


class Sizes(NamedTuple):
    """How much of everything is made.

    Attributes:
        a: groups of type A.
        b: groups of type B beside the hot ones.
        hot: documents of each hot group of type B.
        c: groups of type C.
        d: groups of type D.
        fragments: planted passages.
        hosts: documents that they are planted in.
        f: pairs of look-alikes.
        unrelated: pairs that have something in common and are unrelated.
        background: share of the whole that is neither a duplicate, nor a look-alike, nor a host, before what is too
            much alike has left.
    """

    a: int = 220
    b: int = 220
    hot: tuple[int, ...] = (120, 60, 40, 25, 20, 15)
    c: int = 300
    d: int = 240
    fragments: int = 24
    hosts: int = 420
    f: int = 1500
    unrelated: int = 240
    background: float = 0.64

    def scaled(self, factor: float) -> "Sizes":
        """The same in another size; hot groups stay fewer rather than smaller."""
        whole = {name: round(value * factor) for name, value in self._asdict().items() if isinstance(value, int)}
        hot = self.hot[:: max(1, round(1 / factor))]
        return self._replace(**{**whole, "fragments": max(4, whole["fragments"])}, hot=hot)


class Labelled(NamedTuple):
    """A labelled corpus in the benchmark's format.

    Attributes:
        documents: doc_id, text, source.
        truth: doc_id, type, group_id, role, family, operator, source.
        fragments: fragment_id, doc_id, start, end, exact.
    """

    documents: pl.DataFrame
    truth: pl.DataFrame
    fragments: pl.DataFrame


def labelled(
    texts: pl.Series, sources: pl.Series, sizes: Sizes, seed: int, leave_out: Collection[str] = ()
) -> Labelled:
    """Make a labelled corpus.

    Args:
        texts: the corpus; nulls, blanks and exact copies are left out.
        sources: where each text comes from; what is made is drawn in equal shares from all.
        sizes: how much of everything is wanted; a corpus without the material gives less, never worse.
        seed: equal arguments give an equal corpus.
        leave_out: families of operators that nothing is made with.
    """
    drawing, rng = draw_from(texts, sources, seed, leave_out), Random(f"{seed}/labelled")
    made = [
        *copies(drawing, sizes.b, sizes.hot, rng),
        *pages(drawing, sizes.a, rng),
        *parts(drawing, sizes.d, rng),
        *lookalike_groups(drawing, sizes.f, rng),
        *hosts(drawing, sizes.fragments, sizes.hosts, rng),
        *disguised(drawing, sizes.c, rng),
        *unrelated_documents(drawing, sizes.unrelated, rng),
    ]
    related = sum(doc.type != "background" for doc in made)
    wanted = round(related * sizes.background / (1 - sizes.background)) - (len(made) - related)
    made += background(drawing, max(0, wanted), rng)
    kept = apart(made)
    rng.shuffle(kept)
    return _frames(kept, seed)


def apart(docs: list[Doc]) -> list[Doc]:
    """Leave out what says the same as a document of another group, or stands in it, in whole groups."""
    return _alone(_whole_groups(_distinct(docs)))


def _distinct(docs: list[Doc]) -> list[Doc]:
    """Leave out what an earlier document says word for word."""
    first: dict[str, Doc] = {}
    for doc in docs:
        first.setdefault(plain(doc.text), doc)
    return list(first.values())


def _whole_groups(docs: list[Doc]) -> list[Doc]:
    """Leave out groups that lost their original, or all but one document."""
    size: dict[str | None, int] = {}
    for doc in docs:
        size[doc.group] = size.get(doc.group, 0) + 1
    headed = {doc.group for doc in docs if doc.role in ("canonical", "parent", "protected", "background")}
    return [doc for doc in docs if doc.group is None or (size[doc.group] > 1 and doc.group in headed)]


def _alone(docs: list[Doc]) -> list[Doc]:
    """Leave out, until nothing is found, what shares too much with a document of another group.

    Plain background goes at `SHARED`; of two groups the one goes whole whose labels say less, at `SAME`.
    """
    while True:
        places, groups = _conflicts(docs)
        if not places and not groups:
            return docs
        docs = [
            doc for at, doc in enumerate(docs) if at not in places and (doc.group is None or doc.group not in groups)
        ]


def _conflicts(docs: list[Doc]) -> tuple[set[int], set[str]]:
    """Places of documents, and names of groups, that have to go."""
    close = contained([doc.text for doc in docs])
    places: set[int] = set()
    groups: set[str] = set()
    for a, b, share in close.filter(pl.col("share") >= SHARED).iter_rows():
        weaker = min((a, b), key=lambda place: _weight(docs[place], place))
        one, other = docs[a], docs[b]
        gone = places & {a, b} or groups & {one.group, other.group}
        if gone or (one.group is not None and one.group == other.group):
            continue
        if _weight(docs[weaker], 0)[0] == 0:
            places.add(weaker)
        elif share >= SAME:
            group = docs[weaker].group
            if group is None:
                places.add(weaker)
            else:
                groups.add(group)
    return places, groups


def _weight(doc: Doc, place: int) -> tuple[int, int]:
    """How much a document is worth, plain background nothing; of equal ones the later goes."""
    plain_background = doc.type == "background" and doc.family == ORIGINAL
    return 0 if plain_background else 1 + ORDER.index(doc.type), -place


def _frames(docs: list[Doc], seed: int) -> Labelled:
    ids = [blake2b(f"{seed}/{at}/{doc.text}".encode(), digest_size=6).hexdigest() for at, doc in enumerate(docs)]
    names = pl.DataFrame({"doc_id": ids})
    documents = names.with_columns(
        text=pl.Series([doc.text for doc in docs]), source=pl.Series([d.source for d in docs])
    )
    labels = {
        "type": [doc.type for doc in docs],
        "group_id": pl.Series([None if doc.type == "background" else doc.group for doc in docs], dtype=pl.String),
        "role": [doc.role for doc in docs],
        "family": [doc.family for doc in docs],
        "operator": [doc.operator for doc in docs],
        "source": [doc.source for doc in docs],
    }
    rows = [(name, doc_id, *span) for doc_id, doc in zip(ids, docs, strict=True) for name, *span in doc.spans]
    return Labelled(documents, names.hstack(pl.DataFrame(labels)), pl.DataFrame(rows, schema=FRAGMENTS, orient="row"))
