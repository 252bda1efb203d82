"""Word vectors of the student, of unit length, for words that have one of their own."""

import numpy as np
from numpy.typing import NDArray

from models.semantic.encoder.student import Student, word_table


def word_vectors(student: Student) -> NDArray[np.float32]:
    """Return float32[V, d] by row of the vocabulary."""
    table = word_table(student.weights)[: len(student.vocabulary.words)]
    unit: NDArray[np.float32] = (table / np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1e-12)).astype(
        np.float32
    )
    return unit
