"""Ids and columns of the user through whole runs: every Arrow type comes back as it came, ids to the letter."""

import datetime as dt
import decimal
import json
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tasks.runtime.errors import InputError
from tests.support.runs import curate, refresh, table

pytestmark = pytest.mark.flows

LEXICAL = (
    "encoder.name=none",
    "cascade.routing=lexical",
    "sketch.use_attention=false",
    "verify.decider=rules",
    "extract.part_rows=64",
)
ROWS = 70
"""More than one part."""
NAMES = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove")
TEXTS = [
    f"The {NAMES[row % 7]} office of town {row} has {row * 13} clerks and {row + 4} desks by the "
    f"{NAMES[row // 7 % 7]} river, which {'rises ' * (row % 3)}in spring number {row * row}."
    for row in range(ROWS)
]
IDS = [f"d{row}" for row in range(ROWS - 8)]
IDS += ["x", "x ", " x", "X", "\u00e9", "e\u0301", "a'b\"c", "\ufb01"]
"""Ids that differ in case, blanks and normalisation only are different ids."""


def every(kind: pa.DataType, *values: object) -> pa.Array:
    """A column of some values and nulls."""
    return pa.array([[*values, None][row % (len(values) + 1)] for row in range(ROWS)], kind)


DAY = dt.datetime(2026, 11, 21, 17, 30)
TYPES = {
    **{f"{sign}{bits}": every(pa.type_for_alias(f"{sign}{bits}"), 0, 1, 2 ** (bits - (sign == "int")) - 1)
       for sign in ("int", "uint") for bits in (8, 16, 32, 64)},
    "half": every(pa.float16(), 0.5, -2.0), "single": every(pa.float32(), 0.5),
    "double": every(pa.float64(), 0.1, 1e300),
    "bool": every(pa.bool_(), True, False), "nothing else": every(pa.string(), "a", ""),
    "large": every(pa.large_string(), "a"), "binary": every(pa.binary(), b"\xff\x00"),
    "of 3": every(pa.binary(3), b"\0ab"), "money": every(pa.decimal128(38, 30), decimal.Decimal("1.5")),
    "digits": every(pa.decimal128(38, 0), decimal.Decimal(10**37)), "day": every(pa.date32(), DAY.date()),
    "clock": every(pa.time64("ns"), DAY.time()), "tick": every(pa.time32("ms"), DAY.time()),
    **{f"at {unit}": every(pa.timestamp(unit), DAY) for unit in ("ms", "us", "ns")},
    "far": every(pa.timestamp("us", "Europe/Berlin"), DAY.replace(tzinfo=dt.UTC)),
    **{f"took {unit}": every(pa.duration(unit), dt.timedelta(days=3)) for unit in ("s", "ms", "us", "ns")},
    "kind": every(pa.string(), "a", "b").dictionary_encode(), "tags": every(pa.list_(pa.string()), ["a", None], []),
    "pair": every(pa.list_(pa.int16(), 2), [1, 2]), "many": every(pa.large_list(pa.int8()), [1]),
    "meta": every(pa.struct({"a": pa.int64(), "A": pa.list_(pa.duration("s"))}), {"a": 1, "A": [dt.timedelta(1)]}, {}),
    "map": every(pa.map_(pa.string(), pa.decimal128(5, 2)), [("k", decimal.Decimal("1.50"))]),
}  # fmt: skip
SENT = pa.table({"name of it": IDS, **TYPES, "text": TEXTS, "url": [f"u{row}" for row in range(ROWS)]})


def published(snapshot: Path) -> pa.Table:
    """The documents with the types of Arrow, by id."""
    parts = [pq.read_table(path) for path in sorted((snapshot / "documents").glob("*.parquet"))]
    return pa.concat_tables(parts).sort_by(parts[0].column_names[0])


@pytest.fixture(scope="module")
def kept(tmp_path_factory) -> Path:
    """Output folder of a curated corpus with columns of every type, in Parquet and in Arrow files."""
    folder = tmp_path_factory.mktemp("columns")
    pq.write_table(SENT.slice(0, 40), folder / "a.parquet", row_group_size=7)
    with pa.OSFile(str(folder / "b.arrow"), "wb") as sink, pa.ipc.new_stream(sink, SENT.schema) as stream:
        stream.write_table(SENT.slice(40), 9)
    curate([folder / "a.parquet", folder / "b.arrow"], folder / "out", ("extract.id_column=name of it", *LEXICAL))
    return folder / "out"


def test_columns_of_every_type_come_back_as_they_went_in_and_ids_to_the_letter(kept):
    back = published(kept / "current")
    assert back.schema.equals(SENT.schema) and back.column_names == SENT.column_names
    assert back.to_pylist() == SENT.sort_by("name of it").to_pylist()
    assert set(table(kept / "current", "decisions")["doc_id"]) == set(IDS)
    assert pl.read_parquet(kept / "current" / "documents" / "*.parquet").height == ROWS


def test_the_same_rows_again_are_nothing_new_whatever_their_types(kept):
    before = (kept / "current").resolve()
    assert refresh([kept.parent / "a.parquet", kept.parent / "b.arrow"], kept) == before


