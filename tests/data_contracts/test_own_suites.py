"""Suites of the user: what they are read from, and what they say of a published table."""

import json
from pathlib import Path

import duckdb
import polars as pl
import pytest

from data_contracts.data_docs import data_docs
from data_contracts.own_suites import OwnSuite, read_suite, validate_table

UNIQUE = {"type": "expect_column_values_to_be_unique", "kwargs": {"column": "doc_id"}}
LONG = {"type": "expect_column_value_lengths_to_be_between", "kwargs": {"column": "text", "min_value": 2}}
ROWS = {"type": "expect_table_row_count_to_be_between", "kwargs": {"min_value": 9}, "severity": "warning"}


def suite(*expectations: dict) -> str:
    return json.dumps({"name": "mine", "expectations": list(expectations)})


def judged(text: str, folder: Path, table: str = "documents"):
    (folder / table).mkdir(exist_ok=True)
    rows = pl.DataFrame({"doc_id": ["a", "b", "b"], "text": ["one", "2", None], "other": [1, 2, 3]})
    rows.write_parquet(folder / table / "part-00000.parquet")
    with duckdb.connect() as con:
        return validate_table(OwnSuite(table, text), folder, con)


def test_a_suite_that_great_expectations_wrote_is_read_back(tmp_path: Path) -> None:
    import great_expectations as gx
    from great_expectations.expectations import ExpectColumnValuesToBeUnique

    page = gx.ExpectationSuite(name="mine", expectations=[ExpectColumnValuesToBeUnique(column="doc_id")])
    (tmp_path / "mine.json").write_text(json.dumps(page.to_json_dict()))
    for prefix, table in (("", "documents"), ("documents=", "documents"), ("decisions=", "decisions")):
        own = read_suite(f"{prefix}{tmp_path / 'mine.json'}")
        assert own.table == table
        assert [check["passed"] for check in judged(own.text, tmp_path, table).checks] == [False]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "No such file"),
        ("{", "Expecting property name"),
        ("[]", "holds no ExpectationSuite"),
        (suite(), "holds no ExpectationSuite"),
        (suite({"type": "expect_nonsense", "kwargs": {}}), "has no expectation .*expect_nonsense"),
        (suite(UNIQUE | {"kwargs": {"colum": "doc_id"}}), "column; field required|field required"),
        (json.dumps({"expectations": [UNIQUE]}), "name"),
        (suite("unique"), "has no expectation unique"),
    ],
)
def test_a_file_that_is_no_suite_is_refused(text: str | None, said: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(ValueError, match=f"--expectations {path}: .*(?:{said})"):
        read_suite(str(path))


def test_severity_decides_and_missing_columns_fail(tmp_path: Path) -> None:
    verdict = judged(suite(ROWS), tmp_path)
    assert verdict.passed and [check["passed"] for check in verdict.checks] == [False]
    verdict = judged(suite(LONG), tmp_path)
    assert not verdict.passed
    assert verdict.checks[0]["value"] == 1 and verdict.checks[0]["check"] == "text"
    assert verdict.result["results"][0]["result"]["partial_unexpected_list"] == ["2"]
    (check,) = judged(suite(LONG | {"kwargs": {"column": "nowhere", "min_value": 2}}), tmp_path).checks
    assert not check["passed"] and '"nowhere" in BatchData does not exist' in check["bound"]


def test_data_docs_show_values_of_the_data_as_text(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    (tmp_path / "documents").mkdir()
    pl.DataFrame({"text": [evil], "doc_id": [evil]}).write_parquet(tmp_path / "documents" / "part.parquet")
    among = {"type": "expect_column_values_to_be_in_set", "kwargs": {"column": "text", "value_set": [evil]}}
    often = {"type": "expect_column_most_common_value_to_be_in_set", "kwargs": {"column": "doc_id", "value_set": ["b"]}}
    page = json.dumps({"name": evil, "expectations": [among, LONG | {"description": evil}, often, UNIQUE]})
    page = page.replace('"min_value": 2', '"min_value": 99')
    with duckdb.connect() as con:
        docs = data_docs(evil, [validate_table(OwnSuite("documents", page), tmp_path, con)])
    assert "<script" not in docs and "alert(1)" in docs
