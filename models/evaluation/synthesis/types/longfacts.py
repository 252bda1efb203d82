"""Type F at any length: one fact changed in one sentence of a text of 20 to 2,000 words."""

import math
import re
from random import Random

from models.evaluation.synthesis.edits.edits import touched
from models.evaluation.synthesis.material.material import Material
from models.evaluation.synthesis.material.splitting import WORD, clip, is_prose, plain, sentence_starts
from models.evaluation.synthesis.operator import Made, Make, Operator
from models.evaluation.synthesis.types.swaps import FAMILIES, SWAPS

WORDS_OF_TEXT = 20, 2_000
_LETTERS_PER_WORD = 6


def _one_fact(name: str) -> Make:
    def make(text: str, document: int, material: Material, rng: Random) -> Made | None:
        # as many short texts as long ones: the logarithm of the length is drawn evenly
        words = math.exp(rng.uniform(*map(math.log, WORDS_OF_TEXT)))
        page = clip(text, int(words * _LETTERS_PER_WORD))
        if len(WORD.findall(page)) < WORDS_OF_TEXT[0]:
            return None
        changed = change_one(page, name, material, rng)
        if changed is None or plain(changed) == plain(page):
            return None
        copy, applied = touched(changed, rng.choice((0, 0, 1)), material, rng)
        return Made(page, copy, "+".join([f"long {name}", *applied]))

    return make


def change_one(page: str, name: str, material: Material, rng: Random) -> str | None:
    """Change one fact of a kind in one sentence of a text; None where no sentence states one."""
    starts = [*sentence_starts(page), len(page)]
    places = list(range(len(starts) - 1))
    rng.shuffle(places)
    for at in places[:40]:
        sentence = page[starts[at] : starts[at + 1]]
        if not is_prose(re.sub(r"[\d.,]+", "", sentence)) or "\n" in sentence.strip():
            continue
        changed = SWAPS[name](sentence, material, rng)
        if changed is not None and plain(changed) != plain(sentence):
            gap = sentence[len(sentence.rstrip()) :]
            return f"{page[: starts[at]]}{changed.rstrip()}{gap}{page[starts[at + 1] :]}"
    return None


# one other word of content makes another record of a short text only
KINDS = [name for name in SWAPS if name != "word"]
OPERATORS = [Operator("F", f"long {name}", FAMILIES[name], "prose", _one_fact(name)) for name in KINDS]
