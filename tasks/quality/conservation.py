"""Conservation of text: what was lost, measured on what was published → `conservation` and `lost_passages`.

A gram is lost if it stood in the input and stands in no published document. Counts of grams are those of a sample by
hash, of one in `scale`, exact for small corpora; what is said of single documents is exact. Texts are compared by
words: case, punctuation and white space are no content. The published files are read where something was cut; all
others are known to be published as they came in, since the gate compares every text of the snapshot with its original.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from prefect import task

import sql
from data_contracts.schemas import CONSERVATION, LOST_PASSAGES
from models.decision.rules.rescue import Own, open_grams, own, runs
from models.lexical.content.coverage import GramSet
from models.lexical.content.gram_counts import SHARED, GramCounts, sample
from models.lexical.sketch.shingles import hash_word_grams
from models.lexical.text import normalise, original_spans, split_words
from models.lexical.text.canonical.plain_words import plain_words
from tasks.parallel.beside_survivors import beside, map_beside
from tasks.parallel.map_parts import Arrays, map_rows
from tasks.pipeline.run_tables import Tables
from tasks.refresh.previous_snapshot import Night
from tasks.refresh.previous_snapshot import fetch as fetch_rows
from tasks.remote.object_mirror import fetch, lend
from tasks.resolve.grams_met import meet
from tasks.resolve.rescue import OTHER_WORDS, WORD_BYTES, rounds
from tasks.runtime.progress import Bar, stage_progress
from tasks.runtime.run import Run
from tasks.snapshots.build import Snapshot, save_table, written_tonight
from tasks.snapshots.published_documents import cut_texts, published_in, shown_to_workers
from tasks.storage.atomic import atomic_path
from tasks.storage.parquet import write_passing
from tasks.storage.ragged_arrays import batches
from tasks.storage.tables import TableRef, characters_of, glob, one_part, part_name, parts, scan
from tasks.storage.work import Work, passing

LONG_GRAM = 8
"""Words of the grams that are counted over the corpus."""
COMMON = (2, 10)
"""Documents that must share a gram which is counted as lost text of several."""
LACKING = 0.1
"""Share of its words that a removed document may miss in its survivor before it counts as lacking."""
SAMPLED = 1 << 21
"""Grams that are counted at most, about: they take 130 MB."""
WORD_CHARS = 5
"""Characters of a word with the white space behind it, about."""
SHOWN = 500
"""Characters of a lost passage that are told."""


class Measured(NamedTuple):
    """Input and output of a snapshot, between which losses are measured.

    Attributes:
        documents: texts as they arrived.
        copies: exact copies among them.
        decisions: pattern of the decisions on each of them.
        spans: where passages stand in kept ones, and which are cut.
        listed: file with the numbers (`doc`) of those that are measured.
        published: folder of published texts, as `part-*.parquet`; only those parts are read of which something was cut.
        edited: `doc`, `doc_id` of the texts of which something was cut, and the `part` in which each was published.
        id_column: of `published`.
        text_column: likewise.
        held: fragments of which a copy stays published elsewhere: what they say counts as published.
        meant: fragments that are given up on purpose, every copy: what they say counts as published, too.
    """

    documents: TableRef
    copies: TableRef
    decisions: str
    spans: TableRef
    listed: Path
    published: Path
    edited: pl.DataFrame
    id_column: str
    text_column: str
    held: pl.Series
    meant: pl.Series


@task(task_run_name="measure what was lost")
def conserve(run: Run, tables: Tables, snapshot: Snapshot, night: Night | None = None) -> Snapshot:
    """Measure a snapshot against what came in; returns it with what workers did of that.

    Of a night these are tonight's documents, and published ones that go or are cut otherwise, against what they met:
    what stays published of the documents that tonight looked at counts as all that is published, the rest is not read.
    So a passage that stands in a published document which tonight did not meet counts as lost, unless it is a known
    fragment with a copy that is not cut.
    """
    if snapshot.stands:
        return snapshot
    with passing(run, "conserve", "tasks.quality.conservation:conserve") as work:
        folder = snapshot.path
        given = _tonight(run, tables, folder, work.path, night) if night else _whole(run, tables, folder, work.path)
        _measure(work, given, folder)
    return snapshot.beside(work.elsewhere)


def _whole(run: Run, tables: Tables, folder: Path, files: Path) -> Measured:
    listed = files / "listed.parquet"
    write_passing(scan(tables["documents"]).filter(pl.col("canary").is_null()).select("doc").collect(), listed)
    published = folder / "documents"
    edited = published_in(tables["decisions"], published).filter(pl.col("action") == "edit").drop("action")
    return Measured(
        tables["documents"],
        tables["copies"],
        glob(tables["decisions"]),
        tables["fragment_spans"],
        listed,
        published,
        edited,
        run.parameters.extract.id_name,
        run.parameters.extract.text_column,
        pl.Series("fragment", [], pl.Int64),
        _given_up(run, scan(tables["fragment_spans"])),
    )


def _tonight(run: Run, tables: Tables, folder: Path, files: Path, night: Night) -> Measured:
    listed, decisions, shown = files / "listed.parquet", files / "decisions.parquet", files / "published"
    fates = _fates_tonight(tables, folder)
    write_passing(fates, decisions)
    stays = fates.filter(pl.col("action") != "remove")
    anew = scan(night.rewritten).select("doc").collect()
    write_passing(pl.concat([anew, stays.select("doc")]).unique().sort("doc"), listed)
    shortened = stays.filter(pl.col("action") == "edit").select("doc", "doc_id")
    shown.mkdir()
    write_passing(_published(run, night, shortened, folder), shown / part_name(0))
    spans = pl.scan_parquet(folder / "fragment_spans" / "*.parquet")
    held = spans.filter(~pl.col("cut")).select(pl.col("fragment").cast(pl.Int64).unique()).collect()["fragment"]
    tonight = (night.looked_at, tables["copies"], str(decisions), tables["fragment_spans"])
    edited = shortened.with_columns(part=pl.lit(0, pl.Int64))
    return Measured(*tonight, listed, shown, edited, "doc_id", "text", held, _given_up(run, spans))


def _given_up(run: Run, spans: pl.LazyFrame) -> pl.Series:
    """Fragments of which every copy is cut because `fragment.action` says so; none where one is to be kept."""
    if run.parameters.fragment.action != "cut":
        return pl.Series("fragment", [], pl.Int64)
    every = spans.group_by(pl.col("fragment").cast(pl.Int64)).agg(pl.col("cut").all())
    return every.filter("cut").select(pl.col("fragment").sort()).collect()["fragment"]


def _fates_tonight(tables: Tables, folder: Path) -> pl.DataFrame:
    """Decisions of the new snapshot on what tonight looked at; tonight's own table knows no cuts of earlier nights."""
    told = pl.scan_parquet(folder / "decisions" / "*.parquet").filter(pl.col("action") != "delete")
    numbers = scan(tables["decisions"]).select("doc", "doc_id", "canary")
    return told.drop("canary", strict=False).join(numbers, on="doc_id").sort("doc").collect()


