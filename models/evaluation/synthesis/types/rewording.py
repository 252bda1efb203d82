"""The same statement in other words: what keeps the sense of a sentence while its wording, order and dress change."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

from models.evaluation.synthesis.material.splitting import WORD, open_words, splice
from models.evaluation.synthesis.short_texts.keyboard import slip

Rewording = Callable[[str, Random], str]

_LISTING = Path(__file__).with_name("paraphrases.txt")
_CONTRACTIONS = """
do not=don't,does not=doesn't,did not=didn't,is not=isn't,are not=aren't,was not=wasn't,were not=weren't,
cannot=can't,could not=couldn't,will not=won't,would not=wouldn't,should not=shouldn't,has not=hasn't,
have not=haven't,it is=it's,that is=that's,there is=there's,you are=you're,we are=we're,they are=they're,
you will=you'll,it will=it'll,I am=I'm,let us=let's
"""
_CONTRACTED = [pair.split("=") for pair in _CONTRACTIONS.replace("\n", "").split(",")]
_NUMERALS = "zero one two three four five six seven eight nine ten eleven twelve"
_FIGURES = _NUMERALS.split()
_FRONT = re.compile(r"((?:In|On|At|During|After|Before|When|If|For|With|By|As|Until|Since) [^,.;]{4,70}), ([^;]{12,})$")
_BACK = re.compile(
    r"([^,;]{12,}?),? ((?:when|if|because|before|after|while|although|until|unless|since|during) [^,;]{8,})$"
)
_JOINED = re.compile(r"\b([a-z]{3,})( and | or )([a-z]{3,})\b(?= *[.,;)]|$)")
_FILLER = re.compile(
    r" (?:also|just|really|very|quite|simply|actually|currently|now|already|then|still|however,)(?= [a-z])"
)
_ARTICLE = re.compile(r"(?<=[a-z,] )(?:the|a|an) (?=[a-z])")
_END = re.compile(r"([.!?]*)\s*$")


def _both_ways() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for pair in _LISTING.read_text(encoding="utf-8").split():
        one, other = pair.replace("_", " ").split("=")
        found.setdefault(one, []).append(other)
        found.setdefault(other, []).append(one)
    return found


SYNONYMS = _both_ways()
"""Word or phrase, in small letters, to what can mostly stand in its place."""
_KNOWN = re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, SYNONYMS), key=len, reverse=True))})\b", re.IGNORECASE)


def _synonyms(text: str, rng: Random) -> str:
    found = [one for one in _KNOWN.finditer(text) if one[0].islower() or one.start() == 0]
    chosen = rng.sample(found, min(rng.randint(1, 3), len(found)))
    return splice(text, [(*one.span(), _cased(rng.choice(SYNONYMS[one[0].lower()]), one[0])) for one in chosen])


def _contracted(text: str, rng: Random) -> str:
    for full, brief in rng.sample(_CONTRACTED, len(_CONTRACTED)):
        old, new = (full, brief) if full in text else (brief, full)
        if re.search(rf"\b{old}\b", text):
            return re.sub(rf"\b{old}\b", new, text)
    return text


def _moved(text: str, rng: Random) -> str:
    """A clause in front goes behind, or the other way round."""
    stop = _END.search(text)
    end = stop[1] if stop else ""
    body = text[: len(text) - len(end)].rstrip() if end else text
    front, back = _FRONT.match(body), _BACK.match(body)
    if front:
        return f"{_upper(front[2])} {_lower(front[1])}{end}"
    return f"{_upper(back[2])}, {_lower(back[1])}{end}" if back else text


def _swapped(text: str, rng: Random) -> str:
    return _JOINED.sub(r"\3\2\1", text, count=1)


def _shortened(text: str, rng: Random) -> str:
    """Words without weight left out."""
    pattern = rng.choice((_FILLER, _ARTICLE))
    found = [one.span() for one in pattern.finditer(text)]
    return splice(text, [(*span, "") for span in rng.sample(found, min(rng.randint(1, 3), len(found)))])


def _filled(text: str, rng: Random) -> str:
    ends = [found.end() for found in re.finditer(r"\b(?:is|are|was|were|can|will|may|has|have)\b(?= [a-z])", text)]
    word = rng.choice(("also", "indeed", "really", "actually", "currently", "now", "already", "simply"))
    return splice(text, [(at, at, f" {word}") for at in rng.sample(ends, min(1, len(ends)))])


def _figures(text: str, rng: Random) -> str:
    """Numbers and percent written the other way."""
    changed = re.sub(r"(?<=\d) percent\b", "%", text) if rng.random() < 0.5 else re.sub(r"(?<=\d) ?%", " percent", text)
    if re.search(r"\d,\d{3}\b", changed):
        return re.sub(r"(?<=\d),(?=\d{3}\b)", "", changed)
    worded = re.sub(rf"\b({'|'.join(_FIGURES[2:])})\b", lambda found: str(_FIGURES.index(found[0])), changed)
    figured = re.sub(r"(?<![\w.,-])(\d|1[0-2])(?![\w%]|[.,]\d)", lambda found: _FIGURES[int(found[0])], changed)
    return worded if worded != changed else figured


def _spaced(text: str, rng: Random) -> str:
    """As a tokeniser leaves it: small letters, signs apart."""
    return re.sub(r"\s*([.,;:!?()\"'])\s*", r" \1 ", text.lower()).strip()


def _plain(text: str, rng: Random) -> str:
    bare = _END.sub("", text)
    return bare.lower() if rng.random() < 0.5 else bare


def _dressed(text: str, rng: Random) -> str:
    """What feeds and pages put before or behind a line."""
    name = "".join(rng.choice("abcdefghijklmnoprstuvw") for _ in range(rng.randint(4, 9)))
    before = (f"{name.title()}: ", "Update: ", f"rt @{name} : ", f"[{name}] ", "New - ", f"{name.title()} | ")
    behind = (
        f" | {name.title()}",
        f" via @{name}",
        f" #{name}",
        f" - {name.title()}.com",
        f" ({name.title()})",
        " ...",
    )
    return rng.choice(before) + text if rng.random() < 0.4 else text + rng.choice(behind)


def _mistyped(text: str, rng: Random) -> str:
    words = [found for found in open_words(text, shortest=6) if found[0].islower()]
    return splice(text, [(*one.span(), slip(one[0], Counter(), rng)) for one in rng.sample(words, min(1, len(words)))])


MEANING: tuple[Rewording, ...] = (
    _synonyms,
    _synonyms,
    _synonyms,
    _moved,
    _swapped,
    _shortened,
    _filled,
    _figures,
    _contracted,
)
DRESS: tuple[Rewording, ...] = (_spaced, _plain, _dressed, _mistyped)


def reworded(text: str, times: int, rng: Random) -> str:
    """Say a sentence otherwise: up to `times` changes of wording, and sometimes another dress."""
    for _ in range(times):
        text = rng.choice(MEANING)(text, rng)
    if rng.random() < 0.4:
        text = rng.choice(DRESS)(text, rng)
    return text


def _cased(new: str, like: str) -> str:
    return _upper(new) if like[0].isupper() else new


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lower(text: str) -> str:
    first = WORD.search(text)
    return (
        text
        if first is None or first[0] == "I" or first[0][1:] != first[0][1:].lower()
        else text[:1].lower() + text[1:]
    )
