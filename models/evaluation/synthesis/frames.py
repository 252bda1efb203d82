"""Family "page frame": what a page puts around or between the paragraphs of an article, made up anew each time."""

from collections.abc import Callable
from random import Random

from models.evaluation.synthesis.boilerplate import byline, stamp
from models.evaluation.synthesis.edits import touched
from models.evaluation.synthesis.material import Material
from models.evaluation.synthesis.operator import Made, Make, Operator
from models.evaluation.synthesis.splitting import clip, is_prose, paragraphs_of, sentences
from models.evaluation.synthesis.wordlists import MENU

SHORTEST, LONGEST = 500, 5_000
"""Characters of a content."""

Frame = Callable[[str, Material, Random], str]

_RELATED = (
    "Related articles",
    "You may also like",
    "See also",
    "More from this section",
    "Popular now",
    "Recent posts",
)
_CONSENT = (
    "We use cookies to give you the best experience on {0}.",
    "{0} and its partners store and read information on your device.",
    "By continuing to use {0} you agree to our cookie policy.",
    "Some cookies of {0} are necessary, others help us to improve the site.",
    "You can change your choice at any time in the settings of {0}.",
    "Learn more in our privacy statement.",
)
_CHOICES = ("Accept all", "Reject all", "Manage preferences", "Save and close", "Necessary only", "OK")
_GREETINGS = (
    "Great post!",
    "Thanks for this.",
    "First!",
    "Well said.",
    "Interesting read.",
    "I agree.",
    "Very useful.",
)


def _site(material: Material, rng: Random) -> str:
    return rng.choice(material.boilerplate.names)


def titles(material: Material, count: int, rng: Random) -> list[str]:
    """First lines of random documents of the corpus."""
    drawn = (material.texts[rng.randrange(len(material.texts))].split("\n", 1)[0].strip() for _ in range(4 * count))
    return [title[:90] for title in drawn if len(title) >= 8][:count]


def navigation(text: str, material: Material, rng: Random) -> str:
    """A menu above and a site map below."""
    items = [*rng.sample(MENU, rng.randint(4, 9)), *rng.choices(material.boilerplate.names, k=rng.randint(2, 12))]
    rng.shuffle(items)
    joint = rng.choice((" | ", "\n", " · ", " » ", "\n* ", "  "))
    above, below = joint.join(items), joint.join(rng.sample(items, len(items) // 2))
    foot = f"© {rng.randint(1999, 2025)} {_site(material, rng)}. {rng.choice(('All rights reserved.', 'Imprint', ''))}"
    return "\n\n".join((above, text, below, foot)) if rng.random() < 0.6 else f"{above}\n\n{text}\n\n{foot}"


def related(text: str, material: Material, rng: Random) -> str:
    """A block of links to other texts, between paragraphs or below."""
    links = titles(material, rng.randint(3, 9), rng)
    mark = rng.choice(("- ", "* ", "", "» ", "> "))
    block = "\n".join([rng.choice(_RELATED), *(f"{mark}{link}" for link in links)])
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
    site = _site(material, rng)
    lines = [line.format(site) for line in rng.sample(_CONSENT, rng.randint(2, 4))]
    banner = " ".join(lines) + "\n" + rng.choice(("\n", " | ")).join(rng.sample(_CHOICES, rng.randint(1, 3)))
    return f"{banner}\n\n{text}" if rng.random() < 0.7 else f"{text}\n\n{banner}"


def sidebar(text: str, material: Material, rng: Random) -> str:
    """Boxes: search, archive by month, who wrote it, what is read most."""
    boxes = [
        f"Search {_site(material, rng)}\nGo",
        "Archive\n" + "\n".join(stamp(rng) for _ in range(rng.randint(3, 8))),
        "About the author\n" + byline(material.boilerplate.names, rng),
        "Most read\n" + "\n".join(f"{at}. {title}" for at, title in enumerate(titles(material, 5, rng), 1)),
        "Newsletter\nYour email address\nSubscribe",
    ]
    chosen = rng.sample(boxes, rng.randint(2, 4))
    at = rng.randint(0, len(chosen))
    return "\n\n".join([*chosen[:at], text, *chosen[at:]])


def advertised(text: str, material: Material, rng: Random) -> str:
    """Notices of an advertisement between paragraphs."""
    notice = rng.choice(
        ("Advertisement", "ADVERTISEMENT - CONTINUE READING BELOW", "Sponsored", "Story continues below")
    )
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
        page, applied = touched(content, rng.randint(0, 1), material, rng)
        for frame in dict.fromkeys(names):
            page = FRAMES[frame](page, material, rng)
        other = content
        if rng.random() < 0.4:
            other = FRAMES[rng.choice(QUIET)](content, material, rng)
        return Made(other, page, "+".join([*dict.fromkeys(names), *applied]))

    return make


OPERATORS = [Operator("A", name, "page frame", "prose", _framed(name)) for name in FRAMES]
