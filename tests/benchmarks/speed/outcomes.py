"""What a run left behind: the ids that it removed and, for ours, what each stage cost."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow.ipc as ipc
import pyarrow.parquet as pq

from tasks.pipeline.registry import STAGES

READ = ("documents", "copies", "prescreen", "embeddings", "signatures", "blocked", "banded", "nested", "candidates",
        "verified", "survivors")  # fmt: skip
"""Tables that tell how much there was to do."""

_TABLES = {row.name: row.names[0] for row in STAGES}


def removed(out: Path, corpus: Path) -> list[str]:
    """Ids of the corpus that a contender did not keep, in the order of the corpus.

    It says so in `removed.txt`, or keeps documents in `kept` (parquet or an Arrow dataset), or is ours.
    """
    ids = pl.read_parquet(corpus / "part-*.parquet", columns=["doc_id"])["doc_id"]
    if (out / "removed.txt").exists():
        gone = pl.Series((out / "removed.txt").read_text().splitlines(), dtype=pl.String)
        return ids.filter(ids.is_in(gone.implode())).to_list()
    if (out / "current").exists():
        decisions = pl.read_parquet(out / "current" / "decisions" / "*.parquet")
        gone = decisions.filter(pl.col("action") == "remove")["doc_id"]
        return ids.filter(ids.is_in(gone.implode())).to_list()
    kept = pl.Series(_kept(out / "kept"), dtype=pl.String)
    return ids.filter(~ids.is_in(kept.implode())).to_list()


def _kept(folder: Path) -> list[str]:
    found: list[str] = []
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".parquet":
            names = pq.read_schema(path).names
            column = "doc_id" if "doc_id" in names else "id"
            found += pq.read_table(path, columns=[column])[column].to_pylist()
        elif path.suffix == ".arrow":
            with ipc.open_stream(path) as stream:
                for batch in stream:
                    found += batch.column("doc_id").to_pylist()
    return found


def stages(out: Path) -> dict[str, dict[str, Any]]:
    """By stage of our run: CPU and wall seconds, peak, documents and pairs that went in and came out."""
    metrics = pl.read_parquet(out / "current" / "stage_metrics" / "*.parquet").sort("position")
    found = {}
    for row in metrics.iter_rows(named=True):
        record = json.loads((_table(out, _TABLES[row["stage"]]) / "_table.json").read_text())
        counts = {key: row[key] for key in ("documents_in", "documents_out", "pairs_in", "pairs_out")}
        told = {"cpu": record["cpu_seconds"], "seconds": row["seconds"], "memory_mb": row["peak_memory_mb"]}
        found[row["stage"]] = told | counts
    return found


def amounts(out: Path) -> dict[str, float]:
    """What the stages of our run had to look at, in characters, documents, pairs and windows of text."""
    made = {name: pl.scan_parquet(_table(out, name) / "part-*.parquet") for name in READ}
    documents = made["documents"].select("doc", "n_chars")
    play = documents.join(made["prescreen"].filter("in_play"), on="doc", how="semi")
    pairs = made["verified"].select("a", "b")
    sides = pl.concat([pairs.select(doc="a"), pairs.select(doc="b")])
    characters = {
        "all": documents,
        "distinct": documents.join(made["copies"], on="doc", how="anti"),
        "in play": play,
        "in pairs": documents.join(sides, on="doc", how="semi"),
        "of all pairs": sides.join(documents, on="doc"),
        "searched": play.join(made["survivors"], on="doc", how="anti"),
    }
    found = {
        name: chosen.select(pl.col("n_chars").cast(pl.Int64).sum()).collect().item()
        for name, chosen in characters.items()
    }
    rows = {f"{name} rows": chosen.select(pl.len()).collect().item() for name, chosen in made.items()}
    windows = made["embeddings"]
    if "windows" in windows.collect_schema():
        rows["windows"] = windows.select(pl.col("windows").cast(pl.Int64).sum()).collect().item()
    return {name: float(value or 0) for name, value in (found | rows).items()}


def _table(out: Path, name: str) -> Path:
    folders = (out / "workspace" / "tables").glob(f"{name}-*")
    return next(one for one in folders if one.name.rsplit("-", 1)[0] == name)


def megabytes(corpus: Path) -> float:
    """Text of a corpus, in MB of UTF-8."""
    texts = pl.scan_parquet(corpus / "part-*.parquet").select(pl.col("text").str.len_bytes().cast(pl.Int64).sum())
    return texts.collect().item() / 1e6
