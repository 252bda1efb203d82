"""Every format and every kind of bad input: what becomes a row, what a reject, what stops the run."""

import bz2
import gzip
import json
import lzma
import random
import zlib
from pathlib import Path

import numpy as np
import orjson
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from models.lexical.text.normalisation import normalise
from tasks.ingest.readers import Batch, Columns, discover, harmonise, listed_ids, read, read_all
from tasks.ingest.readers.batch import TEXT_PLACE
from tasks.runtime.errors import InputError

ODD = {
    "rtl": "שלום עולם، مرحبا بالعالم",
    "cjk": "吾輩は猫である。名前はまだ無い。",
    "emoji": "👩‍👩‍👧 ❤️ ok",
    "zero-width": "a\u200bb\ufeffc",
    "one": "x",
    "nul": "a\x00b",
    "quotes": 'say "hi",\r\nthen\tgo\n\nend',
}


def load(path: Path, text="text", id=None, source=None, batch_rows=1000) -> Batch:
    """All of what one INPUT gives, as one batch; also checks that each batch is sound."""
    batches = []
    for file in discover([str(path)]):
        for batch in read(file, Columns(text, id, source), batch_rows):
            assert batch.rows.column_names == ["doc_id", "source", "text", "row"]
            assert batch.rows.num_rows == batch.extras.num_rows == len(batch.files) <= batch_rows
            batches.append(batch)
    return Batch(
        pa.concat_tables([batch.rows for batch in batches]),
        pa.concat_tables([batch.extras for batch in batches], promote_options="permissive"),
        [reject for batch in batches for reject in batch.rejects],
        pa.concat_arrays([batch.files for batch in batches]),
    )


def texts(batch: Batch) -> list[str]:
    return batch.rows["text"].to_pylist()


def rejects(batch: Batch) -> list[tuple[int, str]]:
    return [(reject.row, reject.reason) for reject in batch.rejects]


def write_lines(path: Path, rows: list) -> Path:
    """Write values as JSON lines, bytes as they are; compressed as the name says."""
    data = b"".join((row if isinstance(row, bytes) else orjson.dumps(row)) + b"\n" for row in rows)
    packed = {".gz": gzip.compress, ".zst": zstandard.compress, ".bz2": bz2.compress, ".xz": lzma.compress}
    path.write_bytes(packed.get(path.suffix, bytes)(data))
    return path


def unchecked_strings(values: list[bytes | None]) -> pa.Array:
    """A string column as careless writers make it."""
    binary = pa.array(values, pa.binary())
    return pa.StringArray.from_buffers(len(binary), *reversed(binary.buffers()[:0:-1]), binary.buffers()[0])


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.json.zst", "a.ndjson.xz", "a.json.bz2"])
@pytest.mark.parametrize("batch_rows", [1, 2, 1000])
def test_jsonl_gives_back_what_was_written(tmp_path, name, batch_rows):
    rows = [{"id": key, "text": text, "n": index, "tags": [key]} for index, (key, text) in enumerate(ODD.items())]
    got = load(write_lines(tmp_path / name, rows), id="id", batch_rows=batch_rows)
    assert texts(got) == list(ODD.values())
    assert got.rows["doc_id"].to_pylist() == got.extras["id"].to_pylist() == list(ODD)
    assert got.rows["row"].to_pylist() == list(range(1, len(ODD) + 1))
    assert set(got.rows["source"].to_pylist()) == {""}
    assert got.extras.schema.types == [pa.large_string(), pa.large_string(), pa.int64(), pa.list_(pa.string())]
    assert got.extras.column_names == ["id", TEXT_PLACE, "n", "tags"] and set(got.extras[1].to_pylist()) == {None}
    assert not got.rejects


