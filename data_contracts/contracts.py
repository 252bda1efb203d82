"""The contracts at every boundary of a run; a column that is not mentioned otherwise counts violations and must be 0.

The tables and run parameters that a contract needs are the `$parameters` of its statement in `sql/`.
"""

from data_contracts.contract import Check, Contract


def _none_of(*names: str) -> tuple[Check, ...]:
    return tuple(Check(name) for name in names)


DOCUMENTS = Contract(
    "documents",
    (
        Check("real_documents", at_least="least_documents", at_most=None),
        *_none_of(
            "rows_unaccounted",
            "ids_missing",
            "ids_repeated",
            "docs_not_dense",
            "texts_empty",
            "lengths_wrong",
            "hashes_malformed",
            "marks_missing",
            "canaries_mislabelled",
            "rejects_unexplained",
        ),
    ),
)

ADMITTED = Contract(
    "admitted",
    _none_of(
        "ids_repeated",
        "events_unknown",
        "rows_unaccounted",
        "documents_missing",
        "documents_unexpected",
        "docs_repeated",
    ),
)

COPIES = Contract("copies", _none_of("copies_repeated", "copies_unequal", "copies_chained", "canaries_mixed"))

PRESCREEN = Contract("prescreen", _none_of("docs_repeated", "docs_missing", "docs_unknown", "counts_impossible"))

EMBEDDINGS = Contract(
    "embeddings",
    _none_of(
        "docs_repeated",
        "docs_missing",
        "docs_unknown",
        "vectors_not_unit",
        "dimensions_mixed",
        "entropies_negative",
        "attention_misaligned",
        "windows_impossible",
    ),
)

SIGNATURES = Contract(
    "signatures",
    _none_of(
        "docs_repeated",
        "docs_missing",
        "docs_unknown",
        "codes_missing",
        "sketches_wrong_length",
        "bands_out_of_bounds",
        "samples_missing",
        "masses_negative",
    ),
)

CANDIDATES = Contract(
    "candidates",
    _none_of(
        "pairs_repeated",
        "pairs_unordered",
        "docs_unknown",
        "canaries_mixed",
        "routes_unknown",
        "distances_impossible",
        "similarities_impossible",
    ),
)

VERIFIED = Contract(
    "verified",
    _none_of(
        "pairs_repeated",
        "pairs_unordered",
        "docs_unknown",
        "canaries_mixed",
        "scores_impossible",
        "types_unknown",
        "verdicts_unknown",
        "lookalikes_removable",
    ),
)

JUDGED = Contract(
    "judged",
    _none_of(
        "pairs_repeated",
        "pairs_lost",
        "pairs_impossible",
        "pairs_unfounded",
        "automatic_changed",
        "unasked_changed",
        "sources_unknown",
        "labels_unknown",
        "judgements_incomplete",
        "judgements_unsigned",
        "types_unknown",
        "verdicts_unknown",
        "lookalikes_removable",
        "reviews_disobeyed",
        "over_budget",
    ),
)

SURVIVORS = Contract(
    "survivors",
    _none_of(
        "docs_repeated",
        "docs_unknown",
        "survivors_unknown",
        "survivors_removed",
        "removals_unexplained",
        "removals_unverified",
        "canaries_mixed",
    ),
)

FRAGMENT_SPANS = Contract(
    "fragment_spans",
    _none_of(
        "fragments_repeated",
        "actions_unknown",
        "fragments_too_rare",
        "cut_unjudged",
        "docs_unknown",
        "fragments_unknown",
        "spans_outside",
        "spans_overlapping",
        "texts_unequal",
        "cuts_unfounded",
        "stumps",
    ),
)

DECISIONS = Contract(
    "decisions",
    _none_of(
        "ids_missing",
        "ids_repeated",
        "ids_unknown",
        "actions_unknown",
        "reasons_missing",
        "kept_with_survivor",
        "survivors_not_kept",
        "removals_unexplained",
        "cuts_impossible",
        "documents_changed",
        "sources_unbalanced",
    ),
)

_CONSERVATION = (
    Check("content_lost", at_most="max_content_lost"),
    Check("source_content_lost", at_most="max_source_content_lost"),
    Check("runs_lost", at_most="max_runs_lost", severity="warning"),
    Check("passages_lost", at_most="max_runs_lost", severity="warning"),
    Check("survivors_lacking", at_most="max_survivors_lacking", severity="warning"),
)

SNAPSHOT = Contract(
    "snapshot",
    (
        Check("preservation", at_least="min_preservation", at_most=1),
        Check("reject_share", at_most="max_reject_share"),
        *_CONSERVATION,
        *_none_of(
            "protected_removed",
            "lookalikes_missing",
            "rows_unaccounted",
            "canaries_published",
            "kept_unpublished",
            "published_not_kept",
            "published_repeated",
            "published_empty",
            "texts_not_restorable",
            "cuts_miscounted",
        ),
    ),
)

REFRESH = Contract(
    "refresh",
    (
        Check("preservation", at_least="min_preservation", at_most=1),
        Check("reject_share", at_most="max_reject_share"),
        Check("published_loss", at_most="max_published_loss"),
        *_CONSERVATION,
        *_none_of(
            "protected_removed",
            "lookalikes_missing",
            "rows_unaccounted",
            "ids_lost",
            "ids_unknown",
            "ids_repeated",
            "survivors_not_kept",
            "canaries_published",
            "kept_unpublished",
            "published_not_kept",
            "published_repeated",
            "published_empty",
            "texts_not_restorable",
            "cuts_miscounted",
        ),
    ),
)

CONTRACTS = {
    contract.name: contract
    for contract in (
        DOCUMENTS,
        ADMITTED,
        COPIES,
        PRESCREEN,
        EMBEDDINGS,
        SIGNATURES,
        CANDIDATES,
        VERIFIED,
        JUDGED,
        SURVIVORS,
        FRAGMENT_SPANS,
        DECISIONS,
        SNAPSHOT,
        REFRESH,
    )
}
