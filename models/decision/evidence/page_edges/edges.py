"""Edges of long texts: teasers and stamp lines, of which pairs are compared without."""

import numpy as np
from numpy.typing import NDArray

from models.decision.evidence.page_edges.stamp_lines import stamp_lines
from models.decision.evidence.page_edges.teasers import teasers
from models.lexical.sketch.features import Features
from models.lexical.sketch.shingles import hash_word_grams


def without_edges(features: Features, classes: NDArray[np.uint32]) -> tuple[Features, NDArray[np.uint32]]:
    """Features of a batch, and classes of its words, without teasers and stamp lines; shingles stay."""
    left_out = teasers(features) | stamp_lines(features, classes)
    if not left_out.any():
        return features, classes
    kept, words = ~left_out, features.words
    counted = np.concatenate([[0], np.cumsum(kept)])
    rest = words._replace(
        start=words.start[kept],
        end=words.end[kept],
        hash=words.hash[kept],
        flags=words.flags[kept],
        line=words.line[kept],
        pointers=counted[words.pointers],
    )
    plain = features.plain[kept]
    gram = hash_word_grams(rest._replace(hash=plain))
    said = features._replace(
        words=rest,
        word_weight=features.word_weight[kept],
        word_df=features.word_df[kept],
        line_df=features.line_df[kept],
        plain=plain,
        gram=gram,
        gram_df=np.where(gram == 0, 0, features.gram_df[kept]).astype(features.gram_df.dtype),
    )
    return said, classes[kept]