@pytest.mark.parametrize(("name", "delimiter"), [("a.csv", ","), ("a.tsv", "\t"), ("a.csv.gz", ",")])
@pytest.mark.parametrize("batch_rows", [1, 1000])
def test_delimited_keeps_quotes_line_breaks_and_leading_zeros(tmp_path, name, delimiter, batch_rows):
    lines = [delimiter.join(("doc_id", "text", "zip"))]
    lines += [
        f'007{delimiter}"{text.replace(chr(34), chr(34) * 2)}"{delimiter}01{i}' for i, text in enumerate(ODD.values())
    ]
    data = ("\ufeff" + "\r\n".join(lines)).encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    got = load(tmp_path / name, id="doc_id", batch_rows=batch_rows)
    assert texts(got) == list(ODD.values())
    assert got.rows["doc_id"].to_pylist() == ["007"] * len(ODD)
    beside = {"doc_id": ["007"] * len(ODD), TEXT_PLACE: [None] * len(ODD), "zip": [f"01{i}" for i in range(len(ODD))]}
    assert list(got.extras.to_pydict().items()) == list(beside.items())
    assert not got.rejects


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), None])
def test_parquet_keeps_the_types_of_other_columns(tmp_path, kind):
    column = (
        pa.array(list(ODD.values())).dictionary_encode() if kind is None else pa.array(list(ODD.values())).cast(kind)
    )
    extras = {"at": pa.array([0] * len(ODD), pa.timestamp("us")), "meta": pa.array([{"a": [1]}] * len(ODD))}
    pq.write_table(
        pa.table({"body": column, "key": pa.array(range(len(ODD)), pa.uint16()), **extras}), tmp_path / "a.parquet"
    )
    got = load(tmp_path / "a.parquet", text="body", id="key", batch_rows=3)
    assert texts(got) == list(ODD.values())
    assert got.rows["doc_id"].to_pylist() == [str(index) for index in range(len(ODD))]
    assert got.rows["row"].to_pylist() == list(range(1, len(ODD) + 1))
    place = {pa.string_view(): pa.string(), None: column.type}.get(kind, kind)
    kinds = {"key": pa.uint16(), "at": pa.timestamp("us"), "meta": extras["meta"].type}
    assert got.extras.schema == pa.schema({TEXT_PLACE: place} | kinds)


def test_txt_folder_is_one_document_per_file_named_by_its_path(tmp_path):
    (tmp_path / "sub").mkdir()
    for name, content in {
        "b.txt": "B\n",
        "sub/a.txt": "A",
        "sub/none.txt": "",
        ".hidden.txt": "no",
        "c.md": "no",
    }.items():
        (tmp_path / name).write_text(content)
    (tmp_path / "bad.txt").write_bytes(b"caf\xe9")
    got = load(tmp_path)
    assert dict(zip(got.rows["doc_id"].to_pylist(), texts(got), strict=True)) == {"b.txt": "B\n", "sub/a.txt": "A"}
    assert {(Path(reject.file).name, reject.reason) for reject in got.rejects} == {
        ("none.txt", "text is empty"),
        ("bad.txt", "text: invalid UTF-8"),
    }
    joined = list(read_all(discover([str(tmp_path)]), Columns("text"), 100))
    assert len(joined) == 1
    assert texts(joined[0]) == texts(got)
    assert [Path(file).name for file in joined[0].files.to_pylist()] == ["b.txt", "a.txt"]


JSONL_FAULTS = [
    (b'{"id": 1, "text": null}', "text is null or missing"),
    (b'{"id": 1}', "text is null or missing"),
    (b'{"id": 1, "text": ""}', "text is empty"),
    (b'{"id": 1, "text": " \\n\\u3000\\u00a0"}', "text has only white space or invisible characters"),
    (b'{"id": 1, "text": "\\u200b\\ufeff"}', "text has only white space or invisible characters"),
    (b'{"id": 1, "text": "caf\xe9"}', "invalid UTF-8"),
    (b'{"id": 1, "text": "\\ud83d"}', "lone surrogate"),
    (b'{"id": 1, "text": "a", "other": ["\\udc00"]}', "lone surrogate"),
    (b'{"id": 1, "text": "\xed\xa0\x80"}', "lone surrogate"),
    (b'{"id": 1, "text": 7}', "text is not a string but a number"),
    (b'{"id": 1, "text": ["a"]}', "text is not a string but a list"),
    (b'{"id": null, "text": "a"}', "id is null or missing"),
    (b'{"text": "a"}', "id is null or missing"),
    (b'{"id": "", "text": "a"}', "id is empty"),
    (b'{"id": true, "text": "a"}', "id is neither a string nor a whole number but true or false"),
    (b'{"id": 1.5, "text": "a"}', "id is neither a string nor a whole number but a number"),
    (b"[1, 2]", "not a JSON object"),
    (b'"text"', "not a JSON object"),
    (b'{"id": 1, "text": "a"', "broken JSON"),
    (b"{" * 5000, "broken JSON"),
]


