"""Every contract passes on good rows and names the one thing that is wrong with bad ones."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import duckdb
import polars as pl
import pytest

import sql
from data_contracts import gx as contracts_gx
from data_contracts.contracts import CONTRACTS
from data_contracts.data_docs import data_docs
from data_contracts.expectations import Contract, none
from data_contracts.gx import Verdict, library, suite_of, validate
from data_contracts.schemas import ENDS_EARLY
from models.decision.types import KNOWN_OF_DECISIONS, KNOWN_OF_PAIRS

Tables = dict[str, pl.DataFrame]

CON = duckdb.connect(config={"threads": 1})
"""Opening one takes longer than most contracts."""

PARAMETERS = {
    "input_rows": 6,
    "max_share": 0.5,
    "max_pairs": 500,
    "least_documents": 1,
    "slots": 4,
    "bands_min": 1,
    "bands_max": 3,
    "min_hosts": 2,
    "min_viral": 0.5,
    "max_cut_share": 0.65,
    "min_rest_chars": 6,
    "id_column": "key",
    "text_column": "body",
    "canaries": True,
    "min_preservation": 0.9,
    "max_content_lost": 0.005,
    "max_source_content_lost": 0.01,
    "max_runs_lost": 0.01,
    "max_survivors_lacking": 0.05,
    "deletions_meant": False,
    "min_source_documents": 2,
    "max_reject_share": 0.2,
    "max_broken_files": 0,
    "max_published_loss": 0.4,
}

TEXTS = ["alpha 😀 FRAGMENT beta", "alpha copy", "alpha copy", "near alpha copy", "FRAGMENT omega", "look 1", "look 2"]


def good_tables() -> Tables:
    """Five real documents (2 copies 1, 3 goes in favour of 1, 0 and 4 lose a fragment) and two planted look-alikes."""
    ids = ["a", "b", "c", "d", "e", "__canary__/F/0/lookalike0", "__canary__/F/0/lookalike1"]
    documents = pl.DataFrame(
        {
            "doc": range(7),
            "doc_id": ids,
            "source": ["web", "web", "web", "news", "news", "", ""],
            "text": TEXTS,
            "n_chars": [len(text) for text in TEXTS],
            "text_hash": [f"{number:032x}" for number in (0, 1, 1, 3, 4, 5, 6)],
            "protected": [True, False, False, False, False, False, False],
            "published": [True, False, False, False, False, False, False],
            "canary": [None] * 5 + ["F/0/lookalike0", "F/0/lookalike1"],
        }
    )
    in_play = pl.DataFrame({"doc": [0, 1, 3, 5, 6]})
    pairs = pl.DataFrame({"a": [1, 5], "b": [3, 6]})
    spans = pl.DataFrame(
        {
            "fragment": [0, 0],
            "doc": [0, 4],
            "start": [8, 0],
            "end": [16, 8],
            "text": ["FRAGMENT", "FRAGMENT"],
            "cut": [True, True],
        }
    )
    decided = {
        "doc_id": ids[:5],
        "source": ["web", "web", "web", "news", "news"],
        "action": ["edit", "keep", "remove", "remove", "edit"],
        "type": ["E", None, "exact", "B", "E"],
        "survivor_id": [None, None, "b", "b", None],
        "stage": [None, None, "extract", "verify", None],
        "chars_cut": [8, 0, 0, 0, 8],
        "n_chars": [len(text) for text in TEXTS[:5]],
        "reason": ["a passage was cut", "kept", "equals b", "nearly b", "a passage was cut"],
    }
    verified = pairs.with_columns(
        weighted_jaccard=pl.lit(0.9),
        containment_a=pl.lit(1.0),
        containment_b=pl.lit(0.5),
        p_dup=pl.lit(0.9),
        sigma=pl.lit(0.1),
        cosine=pl.lit(0.9),
        type=pl.Series(["B", "F"]),
        verdict=pl.Series(["b_in_a", "distinct"]),
        round=pl.lit(0, pl.Int8),
    )
    return {
        "documents": documents,
        "rejects": pl.DataFrame({"file": ["in.csv"], "row": [6], "reason": ["empty text"], "excerpt": [""]}),
        "copies": pl.DataFrame({"doc": [2], "copy_of": [1]}),
        "prescreen": pl.DataFrame(
            {"doc": [0, 1, 3, 4, 5, 6], "shingles": 5, "shared": 2, "in_play": [True, True, True, False, True, True]}
        ),
        "embeddings": in_play.with_columns(
            vector=pl.lit(b"1234"),
            norm=pl.lit(1.0, pl.Float32),
            neighbour_code=pl.lit(bytes(32)),
            attention=pl.Series([b"\x01\x02"] * 5),
            entropy=pl.lit(0.5, pl.Float32),
            words=2,
            windows=1,
            skipped_words=0,
        ),
        "signatures": in_play.with_columns(
            code=pl.lit(2**63, pl.UInt64),
            sketch=pl.Series([[1, 2, 3, 4]] * 5, dtype=pl.List(pl.UInt32)),
            bands=pl.Series([[7, 2**64 - 1]] * 5, dtype=pl.List(pl.UInt64)),
            sample=pl.Series([[]] * 5, dtype=pl.List(pl.UInt64)),
            short=False,
            mass=pl.lit(3.0, pl.Float32),
        ),
        "candidates": pairs.with_columns(
            hamming=pl.Series([None, 3], dtype=pl.Int16),
            similarity=pl.Series([0.9, None], dtype=pl.Float32),
            route=pl.Series(["lexical", "semantic"]),
        ),
        "verified": verified,
        "judged": judged_pairs(verified),
        "containment": pl.DataFrame(schema={"child": pl.Int64, "parent": pl.Int64}),
        "survivors": pl.DataFrame({"doc": [3], "survivor": [1], "type": ["B"], "stage": ["verify"]}),
        "rewrites": pl.DataFrame({"a": [0, 5], "b": [4, 6], "p_same": [0.6, 0.7], "cosine": [0.8, 0.9]}),
        "removals": pl.DataFrame({"doc": [3, 4], "survivor": [1, 0], "type": ["B", "P"]}),
        "fragments": pl.DataFrame(
            {"fragment": [0], "text": ["FRAGMENT"], "hosts": [2], "occurrences": [2], "viral": 0.9, "action": "cut"}
        ),
        "fragment_spans": spans,
        "decisions": pl.DataFrame(decided, schema_overrides={"survivor_id": pl.String, "stage": pl.String}),
        "published": pl.DataFrame(
            {"key": ["a", "b", "e"], "body": ["alpha 😀  beta", "alpha copy", " omega"], "user": 1}
        ),
        "conservation": conservation(),
        **night_tables(),
    }


def conservation() -> pl.DataFrame:
    """Nothing but the template of one removed document is lost."""
    rows = [
        ("apart_10", None, None, 0, 200),
        ("gone", "web", "B", 0, 200),
        ("lacking", "web", "B", 1, 200),
        ("passages", "web", None, 0, 40),
        ("characters", "web", None, 9, 99),
        ("content", "web", None, 0, 700),
        ("content", "small", None, 7, 7),
    ]
    return pl.DataFrame(rows, schema=["measure", "source", "type", "lost", "whole"], orient="row")


def judged_pairs(verified: pl.DataFrame) -> pl.DataFrame:
    """The judge keeps both as they are; a person brings up 0 and 4."""
    nothing = dict.fromkeys(("judge_p", "judge_confidence", "p_final"), pl.Float64)
    model = {
        "judge_label": "duplicate",
        "judge_p": 0.9,
        "judge_confidence": 0.8,
        "p_final": 0.9,
        "judge_source": "model",
    }
    reviewed = model | {"judge_p": 0.0, "p_final": 0.0, "judge_label": "distinct", "judge_source": "review"}
    none = dict.fromkeys(model)
    said = pl.DataFrame([model, none, reviewed], schema_overrides=nothing)
    by = pl.DataFrame({"judge_model": ["m", None, None], "judge_prompt": ["1", None, None]})
    brought_up = verified[1].with_columns(a=pl.lit(0, pl.Int64), b=pl.lit(4, pl.Int64), round=pl.lit(None, pl.Int8))
    return pl.concat([pl.concat([verified, brought_up]), said, by], how="horizontal")


def night_tables() -> Tables:
    """The night in which b and c are new, d is back and e is checked again, because f, for which it went, is deleted.

    Published before were a, f and g; a loses its fragment tonight. Of h nobody knew: it arrived and was refused.
    """
    arrivals = [
        ("b", 0, None, "new"),
        ("c", 1, None, "new"),
        ("d", 2, None, "returned"),
        ("e", None, 4, "rechecked"),
        ("f", None, 90, "deleted"),
        ("g", 3, 91, "unchanged"),
        ("h", 4, None, "refused"),
        ("z", None, None, "unknown"),
    ]
    before = [
        ("a", "web", "keep", True),
        ("d", "news", "delete", True),
        ("e", "news", "remove", False),
        ("f", "web", "keep", False),
        ("g", "web", "keep", False),
    ]
    untouched = {"doc_id": ["f", "g", "h"], "action": ["delete", "keep", "delete"], "chars_cut": [0, 0, 0]}
    return {
        "arrivals": pl.DataFrame(arrivals, schema=["doc_id", "number", "doc", "event"], orient="row"),
        "roster": pl.DataFrame({"doc": [0, 91], "doc_id": ["a", "g"]}),
        "before": pl.DataFrame(before, schema=["doc_id", "source", "action", "protected"], orient="row"),
        "decided_elsewhere": pl.DataFrame(untouched),
        "published_before": pl.DataFrame({"key": ["g"], "body": ["older text"], "user": 1}),
    }


def of_a_snapshot(name: str, tables: Tables) -> Tables:
    """The tables as a snapshot shows them: spans by id, and after a refresh with what the night left alone."""
    keys = tables["documents"].select("doc", "doc_id")
    tables = {**tables, "fragment_spans": tables["fragment_spans"].join(keys, on="doc", how="left")}
    tables["published_tonight"] = tables["published"]
    if name == "refresh":
        return tables | {
            "decisions": pl.concat([tables["decisions"], tables["decided_elsewhere"]], how="diagonal"),
            "published": pl.concat([tables["published"], tables["published_before"]], how="diagonal"),
        }
    nothing = {table: tables[table].clear() for table in ("arrivals", "before")}
    return tables | nothing | {"documents": tables["documents"].with_columns(published=False)}


def restored(tables: Tables, folder: Path) -> pl.DataFrame:
    """What was counted when the published texts were put together again."""
    folder.mkdir(parents=True)
    tables = {**tables, "cuts": tables["fragment_spans"].filter("cut"), "published": tables["published_tonight"]}
    places = {name: str(folder / f"{name}.parquet") for name in ("documents", "cuts", "published")}
    for name, place in places.items():
        tables[name].write_parquet(place)
    return sql.run(CON, "published/restored_texts", **places, id_column="key", text_column="body").pl()


def statement(name: str) -> str:
    """The contract of a case: one gate holds for what `curate` and for what a refresh publishes."""
    return "snapshot" if name == "refresh" else name


def written(name: str, tables: Tables, folder: Path) -> dict[str, str]:
    """Write the tables that a contract reads and return their globs."""
    if name in ("snapshot", "refresh"):
        tables = of_a_snapshot(name, tables)
        tables["restored"] = restored(tables, folder / "texts")
    tables = {table: tables[table] for table in sorted(sql.names(CON, f"contracts/{statement(name)}") & tables.keys())}
    for table, frame in tables.items():
        (folder / table).mkdir(parents=True)
        frame.write_parquet(folder / table / "part-00000.parquet")
    return {table: str(folder / table / "*.parquet") for table in tables}


def checked(name: str, tables: Tables, folder: Path, contract: Contract | None = None, **parameters: object) -> Verdict:
    known = KNOWN_OF_DECISIONS if name == "decisions" else KNOWN_OF_PAIRS
    return validate(
        contract or CONTRACTS[statement(name)], CON, written(name, tables, folder), PARAMETERS | known | parameters
    )


def columns(contract: Contract) -> list[str]:
    """Columns of the contract's row that its expectations hold."""
    return [one.column for one in suite_of(contract).expectations[1:]]


