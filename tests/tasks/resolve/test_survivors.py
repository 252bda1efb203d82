"""Which pairs may remove a document at all."""

from types import SimpleNamespace

import polars as pl

from models.decision.types import RedundancyType, Verdict
from tasks.resolve import survivors


def test_records_of_a_form_contain_nothing_of_each_other(monkeypatch):
    # behind one prompt 0, 1, 2 and 3 each go on otherwise; 9 stands in 8 as it is
    slots = [(0, 1, 7, 11, 12), (0, 2, 7, 11, 13), (0, 3, 7, 11, 14), (8, 9, 0, 0, 0)]
    known = pl.DataFrame(slots, ["a", "b", "slot", "fill_a", "fill_b"], orient="row")
    known = known.with_columns(verdict=pl.lit(Verdict.IN_B), type=pl.lit(RedundancyType.D), typographic=0)
    known = known.with_columns(skeleton_similarity=pl.lit(None, pl.Float32))
    nested = [(0, 1), (0, 2), (9, 8)]
    contained = pl.DataFrame(nested, ["child", "parent"], orient="row").with_columns(
        confirmed=True, chosen=True, ratio=1.0
    )
    verified, inside = SimpleNamespace(frame=known), SimpleNamespace(frame=contained)
    monkeypatch.setattr(survivors, "scan", lambda ref: ref.frame.lazy())
    monkeypatch.setattr(survivors, "as_compared", lambda pairs: pairs)
    none = {"loser": pl.Int64, "winner": pl.Int64, "score": pl.Float32, "more": pl.Int8, "general": pl.Boolean}
    monkeypatch.setattr(survivors, "edges", lambda _: pl.DataFrame(schema=none | {"worn": pl.Boolean}))
    assert survivors.permissions(verified, inside).select("loser", "winner").rows() == [(9, 8)]
