"""Compile options of kernels that are called for every word or gap of a pair of texts."""

from typing import Any

import numpy as np
from numba import njit

lean: Any = njit(cache=True, nogil=True, _nrt=False)
"""For functions that make no array, not even a passing one, and are given none by what they call.

In all others every look at an array in a tuple counts a reference up and down again, atomically; a batch of texts is
two dozen arrays, and a profile of comparing showed about a fifth of the samples there.
"""

counted: Any = njit(cache=True, nogil=True, _nrt=True)
"""For functions that make arrays and are called by lean ones: they would be compiled as their caller is."""

ZERO: Any = np.int64(0)
ONE: Any = np.int64(1)
"""Numbers with a type. A literal has one of its own, and whatever it is passed to is compiled for it alone, with all
that is called from there, and once more for every other number."""
