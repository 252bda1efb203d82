"""Family "page frame": what a site puts around or between the paragraphs of an article."""

from collections.abc import Callable
from random import Random

from models.evaluation.synthesis.edits.edits import LOSING, touched
from models.evaluation.synthesis.material.boilerplate import byline
from models.evaluation.synthesis.material.material import Material
from models.evaluation.synthesis.material.sites import Site
from models.evaluation.synthesis.material.splitting import clip, is_prose, paragraphs_of, sentences
from models.evaluation.synthesis.operator import Made, Make, Operator

SHORTEST, LONGEST = 500, 5_000
"""Characters of a content."""

Frame = Callable[[str, Material, Random], str]

_GREETINGS = (
    "Great post!",
    "Thanks for this.",
    "First!",
    "Well said.",
    "Interesting read.",
    "I agree.",
    "Very useful.",
)


def _site(material: Material, rng: Random) -> Site:
    return rng.choice(material.boilerplate.sites)


def titles(material: Material, count: int, rng: Random) -> list[str]:
    """Titles of random documents of the corpus."""
    return rng.sample(material.boilerplate.titles, min(count, len(material.boilerplate.titles)))


def navigation(text: str, material: Material, rng: Random) -> str:
    """A menu above and a site map below."""
    site = _site(material, rng)
    return f"{site.above}\n\n{text}\n\n{site.below}"


def related(text: str, material: Material, rng: Random) -> str:
    """A block of links to other texts, between paragraphs or below."""
    block = "\n".join(_site(material, rng).related)
    parts = paragraphs_of(text)
    at = rng.randint(1, len(parts)) if len(parts) > 3 and rng.random() < 0.4 else len(parts)
    return "\n\n".join([*parts[:at], block, *parts[at:]])


def comments(text: str, material: Material, rng: Random) -> str:
    """Answers of readers below: greetings, and now and then a sentence that stands elsewhere in the corpus."""
    entries = []
    for _ in range(rng.randint(2, 7)):
        other = material.texts[rng.randrange(len(material.texts))]
        said = (
            [one for one in sentences(other[:2000]) if is_prose(one) and len(one) < 200] if rng.random() < 0.5 else []
        )
        answer = rng.choice(said) if said else rng.choice(_GREETINGS)
        entries.append(
            f"{byline(material.boilerplate.names, rng)}\n{answer}\n{rng.choice(('Reply', 'Like', ''))}".strip()
        )
    return f"{text}\n\n{len(entries)} comments\n\n" + "\n\n".join(entries)


def consent(text: str, material: Material, rng: Random) -> str:
    """A cookie banner above or below."""
    banner = _site(material, rng).consent
    return f"{banner}\n\n{text}" if rng.random() < 0.7 else f"{text}\n\n{banner}"


def sidebar(text: str, material: Material, rng: Random) -> str:
    """Boxes: search, archive by month, what is read most, who wrote it."""
    boxes = _site(material, rng).boxes
    first = rng.randint(0, 2)
    chosen = [*boxes[first : first + 2], f"About the author\n{byline(material.boilerplate.names, rng)}"]
    at = rng.randint(0, len(chosen))
    return "\n\n".join([*chosen[:at], text, *chosen[at:]])


def advertised(text: str, material: Material, rng: Random) -> str:
    """Notices of an advertisement between paragraphs."""
    notice = _site(material, rng).notice
    parts = paragraphs_of(text)
    for _ in range(rng.randint(1, 4)):
        parts.insert(rng.randint(1, max(1, len(parts) - 1)), notice)
    return "\n\n".join(parts)


FRAMES: dict[str, Frame] = {
    "navigation": navigation,
    "related links": related,
    "comments": comments,
    "consent": consent,
    "sidebar": sidebar,
    "advertisement": advertised,
}
QUIET = [name for name in FRAMES if name != "comments"]
"""Frames without prose of their own: where both pages had comments, each would say what the other does not."""


def _framed(name: str) -> Make:
    def make(text: str, document: int, material: Material, rng: Random) -> Made | None:
        content = clip(text, rng.randint(SHORTEST, LONGEST))
        if len(content) < SHORTEST:
            return None
        names = [name, *rng.sample(QUIET, rng.randint(0, 2))]
        page, applied = touched(content, rng.randint(0, 1), material, rng, LOSING)
        for frame in dict.fromkeys(names):
            page = FRAMES[frame](page, material, rng)
        other = content
        if rng.random() < 0.4:
            other = FRAMES[rng.choice(QUIET)](content, material, rng)
        return Made(other, page, "+".join([*dict.fromkeys(names), *applied]))

    return make


OPERATORS = [Operator("A", name, "page frame", "prose", _framed(name)) for name in FRAMES]
