"""Each statement of `sql/` on a handful of rows: what goes in, what must come out."""

import random

import duckdb
import numpy as np
import polars as pl
import pytest

import sql

CANARY = "F/0/lookalike0"


@pytest.fixture
def ask(tmp_path):
    """Run a statement: frames become parquet files, other values are passed as they are."""

    def rows(statement, **values):
        given = {}
        for name, value in values.items():
            given[name] = value
            if isinstance(value, pl.DataFrame):
                (tmp_path / name).mkdir(exist_ok=True)
                value.write_parquet(tmp_path / name / "part-00000.parquet")
                given[name] = f"{tmp_path / name}/part-*.parquet"
        with duckdb.connect() as con:
            return sql.run(con, statement, **given).pl()

    return rows


def raw_rows(*rows):
    """Rows (given_id, text, source, canary) of one file, the text standing for its own hash."""
    return pl.DataFrame(
        [("in.csv", number + 1, None if canary else number, given, text, len(text), source, text, canary)
         for number, (given, text, source, canary) in enumerate(rows)],
        schema={"file": pl.String, "row": pl.Int64, "position": pl.Int64, "given_id": pl.String,
                "text_id": pl.String, "n_bytes": pl.Int64, "source": pl.String, "text": pl.String, "canary": pl.String},
        orient="row",
    )  # fmt: skip


def numbered(ask, raw, priority=()):
    found = ask("stages/numbered_rows", raw=raw, source_priority=list(priority)).sort("doc", nulls_last=True)
    return [tuple(row) for row in found.select("doc", "doc_id").iter_rows()]


def test_documents_are_numbered_by_source_priority_then_id(ask):
    raw = raw_rows(
        ("b", "t1", "web", None), ("c", "t2", "gov", None), ("a", "t3", "other", None), ("d", "t4", "", None)
    )
    assert numbered(ask, raw, ["gov", "web"]) == [(0, "c"), (1, "b"), (2, "a"), (3, "d")]
    assert numbered(ask, raw) == [(0, "a"), (1, "b"), (2, "c"), (3, "d")]


def test_missing_ids_come_from_content_and_repeated_content_is_counted(ask):
    raw = raw_rows((None, "tz", "", None), (None, "ta", "", None), (None, "tz", "", None), (None, "tz", "web", None))
    assert numbered(ask, raw) == [(0, "ta"), (1, "tz"), (2, "tz-2"), (3, "tz-3")]


def test_of_rows_with_one_id_the_least_content_stays(ask):
    raw = raw_rows(("x", "t9", "", None), ("x", "t1", "", None), ("y", "t5", "", None))
    assert numbered(ask, raw) == [(0, "x"), (1, "y"), (None, "x")]
    found = ask("stages/numbered_rows", raw=raw, source_priority=[]).filter(pl.col("doc").is_null())
    assert found["place"].to_list() == [1] and found["taken"].to_list() == [True]


def test_canaries_come_last_and_take_no_id_from_the_user(ask):
    raw = raw_rows(("x", "t1", "gov", CANARY), ("x", "t2", "", None), ("z", "t3", "", None))
    assert numbered(ask, raw, ["gov"]) == [(0, "x"), (1, "z"), (2, "x")]
    found = ask("stages/numbered_rows", raw=raw, source_priority=["gov"]).sort("doc")
    assert found["place"].to_list() == [2, 3, 1]


def test_the_order_of_files_and_rows_does_not_show(ask):
    kinds = [(f"i{n % 7}" if n % 3 else None, f"t{n % 5}", ("web", "gov")[n % 2], None) for n in range(30)]
    raw = raw_rows(*kinds)
    expected = None
    for seed in range(4):
        shuffled = list(kinds)
        random.Random(seed).shuffle(shuffled)
        half = raw_rows(*shuffled[:11]).with_columns(file=pl.lit(f"part-{9 - seed}"))
        rest = raw_rows(*shuffled[11:]).with_columns(file=pl.lit(f"other-{seed}"))
        mixed = pl.concat([rest, half])
        place = ask("stages/numbered_rows", raw=mixed, source_priority=["gov"])
        documents = place.join(mixed, left_on=["file", "place"], right_on=["file", "row"]).filter(~pl.col("taken"))
        found = documents.sort("doc").select("doc", "doc_id", "text", "source").rows()
        assert found == (expected := expected or found)
    assert len(expected) < raw.height, "some ids were taken"
    assert [row[0] for row in expected] == list(range(len(expected)))


def test_documents_carry_protection_but_canaries_never_do(ask):
    raw = raw_rows(("b", "tb", "web", None), ("a", "ta!", "", None), ("a", "tc", "", CANARY))
    places = ask("stages/numbered_rows", raw=raw, source_priority=[])
    found = ask("stages/numbered_documents", numbered=places, protected=pl.DataFrame({"doc_id": ["a", "ghost"]}))
    assert found.select("doc", "doc_id", "n_bytes", "protected").rows() == [
        (0, "a", 3, True),
        (1, "b", 2, False),
        (2, "a", 2, False),
    ]


def test_documents_leave_out_taken_rows_which_are_named_as_rejects(ask):
    raw = raw_rows(("x", "t1" + "y" * 300, "", None), ("x", "t0", "", None))
    places = ask("stages/numbered_rows", raw=raw, source_priority=[])
    nobody = pl.DataFrame({"doc_id": pl.Series([], dtype=str)})
    assert ask("stages/numbered_documents", numbered=places, protected=nobody)["n_bytes"].to_list() == [2]
    assert ask("stages/taken_ids", raw=raw, numbered=places).rows() == [
        ("in.csv", 1, "duplicate id 'x'", ("t1" + "y" * 300)[:200], "x")
    ]


