"""A second labelled split, from texts that nothing is trained on and with other edits than the development split.

    python -m tests.benchmarks.quality.second_split CORPORA --out DIR [--seed 7]

Writes documents, truth and fragments.parquet and card.md in the benchmark's format. `CORPORA` is the folder with
news_misc.parquet, web_gold.parquet and so on; labelled splits in `CORPORA/../benchmark` are kept disjoint.
"""

import argparse
import dataclasses
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from hashlib import blake2b
from pathlib import Path
from random import Random

import numpy as np
import polars as pl

from tests.benchmarks.quality import second_checks as checks
from tests.benchmarks.quality import second_operators as ops

RESEARCH = ("movie_reviews", "sentence_polarity", "webtext", "abc", "nlp-corpus")
HOT = [200, 160, 130, 110, 90, 80, 70, 60, 50, 45, 40, 35, 30, 30, 25, 25, 20, 20, 20, 20]
NOTICE = re.compile(
    r"cookie|subscri|newsletter|rights reserved|terms of (use|service)|privacy policy|disclaim|disclos|donat|support us"
    r"|sign(ing)? up|affiliate|may not be reproduced|investment advice|views expressed",
    re.I,
)
FILLED = re.compile(r"lorem|ipsum|tempor|veniam|pariatur|excepteur", re.I)


@dataclasses.dataclass
class Doc:
    """A document to be; `core` is what makes it itself (without template or planted passages)."""

    text: str
    kind: str
    group: str | None
    role: str
    operator: str
    source: str
    core: str
    spans: list[tuple[str, int, int, bool]] = dataclasses.field(default_factory=list)


class Texts:
    """Source texts by name, each handed out once."""

    def __init__(self, seed: int) -> None:
        self.pools: dict[str, list[tuple[str, str]]] = defaultdict(list)
        self.seed = seed

    def add(self, name: str, source: str, texts: Iterable[str]) -> None:
        self.pools[name] += [(text.strip(), source) for text in texts]

    def shuffle(self, barred: Callable[..., np.ndarray]) -> None:
        for name, pool in self.pools.items():
            unique = list({ops.plain(text): (text, source) for text, source in pool}.values())
            kept = [entry for entry, bad in zip(unique, barred([t for t, _ in unique]), strict=True) if not bad]
            Random(f"{self.seed}/{name}").shuffle(kept)
            self.pools[name] = kept

    def take(self, name: str, least: int = 0, most: int = 1 << 30) -> tuple[str, str]:
        pool = self.pools[name]
        for i in range(len(pool) - 1, -1, -1):
            if least <= len(pool[i][0]) <= most:
                return pool.pop(i)
        if name == "review":
            raise SystemExit(f"not enough texts of {least} to {most} characters")
        return self.take("review", least, most)

    def has(self, name: str) -> bool:
        return bool(self.pools[name])


# --- sources ---


def chunks(text: str, rng: Random, least: int, most: int) -> list[str]:
    """Cut a long text at line ends into passages of about `least` to `most` characters; the last is left out."""
    found, passage, goal = [], "", rng.randint(least, most)
    for line in ops.paragraphs(text):
        passage = f"{passage}\n{line}".strip()
        if len(passage) >= goal:
            found.append(passage)
            passage, goal = "", rng.randint(least, most)
    return found


