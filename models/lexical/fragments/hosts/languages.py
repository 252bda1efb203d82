"""Languages of the hosts of a passage: how few explain what each host may be written in."""

import numpy as np
from numpy.typing import NDArray

from models.kernels.jit import inner, kernel

SCRIPT_BITS = 16
"""Low bits of what is told of a text: its script; above them one bit for each language that it may be in."""
_LANGUAGES = 32


@kernel
def fewest_languages(told: NDArray[np.int64], pointers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count the languages that it takes at least for all hosts of each passage to be in one that they may be in.

    Words of one language are words of others, too: of ten pages in Polish half may pass for Czech. The language that
    most hosts may be in counts first, then that of most of the others (the greedy cover, Chvatal 1979).

    Args:
        told: int64[h], of each host, see `SCRIPT_BITS`; 0 where nothing tells its language.
        pointers: int64[p + 1], where the hosts of each passage begin.

    Returns:
        int64[p].
    """
    found = np.zeros(len(pointers) - 1, np.int64)
    for passage in range(len(found)):
        left = told[pointers[passage] : pointers[passage + 1]].copy()
        while left.any():
            best, most = np.int64(0), 0
            for host in range(len(left)):
                for language in range(_LANGUAGES + 1):
                    key = _key(left[host], language)
                    held = 0
                    for other in range(len(left)):
                        held += key != 0 and _is_in(left[other], key)
                    if held > most:
                        best, most = key, held
            for host in range(len(left)):
                if _is_in(left[host], best):
                    left[host] = 0
            found[passage] += 1
    return found


@inner
def _key(told: np.int64, language: int) -> np.int64:
    """One language of a host with its script, or, behind the last language, its script where no language is told."""
    script = told & ((1 << SCRIPT_BITS) - 1)
    if language == _LANGUAGES:
        return np.int64(script if told == script else 0)
    bit = np.int64(1) << (SCRIPT_BITS + language)
    return np.int64(bit | script if told & bit else 0)


@inner
def _is_in(told: np.int64, key: np.int64) -> bool:
    """May this text be in the language; one of which only the script is told may be in any that is written in it."""
    script = told & ((1 << SCRIPT_BITS) - 1)
    same = told != 0 and script == key & ((1 << SCRIPT_BITS) - 1)
    languages = told >> SCRIPT_BITS
    return bool(same and (languages == 0 or languages & (key >> SCRIPT_BITS) != 0))
