"""Inference kernels of `eq:char` and `eq:token`, one document at a time: a fraction of what layers for batches cost.

The sums stand in a fixed order, so that a document has the same features whatever stands beside it.
"""

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from models.decision.verifier.numpy_layers import Weights, linear, standardised, under
from models.kernels.jit import compiled, kernel

CHAR, WORD, STATE, SEM = 32, 32, 32, 64
"""Sizes: f_char, a word's narrow vector, the state of the LSTM in one direction, f_sem."""
TOKEN = 2 * STATE
PARTS = (CHAR, TOKEN, SEM)
"""Sizes of f_char, f_token and f_sem."""
SPAN = 7
"""Letters that a filter sees."""
_GATES = 4 * STATE
_FLAT = np.float32(7.99)
"""From here on the hyperbolic tangent is 1 in float32."""


class CharacterKernel(NamedTuple):
    """`eq:char`: what each letter adds to the filters at each place of their span, looked up instead of multiplied.

    Attributes:
        responses: float32[SPAN, letters, CHAR].
        bias: float32[CHAR].
    """

    responses: NDArray[np.float32]
    bias: NDArray[np.float32]

    @classmethod
    def of(cls, layer: Weights) -> Self:
        """From the weights of `networks.fusion.CharacterFeatures`: the filters of all widths act as one."""
        filters = [layer[name] for name in sorted(layer) if name.startswith("filters.")]  # files have them in any order
        sides = [(SPAN - one.shape[2]) // 2 for one in filters]
        weight = sum(np.pad(one, [(0, 0), (0, 0), (side, side)]) for one, side in zip(filters, sides, strict=True))
        responses = np.einsum("le,ces->slc", layer["embedding.weight"], weight)
        return cls(np.ascontiguousarray(responses), np.ascontiguousarray(layer["bias"]))

    def features(self, letters: NDArray[np.int16]) -> NDArray[np.float32]:
        """Map int16[n, c], rows of the embedding, 0 behind the end, to float32[n, CHAR]."""
        found = np.zeros((len(letters), CHAR), np.float32)
        _characters(letters, self.responses, self.bias, found)
        return found


class TokenKernel(NamedTuple):
    """`eq:token`: a bidirectional LSTM of which the last states count.

    Attributes:
        weight: float32[2, WORD + STATE, 4 STATE], of both directions, gates in the order input, forget, cell, output.
        bias: float32[2, 4 STATE].
        table: float32[V, WORD], narrow word vectors.
    """

    weight: NDArray[np.float32]
    bias: NDArray[np.float32]
    table: NDArray[np.float32]

    @classmethod
    def of(cls, layer: Weights, table: NDArray[np.float32]) -> Self:
        """From the weights of `networks.fusion.TokenFeatures`, over rows of a word table, float32[V, d_t]."""
        lstm = under(layer, "lstm")
        ways = ("", "_reverse")
        weight = [np.concatenate([lstm[f"weight_{end}_l0{way}"] for end in ("ih", "hh")], axis=1).T for way in ways]
        bias = [lstm[f"bias_ih_l0{way}"] + lstm[f"bias_hh_l0{way}"] for way in ways]
        both = np.ascontiguousarray(np.stack(weight))
        return cls(both, np.stack(bias), standardised(linear(under(layer, "narrow.0"), table)))

    def features(self, words: NDArray[np.int32]) -> NDArray[np.float32]:
        """Map int32[n, w], rows of the table, -1 behind the end, to float32[n, TOKEN]."""
        found = np.zeros((len(words), TOKEN), np.float32)
        _tokens(words, self.table, self.weight, self.bias, found)
        return found


@kernel
def _characters(
    letters: NDArray[np.int16], responses: NDArray[np.float32], bias: NDArray[np.float32], found: NDArray[np.float32]
) -> None:
    half = SPAN // 2
    padded = np.zeros(letters.shape[1] + SPAN - 1, np.int64)
    best = np.empty(CHAR, np.float32)
    for document in range(len(letters)):
        size = 0
        while size < letters.shape[1] and letters[document, size] > 0:
            padded[half + size] = letters[document, size]
            size += 1
        padded[half + size : size + SPAN - 1] = 0
        best[:] = 0
        for at in range(size):
            a, b, c, d = padded[at], padded[at + 1], padded[at + 2], padded[at + 3]
            e, f, g = padded[at + 4], padded[at + 5], padded[at + 6]
            for channel in range(CHAR):
                response = (
                    bias[channel]
                    + (responses[0, a, channel] + responses[1, b, channel])
                    + (responses[2, c, channel] + responses[3, d, channel])
                    + (responses[4, e, channel] + responses[5, f, channel])
                    + responses[6, g, channel]
                )
                best[channel] = response if response > best[channel] else best[channel]
        found[document] = best


@compiled(fastmath={"contract"}, error_model="numpy")
def _tokens(
    words: NDArray[np.int32],
    table: NDArray[np.float32],
    weight: NDArray[np.float32],
    bias: NDArray[np.float32],
    found: NDArray[np.float32],
) -> None:
    seen, gates = np.empty(WORD + STATE, np.float32), np.empty(_GATES, np.float32)
    cell, signal = np.empty(STATE, np.float32), np.empty(STATE, np.float32)
    for document in range(len(words)):
        size = 0
        while size < words.shape[1] and words[document, size] >= 0:
            size += 1
        for direction in range(2):
            seen[:] = 0
            cell[:] = 0
            # A document without words is one word that says nothing.
            for step in range(max(size, 1)):
                if size:
                    word = words[document, size - 1 - step if direction else step]
                    for at in range(WORD):
                        seen[at] = table[word, at]
                _drive(seen, weight[direction], bias[direction], gates)
                for at in range(STATE):
                    entering = _sigmoid(gates[at]) * _tanh(gates[2 * STATE + at])
                    cell[at] = _sigmoid(gates[STATE + at]) * cell[at] + entering
                for at in range(STATE):
                    signal[at] = _sigmoid(gates[3 * STATE + at]) * _tanh(cell[at])
                for at in range(STATE):
                    seen[WORD + at] = signal[at]
            found[document, direction * STATE : (direction + 1) * STATE] = signal


@compiled(fastmath={"contract"}, error_model="numpy", inline="always")
def _drive(
    seen: NDArray[np.float32], weight: NDArray[np.float32], bias: NDArray[np.float32], gates: NDArray[np.float32]
) -> None:
    """Gates before their activation."""
    for gate in range(_GATES):
        gates[gate] = bias[gate]
    for row in range(0, WORD + STATE, 8):
        a, b, c, d = seen[row], seen[row + 1], seen[row + 2], seen[row + 3]
        e, f, g, h = seen[row + 4], seen[row + 5], seen[row + 6], seen[row + 7]
        for gate in range(_GATES):
            one = a * weight[row, gate] + b * weight[row + 1, gate] + c * weight[row + 2, gate]
            other = d * weight[row + 3, gate] + e * weight[row + 4, gate] + f * weight[row + 5, gate]
            gates[gate] += one + other + (g * weight[row + 6, gate] + h * weight[row + 7, gate])


@compiled(fastmath={"contract"}, error_model="numpy", inline="always")
def _sigmoid(x: np.float32) -> np.float32:
    half = np.float32(0.5)
    return np.float32(half + half * _tanh(half * x))


@compiled(fastmath={"contract"}, error_model="numpy", inline="always")
def _tanh(x: np.float32) -> np.float32:
    """Rational minimax approximation of the hyperbolic tangent, within 4e-7; coefficients as in Eigen (MPL 2.0)."""
    x = min(max(x, -_FLAT), _FLAT)
    square = x * x
    upper = np.float32(-2.76076847742355e-16)
    upper = upper * square + np.float32(2.00018790482477e-13)
    upper = upper * square + np.float32(-8.60467152213735e-11)
    upper = upper * square + np.float32(5.12229709037114e-08)
    upper = upper * square + np.float32(1.48572235717979e-05)
    upper = upper * square + np.float32(6.37261928875436e-04)
    upper = upper * square + np.float32(4.89352455891786e-03)
    lower = np.float32(1.19825839466702e-06)
    lower = lower * square + np.float32(1.18534705686654e-04)
    lower = lower * square + np.float32(2.26843463243900e-03)
    lower = lower * square + np.float32(4.89352518554385e-03)
    return x * upper / lower