def failed(verdict: Verdict) -> set[str]:
    return {check["check"] for check in verdict.checks if not check["passed"]}


def put(table: str, row: int, **values: object) -> Callable[[Tables], None]:
    """Overwrite cells of one row."""

    def change(tables: Tables) -> None:
        rows = tables[table].to_dicts()
        rows[row].update(values)
        tables[table] = pl.DataFrame(rows, schema=tables[table].schema)

    return change


def repeat(table: str, row: int) -> Callable[[Tables], None]:
    return lambda tables: tables.update({table: pl.concat([tables[table], tables[table][row]])})


def drop(table: str, row: int) -> Callable[[Tables], None]:
    return lambda tables: tables.update({table: tables[table].with_row_index().filter(pl.col.index != row)})


def empty(table: str) -> Callable[[Tables], None]:
    return lambda tables: tables.update({table: tables[table].clear()})


@pytest.mark.parametrize("name", CONTRACTS)
def test_good_rows_pass_every_check(name: str, tmp_path: Path) -> None:
    verdict = checked(name, good_tables(), tmp_path)
    assert failed(verdict) == set()
    assert verdict.passed
    assert verdict.result["success"] is True
    assert [check["check"] for check in verdict.checks] == ["rows", *columns(CONTRACTS[name])]


NAN = float("nan")