def test_the_order_of_reading_names_the_document_of_each_row_canaries_behind_the_rows_of_the_user(ask):
    raw = raw_rows(("b", "tb", "", None), ("c", "tc", "", CANARY), ("a", "ta", "", None), ("a", "tz", "", None))
    found = ask("stages/reading_order", numbered=ask("stages/numbered_rows", raw=raw, source_priority=[]))
    assert found["doc"].to_list() == [1, 0, -1, 2]


def test_an_id_that_was_given_is_never_taken_by_one_from_content(ask):
    assert numbered(ask, raw_rows((None, "hash", "", None), ("hash", "zz", "", None))) == [(0, "hash"), (1, "hash-2")]
    found = ask("stages/numbered_rows", raw=raw_rows((None, "h", "", None), ("h", "z", "", None)), source_priority=[])
    assert found.sort("place")["doc_id"].to_list() == ["h-2", "h"]


def documents(*rows, published=()):
    """Rows (text_hash, protected, canary), and which of them were published before."""
    columns = {"text_hash": pl.String, "protected": pl.Boolean, "canary": pl.String}
    frame = pl.DataFrame(rows, schema=columns, orient="row")
    return frame.with_row_index("doc").with_columns(
        pl.col("doc").cast(pl.Int64),
        text=pl.format("text {}", "doc"),
        doc_id=pl.format("d{}", "doc"),
        published=pl.col("doc").is_in(list(published)),
    )


def real(count):
    return documents(*[(f"h{number}", False, None) for number in range(count)])


def test_same_hash_names_the_protected_before_the_earlier_and_keeps_canaries_and_other_protected_apart(ask):
    rows = documents(
        ("h", False, None), ("h", False, None), ("h", True, None), ("g", False, None), ("h", False, CANARY),
        ("g", False, None), ("h", True, None), ("h", False, CANARY), ("alone", False, None),
    )  # fmt: skip
    assert ask("stages/same_hash", documents=rows).rows() == [(0, 2), (1, 2), (5, 3), (7, 4)]


@pytest.mark.parametrize(
    ("guarded", "expected"),
    [((), [(0, 1), (2, 1)]), ((1,), [(0, 1), (2, 1)]), ((0, 2), []), ((0, 1), [(2, 1)]), ((2,), [(0, 1)])],
)
def test_neither_a_published_text_nor_a_protected_one_is_a_copy(ask, guarded, expected):
    rows = documents(*[("h", doc in guarded, None) for doc in range(3)], ("g", False, None), published=(1, 3))
    assert ask("stages/same_hash", documents=rows).rows() == expected


def test_of_two_published_texts_neither_is_a_copy(ask):
    rows = documents(*[("h", doc == 2, None) for doc in range(4)], published=(1, 2))
    assert ask("stages/same_hash", documents=rows).rows() == [(0, 2), (3, 2)]


def postings(lists, rows):
    """What documents hold, one row for each key."""
    known = pl.DataFrame({"doc": list(lists), "key": pl.Series([*lists.values()], dtype=pl.List(pl.UInt64))})
    return known.explode("key").join(rows.select("doc", planted=pl.col("canary").is_not_null()), on="doc")


def banded(ask, bands, rows=None, hot_bucket=10, representatives=2):
    posted = postings(dict(enumerate(bands)), real(len(bands)) if rows is None else rows)
    found = ask(
        "stages/banded_pairs",
        postings=posted,
        buckets=ask("stages/shared_bands", postings=posted),
        hot_bucket=hot_bucket,
        representatives=representatives,
    )
    return found.rows()


def test_documents_that_share_any_band_form_one_pair(ask):
    assert banded(ask, [[1, 2], [2, 1], [3], [3, 9], []]) == [(0, 1), (2, 3)]
    assert banded(ask, [[2**64 - 1], [2**64 - 1], [2**64 - 2]]) == [(0, 1)]


def test_canaries_share_bands_among_themselves_only(ask):
    rows = documents(*[("h", False, canary) for canary in (None, CANARY, None, CANARY)])
    assert banded(ask, [[1], [1], [1], [1]], rows) == [(0, 2), (1, 3)]
    # Three real members and three planted ones are two small buckets, not a hot one.
    rows = documents(*[("h", False, canary) for canary in (None, CANARY) * 3])
    assert len(banded(ask, [[1]] * 6, rows, hot_bucket=3, representatives=1)) == 6


def test_a_hot_bucket_is_a_star_and_the_others_stay_complete(ask):
    bands = [[7]] * 6 + [[7, 8], [8], [8]]
    star = [(leader, doc) for leader in (0, 1) for doc in range(leader + 1, 7)]
    assert banded(ask, bands, hot_bucket=6) == sorted([*star, (6, 7), (6, 8), (7, 8)])
    assert len(banded(ask, bands, hot_bucket=7)) == 21 + 3


def hot(ask, bands, rows=None, hot_bucket=6, representatives=2):
    limits = {"hot_bucket": hot_bucket, "representatives": representatives}
    rows = real(len(bands)) if rows is None else rows
    buckets = ask("stages/shared_bands", postings=postings(dict(enumerate(bands)), rows))
    return ask("stages/hot_buckets", buckets=buckets, **limits).row(0)


def test_what_stars_leave_out_is_counted(ask):
    bands = [[7]] * 6 + [[7, 8], [8], [8]]
    assert hot(ask, bands) == (1, 7, 21 - 11)
    assert hot(ask, bands, hot_bucket=7) == (0, 0, 0)
    assert hot(ask, bands, representatives=40) == (1, 7, 0)
    rows = documents(*[("h", False, canary) for canary in (None, CANARY) * 3])
    assert hot(ask, [[1]] * 6, rows, hot_bucket=3, representatives=1) == (0, 0, 0)


