"""Schemas of all tables: working tables between stages first, then what a snapshot publishes, then what is kept."""

import polars as pl

from data_contracts.schema import Column, Table

DOC = Column(pl.Int64, "number of the document: dense, in the order of source priority and id")
ID = Column(pl.String, "id of the document, from the user's column or derived from the text")
SOURCE = Column(pl.String, "source of the document; null where none is given", null=True)
TEXT = Column(pl.String, "text as it came in")
CHARS = Column(pl.Int32, "code points of the text")
PROTECTED = Column(pl.Boolean, "must be kept")
CANARY = Column(pl.String, "what was planted with it; null for the user's documents", null=True)
PUBLISHED = Column(pl.Boolean, "was published before tonight and is only looked at")
A = Column(pl.Int64, "number of one document, less than b")
B = Column(pl.Int64, "number of the other document")
TYPE = Column(pl.String, "type of redundancy: A, B, C, D, or P (a rewrite)")
WINDOW_LIST = Column(pl.List(pl.UInt32), "minimizers of its text, for the search of fragments")

DOCUMENTS = Table(
    "documents",
    "an input document, canaries behind the user's",
    {
        "doc": DOC,
        "doc_id": ID,
        "source": SOURCE,
        "text": TEXT,
        "n_chars": CHARS,
        "text_hash": Column(pl.String, "xxh3-128 of the normalised text"),
        "protected": PROTECTED,
        "published": PUBLISHED,
        "canary": CANARY,
    },
)
EXTRAS = Table(
    "extras",
    "an input document of the user, with all columns of the user",
    {
        "semhash_doc": DOC,
        "semhash_file": Column(pl.String, "input file, as it is called below what the user named", null=True),
        "semhash_row": Column(pl.Int64, "its number in the file, from 1", null=True),
    },
    others=True,
)
BROKEN = "unreadable "
"""Begin of a reason that stands in `rejects` for a whole file or its rest; `contracts/snapshot.sql` counts these."""
ENDS_EARLY = f"{BROKEN}from here on"
REJECTS = Table(
    "rejects",
    "an input row that is no document",
    {
        "file": Column(pl.String, "input file"),
        "row": Column(pl.Int64, "its number in the file, from 1"),
        "reason": Column(pl.String, "why it cannot be used"),
        "excerpt": Column(pl.String, "its beginning"),
        "doc_id": Column(pl.String, "the id that it came with; null where none could be read", null=True),
    },
)
COPIES = Table(
    "copies",
    "a document whose normalised text another has, too",
    {"doc": DOC, "copy_of": Column(pl.Int64, "the document that stands for it")},
)
FREQUENCIES = Table(
    "frequencies",
    "a distinct document that was counted; the counts of shingles and words stand beside it as arrays",
    {"doc": DOC},
)
PRESCREEN = Table(
    "prescreen",
    "a distinct document",
    {
        "doc": DOC,
        "shingles": Column(pl.Int32, "n-grams that were asked about"),
        "shared": Column(pl.Int32, "those that another document has, too, or a false positive of the filter"),
        "in_play": Column(pl.Boolean, "shares enough of them to be compared"),
    },
)
EMBEDDINGS = Table(
    "embeddings",
    "a distinct document in play",
    {
        "doc": DOC,
        "vector": Column(pl.Binary, "unit vector of its meaning (`eq:embedding`), each element two bytes of float16"),
        "norm": Column(pl.Float32, "length of the vector as it is stored"),
        "neighbour_code": Column(pl.Binary, "its code of 256 bits for the search of neighbours, four words of uint64"),
        "attention": Column(pl.Binary, "attention of each word, quantised to a byte (`eq:agg_attn`)"),
        "entropy": Column(pl.Float32, "entropy of the attention (`eq:entropy`)"),
        "words": Column(pl.Int32, "words of the text"),
        "windows": Column(pl.Int32, "windows in which it was encoded"),
        "skipped_words": Column(pl.Int32, "words outside every window"),
    },
)
SIGNATURES = Table(
    "signatures",
    "a distinct document in play",
    {
        "doc": DOC,
        "code": Column(pl.UInt64, "semantic hash of 64 bits (`eq:hash`)"),
        "sketch": Column(pl.Array(pl.UInt32, 0), "attention-weighted MinHash (`eq:weighted_minhash`)"),
        "bands": Column(pl.List(pl.UInt64), "hashes of the bands of the sketch (`eq:adaptive_band`)"),
        "sample": Column(pl.List(pl.UInt64), "sampled shingles (FracMinHash)"),
        "short": Column(pl.Boolean, "shingled by characters, not by words"),
        "mass": Column(pl.Float32, "sum of the weights of its shingles"),
    },
)
BLOCKED = Table(
    "blocked",
    "a pair of codes within the Hamming radius",
    {"a": A, "b": B, "hamming": Column(pl.Int16, "bits in which the codes differ")},
)
BANDED = Table("banded", "a pair that shares a band", {"a": A, "b": B})
NESTED = Table("nested", "a pair of which one document holds most sampled shingles of the other", {"a": A, "b": B})
CANDIDATES = Table(
    "candidates",
    "a pair that is compared on its text",
    {
        "a": A,
        "b": B,
        "hamming": Column(pl.Int16, "bits in which the codes differ; null where blocking did not find it", null=True),
        "route": Column(pl.String, "who proposed it: `semantic`, `lexical`, `both` or `containment`"),
        "similarity": Column(
            pl.Float32, "weighted Jaccard as the sketches estimate it; null for an heir and a new parent", null=True
        ),
    },
)
FEATURES = Table(
    "features",
    "a document that a candidate pair names",
    {
        "doc": DOC,
        "point": Column(pl.Array(pl.Float32, 64), "its place in the contrastive space"),
        "gate_char": Column(pl.Float32, "weight of characters (`eq:fused`)"),
        "gate_token": Column(pl.Float32, "weight of words"),
        "gate_semantic": Column(pl.Float32, "weight of meaning"),
    },
)
_SHARES = {
    "weighted_jaccard": "weighted Jaccard of the shingles (`eq:weighted_jaccard`)",
    "jaccard": "Jaccard of the shingles",
    "containment_a": "share of the shingles of a that b has",
    "containment_b": "share of the shingles of b that a has",
    "weighted_containment_a": "the same by the weights of a",
    "weighted_containment_b": "the same by the weights of b",
    "aligned_a": "share of the words of a that are matched in order",
    "aligned_b": "share of the words of b that are matched in order",
    "shared_mass": "weight of the matched words",
    "rest_mass_a": "weight of the unmatched words of a",
    "rest_mass_b": "weight of the unmatched words of b",
    "rest_prose_a": "the part of it in running text",
    "rest_prose_b": "the part of it in running text",
    "novel_mass_a": "weight of the unmatched words of a that b has nowhere",
    "novel_mass_b": "weight of the unmatched words of b that a has nowhere",
    "edited_mass": "weight of words changed inside matched sentences",
    "fact_mass": "weight of those of them that state a fact",
    "spelling": "how alike the letters are where the texts differ, the least over all places",
    "own_a": "share of the own content of a that b holds; 1 where there is none",
    "own_b": "share of the own content of b that a holds; 1 where there is none",
    "lacking_a": "share of the words of a that stand nowhere in b",
    "lacking_b": "share of the words of b that stand nowhere in a",
    "lacking_text_a": "those of them in running text",
    "lacking_text_b": "those of them in running text",
}
_COUNTS = {
    "longest_run": "words of the longest matched run",
    "runs": "matched runs as long as prose",
    "replaced": "words that stand in place of others",
    "typographic": "words forgiven as another spelling",
    "edited": "words changed inside matched sentences",
    "changed_facts": "those of them that state a fact",
    "sentence_facts": "those of them in sentences that are mostly matched",
    "hard_facts": "numbers and negations among them that no slip excuses",
    "moved": "1 where the unmatched words of both are the same in another order",
    "other_facts": "facts exchanged in a matched sentence",
    "other_words": "places where a content word or a sentence stands in place of another",
    "volatile": "exchanged facts that may differ, such as counters and times",
    "own_words_a": "words of a that are its own content",
    "own_words_b": "words of b that are its own content",
    "alone_a": "lacking words of a in rare prose",
    "alone_b": "lacking words of b in rare prose",
    "alone_run_a": "the most of these in a row",
    "alone_run_b": "the most of these in a row",
    "text_run_a": "the most lacking words of a in a row of running text, thrice beside a quoted mail",
    "text_run_b": "the most lacking words of b in a row of running text, thrice beside a quoted mail",
    "replaced_words": "words that stand in place of others, without numbers and dates",
    "stock_words_a": "words of a alone in phrases of many documents, clauses and names of licences, translated lines",
    "stock_words_b": "words of b alone in phrases of many documents, clauses and names of licences, translated lines",
    "rare_words_a": "own_words_a where these are rare prose, else 0",
    "rare_words_b": "own_words_b where these are rare prose, else 0",
    "code_words_a": "of source code and data, the most words in a row that b lacks, where more than one",
    "code_words_b": "of source code and data, the most words in a row that a lacks, where more than one",
    "title_words_a": "words that the title or heading of a says and b does not, of things of a kind or near texts",
    "title_words_b": "words that the title or heading of b says and a does not, of things of a kind or near texts",
    "intact_a": "what a has and b lost, as bits: 1 its marks, 2 its accents, 4 letters, 8 the key of its row",
    "intact_b": "what b has and a lost, as bits: 1 its marks, 2 its accents, 4 letters, 8 the key of its row",
    "slot": "hash of the words before the first place with other words, below 0 where nobody else has these; 0: none",
    "fill_a": "hash of the words that a has in that place",
    "fill_b": "hash of the words that b has in that place",
}
JUDGE_COLUMNS = {
    "judge_label": Column(pl.String, "what the language model or a person said", null=True),
    "judge_p": Column(pl.Float32, "probability of a duplicate as the model has it", null=True),
    "judge_confidence": Column(pl.Float32, "how sure the model is", null=True),
    "p_final": Column(pl.Float32, "network and model together (`eq:ensemble`)", null=True),
    "judge_model": Column(pl.String, "which model", null=True),
    "judge_prompt": Column(pl.String, "version of the prompt", null=True),
    "judge_source": Column(pl.String, "who had the say: `model`, `review`, `suspicious`", null=True),
}
VERIFIED = Table(
    "verified",
    "a pair that was compared on its text; columns with _a and _b are about one side",
    {
        "a": A,
        "b": B,
        **{name: Column(pl.Float32, says) for name, says in _SHARES.items()},
        **{name: Column(pl.Int32, says) for name, says in _COUNTS.items()},
        "skeleton_similarity": Column(pl.Float32, "how alike two short texts are letter by letter; NaN for others"),
        "differences": Column(pl.Int32, "what makes two short texts two, as bits"),
        "says_more": Column(pl.Int32, "which of two short texts says more"),
        "stands_in": Column(pl.Int32, "which stands whole in the other: 1 the first, 2 the second"),
        "cosine": Column(pl.Float32, "cosine of the vectors"),
        "share": Column(pl.Float32, "shared mass, of that of the text with more of its own"),
        "content": Column(pl.Float32, "the same for prose alone"),
        "edits": Column(pl.Float32, "weight of changed words over the shared mass"),
        "facts": Column(pl.Float32, "weight of changed facts over the shared mass"),
        "ratio_a": Column(pl.Float32, "how much of a is contained in b"),
        "ratio_b": Column(pl.Float32, "how much of b is contained in a"),
        "p_dup": Column(pl.Float32, "probability of a duplicate"),
        "sigma": Column(pl.Float32, "its uncertainty (`eq:uncertainty`)"),
        "tau": Column(pl.Float32, "its threshold (`eq:margin`)"),
        "type": Column(pl.String, "A, B, C, D, F (look-alike), `variant` or `none`"),
        "goes_a": Column(pl.Boolean, "a may go, as far as its content is concerned"),
        "goes_b": Column(pl.Boolean, "b may go, as far as its content is concerned"),
        "verdict": Column(pl.String, "which side may go in favour of the other"),
        "round": Column(pl.Int8, "round that proposed it; null where only a review did", null=True),
        **JUDGE_COLUMNS,
    },
)
HASH_A = Column(pl.String, "hash of the normalised text of one side")
HASH_B = Column(pl.String, "hash of the normalised text of the other side")
ROUTED = Table(
    "routed",
    "a pair that the judge is asked about, in the order in which to ask",
    {
        **VERIFIED.columns,
        "text_hash_a": HASH_A,
        "text_hash_b": HASH_B,
        "suspicious": Column(pl.Boolean, "one of the texts speaks to the judge: nobody asks"),
    },
)
JUDGED = VERIFIED.named("judged")
CONTAINMENT = Table(
    "containment",
    "a child and a parent that holds its wording",
    {
        "child": Column(pl.Int64, "number of the contained document"),
        "parent": Column(pl.Int64, "number of the document that holds it"),
        "ratio": Column(pl.Float32, "how much of the child is contained"),
        "cosine": Column(pl.Float32, "of the child and the matching passage of the parent"),
        "confirmed": Column(pl.Boolean, "confirmed by meaning (`eq:sem_contain`), or by a person"),
        "chosen": Column(pl.Boolean, "this is its parent (`eq:parent`)"),
    },
)
_EVIDENCE = {
    "type": TYPE,
    "stage": Column(pl.String, "stage that decided: `verify` or `containment`"),
    "similarity": Column(pl.Float32, "weighted Jaccard of the pair"),
    "containment": Column(pl.Float32, "how much of it the survivor contains"),
    "cosine": Column(pl.Float32, "cosine of the pair"),
}
SETTLED = Table(
    "settled",
    "a removal, with the evidence of its own pair",
    {
        "doc": DOC,
        "survivor": Column(pl.Int64, "the document in whose favour it goes"),
        **_EVIDENCE,
        "p_dup": Column(pl.Float32, "probability of a duplicate"),
        **{name: JUDGE_COLUMNS[name] for name in ("judge_source", "judge_label", "p_final")},
    },
)
SURVIVORS = Table("survivors", "a removal that stands when nothing would be lost for good", SETTLED.columns)
RESCUED = Table(
    "rescued",
    "a removal that was called off",
    {
        "doc": DOC,
        "survivor": Column(pl.Int64, "the document in whose favour it was to go"),
        "type": TYPE,
        "words": Column(pl.Int32, "words that no document would say that stays"),
        "passage": Column(pl.String, "these words in the original"),
    },
)
ASIDE = EMBEDDINGS.named("aside").only(
    "a distinct document that the pre-screen set aside", "doc", "vector", "neighbour_code", "words"
)
_NEAR = {
    "cosine": Column(pl.Float32, "cosine of the vectors"),
    "distance_ratio": Column(pl.Float32, "1 - cosine, as a share of the mean of that with what is around either"),
}
NEIGHBOURS = Table(
    "neighbours",
    "a pair of kept documents, each among the nearest in meaning of the other",
    {"a": A, "b": B, **_NEAR},
)
_REWRITE = {
    **_NEAR,
    "p_same": Column(pl.Float32, "probability that they say the same"),
    "cover": Column(pl.Float32, "how well the words of one are met by the other, the lesser of both sides"),
    "worst_sentence": Column(pl.Float32, "the same for the sentence that is met least"),
    "same": Column(pl.Float32, "share of the words of one that the other has, too, the lesser of both sides"),
    "left": Column(pl.Float32, "cosine of what they do not share word for word; null where that is little", null=True),
}
REWRITES = Table("rewrites", "a pair of kept documents that say the same in other words", {"a": A, "b": B, **_REWRITE})
REMOVALS = Table("removals", "a removal, by wording or by meaning", SETTLED.columns)
FRAGMENTS = Table(
    "fragments",
    "a passage that several documents hold",
    {
        "fragment": Column(pl.Int64, "number of the passage"),
        "text": Column(pl.String, "the passage, normalised"),
        "chars": Column(pl.Int32, "its code points"),
        "hosts": Column(pl.Int32, "documents that hold it"),
        "occurrences": Column(pl.Int32, "places in all of them"),
        "relevance": Column(pl.Float32, "how much it has to do with its hosts (`eq:relevance`)", null=True),
        "likeness": Column(pl.Float32, "how alike its hosts are without it", null=True),
        "viral": Column(pl.Float32, "probability that it travels between strangers; 1 for furniture", null=True),
        "rated_hosts": Column(pl.Int32, "its `hosts` when that was judged"),
        "action": Column(pl.String, "`cut` or `keep`"),
    },
)
PASSAGES = FRAGMENTS.only("a passage of unknown virality", "fragment", "text", "chars", "hosts", "occurrences")
_PLACE = {
    "fragment": Column(pl.Int64, "number of the passage"),
    "doc": DOC,
    "start": Column(pl.Int32, "code point at which it begins in the original"),
    "end": Column(pl.Int32, "code point behind its end"),
}
PLACES = Table("places", "a place where a passage stands", _PLACE)
FRAGMENT_SPANS = Table(
    "fragment_spans",
    "a place where a passage stands in a document that is kept",
    {
        **_PLACE,
        "text": Column(pl.String, "what stands there in the original"),
        "cut": Column(pl.Boolean, "it is cut out of what is published"),
    },
)
SPANS = FRAGMENT_SPANS.only(
    "a place where a passage stands, without its text", *(name for name in FRAGMENT_SPANS.columns if name != "text")
)
DECISIONS = Table(
    "decisions",
    "an input document, canaries included",
    {
        "doc": DOC,
        "doc_id": ID,
        "source": SOURCE,
        "action": Column(pl.String, "`keep`, `edit` (kept, shortened), `remove`, in a refresh also `delete`"),
        "type": Column(pl.String, "A, B, C, D, P or `exact` where it goes, E where it is cut", null=True),
        "survivor_id": Column(pl.String, "id of the document in whose favour it goes", null=True),
        "stage": Column(pl.String, "`collapse`, `verify`, `containment`, `meaning`, `rescue` or `fragment`", null=True),
        **{name: _EVIDENCE[name]._replace(null=True) for name in ("similarity", "containment", "cosine")},
        "chars_cut": Column(pl.Int32, "code points that are cut out"),
        "n_chars": CHARS,
        "protected": PROTECTED,
        "canary": CANARY,
        "generation": Column(pl.Int32, "number of the refresh that decided, 0 for the whole corpus"),
        "reason": Column(pl.String, "the reason in words"),
    },
)