VIOLATIONS = [
    ("documents", empty("documents"), {"real_documents", "rows_unaccounted"}),
    ("documents", empty("rejects"), {"rows_unaccounted"}),
    ("documents", put("rejects", 0, reason=None), {"rejects_unexplained"}),
    ("documents", put("documents", 1, doc_id=None), {"ids_missing", "canaries_mislabelled"}),
    ("documents", put("documents", 1, doc_id="a"), {"ids_repeated"}),
    ("documents", put("documents", 6, doc=7), {"docs_not_dense"}),
    ("documents", put("documents", 6, doc=0), {"docs_not_dense"}),
    ("documents", put("documents", 1, text=None), {"texts_empty", "lengths_wrong"}),
    ("documents", put("documents", 1, text=" \n\t", n_chars=3), {"texts_empty"}),
    ("documents", put("documents", 0, n_chars=24), {"lengths_wrong"}),
    ("documents", put("documents", 0, text_hash="abc"), {"hashes_malformed"}),
    ("documents", put("documents", 0, protected=None), {"marks_missing"}),
    ("documents", put("documents", 0, doc_id="__canary__/mine"), {"canaries_mislabelled"}),
    ("copies", repeat("copies", 0), {"copies_repeated"}),
    ("copies", put("copies", 0, copy_of=0), {"copies_unequal"}),
    ("copies", put("copies", 0, copy_of=None), {"copies_unequal", "copies_chained", "canaries_mixed"}),
    ("copies", put("copies", 0, copy_of=2), {"copies_chained"}),
    ("prescreen", empty("prescreen"), {"docs_missing"}),
    ("prescreen", repeat("prescreen", 0), {"docs_repeated"}),
    ("prescreen", put("prescreen", 0, doc=2), {"docs_missing", "docs_unknown"}),
    ("prescreen", put("prescreen", 0, shared=6), {"counts_impossible"}),
    ("prescreen", put("prescreen", 0, in_play=None), {"counts_impossible"}),
    ("embeddings", empty("embeddings"), {"docs_missing"}),
    ("embeddings", repeat("embeddings", 0), {"docs_repeated"}),
    ("embeddings", put("embeddings", 0, doc=4), {"docs_missing", "docs_unknown"}),
    ("embeddings", put("embeddings", 0, norm=1.02), {"vectors_not_unit"}),
    ("embeddings", put("embeddings", 0, norm=NAN), {"vectors_not_unit"}),
    ("embeddings", put("embeddings", 0, norm=0.0, entropy=1.5), {"vectors_not_unit"}),
    ("embeddings", put("embeddings", 0, norm=None), {"vectors_not_unit"}),
    ("embeddings", put("embeddings", 0, vector=None), {"vectors_not_unit"}),
    ("embeddings", put("embeddings", 0, vector=b"12"), {"dimensions_mixed"}),
    ("embeddings", put("embeddings", 0, entropy=-0.1), {"entropies_negative"}),
    ("embeddings", put("embeddings", 0, entropy=NAN), {"entropies_negative"}),
    ("embeddings", put("embeddings", 0, attention=b"\x01"), {"attention_misaligned"}),
    ("embeddings", put("embeddings", 0, skipped_words=3), {"windows_impossible"}),
    ("signatures", empty("signatures"), {"docs_missing"}),
    ("signatures", repeat("signatures", 4), {"docs_repeated"}),
    ("signatures", put("signatures", 0, doc=4), {"docs_missing", "docs_unknown"}),
    ("signatures", put("signatures", 0, code=None), {"codes_missing"}),
    ("signatures", put("signatures", 0, sketch=[1, 2, 3]), {"sketches_wrong_length"}),
    ("signatures", put("signatures", 0, bands=[]), {"bands_out_of_bounds"}),
    ("signatures", put("signatures", 0, bands=None), {"bands_out_of_bounds"}),
    ("signatures", put("signatures", 0, sample=None), {"samples_missing"}),
    ("signatures", put("signatures", 0, mass=NAN), {"masses_negative"}),
    ("candidates", repeat("candidates", 0), {"pairs_repeated"}),
    ("candidates", put("candidates", 0, a=3, b=1), {"pairs_unordered"}),
    ("candidates", put("candidates", 0, b=99), {"docs_unknown"}),
    ("candidates", put("candidates", 0, b=None), {"docs_unknown", "pairs_unordered"}),
    ("candidates", put("candidates", 0, b=5), {"canaries_mixed"}),
    ("candidates", put("candidates", 0, route=None), {"routes_unknown"}),
    ("candidates", put("candidates", 0, hamming=65), {"distances_impossible"}),
    ("candidates", put("candidates", 0, similarity=NAN), {"similarities_impossible"}),
    ("verified", repeat("verified", 0), {"pairs_repeated"}),
    ("verified", put("verified", 0, a=3, b=3), {"pairs_unordered"}),
    ("verified", put("verified", 0, b=99), {"docs_unknown"}),
    ("verified", put("verified", 0, b=5), {"canaries_mixed"}),
    ("verified", put("verified", 0, weighted_jaccard=NAN), {"scores_impossible"}),
    ("verified", put("verified", 0, p_dup=None), {"scores_impossible"}),
    ("verified", put("verified", 0, containment_b=1.2), {"scores_impossible"}),
    ("verified", put("verified", 0, type="G"), {"types_unknown"}),
    ("verified", put("verified", 0, verdict=None), {"verdicts_unknown"}),
    ("verified", put("verified", 1, verdict="either"), {"lookalikes_removable"}),
    ("survivors", repeat("survivors", 0), {"docs_repeated"}),
    ("judged", repeat("judged", 1), {"pairs_repeated"}),
    ("judged", drop("judged", 1), {"pairs_lost"}),
    ("judged", put("judged", 2, a=4, b=0), {"pairs_impossible"}),
    ("judged", put("judged", 2, b=99), {"pairs_impossible"}),
    ("judged", put("judged", 2, b=5), {"pairs_impossible"}),
    ("judged", put("verified", 0, b=4), {"pairs_lost", "pairs_unfounded"}),
    ("judged", put("judged", 0, p_dup=0.8), {"automatic_changed"}),
    ("judged", put("judged", 1, type="none"), {"unasked_changed"}),
    ("judged", put("judged", 1, judge_source="suspicious", type="none"), {"unasked_changed"}),
    ("judged", put("judged", 0, judge_source="suspicious"), {"judgements_unsigned"}),
    ("judged", put("judged", 0, judge_source="oracle"), {"sources_unknown"}),
    ("judged", put("judged", 0, judge_label="same"), {"labels_unknown"}),
    ("judged", put("judged", 0, judge_label=None), {"judgements_incomplete"}),
    ("judged", put("judged", 0, p_final=1.1), {"judgements_incomplete"}),
    ("judged", put("judged", 0, judge_p=NAN), {"judgements_incomplete"}),
    ("judged", put("judged", 0, judge_confidence=None), {"judgements_incomplete"}),
    ("judged", put("judged", 0, judge_model=None), {"judgements_incomplete"}),
    ("judged", put("judged", 0, judge_prompt=""), {"judgements_incomplete"}),
    ("judged", put("judged", 1, p_final=0.5), {"judgements_unsigned"}),
    ("judged", put("judged", 0, type=None), {"types_unknown"}),
    ("judged", put("judged", 0, verdict="maybe"), {"verdicts_unknown"}),
    ("judged", put("judged", 0, type="F"), {"lookalikes_removable"}),
    ("judged", put("judged", 2, type="A", verdict="either"), {"reviews_disobeyed"}),
    ("judged", put("verified", 1, round=1), {"over_budget"}),
    ("survivors", put("survivors", 0, doc=99), {"docs_unknown", "removals_unverified"}),
    ("survivors", put("survivors", 0, survivor=99), {"survivors_unknown", "removals_unverified"}),
    ("survivors", put("survivors", 0, survivor=None), {"survivors_unknown", "removals_unverified"}),
    ("survivors", put("survivors", 0, survivor=3), {"survivors_removed"}),
    ("survivors", put("survivors", 0, type=None), {"removals_unexplained"}),
    ("survivors", put("survivors", 0, survivor=4), {"removals_unverified"}),
    ("survivors", put("survivors", 0, doc=1, survivor=3), {"removals_unverified"}),
    ("survivors", put("verified", 0, verdict="variant"), {"removals_unverified"}),
    ("survivors", put("survivors", 0, survivor=5), {"canaries_mixed", "removals_unverified"}),
    ("removals", put("rewrites", 1, a=6, b=5), {"pairs_unordered"}),
    ("removals", repeat("rewrites", 1), {"pairs_unordered"}),
    ("removals", put("rewrites", 1, a=3), {"pairs_removed", "canaries_mixed"}),
    ("removals", put("rewrites", 1, a=4), {"canaries_mixed"}),
    ("removals", put("rewrites", 1, b=None), {"pairs_unordered", "canaries_mixed"}),
    ("removals", put("rewrites", 0, p_same=NAN), {"scores_impossible"}),
    ("removals", drop("removals", 0), {"removals_lost"}),
    ("removals", repeat("removals", 0), {"docs_repeated"}),
    ("removals", put("removals", 1, survivor=3), {"survivors_removed", "removals_unfounded"}),
    ("removals", put("removals", 1, survivor=1), {"removals_unfounded"}),
    ("fragment_spans", repeat("fragments", 0), {"fragments_repeated"}),
    ("fragment_spans", put("fragments", 0, action=None), {"actions_unknown", "cuts_unfounded"}),
    ("fragment_spans", put("fragments", 0, action="keep"), {"cuts_unfounded"}),
    ("fragment_spans", put("fragments", 0, hosts=1), {"fragments_too_rare"}),
    ("fragment_spans", put("fragments", 0, viral=NAN), {"cut_unjudged"}),
    ("fragment_spans", put("fragment_spans", 1, doc=99), {"docs_unknown", "spans_outside"}),
    ("fragment_spans", put("fragment_spans", 1, fragment=9), {"fragments_unknown", "cuts_unfounded"}),
    (
        "fragment_spans",
        put("fragment_spans", 1, end=99, text="FRAGMENT omega"),
        {"spans_outside", "texts_misfit", "stumps"},
    ),
    ("fragment_spans", repeat("fragment_spans", 0), {"spans_overlapping", "stumps"}),
    ("fragment_spans", put("fragment_spans", 0, text="FRAG"), {"texts_misfit"}),
    ("fragment_spans", put("fragment_spans", 0, text=None), {"texts_misfit"}),
    ("fragment_spans", put("fragment_spans", 0, cut=None), {"cuts_unfounded"}),
    ("fragment_spans", put("fragment_spans", 1, end=14, text="FRAGMENT omega"), {"stumps"}),
    ("decisions", empty("decisions"), {"ids_missing", "sources_unbalanced"}),
    ("decisions", drop("decisions", 1), {"ids_missing", "sources_unbalanced", "survivors_not_kept"}),
    ("decisions", repeat("decisions", 4), {"ids_repeated", "sources_unbalanced"}),
    (
        "decisions",
        put("decisions", 4, doc_id="z"),
        {"ids_missing", "ids_unknown", "documents_changed", "sources_unbalanced"},
    ),
    ("decisions", put("decisions", 4, action=None), {"actions_unknown", "cuts_impossible", "sources_unbalanced"}),
    ("decisions", put("decisions", 4, reason=" "), {"reasons_missing"}),
    ("decisions", put("decisions", 1, survivor_id="e"), {"kept_with_survivor"}),
    ("decisions", put("decisions", 3, survivor_id=None), {"survivors_not_kept"}),
    ("decisions", put("decisions", 3, survivor_id="c"), {"survivors_not_kept"}),
    ("decisions", put("decisions", 3, survivor_id="__canary__/F/0/lookalike0"), {"survivors_not_kept"}),
    ("decisions", put("decisions", 3, type=None), {"removals_unexplained"}),
    ("decisions", put("decisions", 3, stage=None), {"removals_unexplained"}),
    ("decisions", put("decisions", 0, chars_cut=0), {"cuts_impossible"}),
    ("decisions", put("decisions", 0, n_chars=99), {"documents_changed"}),
    ("decisions", put("decisions", 0, source="news"), {"documents_changed", "sources_unbalanced"}),
    ("snapshot", put("survivors", 0, doc=6, survivor=5), {"preservation"}),
    ("snapshot", put("copies", 0, doc=6, copy_of=5), {"preservation"}),
    ("snapshot", put("documents", 3, protected=True), {"preservation", "protected_removed"}),
    ("snapshot", lambda t: t.update(documents=t["documents"][:5]), {"lookalikes_missing"}),
    ("snapshot", repeat("rejects", 0), {"rows_unaccounted", "reject_share"}),
    ("snapshot", put("rejects", 0, reason=f"{ENDS_EARLY}: the compressed data ends early"), {"files_broken"}),
    ("snapshot", put("decisions", 4, action="remove"), {"published_not_kept", "survivors_not_kept"}),
    ("snapshot", drop("decisions", 2), {"ids_lost"}),
    ("snapshot", repeat("decisions", 2), {"ids_repeated"}),
    *(
        (name, put("conservation", row, lost=lost), {check})
        for name in ("snapshot", "refresh")
        for row, lost, check in (
            (0, 2, "content_lost"),
            (1, 3, "runs_lost"),
            (2, 11, "survivors_lacking"),
            (3, 1, "passages_lost"),
            (5, 8, "source_content_lost"),
        )
    ),
    *((name, put("conservation", 6, source="news"), {"source_content_lost"}) for name in ("snapshot", "refresh")),
    (
        "snapshot",
        put("documents", 1, canary="F/1/lookalike0"),
        {"canaries_published", "ids_unknown", "rows_unaccounted"},
    ),
    ("snapshot", empty("published"), {"kept_unpublished"}),
    ("snapshot", drop("published", 1), {"kept_unpublished"}),
    ("snapshot", put("published", 1, key="c"), {"kept_unpublished", "published_not_kept"}),
    ("snapshot", repeat("published", 1), {"published_repeated"}),
    ("snapshot", put("published", 1, body=None), {"published_empty", "texts_not_restorable"}),
    ("snapshot", put("published", 1, body="alpha kopy"), {"texts_not_restorable"}),
    ("snapshot", put("published", 0, body="alpha 😀 beta"), {"texts_not_restorable"}),
    ("snapshot", put("fragment_spans", 0, text="fragment"), {"texts_not_restorable"}),
    ("snapshot", put("fragment_spans", 0, cut=False), {"texts_not_restorable", "cuts_miscounted"}),
    ("snapshot", put("decisions", 0, chars_cut=9), {"cuts_miscounted"}),
    ("admitted", repeat("arrivals", 7), {"ids_repeated"}),
    ("admitted", put("arrivals", 7, event="lost"), {"events_unknown"}),
    ("admitted", put("arrivals", 7, event=None), {"events_unknown"}),
    ("admitted", drop("arrivals", 6), {"rows_unaccounted"}),
    ("admitted", put("arrivals", 6, number=None), {"rows_unaccounted"}),
    ("admitted", empty("rejects"), {"rows_unaccounted"}),
    ("admitted", put("documents", 3, doc_id="y"), {"documents_missing", "documents_unexpected"}),
    ("admitted", put("documents", 3, published=True), {"documents_missing"}),
    ("admitted", put("arrivals", 5, event="changed"), {"documents_missing"}),
    ("admitted", put("arrivals", 3, event="deleted"), {"documents_unexpected"}),
    ("admitted", put("documents", 0, published=False), {"documents_unexpected", "docs_repeated"}),
    ("admitted", put("documents", 3, doc=4), {"docs_repeated"}),
    ("admitted", put("roster", 1, doc=4), {"docs_repeated"}),
    ("refresh", put("survivors", 0, doc=6, survivor=5), {"preservation"}),
    ("refresh", put("copies", 0, doc=6, copy_of=5), {"preservation"}),
    ("refresh", put("documents", 3, protected=True), {"preservation", "protected_removed"}),
    ("refresh", put("before", 1, action="keep"), {"preservation", "protected_removed"}),
    ("refresh", lambda t: t.update(documents=t["documents"][:5]), {"lookalikes_missing"}),
    ("refresh", repeat("rejects", 0), {"rows_unaccounted", "reject_share"}),
    ("refresh", put("arrivals", 6, number=None), {"rows_unaccounted"}),
    ("refresh", put("decided_elsewhere", 1, action="delete"), {"published_loss", "published_not_kept"}),
    ("refresh", drop("decided_elsewhere", 0), {"ids_lost"}),
    ("refresh", drop("decided_elsewhere", 2), {"ids_lost"}),
    ("refresh", drop("decided_elsewhere", 1), {"ids_lost", "published_loss", "published_not_kept"}),
    ("refresh", put("arrivals", 6, doc_id="y"), {"ids_lost", "ids_unknown"}),
    ("refresh", put("arrivals", 6, event="unknown"), {"ids_unknown"}),
    ("refresh", repeat("decided_elsewhere", 2), {"ids_repeated"}),
    ("refresh", put("decisions", 2, survivor_id="d"), {"survivors_not_kept"}),
    ("refresh", put("decisions", 2, survivor_id="f"), {"survivors_not_kept"}),
    ("refresh", put("decisions", 2, survivor_id=None), {"survivors_not_kept"}),
    (
        "refresh",
        put("published_before", 0, key="__canary__/S/0"),
        {"canaries_published", "kept_unpublished", "published_not_kept"},
    ),
    ("refresh", empty("published"), {"kept_unpublished"}),
    ("refresh", empty("published_before"), {"kept_unpublished"}),
    ("refresh", put("published_before", 0, key="e"), {"kept_unpublished", "published_repeated"}),
    ("refresh", put("published_before", 0, key="f"), {"kept_unpublished", "published_not_kept"}),
    ("refresh", repeat("published", 1), {"published_repeated"}),
    ("refresh", put("published", 1, body=""), {"published_empty", "texts_not_restorable"}),
    ("refresh", put("published", 1, body="alpha kopy"), {"texts_not_restorable"}),
    ("refresh", put("published", 0, body="alpha 😀 beta"), {"texts_not_restorable"}),
    ("refresh", put("fragment_spans", 0, text="fragment"), {"texts_not_restorable"}),
    ("refresh", put("fragment_spans", 1, cut=False), {"texts_not_restorable", "cuts_miscounted"}),
    ("refresh", put("decisions", 0, chars_cut=9), {"cuts_miscounted"}),
]