def contained(ask, samples, rows=None, hot_shingle=5, min_ratio=0.75):
    posted = postings(dict(enumerate(samples)), real(len(samples)) if rows is None else rows)
    return contained_of(ask, posted, hot_shingle, min_ratio=min_ratio, part_ratio=0.5, part_shared=8)


def contained_of(ask, posted, hot_shingle, **enough):
    """Pairs out of postings, in three shares of the shingles."""
    several = [posted.filter(pl.col("key") % 3 == share) for share in range(3)]
    shared, sizes = (
        pl.concat([ask(f"stages/{name}", postings=some, hot_shingle=hot_shingle) for some in several])
        for name in ("shared_samples", "sample_sizes")
    )
    return ask("stages/contained_pairs", shared=shared, sizes=sizes, **enough).rows()


def test_the_smaller_sample_must_mostly_occur_in_the_larger(ask):
    parent = list(range(20))
    assert contained(ask, [parent, [0, 1, 2, 99], [0, 1, 97, 98], []]) == [(0, 1)]
    assert contained(ask, [parent, [0, 1, 2, 99], [0, 1, 97, 98]], min_ratio=0.5) == [(0, 1), (0, 2), (1, 2)]
    assert contained(ask, [[5, 6], parent]) == [(0, 1)], "the child may come first"


def test_a_long_part_in_common_needs_less(ask):
    page = list(range(20))
    assert contained(ask, [page, [*range(8), *range(50, 58)]]) == [(0, 1)], "8 shared of 16"
    assert contained(ask, [page, [*range(7), *range(50, 57)]]) == [], "7 shared of 14 are no long part"
    assert contained(ask, [page, [*range(8), *range(50, 60)]]) == [], "8 of 18 are less than half"


def test_hot_shingles_propose_nothing_and_count_for_nothing(ask):
    everywhere = [[100]] * 4
    samples = [[100, *range(10)], [100, 1, 2, 3], *everywhere]
    assert contained(ask, samples) == [(0, 1)], "the four know nothing but the hot shingle"
    assert contained(ask, [[100, 1], [100, 50], *everywhere]) == []
    assert len(contained(ask, samples, hot_shingle=6)) == 15


def test_canaries_are_contained_in_canaries_only(ask):
    rows = documents(*[("h", False, canary) for canary in (None, CANARY, None, CANARY)])
    assert contained(ask, [[1, 2]] * 4, rows) == [(0, 2), (1, 3)]
    assert contained(ask, [[1, 2]] * 4, rows, hot_shingle=2) == [(0, 2), (1, 3)], "hot is counted apart"


def pairs(*rows):
    columns = {"a": pl.Int64, "b": pl.Int64, "hamming": pl.Int16}
    return pl.DataFrame([(*row, None)[:3] for row in rows], schema=columns, orient="row")


@pytest.mark.parametrize(
    ("routing", "expected"),
    [
        (
            "union",
            [
                (0, 1, 3, False, "semantic"),
                (0, 2, 4, False, "both"),
                (0, 3, None, False, "lexical"),
                (0, 4, None, True, "containment"),
                (0, 5, 6, True, "semantic"),
                (0, 6, None, True, "lexical"),
                (0, 7, 8, True, "both"),
            ],
        ),
        (
            "cascade",
            [
                (0, 2, 4, False, "both"),
                (0, 4, None, True, "containment"),
                (0, 5, 6, True, "semantic"),
                (0, 6, None, True, "lexical"),
                (0, 7, 8, True, "both"),
            ],
        ),
    ],
)
def test_routes_meet_in_one_row_per_pair(ask, routing, expected):
    found = ask(
        "stages/routed_pairs",
        blocked=pairs((0, 7, 8), (0, 1, 3), (0, 2, 4), (0, 5, 6)),
        banded=pairs((0, 2), (0, 3), (0, 6), (0, 7)).drop("hamming"),
        contained=pairs((0, 4), (0, 5), (0, 6), (0, 7)).drop("hamming"),
        routing=routing,
        low=0,
        high=1,
    )
    assert found.select("a", "b", "hamming", "contained", "route").rows() == expected
    assert found.schema["hamming"] == pl.Int16


NO_SPANS = {"doc": pl.Int64, "start": pl.Int32, "end": pl.Int32, "cut": pl.Boolean}


def decided(ask, fates, spans=(), copies=(), count=4, canaries=(), generation=0, source=None, rescued=()):
    """Decisions on d0 … by doc; fates are (doc, survivor, type, similarity, containment, cosine).

    Rescued are (doc, survivor, words, passage).
    """
    rows = documents(*[(f"h{doc}", False, CANARY if doc in canaries else None) for doc in range(count)])
    floats = dict.fromkeys(("similarity", "containment", "cosine"), pl.Float32)
    survivors = pl.DataFrame(
        [(doc, survivor, kind, {"D": "containment", "P": "meaning"}.get(kind, "verify"), *numbers)
         for doc, survivor, kind, *numbers in fates],
        schema={"doc": pl.Int64, "survivor": pl.Int64, "type": pl.String, "stage": pl.String, **floats},
        orient="row",
    )  # fmt: skip
    said = {
        "p_dup": pl.lit(0.9, pl.Float32),
        "judge_source": pl.lit(source),
        "judge_label": pl.lit("duplicate"),
        "p_final": pl.lit(0.87, pl.Float32),
    }
    found = ask(
        "stages/decisions",
        documents=rows.with_columns(source=pl.lit("web"), n_chars=pl.lit(100, pl.Int32)),
        copies=pl.DataFrame(copies, schema={"doc": pl.Int64, "copy_of": pl.Int64}, orient="row"),
        survivors=survivors.with_columns(**said),
        rescued=pl.DataFrame(
            rescued,
            schema={"doc": pl.Int64, "survivor": pl.Int64, "words": pl.Int32, "passage": pl.String},
            orient="row",
        ),
        spans=pl.DataFrame(spans, schema=NO_SPANS, orient="row"),
        generation=generation,
    )
    assert found["doc"].to_list() == list(range(count))
    return found.rows(named=True)


