"""Restored texts: published texts put together again from what was cut, and compared with the originals, by workers."""

from functools import partial
from pathlib import Path

import numpy as np
import polars as pl

import sql
from models.parameters import Extract
from tasks.parallel.map_parts import Arrays, map_chunks
from tasks.parallel.runners import current, share
from tasks.pipeline.run_tables import Tables
from tasks.refresh.previous_snapshot import Night
from tasks.remote.object_mirror import fetch, lend
from tasks.runtime.run import Run
from tasks.snapshots.build import Snapshot, written_tonight
from tasks.snapshots.published_documents import parts_in_reach, published_in, shown_to_workers
from tasks.storage.parquet import write_passing
from tasks.storage.tables import TableRef, one_part, part_name, parts
from tasks.storage.work import Work


def restored_texts(work: Work, tables: Tables, snapshot: Snapshot, night: Night | None) -> str:
    """Count what cannot be restored of the texts that this run published; returns the file with the counts.

    Args:
        work: what this is for.
        tables: of the run.
        snapshot: as it was written.
        night: what it follows; None for the first one.
    """
    folder = snapshot.path / "documents"
    written = [path.name for path in written_tonight(folder, night)]
    spans = pl.scan_parquet(snapshot.path / "fragment_spans" / "*.parquet").filter("cut")
    cuts = spans.select("doc_id", "start", "end", "text").collect()
    documents = night.looked_at if night else tables["documents"]
    if night or not current():  # of a night there are few, which may stand anywhere among what it looked at
        together = [written]
        reach, several = np.array([[0, len(parts(documents))]]), [cuts]
    else:
        together = [[name] for name in written]
        kept = published_in(tables["decisions"], folder)
        reach = parts_in_reach(documents, kept, len(written))
        of_part = cuts.join(kept.select("doc_id", "part"), on="doc_id").partition_by(
            "part", as_dict=True, include_key=False
        )
        several = [of_part.get((part,), cuts.clear()) for part in range(len(written))]
    for number, some in enumerate(several):
        write_passing(some, work.path / part_name(number))
        lend(work.path / part_name(number))
    shown = shown_to_workers(work, folder, written)
    count = partial(_count, share(work.run), documents, shown, together, work.path)
    counted = work.path / "restored.parquet"
    write_passing(pl.concat(map_chunks(work, count, range(len(several)), {"reach": reach})), counted)
    return str(counted)


def _count(
    run: Run, documents: TableRef, shown: Path, together: list[list[str]], folder: Path, arrays: Arrays, number: int
) -> pl.DataFrame:
    first, behind = arrays["reach"][number]
    wanted: Extract = run.parameters.extract
    with run.connect() as con:
        counted: pl.DataFrame = sql.run(
            con,
            "published/restored_texts",
            documents=[str(one_part(documents, part)) for part in range(first, behind)],
            cuts=str(fetch(folder / part_name(number))),
            published=[str(fetch(shown / name)) for name in together[number]],
            id_column=wanted.id_name,
            text_column=wanted.text_column,
        ).pl()
    return counted
