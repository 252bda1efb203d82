"""Layers of trained networks without the library that trained them, which takes a second to import.

The sums stand in a fixed order, so that a row has the same answer whatever stands beside it.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import erf

from models.kernels.products import add_products

Weights = dict[str, NDArray[np.float32]]
"""What layers learned, under the names that torch has for them."""
_EPSILON = 1e-5


def under(weights: Weights, layer: str) -> Weights:
    """The weights of one layer, under their names in it."""
    return {name.removeprefix(f"{layer}."): value for name, value in weights.items() if name.startswith(f"{layer}.")}


def dense(x: NDArray[np.float32], weight: NDArray[np.float32], bias: NDArray[np.float32]) -> NDArray[np.float32]:
    """Map float32[n, i] by float32[i, o] and float32[o] to float32[n, o]."""
    found = np.empty((len(x), weight.shape[1]), np.float32)
    found[:] = bias
    add_products(np.ascontiguousarray(x), np.ascontiguousarray(weight), found)
    return found


def linear(layer: Weights, x: NDArray[np.float32]) -> NDArray[np.float32]:
    """What `torch.nn.Linear` gives, with or without a bias."""
    weight = layer["weight"].T
    return dense(x, weight, layer.get("bias", np.zeros(weight.shape[1], np.float32)))


def gelu(x: NDArray[np.float32]) -> NDArray[np.float32]:
    """The exact GELU."""
    result: NDArray[np.float32] = np.float32(0.5) * x * (1 + erf(x * np.float32(0.5**0.5)))
    return result


def standardised(x: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rows with mean 0 and variance 1, as `torch.nn.LayerNorm` has them before it scales them."""
    centred = x - x.mean(1, keepdims=True)
    result: NDArray[np.float32] = centred / np.sqrt((centred * centred).mean(1, keepdims=True) + np.float32(_EPSILON))
    return result
