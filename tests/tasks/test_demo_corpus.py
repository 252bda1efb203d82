"""The demonstration corpus: complete, repeatable, and sampled so that copies stay together."""

import pyarrow.parquet as pq
import pytest

from tasks.demo.licence_corpus import Piece, parse, sample, write_demo
from tasks.ingest.readers import Columns, discover, read


def piece(name: str, expression: str, text: str = "t") -> Piece:
    return Piece(name, "rules/notice", text, expression, "en")


def test_front_matter_is_no_part_of_the_text():
    content = (
        "---\nlicense_expression: mit AND\n    (gpl-2.0 OR x11)\nis_license_notice: yes\nnotes: a\n  ---b\n---\n\n"
        "The text\n---\nmore: of it\n"
    )
    assert parse("a.RULE", "rules", content) == Piece(
        "a.RULE", "rules/notice", "The text\n---\nmore: of it", "mit AND (gpl-2.0 OR x11)", "en"
    )


@pytest.mark.parametrize(
    ("content", "text"),
    [("---\r\nkey: 'x'\r\nlanguage: fr\r\n---\r\nLe texte\r\n", "Le texte"), ("---\nkey: x\nlanguage: fr\n---", "")],
)
def test_other_line_ends_and_no_text_at_all(content, text):
    assert parse("x.LICENSE", "licenses", content) == Piece("x.LICENSE", "licenses", text, "x", "fr")


def test_small_families_come_whole_and_large_ones_in_a_run():
    large = [piece(f"l{i}", "gpl-2.0 AND mit", f"{i:03d}") for i in range(500)]
    small = [piece(f"s{i}", f"(family-{i // 4}") for i in range(400)]
    chosen = sample(large + small, 420)
    assert len(chosen) == 420
    numbers = sorted(int(one.text) for one in chosen if one.doc_id.startswith("l"))
    assert numbers in (list(range(numbers[0], numbers[0] + size)) for size in (20, 21))
    sizes = {}
    for one in chosen:
        sizes[one.license_expression] = sizes.get(one.license_expression, 0) + 1
    sizes.pop("gpl-2.0 AND mit", None)
    assert sum(size != 4 for size in sizes.values()) <= 1
    assert sample(list(reversed(large + small)), 420) == chosen
    assert sample(large + small, 900) == sorted(large + small)


@pytest.mark.slow
def test_the_sample_is_real_repeatable_and_readable(tmp_path):
    path = write_demo(tmp_path / "new" / "folder", 300)
    table = pq.read_table(path)
    assert table.column_names == ["doc_id", "source", "text", "license_expression", "language"]
    assert table.num_rows == 300 == len(set(table["doc_id"].to_pylist()))
    assert {"licenses", "rules/notice", "rules/reference"} <= set(table["source"].to_pylist())
    assert write_demo(tmp_path / "other", 300).read_bytes() == path.read_bytes()
    [batch] = read(*discover([str(path)]), Columns("text", "doc_id", "source"), 1000)
    assert batch.rows.num_rows + len(batch.rejects) == 300


@pytest.mark.slow
def test_the_whole_corpus_is_all_of_the_package(tmp_path):
    table = pq.read_table(write_demo(tmp_path, None))
    assert table.num_rows > 37_000
    assert {"mit.LICENSE", "apache-2.0.LICENSE"} <= set(table["doc_id"].to_pylist())
    mit = table["text"].to_pylist()[table["doc_id"].to_pylist().index("mit.LICENSE")]
    assert mit.startswith("Permission is hereby granted, free of charge")
