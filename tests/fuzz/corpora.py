"""Random corpora as people have them: files of several formats, odd ids, odd texts, copies of one another, nesting."""

import csv
import gzip
import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import polars as pl
from hypothesis import strategies as st

from tests.support.texts.patterns import COMMON, PATTERNS, pattern

FORMATS = ("jsonl", "jsonl.gz", "parquet", "csv", "tsv", "txt", "arrow", "feather", "duckdb")
SHEETS, RECORDS = {"csv", "tsv"}, {"warc", "wet.gz"}
"""Formats that cannot hold any text, or any id; records are drawn where warcio is installed."""
SETTINGS = (
    "extract.part_rows=64", "fragment.action=cut", "fragment.action=annotate", "fragment.action=off",
    "cascade.routing=lexical", "cascade.routing=cascade", "verify.decider=rules", "meaning.action=remove",
    "meaning.action=off", "sketch.use_attention=false", "fragment.min_hosts=2", "gate.canaries=true",
)  # fmt: skip
"""Settings that a case may have, each of them alone harmless."""
LOOSE = ("gate.max_reject_share=1", "gate.max_content_lost=1", "gate.max_source_content_lost=1")
"""So that more is published; some gates refuse all the same."""

SENTENCE = st.lists(st.sampled_from(COMMON), min_size=3, max_size=12).map(
    lambda words: f"{' '.join(words)}.".capitalize()
)
PARAGRAPH = st.lists(SENTENCE, min_size=1, max_size=25).map(" ".join)
ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
ODD = st.builds(pattern, st.sampled_from(sorted(PATTERNS)), st.integers(1, 3000), st.integers(1, 3))
TEXT = st.one_of(PARAGRAPH, PARAGRAPH, PARAGRAPH, ODD, ANY)
ID = st.one_of(
    st.integers(0, 999).map(str),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12),
    st.sampled_from(["a", "A", "á", "a\u0301", "001", "1", "1.0", "null", "NaN", "`x`\n# y", "\x1b[2J", "../a", "C4"]),
)
NESTED = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**40), 2**40), st.text("abc", max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from("xyz"), inner, max_size=3)),
    max_leaves=8,
)


class Corpus(NamedTuple):
    """Rows in files: `id`, `text` and `extra` of each, by the number of its file; whether ids are given.

    A file of txt is a folder with one text for each row, whose id is its path there.
    """

    rows: list[tuple[int, str, str | None, Any]]
    formats: list[str]
    named: bool

    def write(self, folder: Path) -> list[Path]:
        """Write the files; returns their paths in order."""
        folder.mkdir()
        return [self._write(folder, number, kind) for number, kind in enumerate(self.formats)]

    def ids(self) -> list[str]:
        """Ids of the rows, also of those that will be rejected."""
        return [row[1] for row in self.rows]

    def texts(self) -> set[tuple[str, str]]:
        """Ids with a text that came under them; of several rows with one id, one becomes the document."""
        marked = {number for number, kind in enumerate(self.formats) if kind == "txt"}  # may begin with a mark
        return {
            (name, text.removeprefix("\ufeff") if file in marked else text) for file, name, text, _ in self.rows if text
        }

    def _write(self, folder: Path, number: int, kind: str) -> Path:
        path = folder / f"{number}.{kind}"
        rows = [{"text": text, "extra": extra} for file, _, text, extra in self.rows if file == number]
        names = [name for file, name, _, _ in self.rows if file == number]
        if kind == "txt":
            return _write_texts(path, {name: row["text"] for name, row in zip(names, rows, strict=True) if row["text"]})
        if kind in RECORDS:
            records = b"".join(_record(name, row["text"] or "") for name, row in zip(names, rows, strict=True))
            path.write_bytes(records if kind == "warc" else gzip.compress(records))
            return path
        if self.named:
            rows = [{"doc_id": name, **row} for name, row in zip(names, rows, strict=True)]
        lines = [json.dumps(row, ensure_ascii=False) for row in rows]
        if kind.startswith("jsonl"):
            data = "".join(f"{line}\n" for line in lines).encode()
            path.write_bytes(gzip.compress(data) if kind.endswith("gz") else data)
        elif kind in SHEETS:
            with path.open("w", newline="", encoding="utf-8") as file:
                sheet = csv.writer(file, delimiter="\t" if kind == "tsv" else ",")
                sheet.writerow([*(["doc_id"] if self.named else []), "text", "extra"])
                named = [[row["doc_id"]] if self.named else [] for row in rows]
                cells = [[row["text"], json.dumps(row["extra"])] for row in rows]
                sheet.writerows([*name, *others] for name, others in zip(named, cells, strict=True))
        else:
            told = [row | {"extra": json.dumps(row["extra"])} for row in rows]
            schema = {**({"doc_id": pl.String} if self.named else {}), "text": pl.String, "extra": pl.String}
            _write_columns(path, kind, pl.DataFrame(told, schema=schema))
        return path


