"""A small published snapshot with its workspace, written by hand: every fate once."""

import json
from pathlib import Path
from typing import NamedTuple

import polars as pl

from data_contracts.schemas import FRAGMENTS, REJECTS
from models.evaluation.canaries import Planted
from models.lexical.text import normalise, text_hash
from models.lexical.text.spans import cut
from models.parameters import Parameters
from tasks.pipeline.registry import STAGES
from tasks.pipeline.run_tables import Tables
from tasks.runtime.run import Run
from tasks.storage.tables import TableRef, scan

STORY = (
    "The harbour office of Linden opened its new reading room on the fourth of May 2019, and some forty people came to "
    "hear the mayor praise the carpenters who had built it out of old ship timber within a single winter."
)
FRAGMENT = "Subscribe to our newsletter now and never miss an offer again."
HOSTS = {
    "host-1": f"Apples keep best in a dry cellar. {FRAGMENT} Pears do not.",
    "host-2": f"{FRAGMENT} The night train to Vienna leaves at nine.",
    "host-3": f"A protected page on tides and moons. {FRAGMENT}",
}
TEXTS = {
    "story": STORY,
    "story-edited": STORY.replace("forty", "fifty"),
    "story-copied": STORY.upper(),
    "child": STORY[4:150],
    "nasty": "<script>alert('x')</script> & \x1b[31mred\x1b[0m \u202etxet\u202c \"quoted\"",
    "record-1": "Bus 41 leaves the Linden stop at 7:15 on platform 2 every weekday.",
    "record-2": "Bus 43 leaves the Linden stop at 9:45 on platform 2 every weekday.",
    "praise-1": "The film moved me to tears.",
    "praise-2": "I wept at this picture.",
    **HOSTS,
}
REMOVED = {
    "story-edited": ("story", "B", "verify", 0.91, 0.95, 0.99),
    "story-copied": ("story", "exact", "collapse", None, None, None),
    "child": ("story", "D", "containment", 0.62, 1.0, 0.8),
}
PAIRS = [
    ("story", "story-edited", 0.91, 0.99, "B", "either", 1),
    ("child", "story", 0.62, 0.80, "D", "a_in_b", 0),
    ("record-1", "record-2", 0.71, 0.93, "F", "distinct", 3),
    ("praise-1", "praise-2", 0.05, 0.94, "variant", "variant", 0),
    ("host-1", "host-2", 0.32, 0.21, "none", "distinct", 0),
]
SAME = [("praise-1", "praise-2")]
"""Pairs that say the same in other words."""
PAIRED = ("blocked", "banded", "nested", "neighbours", "rewrites")
"""Working tables of pairs without rows of their own."""
JUDGED = ("record-1", "record-2")
"""The pair that the judge kept apart."""
CHECKS = [{"check": "preservation", "value": 1, "bound": ">= 0.9", "passed": True, "severity": "critical"}]


LOSSES = {"measure": pl.String, "source": pl.String, "type": pl.String, "lost": pl.Int64, "whole": pl.Int64}
CONSERVATION = [
    ("sample", None, None, 1, 16),
    ("grams_2", None, None, 30, 1000),
    ("grams_10", None, None, 2, 400),
    ("apart_10", None, None, 1, 300),
    ("gone", "papers", "B", 1, 1),
    ("gone", "papers", "D", 0, 1),
    ("lacking", "papers", "B", 1, 1),
    ("lacking", "papers", "D", 0, 1),
    ("passages", "", None, 2, 2),
    ("characters", "", None, 124, 310),
    ("content", "", None, 3, 300),
    ("content", "papers", None, 9, 100),
]
PASSAGES = {
    "doc_id": pl.String, "survivor_id": pl.String, "type": pl.String, "source": pl.String, "words": pl.Int32,
    "passage": pl.String,
}  # fmt: skip
LOST = [("story-edited", "story", "B", "papers", 17, "some fifty people <came> to\nhear the mayor")]


class Made(NamedTuple):
    """Where everything stands."""

    out: Path
    path: Path
    run: Run
    tables: Tables


