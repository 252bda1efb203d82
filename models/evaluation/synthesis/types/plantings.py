"""Type E: one passage planted in two documents that have nothing else in common."""

from random import Random

from models.evaluation.synthesis.material.material import LONG, Material
from models.evaluation.synthesis.material.splitting import clip, is_prose, sentence_starts, sentences
from models.evaluation.synthesis.operator import Made, Make, Operator

FRAGMENT = 60, 400
"""Characters of a planted passage."""
SHARE = 0.4
"""Of a host that the passage may take at most."""
LONGEST = 6_000
"""Characters of a host at most."""


def fragment_of(text: str, rng: Random) -> str | None:
    """A run of sentences of `FRAGMENT` characters."""
    pieces = [piece for piece in sentences(text) if is_prose(piece)]
    rng.shuffle(pieces)
    for at, piece in enumerate(pieces):
        passage = piece if rng.random() < 0.5 else " ".join(pieces[at : at + rng.randint(1, 3)])
        if FRAGMENT[0] <= len(passage) <= FRAGMENT[1]:
            return passage
    return None


def planted(host: str, fragment: str, place: str, rng: Random) -> str:
    """Put a passage at the head, at the tail or between two sentences of a text."""
    if place == "head":
        return f"{fragment}\n\n{host}"
    if place == "tail":
        return f"{host}\n\n{fragment}"
    at = rng.choice(sentence_starts(host))
    gap = rng.choice((" ", "\n\n"))
    return f"{host[:at].rstrip()}{gap}{fragment}{gap}{host[at:]}"


def _plant(place: str) -> Make:
    def make(text: str, document: int, material: Material, rng: Random) -> Made | None:
        others = material.strangers(document, rng, LONG, FRAGMENT[0])
        if others is None:
            return None
        other, donor = (material.texts[one] for one in others)
        fragment = fragment_of(donor, rng)
        hosts = [clip(host, rng.randint(600, LONGEST)) for host in (text, other)]
        if fragment is None or len(fragment) > SHARE * min(map(len, hosts)):
            return None
        elsewhere = place if place != "mixed" else rng.choice(("head", "tail", "within"))
        there = place if place != "mixed" else rng.choice(("head", "tail", "within"))
        return Made(planted(hosts[0], fragment, elsewhere, rng), planted(hosts[1], fragment, there, rng))

    return make


OPERATORS = [Operator("E", place, "planted", "long", _plant(place)) for place in ("head", "tail", "within", "mixed")]