def _write_columns(path: Path, kind: str, frame: pl.DataFrame) -> None:
    if kind == "parquet":
        frame.write_parquet(path)
    elif kind == "arrow":
        frame.write_ipc_stream(path)
    elif kind == "feather":
        frame.write_ipc(path, compression="lz4")
    else:
        with duckdb.connect(str(path)) as database:
            database.register("frame", frame.to_arrow())
            database.execute("create table texts as from frame")


def _write_texts(folder: Path, texts: dict[str, str]) -> Path:
    folder.mkdir()
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return folder


def _record(name: str, text: str) -> bytes:
    """A record of a WET file."""
    content = text.encode()
    head = {"WARC-Type": "conversion", "WARC-Record-ID": name, "Content-Type": "text/plain"}
    lines = ["WARC/1.0", *(f"{key}: {value}" for key, value in head.items()), f"Content-Length: {len(content)}", "", ""]
    return "\r\n".join(lines).encode() + content + b"\r\n\r\n"


def _file_name(name: str) -> str:
    """A path below a folder that is as odd as an id."""
    parts = [part.lstrip(".") or "_" for part in name.removesuffix(".txt").replace("\0", "_").split("/")]
    return f"{'/'.join(parts)}.txt"


@st.composite
def corpora(draw: st.DrawFn, known: tuple[str, ...] = ()) -> Corpus:
    """A corpus of up to some dozen rows; some texts repeat others, with edits, in part, or among other words."""
    possible = [*FORMATS, *(sorted(RECORDS) if find_spec("warcio") else ())]
    formats = draw(st.lists(st.sampled_from(possible), min_size=1, max_size=3))
    tabular, spelt = not SHEETS.isdisjoint(formats), not (SHEETS | RECORDS).isdisjoint(formats)
    named = draw(st.booleans()) or bool(known) or not RECORDS.isdisjoint(formats)
    texts: list[str | None] = []
    for _ in range(draw(st.integers(1, 24))):
        before = [text for text in texts if text]
        kind = draw(st.sampled_from(("new", "new", "copy", "edit", "part", "whole", "none")))
        text = draw(TEXT) if kind == "new" or not before else draw(st.sampled_from(before))
        if kind == "copy":
            text = f" {text}\n"
        elif kind == "edit":
            at = draw(st.integers(0, len(text)))
            text = text[:at] + draw(st.sampled_from((" not ", "7", "x", "\n", ", and so on"))) + text[at:]
        elif kind == "part":
            text = text[len(text) // 4 :]
        elif kind == "whole":
            text = f"{draw(PARAGRAPH)}\n\n{text}\n\n{draw(PARAGRAPH)}"
        texts.append(None if kind == "none" else text)
    if tabular:  # what a line of a table cannot hold is another matter
        texts = [
            text and "".join(sign if sign.isprintable() or sign == "\n" else "?" for sign in text) for text in texts
        ]
    rows = []
    for number, text in enumerate(texts):
        name = draw(st.one_of(ID, st.sampled_from(known))) if known else draw(ID)
        if spelt:
            name = "".join(sign if sign.isprintable() else "?" for sign in name).strip() or str(number)
        file = draw(st.integers(0, len(formats) - 1))
        rows.append((file, _file_name(name) if formats[file] == "txt" else name, text, draw(NESTED)))
    return Corpus(rows, formats, named)


class Case(NamedTuple):
    """A corpus, how it is curated, what disturbs that, and the night that follows."""

    corpus: Corpus
    settings: list[str]
    protected: list[str]
    disturbed: tuple[str, float] | None
    night: Corpus | None
    deleted: list[str]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A case."""
    corpus = draw(corpora())
    names = sorted(set(corpus.ids())) if corpus.named else []
    some = st.lists(st.sampled_from(names), max_size=3, unique=True) if names else st.just([])
    disturbed = st.tuples(st.sampled_from(("SIGKILL", "SIGINT", "SIGTERM", "SIGHUP")), st.floats(0, 1))
    return Case(
        corpus,
        draw(st.lists(st.sampled_from(SETTINGS), max_size=3, unique=True)),
        draw(some),
        draw(st.one_of(st.none(), disturbed)),
        draw(st.one_of(st.none(), corpora(tuple(names)))) if names else None,
        draw(some),
    )
