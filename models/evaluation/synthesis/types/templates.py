"""Type A, family "template": one content in two page templates out of furniture that was harvested."""

from collections.abc import Callable
from random import Random

from models.evaluation.synthesis.edits.edits import LOSING, touched
from models.evaluation.synthesis.material.boilerplate import byline, wrap
from models.evaluation.synthesis.material.material import Material
from models.evaluation.synthesis.material.splitting import clip
from models.evaluation.synthesis.operator import Made, Make, Operator

SHORTEST, LONGEST = 500, 5_000
"""Characters of a content."""
SHARE = 0.35, 0.95
"""Of the page that is content."""
MOST_NOTICES = 5
"""Lines of furniture between the paragraphs of an interrupted content."""


def _content(text: str, rng: Random) -> str | None:
    content = clip(text, rng.randint(SHORTEST, LONGEST))
    return content if len(content) >= SHORTEST else None


def _wrapped(name: str, dress: Callable[[str, Material, Random], tuple[str, str]]) -> Make:
    def make(text: str, document: int, material: Material, rng: Random) -> Made | None:
        content = _content(text, rng)
        if content is None:
            return None
        first, second = dress(content, material, rng)
        second, applied = touched(second, rng.choice((0, 0, 1, 2)), material, rng, LOSING)
        return Made(first, second, "+".join([name, *applied]))

    return make


def page(content: str, material: Material, rng: Random) -> str:
    """A content within furniture."""
    return wrap(content, rng.uniform(*SHARE), material.boilerplate, rng)


def signed_page(content: str, material: Material, rng: Random) -> str:
    """A content within little furniture under the name of its author."""
    names = material.boilerplate.names
    return f"{byline(names, rng)}\n\n{wrap(content, rng.uniform(0.7, 0.95), material.boilerplate, rng)}"


def interrupted_page(content: str, material: Material, rng: Random) -> str:
    """A content within furniture, some of which stands between its paragraphs."""
    return wrap(_broken(content, material, rng), rng.uniform(0.4, 0.95), material.boilerplate, rng)


PAGES = {"wrap": page, "byline": signed_page, "interrupted": interrupted_page}


def _both(content: str, material: Material, rng: Random) -> tuple[str, str]:
    return page(content, material, rng), page(content, material, rng)


def _one_side(content: str, material: Material, rng: Random) -> tuple[str, str]:
    return content, page(content, material, rng)


def _bylines(content: str, material: Material, rng: Random) -> tuple[str, str]:
    return signed_page(content, material, rng), signed_page(content, material, rng)


def _interrupted(content: str, material: Material, rng: Random) -> tuple[str, str]:
    """Lines of furniture between paragraphs of the content, on one page or on both."""
    first = interrupted_page(content, material, rng)
    other = _broken(content, material, rng) if rng.random() < 0.3 else content
    return first, wrap(other, rng.uniform(0.4, 0.95), material.boilerplate, rng)


def _broken(content: str, material: Material, rng: Random) -> str:
    gap = "\n\n" if "\n\n" in content else "\n"
    paragraphs = content.split(gap)
    for _ in range(rng.randint(1, MOST_NOTICES)):
        notice = rng.choice(material.boilerplate.lines or ["Advertisement", "Read more", "Continue reading below"])
        paragraphs.insert(rng.randint(1, max(1, len(paragraphs) - 1)), notice)
    return gap.join(paragraphs)


_DRESSES = {"wrap": _both, "one side": _one_side, "byline": _bylines, "interrupted": _interrupted}
OPERATORS = [Operator("A", name, "template", "prose", _wrapped(name, dress)) for name, dress in _DRESSES.items()]