ARRIVALS = Table(
    "arrivals",
    "an id that tonight concerns",
    {
        "doc_id": ID,
        "number": Column(pl.Int64, "its number among tonight's rows; null where none arrived", null=True),
        "doc": Column(pl.Int64, "number of the live document; null where there is none", null=True),
        "event": Column(
            pl.String, "`new`, `changed`, `returned`, `unchanged`, `rechecked`, `deleted`, `refused` or `unknown`"
        ),
    },
)
LIVE = Table(
    "live",
    "a document of the published snapshot, kept or removed",
    {
        "doc": DOC,
        "doc_id": ID,
        "source": SOURCE,
        "text_hash": DOCUMENTS.columns["text_hash"],
        "protected": PROTECTED,
        **{name: column._replace(null=True) for name, column in _EVIDENCE.items()},
        "survivor": Column(pl.Int64, "the document in whose favour it went; null where it is kept", null=True),
    },
)
ROSTER = Table("roster", "a live document that tonight leaves alone", LIVE.columns)
WINDOWS = Table("windows", "a kept document", {"doc": DOC, "windows": WINDOW_LIST})
HEIRS = Table(
    "heirs",
    "a removed document whose survivor may give way",
    {
        "doc": DOC,
        "survivor": Column(pl.Int64, "its survivor"),
        "copy_of": Column(pl.Int64, "document of the same text that answers for it; null: it is checked", null=True),
    },
)
MET_EMBEDDINGS = EMBEDDINGS.only("a document of tonight, or a live one in reach", "doc", "vector", "attention")
MET_SIGNATURES = SIGNATURES.only("a document of tonight, or a live one in reach", "doc", "mass", "short")
SEARCHED = DOCUMENTS.named("searched").only(
    "a kept document in which tonight searches for passages",
    "doc",
    "doc_id",
    "source",
    "text",
    "n_chars",
    "protected",
    "canary",
    "published",
)
REGAINED = SEARCHED.named("regained")
KNOWN = Table(
    "known",
    "a published passage near tonight's documents",
    {**FRAGMENTS.columns, "due": Column(pl.Boolean, "it is rated again, and all its published hosts are searched")},
)
STANDING = Table(
    "standing",
    "a published document that stays",
    {
        "doc": DOC,
        "doc_id": ID,
        "protected": PROTECTED,
        "leaned_on": Column(pl.Boolean, "one that was removed earlier has it as survivor"),
    },
)
HOSTS = Table("hosts", "a published document whose cuts change", {"doc": DOC, "doc_id": ID})
REWRITTEN = Table("rewritten", "a document that is published anew, or is gone", {"doc": DOC, "doc_id": ID})
EARLIER = LIVE.named("earlier").only(
    "a document removed before tonight whose text came in again", "doc", "survivor", *_EVIDENCE
)
NIGHT = DECISIONS.named("night").only(
    "an id on which the decision changes", *(name for name in DECISIONS.columns if name not in ("doc", "canary"))
)