def load(corpora: Path, seed: int) -> tuple[Texts, pl.DataFrame]:
    """Read the pools of texts and the pages (`key`, `main`, `full`, `source`; main may be null)."""
    texts, rng = Texts(seed), Random(seed)
    tables = [pl.read_parquet(corpora / f"{n}.parquet") for n in ("news_misc", "nltk_misc", "orange_corpora")]
    long = {"grimm": "tale", "excerpts": "excerpt", "bbc": "news", "movie_reviews": "review"}
    for name, text, source in pl.concat(tables).select("id", "text", "source").iter_rows():
        text = text.replace("\r\n", "\n")
        if source.startswith("nltk_data") and not source.endswith(RESEARCH):
            continue
        if pool := next((p for part, p in long.items() if part in name or part in source), None):
            texts.add(pool, source, [text])
        elif name.startswith("lee/"):
            texts.add("news", source, [text])
        elif name.startswith("agnews"):
            if "&lt;" not in text:
                texts.add("brief", source, [text.replace(" #39;", "'").replace(" quot;", '"')])
        elif name.startswith("enwiki"):
            bare = [p for p in ops.paragraphs(text) if len(p) > 120 and p[0].isalnum() and p.count("|") < 4]
            texts.add("article", source, chunks("\n".join(bare), rng, 1500, 6000)[:3])
        elif "/abc/" in name:
            texts.add("radio", source, chunks(text, rng, 900, 3200))
        elif name.startswith("nlpcorpus"):
            texts.add("line", source, rng.sample(ops.paragraphs(text), 90))
        elif "firefox" in name:
            texts.add("item", source, ops.paragraphs(text))
        elif "/webtext/" in name:
            texts.add("script", source, chunks(text, rng, 500, 2500))
        elif source.endswith("sentence_polarity"):
            texts.add("opinion", source, [text])
        elif "slo-opinion" in source:
            texts.add("slovene", source, [text])
    for name, text, source in (
        pl.read_parquet(corpora / "short_texts.parquet").select("id", "text", "source").iter_rows()
    ):
        texts.add({"st/guardi": "headline", "st/rotten": "verdict"}.get(name[:9], "tweet"), source, [text])
    urls = pl.read_parquet(corpora / "pairs" / "twitter_url.parquet")["text_a"].unique(maintain_order=True)
    texts.add("post", "twitter_url", urls)
    web = pl.read_parquet(corpora / "web_gold.parquet").unique("text", keep="first", maintain_order=True)
    web = web.with_columns(key=pl.col("id").str.replace("/[^/]*$", ""), part=pl.col("id").str.extract("([^/]*)$"))
    full = web.filter(pl.col("part") == "full").select("key", "source", full="text")
    pages = full.join(web.filter(pl.col("part") == "main").select("key", main="text"), on="key", how="left")
    return texts, pages.filter(~pl.col("full").str.contains("(?i)lorem ipsum")).sort("key")


def pairs(corpora: Path, name: str) -> pl.DataFrame:
    return pl.read_parquet(corpora / "pairs" / f"{name}.parquet").with_columns(pl.col("label").cast(pl.String))


# --- A: one article in many templates ---


def shell(page: str) -> tuple[list[str], list[str]] | None:
    """Return the lines of a page before its first and after its last long line."""
    lines = [
        line.rstrip() for line in page.split("\n") if line.strip() and len(line) < 2000 and "PHNjcmlwd" not in line
    ]
    long = [i for i, line in enumerate(lines) if len(line.split()) >= 25]
    if not long:
        return None
    head, tail = lines[: long[0]], lines[long[-1] + 1 :]
    return (head, tail) if len("".join(head)) >= 200 and len("".join(tail)) >= 200 else None


def in_template(article: str, around: tuple[list[str], list[str]], share: float, rng: Random) -> str:
    """Put an article into a template so that it makes up about `share` of the page."""
    head, tail = around
    budget = len(article) * (1 - share) / share
    top, bottom = [], []
    while budget > 0 and (len(top) < len(head) or len(bottom) < len(tail)):
        if len(top) < len(head) and (len(bottom) == len(tail) or rng.random() < 0.5):
            top.append(head[len(top)])
            budget -= len(top[-1])
        else:
            bottom.append(tail[-1 - len(bottom)])
            budget -= len(bottom[-1])
    return "\n".join([*top, "", article, "", *reversed(bottom)])


