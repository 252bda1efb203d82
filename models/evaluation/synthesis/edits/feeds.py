"""Family "feeds": what agencies, blogs and readers put before and behind a text that they pass on."""

from random import Random

from models.evaluation.synthesis.material.boilerplate import byline
from models.evaluation.synthesis.material.material import Material
from models.evaluation.synthesis.material.splitting import placed
from models.evaluation.synthesis.material.wordlists import MONTHS
from models.evaluation.synthesis.operator import AROUND, Edit

ADDED = 0.1
"""Share of a text that a line may be, to be added."""

_BUTTONS = (
    "Facebook",
    "Twitter",
    "LinkedIn",
    "WhatsApp",
    "Email",
    "Print",
    "Reddit",
    "Link",
    "Pocket",
    "Telegram",
)
_MORE = (
    "Read more", "Continue reading →", "Read the full story", "Read more »", "[…]", "Full text at the link",
    "Show more", "Click here to continue", "More...", "View original",
)  # fmt: skip


def _sourced(text: str, material: Material, rng: Random) -> str:
    who = rng.choice(material.boilerplate.names)
    forms = f"Source: {who};(via {who});From the archive of {who};{byline(material.boilerplate.names, rng)}"
    return placed(text, rng.choice(forms.split(";")), rng)


def _datelined(text: str, material: Material, rng: Random) -> str:
    place, agency = rng.choice(material.boilerplate.names), rng.choice(("Reuters", "AP", "AFP", "dpa", "Newswire"))
    day = f"{rng.choice(MONTHS)[:3]} {rng.randint(1, 28)}"
    forms = (f"{place.upper()}, {day} ({agency}) - ", f"{place.upper()} ({agency}) — ", f"{place} | {day} | ")
    return rng.choice(forms) + text


def _shared(text: str, material: Material, rng: Random) -> str:
    chosen = rng.sample(_BUTTONS, rng.randint(3, 6))
    line = rng.choice((" ", " | ", "\n", " · ")).join(chosen)
    return placed(text, rng.choice(("Share this: ", "Share\n", "", "Share on ")) + line, rng)


def _more(text: str, material: Material, rng: Random) -> str:
    return text + rng.choice(("\n\n", "\n", " ")) + rng.choice(_MORE)


def _tagged(text: str, material: Material, rng: Random) -> str:
    words = rng.sample(material.nouns, min(rng.randint(2, 6), len(material.nouns)))
    if not words:
        return text
    joined = rng.choice((", ".join(words), " ".join(f"#{word}" for word in words), " | ".join(words)))
    return placed(text, rng.choice(("Tags: ", "Filed under: ", "Topics: ", "Categories: ")) + joined, rng)


def _headed(text: str, material: Material, rng: Random) -> str:
    """A line of furniture before the first sentence or behind the last."""
    lines = material.boilerplate.lines or ["Read this first.", "More on this below.", "Thank you for reading."]
    line = rng.choice(lines)
    return placed(text, line, rng) if len(line) <= ADDED * len(text) else text


EDITS = [
    Edit("source", "feeds", AROUND, _sourced, volatile=True),
    Edit("dateline", "feeds", AROUND, _datelined),
    Edit("share buttons", "feeds", AROUND, _shared),
    Edit("read more", "feeds", AROUND, _more),
    Edit("tags", "feeds", AROUND, _tagged),
    Edit("added", "feeds", AROUND, _headed),
]
