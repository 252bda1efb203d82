"""Likeness of texts of one language that have nothing to do with each other, and cosines read by it.

The encoder was taught in English. The vectors of any two texts in another language share what tells that language, so
that two strangers in Russian are as like each other as two pages of one English manual. A cosine is read here by how
far it lies between that of strangers and 1. The figures come from tests/benchmarks/languages/likeness.py.
"""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ENGLISH = "en"
TRUSTED = 0.85
"""Share of the distance from English that is counted: texts of one kind are more like each other than any two are."""


@cache
def _strangers() -> dict[str, float]:
    """Mean cosine of strangers by language or script, never below that of English."""
    found: dict[str, float] = json.loads(Path(__file__).with_suffix(".json").read_text())
    english = found[ENGLISH]
    return {name: english + TRUSTED * max(cosine - english, 0.0) for name, cosine in found.items()}


def strangers(languages: NDArray[np.uint32], scripts: NDArray[np.int64], spoken: Sequence[str]) -> NDArray[np.float64]:
    """Say how like each other strangers are that are written as some texts are.

    Args:
        languages: uint32[n], a bit for each language that a text is told to be in.
        scripts: int64[n], see `models.lexical.text.scripts.scripts_of`.
        spoken: the languages, in the order of their bits.

    Returns:
        float64[n], mean cosine: of several languages the least, and where none is told that of the script; where
        nothing is known that of English.
    """
    known = _strangers()
    pairs, where = np.unique(np.stack([languages.astype(np.int64), scripts]), axis=1, return_inverse=True)
    found = []
    for bits, script in pairs.T.tolist():
        named = [known[name] for at, name in enumerate(spoken) if bits >> at & 1 and name in known]
        found.append(min(named, default=known.get(str(script), known[ENGLISH])))
    return np.array(found, np.float64)[where.reshape(-1)]


def as_in_english(cosine: NDArray[np.floating], unrelated: NDArray[np.float64]) -> NDArray[np.float64]:
    """Read cosines as those of English texts that are as far from strangers.

    Args:
        cosine: [n], of texts.
        unrelated: float64[n], cosine of strangers in their language.

    Returns:
        float64[n], the same for texts in English.
    """
    english = _strangers()[ENGLISH]
    return np.asarray(1 - (1 - cosine) * (1 - english) / (1 - unrelated), np.float64)
