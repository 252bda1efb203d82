"""Suites of expectations at every boundary of a run: what a failure would count is the column of `sql/contracts`.

The tables and run parameters that a contract needs are the `$parameters` of its statement in `sql/`.
"""

from typing import Any

from data_contracts.expectations import Contract, none, within

DOCUMENTS = Contract(
    "documents",
    lambda: [
        within("real_documents", "least_documents", None, description="There are documents to curate."),
        none("rows_unaccounted", description="Documents and rejects are all input rows."),
        none("ids_missing", description="Every document has an id."),
        none("ids_repeated", description="No id stands twice."),
        none("docs_not_dense", description="Documents are numbered from 0 without a gap."),
        none("texts_empty", description="Every text has a character that is not white space."),
        none("lengths_wrong", description="n_chars is the length of the text in code points."),
        none("hashes_malformed", description="text_hash is 32 hexadecimal digits."),
        none("marks_missing", description="Source and protection are known of every document."),
        none("canaries_mislabelled", description="Ids of canaries, and only theirs, begin with __canary__/."),
        none("rejects_unexplained", description="Every reject names its file, row and reason."),
    ],
)

ADMITTED = Contract(
    "admitted",
    lambda: [
        none("ids_repeated", description="No id arrives twice."),
        none("events_unknown", description="Every arrival is an event that is known."),
        none("rows_unaccounted", description="Arrivals and rejects are all input rows."),
        none("documents_missing", description="Everything that must be checked is among tonight's documents."),
        none("documents_unexpected", description="Nothing else is among tonight's documents."),
        none("docs_repeated", description="No number is given twice, nor one that a live document has."),
    ],
)

COPIES = Contract(
    "copies",
    lambda: [
        none("copies_repeated", description="No document is a copy twice."),
        none("copies_unequal", description="A copy has the normalised text of what it is a copy of."),
        none("copies_chained", description="What something is a copy of is no copy itself."),
        none("canaries_mixed", description="Canaries and real documents are no copies of each other."),
    ],
)

PRESCREEN = Contract(
    "prescreen",
    lambda: [
        none("docs_repeated", description="Every distinct text is screened once."),
        none("docs_missing", description="Every distinct text is screened."),
        none("docs_unknown", description="Only distinct texts are screened."),
        none("counts_impossible", description="A text shares at most the shingles that it has."),
    ],
)

EMBEDDINGS = Contract(
    "embeddings",
    lambda: [
        none("docs_repeated", description="No text is embedded twice."),
        none("docs_missing", description="Every text in play is embedded."),
        none("docs_unknown", description="Only texts in play are embedded."),
        none("vectors_not_unit", description="Vectors have length 1, or 0 where no word is known."),
        none("dimensions_mixed", description="All vectors have the same dimension."),
        none("entropies_negative", description="Entropy is finite and not negative."),
        none("attention_misaligned", description="Every word has its attention."),
        none("windows_impossible", description="A text has a window, and skips at most the words that it has."),
    ],
)

SIGNATURES = Contract(
    "signatures",
    lambda: [
        none("docs_repeated", description="No text is signed twice."),
        none("docs_missing", description="Every text in play is signed."),
        none("docs_unknown", description="Only texts in play are signed."),
        none("codes_missing", description="Every signature has a code."),
        none("sketches_wrong_length", description="Sketches have as many slots as the parameters say."),
        none("bands_out_of_bounds", description="The number of bands is within the bounds of the parameters."),
        none("samples_missing", description="Every signature has its sample of 5-grams."),
        none("masses_negative", description="The mass of a text is finite and not negative."),
    ],
)

CANDIDATES = Contract(
    "candidates",
    lambda: [
        none("pairs_repeated", description="No pair stands twice."),
        none("pairs_unordered", description="The lower document of a pair stands first."),
        none("docs_unknown", description="Both documents of a pair are known."),
        none("canaries_mixed", description="Canaries and real documents make no pair."),
        none("routes_unknown", description="Every pair was found by a route that is known."),
        none("distances_impossible", description="Hamming distances lie between 0 and 64."),
        none("similarities_impossible", description="Similarities lie between 0 and 1."),
    ],
)

VERIFIED = Contract(
    "verified",
    lambda: [
        none("pairs_repeated", description="No pair stands twice."),
        none("pairs_unordered", description="The lower document of a pair stands first."),
        none("docs_unknown", description="Both documents of a pair are known."),
        none("canaries_mixed", description="Canaries and real documents make no pair."),
        none("scores_impossible", description="Probability, containment, Jaccard and cosine are within their range."),
        none("types_unknown", description="Every pair is of a type that is known."),
        none("verdicts_unknown", description="Every pair has a verdict that is known."),
        none("lookalikes_removable", description="Look-alikes and unrelated pairs are distinct."),
    ],
)

JUDGED = Contract(
    "judged",
    lambda: [
        none("pairs_repeated", description="No pair stands twice."),
        none("pairs_lost", description="Every verified pair is there."),
        none("pairs_impossible", description="Pairs are ordered, known, and no canary meets a real document."),
        none("pairs_unfounded", description="Only reviews bring up further pairs."),
        none("automatic_changed", description="Probability and uncertainty are those of the verification."),
        none("unasked_changed", description="Nothing changes for pairs that nobody was asked about."),
        none("sources_unknown", description="Every judgement comes from a source that is known."),
        none("labels_unknown", description="Every judgement is a label that is known."),
        none("judgements_incomplete", description="Every judgement has label, probabilities, model and prompt."),
        none("judgements_unsigned", description="What no one judged has no label."),
        none("types_unknown", description="Every pair is of a type that is known."),
        none("verdicts_unknown", description="Every pair has a verdict that is known."),
        none("lookalikes_removable", description="Look-alikes and unrelated pairs are distinct."),
        none("reviews_disobeyed", description="A pair is distinct exactly where a review says so."),
        none("over_budget", description="The judge was asked within its budget."),
    ],
)

