"""Family "stamps": what changes from one print or view of a text to the next and says nothing about it."""

from random import Random

from models.evaluation.synthesis.material.boilerplate import stamp
from models.evaluation.synthesis.material.material import Material
from models.evaluation.synthesis.material.splitting import lines_of, placed
from models.evaluation.synthesis.material.wordlists import DAYS
from models.evaluation.synthesis.operator import AROUND, Edit

_SINCE = ("minute", "hour", "day", "week", "month")


def _stamped(text: str, material: Material, rng: Random) -> str:
    what = rng.choice(("Updated", "Last modified:", "Retrieved", "Published on", "As of", "Printed"))
    return placed(text, f"{what} {stamp(rng)}", rng)


def _counted(text: str, material: Material, rng: Random) -> str:
    number = rng.randint(2, 90_000)
    forms = f"{number:,} views;Read {number} times;Comments ({number % 400});Shares: {number};Page {number % 90 + 1}"
    return placed(text, rng.choice(forms.split(";")), rng)


def _numbered(text: str, material: Material, rng: Random) -> str:
    number = f"{rng.choice('ABKMRTX')}{rng.randint(100, 99_999)}"
    forms = f"Ref. {number};[Reference: {number}/{rng.randint(1, 99)}];Document no. {number};ID {number}"
    return placed(text, rng.choice(forms.split(";")), rng)


def _session(text: str, material: Material, rng: Random) -> str:
    token = f"{rng.getrandbits(rng.choice((32, 48, 64))):x}"
    forms = (
        f"sid={token}", f"Session-ID: {token}", f"[msg-id: {token}-{rng.randint(100, 999)}]", f"trace {token}",
        f"?utm_source=feed&token={token}", f"Request {token} served in {rng.randint(1, 900)} ms",
    )  # fmt: skip
    return placed(text, rng.choice(forms), rng)


def _ago(text: str, material: Material, rng: Random) -> str:
    unit, count = rng.choice(_SINCE), rng.randint(1, 50)
    since = f"{count} {unit}{'s' * (count > 1)} ago"
    forms = (
        f"Posted {since}", f"Last edited {since}", f"{since} · {rng.randint(1, 20)} min read", f"Updated: {since}",
        f"{rng.choice(DAYS)}, {rng.randint(0, 23)}:{rng.randint(0, 59):02}",
    )  # fmt: skip
    return placed(text, rng.choice(forms), rng)


def _paged(text: str, material: Material, rng: Random) -> str:
    """Page numbers between the lines, as a print leaves them."""
    lines = lines_of(text)
    if len(lines) < 4:
        return text
    page, last = rng.randint(1, 40), rng.randint(41, 90)
    form = rng.choice(("Page {} of {}", "- {} -", "[Page {}]", "{}/{}", "p. {}"))
    places = sorted(rng.sample(range(1, len(lines)), min(rng.randint(1, 4), len(lines) - 1)))
    for turn, place in enumerate(places):
        lines.insert(place + turn, form.format(page + turn, last))
    return "\n\n".join(lines)


def _printed(text: str, material: Material, rng: Random) -> str:
    host = rng.choice(material.boilerplate.names).lower()
    forms = (
        f"Printed from {host}.example on {stamp(rng)}", f"Generated on {stamp(rng)}", f"Saved from www.{host}.example",
        f"(c) {rng.randint(1998, 2025)} {host.title()}", f"Build {rng.randint(100, 9999)}, {stamp(rng)}",
    )  # fmt: skip
    return f"{text}\n\n{rng.choice(forms)}"


EDITS = [
    Edit("stamp", "stamps", AROUND, _stamped, volatile=True),
    Edit("counter", "stamps", AROUND, _counted, volatile=True),
    Edit("reference", "stamps", AROUND, _numbered, volatile=True),
    Edit("session", "stamps", AROUND, _session, volatile=True),
    Edit("relative time", "stamps", AROUND, _ago, volatile=True),
    Edit("page numbers", "stamps", AROUND, _paged, volatile=True),
    Edit("printed", "stamps", AROUND, _printed, volatile=True),
]