@pytest.mark.parametrize(
    ("kind", "numbers", "stage", "reason"),
    [
        ("A", (0.72, 0.4, 0.91), "verify",
         "Same content as d0 in another template: weighted Jaccard 0.72, cosine 0.91."),
        ("B", (0.92, 0.95, 0.99), "verify", "Copy of d0 with small edits: weighted Jaccard 0.92, cosine 0.99."),
        ("C", (0.61, 0.5, 0.8), "verify",
         "Short text that differs from d0 in single characters only: weighted Jaccard 0.61."),
        ("D", (0.21, 0.987, 0.77), "containment", "Contained in d0: 99 % of its shingles occur there, cosine 0.77."),
        ("P", (0.02, 0.0, 0.93), "meaning", "Says the same as d0 in other words: p 0.90, cosine 0.93."),
    ],
)  # fmt: skip
def test_a_removal_says_in_whose_favour_and_why(ask, kind, numbers, stage, reason):
    survivor, removed, *_ = decided(ask, [(1, 0, kind, *numbers)])
    assert (removed["action"], removed["type"], removed["survivor_id"]) == ("remove", kind, "d0")
    assert (removed["stage"], removed["reason"]) == (stage, reason)
    assert [removed[name] for name in ("similarity", "containment", "cosine")] == pytest.approx(list(numbers))
    assert (survivor["action"], survivor["type"], survivor["stage"]) == ("keep", None, None)
    assert survivor["reason"] == "Kept; stands for 1 removed document."


def test_a_rescued_document_says_what_it_alone_says_and_for_whom_it_would_have_gone(ask):
    said = "none of the others\n mentions the seal" + " of the old harbour" * 20
    rows = decided(ask, [(1, 0, "A", 0.7, 0.5, 0.9)], [(3, 0, 9, True)], rescued=[(2, 0, 17, said), (3, 1, 15, "x y")])
    assert (rows[2]["action"], rows[2]["type"], rows[2]["survivor_id"], rows[2]["stage"]) == (
        "keep",
        None,
        None,
        "rescue",
    )
    assert rows[2]["reason"].startswith("Kept: it alone says “none of the others mentions the seal of the old harbour")
    assert rows[2]["reason"].endswith("…” (17 words in a row); else it would give way to d0.")
    assert (rows[3]["action"], rows[3]["type"], rows[3]["stage"]) == ("edit", "E", "fragment")
    assert rows[3]["reason"] == (
        "Kept: it alone says “x y” (15 words in a row); else it would give way to d1. 9 characters are cut."
    )


def test_copies_go_with_the_text_that_they_copy(ask):
    rows = decided(ask, [(1, 0, "B", 0.9, 0.9, 0.9)], copies=[(2, 1), (3, 0)])
    assert rows[0]["reason"] == "Kept; stands for 3 removed documents."
    assert rows[2] | {"doc": 0} == rows[2] | {
        "doc": 0, "action": "remove", "type": "B", "stage": "verify", "survivor_id": "d0",
        "reason": "Same text as d1, which gives way to d0.",
    }  # fmt: skip
    assert (rows[3]["type"], rows[3]["stage"], rows[3]["survivor_id"]) == ("exact", "collapse", "d0")
    assert rows[3]["reason"] == "Same text as d0 after normalisation."
    assert rows[3]["similarity"] is None


def test_cuts_edit_kept_documents(ask):
    spans = [(0, 10, 30, True), (0, 40, 45, True), (1, 0, 20, True), (2, 0, 20, False)]
    rows = decided(ask, [], spans)
    assert [row["action"] for row in rows] == ["edit", "edit", "keep", "keep"]
    assert [(row["type"], row["stage"], row["chars_cut"]) for row in rows] == [
        ("E", "fragment", 25), ("E", "fragment", 20), (None, None, 0), (None, None, 0)
    ]  # fmt: skip
    assert rows[0]["reason"] == "2 viral passages cut, 25 characters."
    assert rows[1]["reason"] == "1 viral passage cut, 20 characters."
    assert rows[2]["reason"] == "Kept; nothing found that repeats it."


def test_an_edited_survivor_says_both(ask):
    rows = decided(ask, [(1, 0, "B", 0.9, 0.9, 0.9)], [(0, 10, 30, True)])
    assert (rows[0]["action"], rows[0]["type"], rows[0]["survivor_id"]) == ("edit", "E", None)
    assert rows[0]["reason"].startswith("1 viral passage cut, 20 characters.")


def test_every_decision_has_a_reason_and_canaries_are_marked(ask):
    rows = decided(ask, [(1, 0, "A", 0.7, 0.5, 0.9)], copies=[(3, 2)], canaries=(2, 3))
    assert all(row["reason"] for row in rows)
    assert [row["canary"] for row in rows] == [None, None, CANARY, CANARY]
    assert {row["generation"] for row in rows} == {0}
    assert {row["generation"] for row in decided(ask, [], generation=7)} == {7}


