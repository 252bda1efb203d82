"""Sites: pages of one site share their furniture, word for word, and differ in what they are about.

That is what a page template is: were its menus and notices made anew for each page, a page that is removed would take
words with it that stand nowhere else.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from models.evaluation.synthesis.material.wordlists import MENU, MONTHS

FEWEST, MOST, TEXTS_PER_SITE = 5, 24, 150
"""Sites that are made of a corpus, and texts of it for each."""
TITLES = 9
"""Titles of other pages that a site lists."""

_RELATED = (
    "Related articles",
    "You may also like",
    "See also",
    "More from this section",
    "Popular now",
    "Recent posts",
)
_CONSENT = (
    "We use cookies to give you the best experience on this site. By continuing you agree to our cookie policy. "
    "Some cookies are necessary, others help us to improve.\nAccept all | Reject all | Manage preferences",
    "We and our partners store and read information on your device. You can change your choice at any time in the "
    "settings. Learn more in our privacy statement.\nNecessary only\nSave and close",
)
"""Banners of two makers: what the sites of half the world say is nobody's own."""
_NOTICES = ("Advertisement", "ADVERTISEMENT - CONTINUE READING BELOW", "Sponsored", "Story continues below")
_JOINTS = (" | ", "\n", " · ", " » ", "\n* ", "  ")
_SEPARATORS = (" | ", " · ", " / ", "  ", " > ", " • ")


class Site(NamedTuple):
    """Furniture of one site.

    Attributes:
        name: of the site.
        above: menu at the head of its pages.
        below: site map, rights and imprint at their foot.
        consent: cookie banner.
        related: heading and titles of other pages, one a line.
        boxes: search, archive, what is read most, newsletter.
        notice: of an advertisement.
        pieces: menus and lines that were found in the corpus, in the order in which its pages show them.
    """

    name: str
    above: str
    below: str
    consent: str
    related: tuple[str, ...]
    boxes: tuple[str, ...]
    notice: str
    pieces: tuple[str, ...]


def sites_of(
    texts: int, menus: Sequence[tuple[str, ...]], lines: Sequence[str], names: Sequence[str], titles: Sequence[str]
) -> list[Site]:
    """Make sites out of the furniture of a corpus of so many texts."""
    count = min(MOST, max(FEWEST, texts // TEXTS_PER_SITE))
    return [_site(menus, lines, names, titles, Random(f"site {number}")) for number in range(count)]


def _site(
    menus: Sequence[tuple[str, ...]], lines: Sequence[str], names: Sequence[str], titles: Sequence[str], rng: Random
) -> Site:
    name, joint = rng.choice(names), rng.choice(_JOINTS)
    items = _invented(names, rng)
    listed = rng.sample(titles, min(TITLES, len(titles)))
    mark, since = rng.choice(("- ", "* ", "", "» ", "> ")), rng.randint(1999, 2020)
    archive = [f"{month} {since + turn}" for turn, month in enumerate(rng.sample(MONTHS, rng.randint(3, 5)))]
    return Site(
        name=name,
        above=joint.join(items),
        below=f"{joint.join(rng.sample(items, len(items) // 2))}\n\n© {since} {name}. "
        + rng.choice(("All rights reserved.", "Imprint", "")),
        consent=rng.choice(_CONSENT),
        related=(rng.choice(_RELATED), *(f"{mark}{title}" for title in listed)),
        boxes=(
            f"Search {name}\nGo",
            "\n".join(("Archive", *archive)),
            "\n".join(("Most read", *(f"{at}. {title}" for at, title in enumerate(listed[:5], 1)))),
            "Newsletter\nYour email address\nSubscribe",
        ),
        notice=rng.choice(_NOTICES),
        pieces=tuple(_piece(menus, lines, names, rng) for _ in range(12)),
    )


def _invented(names: Sequence[str], rng: Random) -> list[str]:
    """Make up a menu."""
    items = [*rng.sample(MENU, rng.randint(4, 9)), *rng.choices(names, k=rng.randint(2, 12))]
    rng.shuffle(items)
    return items


def _piece(menus: Sequence[tuple[str, ...]], lines: Sequence[str], names: Sequence[str], rng: Random) -> str:
    turn = rng.random()
    if turn < 0.2 and lines:
        return rng.choice(lines)
    menu = list(rng.choice(menus)) if menus and turn < 0.9 else _invented(names, rng)
    style = rng.random()
    if style < 0.6:
        return "\n".join(menu)
    if style < 0.85:
        return rng.choice(_SEPARATORS).join(menu)
    if style < 0.93:
        return "\n".join(f"* [{item}](/{item.split()[0].lower()})" for item in menu)
    return "<ul>" + "".join(f'<li><a href="/{item.split()[0].lower()}">{item}</a></li>' for item in menu) + "</ul>"