@pytest.mark.parametrize(("line", "reason"), JSONL_FAULTS)
def test_a_bad_jsonl_line_costs_only_itself(tmp_path, line, reason):
    good = {"id": "g", "text": "good"}
    got = load(write_lines(tmp_path / "a.jsonl", [good, b"", line, b"  \r", good]), id="id")
    assert got.rows["row"].to_pylist() == [1, 5]
    [(row, found)] = rejects(got)
    assert (row, found[: len(reason)]) == (3, reason)
    got.rejects[0].excerpt.encode("utf-8")
    assert len(got.rejects[0].excerpt) <= 200
    assert got.rejects[0].doc_id == ("1" if reason.startswith("text ") else None)


def test_jsonl_ids_sources_and_mixed_columns(tmp_path):
    rows = [
        {"id": 7, "text": "a", "source": "web", "x": 1, "meta": {"a": 1}},
        {"id": "seven", "text": "b", "source": 3, "x": "one", "meta": None},
        b'{"id": 18446744073709551615, "text": "c", "x": null, "nan": NaN}',
    ]
    got = load(write_lines(tmp_path / "a.jsonl", rows), id="id", source="source")
    assert got.rows["doc_id"].to_pylist() == ["7", "seven", "18446744073709551615"]
    assert got.rows["source"].to_pylist() == ["web", "3", ""]
    assert got.extras["x"].to_pylist() == ["1", "one", None]
    assert got.extras["meta"].to_pylist() == ['{"a": 1}', None, None]


def test_ids_of_two_kinds_are_those_of_the_decisions(tmp_path):
    """As JSON, beside a number, the text "7" would be in quotation marks."""
    rows = [{"id": "7", "text": "a"}, {"id": 8, "text": "b"}, {"id": "x", "text": "c"}]
    got = load(write_lines(tmp_path / "a.jsonl", rows), id="id")
    assert got.rows["doc_id"].to_pylist() == got.extras["id"].to_pylist() == ["7", "8", "x"]