def _published(run: Run, night: Night, wanted: pl.DataFrame, folder: Path) -> pl.DataFrame:
    """Published texts of some documents: what tonight wrote from its files, the others cut anew from the originals."""
    named, told = run.parameters.extract.id_name, run.parameters.extract.text_column
    found = [pl.DataFrame(schema={"doc_id": pl.String, "text": pl.String})]
    for path in written_tonight(folder / "documents", night):
        part = pl.read_parquet(path, columns=[named, told])
        shown = part.select(doc_id=pl.col(named).cast(pl.String), text=pl.col(told))
        found.append(shown.join(wanted, on="doc_id", how="semi"))
    others = wanted.join(pl.concat(found), on="doc_id", how="anti")
    texts = fetch_rows(night.looked_at, others["doc"], ["doc_id", "text"])
    texts = texts.select("doc_id", "text")
    spans = pl.scan_parquet(folder / "fragment_spans" / "*.parquet").filter("cut")
    here = spans.join(others.lazy(), on="doc_id", how="semi").sort("doc_id", "start").collect()
    found.append(cut_texts(texts, here, "doc_id"))
    return pl.concat(found)


def _measure(work: Work, given: Measured, folder: Path) -> None:
    """Write `conservation` and `lost_passages` into the folder of a snapshot."""
    with stage_progress("conserve", given.documents.rows) as bar:
        sources = _fates(given).select(pl.col("source").unique().sort()).collect()["source"]
        counts = GramCounts(_scale(given.documents))
        shortened = _lay_shortened(work, given)
        corpus = _Corpus(work, given, [*shortened, _lay_held(work, given)], sources, counts, bar)
        lacking, lost = _alone(work, given, shortened, corpus)
        texts = _lost_texts(given, lost, counts)
        rows = [*_totals(counts), _contents(counts, sources), *_removals(given, lacking, lost), *_cuts(given, lost)]
        made = pl.concat([CONSERVATION.shape(one) for one in rows])
        save_table(folder, "conservation", made.sort("measure", "source", "type", nulls_last=True))
        save_table(folder, "lost_passages", _passages(given, texts))


