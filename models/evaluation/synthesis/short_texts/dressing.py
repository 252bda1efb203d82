"""Families "decoration", "tags" and "short edits": what stands around or between the words of a short text."""

import re
from collections import Counter
from random import Random

from models.evaluation.synthesis.material.splitting import open_words, splice
from models.evaluation.synthesis.material.wordlists import EMOJI
from models.evaluation.synthesis.short_texts.keyboard import gaps
from models.evaluation.synthesis.short_texts.perturbation import Perturbation, on_words

_TAGS = "news,update,breaking,fyi,share,viral,today,trending,mustread,info,daily,live,repost,follow,please,wow,tips,new"
_FORWARDING = ("RT", "Fwd:", "FW:", "FWD:", "WG:", "Forwarded:", "repost:", "+1", "Via:", "[forwarded]", "Shared:")
_ASIDES = ("[update]", "(video)", "[pics]", "BREAKING:", "Update:", "NEW -", "(via feed)", "LIVE:", "[reposted]")
_MORE = ("Read more", "read more »", "Continue reading →", "[...]", "More…", "Click here", "See full post", "(more)")
_SECTIONS = ("Home", "News", "World", "Blog", "Archive", "Topics", "Articles", "Forum", "Help", "Products", "Latest")
_FILLERS = ("also", "just", "really", "indeed", "simply", "actually", "currently", "basically", "very much", "again")
_FRAMES = (("***", "***"), (">>", "<<"), ("[", "]"), ("~ ", " ~"), ("«", "»"), ("— ", " —"), ("★ ", " ★"), ('"', '"'))


def handle(rng: Random) -> str:
    """Invent an account name."""
    syllables = ("ka", "mo", "ri", "ten", "sol", "bee", "lu", "dax", "por", "nim", "vel", "zo")
    return "".join(rng.choice(syllables) for _ in range(rng.randint(2, 4))) + rng.choice(("", "", "_", "x", "hq"))


def _emoji(text: str, vocabulary: Counter[str], rng: Random) -> str:
    ends = [found.start() for found in re.finditer(r"(?<=\S)(?=\s)", text)]
    chosen = {rng.choice([*ends, 0, len(text), len(text)]) for _ in range(rng.randint(1, 3))}
    return splice(text, [(at, at, f" {rng.choice(EMOJI)} ") for at in sorted(chosen)]).strip()


def _marks(text: str, vocabulary: Counter[str], rng: Random) -> str:
    mark = rng.choice(("*", "|", "_", "~", "**", "`", "·"))
    return on_words(text, rng, lambda word: f"{mark}{word}{mark}", strength=rng.choice((0.3, 0.8)))


def _parted(text: str, vocabulary: Counter[str], rng: Random) -> str:
    """One sign between all words that state no fact, in place of the blanks or between them."""
    sign = rng.choice([*EMOJI, "*", "~", "•", "·", "★"])
    joint = sign if rng.random() < 0.5 else f" {sign} "
    return splice(text, [(*gap, joint) for gap in gaps(text, 1)])


def _framed(text: str, vocabulary: Counter[str], rng: Random) -> str:
    before, behind = rng.choice(_FRAMES)
    return f"{before}{text}{behind}"


def _hashed(text: str, vocabulary: Counter[str], rng: Random) -> str:
    """Words of the text become tags."""
    return on_words(text, rng, lambda word: f"#{word}", strength=0.3)


def _tagged(text: str, vocabulary: Counter[str], rng: Random) -> str:
    """One to four tags in front or behind: common ones, or words of the text."""
    own = [found[0].lower() for found in open_words(text, 5)]
    pool = _TAGS.split(",") + own
    tags = " ".join(f"{rng.choice('###@')}{rng.choice(pool)}" for _ in range(rng.randint(1, 4)))
    return f"{tags} {text}" if rng.random() < 0.35 else f"{text}{rng.choice((' ', '  ', chr(10)))}{tags}"


def _forwarded(text: str, vocabulary: Counter[str], rng: Random) -> str:
    form = rng.randrange(4)
    if form == 0:
        return f"RT @{handle(rng)}: {text}"
    if form == 1:
        return f"{text} {rng.choice(('via', 'h/t', 'cc', '—', '/cc'))} @{handle(rng)}"
    if form == 2:
        return " ".join([*rng.choices(_FORWARDING, k=rng.randint(1, 2)), text])
    return f"{rng.choice(_ASIDES)} {text}" if rng.random() < 0.6 else f"{text} {rng.choice(_ASIDES)}"


def _linked(text: str, vocabulary: Counter[str], rng: Random) -> str:
    token = "".join(rng.choice("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789") for _ in range(8))
    address = rng.choice((f"https://t.co/{token}", f"http://bit.ly/{token}", f"https://{handle(rng)}.example/{token}"))
    return f"{text} {address}" if rng.random() < 0.8 else f"{address} {text}"


def _more(text: str, vocabulary: Counter[str], rng: Random) -> str:
    return f"{text}{rng.choice((' ', chr(10), ' … '))}{rng.choice(_MORE)}"


def _located(text: str, vocabulary: Counter[str], rng: Random) -> str:
    """A trail of sections above the text."""
    trail = rng.choice((" > ", " / ", " » ", " | ")).join(rng.sample(_SECTIONS, rng.randint(2, 4)))
    return f"{trail}\n{text}"


def _filled(text: str, vocabulary: Counter[str], rng: Random) -> str:
    """One word without weight more, behind an auxiliary or at the front."""
    ends = [f.end() for f in re.finditer(r"\b(?:is|are|was|were|can|will|may|has|have|I|we)\b(?= [a-z]{3})", text)]
    ends = [at for at in ends if not text[at : at + 5].lower().startswith((" not", " no "))]
    if ends:
        at = rng.choice(ends)
        return f"{text[:at]} {rng.choice(_FILLERS)}{text[at:]}"
    return f"{rng.choice(('So', 'Well', 'And', 'Oh', 'Look'))}, {text}"


def _lesser(text: str, vocabulary: Counter[str], rng: Random) -> str:
    """One article less."""
    found = [one.span() for one in re.finditer(r"(?<=[a-z,] )(?:the|a|an) (?=[a-z])", text)]
    return splice(text, [(*rng.choice(found), "")]) if found else text


PERTURBATIONS = [
    Perturbation("filler word", "short edits", _filled),
    Perturbation("article", "short edits", _lesser),
    Perturbation("emoji", "decoration", _emoji),
    Perturbation("marks", "decoration", _marks),
    Perturbation("parted", "decoration", _parted),
    Perturbation("frame", "decoration", _framed),
    Perturbation("hashtags", "tags", _hashed),
    Perturbation("tags around", "tags", _tagged),
    Perturbation("forwarding", "tags", _forwarded),
    Perturbation("link", "tags", _linked),
    Perturbation("more", "short edits", _more),
    Perturbation("breadcrumb", "short edits", _located),
]
