"""Type F, families "siblings", "answers", "versions" and "records": much in common, and each with words of its own.

What two of these texts share is a template, a preamble, a quotation or an older version. Each side says something that
the other does not, so both have to stay.
"""

from collections.abc import Callable
from random import Random

from models.evaluation.synthesis.edits.mail import address, introduction, quote
from models.evaluation.synthesis.material.boilerplate import stamp, wrap
from models.evaluation.synthesis.material.material import LONG, Material
from models.evaluation.synthesis.material.splitting import clip, is_prose, lines_of, paragraphs_of, sentences
from models.evaluation.synthesis.operator import Made, Make, Operator
from models.evaluation.synthesis.types.swaps import VERSION, other_digits

Many = Callable[[str, int, Material, Random, int], list[str]]
"""As an operator, but so many texts as the last argument says, or none where the text does not suit."""
OWN = 25
"""Words of prose that each side has for itself at least."""
LEAST_LINES, REPLACED = 12, 0.35
"""Lines of a list, and share of them at least that its sibling has others for."""
_STATED = ("Name", "Customer", "Amount", "Place", "Contact", "Department", "Item", "Quantity", "Project", "Product")
_COUNTED = ("Order", "Reference", "Date", "Invoice", "Valid until", "Serial number", "Account", "Version", "Ticket")


def prose(text: str, rng: Random, most: int) -> list[str]:
    """Sentences of a text in a row, from anywhere, with `OWN` words in all; none where it has no such row."""
    spoken = [one for one in sentences(text) if is_prose(one) and len(one) < 500]
    at = rng.randrange(max(1, len(spoken)))
    row = spoken[at : at + rng.randint(1, most)]
    while sum(len(one.split()) for one in row) < OWN and at + len(row) < len(spoken):
        row = spoken[at : at + len(row) + 1]
    return row if sum(len(one.split()) for one in row) >= OWN else []


def _bodies(document: int, material: Material, rng: Random, most: int, size: int = 2) -> list[str]:
    """Prose out of documents that share nothing with this one, nor with each other; none where there are too few."""
    others = material.strangers(document, rng, *[LONG] * size)
    bodies = [" ".join(prose(material.texts[other], rng, most)) for other in others or []]
    return bodies if all(bodies) else []


def preambles(text: str, document: int, material: Material, rng: Random, size: int) -> list[str]:
    """Pages of different things under one long preamble, which may go on below."""
    bodies = _bodies(document, material, rng, 8, size)
    # what many pages share are paragraphs of one document, or lines that recur in the corpus anyway
    recurring = rng.sample(material.boilerplate.lines, min(40, len(material.boilerplate.lines)))
    shared = clip("\n".join(recurring) if recurring and rng.random() < 0.3 else text, rng.randint(400, 3000))
    parts = paragraphs_of(shared)
    at = rng.choice((len(parts), len(parts), rng.randint(1, len(parts))))
    return ["\n\n".join([*parts[:at], body, *parts[at:]]) for body in bodies]


def same_pages(text: str, document: int, material: Material, rng: Random, size: int) -> list[str]:
    """Short contents in one large page template."""
    bodies = _bodies(document, material, rng, 6, size)
    room = max(map(len, bodies), default=0) * rng.uniform(1, 4)
    page = wrap("\0", 1 / (1 + room), material.boilerplate, rng) if bodies else ""
    return [page.replace("\0", body) for body in bodies]


def _answers(text: str, document: int, material: Material, rng: Random) -> Made | None:
    """Two answers to one message, each with the message quoted whole."""
    bodies = _bodies(document, material, rng, 5)
    if not bodies:
        return None
    asked = clip(text, rng.randint(200, 2500))
    quoted = f"{introduction(material, rng)}\n{quote(asked, rng)}"
    above = rng.random() < 0.6
    mails = (f"{body}\n\n{quoted}" if above else f"{quoted}\n\n{body}" for body in bodies)
    return Made(*(f"{mail}\n\n{address(material, rng)[0]}" if rng.random() < 0.5 else mail for mail in mails))