def test_lines_that_a_lone_quotation_mark_swallows_are_rejects_each(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('id,text\n1,good\n2,"open\n3,gone\n4,gone\n', encoding="utf-8")
    got = load(path, id="id")
    assert texts(got) == ["good"]
    (first, *others), begin = rejects(got), "within broken quoting that began at line 3"
    assert (first[0], first[1][:33]) == (2, "broken quoting at lines 3 to 5 (u") and others == [(3, begin), (4, begin)]


def test_csv_rejects_rows_and_not_the_file(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(
        b'id,text\n1,good\n2,caf\xe9\n3\n4,a,b\n5,"x"y\n6,\n7," \t"\n,no id\n\n'
        b'9,\xed\xa0\x80\n10,"two\nlines"\n11,"open\n'
    )
    got = load(path, id="id")
    assert list(zip(got.rows["row"].to_pylist(), texts(got), strict=True)) == [(1, "good"), (10, "two\nlines")]
    assert [row for row, _ in rejects(got)] == [2, 3, 4, 5, 6, 7, 8, 9, 11]
    assert dict(rejects(got)) | {5: "", 11: ""} == {
        2: "text: invalid UTF-8",
        3: "1 fields where the header has 2",
        4: "3 fields where the header has 2",
        5: "",
        6: "text is empty",
        7: "text has only white space or invisible characters",
        8: "id is empty",
        9: "text: lone surrogate",
        11: "",
    }
    assert got.rejects[0].excerpt == "caf\\xe9"


def test_parquet_rejects_rows_by_value(tmp_path):
    values = [b"good", None, b"", b"\t \xe2\x80\x8b", b"caf\xe9", b"\xed\xa0\x80", b"g", b"g", b"last"]
    other = [b"ok"] * 7 + [b"\xff", b"ok"]
    nested = pa.ListArray.from_arrays(range(len(other) + 1), unchecked_strings(other))
    table = pa.table({"id": [1, 2, 3, 4, 5, 6, None, 8, 9], "text": unchecked_strings(values), "nested": nested})
    pq.write_table(table, tmp_path / "a.parquet")
    got = load(tmp_path / "a.parquet", id="id")
    assert got.rows["row"].to_pylist() == [1, 9]
    assert rejects(got) == [
        (2, "text is null or missing"),
        (3, "text is empty"),
        (4, "text has only white space or invisible characters"),
        (5, "text: invalid UTF-8"),
        (6, "text: lone surrogate"),
        (7, "id is null or missing"),
        (8, "column 'nested': invalid UTF-8"),
    ]


@pytest.mark.slow
def test_what_is_accepted_never_normalises_to_nothing(tmp_path):
    points = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    pq.write_table(pa.table({"text": points}), tmp_path / "a.parquet")
    got = load(tmp_path / "a.parquet", batch_rows=1 << 20)
    assert np.diff(normalise(pl.Series(texts(got))).pointers).all()
    assert got.rows.num_rows > 0x10F000 - 0x800 - 0x2000


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.csv.gz", "a.jsonl.zst"])
def test_broken_compression_keeps_the_rows_before_the_break(tmp_path, name):
    words = random.Random(1)
    rows = [f"{words.getrandbits(400):x}" for _ in range(20000)]
    if "csv" in name:
        data = "\n".join(["text", *rows]).encode()
    else:
        data = b"\n".join(orjson.dumps({"text": text}) for text in rows)
    packed = zstandard.compress(data) if name.endswith("zst") else gzip.compress(data)
    (tmp_path / name).write_bytes(packed[: len(packed) // 2])
    got = load(tmp_path / name)
    kept = got.rows.num_rows
    assert 0.4 * len(rows) < kept < 0.6 * len(rows)
    assert texts(got) == rows[:kept]
    assert rejects(got) == [(kept + 1, "unreadable from here on: the compressed data ends early")]


def test_damaged_gzip_keeps_rows_up_to_the_damage(tmp_path):
    engine = zlib.compressobj(wbits=31)
    good = engine.compress(b'{"text": "a"}\n{"text": "b"}\n') + engine.flush(zlib.Z_SYNC_FLUSH)
    (tmp_path / "a.jsonl.gz").write_bytes(good + b"\xff" * 40)
    got = load(tmp_path / "a.jsonl.gz")
    assert texts(got) == ["a", "b"]
    assert rejects(got)[0][0] == 3
    (tmp_path / "no.jsonl.gz").write_bytes(b"not gzip at all")
    assert rejects(load(tmp_path / "no.jsonl.gz"))[0][0] == 1


def test_joined_gzip_members_and_zero_padding_are_whole(tmp_path):
    part = gzip.compress(b'{"text": "a"}\n')
    (tmp_path / "a.jsonl.gz").write_bytes(part + part + b"\0" * 512)
    got = load(tmp_path / "a.jsonl.gz")
    assert texts(got) == ["a", "a"]
    assert not got.rejects


def test_unreadable_parquet_is_one_reject(tmp_path):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"text": ["a"] * 1000}), path)
    path.write_bytes(path.read_bytes()[:-20])
    got = load(path)
    assert got.rows.num_rows == 0
    [(row, reason)] = rejects(got)
    assert row == 1
    assert reason.startswith("unreadable parquet (")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.parquet", "a.txt", "a.jsonl.zst"])
def test_a_document_of_50_mb(tmp_path, name):
    text = "lorem ipsum " * (50_000_000 // 12) + "end"
    path = tmp_path / name
    if name.endswith("parquet"):
        pq.write_table(pa.table({"text": ["first", text, "last"]}), path)
    elif name.endswith("csv"):
        path.write_text(f'text\nfirst\n"{text}"\nlast\n')
    elif name.endswith("txt"):
        path.write_text(text)
    else:
        write_lines(path, [{"text": "first"}, {"text": text}, {"text": "last"}])
    got = load(path)
    assert texts(got) == ([text] if name.endswith("txt") else ["first", text, "last"])
    assert not got.rejects


def test_rows_are_documents_plus_rejects_for_any_mixture(tmp_path):
    chance = random.Random(7)
    for round_ in range(20):
        faults = [line for line, _ in JSONL_FAULTS]
        rows = [
            chance.choice(faults) if chance.random() < 0.5 else {"id": i, "text": "ok", chance.choice("xyz"): i}
            for i in range(50)
        ]
        path = write_lines(tmp_path / f"{round_}.jsonl", [{"id": 0, "text": "ok"}, *rows])
        batches = list(read(*discover([str(path)]), Columns("text", "id"), chance.randint(1, 60)))
        kept = [row for batch in batches for row in batch.rows["row"].to_pylist()]
        refused = [reject.row for batch in batches for reject in batch.rejects]
        assert sorted(kept + refused) == list(range(1, 52))
        assert kept == [1] + [number for number, row in enumerate(rows, 2) if isinstance(row, dict)]


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.csv"])
def test_an_empty_file_has_no_rows(tmp_path, name):
    (tmp_path / name).write_bytes(gzip.compress(b"") if name.endswith("gz") else b"")
    assert list(read(*discover([str(tmp_path)]), Columns("text"), 10)) == []


@pytest.mark.parametrize("columns", [("body", None, None), ("text", "key", None), ("text", None, "site")])
@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.parquet"])
def test_a_missing_column_names_those_that_exist(tmp_path, name, columns):
    path = tmp_path / name
    if name.endswith("parquet"):
        pq.write_table(pa.table({"text": ["a"], "url": ["u"]}), path)
    elif name.endswith("csv"):
        path.write_text("text,url\na,u\n")
    else:
        write_lines(path, [{"text": "a", "url": "u"}])
    wanted = next(column for column in columns if column not in (None, "text"))
    with pytest.raises(InputError, match=f"no column '{wanted}'; its columns are: text, url"):
        load(path, *columns)


def test_a_jsonl_column_may_come_late_but_not_never(tmp_path):
    path = write_lines(tmp_path / "a.jsonl", [{"text": "a"}, {"text": "b"}, {"text": "c", "id": 3}])
    got = load(path, id="id", batch_rows=1)
    assert got.rows["doc_id"].to_pylist() == ["3"]
    assert rejects(got) == [(1, "id is null or missing"), (2, "id is null or missing")]
    write_lines(path, [{"text": "a"}, {"text": 'no "key" here'}])
    reader = read(*discover([str(path)]), Columns("text", "key"), 1)
    with pytest.raises(InputError, match="no column 'key'"):
        list(reader)
    write_lines(path, [{"text": "a"}, {"text": "b"}])
    with pytest.raises(InputError, match="no column 'key'"):
        next(read(*discover([str(path)]), Columns("text", "key"), 1))


@pytest.mark.parametrize(("text", "id"), [("number", None), ("text", "number")])
def test_parquet_columns_of_the_wrong_type_stop_the_run(tmp_path, text, id):
    pq.write_table(pa.table({"text": ["a"], "number": [1.5]}), tmp_path / "a.parquet")
    with pytest.raises(InputError, match="column 'number' holds double"):
        load(tmp_path / "a.parquet", text, id)


def test_discover_finds_each_file_once_in_order(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in [
        "d/b.jsonl",
        "d/a.csv.gz",
        "d/sub/c.PARQUET",
        "d/.secret/x.jsonl",
        "d/.h.jsonl",
        "d/_SUCCESS",
        "e.txt",
    ]:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("x")
    found = discover(["d", "d/*.jsonl", "./d/b.jsonl", "*.txt", "d/**/*.PARQUET"])
    assert [(file.path.as_posix(), file.form.name, file.bytes) for file in found] == [
        ("d/a.csv.gz", "csv", 1),
        ("d/b.jsonl", "jsonl", 1),
        ("d/sub/c.PARQUET", "parquet", 1),
        ("e.txt", "txt", 1),
    ]
    assert [file.name for file in found] == ["a.csv.gz", "b.jsonl", "sub/c.PARQUET", "e.txt"]
    assert discover(["d", "e.txt"]) == discover(["e.txt", "d"])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "no input given"),
        (["nowhere"], "'nowhere' does not exist"),
        (["*.jsonl"], "nothing to read in"),
        (["empty"], "nothing to read in"),
        (["a.docx"], "extension that is not read"),
        (["a.parquet.gz"], "extension that is not read"),
    ],
)
def test_discover_says_what_is_wrong(tmp_path, monkeypatch, given, message):
    monkeypatch.chdir(tmp_path)
    Path("empty").mkdir()
    for name in ("a.docx", "a.parquet.gz", "empty/.hidden.jsonl"):
        Path(name).write_text("x")
    with pytest.raises(InputError, match=message):
        discover(given)


