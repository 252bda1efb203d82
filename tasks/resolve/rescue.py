"""Rescue of removals that would lose a passage for good → `survivors` without them, and `rescued`."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
import polars as pl
from prefect import task

from data_contracts.schemas import RESCUED
from models.decision.rules.published import with_heirs
from models.decision.rules.rescue import Own, joined, open_grams, own, rescue
from models.decision.rules.thresholds import INSIDE, in_a_template
from models.decision.types import RedundancyType
from models.lexical.content.coverage import GramSet
from models.lexical.sketch.shingles import hash_word_grams
from models.lexical.text import normalise, original_spans, split_words
from models.lexical.text.canonical.plain_words import plain_words
from tasks.parallel.beside_survivors import beside, map_beside
from tasks.parallel.map_parts import Arrays
from tasks.pipeline.registry import RESCUE
from tasks.quality.enforce_contracts import hold
from tasks.refresh.previous_snapshot import Earlier, nothing_earlier
from tasks.resolve.grams_met import meet
from tasks.runtime.run import Run
from tasks.storage.ragged_arrays import batches
from tasks.storage.stage import Stage
from tasks.storage.tables import TableRef, about, one_part, parts, scan, texts_of

WORD_BYTES = 32
"""Memory for a word of a removed document that may say something alone."""
OTHER_WORDS = (RedundancyType.C, RedundancyType.P)
"""Types of which no words need agree: letters were compared, or the meaning."""


class Rescued(NamedTuple):
    """Tables of this stage: removals that stand, and those that were called off."""

    survivors: TableRef
    rescued: TableRef


@task(task_run_name="rescue what nothing else says")
def rescue_own(
    run: Run,
    documents: TableRef,
    copies: TableRef,
    prescreened: TableRef,
    settled: TableRef,
    verified: TableRef,
    contained: TableRef,
    earlier: Earlier | None = None,
) -> Rescued:
    """Keep a removed document after all if it alone says something: a run of words that no document says that stays.

    Nobody leans on a removed document, so it can stay without another look at the rest. What it says then stands, and
    need not be kept in the next.

    In a refresh what stays is what tonight looked at and stays: to read all that is published would cost what the
    corpus costs. So a passage that stands in a published document which tonight did not meet keeps a document that need
    not be kept, and none is lost. A published document that would give way stays with all its heirs if one of them says
    something that the new parent does not.

    Args:
        run: its `conserve` section says how long a run is and which count.
        documents: working documents.
        copies: exact copies among them; what they say stands in the document that stands for them.
        prescreened: which of the others share wording with any: nothing else can say the same.
        settled: removals.
        verified: pairs that were compared, for the contract of the removals.
        contained: which is contained in which, likewise.
        earlier: what was decided before tonight.
    """
    roster, behind = earlier or nothing_earlier(run)
    inputs = [documents, copies, prescreened, settled, roster, behind]
    stages = [Stage(run, RESCUE, inputs, run.parameters.conserve, table=name) for name in ("rescued", "survivors")]
    called_off, stands = stages
    with called_off, stands:
        if not all(stage.finished for stage in stages):
            with stands.progress(settled.rows) as bar:
                removals = scan(settled).select("doc", "survivor", "type").collect()
                in_play = scan(prescreened).filter("in_play").select("doc")
                published = scan(documents).filter("published").select("doc")
                stood = scan(roster).filter(pl.col("survivor").is_null()).join(published, on="doc").select("doc")
                kept = pl.concat([in_play, stood]).join(removals.lazy(), on="doc", how="anti").collect()["doc"].sort()
                asked = _with_frames(run, _not_by_lines(removals, verified), verified)
                found = spared(run, stands, documents, asked, kept)
                found, back = with_heirs(found, removals, scan(behind).collect())
                called_off.write(0, found)
                stay = pl.concat([found["doc"], back])
                stands.write(0, scan(settled).filter(~pl.col("doc").is_in(stay.implode())).collect())
                bar.advance(settled.rows)
            signed = about(settled)["counts"]["documents_in"]
            stands.counts = {"documents_in": signed, "documents_out": signed - settled.rows + found.height}
    tables = {"documents": documents, "copies": copies, "verified": verified, "containment": contained}
    hold(run, RESCUE, survivors=stands.ref, **tables)
    return Rescued(stands.ref, called_off.ref)


def spared(run: Run, stage: Stage, documents: TableRef, removals: pl.DataFrame, kept: pl.Series) -> pl.DataFrame:
    """Rows of `rescued`: removals that must not be.

    Args:
        run: see `rescue_own`.
        stage: in whose folder something may wait.
        documents: all that is named, with its texts.
        removals: `doc`, `survivor`, `type`, `framed`: whether it is the content of the survivor, be it in a template of
            its own.
        kept: numbers of the documents that stay, ascending.
    """
    bounds = run.parameters.conserve
    asked = removals.filter(~pl.col("type").is_in(OTHER_WORDS))
    if bounds.rescue == "off" or asked.is_empty():
        return pl.DataFrame(schema=RESCUED.schema)
    strict = ~pl.col("framed") | (bounds.rescue == "all")
    found = [pl.DataFrame(schema={"doc": pl.Int64, "first": pl.Int64, "behind": pl.Int64})]
    room = run.limit_bytes // 8 // WORD_BYTES
    canaries = scan(documents).filter(pl.col("canary").is_not_null()).select("doc").collect()
    for planted in (False, True):
        said: list[np.ndarray] = []
        here = asked.join(canaries, on="doc", how="semi" if planted else "anti").with_columns(strict=strict)
        look = partial(_look, documents, planted)
        several = map_beside(stage, partial(_own, bounds.min_run), documents, here.select("doc", "survivor", "strict"))
        for left in rounds(several, room):
            known = open_grams(left)
            for grams in said:
                known.meet(grams)
            for _ in meet(stage, known, look, range(len(parts(documents))), {"kept": kept.to_numpy()}):
                pass
            rows, first, behind = rescue(left, known, bounds.min_run)
            said += [left.gram[left.pointers[row] : left.pointers[row + 1]] for row in rows]
            found.append(pl.DataFrame({"doc": left.doc[rows], "first": first, "behind": behind}))
    return _told(documents, removals, pl.concat(found))


def _not_by_lines(removals: pl.DataFrame, verified: TableRef) -> pl.DataFrame:
    """Removals but those of which every line stands in the survivor: from one line to the next there other ones may."""
    inside = _sides(verified, lambda side: pl.col("stands_in") == INSIDE[side])
    return removals.lazy().join(inside, on=["doc", "survivor"], how="anti", maintain_order="left").collect()


def _sides(verified: TableRef, told: Callable[[str], pl.Expr]) -> pl.LazyFrame:
    """Sides of verified pairs, `doc` with the other one as `survivor`, of which something is told."""
    pairs = scan(verified)
    return pl.concat(pairs.filter(told(doc)).select(doc=doc, survivor=other) for doc, other in (("a", "b"), ("b", "a")))


def _with_frames(run: Run, removals: pl.DataFrame, verified: TableRef) -> pl.DataFrame:
    """Removals with `framed`: of those of type A and of pairs that would be if they were not copies, or contained."""
    bars = run.parameters.verify
    framed = _sides(verified, partial(in_a_template, bars))
    here = removals.lazy().join(framed, on=["doc", "survivor"], how="semi").select("doc").collect()["doc"]
    return removals.with_columns(framed=(pl.col("type") == RedundancyType.A) | pl.col("doc").is_in(here.implode()))


def rounds(several: Iterable[Own], room: int) -> Iterator[Own]:
    """Batches of removed documents with a run of their own, put together to as many words as there is room for."""
    waiting: list[Own] = []
    words = 0
    for left in several:
        waiting.append(left)
        words += left.gram.size
        if words > room:
            yield joined(waiting)
            waiting, words = [], 0
    if words:
        yield joined(waiting)


def _own(least: int, part: pl.DataFrame) -> Own:
    normalised = normalise(part["text"])
    doc, removed = (part[name].to_numpy() for name in ("doc", "removed"))
    strict = part["strict"].fill_null(value=False).to_numpy()
    return own(doc, removed, strict, normalised, split_words(normalised), beside(part), least)[0]


def _look(documents: TableRef, planted: bool, known: GramSet, rows: Arrays, number: int) -> Iterator[None]:
    """Show the documents of a part that stay; canaries count only for other canaries."""
    part = pl.read_parquet(one_part(documents, number), columns=["doc", "text", "canary"])
    before, behind = (np.searchsorted(rows["kept"], part["doc"].to_numpy(), side) for side in ("left", "right"))
    stays = pl.Series(behind > before)
    for batch in batches([part.filter(stays, pl.col("canary").is_null() | planted)]):
        normalised = normalise(batch["text"])
        known.meet(hash_word_grams(plain_words(normalised, split_words(normalised))))
        yield


def _told(documents: TableRef, removals: pl.DataFrame, found: pl.DataFrame) -> pl.DataFrame:
    """Each of the removals with the passage for which it is called off, in the words of the original."""
    rows = found.join(removals, on="doc").sort("doc")
    texts = texts_of(documents, rows["doc"])
    said = [passage(texts[doc], first, behind) for doc, first, behind in rows.select("doc", "first", "behind").rows()]
    passages = pl.Series("passage", said, dtype=pl.String)
    told = rows.with_columns(passages, words=pl.col("behind") - pl.col("first"))
    return RESCUED.shape(told)


def passage(text: str, first: int, behind: int) -> str:
    """The words of a text from number `first` to before number `behind`, as the original has them."""
    normalised = normalise(pl.Series([text]))
    words = split_words(normalised)
    start, end = original_spans(normalised, words.start[first : first + 1], words.end[behind - 1 : behind])
    return text[int(start[0]) : int(end[0])]