def test_a_night_with_other_columns_leaves_one_table_and_says_what_became_text(kept, tmp_path):
    text = "Nobody else writes of {} in quite this manner, since harbours differ from mountains as ships do from goats."
    rows = [
        {"name of it": "new", "text": text.format("sails"), "int64": 12.5, "url": ["v"], "added": {"k": [1]}},
        {"name of it": "x ", "text": text.format("wool and also of weather"), "added": 2},
    ]
    (tmp_path / "night.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "gone.txt").write_text("X\n")
    tonight = refresh([tmp_path / "night.jsonl"], kept, deleted=str(tmp_path / "gone.txt"))
    back = published(tonight)
    found = {row["name of it"]: row for row in back.select(["name of it", "int64", "url", "added"]).to_pylist()}
    assert set(found) == {*IDS, "new"} - {"X"}, "the list names one id to the letter"
    assert (found["new"]["int64"], found["d1"]["int64"], found["d2"]["int64"]) == ("12.5", "1", str(2**63 - 1))
    assert (found["new"]["url"], found["d1"]["url"]) == ('["v"]', "u1")
    assert (found["new"]["added"], found["x "]["added"], found["d1"]["added"]) == ('{"k": [1]}', "2", None)
    assert json.loads((tonight / "manifest.json").read_text())["became_text"].keys() >= {"int64", "url"}
    untouched = [name for name in TYPES if name != "int64"]
    stays = [row for row in range(ROWS) if IDS[row] not in ("X", "x ")]
    known = back.filter(pa.compute.is_in(back["name of it"], pa.array([IDS[row] for row in stays])))
    sent = SENT.take(stays).sort_by("name of it").select(untouched)
    assert known.select(untouched).schema == sent.schema and known.select(untouched).to_pylist() == sent.to_pylist()
    whole = pl.read_parquet(tonight / "documents" / "*.parquet")
    assert whole.height == ROWS and whole["added"].null_count() == ROWS - 2


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ({"doc_id": "a"}, {}, "b.jsonl has no ids"),
        ({"doc_id": "a"}, {"id": "b"}, "b.jsonl has its ids in 'id'"),
        ({}, {"late": 1}, None),
    ],
)
def test_files_whose_ids_could_not_all_be_kept_are_refused_before_work_begins(tmp_path, first, second, said):
    for name, row in (("a", first), ("b", second)):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(row | {"text": f"{TEXTS[1]} {name}"}) + "\n")
    if said:
        with pytest.raises(InputError, match=said):
            curate([tmp_path], tmp_path / "out", LEXICAL)
        assert not (tmp_path / "out").exists()
    made = curate([tmp_path], tmp_path / "out", ("extract.id_column=", *LEXICAL))
    shown = pl.read_parquet(made / "documents" / "*.parquet")
    assert shown["semhash_id"].sort().to_list() == table(made, "decisions")["doc_id"].sort().to_list()
    assert set(first) | set(second) <= set(shown.columns), "what they have for ids stays a column"


def test_ids_that_begin_late_in_a_file_are_not_replaced(tmp_path):
    rows = [{"text": text} for text in TEXTS] + [{"text": "The last one brings an id.", "doc_id": "mine"}]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(InputError, match=r"a\.jsonl has ids in its column 'doc_id'"):
        curate([tmp_path / "a.jsonl"], tmp_path / "out", LEXICAL)


def test_a_column_id_names_documents_and_joins_with_decisions(tmp_path):
    frame = pl.DataFrame({"id": range(1, 4), "content": [*TEXTS[:2], TEXTS[0].upper()], "meta": [{"a": 1}] * 3})
    frame.write_parquet(tmp_path / "a.parquet")
    made = curate([tmp_path / "a.parquet"], tmp_path / "out", LEXICAL)
    shown = pl.read_parquet(made / "documents" / "*.parquet")
    assert shown.columns == frame.columns and shown.schema == frame.schema
    decided = table(made, "decisions").with_columns(pl.col("doc_id").cast(pl.Int64))
    kept = shown.join(decided, left_on="id", right_on="doc_id", how="left")
    assert kept["action"].to_list() == ["keep", "keep"] and decided.height == 3


@pytest.mark.parametrize("name", ["a, b; c", "q'u\"ote", "new\nline \u00fc %20 {x} ~"])
def test_odd_paths_of_input_and_output_work(tmp_path, name):
    (tmp_path / name / "in[1]*?").mkdir(parents=True)
    pl.DataFrame({"id": ["a", "b"], "text": TEXTS[:2]}).write_parquet(tmp_path / name / "in[1]*?" / "x[0-9]?.parquet")
    made = curate([tmp_path / name / "in[1]*?"], tmp_path / name / "out", LEXICAL)
    assert pl.read_parquet(sorted((made / "documents").glob("*")), glob=False)["id"].to_list() == ["a", "b"]
    assert pl.read_parquet(sorted((made / "documents").glob("*")), glob=False).columns == ["id", "text"]
    again = curate([tmp_path / name], tmp_path / name / "out", LEXICAL)
    read = json.loads((again / "manifest.json").read_text())["inputs"]
    assert len(read) == 1, "what a run wrote is no input of the next one around it"
