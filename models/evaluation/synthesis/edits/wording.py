"""Family "wording": one or two words spelled or said otherwise, none of which states a fact."""

import re
from collections.abc import Callable
from random import Random

from models.evaluation.synthesis.material.material import Material
from models.evaluation.synthesis.material.splitting import open_words, splice
from models.evaluation.synthesis.operator import WORDS, Edit
from models.evaluation.synthesis.short_texts.keyboard import slip

_SPELLINGS = """
colour color, favour favor, honour honor, labour labor, behaviour behavior, neighbour neighbor, centre center,
metre meter, litre liter, theatre theater, licence license, defence defense, organise organize, realise realize,
recognise recognize, initialise initialize, customise customize, optimise optimize, analyse analyze, catalogue catalog,
dialogue dialog, programme program, travelled traveled, cancelled canceled, modelling modeling, labelled labeled,
grey gray, judgement judgment, artefact artifact, fulfil fulfill, enrol enroll, whilst while,
amongst among, towards toward, learnt learned, spelt spelled, e-mail email, on-line online, web-site website,
file-name filename, data-base database, organisation organization, authorised authorized, minimise minimize,
utilise utilize, summarise summarize, serialise serialize, colours colors, centred centered, cosy cozy, plough plow
"""
_FUNCTION = """
therefore=thus, for example=for instance, due to=because of, as well as=and also, prior to=before, so that=such that,
a number of=several, in addition=furthermore, are able to=can, each of the=every one of the, however=nevertheless,
in the event that=if, perhaps=maybe, often=frequently, usually=normally, begins=starts, big=large
"""
_ONE_WAY = """
upon=on, in order to=to, such as=like, whether or not=whether, subsequent to=after, a lot of=many, is able to=can,
make use of=use, makes use of=uses, in which=where, at this point=now, by means of=by, with respect to=about
"""
_FILLERS = (
    "also",
    "just",
    "indeed",
    "simply",
    "actually",
    "currently",
    "generally",
    "typically",
    "in fact",
    "of course",
)
_CONTRACTIONS = """
it is=it's, that is=that's, there is=there's, you are=you're, we are=we're, they are=they're, you will=you'll,
it will=it'll, I am=I'm, let us=let's, do not=don't, does not=doesn't, is not=isn't, are not=aren't, cannot=can't
"""


def _table(listing: str, joint: str) -> list[tuple[str, str]]:
    pairs = [entry.strip().split(joint) for entry in listing.replace("\n", " ").split(",")]
    return [(one, other) for one, other in pairs]


def _known(pairs: list[tuple[str, str]], one_way: list[tuple[str, str]]) -> tuple[re.Pattern[str], dict[str, str]]:
    turned = dict(pairs) | {other: one for one, other in pairs} | dict(one_way)
    longest = sorted(map(re.escape, turned), key=len, reverse=True)
    return re.compile(rf"(?<![\w@/.-])(?:{'|'.join(longest)})(?![\w@/-])"), turned


_SPELLED = _known(_table(_SPELLINGS, " "), [])
_SAID = _known(_table(_FUNCTION, "="), _table(_ONE_WAY, "="))
_CONTRACTED = _known(_table(_CONTRACTIONS, "="), [])


def exchanged(known: tuple[re.Pattern[str], dict[str, str]], most: int) -> Callable[[str, Material, Random], str]:
    """Exchange up to `most` of the words and phrases that a table knows."""

    def change(text: str, material: Material, rng: Random) -> str:
        found = list(known[0].finditer(text))
        chosen = rng.sample(found, min(rng.randint(1, most), len(found)))
        return splice(text, [(*one.span(), known[1][one[0]]) for one in chosen])

    return change


def _mistyped(text: str, material: Material, rng: Random) -> str:
    """One or two slips of the keyboard, in words that are neither names nor numbers."""
    words = [found for found in open_words(text, shortest=6) if found[0].islower()]
    chosen = rng.sample(words, min(rng.randint(1, 2), len(words)))
    return splice(text, [(*found.span(), slip(found[0], material.vocabulary, rng)) for found in chosen])


def _punctuated(text: str, material: Material, rng: Random) -> str:
    """A few commas gone, or added before a conjunction; a blank before colons; stops at line ends."""
    commas = [found.span() for found in re.finditer(r"(?<=[^\W\d]),(?= [^\W\d])", text)]
    bare = [found.start() for found in re.finditer(r"(?<=[^\W\d])(?= (?:and|or|but|which|because|when|und|et) )", text)]
    gone = rng.sample(commas, min(len(commas), rng.randint(0, 3)))
    new = rng.sample(bare, min(len(bare), rng.randint(1, 3)))
    return splice(text, [*((*span, "") for span in gone), *((at, at, ",") for at in new)])


def _inserted(text: str, material: Material, rng: Random) -> str:
    """A word without weight behind an auxiliary."""
    ends = [
        f.end() for f in re.finditer(r"\b(?:is|are|was|were|can|will|may|has|have)\b(?= [a-z]{3,}\b(?<!not))", text)
    ]
    chosen = rng.sample(ends, min(rng.randint(1, 2), len(ends)))
    return splice(text, [(at, at, f" {rng.choice(_FILLERS)}") for at in sorted(chosen)])


EDITS = [
    Edit("typo", "wording", WORDS, _mistyped),
    Edit("spelling", "wording", WORDS, exchanged(_SPELLED, 6)),
    Edit("function words", "wording", WORDS, exchanged(_SAID, 3)),
    Edit("contraction", "wording", WORDS, exchanged(_CONTRACTED, 4)),
    Edit("punctuation", "wording", WORDS, _punctuated),
    Edit("filler", "wording", WORDS, _inserted),
]
