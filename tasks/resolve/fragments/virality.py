"""Virality of repeated passages: measures on them and on their hosts, and what follows, to be cut or left."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice, pairwise
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from models.decision.evidence.facts.lexicon import SPOKEN, languages_of
from models.lexical.fragments.furniture import is_furniture
from models.lexical.fragments.hosts.kinship import Vocabulary, joined, kinship, vocabulary
from models.lexical.fragments.hosts.language_likeness import as_in_english, strangers
from models.lexical.fragments.hosts.languages import SCRIPT_BITS, fewest_languages
from models.lexical.fragments.hosts.sampling import hosts
from models.lexical.fragments.hosts.virality import (
    FEATURES,
    LEAST_KINSHIP,
    SENTENCE_END,
    WORD_CHARS,
    common_words,
    likeness,
    shipped,
)
from models.lexical.fragments.nesting import within
from models.lexical.fragments.search import relevance
from models.lexical.fragments.widths import widths
from models.lexical.sketch.features import Frequencies
from models.lexical.text import Normalised, Words, normalise, split_words
from models.lexical.text.scripts import scripts_of
from models.semantic.encoder.encoder import Encoder
from tasks.encode.embeddings import encoder
from tasks.parallel.map_parts import Over
from tasks.parallel.runners import share
from tasks.resolve.fragments.families import FAMILY, families
from tasks.runtime.progress import stage_progress
from tasks.runtime.run import Run
from tasks.storage.tables import TableRef, scan

BATCH = 2048
"""Passages that are embedded together, and whose relevance is."""
REST_CHARS = 1000
"""Of a host without the passage; the encoder reads about half of it."""
READ_CHARS = 20_000
"""Of a host whose words are compared."""
TOGETHER = 4096
"""Passages whose hosts' words are held together."""
TRANSLATED = 0.6
"""Languages per host from which a passage stands in the translations of one page, of which none has translated it."""
MANY_HOSTS = 32
"""Hosts whose languages are told, at most, where the first few are in nearly as many: a few of forty strangers are."""
FIGURES = ("relevance", "likeness")
"""Features of a passage that are told with it."""
RATED = (*FIGURES, "viral", "rated_hosts", "action")
"""Columns of `fragments` that say how viral a passage is, and at how many hosts that was found."""
ALIKE = 0.75
"""Likeness of hosts from which they are no strangers: guides to one law that quote it."""
FOREIGN = 0.45
"""Likeness of hosts from which it is asked what language they are in: strangers in English have less."""
HEADING = 3
"""Code points, such as a quotation mark, that may stand before a passage with which a host begins."""
AROUND = 120
"""Code points on either side whose wording is compared."""
MEASURED = (*FEATURES, "mixed")
"""What is told of passages and their hosts: beside the features whether these come from different sources."""
Counted = Callable[[], Frequencies]
UNITS = {"unit": pl.UInt64, "written": pl.String}


class Parts(NamedTuple):
    """Occurrences of passages, and what of each may be cut.

    Attributes:
        places: `fragment`, `doc`, `start`, `end`, by `doc` and `start`; `first` and `last`, which are to be cut with
            the gap around, `unit`, the number of what that is in normalised form, and `apart`, whether it stands on
            lines of its own; null where nothing is.
        units: `unit`, `written`: each such text once.
    """

    places: pl.DataFrame
    units: pl.DataFrame


class Weighed(NamedTuple):
    """Measures of repeated passages.

    Attributes:
        features: `fragment`, one column for each of `MEASURED`, `family`, share of the pairs of hosts that hold one
            other passage, too, `languages`, those that the hosts are written in per host, `begins`, share of the
            hosts that begin with it, and `furniture`, whether it is a bar, badges or a colophon.
        ties: `fragment`, `doc`, `tie`: how much a fragment has to do with each of the compared hosts.
    """

    features: pl.DataFrame
    ties: pl.DataFrame