def make(
    out: Path,
    *,
    texts: dict[str, str] = TEXTS,
    removed: dict[str, tuple] = REMOVED,
    protected: tuple[str, ...] = ("host-3",),
    checks: list[dict] = CHECKS,
    rejects: tuple[tuple, ...] = (
        ("in.jsonl", 7, "text is null", "{}", "lost"),
        ("in.jsonl", 9, "duplicate id 'story'", "x", "story"),
    ),
    fates: tuple[Planted, ...] = (Planted("S_A", 8, 4, 3), Planted("preservation", 12, 12, 12)),
    integer_ids: bool = False,
) -> Made:
    """Write a snapshot of `texts` under `out` and publish it."""
    ids = {name: str(100 + number) if integer_ids else name for number, name in enumerate(texts)}
    path = out / "snapshots" / "abc123"
    spans = [
        (ids[host], text.index(FRAGMENT), text.index(FRAGMENT) + len(FRAGMENT), host not in protected)
        for host, text in texts.items()
        if FRAGMENT in text
    ]
    edits = {name: [(start, end)] for name, start, end, cutting in spans if cutting}
    known = set(texts)
    pairs = [pair for pair in PAIRS if {pair[0], pair[1]} <= known]
    parameters = Parameters().with_settings(["extract.id_column=nr" if integer_ids else "extract.id_column=name"])
    tables = _workspace(out / "workspace", texts, ids, pairs)
    _write(path / "index" / "documents", scan(tables["documents"]).collect())

    def decide(name: str) -> dict:
        survivor, kind, stage, similarity, containment, cosine = removed.get(name, (None,) * 6)
        edited = ids[name] in edits
        return {
            "doc_id": ids[name],
            "source": "papers" if name.startswith("story") else "",
            "action": "remove" if survivor else "edit" if edited else "keep",
            "type": "E" if edited else kind,
            "survivor_id": ids.get(survivor),
            "stage": "fragment" if edited else stage,
            "similarity": similarity,
            "containment": containment,
            "cosine": cosine,
            "chars_cut": len(FRAGMENT) if edited else 0,
            "n_chars": len(texts[name]),
            "protected": name in protected,
            "reason": f"Reason for {name}.",
        }

    floats = dict.fromkeys(("similarity", "containment", "cosine"), pl.Float32)
    strings = dict.fromkeys(("type", "survivor_id", "stage"), pl.String)
    _write(path / "decisions", pl.DataFrame([decide(name) for name in texts], schema_overrides=floats | strings))
    kept = {name: text for name, text in texts.items() if name not in removed}
    column = pl.Series([ids[name] for name in kept]).cast(pl.Int64 if integer_ids else pl.String)
    published = [cut(text, edits.get(ids[name], [])) for name, text in kept.items()]
    _write(path / "documents", pl.DataFrame({parameters.extract.id_column: column, "text": published}))
    _write(
        path / "fragment_spans",
        pl.DataFrame(
            [(0, name, start, end, FRAGMENT, cutting) for name, start, end, cutting in spans],
            schema={
                "fragment": pl.Int64, "doc_id": pl.String, "start": pl.Int32, "end": pl.Int32, "text": pl.String,
                "cut": pl.Boolean,
            },
            orient="row",
        ),
    )  # fmt: skip
    measured = {"relevance": 0.12, "likeness": 0.34, "viral": 0.9, "rated_hosts": len(spans)}
    counted = {"chars": len(FRAGMENT), "hosts": len(spans), "occurrences": len(spans)}
    viral = {"fragment": 0, "text": FRAGMENT.lower(), "action": "cut"} | counted | measured
    _write(path / "fragments", pl.DataFrame([viral] if spans else [], schema=FRAGMENTS.schema))
    _write(path / "rejects", pl.DataFrame(list(rejects), schema=REJECTS.schema, orient="row"))
    verified = _verified([(ids[pair[0]], ids[pair[1]], *pair[2:]) for pair in pairs], "a_id", "b_id", pl.String)
    _write(path / "verified", _with_judge(verified, [ids[name] for name in JUDGED if name in ids]))
    _write(path / "rewrites", _rewrites([(ids[a], ids[b]) for a, b in SAME if {a, b} <= known]))
    _write(path / "stage_metrics", _stages(len(texts)))
    _write(path / "conservation", pl.DataFrame(CONSERVATION, schema=LOSSES, orient="row"))
    _write(path / "lost_passages", pl.DataFrame(LOST, schema=PASSAGES, orient="row"))
    manifest = {
        "snapshot": "abc123",
        "created": "2026-01-02T03:04:05+00:00",
        "version": "0.1.0",
        "inputs": [{"path": "in.jsonl", "bytes": 1234, "sha256": "0" * 64}],
        "parameters": parameters.model_dump(mode="json"),
        "bundle": "bundle-1",
        "encoder": "encoder-1",
        "index_version": "index-1",
        "counts": {
            "input_rows": len(texts) + len(rejects),
            "documents": len(texts),
            "rejects": len(rejects),
            "kept": len(kept),
            "edited": len(edits),
            "removed": len(removed),
        },
        "protected_unknown": ["ghost"],
        "protected_unknown_count": 1,
        "gate": checks,
        "contracts": [{"contract": "copies", **CHECKS[0]}],
        "canaries": {fate.score: fate.rate and fate.rate.share for fate in fates},
        "estimates": [fate.plain() for fate in fates],
        "tables": {name: ref.path for name, ref in tables.items()},
        "workspace": str(out / "workspace"),
    }
    (path / "manifest.json").write_text(json.dumps(manifest))
    (out / "current").symlink_to("snapshots/abc123", target_is_directory=True)
    return Made(out, path, Run(workspace=out / "workspace", parameters=parameters), tables)