def _fates(given: Measured) -> pl.LazyFrame:
    """Decisions on the documents that are measured, with the one that has the text (`text_doc`)."""
    same = scan(given.copies).select("doc", text_doc="copy_of")
    listed = (
        pl.scan_parquet(given.decisions)
        .filter(pl.col("canary").is_null())
        .join(pl.scan_parquet(given.listed), on="doc", how="semi")
    )
    return listed.join(same, on="doc", how="left").with_columns(pl.col("text_doc").fill_null(pl.col("doc")))


def _scale(documents: TableRef) -> int:
    """The sample that is kept of so many characters: it does not depend on the memory there is, as no figure may."""
    grams, scale = characters_of(documents) / WORD_CHARS, 1
    while grams > SAMPLED * scale:
        scale *= 2
    return scale


class _Taken(NamedTuple):
    """Sampled grams of some texts, uint64, where those of each text begin, and the documents; -1: published ones."""

    grams: np.ndarray
    pointers: np.ndarray
    doc: np.ndarray


class _Corpus:
    """All texts that came in and all that stand, read once as long as one set of grams asks for them."""

    def __init__(
        self, work: Work, given: Measured, published: list[Path], sources: pl.Series, counts: GramCounts, bar: Bar
    ) -> None:
        self._work, self._counts, self._bar = work, counts, bar
        self._texts = _distinct(given, sources)
        number = len(parts(given.documents))
        laid = dict(enumerate(published, number))
        self._look, self._numbers = partial(_look, given.documents, laid), [*range(number), *laid]
        self._counted = False

    def meet(self, known: GramSet) -> None:
        """Look through everything that stands; on the first call every text is counted, too."""
        rows = {name: self._texts[name].to_numpy() for name in ("doc", "stands")}
        scale = 0 if self._counted else self._counts.scale
        for taken in meet(self._work, known, partial(self._look, scale), self._numbers, rows):
            at = np.searchsorted(rows["doc"], taken.doc[taken.doc >= 0])
            if len(at):
                texts = self._texts[at]
                columns = (texts[name].to_numpy() for name in ("weight", "place", "group"))
                self._counts.add(taken.grams, taken.pointers, *columns)
                stands = np.repeat(texts["stands"].to_numpy(), np.diff(taken.pointers))
                self._counts.publish(taken.grams[stands])
                self._bar.advance(len(at))
            else:
                self._counts.publish(taken.grams)
        self._counted = True


def _look(
    documents: TableRef, laid: dict[int, Path], scale: int, known: GramSet, rows: Arrays, number: int
) -> Iterator[_Taken]:
    """Show a part of what stands to a set of grams; with a `scale` the grams of all texts are sampled, too."""
    for batch in batches([_part(documents, laid, rows, number)]):
        normalised = normalise(batch["text"])
        words = split_words(normalised)
        stands = np.repeat(batch["stands"].to_numpy(), np.diff(words.pointers))
        known.meet(hash_word_grams(plain_words(normalised, words))[stands])
        if scale:
            yield _Taken(*sample(hash_word_grams(words, LONG_GRAM), words.pointers, scale), batch["doc"].to_numpy())


def _part(documents: TableRef, laid: dict[int, Path], rows: Arrays, number: int) -> pl.DataFrame:
    """`doc`, `text` and whether it `stands` of a part of the documents, or of what was laid out under its number."""
    if number in laid:
        shown = {"doc": pl.lit(-1, pl.Int64), "stands": pl.lit(value=True)}
        return pl.read_ipc(fetch(laid[number])).with_columns(**shown)
    part = pl.read_parquet(one_part(documents, number), columns=["doc", "text"])
    at, behind = (np.searchsorted(rows["doc"], part["doc"].to_numpy(), side) for side in ("left", "right"))
    wanted = behind > at
    return part.filter(wanted).with_columns(stands=pl.Series(rows["stands"][at[wanted]]))