@pytest.mark.parametrize(("name", "spoil", "expected"), VIOLATIONS)
def test_a_violation_fails_its_check(
    name: str, spoil: Callable[[Tables], None], expected: set[str], tmp_path: Path
) -> None:
    tables = good_tables()
    spoil(tables)
    verdict = checked(name, tables, tmp_path)
    assert failed(verdict) == expected
    warnings = {"runs_lost", "passages_lost", "survivors_lacking"}
    assert verdict.passed is (expected <= warnings) and verdict.result["success"] is False


def test_every_check_has_a_seeded_violation() -> None:
    known = {(name, column) for name, contract in CONTRACTS.items() for column in columns(contract)}
    assert known == {(statement(name), check) for name, _, checks in VIOLATIONS for check in checks}


def test_exact_copies_back_a_removal(tmp_path: Path) -> None:
    tables = good_tables()
    put("survivors", 0, survivor=2)(tables)  # 2 is an exact copy of 1, against which 3 was verified
    assert checked("survivors", tables, tmp_path).passed


def test_a_run_without_canaries_or_spans_passes(tmp_path: Path) -> None:
    tables = good_tables()
    tables["documents"] = tables["documents"][:5]
    tables["fragment_spans"] = tables["fragment_spans"].clear()
    tables["decisions"] = tables["decisions"].with_columns(chars_cut=0, action=pl.col("action").replace("edit", "keep"))
    tables["published"] = pl.DataFrame({"key": ["a", "b", "e"], "body": [TEXTS[0], TEXTS[1], TEXTS[4]]})
    assert checked("snapshot", tables, tmp_path, canaries=False).passed