def interrupt(article: str, texts: Texts, rng: Random) -> str:
    """Put what sites put between paragraphs."""
    lines = ops.paragraphs(article)
    for _ in range(min(rng.randint(1, 3), len(lines) // 3)):
        said = rng.choice(
            ["Advertisement", "Article continues after this advertisement", "Read also: {}", "RELATED: {}", "More: {}",
             "Share on Facebook Tweet this Email", "Click to expand image"]
        )  # fmt: skip
        lines.insert(rng.randint(1, len(lines) - 1), said.format(texts.take("headline")[0] if "{" in said else ""))
    return "\n\n".join(lines)


def covered(part: str, whole: str) -> float:
    """Return the share of the word 8-grams of `part` that `whole` has."""
    grams = checks.Grams()
    other = grams.of([whole], 8)
    return float(checks.foreign(grams.of([part], 8), other)["share"].sum())


def type_a(texts: Texts, pages: pl.DataFrame, shells: list[tuple[list[str], list[str]]], rng: Random) -> list[Doc]:
    docs: list[Doc] = []
    for i, (key, source, full, main) in enumerate(
        pages.drop_nulls("main").select("key", "source", "full", "main").iter_rows()
    ):
        if len(main) < 500 or len(main) < 0.35 * len(full) or len(full) > 40000 or covered(main, full) < 0.8:
            continue
        docs.append(Doc(main, "A", f"A/{key}", "canonical", "main text", source, main))
        docs.append(Doc(full, "A", f"A/{key}", "duplicate", "real page", source, main))
        if i % 2:
            page = in_template(main, rng.choice(shells), rng.uniform(0.35, 0.9), rng)
            docs.append(Doc(page, "A", f"A/{key}", "duplicate", "template", source, main))
    for i in range(210):
        article, source = texts.take(rng.choice(["news", "news", "radio", "excerpt", "script", "review"]), 700, 5000)
        bare = rng.random() < 0.5
        around = rng.sample(shells, rng.randint(2 - bare, 5 - bare))
        if bare:
            docs.append(Doc(article, "A", f"A/{i}", "canonical", "main text", source, article))
        for where in around:
            broken = rng.random() < 0.3
            body = interrupt(article, texts, rng) if broken else article
            page = in_template(body, where, rng.uniform(0.35, 0.92), rng)
            name = "template, interrupted" if broken else "template"
            docs.append(Doc(page, "A", f"A/{i}", "duplicate", name, source, article))
        if not bare:
            docs[-len(around)].role = "canonical"
    return docs


# --- B, C: copies with edits ---


def edited(text: str, edits: dict[str, ops.Edit], most: int, rng: Random) -> tuple[str, str]:
    """Apply up to `most` edits that change the text; return it and their names."""
    names, goal = [], rng.randint(1, most)
    for name in rng.sample(sorted(edits), len(edits)):
        new = edits[name](text, rng)
        if new != text:
            text, names = new, [*names, name]
        if len(names) == goal:
            break
    return text, "+".join(names)


def copies(kind: str, group: str, text: str, source: str, count: int, most: int, rng: Random) -> list[Doc]:
    """Return an original and `count - 1` distinct edited copies of it."""
    edits = ops.EDITS_B if kind == "B" else ops.EDITS_C
    docs, seen = [Doc(text, kind, group, "canonical", "original", source, text)], {text}
    for _ in range(count * 20):
        copy, names = edited(text, edits, most, rng)
        if copy not in seen and len(docs) < count:
            seen.add(copy)
            docs.append(Doc(copy, kind, group, "duplicate", names, source, text))
    return docs


def type_b(texts: Texts, rng: Random) -> list[Doc]:
    names = ["review", "radio", "news", "excerpt", "article"]
    bases = [texts.take(names[i % len(names)], 900, 5500) for i in range(len(HOT))]
    return [doc for i, (t, s) in enumerate(bases) for doc in copies("B", f"B/{i}", t, s, HOT[i], 2, rng)]


def type_c(texts: Texts, rng: Random) -> list[Doc]:
    names = ["opinion", "headline", "post", "verdict", "line", "slovene", "opinion", "headline"]
    bases = [texts.take(names[i % len(names)], 45, 260) for i in range(400)]
    return [doc for i, (t, s) in enumerate(bases) for doc in copies("C", f"C/{i}", t, s, rng.randint(2, 6), 2, rng)]


# --- D: containment ---


def digest(texts: Texts, rng: Random) -> list[tuple[str, str, str]]:
    """Two articles and the document that joins them: (role, operator, text)."""
    first, second = (texts.take(rng.choice(["news", "radio"]), 700, 3500)[0] for _ in range(2))
    joined = f"In this issue\n\n{first}\n\n* * *\n\n{second}"
    return [("parent", "digest", joined), ("child", "digest", first), ("child", "digest", second)]


def reply(texts: Texts, rng: Random) -> list[tuple[str, str, str]]:
    """A mail and the longer answer that quotes all of it."""
    asked, answer = texts.take("script", 400, 2500)[0], texts.take(rng.choice(["radio", "review"]), 1500, 4000)[0]
    quoted = "\n".join(f"> {line}" for line in ops.wrapped(asked, 72))
    said = f"On {rng.choice(ops.DAYS)} {rng.choice(ops.FIRST)} wrote:"
    return [("parent", "mail reply", f"{answer}\n\n{said}\n{quoted}"), ("child", "mail reply", asked)]


def subset(texts: Texts, rng: Random) -> list[tuple[str, str, str]]:
    """A list and some of its items, in order, whole runs or scattered ones."""
    items = [texts.take("item", 30, 160)[0] for _ in range(rng.randint(30, 60))]
    found = [("parent", "list", "\n".join(f"- {item}" for item in items))]
    size, start = rng.randint(10, 16), rng.randint(0, 12)
    found.append(("child", "list run", "\n".join(f"* {item}" for item in items[start : start + size])))
    if rng.random() < 0.5:
        kept = sorted(rng.sample(range(len(items)), size))
        found.append(("child", "list scattered", "\n".join(f"- {items[k]}" for k in kept)))
    return found


def excerpts(texts: Texts, rng: Random) -> list[tuple[str, str, str]]:
    """A text with its lead, its teaser or a quotation from it."""
    text = texts.take(rng.choice(["news", "review", "excerpt", "article", "tale", "radio"]), 1500, 16000)[0]
    lines, found = ops.paragraphs(text), [("parent", "full text", text)]
    if len(lines) < 4:
        parts = ops.sentences(text)
        lines = [" ".join(parts[i : i + 3]) for i in range(0, len(parts), 3)]
    for kind in rng.sample(["lead", "teaser", "quotation", "abstract"], rng.randint(1, 3)):
        most = max(1, len(lines) // 2)
        size = rng.randint(1, most)
        start = rng.randint(min(1, len(lines) - size), len(lines) - size) if kind == "quotation" else 0
        part = lines[start : start + size]
        while len(" ".join(part).split()) < 45 and start + len(part) < len(lines):
            part = lines[start : start + len(part) + 1]
        body = "\n\n".join(part)
        who = f"{rng.choice(ops.FIRST)} {rng.choice(ops.NAMES)}"
        child = {
            "lead": body,
            "teaser": f"{body}\n\n{rng.choice(['Continue reading →', 'Read more »', '[…]', 'Read the full story'])}",
            "quotation": f"{who} writes:\n\n“{body}”",
            "abstract": f"Abstract\n\n{body}",
        }[kind]
        found.append(("child", kind, child))
    return found


def type_d(texts: Texts, rng: Random) -> list[Doc]:
    docs: list[Doc] = []
    makers = [excerpts] * 5 + [digest, reply, subset]
    for i in range(240):
        made = makers[i % len(makers)](texts, rng)
        size = len(ops.plain(made[0][2]))
        kept = [m for m in made if m[0] == "parent" or len(ops.plain(m[2])) <= 0.75 * size]
        unique = list({ops.plain(m[2]): m for m in kept}.values())
        if len(unique) > 1:
            docs += [Doc(text, "D", f"D/{i}", role, name, "several", text) for role, name, text in unique]
    return docs


# --- E: passages in many documents ---


def notices(pages: pl.DataFrame, rng: Random, count: int) -> list[str]:
    """Return real disclaimers, subscription pleas and the like from pages."""
    lines = {ops.plain(line): line.strip() for page in pages["full"] for line in page.split("\n")}
    fit = [s for s in lines.values() if 80 <= len(s) <= 420 and NOTICE.search(s) and s.isascii() and s.count(" ") > 10]
    fit = [s for s in fit if not re.search(r"\s\s|\t", s)]
    close = checks.overlaps(checks.Grams().of(fit, 5), 1000).filter(pl.col("share") > 0.15)
    alike = set(close["b"].to_list())
    return rng.sample([s for i, s in enumerate(fit) if i not in alike], count)


def bent(passage: str, rng: Random) -> str:
    """Change a word or two of a passage."""
    words = passage.split(" ")
    for _ in range(rng.randint(1, 2)):
        i = rng.randrange(2, len(words) - 1)
        words[i] = rng.choice(["our", "these", "partners", "site", words[i] + "s", words[i].upper()])
    return " ".join(words)


def planted(
    host: str, passages: list[tuple[str, str, bool]], rng: Random
) -> tuple[str, list[tuple[str, int, int, bool]]]:
    """Insert passages between paragraphs or, now and then, between two sentences."""
    pieces: list[str] = [p for part in re.split(r"(\n+)", host) for p in re.split(r"(?<=[.!?])( +)", part)]
    slots = [i for i, piece in enumerate(pieces) if piece.isspace()] or [len(pieces)]
    outer = [i for i in slots if "\n" in pieces[i : i + 1][0]] if len(slots) > 1 else []
    if len(pieces) == slots[0]:
        pieces.append("\n\n")
    text, spans = "", []
    chosen: dict[int, list[tuple[str, str, bool]]] = defaultdict(list)
    for passage in passages:
        chosen[rng.choice(outer) if outer and rng.random() < 0.6 else rng.choice([*slots, -1])].append(passage)
    for i, piece in enumerate([*pieces, ""]):
        place = i if i < len(pieces) else -1
        for name, passage, exact in chosen.get(place, ()):
            gap = "\n\n" if place == -1 or "\n" in piece else " "
            text += gap
            spans.append((name, len(text), len(text) + len(passage), exact))
            text += passage
        text += piece
    return text, spans


def type_e(texts: Texts, pages: pl.DataFrame, rng: Random) -> list[Doc]:
    fragments = {f"f{i:03}": passage for i, passage in enumerate(notices(pages, rng, 36))}
    weights = [1 / (1 + i % 12) for i in range(len(fragments))]
    docs = []
    for _ in range(640):
        host, source = texts.take(rng.choice(["news", "review", "radio", "script"]), 600, 6000)
        names = list(dict.fromkeys(rng.choices(list(fragments), weights, k=rng.choice([1, 1, 2, 3]))))
        exact = [rng.random() < 0.88 for _ in names]
        passages = [(n, fragments[n] if e else bent(fragments[n], rng), e) for n, e in zip(names, exact, strict=True)]
        passages = [(n, p, p == fragments[n]) for n, p, _ in passages]
        text, spans = planted(host, passages, rng)
        docs.append(Doc(text, "E", None, "host", "planted", source, host, spans))
    return docs + recurring(pages)


def recurring(pages: pl.DataFrame, least: int = 6) -> list[Doc]:
    """Return pages with lines that at least `least` pages share, all of them labelled."""
    found = [
        [(ops.plain(m[0]), m.start(), m.end()) for m in re.finditer(r"\S.*\S", page) if len(ops.plain(m[0])) >= 60]
        for page in pages["full"]
    ]
    hosts = Counter(line for lines in found for line in {line for line, _, _ in lines} if not FILLED.search(line))
    names = {line: f"r{i:03}" for i, line in enumerate(sorted(line for line, n in hosts.items() if n >= least))}
    docs = []
    for (full, source), lines in zip(pages.select("full", "source").iter_rows(), found, strict=True):
        spans = [(names[line], start, end, True) for line, start, end in lines if line in names]
        if spans and len(full) < 60000:
            docs.append(Doc(full, "E", None, "host", "recurring", source, full, spans))
    return docs


# --- F: look-alikes ---


def real_pairs(corpora: Path) -> list[tuple[str, str, str]]:
    """Return (source, text, text) of pairs that people told apart although they share most words."""

    def close(frame: pl.DataFrame, name: str, low: float, count: int) -> list[tuple[str, str, str]]:
        kept: list[tuple[str, str, str]] = []
        for a, b in frame.sample(fraction=1, shuffle=True, seed=1).select("text_a", "text_b").iter_rows():
            x, y = set(ops.plain(a).split()), set(ops.plain(b).split())
            if x != y and len(x & y) / max(len(x | y), 1) >= low and len(kept) < count:
                kept.append((name, a.strip(), b.strip()))
        return kept

    def differing(frame: pl.DataFrame) -> pl.DataFrame:
        digits = [(set(re.findall(r"\S*\d\S*", a)), set(re.findall(r"\S*\d\S*", b))) for a, b in
                  frame.select("text_a", "text_b").iter_rows()]  # fmt: skip
        return frame.filter(pl.Series([bool(a - b) and bool(b - a) for a, b in digits], dtype=pl.Boolean))

    products, sts = pairs(corpora, "product_match"), pairs(corpora, "sts_pairs")
    return [
        *close(differing(products.filter(pl.col("label") == "0")), "product_match", 0.55, 170),
        *close(sts.filter((pl.col("subset") == "mrpc") & (pl.col("label") == "0")), "mrpc", 0.5, 90),
        *close(sts.filter(pl.col("subset") == "comve"), "comve", 0.5, 110),
        *close(sts.filter((pl.col("subset") == "sick") & (pl.col("entail") == "CONTRADICTION")), "sick", 0.6, 60),
    ]


def siblings(texts: Texts) -> list[tuple[str, str, str]]:
    """Return news briefs that share wording and report other figures."""
    briefs = texts.pools["brief"]
    close = checks.overlaps(checks.Grams().of([t for t, _ in briefs], 3)).filter(pl.col("share").is_between(0.2, 0.45))
    found, used = [], set()
    for a, b in close.select("a", "b").iter_rows():
        x, y = (set(re.findall(r"\d+", re.sub(r"#\d+", "", briefs[i][0]))) for i in (a, b))
        if x - y and y - x and not used & {a, b} and len(found) < 60:
            used |= {a, b}
            found.append(("agnews siblings", briefs[a][0], briefs[b][0]))
    texts.pools["brief"] = [entry for i, entry in enumerate(briefs) if i not in used]
    return found


def type_f(texts: Texts, corpora: Path, shells: list[tuple[list[str], list[str]]], rng: Random) -> list[Doc]:
    docs: list[Doc] = []
    used: set[str] = set()
    for i, (source, a, b) in enumerate([*real_pairs(corpora), *siblings(texts)]):
        if not used & {ops.plain(a), ops.plain(b)}:
            used |= {ops.plain(a), ops.plain(b)}
            docs += [Doc(t, "F", f"F/{i}", "protected", source, source, t) for t in (a, b)]
    names = ["headline", "brief", "brief", "opinion", "line", "post"]
    tried = 0
    while tried < 160:
        text, source = texts.take(rng.choice(names), 45, 320)
        made = {op: swap(text, rng) for op, swap in sorted(ops.SWAPS.items())}
        changed = [(op, new) for op, new in made.items() if ops.plain(new) != ops.plain(text)]
        if not changed:
            continue
        versions = [("original", text), *rng.sample(changed, min(len(changed), rng.randint(1, 2)))]
        docs += [Doc(t, "F", f"F/s{tried}", "protected", f"swapped {op}", source, t) for op, t in versions]
        tried += 1
    for i, template in enumerate(ops.TEMPLATES):
        forms = [ops.refill(template, rng) for _ in range(rng.randint(9, 16))]
        docs += [Doc(t, "F", f"F/t{i}", "protected", "refilled form", "made", t) for t in forms]
    for i, where in enumerate(rng.sample(shells, 9)):
        for _ in range(7):
            text, source = texts.take(rng.choice(["brief", "radio"]), 150, 1500)
            page = in_template(text, where, rng.uniform(0.25, 0.6), rng)
            docs.append(Doc(page, "F", f"F/p{i}", "protected", "page siblings", source, text))
    return docs


BACKGROUND = {
    "news": 300, "brief": 800, "review": 280, "opinion": 500, "headline": 350, "verdict": 250, "line": 450,
    "slovene": 400, "radio": 250, "post": 350, "script": 120, "article": 60, "tale": 15, "tweet": 150,
}  # fmt: skip


def background(texts: Texts, pages: pl.DataFrame) -> list[Doc]:
    taken = [texts.take(name) for name, count in BACKGROUND.items() for _ in range(min(count, len(texts.pools[name])))]
    taken += [(text, source) for text, source in pages.select("full", "source").iter_rows() if len(text) < 60000][:320]
    return [Doc(t, "background", None, "background", "", source, t) for t, source in taken if len(t) >= 20]


# --- checks ---


def losers(docs: list[Doc], report: Counter[str]) -> set[int]:
    """Return places of documents whose label an exact look at the words contradicts."""
    rank = {"background": 0, "E": 1, "F": 2, "D": 3, "A": 4, "C": 5, "B": 6}
    first: dict[str, int] = {}
    for i, doc in enumerate(docs):
        if doc.kind in "ABC" or (doc.kind == "D" and doc.role == "parent"):
            first.setdefault(f"{doc.kind}{doc.group}", i)
    chosen = [i for i, d in enumerate(docs) if d.kind in ("E", "F", "background") or i in first.values()]
    cores = [ops.plain(docs[i].core) for i in chosen]
    short = np.array([len(core.split()) < 60 for core in cores])
    grams = checks.Grams()
    long_pairs = checks.overlaps(grams.of(cores, 8)).filter((pl.col("share") >= 0.3) & (pl.col("shared") >= 3))
    few = checks.overlaps(grams.of([core if s else "" for core, s in zip(cores, short, strict=True)], 3), 200)
    same = defaultdict(list)
    for k, core in enumerate(cores):
        same[core].append(k)
    equal = [(ks[0], k) for ks in same.values() for k in ks[1:]]
    found = [*long_pairs.select("a", "b").iter_rows(), *few.filter(pl.col("share") >= 0.5).select("a", "b").iter_rows()]
    out: set[int] = set()
    for a, b in [*found, *equal]:
        x, y = docs[chosen[a]], docs[chosen[b]]
        if x.group is not None and (x.kind, x.group) == (y.kind, y.group) and (a, b) not in equal:
            continue
        loser = min((rank[x.kind], chosen[a]), (rank[y.kind], chosen[b]))[1]
        if loser not in out and max(a, b) is not None:
            out.add(loser)
            report[f"dropped {docs[loser].kind} (shares wording with {(y if loser == chosen[a] else x).kind})"] += 1
    return out


def unlabelled(docs: list[Doc], least: int = 5, size: int = 12) -> set[int]:
    """Return places of E, F and background documents with an unlabelled passage that many documents share."""
    grams = checks.Grams().of([doc.text for doc in docs], size)
    units = {}
    unit = np.array([units.setdefault(doc.group or i, len(units)) for i, doc in enumerate(docs)])
    wide = checks.widespread(grams, unit, least)
    out = set()
    for (place,), rows in wide.group_by("doc", maintain_order=True):
        doc = docs[int(place)]  # type: ignore[call-overload]
        if doc.kind in "ABCD" or doc.operator in ("refilled form", "page siblings"):
            continue
        spans = checks.word_spans(doc.text.lower() if len(doc.text.lower()) == len(doc.text) else doc.text)
        inside = np.zeros(len(spans), bool)
        for _, start, end, _ in doc.spans:
            inside |= (spans[:, 0] >= start) & (spans[:, 1] <= end)
        held = np.concatenate([[0], inside.cumsum()])
        word = rows["word"].to_numpy()
        if (held[word + size] - held[word] < size / 2).any():
            out.add(int(place))  # type: ignore[call-overload]
    return out


def pruned(docs: list[Doc], out: set[int]) -> list[Doc]:
    """Leave documents out, whole groups of A to D with them and look-alikes left alone."""
    lost = {(docs[i].kind, docs[i].group) for i in out if docs[i].kind in "ABCD"}
    kept = [d for i, d in enumerate(docs) if i not in out and (d.kind, d.group) not in lost]
    alone = {group for group, n in Counter(d.group for d in kept if d.kind == "F").items() if n < 2}
    return [d for d in kept if not (d.kind == "F" and d.group in alone)]


def checked(docs: list[Doc], report: Counter[str]) -> list[Doc]:
    """Repeat the checks until nothing is found; fragments of fewer than five hosts are background then."""
    for _ in range(6):
        before = len(docs)
        docs = pruned(docs, losers(docs, report))
        hosts = Counter(name for d in docs for name in {s[0] for s in d.spans})
        rare = {i for i, d in enumerate(docs) if any(hosts[s[0]] < 6 for s in d.spans)}
        report["dropped E (fragment with few hosts)"] += len(rare)
        docs = pruned(docs, rare)
        out = unlabelled(docs)
        for i in out:
            report[f"dropped {docs[i].kind} (unlabelled fragment)"] += 1
        docs = pruned(docs, out)
        if len(docs) == before:
            return docs
    return docs


def barred_by(corpora: Path) -> Callable[..., np.ndarray]:
    """Return a test for texts that share wording with a labelled split beside the corpora."""
    splits = sorted((corpora / ".." / "benchmark").glob("*/documents.parquet"))
    known = [ops.plain(text) for path in splits for text in pl.read_parquet(path)["text"]]
    grams = checks.Grams()
    eight, whole = grams.of(known, 8), set(known)

    def barred(texts: list[str], most: float = 0.1) -> np.ndarray:
        plain = [ops.plain(text) for text in texts]
        share = np.zeros(len(plain))
        met = checks.foreign(grams.of(plain, 8), eight)
        share[met["doc"].to_numpy()] = met["share"].to_numpy()
        return (share > most) | np.array([text in whole for text in plain], bool)

    return barred


def build(corpora: Path, seed: int) -> tuple[list[Doc], Counter[str]]:
    report: Counter[str] = Counter()
    texts, pages = load(corpora, seed)
    barred = barred_by(corpora)
    texts.shuffle(barred)
    met = pl.Series(barred(pages["full"].to_list(), 0.3))  # pages of one site share their menus
    report["pages left out (wording of another split)"] = int(met.sum())
    pages = pages.filter(~met).sample(fraction=1, shuffle=True, seed=seed)
    whole = pages.filter(pl.col("main").is_not_null())
    rest = pages.filter(pl.col("main").is_null())
    rng = Random(seed)
    lent = rest.head(150)
    shells = [s for page in lent["full"] if (s := shell(page))]
    shared = rest.tail(-150)
    docs = type_a(texts, whole, shells, rng)
    docs += type_b(texts, rng) + type_c(texts, rng) + type_d(texts, rng)
    docs += type_e(texts, shared, rng) + type_f(texts, corpora, shells, rng)
    hosts = {d.text for d in docs}
    docs += background(texts, shared.filter(~pl.col("full").is_in(list(hosts))))
    met = barred([doc.core for doc in docs])
    docs = pruned(docs, {i for i, doc in enumerate(docs) if doc.kind == "F" and met[i]})
    docs = checked(docs, report)
    rng.shuffle(docs)
    return docs, report


def write(docs: list[Doc], report: Counter[str], out: Path, seed: int) -> None:
    out.mkdir(parents=True, exist_ok=True)

    def named(text: str) -> str:
        return blake2b(f"{seed}/{text}".encode(), digest_size=6).hexdigest()

    ids = [named(f"{i}/{doc.text}") for i, doc in enumerate(docs)]
    groups = [f"g{named(f'{d.kind}/{d.group}')[:10]}" if d.group else None for d in docs]
    genre = [re.sub(r"^(nltk_data:|pypi:|npm:)", "", doc.source).split("/")[0] for doc in docs]
    none = pl.Series("url", [None] * len(docs), dtype=pl.String)
    pl.DataFrame({"doc_id": ids, "text": [d.text for d in docs], "source": genre}).with_columns(none).write_parquet(
        out / "documents.parquet", compression="zstd"
    )
    kinds, roles = [d.kind for d in docs], [d.role for d in docs]
    truth = pl.DataFrame({"doc_id": ids, "type": kinds, "group_id": groups, "role": roles})
    truth.write_parquet(out / "truth.parquet")
    rows = [(name, i, a, b, exact) for i, doc in zip(ids, docs, strict=True) for name, a, b, exact in doc.spans]
    columns = {"fragment_id": pl.String, "doc_id": pl.String, "start": pl.Int64, "end": pl.Int64, "exact": pl.Boolean}
    fragments = pl.DataFrame(rows, schema=columns, orient="row")
    fragments.write_parquet(out / "fragments.parquet")
    operators = [f"{d.kind}/{d.operator}" for d in docs]
    truth.with_columns(operator=pl.Series(operators)).write_parquet(out / "operators.parquet")
    (out / "card.md").write_text(card(docs, fragments, report, seed))


def card(docs: list[Doc], fragments: pl.DataFrame, report: Counter[str], seed: int) -> str:
    size = sum(len(d.text.encode()) for d in docs) / 1e6
    lines = ["# second", "", f"{len(docs)} documents, {size:.1f} MB of text, seed {seed}", ""]
    lines += ["| type | documents | groups | largest group |", "| --- | --- | --- | --- |"]
    for kind in ("A", "B", "C", "D", "E", "F", "background"):
        groups = Counter(d.group for d in docs if d.kind == kind and d.group)
        largest = max(groups.values(), default="")
        lines.append(f"| {kind} | {sum(d.kind == kind for d in docs)} | {len(groups) or ''} | {largest} |")
    inexact = fragments.filter(~pl.col("exact")).height
    names = fragments["fragment_id"].n_unique()
    lines += ["", f"Fragments: {names}, occurrences {fragments.height} ({inexact} inexact).", ""]
    lines += ["Checks: " + "; ".join(f"{name}: {n}" for name, n in sorted(report.items()) if n), ""]
    lines += ["Texts keep the licences of their sources: research use only, do not publish.", "", "## Operators", ""]
    counted = Counter(f"{d.kind} {name}" for d in docs if d.kind != "background" for name in d.operator.split("+"))
    lines += [f"- {name}: {n}" for name, n in sorted(counted.items())]
    lines += ["", "## Sources", ""]
    lines += [f"- {name}: {n}" for name, n in sorted(Counter(f"{d.kind} {d.source}" for d in docs).items())]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    docs, report = build(given.corpora, given.seed)
    write(docs, report, given.out, given.seed)
    print((given.out / "card.md").read_text())


if __name__ == "__main__":
    main()