def _distinct(given: Measured, sources: pl.Series) -> pl.DataFrame:
    """Every distinct text that came in: `doc`, its `weight` in documents, the `place` of its source, if it `stands`.

    `group` is the same for texts that one document stands for.
    """
    places = pl.LazyFrame({"source": sources, "place": np.arange(len(sources), dtype=np.int32)})
    # Numbers before anything is joined, and a part at a time: names are long.
    named = (pl.scan_parquet(path).join(places, on="source", how="left") for path in parts(given.documents))
    numbered = pl.concat([rows.select("doc", "place").collect() for rows in named]).lazy()
    copies = scan(given.copies)
    behind = numbered.join(copies, on="doc").group_by(doc="copy_of")
    weights = behind.agg(copies=pl.len(), other=pl.col("place").first(), several=pl.col("place").n_unique() > 1)
    head = pl.coalesce("survivor_id", "doc_id").hash()
    told = pl.col("doc"), (pl.col("action") == "keep").alias("stands"), head.alias("group")
    folder = Path(given.decisions)
    real = (pl.scan_parquet(path).filter(pl.col("canary").is_null()) for path in folder.parent.glob(folder.name))
    fates = pl.concat([rows.select(told).collect() for rows in real]).lazy()
    wanted = pl.scan_parquet(given.listed).join(copies, on="doc", how="anti").join(fates, on="doc", how="left")
    known = wanted.join(numbered, on="doc").join(weights, on="doc", how="left")
    shared = pl.col("several").fill_null(value=False) | (pl.col("other") != pl.col("place")).fill_null(value=False)
    found = known.select(
        "doc",
        "group",
        stands=pl.col("stands").fill_null(value=False),
        place=pl.when(shared).then(SHARED).otherwise("place").cast(pl.Int32),
        weight=(1 + pl.col("copies").fill_null(0)).cast(pl.Int32),
    )
    return found.sort("doc").collect()


def _lay_shortened(work: Work, given: Measured) -> list[Path]:
    """Lay out published texts of which something was cut: files with `doc`, `text`."""
    several = given.edited.sort("part", "doc").partition_by("part", maintain_order=True)
    shown = shown_to_workers(work, given.published, (part_name(rows["part"][0]) for rows in several))
    lay = partial(_lay_part, shown, given.id_column, given.text_column, work.path)
    return list(map_rows(work, lay, several))


def _lay_part(published: Path, id_column: str, text_column: str, folder: Path, edited: pl.DataFrame) -> Path:
    path = fetch(published / part_name(edited["part"][0]))
    shown = pl.read_parquet(path, columns=[id_column, text_column])
    texts = shown.select(pl.col(id_column).cast(pl.String).alias("doc_id"), pl.col(text_column).alias("text"))
    return _lay(folder / f"shortened-{path.stem}.arrow", edited.join(texts, on="doc_id").select("doc", "text"))


def _lay_held(work: Work, given: Measured) -> Path:
    """Lay out cut passages with a copy elsewhere, likewise."""
    known = pl.concat([given.held, given.meant])
    held = _passages_cut(given).filter((-1 - pl.col("doc")).is_in(known.implode()))
    return _lay(work.path / "held.arrow", held.select("doc", "text"))


def _lay(path: Path, texts: pl.DataFrame) -> Path:
    with atomic_path(path) as temporary:
        texts.write_ipc(temporary)
    lend(path)
    return path