def test_a_night_without_arrivals_canaries_or_rewritten_documents_passes(tmp_path: Path) -> None:
    tables = good_tables()
    tables["documents"] = tables["documents"].clear()
    tables["rejects"] = tables["rejects"].clear()
    tables["arrivals"] = tables["arrivals"].filter(event="deleted")
    tables["before"] = tables["before"].filter(pl.col("doc_id") != "e")
    tables["decisions"] = tables["decisions"][[0, 3]].with_columns(
        action=pl.Series(["keep", "delete"]), survivor_id=pl.lit(None, pl.String), chars_cut=pl.lit(0, pl.Int64)
    )
    tables["decided_elsewhere"] = tables["decided_elsewhere"][:2]
    tables["published_before"] = pl.DataFrame({"key": ["a", "g"], "body": ["alpha", "older text"], "user": 1})
    tables["published"] = tables["published"].clear()
    assert checked("refresh", tables, tmp_path / "gate", canaries=False, input_rows=0).passed
    assert checked("documents", tables, tmp_path / "read", least_documents=0, input_rows=0).passed


def test_nothing_counted_is_no_pass(tmp_path: Path) -> None:
    verdict = checked("snapshot", good_tables(), tmp_path, input_rows=None)
    assert {"rows_unaccounted", "reject_share"} <= failed(verdict)
    assert {r["value"] for r in verdict.checks if r["check"] in ("rows_unaccounted", "reject_share")} == {None}