STAGE_METRICS = Table(
    "stage_metrics",
    "a stage of the run",
    {
        "stage": Column(pl.String, "its name"),
        "position": Column(pl.Int32, "its place in the order"),
        "documents_in": Column(pl.Int64, "documents that it took in", null=True),
        "documents_out": Column(pl.Int64, "documents that it let through", null=True),
        "pairs_in": Column(pl.Int64, "pairs that it took in", null=True),
        "pairs_out": Column(pl.Int64, "pairs that it let through", null=True),
        "planted_in": Column(pl.Int64, "planted documents or pairs that it took in", null=True),
        "planted_out": Column(pl.Int64, "planted documents or pairs that it let through", null=True),
        "pass_rate": Column(pl.Float64, "share that it let through", null=True),
        "seconds": Column(pl.Float64, "wall time"),
        "peak_memory_mb": Column(pl.Float64, "peak memory of the process"),
        "reused": Column(pl.Boolean, "found finished"),
    },
)
CONSERVATION = Table(
    "conservation",
    "a measure of what was lost, per source and type where these are given",
    {
        "measure": Column(
            pl.String,
            "`content`, `grams_2`, `grams_10`, `apart_10`, `lacking`, `gone`, `passages`, `given_up`, `characters`, or "
            "`sample`: of how many grams one was counted",
        ),
        "source": Column(pl.String, "source of the documents", null=True),
        "type": Column(pl.String, "type of the removals", null=True),
        "lost": Column(pl.Int64, "how many were lost"),
        "whole": Column(pl.Int64, "of how many"),
    },
)
LOST_PASSAGES = Table(
    "lost_passages",
    "a document that loses a passage for good",
    {
        "doc_id": ID,
        "survivor_id": Column(pl.String, "its survivor; null where a passage was cut", null=True),
        "type": TYPE,
        "source": SOURCE,
        "words": Column(pl.Int32, "words that are lost"),
        "passage": Column(pl.String, "the longest run of them"),
    },
)
SNAPSHOT = {
    table.name: table
    for table in (
        Table(
            "documents",
            "a document that is kept; the user's columns, with the text without what is cut",
            others=True,
        ),
        DECISIONS.only("an input document", *NIGHT.columns),
        FRAGMENTS,
        Table(
            "fragment_spans",
            "a place where a passage stands in a document that is kept",
            {
                "fragment": _PLACE["fragment"],
                "doc_id": ID,
                **{name: FRAGMENT_SPANS.columns[name] for name in ("start", "end", "text", "cut")},
            },
        ),
        Table(
            "verified",
            "a pair of the user's documents that was compared on its text, by ids instead of numbers",
            {
                "a_id": Column(pl.String, "id of one document"),
                "b_id": Column(pl.String, "id of the other document"),
                **{name: column for name, column in VERIFIED.columns.items() if name not in ("a", "b")},
            },
        ),
        Table(
            "rewrites",
            "a pair of kept documents of the user that say the same in other words",
            {
                "a_id": Column(pl.String, "id of one document"),
                "b_id": Column(pl.String, "id of the other document"),
                **_REWRITE,
                "distance_ratio": _REWRITE["distance_ratio"]._replace(null=True),  # not known by earlier versions
            },
        ),
        REJECTS,
        CONSERVATION,
        LOST_PASSAGES,
        STAGE_METRICS,
    )
}
"""Tables that a snapshot publishes."""

REVIEWS = Table(
    "reviews",
    "a pair about which a person decided",
    {
        "text_hash_a": Column(pl.String, "hash of the normalised text of one side, the lesser"),
        "text_hash_b": HASH_B,
        "label": Column(pl.String, "what the pair is"),
        "text_a": Column(pl.String, "text of one side"),
        "text_b": Column(pl.String, "text of the other side"),
        "doc_id_a": Column(pl.String, "id of one side"),
        "doc_id_b": Column(pl.String, "id of the other side"),
        "reviewer": Column(pl.String, "who decided"),
        "time": Column(pl.String, "when, UTC, ISO 8601"),
        "note": Column(pl.String, "what the person noted", null=True),
    },
)
VERDICTS = Table(
    "verdicts",
    "an answer of one model to one prompt about a pair",
    {
        "text_hash_a": HASH_A,
        "text_hash_b": HASH_B,
        "prompt": Column(pl.String, "version of the prompt"),
        "model": Column(pl.String, "the model"),
        "p_duplicate": Column(pl.Float32, "probability of a duplicate"),
        "p_distinct": Column(pl.Float32, "probability of two texts"),
        "p_contained": Column(pl.Float32, "probability that one contains the other"),
    },
)