def test_listed_ids_of_every_format(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbf7\r\n\nb,c\n")
    (tmp_path / "a.ids").write_text("7\nb,c")
    (tmp_path / "a.csv").write_text('x,doc_id\n1,7\n2,"b,c"\n')
    write_lines(tmp_path / "a.jsonl", [{"doc_id": 7}, {"doc_id": "b,c"}])
    pq.write_table(pa.table({"doc_id": ["7", "b,c", None]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"doc_id": [7, 8]}), tmp_path / "n.parquet")
    assert all(
        listed_ids(tmp_path / f"a.{end}", "protected list") == {"7", "b,c"}
        for end in ("txt", "ids", "csv", "jsonl", "parquet")
    )
    assert listed_ids(tmp_path / "n.parquet", "protected list") == {"7", "8"}


def test_blanks_and_case_are_part_of_a_listed_id(tmp_path):
    (tmp_path / "a.txt").write_bytes("x \n x\n\tx\r\nX\n \n\u00a0x\ne\u0301\n".encode())
    assert listed_ids(tmp_path / "a.txt", "list") == {"x ", " x", "\tx", "X", " ", "\u00a0x", "e\u0301"}
    (tmp_path / "a.csv").write_text("doc_id\nx \n")
    write_lines(tmp_path / "a.jsonl", [{"doc_id": "x "}, b'{"doc_id": 123456789012345678901}'])
    assert listed_ids(tmp_path / "a.csv", "list") == {"x "}
    assert listed_ids(tmp_path / "a.jsonl", "list") == {"x ", "123456789012345678901"}


def test_a_protected_list_that_loses_ids_stops_the_run(tmp_path):
    write_lines(tmp_path / "a.jsonl", [{"doc_id": "a"}, b"{broken"])
    (tmp_path / "a.csv").write_text("id\n1\n")
    (tmp_path / "b.csv").write_text("doc_id,x\na,1\nb\n")
    (tmp_path / "a.parquet").write_bytes(b"PAR1 no")
    (tmp_path / "a.txt").write_bytes(b"\xff\n")
    for name in ("a.jsonl", "a.csv", "b.csv", "a.parquet", "a.txt", "missing.txt"):
        with pytest.raises(InputError):
            listed_ids(tmp_path / name, "protected list")


def test_harmonise_leaves_equal_parts_alone_and_settles_the_rest(tmp_path):
    parts = [tmp_path / f"{index}.parquet" for index in range(3)]
    pq.write_table(pa.table({"x": [1], "same": ["a"], "y": pa.nulls(1)}), parts[0])
    pq.write_table(pa.table({"x": [["a", "b"]], "same": ["b"]}), parts[1])
    pq.write_table(pa.table({"same": ["c"], "y": [2.5]}), parts[2])
    before = parts[2].stat().st_mtime_ns
    harmonise(parts)
    tables = [pq.read_table(part) for part in parts]
    assert [table["x"].to_pylist() for table in tables[:2]] == [["1"], ['["a", "b"]']]
    assert tables[0].schema.field("y").type == pa.float64()
    assert tables[2].to_pydict() == {"same": ["c"], "y": [2.5]}
    assert parts[2].stat().st_mtime_ns == before


def test_jsonl_written_by_the_standard_library_reads_the_same(tmp_path):
    rows = [{"text": text, "nested": {"k": [text]}} for text in ODD.values()]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    got = load(tmp_path / "a.jsonl")
    assert texts(got) == list(ODD.values())
    assert [json.loads(value) for value in got.extras["nested"].to_pylist()] == [row["nested"] for row in rows]


def every_kind_that_is_refused():
    union = pa.UnionArray.from_dense(pa.array([0], pa.int8()), pa.array([0], pa.int32()), [pa.array([1])])
    return {
        "decimal256": pa.array([1], pa.decimal256(60, 30)),
        "union": union,
        "run_end": pa.RunEndEncodedArray.from_arrays(pa.array([1], pa.int32()), pa.array(["a"])),
        "month_day_nano": pa.array([(1, 2, 3)], pa.month_day_nano_interval()),
        "list_view": pa.array([[1]], pa.list_view(pa.int8())),
        "struct": pa.array([{"a": 1}], pa.struct({"a": pa.decimal256(60, 0)})),
    }


@pytest.mark.parametrize("name", list(every_kind_that_is_refused()))
def test_types_that_could_not_be_given_back_are_refused_by_name(tmp_path, name):
    table = pa.table({"text": ["x"], "odd one": every_kind_that_is_refused()[name]})
    with pa.OSFile(str(tmp_path / "a.arrow"), "wb") as sink, pa.ipc.new_file(sink, table.schema) as file:
        file.write_table(table)
    with pytest.raises(InputError, match=rf"a\.arrow: column 'odd one' holds .*{name}"):
        load(tmp_path / "a.arrow")


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["text", "semhash_row"], "'semhash_row': names that begin with semhash_ are taken"),
        (["text", "SemHash_text"], "'SemHash_text': names that begin"),
        (["text", ""], "a name that is empty"),
        (["text", "a\0b"], "a name that holds a NUL"),
        (["text", "Title", "title"], "'Title' and 'title', whose names differ only in case"),
        (["Text", "text"], "'Text' and 'text'"),
    ],
)
@pytest.mark.parametrize("end", ["jsonl", "csv", "parquet", "feather"])
def test_names_that_could_not_be_given_back_are_refused(tmp_path, end, names, said):
    path, table = tmp_path / f"a.{end}", pa.table([["x"]] * len(names), names)
    match end:
        case "jsonl":
            write_lines(path, table.to_pylist())
        case "csv":
            path.write_text(",".join(names) + "\n" + ",".join("x" * len(names)) + "\n")
        case "parquet":
            pq.write_table(table, path)
        case "feather":
            with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as file:
                file.write_table(table)
    with pytest.raises(InputError, match=said):
        load(path)


