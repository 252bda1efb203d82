"""Parents and children: samples that find them, and the choice of one parent per child."""

import numpy as np

from models.kernels.hashing import mix
from models.kernels.jit import kernel

Array = np.ndarray

_SAMPLE_SALT = np.uint64(0x66726163206D696E)


def sample(hashes: Array, pointers: Array, scale: int) -> tuple[Array, Array]:
    """FracMinHash sample of each document's shingles (Irber et al. 2022).

    A shingle is kept by its own hash alone, so two documents keep the same ones of those they share, and the share of a
    child's sample found in its parent's estimates its containment.

    Args:
        hashes: uint64[g], shingles of n documents.
        pointers: int64[n+1].
        scale: keeps about one shingle in this many.

    Returns:
        uint64 kept hashes, in the order given, and their int64[n+1] pointers.

    Raises:
        ValueError: scale is below 1.
    """
    if scale < 1:
        raise ValueError(f"a sample of one shingle in {scale}")
    kept = _is_sampled(hashes, np.uint64((1 << 64) // scale - (scale == 1)), scale == 1)
    counts = np.concatenate([np.zeros(1, np.int64), np.cumsum(kept, dtype=np.int64)])
    return hashes[kept], counts[pointers]


@kernel
def _is_sampled(hashes: Array, bound: np.uint64, everything: bool) -> Array:
    """Mixed once more, so that what is sampled does not hang together with what a sketch or filter made of the hash."""
    kept = np.empty(hashes.size, np.bool_)
    for at in range(hashes.size):
        kept[at] = everything or mix(hashes[at] ^ _SAMPLE_SALT) < bound
    return kept


def parents(
    child: Array, parent: Array, ratio: Array, child_chars: Array, parent_chars: Array
) -> tuple[Array, Array, Array]:
    """Choose one parent per child, `eq:parent`.

    The coverage of a candidate is the sum of C_sem(d', d) * |c_d'| over all children d' that it contains. Every child
    gets the candidate of the highest coverage; ties go to the longer text, then to the earlier document.

    Args:
        child: int64[e], contained documents.
        parent: int64[e], a document that contains it; a pair at most once.
        ratio: float[e], containment C_sem of the child in the parent.
        child_chars: int[e], length of the child in code points.
        parent_chars: int[e], length of the parent in code points.

    Returns:
        int64[c] children, rising; int64[c] the parent of each; int64[c] the row that the choice came from.
    """
    candidates, which = np.unique(parent, return_inverse=True)
    coverage = np.zeros(candidates.size)
    in_order = np.lexsort((child, parent))  # float sums depend on order; rows may come in any
    np.add.at(coverage, which[in_order], ratio[in_order].astype(np.float64) * child_chars[in_order])
    best_first = np.lexsort((parent, -parent_chars.astype(np.int64), -coverage[which], child))
    children, first = np.unique(child[best_first], return_index=True)
    rows = best_first[first]
    return children, parent[rows], rows
