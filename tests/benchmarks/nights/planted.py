"""Nights of a corpus whose truth is known: what arrives, what goes, and what each document repeats."""

from collections import defaultdict
from random import Random
from typing import NamedTuple

from tests.benchmarks.common.corpora import Piece, edited
from tests.benchmarks.quality.second_operators import TEMPLATES, refill

SHARES = {
    "copy": 0.05, "near copy": 0.12, "look-alike": 0.08, "edit": 0.06, "rewrite": 0.04, "again": 0.04, "return": 0.04,
    "parent": 0.04, "child": 0.04, "protected": 0.01,
}  # fmt: skip
"""Of a night's arrivals; the rest are new texts."""
DELETED = 0.06
LEAST = 600
"""Characters of a document that others are made of."""
NOTICES = {
    "Sign up for our free weekly newsletter and get the best of our stories delivered to your inbox every Friday.": 1,
    "We use cookies to improve your experience on this site; by continuing to browse you agree to our use of them.": 2,
    "All rights reserved. No part of this page may be copied or shared without the written consent of the editors.": 4,
}
"""Passages that spread, and how many new documents of a night carry them."""


class Known(NamedTuple):
    """One document that arrived.

    Attributes:
        piece: as it arrived last.
        family: documents of one family repeat each other; after the id of its first.
        part: is only a passage of its family's text?
        kind: why it was made.
    """

    piece: Piece
    family: str
    part: bool
    kind: str


class Night(NamedTuple):
    """What one night brings."""

    arrivals: list[Piece]
    deleted: list[str]


class World:
    """Every document that ever arrived, in its latest state."""

    def __init__(self, fresh: list[Piece], seed: int) -> None:
        self.fresh, self.seed = fresh, seed
        self.live: dict[str, Known] = {}
        self.gone: dict[str, Known] = {}
        self.protected: set[str] = set()
        self.notices: set[str] = set()

    def families(self) -> dict[str, list[str]]:
        """Ids of the live documents of each family."""
        found = defaultdict(list)
        for name, known in self.live.items():
            found[known.family].append(name)
        return found

    def first(self, count: int) -> Night:
        """The corpus that is curated before the first night."""
        arrivals = [self._new(Random(f"{self.seed}/{number}")) for number in range(count)]
        return self._happen({known.piece.doc_id: known for known in arrivals}, [])

    def night(self, number: int, count: int) -> Night:
        """`count` arrivals and some deletions; an id takes part once, but for one that arrives although deleted."""
        random = Random(f"{self.seed}/night {number}")
        families = self.families()
        names = sorted(name for name, known in self.live.items() if name not in self.protected)
        random.shuffle(names)
        goes = [names.pop() for _ in range(round(count * DELETED))]
        lonely = [name for name in names if self._serves(name) and len(families[self.live[name].family]) == 1]
        whole = [name for name in names if self._serves(name)]
        made: dict[str, Known] = {}
        for kind, share in SHARES.items():
            pool = sorted(self.gone) if kind == "return" else lonely if kind in ("parent", "protected") else whole
            pool = [name for name in pool if self._state(name).family not in {one.family for one in made.values()}]
            for index, name in enumerate(random.sample(pool, min(round(count * share), len(pool)))):
                known = self._made(kind, name, f"night-{number:02}/{kind}/{index}", random)
                made[known.piece.doc_id] = known
        for notice, hosts in NOTICES.items():
            for _ in range(hosts):
                known = self._new(random, notice)
                made[known.piece.doc_id] = known
        while len(made) < count:
            known = self._new(random)
            made[known.piece.doc_id] = known
        refused = random.choice([name for name in made if made[name].kind == "new"])
        return self._happen(made, [*goes, refused])

    def again(self, before: Night) -> Night:
        """The file of an earlier night once more, without its deletions."""
        returned = {piece.doc_id: self._state(piece.doc_id) for piece in before.arrivals}
        return self._happen(returned, [])

    def _state(self, name: str) -> Known:
        return self.live.get(name) or self.gone[name]

    def _serves(self, name: str) -> bool:
        known = self.live[name]
        return not known.part and known.kind != "look-alike" and len(known.piece.text) >= LEAST

    def _new(self, random: Random, notice: str = "") -> Known:
        piece = self.fresh.pop()
        if notice:
            self.notices.add(notice)
            lines = piece.text.split("\n")
            lines.insert(random.randint(0, len(lines)), notice)
            piece = piece._replace(text="\n".join(lines))
        return Known(piece, piece.doc_id, part=False, kind="new")

    def _made(self, kind: str, name: str, fresh_name: str, random: Random) -> Known:
        known = self._state(name)
        text, family, part = known.piece.text, known.family, known.part
        match kind:
            case "again" | "return":
                return known
            case "edit":
                return known._replace(piece=known.piece._replace(text=edited(text, random)), kind="edit")
            case "rewrite":
                return Known(known.piece._replace(text=self.fresh.pop().text), fresh_name, part=False, kind="rewrite")
            case "look-alike":
                text, family = refill(random.choice(TEMPLATES), random), fresh_name
            case "copy":
                text = f"\n{text.upper() if text.isascii() else text} \n"
            case "parent":
                size = len(text)
                while len(text) < 2 * size:  # less, and it would be an edited copy
                    text += f"\n\n{self.fresh.pop().text}"
                self.live[name] = known._replace(part=True)
            case "child":
                start = random.randint(0, len(text) // 2)
                text, part = text[start : start + len(text) // 2].strip(), True
            case _:
                text = edited(text, random)
                if kind == "protected":
                    self.protected.add(fresh_name)
        return Known(Piece(fresh_name, known.piece.source, text), family, part, kind)

    def _happen(self, made: dict[str, Known], goes: list[str]) -> Night:
        for name, known in made.items():
            self.gone.pop(name, None)
            self.live[name] = known
        for name in goes:
            self.gone[name] = self.live.pop(name)
        return Night([known.piece for known in made.values()], goes)
