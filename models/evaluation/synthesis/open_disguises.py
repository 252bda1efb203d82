"""Type C, open-ended: what people and programs do to a short text so that no filter knows it again.

Every disguise draws its parameters and its material at random each time; none takes its characters from the tables by
which `models.lexical.canonical` reads them, but from Unicode's own names and blocks.
"""

import re
import string
import unicodedata
from collections.abc import Callable
from functools import cache
from random import Random

Disguise = Callable[[str, Random], str]

_HEAVY = {
    "a": "4 @ ^", "b": "8 6", "c": "( < ¢", "e": "3 €", "g": "9 6", "h": "#", "i": "1 ! |", "l": "1 | £", "o": "0",
    "s": "5 $ §", "t": "7 +", "z": "2", "y": "¥",
}  # fmt: skip
_LIGHT = {"a": "4", "e": "3", "i": "1", "o": "0", "s": "5", "t": "7"}
_ALPHABETS = {
    "greek": dict(zip("aeiouvxptkABEHIKMNOPTXYZ", "αειουνχρτκΑΒΕΗΙΚΜΝΟΡΤΧΥΖ", strict=True)),
    "cyrillic": dict(zip("aceopxyijsABCEHKMOPTX", "асеорхуіјѕАВСЕНКМОРТХ", strict=True)),
    "armenian": dict(zip("hnousgqfw", "հոօսѕցզքա", strict=True)),
    "cherokee": dict(zip("ABCDEGHJKLMPRSTVWYZ", "ᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᎩᏃ", strict=True)),
    "lisu": dict(zip("ABCDEFGHJKLMNOPRSTUVWXYZ", "ꓮꓐꓚꓓꓰꓝꓖꓧꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ", strict=True)),
    "small capitals": dict(zip("abcdefghijklmnoprtuvwyz", "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀᴛᴜᴠᴡʏᴢ", strict=True)),
}
_KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_NEAR = {row[at]: row[max(at - 1, 0) : at] + row[at + 1 : at + 2] for row in _KEYS for at in range(len(row))}
_TAGS = (
    "FWD:", "Fwd:", "Re:", "RE: FW:", "[promo]", "[AD]", "(sponsored)", "RT @{name}:", "#ad", "BREAKING:", "Update -",
    "Just in |", "ICYMI:", "PSA:", "Reminder:", "»", "***", "[{name}]", "{name}:", "<{name}>", "Forwarded message:",
)  # fmt: skip
_TAILS = (
    "via @{name}", "(via {name})", "#{name}", "#ad #{name}", "[more]", "/cc @{name}", "— {name}", "pls share", "RT pls",
    "// sent from my phone", "[{name}]", "<3", "xoxo", "+++", "*copied*",
)  # fmt: skip
_MORE = ("Read more", "read more...", "… Continue reading", "More >", "See more", "[…] Read more »", "Learn more.")
_HOMES = ("Home", "Start", "Index", "Main page", "Portal")
_SECTIONS = ("News", "Articles", "Blog", "World", "Local", "Sport", "Opinion", "Archive", "Products", "Help")
_FILLERS = ("really", "just", "simply", "truly", "actually", "indeed", "also", "certainly", "quite", "clearly")
_DECOR = "✨🔥🎉⭐💥👉💯🚀❤😂🙏🌟➡★☆♥♪✿☺❖"
_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
_MARKS = [
    chr(code) for code in (*range(0x300, 0x315), *range(0x316, 0x334), *range(0x339, 0x345), *range(0x1DC4, 0x1DD0))
]
_WORD = re.compile(r"[^\W\d_]+")
_TOKEN = re.compile(r"\S+")


def _letters(text: str, rng: Random, chance: float, change: Callable[[str], str]) -> str:
    """Change each letter with a chance; words that hold digits and addresses stay as they are."""
    changed = []
    for piece in re.split(r"(\S*[\d@#/]\S*)", text):
        keep = re.search(r"[\d@#/]", piece)
        changed.append(
            piece if keep else "".join(change(one) if one.isalpha() and rng.random() < chance else one for one in piece)
        )
    return "".join(changed)


def _mapped(table: dict[str, str], rng: Random) -> Callable[[str], str]:
    def change(letter: str) -> str:
        found = table.get(letter) or table.get(letter.lower()) or table.get(letter.upper())
        return rng.choice(found.split()) if found else letter

    return change


def _leet(text: str, rng: Random) -> str:
    return _letters(text, rng, rng.uniform(0.3, 0.8), _mapped(_LIGHT, rng))


def _heavy_leet(text: str, rng: Random) -> str:
    return _letters(text, rng, rng.uniform(0.6, 1), _mapped(_HEAVY, rng))


def _alphabet(*names: str) -> Disguise:
    def disguise(text: str, rng: Random) -> str:
        table: dict[str, str] = {}
        for name in rng.sample(names, rng.randint(1, len(names))):
            table |= _ALPHABETS[name]
        return _letters(text, rng, rng.uniform(0.3, 1), _mapped(table, rng))

    return disguise


