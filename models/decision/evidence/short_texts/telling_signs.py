"""Signs that tell what a short text is about: "✅ build" is not "❌ build", and a question is not its answer.

Most emoji are decoration. Of those that stand for one of several states, and of the marks "?" and "." at the end, two
texts that both have one must have the same.
"""

import numpy as np
from numpy.typing import NDArray

from models.kernels.hashing import absorb, mix
from models.kernels.jit import kernel
from models.lexical.text import Normalised

UNTOLD = np.uint64(0)
"""Form of a text without any such sign, or not wanted."""
_STATES = ("✅✔☑👍", "❌✖❎🚫⛔👎"), ("📈", "📉"), ("🔴🟥", "🟠🟧", "🟡🟨", "🟢🟩", "🔵🟦", "🟣🟪", "⚫⬛", "⚪⬜")
"""Signs of each state, by what they are states of."""
_TOLD = {
    ord(sign): (at, state) for at, states in enumerate(_STATES) for state, signs in enumerate(states) for sign in signs
}
_SIGNS = np.array(sorted(_TOLD), np.uint32)
_VALUES = np.array([16 * _TOLD[code][0] + _TOLD[code][1] for code in sorted(_TOLD)], np.uint64)
_SEED = np.uint64(0x74656C6C696E67)
_QUESTION, _STOP, _IDEOGRAPHIC_STOP = ord("?"), ord("."), ord("。")
_ASKS, _STATES_IT = np.uint64(1), np.uint64(2)


def telling_signs(normalised: Normalised, wanted: NDArray[np.bool_]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Hashes of the states that signs of texts stand for, and of the mark that each ends with.

    Args:
        normalised: n texts.
        wanted: bool[n], texts to look at.

    Returns:
        uint64[n] twice, `UNTOLD` where there is none.
    """
    states, ends = _tell(normalised.codes, normalised.pointers, wanted, _SIGNS, _VALUES)
    return states, ends


@kernel
def _tell(
    codes: NDArray[np.uint32],
    pointers: NDArray[np.int64],
    wanted: NDArray[np.bool_],
    signs: NDArray[np.uint32],
    values: NDArray[np.uint64],
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    states, ends = np.full(wanted.size, UNTOLD), np.full(wanted.size, UNTOLD)
    for row in np.flatnonzero(wanted):
        state = _SEED
        begin, stop = pointers[row], pointers[row + 1]
        for at in range(begin, stop):
            if codes[at] < signs[0]:
                continue
            place = np.searchsorted(signs, codes[at])
            if place < signs.size and signs[place] == codes[at]:
                state = absorb(state, values[place])
        if state != _SEED:
            states[row] = mix(state) | np.uint64(1)
        if stop - begin < 2:
            continue
        last, before = codes[stop - 1], codes[stop - 2]
        if last == _QUESTION:
            ends[row] = _ASKS
        elif last == _IDEOGRAPHIC_STOP or (last == _STOP and before != _STOP):
            ends[row] = _STATES_IT
    return states, ends