def _workspace(folder: Path, texts: dict[str, str], ids: dict[str, str], pairs: list[tuple]) -> Tables:
    place = {name: number for number, name in enumerate(texts)}
    numbered = [(place[a], place[b], *rest) for a, b, *rest in pairs]
    schema = {"a": pl.Int64, "b": pl.Int64, "hamming": pl.Int16, "similarity": pl.Float32, "route": pl.String}
    candidates = pl.DataFrame([(a, b, 3, 0.5, "both") for a, b, *_ in numbered], schema=schema, orient="row")
    documents = {
        "doc": range(len(texts)),
        "doc_id": [ids[name] for name in texts],
        "text": list(texts.values()),
        "canary": pl.Series([None] * len(texts), dtype=pl.String),
    }
    documents["text_hash"] = text_hash(normalise(pl.Series(documents["text"])))
    judged = _verified(numbered, "a", "b", pl.Int64)
    numbers = [place[name] for name in JUDGED if name in place]
    asked = (pl.col("a") == numbers[0]) & (pl.col("b") == numbers[1]) if numbers else pl.lit(False)
    before = pl.when(asked).then(pl.lit("either")).otherwise("verdict")
    frames = {
        "documents": pl.DataFrame(documents),
        "decisions": pl.DataFrame(documents).select("doc", "doc_id", canary=pl.lit(None, pl.String)),
        "prescreen": pl.DataFrame({"doc": range(len(texts)), "in_play": [name != "nasty" for name in texts]}),
        "verified": judged.with_columns(verdict=before),
        "judged": _with_judge(judged, numbers),
        "candidates": candidates,
        "containment": pl.DataFrame(
            [(a, b, True) for a, b, *_, verdict, _ in numbered if verdict == "a_in_b"],
            schema={"child": pl.Int64, "parent": pl.Int64, "confirmed": pl.Boolean},
            orient="row",
        ),
    }
    facts = {
        "documents": {"protected_unknown": ["ghost"], "protected_unknown_count": 1},
        "prescreen": {"false_positive_rate": 0.0021},
        "embeddings": {"words": 1000, "windows": 12, "skipped_words": 250},
        "blocked": {"pairs_skipped": 31},
        "judged": {
            "candidates": 200,
            "routed": 6,
            "left_out": 3,
            "asked": 4,
            "from_cache": 2,
            "no_verdict": 1,
            "suspicious": 2,
            "model": "test:oracle",
            "prompt_tokens": 4321,
        },
        "banded": {"hot_buckets": 2, "largest_bucket": 77, "pairs_skipped": 4711},
    }
    refs = {}
    for name in (table for row in STAGES for table in row.names):
        frame = frames.get(name, candidates if name in PAIRED else pl.DataFrame({"doc": [0]}))
        path = folder / "tables" / f"{name}-1"
        _write(path, frame)
        rows = len(texts) if name == "signatures" else frame.height
        record = {"rows": rows, "facts": facts.get(name, {}), "counts": {}, "seconds": 1.5}
        (path / "_table.json").write_text(json.dumps(record))
        refs[name] = TableRef(name=name, path=str(path), rows=rows, fingerprint="1")
    return Tables(**refs)