def flat(texts: list[str]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Code points of texts one after another, and where each begins."""
    pointers = np.zeros(len(texts) + 1, np.int64)
    np.cumsum([len(text) for text in texts], out=pointers[1:])
    return np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32), pointers


class Corpus(NamedTuple):
    """Word counts and sources of all documents.

    Attributes:
        counted: how to read how many documents hold each word.
        sources: `doc`, in its order, `source` as a number; null: nobody says.
    """

    counted: Counted
    sources: pl.DataFrame


def sources_of(documents: TableRef) -> pl.DataFrame:
    """The sources of all documents, numbered: their names would be held beside every host."""
    return scan(documents).select("doc", pl.col("source").rank("dense")).sort("doc").collect()


def weigh(
    run: Run,
    corpus: Corpus,
    passages: pl.DataFrame,
    parts: Parts,
    texts: Mapping[int, str],
    over: Over = map,
) -> Weighed:
    """Compare passages with their hosts, and these with each other; passages of which nothing may be cut are left out.

    What is looked at of a passage is what would be cut of it in most places, wherever that stands. Whether its hosts
    are kin is asked only of passages that may be viral if they are not.

    Args:
        run: its `fragment` section says how many hosts are compared.
        corpus: words and sources of all documents.
        passages: `fragment`, `text`, `hosts` of all passages.
        parts: where they stand, and what would be cut there.
        texts: originals by document.
        over: looks at some passages at a time, here or elsewhere.
    """
    units = passages.select("fragment", "hosts").join(_units(parts), on="fragment", maintain_order="left")
    bounds = run.parameters.fragment
    units = units.with_row_index("row")
    units = units.with_columns(hosts=pl.max_horizontal("hosts", "places"), chars=pl.col("unit").str.len_chars())
    asked = _hosts(units, passages, parts.places, bounds.min_chars, bounds.relevance_hosts)
    taken = parts.places.group_by("doc").agg(taken=(pl.col("end") - pl.col("start")).sum().cast(pl.Int64)).sort("doc")
    begins = range(0, units.height, BATCH)
    edges = [*np.searchsorted(asked["row"].to_numpy(), begins).tolist(), asked.height]
    hosts_of = (
        _beside(asked[a:b].with_columns(pl.col("row") - at), taken, corpus.sources)
        for at, (a, b) in zip(begins, pairwise(edges), strict=True)
    )
    made, ties = [], [np.empty(0, np.float32)]
    with stage_progress("relevance", units.height, unit="passages") as bar:
        for figures, tie in over(partial(_figures, share(run), texts), units.iter_slices(BATCH), hosts_of):
            made.append(figures)
            ties.append(tie)
            bar.advance(figures.height)
    schema = {"fragment": pl.Int64} | dict.fromkeys(MEASURED, pl.Float64)
    found = pl.concat([pl.DataFrame(schema=schema), *made], how="vertical_relaxed")
    likely = shipped().at_best(found.select(FEATURES).to_numpy()) >= bounds.min_viral
    found = found.with_columns(_kinship(corpus.counted, units, asked, texts, likely, over))
    manifold = (found["languages"].fill_nan(0) >= TRANSLATED) & (units["hosts"] > bounds.relevance_hosts)
    if manifold.any():
        several = units.filter(manifold).drop("row").with_row_index("row")
        many = _hosts(several, passages, parts.places, bounds.min_chars, MANY_HOSTS)
        told = np.concatenate([*over(partial(_languages, texts), several.iter_slices(several.height), [many])])
        found[np.flatnonzero(manifold), "languages"] = told
    family, first = families(asked, parts.places, units.height), _beginning(asked, units.height)
    furniture = is_furniture(units["unit"])
    found = found.with_columns(family=pl.Series(family), begins=pl.Series(first), furniture=furniture)
    tied = asked.select(fragment=units["fragment"].gather(asked["row"]), doc="doc", tie=np.concatenate(ties))
    return Weighed(found, tied)


def _beside(rows: pl.DataFrame, *known: pl.DataFrame) -> pl.DataFrame:
    """Rows with what is known of their `doc`; all that is known is in the order of `doc`, and of all of them."""
    docs = rows["doc"].to_numpy()
    return pl.concat(
        [rows, *(one.drop("doc")[np.searchsorted(one["doc"].to_numpy(), docs)] for one in known)], how="horizontal"
    )


def _kinship(
    counted: Counted,
    units: pl.DataFrame,
    asked: pl.DataFrame,
    texts: Mapping[int, str],
    likely: NDArray[np.bool_],
    over: Over,
) -> pl.DataFrame:
    """`kinship` of the hosts of each unit, its logarithm, and `languages`; NaN where they are not likely to matter."""
    rows = np.flatnonzero(likely)
    known = np.full((units.height, 2), np.nan)
    place = np.full(units.height, -1)
    place[rows] = np.arange(len(rows))
    here = asked.select("doc", "start", "end", row=pl.Series(place[asked["row"].to_numpy()])).filter(pl.col("row") >= 0)
    begins = range(0, len(rows), TOGETHER)
    edges = [*np.searchsorted(here["row"].to_numpy(), begins).tolist(), here.height]
    hosts_of = (here[a:b].with_columns(pl.col("row") - at) for at, (a, b) in zip(begins, pairwise(edges), strict=True))
    some = units.select("unit")[rows]
    found = [*over(partial(_kin, counted, texts), some.iter_slices(TOGETHER), hosts_of)]
    known[rows] = np.concatenate([np.empty((0, 2)), *found])
    return pl.DataFrame(known, schema=["kinship", "languages"])


def _kin(counted: Counted, texts: Mapping[int, str], units: pl.DataFrame, hosts: pl.DataFrame) -> NDArray[np.float64]:
    """The logarithm of the kinship of the hosts of some units, and the number of their languages per host."""
    frequencies = counted()
    docs, host = np.unique(hosts["doc"].to_numpy(), return_inverse=True)
    words = _vocabulary(frequencies, (texts[doc][:READ_CHARS] for doc in docs.tolist()))
    own = _vocabulary(frequencies, units["unit"])
    kin = np.log(np.maximum(kinship(words, host, own, hosts["row"].to_numpy(), units.height), LEAST_KINSHIP))
    return np.stack([kin, _languages(texts, units, hosts)], axis=1)


def _languages(texts: Mapping[int, str], units: pl.DataFrame, hosts: pl.DataFrame) -> NDArray[np.float64]:
    """The number of languages per host of some units."""
    _, host = np.unique(hosts["doc"].to_numpy(), return_inverse=True)
    spoken, row = _spoken(_rests(texts, hosts)), hosts["row"].to_numpy()
    order = np.argsort(row, kind="stable")
    pointers = np.searchsorted(row[order], np.arange(units.height + 1))
    found = fewest_languages(spoken[host][order], pointers)
    return np.asarray(found / np.maximum(np.diff(pointers), 1))


def _rests(texts: Mapping[int, str], hosts: pl.DataFrame) -> Iterator[str]:
    """Each host once, by `doc`, without the passages that are asked about."""
    places = hosts.select("doc", "start", "end").sort("doc", "start")
    spans = places.group_by("doc", maintain_order=True).agg(pl.struct("start", "end"))
    for doc, found in spans.iter_rows():
        text, kept, position = texts[doc][:READ_CHARS], [], 0
        for span in found:
            kept.append(text[position : span["start"]])
            position = max(position, span["end"])
        yield "".join([*kept, text[position:]])


def _spoken(texts: Iterable[str]) -> NDArray[np.int64]:
    """A number for the languages and the script of each text, 0 where nothing tells them."""
    found = [np.empty(0, np.int64)]
    for normalised, words in _words(texts):
        found.append(languages_of(words).astype(np.int64) << SCRIPT_BITS | scripts_of(normalised))
    return np.concatenate(found)


def _vocabulary(counted: Frequencies, texts: Iterable[str]) -> Vocabulary:
    """Words of texts."""
    counts = counted.words, counted.n_documents
    return joined([vocabulary(words.hash, words.pointers, *counts) for _, words in _words(texts)])


def _words(texts: Iterable[str]) -> Iterator[tuple[Normalised, Words]]:
    """Words of some texts at a time."""
    waiting = iter(texts)
    while some := [*islice(waiting, BATCH)]:
        normalised = normalise(pl.Series(some, dtype=pl.String))
        yield normalised, split_words(normalised)


def _units(parts: Parts) -> pl.DataFrame:
    """Most common cut of each fragment, and in how many places it is cut so: `fragment`, `unit`, `places`."""
    counted = parts.places.drop_nulls("unit").group_by("fragment", "unit").agg(places=pl.len())
    most = counted.filter(pl.col("places") == pl.col("places").max().over("fragment"))
    first = most.join(parts.units, on="unit").group_by("fragment", "places").agg(unit=pl.col("written").min())
    return first.sort("fragment")


def _hosts(units: pl.DataFrame, passages: pl.DataFrame, parts: pl.DataFrame, min_chars: int, most: int) -> pl.DataFrame:
    """At most so many of the documents in which each unit stands, in a passage of its own or in another, evenly chosen.

    Returns:
        `row` of the unit, `doc`, `start`, `end`.
    """
    part, holder = within(units["unit"], passages["text"], min_chars)
    held = pl.DataFrame({"row": part, "fragment": passages["fragment"].gather(holder)})
    own = units.select("row", "fragment").cast(pl.Int64)
    lengths = passages.select("fragment", length=pl.col("text").str.len_chars())
    pairs = pl.concat([own, held]).unique().join(lengths, on="fragment")
    pairs = pairs.sort("row", "length", "fragment")  # of two that begin together the shorter counts
    placed = parts.select("fragment", "doc", "start", "end").sort("fragment", "doc", "start", "end")
    known = placed["fragment"].unique().sort().to_numpy()
    pairs = pairs.filter(pl.col("fragment").is_in(pl.Series(known).implode()))
    found = hosts(
        np.searchsorted(pairs["row"].to_numpy(), np.arange(units.height + 1)),
        np.searchsorted(known, pairs["fragment"].to_numpy()),
        np.append(np.searchsorted(placed["fragment"].to_numpy(), known), placed.height),
        placed["doc"].cast(pl.Int64).to_numpy(),
        placed["start"].cast(pl.Int64).to_numpy(),
        most,
    )
    return placed[found.place].select(pl.Series("row", found.unit), "doc", "start", "end")


def _figures(
    run: Run, texts: Mapping[int, str], units: pl.DataFrame, hosts: pl.DataFrame
) -> tuple[pl.DataFrame, NDArray[np.float32]]:
    """Features of some passages, and the cosine between each and its hosts."""
    model = encoder(run.parameters.encoder, run.threads)
    count, row = units.height, hosts["row"].to_numpy()
    rests, around, measured = [], [], np.empty((hosts.height, 2))
    for at, (doc, start, end, taken) in enumerate(hosts.select("doc", "start", "end", "taken").iter_rows()):
        text, size = texts[doc], end - start
        rests.append((text[: min(start, REST_CHARS)] + text[end : end + REST_CHARS])[:REST_CHARS])
        around.append(text[max(0, start - AROUND) : start] + "\n" + text[end : end + AROUND])
        measured[at] = (taken - size) / max(len(text) - size, 1), size / len(text)
    vectors = _embed(model, rests)
    vector = _embed(model, units["unit"].to_list())
    tie = (vector[row] * vectors).sum(1).astype(np.float32)
    total = np.maximum(np.bincount(row, minlength=count), 1)

    def mean(values: NDArray[np.floating]) -> NDArray[np.float64]:
        return np.asarray(np.bincount(row, weights=values, minlength=count) / total)

    written = units["unit"]
    width = widths(written)
    alike = likeness(vectors, row, count)
    unrelated = mean(_strangers(rests, (alike >= FOREIGN)[row]))
    figures = {
        "relevance": as_in_english(relevance(vector, vectors, row), unrelated),
        "likeness": as_in_english(alike, unrelated),
        "kinship": np.full(count, np.nan),
        "wording": common_words(*flat(around), row, count),
        "covered": mean(measured[:, 0].clip(0, 1)),
        "share": mean(measured[:, 1]),
        "hosts": units["hosts"].log(),
        "chars": width.log(),
        "letters": written.str.count_matches(r"[\p{L}\p{M} ]") / units["chars"],
        "stops": WORD_CHARS * written.str.count_matches(SENTENCE_END) / width,
        "mixed": _mixed(hosts, count),
    }
    return pl.DataFrame({"fragment": units["fragment"]} | figures).cast(dict.fromkeys(MEASURED, pl.Float64)), tie


def _strangers(texts: list[str], asked: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Cosine of strangers in the language of each text, in English for those that are not asked for."""
    languages, scripts = np.zeros(len(texts), np.uint32), np.zeros(len(texts), np.int64)
    rows, done = np.flatnonzero(asked), 0
    for normalised, words in _words(texts[at] for at in rows.tolist()):
        here = rows[done : done + len(words.pointers) - 1]
        languages[here], scripts[here] = languages_of(words, 1.0), scripts_of(normalised)
        done += len(here)
    return strangers(languages, scripts, SPOKEN)


def _mixed(hosts: pl.DataFrame, count: int) -> NDArray[np.float64]:
    """Share of the pairs of hosts of each unit that come from different sources; a missing source is one."""
    several = hosts.group_by("row", "source").len().group_by("row")
    pairs = several.agg(same=(pl.col("len") * (pl.col("len") - 1)).sum(), hosts=pl.sum("len"))
    every, mixed = (pl.col("hosts") * (pl.col("hosts") - 1)).cast(pl.Float64), np.zeros(count)
    share = pairs.select("row", mixed=pl.when(every > 0).then(1 - pl.col("same") / every).otherwise(0.0))
    mixed[share["row"].to_numpy()] = share["mixed"].to_numpy()
    return mixed


def _beginning(hosts: pl.DataFrame, count: int) -> NDArray[np.float64]:
    """Share of the hosts of each unit that begin with it."""
    row = hosts["row"].to_numpy()
    first = np.bincount(row, weights=hosts["start"].to_numpy() <= HEADING, minlength=count)
    return np.asarray(first / np.maximum(np.bincount(row, minlength=count), 1))


def _embed(model: Encoder, passages: list[str]) -> NDArray[np.float32]:
    """Vectors of passages; equal ones, such as beginnings that a late cut leaves alone, are embedded once."""
    distinct = list(dict.fromkeys(passages))
    place = {passage: index for index, passage in enumerate(distinct)}
    vectors = [np.empty((0, model.dimensions), np.float32)]
    vectors += [model.embed(distinct[begin : begin + BATCH]) for begin in range(0, len(distinct), BATCH)]
    return np.concatenate(vectors)[[place[passage] for passage in passages]]


def rate(
    run: Run, corpus: Corpus, passages: pl.DataFrame, places: Parts, texts: Mapping[int, str], over: Over
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Passages with their virality, and what follows.

    Args:
        run: its `fragment` section.
        corpus: words and sources of all documents.
        passages: as `search` gives them.
        places: as `wholes` gives them; what could not be cut anyway is not looked at.
        texts: originals by document.
        over: see `weigh`.

    Returns:
        The passages as `fragments`, and `fragment`, `doc`, `tie` for the hosts that were compared.
    """
    weighed = weigh(run, corpus, passages, places, texts, over)
    probability = shipped().probability(weighed.features.select(FEATURES).to_numpy())
    # Records of one source that all begin alike have their instruction there, without which they say nothing.
    form = (pl.col("begins") == 1) & (pl.col("mixed") == 0)
    strangers = (pl.col("family") < FAMILY) & (pl.col("likeness").fill_nan(0) < ALIKE)
    travels = strangers & (pl.col("languages").fill_nan(0) < TRANSLATED) & ~form
    # A navigation bar or colophon stands only on the pages of one site, which are kin, and is the content of none.
    viral = pl.when("furniture").then(1.0).when(travels).then(pl.Series(probability)).otherwise(0.0)
    figures = weighed.features.select("fragment", *FIGURES, viral=viral)
    rated = passages.join(figures, on="fragment", how="left", maintain_order="left")
    cutting = (pl.col("viral") >= run.parameters.fragment.min_viral).fill_null(value=False)
    action = pl.when(cutting).then(pl.lit("cut")).otherwise(pl.lit("keep"))
    return rated.with_columns(action=action, rated_hosts="hosts"), weighed.ties
