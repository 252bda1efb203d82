"""Document features of the verifier, apart from the network that makes them, which takes long to import."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

POINT = 64
"""Dimensions of z."""


class DocumentFeatures(NamedTuple):
    """Features of n documents.

    Attributes:
        z: float32[n, 64], of unit length; duplicates lie close together.
        gates: float32[n, 3], mean gate of `eq:gate` over the characters, the words and the meaning.
    """

    z: NDArray[np.float32]
    gates: NDArray[np.float32]