def test_bounds_come_from_the_parameters_and_are_inclusive(tmp_path: Path) -> None:
    tables = good_tables()
    put("conservation", 0, lost=100)(tables)
    verdict = checked("snapshot", tables, tmp_path, max_content_lost=0.5, max_reject_share=1 / 6)
    assert verdict.passed
    loss = next(result for result in verdict.checks if result["check"] == "content_lost")
    assert loss == {
        "check": "content_lost",
        "value": 0.5,
        "bound": "<= 0.5",
        "passed": True,
        "severity": "critical",
    }


def test_a_warning_does_not_fail_the_contract(tmp_path: Path) -> None:
    contract = CONTRACTS["snapshot"]

    def warnings() -> list:
        expectations = contract.expectations()
        for one in expectations:
            one.severity = "warning"
        return expectations

    lenient = replace(contract, expectations=warnings)
    tables = good_tables()
    empty("published")(tables)
    verdict = checked("snapshot", tables, tmp_path, lenient)
    assert failed(verdict) == {"kept_unpublished"}
    assert verdict.passed


def test_expectations_and_columns_must_agree(tmp_path: Path) -> None:
    copies = CONTRACTS["copies"].expectations()
    for number, wrong in enumerate(([], [*copies, none("unknown", description="")], copies[1:])):
        with pytest.raises(RuntimeError, match="differ"):
            checked("copies", good_tables(), tmp_path / str(number), Contract("copies", lambda wrong=wrong: wrong))