@cache
def _styles(words: str) -> list[dict[str, str]]:
    """Alphabets of Unicode whose letters are named by these words and a letter, at least twenty of a kind."""
    found: dict[str, dict[str, str]] = {}
    for code in (*range(0x2100, 0x2150), *range(0x24B6, 0x24EA), *range(0x249C, 0x24B6), *range(0xFF21, 0xFF5B),
                 *range(0x1D400, 0x1D6A4), *range(0x1F110, 0x1F18A), *range(0x1F1E6, 0x1F200)):  # fmt: skip
        name = unicodedata.name(chr(code), "")
        kind, _, letter = name.rpartition(" ")
        if len(letter) == 1 and re.match(words, name):
            small = "SMALL" in kind or ("CAPITAL" not in kind and "REGIONAL" not in kind)
            style = kind.replace("SMALL ", "").replace("CAPITAL ", "")
            found.setdefault(style, {})[letter.lower() if small else letter] = chr(code)
    return [style for style in found.values() if len(style) >= 20]


def _styled(words: str) -> Disguise:
    def disguise(text: str, rng: Random) -> str:
        table = rng.choice(_styles(words))
        if rng.random() < 0.5:
            return _letters(text, rng, rng.uniform(0.5, 1), _mapped(table, rng))
        chance = rng.uniform(0.3, 1)
        return _TOKEN.sub(
            lambda found: _letters(found[0], rng, 1, _mapped(table, rng)) if rng.random() < chance else found[0], text
        )

    return disguise


def _apart(*gaps: str) -> Disguise:
    """Letters set apart: in the whole text, or in some words."""

    def disguise(text: str, rng: Random) -> str:
        gap, some = rng.choice(gaps), rng.choice((1.0, rng.uniform(0.3, 0.8)))
        words = text.split()
        between = "  " if gap == " " and rng.random() < 0.7 else " "
        spread = [gap.join(word) if word.isalpha() and rng.random() < some else word for word in words]
        return between.join(spread)

    return disguise


def _held(text: str, rng: Random) -> str:
    chance = rng.uniform(0.15, 0.5)

    def hold(found: re.Match[str]) -> str:
        word = found[0]
        if rng.random() > chance or len(word) < 2:
            return word
        at = rng.choice([at for at, letter in enumerate(word) if letter in "aeiouAEIOU"] or [len(word) - 1])
        return word[:at] + word[at] * rng.randint(2, 7) + word[at:]

    return _WORD.sub(hold, text)


def _doubled(text: str, rng: Random) -> str:
    chance = rng.uniform(0.05, 0.2)
    return _letters(text, rng, chance, lambda letter: letter * 2)


def _slips(text: str, rng: Random) -> str:
    def slip(letter: str) -> str:
        near = _NEAR.get(letter.lower())
        return rng.choice(near) if near else letter

    return _WORD.sub(lambda word: word[0][0] + _letters(word[0][1:], rng, 0.06, slip), text)


def _swapped(text: str, rng: Random) -> str:
    def swap(found: re.Match[str]) -> str:
        word = found[0]
        if len(word) < 4 or rng.random() > 0.25:
            return word
        at = rng.randrange(1, len(word) - 1)
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]

    return _WORD.sub(swap, text)


def _no_vowels(text: str, rng: Random) -> str:
    chance = rng.uniform(0.4, 1)
    return _WORD.sub(
        lambda word: (
            word[0][0]
            + "".join(
                one for one in word[0][1:] if one not in "aeiouAEIOU" or len(word[0]) < 4 or rng.random() > chance
            )
        ),
        text,
    )


def _lost(text: str, rng: Random) -> str:
    def lose(found: re.Match[str]) -> str:
        word = found[0]
        if len(word) < 5 or rng.random() > 0.3:
            return word
        at = rng.randrange(1, len(word))
        return word[:at] + word[at + 1 :]

    return _WORD.sub(lose, text)


def _masked(text: str, rng: Random) -> str:
    def mask(found: re.Match[str]) -> str:
        word = found[0]
        if len(word) < 4 or rng.random() > 0.25:
            return word
        at = rng.randrange(1, len(word) - 1)
        return word[:at] + rng.choice("*_.-") + word[at + 1 :]

    return _WORD.sub(mask, text)


def _marked(text: str, rng: Random) -> str:
    most = rng.randint(1, 4)
    return _letters(
        text,
        rng,
        rng.uniform(0.3, 1),
        lambda one: one + "".join(rng.choice(_MARKS) for _ in range(rng.randint(1, most))),
    )


def _invisible(text: str, rng: Random) -> str:
    return _letters(text, rng, rng.uniform(0.05, 0.5), lambda one: one + rng.choice(_INVISIBLE))


def _decorated(text: str, rng: Random) -> str:
    return " ".join(
        word + (" " + rng.choice(_DECOR) * rng.randint(1, 3) if rng.random() < 0.3 else "") for word in text.split()
    )


def _between(text: str, rng: Random) -> str:
    sign = rng.choice(_DECOR + "*~_•")
    return sign.join(text.split()) if rng.random() < 0.5 else f" {sign} ".join(text.split())


def _case(text: str, rng: Random) -> str:
    form = rng.randrange(4)
    if form == 3:
        return "".join(rng.choice((one.lower(), one.upper())) for one in text)
    return (text.upper(), text.swapcase(), text.title())[form]


