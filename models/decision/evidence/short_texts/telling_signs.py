"""Signs that tell what a short text is about: "✅ build" is not "❌ build", and a question is not its answer.

Most emoji are decoration. Of those that stand for one of several states (done and not, a suit of cards, a flag, up and
down, stars out of five), and of the marks "?" and "." at the end, two texts that both have one must have the same.
"""

import numpy as np
from numpy.typing import NDArray

from models.kernels.hashing import absorb, mix
from models.kernels.jit import kernel
from models.lexical.text import Normalised

UNTOLD = np.uint64(0)
"""Form of a text without any such sign, or not wanted."""
_STATES = (
    ("✅✔☑👍✓🗹", "❌✖❎🚫⛔👎✗✘☒🗷", "☐"),
    ("📈▲△🔺🔼⬆↑", "📉▼▽🔻🔽⬇↓"),
    ("←⬅", "→➡"),
    ("🔴🟥", "🟠🟧", "🟡🟨", "🟢🟩", "🔵🟦", "🟣🟪", "⚫⬛", "⚪⬜"),
    ("♠♤", "♥♡", "♦♢", "♣♧"),
    ("♀", "♂"),
    ("♭", "♯", "♮"),
    tuple("⚀⚁⚂⚃⚄⚅"),
    tuple("♔♕♖♗♘♙♚♛♜♝♞♟"),
    tuple("♈♉♊♋♌♍♎♏♐♑♒♓"),
    tuple("🌑🌒🌓🌔🌕🌖🌗🌘"),
    tuple(map(chr, range(0x1F1E6, 0x1F200))),
)
"""Signs of each state, by what they are states of; of the last, which are letters, two make a flag."""
_STARS = len(_STATES)
"""Number of ratings, behind what has states; of the marks at the end, one more."""
_TOLD = {
    ord(sign): (at, state) for at, states in enumerate(_STATES) for state, signs in enumerate(states) for sign in signs
}
_SIGNS = np.array(sorted(_TOLD), np.uint32)
_VALUES = np.array([32 * _TOLD[code][0] + _TOLD[code][1] for code in sorted(_TOLD)], np.uint16)
_SEED = np.uint64(0x74656C6C696E67)
_STAR, _NO_STAR, _RATED = ord("★"), ord("☆"), 5
_BEFORE_GENDER = 0x1F000
"""A sign of gender behind an emoji belongs to that: "🤷‍♀️"."""
_GENDERS = (ord("♀"), ord("♂"))
_QUESTION, _STOP, _IDEOGRAPHIC_STOP = ord("?"), ord("."), ord("。")
_ASKS, _STATES_IT = np.uint64(1), np.uint64(2)


def telling_signs(normalised: Normalised, wanted: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Hashes of the states that signs of texts stand for, of stars out of five, and of the mark that each ends with.

    Args:
        normalised: n texts.
        wanted: bool[n], texts to look at.

    Returns:
        uint64[t, n] of t kinds of signs, `UNTOLD` where there is none.
    """
    told: NDArray[np.uint64] = _tell(normalised.codes, normalised.pointers, wanted, _SIGNS, _VALUES)
    return told


@kernel
def _tell(
    codes: NDArray[np.uint32],
    pointers: NDArray[np.int64],
    wanted: NDArray[np.bool_],
    signs: NDArray[np.uint32],
    values: NDArray[np.uint16],
) -> NDArray[np.uint64]:
    told = np.full((_STARS + 2, wanted.size), UNTOLD)
    for row in np.flatnonzero(wanted):
        begin, stop = pointers[row], pointers[row + 1]
        stars, rated = 0, 0
        for at in range(begin, stop):
            code = codes[at]
            if code < signs[0]:
                continue
            rated = rated + 1 if code in (_STAR, _NO_STAR) else 0
            stars = (stars if rated > 1 else 0) + (code == _STAR)
            ends = at + 1 == stop or codes[at + 1] not in (_STAR, _NO_STAR)
            if rated == _RATED and ends:
                told[_STARS, row] = mix(absorb(told[_STARS, row] | _SEED, np.uint64(stars))) | np.uint64(1)
            place = np.searchsorted(signs, code)
            if place == signs.size or signs[place] != code:
                continue
            if code in _GENDERS and at > begin and codes[at - 1] >= _BEFORE_GENDER:
                continue
            kind, state = values[place] // 32, values[place] % 32
            told[kind, row] = mix(absorb(told[kind, row] | _SEED, np.uint64(state))) | np.uint64(1)
        if stop - begin < 2:
            continue
        last, before = codes[stop - 1], codes[stop - 2]
        if last == _QUESTION:
            told[_STARS + 1, row] = _ASKS
        elif last == _IDEOGRAPHIC_STOP or (last == _STOP and before != _STOP):
            told[_STARS + 1, row] = _STATES_IT
    return told