def decisions(*actions, canaries=()):
    return pl.DataFrame(
        {
            "doc": range(len(actions)),
            "doc_id": [f"d{doc}" for doc in range(len(actions))],
            "action": actions,
            "canary": pl.Series([CANARY if doc in canaries else None for doc in range(len(actions))], dtype=pl.String),
        }
    )


def test_published_spans_bear_ids_and_no_canaries(ask):
    fates = decisions("keep", "keep", "keep", "keep", canaries=(2, 3))
    spans = pl.DataFrame(
        {"fragment": [1, 0, 0], "doc": [2, 1, 0], "start": [0, 7, 3], "end": [9, 9, 9], "text": "x", "cut": True}
    )
    assert ask("published/spans", spans=spans, decisions=fates).rows() == [
        (0, "d0", 3, 9, "x", True),
        (0, "d1", 7, 9, "x", True),
    ]


def test_catalogue_views_are_found_from_the_snapshot_folder(tmp_path):
    (tmp_path / "rejects").mkdir()
    pl.DataFrame({"row": [1]}).write_parquet(tmp_path / "rejects" / "part-00000.parquet")
    config = {"file_search_path": str(tmp_path)}
    for _ in range(2):
        with duckdb.connect(tmp_path / "catalog.duckdb", config=config) as con:
            con.execute(sql.read("published/catalog_view").format(view="rejects"))
    with duckdb.connect(tmp_path / "catalog.duckdb", config=config) as con:
        assert con.sql("select * from rejects").fetchall() == [(1,)]


FATE = {
    "doc_id": pl.String, "source": pl.String, "action": pl.String, "type": pl.String, "survivor_id": pl.String,
    "stage": pl.String, "similarity": pl.Float32, "containment": pl.Float32, "cosine": pl.Float32,
    "chars_cut": pl.Int32, "n_chars": pl.Int32, "protected": pl.Boolean, "generation": pl.Int32, "reason": pl.String,
}  # fmt: skip


def published_fates(*rows):
    """Decisions of a snapshot; rows (doc_id, action, survivor_id, reason)."""
    told = [
        {"doc_id": name, "source": "web", "action": action, "survivor_id": survivor, "reason": reason, "n_chars": 9,
         "chars_cut": 0, "protected": name == "guarded", "generation": 1}
        | ({"type": "B", "stage": "verify", "similarity": 0.9} if survivor else {})
        for name, action, survivor, reason in rows
    ]  # fmt: skip
    return pl.DataFrame(told, schema=FATE)


def test_the_roster_names_live_documents_with_their_survivors(ask):
    indexed = documents(*[(f"h{doc}", False, None) for doc in range(5)], ("h5", False, CANARY)).with_columns(
        source=pl.lit("web"), doc_id=pl.Series(["guarded", "gone", "copy", "cut", "unheard-of", "kept"])
    )
    fates = published_fates(
        ("guarded", "keep", None, ""), ("copy", "remove", "guarded", ""), ("gone", "delete", None, ""),
        ("cut", "edit", None, ""), ("kept", "keep", None, ""),
    )  # fmt: skip
    found = ask("refresh/roster", documents=indexed, decisions=fates)
    assert found.select("doc", "doc_id", "text_hash", "protected", "type", "stage", "survivor").rows() == [
        (0, "guarded", "h0", True, None, None, None),
        (2, "copy", "h2", False, "B", "verify", 0),
        (3, "cut", "h3", False, None, None, None),
    ]
    assert found["similarity"].to_list() == [None, pytest.approx(0.9), None]


LIVE = {"doc": pl.Int64, "doc_id": pl.String, "survivor": pl.Int64}


def told(ask, arrived, unwanted=(), live=(), before=(), repeated=(), guarded=()):
    """What a night means: rows (doc_id, number, doc, event); `live` holds (doc, doc_id, survivor)."""
    names = [*arrived, "planted"]
    found = ask(
        "refresh/arrivals",
        arrived=pl.DataFrame({"doc": range(len(names)), "doc_id": names, "canary": [None] * len(arrived) + [CANARY]}),
        unwanted=pl.DataFrame({"doc_id": pl.Series(unwanted, dtype=pl.String)}),
        guarded=pl.DataFrame({"doc_id": pl.Series(guarded, dtype=pl.String)}),
        roster=pl.DataFrame(list(live), schema=LIVE, orient="row"),
        decisions=pl.DataFrame({"doc_id": pl.Series([*before, *(one[1] for one in live)], dtype=pl.String)}),
        repeated=pl.DataFrame({"doc": pl.Series(repeated, dtype=pl.Int64)}),
    )
    return found.rows()


def test_every_id_is_told_what_the_night_means_for_it(ask):
    live = [(0, "kept", None), (1, "copy", 0), (2, "edited", None), (3, "leaves", None)]
    arrived, unwanted = ["fresh", "kept", "edited", "was-deleted", "shunned"], ["leaves", "shunned", "typo", "typo"]
    assert told(ask, arrived, unwanted, live, ["was-deleted"], [0]) == [
        ("edited", 2, 2, "changed"),
        ("fresh", 0, None, "new"),
        ("kept", 1, 0, "unchanged"),
        ("leaves", None, 3, "deleted"),
        ("shunned", 4, None, "refused"),
        ("typo", None, None, "unknown"),
        ("was-deleted", 3, None, "returned"),
    ]
    assert told(ask, []) == []


