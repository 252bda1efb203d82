"""Virality of a repeated passage: does it travel between documents that are otherwise unlike each other?

A notice that strangers carry is boilerplate; what the members of one family have in common is their template, which is
theirs. Relevance (`eq:relevance`) alone hardly tells the two apart, so it is one figure among several that are weighed
together; the weights were learned from labels (`tests/benchmarks/quality/fragment_classifier.py`).
"""

import json
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import xxhash
from numpy.typing import NDArray

from models.kernels.hashing import ROLLING
from models.kernels.jit import kernel

WEIGHTS = Path(__file__).with_name("virality.json")
LEAST_KINSHIP = 0.01
"""Common vocabulary below which no two fragments differ."""

SENTENCE_END = r"[.!?…](?: |$)|[。！？]"
"""End of a sentence in a passage in normalised form."""

WORD_CHARS = 6
"""Letters of a word and the blank behind it; wide letters count twice (`models.lexical.fragments.widths`)."""

FEATURES = (
    "relevance",
    "likeness",
    "kinship",
    "wording",
    "covered",
    "share",
    "hosts",
    "chars",
    "letters",
    "stops",
)
"""What is weighed of a passage; all but the first group are means over the compared hosts.

relevance: cosine between the passage and the rest of a host, `eq:relevance`. likeness: cosine between the rests of two
hosts. kinship: logarithm of what their rare vocabularies have in common, see `kinship`. wording: share of words that
two hosts have in common right before and behind it. covered: share of the rest of a host that other repeated passages
take. share: of the host that it takes itself. hosts, chars: logarithms. letters: share of its code points that are
letters or blanks. stops: ends of sentences per word of `WORD_CHARS`. Whether hosts come from different sources is none:
many corpora name one source only.
Where in the hosts it stands is no feature: passages that were planted to learn from stand elsewhere than those of the
world.
"""


def likeness(vectors: NDArray[np.floating], fragment: NDArray[np.int64], fragments: int) -> NDArray[np.float32]:
    """Say how like each other the hosts of each fragment are.

    Args:
        vectors: [h, d], embedding of a host without the fragment, one row per fragment and host; of unit length, or
            zero where nothing is left, which does not count.
        fragment: int64[h], ascending.
        fragments: how many there are.

    Returns:
        float32[f], mean cosine over all pairs of hosts; NaN for a fragment with fewer than two that count.
    """
    counts = np.linalg.norm(vectors, axis=1) > 0
    hosts = np.bincount(fragment[counts], minlength=fragments)
    total = np.zeros((fragments, vectors.shape[1]))
    if len(fragment):
        first = np.flatnonzero(np.diff(fragment, prepend=-1))
        total[fragment[first]] = np.add.reduceat(vectors.astype(np.float64), first)
    pairs = hosts * (hosts - 1)
    mean = np.full(fragments, np.nan, np.float32)
    np.divide((total**2).sum(1) - hosts, pairs, out=mean, where=pairs > 0, casting="same_kind")
    return mean


@kernel
def common_words(
    codes: NDArray[np.uint32], pointers: NDArray[np.int64], fragment: NDArray[np.int64], fragments: int
) -> NDArray[np.float32]:
    """Say how much of their wording texts of one fragment have in common.

    Args:
        codes: uint32[k], code points of h texts, flat.
        pointers: int64[h + 1], where each text begins.
        fragment: int64[h], to which fragment each text belongs, ascending.
        fragments: how many there are.

    Returns:
        float32[f], mean Jaccard similarity of sets of words over all pairs of texts that have any; NaN without a pair.
    """
    bounds = np.zeros(len(pointers), np.int64)
    words = np.empty(len(codes) // 2 + len(pointers), np.uint64)
    found = 0
    for t in range(len(pointers) - 1):
        begun, held, inside = found, np.uint64(0), False
        for p in range(pointers[t], pointers[t + 1] + 1):
            code = codes[p] if p < pointers[t + 1] else np.uint32(32)
            small = code | np.uint32(32)  # A to a
            letter = bool(code > 127 or 97 <= small <= 122)
            if letter:
                held = (held if inside else np.uint64(0)) * ROLLING + np.uint64(small + 1)
            elif inside:
                words[found] = held
                found += 1
            inside = letter
        ordered = np.sort(words[begun:found])
        found = begun
        for i in range(len(ordered)):
            if i == 0 or ordered[i] != ordered[i - 1]:
                words[found] = ordered[i]
                found += 1
        bounds[t + 1] = found
    total, pairs = np.zeros(fragments, np.float64), np.zeros(fragments, np.int64)
    for a in range(len(fragment)):
        b = a + 1
        while b < len(fragment) and fragment[b] == fragment[a]:
            i, j, both = bounds[a], bounds[b], 0
            while i < bounds[a + 1] and j < bounds[b + 1]:
                both += words[i] == words[j]
                if words[i] <= words[j]:
                    step = words[i] == words[j]
                    i += 1
                    j += step
                else:
                    j += 1
            either = bounds[a + 1] - bounds[a] + bounds[b + 1] - bounds[b] - both
            if bounds[a + 1] > bounds[a] and bounds[b + 1] > bounds[b]:
                total[fragment[a]] += both / either
                pairs[fragment[a]] += 1
            b += 1
    mean = np.full(fragments, np.nan, np.float32)
    for f in range(fragments):
        if pairs[f]:
            mean[f] = total[f] / pairs[f]
    return mean


class Classifier(NamedTuple):
    """What was learned: a logistic regression over the features.

    Attributes:
        mean: float64[n], taken from a feature first; stands in for one that is not known.
        scale: float64[n], then it is divided by this.
        low: float64[n], least value of a feature that was seen when it was learned; what is below counts as this.
        high: float64[n], and the most.
        weight: float64[n].
        bias: added.
        fingerprint: names what was learned.
    """

    mean: NDArray[np.float64]
    scale: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    weight: NDArray[np.float64]
    bias: float
    fingerprint: str = ""

    def at_best(self, features: NDArray[np.floating]) -> NDArray[np.float32]:
        """How likely passages are viral if what is not known of their hosts' kinship speaks for it."""
        at = FEATURES.index("kinship")
        held = features.copy()
        held[:, at] = np.where(np.isnan(held[:, at]), (self.low if self.weight[at] < 0 else self.high)[at], held[:, at])
        return self.probability(held)

    def probability(self, features: NDArray[np.floating]) -> NDArray[np.float32]:
        """How likely passages are viral.

        Args:
            features: [f, n], columns in the order of `FEATURES`; NaN where one is not known.

        Returns:
            float32[f]; 0 where it is not known how like each other the hosts are.
        """
        held = np.clip(features, self.low, self.high)
        scaled = (np.where(np.isnan(held), self.mean, held) - self.mean) / self.scale
        logit = scaled @ self.weight + self.bias
        unknown = np.isnan(features[:, FEATURES.index("likeness")]) | np.isnan(features[:, 0])
        return np.where(unknown, 0, 1 / (1 + np.exp(-logit))).astype(np.float32)


@lru_cache(maxsize=1)
def shipped() -> Classifier:
    """The classifier that ships with the package."""
    written = WEIGHTS.read_bytes()
    known = json.loads(written)
    if tuple(known["features"]) != FEATURES:
        raise ValueError(f"{WEIGHTS.name} was learned for other features")
    columns = {name: np.array(known[name]) for name in ("mean", "scale", "low", "high", "weight")}
    return Classifier(**columns, bias=known["bias"], fingerprint=xxhash.xxh3_64_hexdigest(written))