def _alone(work: Work, given: Measured, shortened: list[Path], corpus: _Corpus) -> tuple[pl.DataFrame, pl.DataFrame]:
    """What removed texts lack in their survivors, and runs of words of removed or cut text that nothing covers.

    Returns:
        `doc` and the share `lacking` of the distinct removed texts; `doc`, `first`, `behind` of the runs, as words of
        the text; a cut passage has the number -1 - fragment in place of `doc`.
    """
    lacking = [pl.DataFrame(schema={"doc": pl.Int64, "lacking": pl.Float64})]
    found = [pl.DataFrame(schema={"doc": pl.Int64, "first": pl.Int64, "behind": pl.Int64})]
    least, looked = work.run.parameters.conserve.min_run, False
    for left in rounds(_compared(work, given, shortened, lacking), work.run.limit_bytes // 8 // WORD_BYTES):
        known = open_grams(left)
        corpus.meet(known)
        looked = True
        row, first, behind = runs(left, known, least)
        begin = left.pointers[row]
        found.append(pl.DataFrame({"doc": left.doc[row], "first": first - begin, "behind": behind - begin}))
    if not looked:
        corpus.meet(GramSet(np.empty(0, np.uint64)))
    return pl.concat(lacking), pl.concat(found).unique().sort("doc", "first")


def _compared(work: Work, given: Measured, shortened: list[Path], lacking: list[pl.DataFrame]) -> Iterator[Own]:
    """Removed texts beside the published ones of their survivors, then cut passages, beside nothing."""
    places = {"copies": glob(given.copies), "decisions": given.decisions, "measured": str(given.listed)}
    least = work.run.parameters.conserve.min_run
    with work.run.connect() as con:
        listed = sql.run(con, "published/removed_beside_published", **places).pl()
    for left, share in map_beside(work, partial(_beside, least), given.documents, listed, shortened):
        lacking.append(share)
        yield left
    for part in batches([_passages_cut(given)]):
        yield _own(least, part, np.full(part.height, -1))[0]


def _beside(least: int, part: pl.DataFrame) -> tuple[Own, pl.DataFrame]:
    """Removed texts of a batch beside those of their survivors in it, and the share that each lacks there."""
    left, share = _own(least, part, beside(part))
    removed = part["removed"].to_numpy()
    return left, pl.DataFrame({"doc": part["doc"].to_numpy()[removed], "lacking": share[removed]})


def _own(least: int, part: pl.DataFrame, survivor: np.ndarray) -> tuple[Own, np.ndarray]:
    normalised = normalise(part["text"])
    every, removed = np.ones(part.height, np.bool_), part["removed"].to_numpy()
    return own(part["doc"].to_numpy(), removed, every, normalised, split_words(normalised), survivor, least)


def _passages_cut(given: Measured) -> pl.DataFrame:
    """The first occurrence of every passage that is cut somewhere."""
    cut = scan(given.spans).filter("cut").join(_fates(given).select("doc"), on="doc", how="semi")
    first = cut.sort("fragment", "doc", "start").unique("fragment", keep="first")
    return first.select(doc=-1 - pl.col("fragment"), removed=pl.lit(value=True), text="text").sort("doc").collect()


def _lost_texts(given: Measured, lost: pl.DataFrame, counts: GramCounts) -> pl.DataFrame:
    """The longest lost run of each text in the words of the original: `doc`, `words` lost in all, `passage`."""
    found = [pl.DataFrame(schema={"doc": pl.Int64, "words": pl.Int64, "passage": pl.String})]
    for batch in batches(_texts_of(given, lost.select("doc").unique())):
        if batch.height:
            found.append(_told(batch, batch.select("doc").with_row_index("row").join(lost, on="doc"), counts))
    return pl.concat(found)


def _texts_of(given: Measured, wanted: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """`doc` and `text` of some documents and cut passages."""
    for path in parts(given.documents):
        here = pl.read_parquet(path, columns=["doc"]).join(wanted, on="doc", how="semi")
        if here.height:
            yield pl.read_parquet(path, columns=["doc", "text"]).join(here, on="doc", how="semi")
    yield _passages_cut(given).join(wanted, on="doc", how="semi").select("doc", "text")


def _told(batch: pl.DataFrame, runs: pl.DataFrame, counts: GramCounts) -> pl.DataFrame:
    """What the texts of a batch lose (`row`, `first`, `behind` of its runs); their grams are marked as lost."""
    normalised, runs = normalise(batch["text"]), runs.sort("row", "first")
    words = split_words(normalised)
    begin, grams = words.pointers[runs["row"].to_numpy()], hash_word_grams(words, LONG_GRAM)
    first, behind = begin + runs["first"].to_numpy(), begin + runs["behind"].to_numpy()
    for low, high in zip(first, behind, strict=True):
        counts.lose(grams[low : max(low, high - LONG_GRAM + 1)])
    start, end = original_spans(normalised, words.start[first], words.end[behind - 1])
    said = runs.with_columns(words=pl.col("behind") - pl.col("first"), start=pl.Series(start), end=pl.Series(end))
    longest = said.sort("doc", "words", "first", descending=[False, True, False]).group_by("doc", maintain_order=True)
    shown = longest.agg(pl.col("row", "start", "end").first(), pl.col("words").sum())
    passages = [batch["text"][row][low:high] for row, low, high in shown.select("row", "start", "end").rows()]
    return shown.select("doc", "words", passage=pl.Series(passages, dtype=pl.String))


def _totals(counts: GramCounts) -> Iterator[pl.DataFrame]:
    for least in COMMON:
        gone, whole = counts.lost(least)
        yield _rows(pl.DataFrame({"lost": [gone], "whole": [whole]}), f"grams_{least}")
    gone, whole = counts.lost_apart(COMMON[-1])
    yield _rows(pl.DataFrame({"lost": [gone], "whole": [whole]}), f"apart_{COMMON[-1]}")
    yield _rows(pl.DataFrame({"lost": [1], "whole": [counts.scale]}), "sample")


def _contents(counts: GramCounts, sources: pl.Series) -> pl.DataFrame:
    gone, whole = counts.by_source(len(sources))
    return _rows(pl.DataFrame({"source": sources, "lost": gone, "whole": whole}), "content")


def _removals(given: Measured, lacking: pl.DataFrame, lost: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Of the removed documents of each source and type: how many lack something, and how many lose a run."""
    gone = lost.select(text_doc="doc").unique().with_columns(gone=pl.lit(value=True))
    share = lacking.group_by(text_doc="doc").agg(pl.col("lacking").max())
    compared = (pl.col("action") == "remove") & ~pl.col("type").is_in(OTHER_WORDS)
    removed = _fates(given).filter(compared).select("source", "type", "text_doc")
    known = removed.join(share.lazy(), on="text_doc", how="left").join(gone.lazy(), on="text_doc", how="left")
    grouped = known.group_by("source", "type").agg(
        whole=pl.len(), lacking=(pl.col("lacking") >= LACKING).sum(), gone=pl.col("gone").is_not_null().sum()
    )
    found = grouped.collect()
    for measure in ("lacking", "gone"):
        yield _rows(found.select("source", "type", "whole", lost=measure), measure)


def _cuts(given: Measured, lost: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Of the kept documents of each source: cut passages of which a run is lost, those given up, characters cut."""
    gone = lost.select(fragment=-1 - pl.col("doc")).unique()["fragment"]
    kept = _fates(given).filter(pl.col("action") != "remove").select("doc", "source", "chars_cut", "n_chars")
    cut = scan(given.spans).filter("cut").join(kept, on="doc").group_by("source")
    passages = cut.agg(
        whole=pl.len(),
        lost=pl.col("fragment").is_in(gone.implode()).sum(),
        meant=pl.col("fragment").is_in(given.meant.implode()).sum(),
    ).collect()
    yield _rows(passages.drop("meant"), "passages")
    if len(given.meant):
        yield _rows(passages.select("source", "whole", lost="meant"), "given_up")
    lengths = kept.group_by("source").agg(
        lost=pl.col("chars_cut").cast(pl.Int64).sum(), whole=pl.col("n_chars").cast(pl.Int64).sum()
    )
    yield _rows(lengths.collect(), "characters")


def _rows(frame: pl.DataFrame, measure: str) -> pl.DataFrame:
    missing = [pl.lit(None, pl.String).alias(name) for name in ("source", "type") if name not in frame.columns]
    return frame.with_columns(pl.lit(measure).alias("measure"), *missing)


def _passages(given: Measured, texts: pl.DataFrame) -> pl.DataFrame:
    """Every document that loses a passage for good, the longest passages first."""
    said = texts.lazy().with_columns(pl.col("passage").str.slice(0, SHOWN), pl.col("words").cast(pl.Int32))
    fates = _fates(given)
    removed = fates.filter(pl.col("action") == "remove").join(said, left_on="text_doc", right_on="doc")
    hosts = fates.filter(pl.col("action") != "remove").select(
        "doc", "doc_id", "survivor_id", "source", type=pl.lit("E")
    )
    cut = scan(given.spans).filter("cut").with_columns(number=-1 - pl.col("fragment")).select("doc", "number").unique()
    cuts = cut.join(said, left_on="number", right_on="doc").join(hosts, on="doc")
    both = pl.concat([LOST_PASSAGES.shape(one) for one in (removed, cuts)]).collect()
    return both.sort(["words", "doc_id", "passage"], descending=[True, False, False])