def test_a_removed_document_that_is_protected_now_is_checked_again(ask):
    live = [(0, "kept", None), (1, "copy", 0), (2, "other copy", 0)]
    assert told(ask, [], live=live, guarded=["kept", "copy", "nobody"]) == [("copy", None, 1, "rechecked")]
    assert told(ask, ["copy"], live=live, repeated=[1], guarded=["copy"]) == [("copy", 0, 1, "rechecked")]


def test_a_published_document_is_protected_from_the_night_on_in_which_it_is_listed(ask):
    found = night(ask, BEFORE, made_tonight(), guarded=["alone", "guarded", "cut"])
    assert {name: row["protected"] for name, row in found.items()} == {"alone": True, "cut": True}
    assert found["alone"]["reason"] == "Kept; nothing found that repeats it."


def test_deletion_wins_over_an_arrival(ask):
    live = [(0, "same", None), (1, "other", None)]
    arrived = ["same", "other", "was-deleted", "fresh"]
    found = told(ask, arrived, [*arrived, "gone-before"], live, ["was-deleted", "gone-before"], [0])
    assert found == [
        ("fresh", 3, None, "refused"),
        ("gone-before", None, None, "unknown"),
        ("other", 1, 1, "deleted"),
        ("same", 0, 0, "deleted"),
        ("was-deleted", 2, None, "unknown"),
    ]


def test_what_went_in_favour_of_a_document_that_goes_or_changes_is_checked_again(ask):
    live = [(0, "leaves", None), (1, "changes", None), (2, "stays", None)] + [
        (10 * survivor + at, f"copy-{survivor}{at}", survivor) for survivor in (0, 1, 2) for at in (3, 4, 5, 6)
    ]
    arrived = ["changes", "copy-04", "copy-05", "copy-24", "stays"]
    found = told(ask, arrived, ["leaves", "copy-06"], live, repeated=[4, 24, 2])
    assert [row for row in found if row[0].startswith("copy")] == [
        ("copy-03", None, 3, "rechecked"),
        ("copy-04", 1, 4, "rechecked"),  # arrived as it was
        ("copy-05", 2, 5, "changed"),
        ("copy-06", None, 6, "deleted"),
        *[(f"copy-1{at}", None, 10 + at, "rechecked") for at in (3, 4, 5, 6)],
        ("copy-24", 3, 24, "unchanged"),
    ]
    assert len({row[0] for row in found}) == len(found) == 12


def roster(survivors):
    """Live documents by number, each with whom it was removed for."""
    return pl.DataFrame({"doc": list(survivors), "survivor": pl.Series(list(survivors.values()), dtype=pl.Int64)})


def numbered_lists(column, lists):
    """Signatures with one list column filled, by document number."""
    both = {"bands": [[]] * len(lists), "sample": [[]] * len(lists)} | {column: list(lists.values())}
    series = {name: pl.Series(values, dtype=pl.List(pl.UInt64)) for name, values in both.items()}
    return pl.DataFrame({"doc": pl.Series(list(lists), dtype=pl.Int64), **series})


def tonight(numbers, planted=()):
    marks = pl.Series([CANARY if doc in planted else None for doc in numbers], dtype=pl.String)
    return pl.DataFrame({"doc": pl.Series(list(numbers), dtype=pl.Int64), "canary": marks})


def reached(ask, new, live, survivors=None, planted=(), **limits):
    """Pairs of documents checked tonight and live ones; the roster is all of the live unless it is given."""
    column = "bands" if "hot_bucket" in limits else "sample"
    found = ask(
        "refresh/reached_by_band" if column == "bands" else "refresh/reached_by_sample",
        signatures=numbered_lists(column, new),
        documents=tonight(new, planted),
        live=numbered_lists(column, live),
        roster=roster(dict.fromkeys(live) if survivors is None else survivors),
        **limits,
    )
    return found.rows()


STAR = {"hot_bucket": 3, "representatives": 2}


def test_tonight_meets_whoever_shares_a_band(ask):
    live = {0: [1, 2], 1: [3], 2: [1], 40: [2**64 - 1], 41: [2**64 - 2]}
    assert reached(ask, {9: [1, 2], 50: [2**64 - 1], 51: [7]}, live, **STAR) == [(0, 9), (2, 9), (40, 50)]
    assert reached(ask, {9: [1], 10: [1]}, {20: [5]}, **STAR) == [], "tonight's own pairs are found elsewhere"
    assert reached(ask, {9: [1, 2]}, live, {1: None, 2: 1}, **STAR) == [(2, 9)], "who is not on the roster is gone"


def test_a_hot_bucket_is_represented_by_kept_documents_first(ask):
    live = {doc: [7] for doc in range(4)} | {4: [7, 8]}
    survivors = {0: 2, 1: 4, 2: None, 3: 2, 4: None}
    assert reached(ask, {9: [7]}, live, survivors, **STAR) == [(2, 9), (4, 9)]
    assert reached(ask, {9: [7]}, live, survivors, hot_bucket=3, representatives=3) == [(0, 9), (2, 9), (4, 9)]
    assert len(reached(ask, {9: [7]}, live, survivors, hot_bucket=5, representatives=1)) == 5
    assert len(reached(ask, {9: [7]}, live, {0: None, 1: None, 2: 0}, **STAR)) == 3, "the others are gone"


def test_canaries_meet_no_live_document(ask):
    assert reached(ask, {8: [1], 9: [1]}, {0: [1]}, planted=[9], **STAR) == [(0, 8)]
    assert reached(ask, {8: [1], 9: [1]}, {0: [1]}, planted=[9], **SAMPLED) == [(0, 8)]


SAMPLED = {"hot_shingle": 5, "min_ratio": 0.75, "part_ratio": 0.5, "part_shared": 8}


