"""Variants of our method: ablations by name, with their settings and what they switch."""

from typing import NamedTuple


class Variant(NamedTuple):
    """Variant of our method under some settings.

    Attributes:
        key: as the command line names it.
        name: as the table prints it.
        settings: `section.key=value`, applied on top of the settings of the run.
        says: what they switch.
    """

    key: str
    name: str
    settings: tuple[str, ...]
    says: str


OURS = Variant("ours", "SemHash-LLM", (), "the whole method under the settings of this run")

ABLATIONS = (
    Variant(
        "no-sph",
        "w/o SPH",
        ("cascade.routing=lexical",),
        "no semantic projection hashing: only banded LSH and containment samples propose pairs",
    ),
    Variant(
        "no-aw-minhash",
        "w/o AW-MinHash",
        ("cascade.routing=semantic",),
        "no attention-weighted MinHash: only the semantic block proposes pairs",
    ),
    Variant(
        "no-mgfn",
        "w/o MGFN",
        ("verify.decider=rules",),
        "no network, as shipped: thresholds per type on the measured pair features decide",
    ),
    Variant(
        "mgfn",
        "MGFN on",
        ("verify.decider=network",),
        "the network keeps what it doubts of what the rules would remove",
    ),
    Variant(
        "no-attention",
        "w/o attention",
        ("sketch.use_attention=false",),
        "shingles are weighted by inverse document frequency alone",
    ),
    Variant("no-idf", "w/o IDF", ("sketch.use_idf=false",), "shingles are weighted by attention alone"),
    Variant(
        "unweighted",
        "unweighted MinHash",
        ("sketch.use_attention=false", "sketch.use_idf=false"),
        "every shingle weighs the same",
    ),
    Variant(
        "adaptive-bands",
        "adaptive bands",
        ("sketch.entropy_gain=2",),
        "the number of LSH bands of a document follows its attention entropy",
    ),
    Variant(
        "fixed",
        "fixed thresholds",
        ("verify.decider=fixed",),
        "a pair is a duplicate from Jaccard 0.8 on, a child from containment 0.9 on, for all types alike",
    ),
    Variant(
        "paper-head",
        "the paper's pair head",
        ("verify.decider=paper",),
        "the network sees the two documents only, not the measured pair features",
    ),
    Variant(
        "teacher",
        "teacher encoder",
        ("encoder.name=teacher",),
        "the teacher embeds instead of its student",
    ),
    Variant(
        "cascade",
        "cascade routing",
        ("cascade.routing=cascade",),
        "a pair must be found by the semantic block and by banded LSH, or by containment, as in the paper",
    ),
    Variant(
        "icws",
        "ICWS sketches",
        ("sketch.kind=icws",),
        "consistent weighted sampling (estimates J_w) instead of ProbMinHash (J_P)",
    ),
    Variant(
        "characters",
        "character shingles",
        ("sketch.characters_only=true",),
        "texts of every length are sketched by characters, as in the paper, not only short ones",
    ),
)
