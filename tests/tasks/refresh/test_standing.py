"""What stands when a night is over."""

from pathlib import Path

import polars as pl

from data_contracts.schemas import COPIES, HEIRS, ROSTER, SURVIVORS
from tasks.refresh.previous_snapshot import Earlier, nothing_earlier
from tasks.refresh.standing import stand
from tasks.runtime.run import Run
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, scan
from tests.support.made_up import made_up


def made(run: Run, table, **columns: list) -> TableRef:
    rows = len(next(iter(columns.values())))
    frame = pl.DataFrame({name: columns.get(name, [None] * rows) for name in table.columns}, schema=table.schema)
    with Stage(run, made_up(table.name), [], extra=frame.rows()) as stage:
        stage.write(0, frame)
    return stage.ref


def stood(run: Run, removed: list[int]) -> tuple[list, list]:
    """Published 0, for which 2 and its copies 3 and 4 went; published 1, for which 5 went; 9 is an arrival."""
    docs, survivors = [0, 1, 2, 3, 4, 5], [None, None, 0, 0, 0, 1]
    ids = [f"d{doc}" for doc in docs]
    roster = made(run, ROSTER, doc=docs, doc_id=ids, protected=[False, True] + [False] * 4, survivor=survivors)
    heirs = made(run, HEIRS, doc=[2, 3, 4], survivor=[0, 0, 0], copy_of=[None, 2, 0])
    gone = made(run, SURVIVORS, doc=removed, survivor=[9] * len(removed))
    standing, copies = stand.fn(run, Earlier(roster, heirs), made(run, COPIES, doc=[8], copy_of=[9]), gone)
    return scan(standing).collect().rows(), scan(copies).collect().rows()


def test_published_documents_stay_and_say_whether_one_leans_on_them(tmp_path: Path) -> None:
    standing, copies = stood(Run(workspace=tmp_path), [])
    assert standing == [(0, "d0", False, True), (1, "d1", True, True)]
    assert copies == [(8, 9)]


def test_copies_of_an_outlived_document_and_of_its_heirs_go_along(tmp_path: Path) -> None:
    standing, copies = stood(Run(workspace=tmp_path), [0, 2])
    assert standing == [(1, "d1", True, True)]
    assert copies == [(3, 2), (4, 0), (8, 9)]


def test_before_the_first_snapshot_nobody_stands(tmp_path: Path) -> None:
    run = Run(workspace=tmp_path)
    copies = made(run, COPIES, doc=[8], copy_of=[9])
    standing, copied = stand.fn(run, nothing_earlier(run), copies, made(run, SURVIVORS, doc=[7], survivor=[9]))
    assert standing.rows == 0 and scan(copied).collect().rows() == [(8, 9)]