def test_a_missing_table_or_parameter_is_an_error_that_names_it(tmp_path: Path) -> None:
    with duckdb.connect() as con:
        with pytest.raises(sql.SqlError, match=r"missing \['copies', 'documents'\]"):
            validate(CONTRACTS["copies"], con, {}, {})
        nowhere = str(tmp_path / "*.parquet")
        with pytest.raises(sql.SqlError, match=r"(?s)contracts/copies.sql failed.*parameters: .*select"):
            validate(CONTRACTS["copies"], con, {"copies": nowhere, "documents": nowhere}, {})
        with pytest.raises(sql.SqlError, match=r"unused \['depth'\]"):
            sql.run(con, "contracts/copies", copies=nowhere, documents=nowhere, depth=1)
        with pytest.raises(KeyError, match="no_such_statement"):
            sql.run(con, "no_such_statement")


def test_every_expectation_is_described() -> None:
    expectations = [one for contract in CONTRACTS.values() for one in suite_of(contract).expectations]
    assert all(one.description and one.description.endswith(".") for one in expectations)


@pytest.fixture
def nothing_known() -> Iterator[None]:
    """No result is known from before, and none of the test afterwards."""
    contracts_gx._result.cache_clear()
    yield
    contracts_gx._result.cache_clear()


@pytest.mark.usefixtures("nothing_known")
def test_what_great_expectations_says_is_the_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from great_expectations.expectations import ExpectColumnMaxToBeBetween

    monkeypatch.setattr(ExpectColumnMaxToBeBetween, "_validate", lambda *_, **__: {"success": False, "result": {}})
    verdict = checked("copies", good_tables(), tmp_path)
    assert not verdict.passed and failed(verdict) == set(columns(CONTRACTS["copies"]))


