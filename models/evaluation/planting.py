"""Planted documents made from a corpus itself: groups of duplicates, look-alikes, neighbours, hosts of viral passages.

They are made as those of a labelled corpus are (`models.evaluation.synthesis.corpus.labelled`): several copies of one
content, one of them as it was, each changed by other operators. What comes out is labelled as
`models.evaluation.canaries` labels its own texts, and is scored by the same rules.
"""

from itertools import groupby
from random import Random

import polars as pl

from models.evaluation.synthesis.corpus.groups import ORIGINAL, Doc, copies, disguised, pages, parts
from models.evaluation.synthesis.corpus.labelled import apart
from models.evaluation.synthesis.corpus.rest import hosts, lookalike_groups, unrelated_documents
from models.evaluation.synthesis.material.drawing import draw_from
from models.evaluation.synthesis.material.material import LONGEST

__all__ = ["LONGEST", "plant"]

TYPES = {"background": "N"}
"""Letters of types that the labels of a corpus call otherwise."""
ROLES = {"duplicate": "variant", "protected": "lookalike", "background": "neighbour"}
"""Roles of planted documents where they are not those of a labelled corpus."""
HOT = 1, 2, 4
"""Copies of the hot spots (type B), of which that type consists mostly: groups wanted over these."""
PAIRS_BESIDE, LOOKALIKES, NEIGHBOURS = 0.5, 1.5, 0.5
"""Small groups of type B, groups of look-alikes and of neighbours for each group wanted."""
CHANGES = 1, 1, 1, 2
"""Changes of a copy, at most: a text is mostly changed in one way on its way from one page to the next."""
PASSAGES, GROUPS_PER_PASSAGE, HOSTS_PER_PASSAGE = (2, 5), 6, 9
"""Viral passages at least and at most, groups wanted for each of them, and its hosts."""
HOSTS_MORE = 2
"""Hosts of a passage, at least, beyond those that make it viral."""


def plant(texts: list[str], wanted: int, min_hosts: int, seed: int) -> pl.DataFrame:
    """Make planted documents of a few hundred texts of a corpus.

    No two groups have much in common, so what becomes of one says nothing of another.

    Args:
        texts: of the corpus, in an order that does not change from run to run; of each the first `LONGEST` characters
            and one more matter.
        wanted: groups of each of types A, C and D; for the others see `HOT`, `LOOKALIKES` and so on.
        min_hosts: documents that must share a passage for it to be viral.
        seed: the same texts, numbers and seed give the same documents.

    Returns:
        canary (str, `<type>/<number>-<family>/<role>`, behind the role of a host `@` and where the passages stand) and
        text (str). A type for which the texts give no material has fewer groups, or none.
    """
    drawing = draw_from(pl.Series(texts, dtype=pl.String), pl.Series([""] * len(texts)), seed, ())
    rng = Random(f"{seed}/planted")
    passages = min(max(wanted // GROUPS_PER_PASSAGE, PASSAGES[0]), PASSAGES[1])
    made = [
        *copies(drawing, round(PAIRS_BESIDE * wanted), tuple(wanted // part for part in HOT), rng, CHANGES),
        *parts(drawing, wanted, rng),
        *pages(drawing, wanted, rng),
        *hosts(drawing, passages, passages * HOSTS_PER_PASSAGE, rng, min_hosts + HOSTS_MORE, skew=1),
        *disguised(drawing, wanted, rng, CHANGES),
        *lookalike_groups(drawing, round(LOOKALIKES * wanted), rng),
        *unrelated_documents(drawing, round(NEIGHBOURS * wanted), rng),
    ]
    kept = sorted(_viral(apart(made), min_hosts), key=_group)
    rows = [row for _, group in groupby(kept, key=_group) for row in _labelled([*group])]
    return pl.DataFrame(rows, schema={"canary": pl.String, "text": pl.String}, orient="row").sort("canary")


def _group(doc: Doc) -> str:
    """Name of the group; hosts stand together by their first passage."""
    return doc.group or f"{doc.type}/{doc.spans[0][0]}"


def _viral(docs: list[Doc], min_hosts: int) -> list[Doc]:
    """Leave out hosts of passages that have too few of them."""
    while True:
        held = [name for doc in docs for name, *_ in doc.spans]
        rare = {name for name in held if held.count(name) <= min_hosts}
        if not rare:
            return docs
        docs = [doc for doc in docs if not rare & {name for name, *_ in doc.spans}]


def _labelled(docs: list[Doc]) -> list[tuple[str, str]]:
    """Labels and texts of a group; its family is that of the first document that an operator touched."""
    kind = TYPES.get(docs[0].type, docs[0].type)
    number = _group(docs[0]).split("/")[1]
    family = next((doc.family for doc in docs if doc.family != ORIGINAL), ORIGINAL)
    name = f"{kind}/{number}-{family}"
    return [(f"{name}/{_role(doc, turn)}", doc.text) for turn, doc in enumerate(docs)]


def _role(doc: Doc, turn: int) -> str:
    places = "".join(f"@{name}:{start}-{end}" for name, start, end, _ in doc.spans)
    return f"{ROLES.get(doc.role, doc.role)}{turn}{places}"
