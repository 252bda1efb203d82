"""Families "leet", "script", "invisible", "apart" and "prolonged": letters that a reader sees through.

Figures and words that state facts keep their form, but for other forms of the same letter that Unicode folds back. No
characters are taken from the tables by which `models.lexical.text.canonical` reads them.
"""

import unicodedata
from collections import Counter
from random import Random

from models.evaluation.synthesis.material.splitting import open_words, splice
from models.evaluation.synthesis.short_texts.perturbation import Perturbation, on_words

_LEET = {"a": "4@", "e": "3", "i": "1!", "o": "0", "s": "5$", "t": "7", "b": "8", "g": "9", "l": "1|", "z": "2"}
_MORE_LEET = {**_LEET, "a": "4@^", "c": "(<", "e": "3€", "i": "1!|", "s": "5$§", "t": "7+", "l": "1|£", "x": "%"}
_HOMOGLYPHS = """
aаɑα bЬƅ cсϲᴄ dԁɗ eеҽ gɡց hһհ iіι jјϳ kκк lӏ nոп oоοօ pрρ qԛզ rгᴦ sѕꜱ tтτ uυս vνѵ wԝѡ xхχ yуγ zᴢʐ
AАΑᎪꓮ BВΒᏴꓐ CСϹᏟꓚ DᎠꓓ EЕΕᎬꓰ FꓝϜ GᏀꓖ HНΗᎻꓧ IІΙ JЈᎫꓙ KКΚᏦꓗ LᏞꓡ MМΜᎷꓟ NΝꓠ OОΟՕꓳ PРΡᏢꓑ RᎡꓣ SЅՏᏚꓢ TТΤᎢꓔ UՍꓴ VѴᏙꓦ
WԜᎳꓪ XХΧꓫ YҮΥꓬ ZΖᏃꓜ
"""
_LOOKALIKE = {entry[0]: entry[1:] for entry in _HOMOGLYPHS.split()}
_UPPER, _LOWER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"
_STARTS = (
    (0x1D400, 0x1D41A), (0x1D468, 0x1D482), (0x1D4D0, 0x1D4EA), (0x1D56C, 0x1D586), (0x1D5A0, 0x1D5BA),
    (0x1D5D4, 0x1D5EE), (0x1D608, 0x1D622), (0x1D63C, 0x1D656), (0x1D670, 0x1D68A), (0x24B6, 0x24D0), (0xFF21, 0xFF41),
    (0x1F130, 0x1F130), (0x1F150, 0x1F150), (0x1F170, 0x1F170), (0x1F1E6, 0x1F1E6),
)  # fmt: skip
ALPHABETS = [
    {**{c: chr(upper + at) for at, c in enumerate(_UPPER)}, **{c: chr(lower + at) for at, c in enumerate(_LOWER)}}
    for upper, lower in _STARTS
]
"""Mathematical, enclosed and wide forms of the Latin letters; where capitals serve for both, both look alike."""
_SMALL = dict(zip(_LOWER, "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡxʏᴢ", strict=True))
_MARKS = "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030c\u0323\u0327\u0331"
_STRIKES = "\u0335\u0336\u0332\u0337\u0338\u033d\u0353"
_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u2063"

_UNDONE = {ord(sign): letter for letter, signs in _MORE_LEET.items() for sign in signs if not sign.isalpha()}
_UNDONE |= {ord(form.casefold()): letter.casefold() for letter, forms in _LOOKALIKE.items() for form in forms}
_UNDONE |= {ord(form): letter for letter, form in _SMALL.items() if not form.isascii()}
_UNDONE |= {ord(form): letter.casefold() for letters in ALPHABETS for letter, form in letters.items()}


def undisguised(text: str) -> str:
    """Return the letters of a text, whatever their case, spacing, marks and disguise.

    This undoes what this module does, so that tests and bounds can measure what is left; it is no method.
    """
    shown = "".join(c for c in unicodedata.normalize("NFKD", text.translate(_UNDONE)) if not unicodedata.combining(c))
    return "".join(c for c in shown.casefold().translate(_UNDONE) if c.isalpha())


def _leet(text: str, vocabulary: Counter[str], rng: Random) -> str:
    """Figures for letters; the first letter stays, so that no word becomes a number."""
    chance = rng.uniform(0.3, 1)

    def disguise(word: str) -> str:
        return word[0] + "".join(
            rng.choice(_LEET[letter]) if letter in _LEET and rng.random() < chance else letter for letter in word[1:]
        )

    return on_words(text, rng, disguise)


def _heavy_leet(text: str, vocabulary: Counter[str], rng: Random) -> str:
    """Figures and signs for letters in most of the words."""
    chance = rng.uniform(0.5, 1)

    def disguise(word: str) -> str:
        return word[0] + "".join(
            rng.choice(_MORE_LEET[letter]) if letter in _MORE_LEET and rng.random() < chance else letter
            for letter in word[1:]
        )

    return on_words(text, rng, disguise, 3, strength=rng.uniform(0.5, 1))