SURVIVORS = Contract(
    "survivors",
    lambda: [
        none("docs_repeated", description="No document goes twice."),
        none("docs_unknown", description="Only documents of the corpus go."),
        none("survivors_unknown", description="The survivor is a document of the corpus."),
        none("survivors_removed", description="The survivor does not go itself."),
        none("removals_unexplained", description="Every removal has a type and a stage."),
        none("removals_unverified", description="Every removal rests on a direct check against its survivor."),
        none("canaries_mixed", description="Canaries and real documents do not go for each other."),
    ],
)

REMOVALS = Contract(
    "removals",
    lambda: [
        none("pairs_unordered", description="The lower document of a rewrite stands first, and no pair twice."),
        none("pairs_removed", description="Both documents of a rewrite were kept when they were compared."),
        none("canaries_mixed", description="Canaries and real documents make no pair."),
        none("scores_impossible", description="Probabilities and cosines are within their range."),
        none("removals_lost", description="Every removal by wording stands."),
        none("docs_repeated", description="No document goes twice."),
        none("survivors_removed", description="The survivor of a removal does not go itself."),
        none("removals_unfounded", description="Every removal by meaning rests on a rewrite."),
    ],
)

FRAGMENT_SPANS = Contract(
    "fragment_spans",
    lambda: [
        none("fragments_repeated", description="No fragment stands twice."),
        none("actions_unknown", description="Every fragment is cut or kept."),
        none("fragments_too_rare", description="Fragments have as many hosts as the parameters ask for."),
        none("cut_unjudged", description="Only what is viral is cut."),
        none("docs_unknown", description="Spans lie in documents of the corpus."),
        none("fragments_unknown", description="Spans are of known fragments."),
        none("spans_outside", description="Spans lie within the text."),
        none("spans_overlapping", description="Spans of a document do not overlap."),
        none("texts_misfit", description="The text of a span is as long as what stands there."),
        none("cuts_unfounded", description="Only spans of fragments that are cut are cut."),
        none("stumps", description="Enough is left of every text that is cut."),
    ],
)

DECISIONS = Contract(
    "decisions",
    lambda: [
        none("ids_missing", description="Every document is decided."),
        none("ids_repeated", description="No document is decided twice."),
        none("ids_unknown", description="Only documents of the corpus are decided."),
        none("actions_unknown", description="Every decision is keep, remove or edit."),
        none("reasons_missing", description="Every decision has a reason."),
        none("kept_with_survivor", description="What is kept has no survivor."),
        none("survivors_not_kept", description="The survivor of every removal is kept."),
        none("removals_unexplained", description="Every removal has a type and a stage."),
        none("cuts_impossible", description="Characters are cut from edited documents, and never all."),
        none("documents_changed", description="Source and length are those of the document."),
        none("sources_unbalanced", description="Kept and removed are all documents, per source."),
    ],
)


def _conservation() -> list[Any]:
    """Measures of what a snapshot loses, the first law of the method."""
    return [
        within("content_lost", 0, "max_content_lost", description="Hardly any content stands nowhere any more."),
        within("source_content_lost", 0, "max_source_content_lost", description="No source loses content of its own."),
        within(
            "runs_lost", 0, "max_runs_lost", "warning", description="Few removals lose a run of words that none has."
        ),
        within(
            "passages_lost", 0, "max_runs_lost", "warning", description="Few cuts lose a run of words that none has."
        ),
        within(
            "survivors_lacking", 0, "max_survivors_lacking", "warning", description="Survivors hold what went for them."
        ),
    ]


SNAPSHOT = Contract(
    "snapshot",
    lambda: [
        within("preservation", "min_preservation", 1, description="Look-alikes and protected documents are kept."),
        within("reject_share", 0, "max_reject_share", description="Nearly all input rows could be read."),
        within("files_broken", 0, "max_broken_files", description="Every input file could be read to its end."),
        *_conservation(),
        none("protected_removed", description="No protected document goes."),
        none("lookalikes_missing", description="Look-alikes were planted if they were to be."),
        none("rows_unaccounted", description="Every input row became a document or a reject."),
        none("canaries_published", description="No canary is published."),
        none("kept_unpublished", description="Everything that is kept is published."),
        none("published_not_kept", description="Only what is kept is published."),
        none("published_repeated", description="Nothing is published twice."),
        none("published_empty", description="No empty text is published."),
        none("texts_not_restorable", description="Every original text can be put together again."),
        none("cuts_miscounted", description="As many characters were cut as the decisions say."),
        within("published_loss", 0, "max_published_loss", description="No source loses much of what was published."),
        none("ids_lost", description="Every id that ever arrived has a decision."),
        none("ids_unknown", description="Only ids that arrived have a decision."),
        none("ids_repeated", description="No id has two decisions."),
        none("survivors_not_kept", description="The survivor of every removal is kept."),
    ],
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
        REMOVALS,
        FRAGMENT_SPANS,
        DECISIONS,
        SNAPSHOT,
    )
}