def _name(rng: Random) -> str:
    return "".join(rng.choice("bcdfghklmnprstvz") + rng.choice("aeiou") for _ in range(rng.randint(2, 4)))


def _tag(text: str, rng: Random) -> str:
    for _ in range(rng.randint(1, 2)):
        text = f"{rng.choice(_TAGS).format(name=_name(rng))} {text}"
    return text


def _tail(text: str, rng: Random) -> str:
    for _ in range(rng.randint(1, 2)):
        text = f"{text} {rng.choice(_TAILS).format(name=_name(rng))}"
    return text


def _both_ends(text: str, rng: Random) -> str:
    return _tail(_tag(text, rng), rng)


def _more(text: str, rng: Random) -> str:
    return text + rng.choice((" ", "\n", " ... ")) + rng.choice(_MORE)


def _crumbs(text: str, rng: Random) -> str:
    sign = rng.choice((" > ", " / ", " » ", " | ", " › "))
    trail = sign.join([rng.choice(_HOMES), *rng.sample(_SECTIONS, rng.randint(1, 2))])
    return trail + rng.choice(("\n", sign)) + text


def _link(text: str, rng: Random) -> str:
    path = "".join(rng.choices(string.ascii_letters + string.digits, k=rng.randint(4, 9)))
    host = rng.choice(("t.co", "bit.ly", "www.example.com", f"{_name(rng)}.net"))
    return f"{text} {'' if host.startswith('www') else rng.choice(('http://', 'https://'))}{host}/{path}"


def _handle(text: str, rng: Random) -> str:
    return rng.choice(("@{0} {1}", "{1} @{0}", ".@{0} {1}")).format(_name(rng), text)


def _hashtags(text: str, rng: Random) -> str:
    return text + "".join(f" #{_name(rng)}" for _ in range(rng.randint(1, 3)))


def _filler(text: str, rng: Random) -> str:
    words = text.split(" ")
    gaps = [at for at in range(1, len(words)) if words[at - 1].isalpha() and words[at].isalpha()]
    if not gaps:
        return text
    at = rng.choice(gaps)
    return " ".join([*words[:at], rng.choice(_FILLERS), *words[at:]])


def _quoted(text: str, rng: Random) -> str:
    one, other = rng.choice(("“”", "«»", '""', "''", "„“", "()", "**", "__"))
    bare = re.sub(r"(?<=[^\W\d])[.,;!?]+(?=\s|$)", lambda found: rng.choice(("", "!", "...", found[0])), text)
    return f"{one}{bare}{other}"


def _split(text: str, rng: Random) -> str:
    def tear(found: re.Match[str]) -> str:
        word = found[0]
        if len(word) < 5 or rng.random() > 0.35:
            return word
        at = rng.randrange(2, len(word) - 1)
        return f"{word[:at]} {word[at:]}"

    return _WORD.sub(tear, text)


def _run_together(text: str, rng: Random) -> str:
    chance = rng.choice((1.0, 0.4))
    return re.sub(r"(?<=[^\W\d]) (?=[^\W\d])", lambda _: "" if rng.random() < chance else " ", text)


DISGUISES: dict[str, dict[str, Disguise]] = {
    "leet": {"leet": _leet, "heavy leet": _heavy_leet, "masked letters": _masked},
    "alphabets": {
        "greek and cyrillic": _alphabet("greek", "cyrillic"),
        "cherokee, armenian, lisu": _alphabet("cherokee", "armenian", "lisu"),
        "small capitals": _alphabet("small capitals"),
    },
    "styles": {
        "full width": _styled("FULLWIDTH"),
        "mathematical": _styled("MATHEMATICAL"),
        "enclosed": _styled("(NEGATIVE )?(CIRCLED|SQUARED|PARENTHESIZED)|REGIONAL"),
    },
    "spacing": {
        "apart by blanks": _apart(" "),
        "apart by signs": _apart(".", "-", "_", "*", "·", "|"),
        "torn words": _split,
        "run together": _run_together,
    },
    "lengths": {"held letters": _held, "doubled letters": _doubled},
    "slips": {"keyboard": _slips, "swapped letters": _swapped},
    "losses": {"lost letters": _lost, "no vowels": _no_vowels},
    "marks": {"invisible": _invisible, "piled marks": _marked},
    "decoration": {"emoji": _decorated, "signs between words": _between, "quotes and points": _quoted, "case": _case},
    "ends": {"tag in front": _tag, "tail": _tail, "both ends": _both_ends},
    "frames": {"read more": _more, "breadcrumb": _crumbs},
    "addresses": {"hashtags": _hashtags, "handle": _handle, "link": _link},
    "words": {"filler": _filler},
}
"""Disguises by family."""


def stacked(text: str, disguises: list[Disguise], rng: Random) -> str:
    """Apply several disguises; those of whole words come first, since the others leave no words to them."""
    order = [one for family in reversed(DISGUISES.values()) for one in family.values()]
    for disguise in sorted(disguises, key=order.index):
        text = disguise(text, rng)
    return text