def _masked(text: str, vocabulary: Counter[str], rng: Random) -> str:
    """A letter within a word hidden behind a sign."""

    def mask(word: str) -> str:
        at = rng.randrange(1, len(word) - 1)
        return word[:at] + rng.choice("*_.-") + word[at + 1 :]

    return on_words(text, rng, mask)


def _lookalikes(text: str, vocabulary: Counter[str], rng: Random) -> str:
    """Letters of other scripts that look the same; the text then mixes one script or several with its own."""
    chance, only = rng.uniform(0.3, 0.9), rng.choice((None, None, 0, -1))

    def disguise(word: str) -> str:
        forms = ((letter, _LOOKALIKE.get(letter, letter)) for letter in word)
        return "".join(
            (rng.choice(form) if only is None else form[only]) if rng.random() < chance else letter
            for letter, form in forms
        )

    return on_words(text, rng, disguise, strength=rng.choice((0.2, 0.5, 1)))


def _alphabet(text: str, vocabulary: Counter[str], rng: Random) -> str:
    """Words, or the whole text, in mathematical, enclosed, wide or small capital letters."""
    letters = rng.choice([*ALPHABETS, *ALPHABETS, _SMALL])
    if rng.random() < 0.5:
        return on_words(text, rng, lambda word: "".join(letters.get(c, c) for c in word), strength=0.5)
    words = open_words(text, 1)
    return splice(text, [(*found.span(), "".join(letters.get(c, c) for c in found[0])) for found in words])


def _accents(text: str, vocabulary: Counter[str], rng: Random) -> str:
    """Accents that nobody writes there."""
    chance = rng.uniform(0.1, 0.6)
    composed = rng.random() < 0.5

    def disguise(word: str) -> str:
        marked = "".join(c + rng.choice(_MARKS) if c.isalpha() and rng.random() < chance else c for c in word)
        return unicodedata.normalize("NFC" if composed else "NFD", marked)

    return on_words(text, rng, disguise, strength=rng.choice((0.3, 1)))


def _struck(text: str, vocabulary: Counter[str], rng: Random) -> str:
    """Letters struck through or underlined."""
    strike = rng.choice(_STRIKES)
    return on_words(text, rng, lambda word: "".join(c + strike for c in word), 3, strength=rng.choice((0.3, 1)))


def _invisible(text: str, vocabulary: Counter[str], rng: Random) -> str:
    """Signs without width within words, of one kind or mixed."""
    signs = rng.choice((_INVISIBLE, rng.choice(_INVISIBLE)))

    def hide(word: str) -> str:
        at = rng.randrange(1, len(word))
        return word[:at] + rng.choice(signs) + word[at:]

    return on_words(text, rng, hide, strength=rng.choice((0.2, 0.7)))


def _apart(text: str, vocabulary: Counter[str], rng: Random) -> str:
    """Letters of some words, or of all that state no fact, set apart."""
    joint = rng.choice((" ", " ", ".", "-", "_", " . ", "*", "\u00a0"))
    if rng.random() < 0.6:
        return on_words(text, rng, joint.join, 3, strength=0.3)
    return splice(text, [(*found.span(), joint.join(found[0])) for found in open_words(text, 2)])


def _prolonged(text: str, vocabulary: Counter[str], rng: Random) -> str:
    """Letters held: the last one, a vowel, or any within a word."""

    def hold(word: str) -> str:
        vowels = [at for at, letter in enumerate(word) if letter in "aeiou"]
        at = rng.choice([len(word) - 1, *vowels])
        return word[:at] + word[at] * rng.randint(3, 7) + word[at + 1 :]

    return on_words(text, rng, hold, 3)


def _doubled(text: str, vocabulary: Counter[str], rng: Random) -> str:
    """Letters written twice, here and there in most words."""
    chance = rng.uniform(0.05, 0.2)
    return on_words(
        text,
        rng,
        lambda word: "".join(c * 2 if rng.random() < chance else c for c in word),
        strength=rng.uniform(0.5, 1),
    )


PERTURBATIONS = [
    Perturbation("masked", "leet", _masked, lossy=True),
    Perturbation("prolonged", "prolonged", _prolonged),
    Perturbation("doubled", "prolonged", _doubled),
    Perturbation("leet", "leet", _leet),
    Perturbation("heavy leet", "leet", _heavy_leet),
    Perturbation("apart", "apart", _apart),
    Perturbation("zero width", "invisible", _invisible),
    Perturbation("homoglyph", "script", _lookalikes),
    Perturbation("alphabet", "script", _alphabet),
    Perturbation("accents", "script", _accents),
    Perturbation("struck", "script", _struck),
]