def _versions(text: str, document: int, material: Material, rng: Random) -> Made | None:
    """Two versions of a page: a passage rewritten in the second one, or another section added to each."""
    bodies = _bodies(document, material, rng, 3)
    page = clip(text, rng.randint(800, 8000))
    parts = paragraphs_of(page)
    if not bodies or len(parts) < 4:
        return None
    said = [is_prose(part) and part[-1] in ".!?…\"'”" for part in parts]
    spoken = [at for at, part in enumerate(parts) if said[at] and OWN <= len(part.split()) <= 200]
    if spoken and rng.random() < 0.6:
        at = rng.choice(spoken)
        old, new = page, "\n\n".join([*parts[:at], bodies[0], *parts[at + 1 :]])
    else:
        first, second = (rng.randint(1, len(parts)) for _ in range(2))
        old = "\n\n".join([*parts[:first], bodies[0], *parts[first:]])
        new = "\n\n".join([*parts[:second], bodies[1], *parts[second:]])
    return Made(old, VERSION.sub(lambda found: other_digits(found[0], rng), new) if rng.random() < 0.5 else new)


def _other_items(text: str, document: int, material: Material, rng: Random) -> Made | None:
    """A list and another one of the same kind: a share of its lines are those of another document."""
    others = material.strangers(document, rng, LONG)
    lines = lines_of(clip(text, 4000))
    if others is None or len(lines) < LEAST_LINES:
        return None
    drawn = [line for line in lines_of(material.texts[others[0]]) if len(line) > 15 and line not in lines]
    size = rng.randint(round(REPLACED * len(lines)), round(0.7 * len(lines)))
    places = sorted(rng.sample(range(1, len(lines)), min(size, len(lines) - 1)))
    own = sum(len(lines[at].split()) for at in places)
    if len(drawn) < len(places) or min(own, sum(len(line.split()) for line in drawn[: len(places)])) < OWN:
        return None
    changed = list(lines)
    for at, line in zip(places, drawn, strict=False):
        changed[at] = line
    return Made("\n".join(lines), "\n".join(changed))


def forms(text: str, document: int, material: Material, rng: Random, size: int) -> list[str]:
    """One form filled again and again: fields that a random template names, between sentences that stay."""
    fixed = prose(clip(text, 3000), rng, 4)
    fields = [*rng.sample(_STATED, rng.randint(3, 6)), *rng.sample(_COUNTED, rng.randint(1, 5))]
    rng.shuffle(fields)
    joint = rng.choice((": ", " - ", ":\t", " = "))
    at = rng.randint(0, len(fields))
    head = f"{rng.choice(material.boilerplate.names)} {rng.choice(('form', 'record', 'notice', 'confirmation'))}"
    made = []
    for _ in range(size if fixed else 0):
        rows = [f"{field}{joint}{_value(field, material, rng)}" for field in fields]
        made.append("\n".join([head, *rows[:at], *fixed, *rows[at:]]))
    return made


def _value(field: str, material: Material, rng: Random) -> str:
    if field in ("Date", "Valid until"):
        return stamp(rng)
    if field in ("Amount", "Quantity"):
        return f"{rng.randint(1, 9999)}{rng.choice(('', '.50', ',00'))}"
    if field == "Version":
        return f"{rng.randint(0, 20)}.{rng.randint(0, 30)}.{rng.randint(0, 9)}"
    if field in _COUNTED:
        return f"{rng.choice('ABCDEFGH')}{rng.randint(100, 999999)}"
    words = material.nouns if field in ("Item", "Product", "Project") and material.nouns else material.boilerplate.names
    return f"{rng.choice(words)} {rng.choice(words)}"


def _two(many: Many) -> Make:
    def make(text: str, document: int, material: Material, rng: Random) -> Made | None:
        texts = many(text, document, material, rng, 2)
        return Made(*texts) if texts else None

    return make


MANY: dict[str, Many] = {"preamble": preambles, "same page": same_pages, "form": forms}
"""Makers of whole families of look-alikes."""
OPERATORS = [
    Operator("F", "preamble", "siblings", "prose", _two(preambles)),
    Operator("F", "same page", "siblings", "prose", _two(same_pages)),
    Operator("F", "other items", "siblings", "long", _other_items),
    Operator("F", "answers", "answers", "prose", _answers),
    Operator("F", "versions", "versions", "prose", _versions),
    Operator("F", "form", "records", "prose", _two(forms)),
]