def test_arrow_files_and_streams_give_what_parquet_gives(tmp_path):
    table = pa.table({"id": range(5), "text": list("abcde"), "view": pa.array(list("vwxyz"), pa.string_view())})
    pq.write_table(table, tmp_path / "a.parquet")
    for name, write in (("a.feather", pa.ipc.new_file), ("a.arrow", pa.ipc.new_stream)):
        with pa.OSFile(str(tmp_path / name), "wb") as sink, write(sink, table.schema) as file:
            file.write_table(table, 2)
        got, like = (load(tmp_path / one, id="id", batch_rows=3) for one in (name, "a.parquet"))
        assert (got.rows, got.extras, got.rejects) == (like.rows, like.extras, like.rejects)
    whole = (tmp_path / "a.arrow").read_bytes()
    (tmp_path / "a.arrow").write_bytes(whole[: len(whole) * 2 // 3])
    got = load(tmp_path / "a.arrow", id="id")
    assert 0 < got.rows.num_rows < 5 and rejects(got)[0][0] == got.rows.num_rows + 1


def test_a_json_file_may_be_an_array(tmp_path):
    rows = [{"id": index, "text": text} for index, text in enumerate(ODD.values())]
    (tmp_path / "a.json").write_text(json.dumps([*rows, 7], indent=1))
    got = load(tmp_path / "a.json", id="id", batch_rows=2)
    assert texts(got) == list(ODD.values()) and rejects(got) == [(len(ODD) + 1, "not a JSON object")]
    (tmp_path / "a.json").write_text("[1, 2")
    assert rejects(load(tmp_path / "a.json"))[0][1].startswith("unreadable from here on: broken JSON")


def test_whole_numbers_of_any_size_and_deep_lists_stay_as_they_are(tmp_path):
    deep = [[[[[[[[[[1]]]]]]]]]]
    rows = [{"text": "a", "n": 2**64 + 1, "m": {"n": [2**70]}, "deep": deep}, {"text": "b", "n": 1e300}]
    got = load(write_lines(tmp_path / "a.jsonl", [json.dumps(row).encode() for row in rows]))
    assert got.extras["n"].to_pylist() == [str(2**64 + 1), "1e+300"]
    assert got.extras["m"].to_pylist() == [f'{{"n": [{2**70}]}}', None]
    assert json.loads(got.extras["deep"][0].as_py()) == deep


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_deep_nesting_costs_its_row_only(tmp_path, opening):
    value = opening * 500 + "1" + ("]" if opening == "[" else "}") * 500
    lines = [b'{"text": "a"}', b'{"text": "b", "deep": ' + value.encode() + b"}", b'{"text": "c"}']
    got = load(write_lines(tmp_path / "a.jsonl", lines))
    assert texts(got) == ["a", "c"] and rejects(got) == [(2, "nested deeper than 200 levels")]


def test_a_column_of_other_types_in_other_parts_becomes_text_where_no_type_holds_all(tmp_path):
    columns = {
        "n": (pa.array([2**60 + 1]), pa.array([12.5])),
        "wide": (pa.array([1], pa.int32()), pa.array([2.5])),
        "sign": (pa.array([-1]), pa.array([2**64 - 1], pa.uint64())),
        "money": (pa.array(["1.5"]).cast(pa.decimal128(38, 30)), pa.array([7]).cast(pa.decimal128(38, 0))),
        "mixed": (pa.array(["0.10"]).cast(pa.decimal128(4, 2)), pa.array([0.1])),
        "when": (pa.array([2**40], pa.timestamp("s")), pa.array([1], pa.timestamp("ns"))),
        "tags": (pa.array([[2**60 + 1]]), pa.array([[0.5]])),
        "flag": (pa.array([True]), pa.array([1])),
    }
    parts = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    for index, part in enumerate(parts):
        pq.write_table(pa.table({name: pair[index] for name, pair in columns.items()}), part)
    noted = harmonise(parts)
    one, other = map(pq.read_table, parts)
    assert one.schema == other.schema
    assert set(noted) == set(columns) - {"wide"} and noted["n"] == "double, int64"
    found = pa.concat_tables([one, other]).to_pydict()
    assert found["n"] == [str(2**60 + 1), "12.5"] and found["sign"] == ["-1", str(2**64 - 1)]
    assert found["wide"] == [1.0, 2.5] and found["money"][1] == "7" and found["mixed"] == ["0.10", "0.1"]
    assert found["tags"] == [f"[{2**60 + 1}]", "[0.5]"] and found["flag"] == ["true", "1"]