def test_what_everybody_quotes_makes_nobody_larger(ask):
    """Shingle 1 is hot, though the one document in reach does not hold it: it counts for nothing on either side."""
    live = {0: [2, 3, 50]} | {doc: [1] for doc in range(1, 7)}
    assert reached(ask, {9: [1, 2, 3]}, live, **SAMPLED | {"min_ratio": 0.9}) == [(0, 9)]
    assert reached(ask, {9: [1, 2, 3]}, live, **SAMPLED | {"min_ratio": 0.9, "hot_shingle": 7}) != [(0, 9)]


@pytest.mark.parametrize("seed", range(6))
def test_reached_by_sample_is_contained_pairs_between_tonight_and_the_live(ask, seed):
    """The pairs that a whole corpus would give, of one checked and one live document."""
    rng = np.random.default_rng(seed)

    def sample(doc):
        """Part of one of ten texts and some shingles of its own; some documents hold what many hold."""
        text = 100 * rng.integers(1, 11) + rng.choice(14, rng.integers(0, 13) * (doc % 3 > 0), replace=False)
        common, own = rng.choice(8, rng.integers(1, 6)), rng.integers(1200, 1300, rng.integers(0, 3))
        quotes = doc % 3 == 0 or rng.random() < 0.15
        return np.unique(np.concatenate([text, own, common[: 9 * quotes]])).tolist()

    docs = rng.permutation(70).tolist()
    samples = {doc: sample(doc) for doc in docs}
    new, live, gone = ({doc: samples[doc] for doc in some} for some in (docs[:20], docs[20:64], docs[64:]))
    planted = set(docs[:3])
    limits = {"hot_shingle": 5, "min_ratio": 0.7, "part_ratio": 0.5, "part_shared": 4}
    whole = contained_of(ask, postings(new | live, tonight(new | live, planted)), **limits)
    expected = [(a, b) for a, b in whole if (a in live) != (b in live)]
    assert reached(ask, new, live | gone, dict.fromkeys(live), planted, **limits) == expected
    assert 5 < len(expected) < 150, "too few pairs or nearly all"


def made_tonight(*rows):
    """Tonight's decisions; rows (doc, doc_id, action, survivor_id, reason)."""
    frame = published_fates(*(row[1:] for row in rows))
    docs = pl.Series("doc", [row[0] for row in rows], dtype=pl.Int64)
    return frame.with_columns(docs, canary=pl.lit(None, pl.String), generation=pl.lit(2, pl.Int32))


def night(ask, before, made, arrivals=(), decided=None, arrived=(), guarded=()):
    """The rows that a night adds or replaces, by id; `arrivals` holds (doc_id, event)."""
    everything = made["doc"].to_list() if decided is None else decided
    found = ask(
        "refresh/night_decisions",
        made=made,
        decided=pl.DataFrame({"doc": pl.Series(everything, dtype=pl.Int64)}),
        arrivals=pl.DataFrame(list(arrivals), schema={"doc_id": pl.String, "event": pl.String}, orient="row"),
        arrived=pl.DataFrame(
            [(name, "feed", 77) for name in arrived],
            schema={"doc_id": pl.String, "source": pl.String, "n_chars": pl.Int32},
            orient="row",
        ),
        before=before,
        roster=pl.DataFrame({"doc_id": pl.Series(guarded, dtype=pl.String), "protected": [True] * len(guarded)}),
        generation=2,
    )
    assert found["doc_id"].is_unique().all() and set(found.columns) == set(FATE)
    return {row["doc_id"]: row for row in found.rows(named=True)}


BEFORE = published_fates(
    ("guarded", "keep", None, "Kept; stands for 2 removed documents."),
    ("copy-1", "remove", "guarded", "Copy of guarded."),
    ("copy-2", "remove", "guarded", "Copy of guarded."),
    ("alone", "keep", None, "Kept; nothing found that repeats it."),
    ("cut", "edit", None, "1 viral passage cut, 20 characters."),
)


def test_a_removal_says_when_the_judge_or_a_person_had_a_say(ask):
    fates = [(1, 0, "B", 0.92, 0.95, 0.99)]
    plain = "Copy of d0 with small edits: weighted Jaccard 0.92, cosine 0.99."
    judged = "Automation was not sure; the judge calls the pair duplicate, with which p is 0.87."
    reviewed = "A person who compared them decided so."
    for source, reason in ((None, plain), ("model", f"{plain} {judged}"), ("review", f"{plain} {reviewed}")):
        found = decided(ask, fates, copies=[(2, 1)], source=source)
        assert found[1]["reason"] == reason
        assert found[2]["reason"] == "Same text as d1, which gives way to d0.", "nobody looked at the copy"


def test_survivors_say_for_how_many_they_stand_now_and_the_others_are_left_alone(ask):
    made = made_tonight((5, "new", "remove", "guarded", "Copy of guarded."), (6, "other", "remove", "cut", "In cut."))
    found = night(ask, BEFORE, made, [("new", "new"), ("other", "new")])
    assert set(found) == {"new", "other", "guarded"}
    assert found["guarded"]["reason"] == "Kept; stands for 3 removed documents."
    assert (found["guarded"]["generation"], found["guarded"]["protected"]) == (1, True), "decided when it was"
    assert (found["new"]["generation"], found["new"]["reason"]) == (2, "Copy of guarded.")