def _verified(pairs: list[tuple], one: str, other: str, kind: type[pl.DataType]) -> pl.DataFrame:
    names = [one, other, "weighted_jaccard", "cosine", "type", "verdict", "changed_facts"]
    types = [kind, kind, pl.Float32, pl.Float32, pl.String, pl.String, pl.Int32]
    frame = pl.DataFrame(pairs, schema=dict(zip(names, types, strict=True)), orient="row")
    counted = {"longest_run": 17, "replaced": 1, "typographic": 0, "text_run_a": 3, "text_run_b": 5}
    measured = {"p_dup": 0.5, "sigma": 0.1, "aligned_a": 0.9, "aligned_b": 0.9, "lacking_a": 0.1, "lacking_b": 0.1}
    literals = {name: pl.lit(value, pl.Int32) for name, value in counted.items()}
    return frame.with_columns(**literals, **{name: pl.lit(value) for name, value in measured.items()})


def _rewrites(pairs: list[tuple[str, str]]) -> pl.DataFrame:
    scores = {
        "cosine": 0.81,
        "distance_ratio": 0.2,
        "p_same": 0.64,
        "cover": 0.52,
        "worst_sentence": 0.5,
        "same": 0.2,
        "left": 0.8,
    }
    frame = pl.DataFrame(pairs, schema={"a_id": pl.String, "b_id": pl.String}, orient="row")
    return frame.with_columns(pl.lit(value, pl.Float32).alias(name) for name, value in scores.items())


def _with_judge(verified: pl.DataFrame, pair: list) -> pl.DataFrame:
    """The judge's columns, filled for one pair of the first two columns."""
    asked = (pl.nth(0) == pair[0]) & (pl.nth(1) == pair[1]) if pair else pl.lit(False)
    said = {
        "judge_label": "distinct", "judge_p": 0.04, "judge_confidence": 0.92, "p_final": 0.257,
        "judge_model": "test:oracle", "judge_prompt": "1", "judge_source": "model",
    }  # fmt: skip
    return verified.with_columns(pl.when(asked).then(pl.lit(value)).alias(name) for name, value in said.items())


def _stages(documents: int) -> pl.DataFrame:
    pairs = documents * (documents - 1) // 2
    counts = {
        "extract": (documents, documents, None, None),
        "collapse": (documents, documents - 1, None, None),
        "prescreen": (documents - 1, documents - 2, None, None),
        "block": (None, None, pairs, 9),
        "band": (None, None, pairs, 8),
        "nest": (None, None, pairs, 2),
        "route": (None, None, 10, 6),
        "verify": (None, None, 6, 3),
        "decide": (documents, documents - 3, None, None),
    }
    rows = [
        (row.name, number, *counts.get(row.name, (None,) * 4), 0, 0, None, 2.5, 300.0, row.name == "embed")
        for number, row in enumerate(STAGES)
    ]
    names = ["stage", "position", "documents_in", "documents_out", "pairs_in", "pairs_out", "planted_in", "planted_out"]
    schema = dict.fromkeys(names, pl.Int64) | {
        "stage": pl.String, "pass_rate": pl.Float64, "seconds": pl.Float64, "peak_memory_mb": pl.Float64,
        "reused": pl.Boolean,
    }  # fmt: skip
    return pl.DataFrame(rows, schema=schema, orient="row")


def _write(folder: Path, frame: pl.DataFrame) -> None:
    folder.mkdir(parents=True)
    frame.write_parquet(folder / "part-00000.parquet")