def test_a_verdict_is_what_great_expectations_says_of_a_batch(tmp_path: Path) -> None:
    import pandas as pd

    gx = library()
    tables = good_tables()
    put("conservation", 0, lost=3)(tables)
    drop("published", 1)(tables)
    verdict = checked("snapshot", tables, tmp_path, input_rows=None)
    row = pd.DataFrame([{check["check"]: check["value"] for check in verdict.checks[1:]}], dtype=object)
    asset = gx.get_context(mode="ephemeral").data_sources.add_pandas("counted").add_dataframe_asset("rows")
    batch = asset.add_batch_definition_whole_dataframe("rows").get_batch({"dataframe": row})
    suite = suite_of(CONTRACTS["snapshot"])
    bounds = {name: float(PARAMETERS[name]) for name in suite.suite_parameter_options}
    said = batch.validate(suite, result_format="BASIC", expectation_parameters=bounds).to_json_dict()
    for result in said["results"]:
        del result["expectation_config"]["kwargs"]["batch_id"]
    assert failed(verdict) == {"rows_unaccounted", "reject_share", "content_lost", "kept_unpublished"}
    assert {name: verdict.result[name] for name in ("results", "statistics", "success", "suite_name")} == {
        name: said[name] for name in ("results", "statistics", "success", "suite_name")
    }


@pytest.mark.usefixtures("nothing_known")
def test_an_expectation_that_crashes_is_no_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from great_expectations.expectations import ExpectColumnMaxToBeBetween

    def crash(*_: object, **__: object) -> None:
        raise ZeroDivisionError("out of paper")

    monkeypatch.setattr(ExpectColumnMaxToBeBetween, "_validate", crash)
    with pytest.raises(RuntimeError, match=r"contract copies: .*out of paper"):
        checked("copies", good_tables(), tmp_path)


def test_data_docs_are_one_page_that_loads_nothing(tmp_path: Path) -> None:
    tables = good_tables()
    repeat("copies", 0)(tables)
    bad = checked("copies", tables, tmp_path / "bad")
    good = checked("documents", good_tables(), tmp_path / "good")
    page = data_docs("Data Docs of <night>", [bad, good])
    assert "<title>Data Docs of &lt;night&gt;</title>" in page
    assert "No document is a copy twice." in page and "n_chars is the length of the text" in page
    assert page.count("fa-times") > 0 and page.count("<article>") == 2
    assert not re.search(r"<script|<link|<img|https?:", page)