def test_what_was_rescued_says_so_for_good(ask):
    said = "Kept: it alone says “x y” (15 words in a row); else it would give way to guarded."
    made = made_tonight((5, "own", "keep", None, said), (6, "copy", "remove", "own", "Copy of own."))
    made = made.with_columns(stage=pl.when(pl.col("doc") == 5).then(pl.lit("rescue")).otherwise("stage"))
    found = night(ask, BEFORE, made, [("own", "new"), ("copy", "new")])
    assert found["own"]["reason"] == said
    before = pl.concat([BEFORE, published_fates(("own", "keep", None, said)).with_columns(stage=pl.lit("rescue"))])
    later = night(ask, before, made_tonight((6, "copy", "remove", "own", "Copy of own.")), [("copy", "new")])
    assert later["own"]["reason"] == said


def test_a_survivor_whose_copies_leave_says_so(ask):
    one = night(ask, BEFORE, made_tonight(), [("copy-1", "deleted")])
    assert one["guarded"]["reason"] == "Kept; stands for 1 removed document."
    both = night(ask, BEFORE, made_tonight(), [("copy-1", "deleted"), ("copy-2", "deleted")])
    assert both["guarded"]["reason"] == "Kept; nothing found that repeats it."
    moved = made_tonight((1, "copy-1", "remove", "alone", "Contained in alone."))
    found = night(ask, BEFORE, moved)
    assert [found[name]["reason"] for name in ("guarded", "alone")] == ["Kept; stands for 1 removed document."] * 2


def test_only_what_is_decided_anew_is_replaced(ask):
    made = made_tonight(
        (0, "guarded", "keep", None, "Kept; stands for 9 removed documents."), (5, "new", "keep", None, "Kept.")
    )
    found = night(ask, BEFORE, made, [("new", "new")], decided=[5])
    assert set(found) == {"new"}
    assert found["new"]["reason"] == "Kept; nothing found that repeats it."


def test_canaries_get_no_decision(ask):
    made = made_tonight((7, "planted", "keep", None, "Kept.")).with_columns(canary=pl.lit(CANARY))
    assert night(ask, BEFORE, made) == {}


@pytest.mark.parametrize(
    ("event", "begins"),
    [
        ("new", ""),
        ("changed", "New text under a known id. "),
        ("returned", "Back after a deletion. "),
        ("rechecked", "Checked again, because what it was removed for has gone. "),
    ],
)
def test_a_reason_begins_with_why_the_document_was_checked(ask, event, begins):
    made = made_tonight(
        (1, "copy-1", "remove", "alone", "Contained in alone."),
        (2, "copy-2", "keep", None, "Kept."),
        (4, "cut", "edit", None, "2 viral passages cut, 25 characters."),
    )
    found = night(ask, BEFORE, made, [(name, event) for name in ("copy-1", "copy-2", "cut")])
    assert found["copy-1"]["reason"] == begins + "Contained in alone."
    assert found["copy-2"]["reason"] == begins + "Kept; nothing found that repeats it."
    assert found["cut"]["reason"] == begins + "2 viral passages cut, 25 characters."
    assert found["alone"]["reason"] == "Kept; stands for 1 removed document.", "no prefix where only the number changed"


def test_deleted_and_refused_ids_keep_a_row(ask):
    gone = [("guarded", "deleted"), ("shunned", "refused"), ("typo", "unknown"), ("alone", "unchanged")]
    again = [(doc, f"copy-{doc}", "keep", None, "Kept.") for doc in (1, 2)]
    found = night(ask, BEFORE, made_tonight(*again), gone, arrived=["shunned", "alone"])
    assert set(found) == {"guarded", "shunned", "copy-1", "copy-2"}
    deleted, refused = found["guarded"], found["shunned"]
    nothing = dict.fromkeys(("type", "survivor_id", "stage", "similarity", "containment", "cosine"))
    both = {"action": "delete", "chars_cut": 0, "generation": 2, **nothing}
    assert deleted == deleted | both | {"source": "web", "n_chars": 9, "protected": True}
    assert refused == refused | both | {"source": "feed", "n_chars": 77, "protected": False}
    assert deleted["reason"] == "Deleted: its id is in the list of deletions."
    assert refused["reason"] == "Arrived, and was not taken in: its id is in the list of deletions."


def test_unknown_and_unused_parameters_are_refused():
    with duckdb.connect() as con:
        with pytest.raises(sql.SqlError, match=r"missing \['documents'\], unused \['document'\]"):
            sql.run(con, "stages/same_hash", document="x")
        with pytest.raises(KeyError, match="no statement"):
            sql.run(con, "no_such")
        with pytest.raises(sql.SqlError, match="same_hash"):
            sql.run(con, "stages/same_hash", documents="nowhere/*.parquet")


def test_removed_texts_are_named_beside_survivors_whose_published_text_may_be_another(ask):
    told = [
        (0, "d0", "edit", None, None), (1, "d1", "remove", "A", "d0"), (2, "d2", "remove", "exact", "d0"),
        (3, "d3", "keep", None, None), (4, "d4", "remove", "exact", "d3"), (5, "d5", "remove", "C", "d3"),
        (6, "d6", "remove", "A", "d0"), (7, "d7", "remove", "B", "d3"),
    ]  # fmt: skip
    names = ["doc", "doc_id", "action", "type", "survivor_id"]
    found = ask(
        "published/removed_beside_published",
        copies=pl.DataFrame({"doc": [2, 4, 6], "copy_of": [0, 3, 1]}),
        decisions=pl.DataFrame(told, schema=names, orient="row").with_columns(canary=pl.lit(None, pl.String)),
        measured=pl.DataFrame({"doc": range(8)}),
    )
    assert found.rows() == [
        (0, 0, True), (1, 0, True), (7, 3, False)
    ], "the copy of an uncut text, letters, and a text a second time are left out"  # fmt: skip
