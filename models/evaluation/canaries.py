"""Canaries: planted documents of known fate, duplicates of types A to E and P, look-alikes (F) and neighbours (N).

They ride along in the working tables of every run, are never published, and estimate S_A … S_E, preservation and
precision where real documents have no labels. Most are made from the corpus itself (`models.evaluation.planting`). For
a corpus too small for that, or without material for a type, there are `canaries`: their base texts, invented for this
and found nowhere else, stand in `canaries.txt` under `== kind` lines: `passage` and `host` (prose), `short`, `fragment`
(viral passages), `site` (page templates around `{body}`), `lookalike` (records whose `{x|y}` holds one alternative
per record) and `rewrite` (a text, the same in other words, and the same with another fact, parted by `--` lines; nobody
can make these by rules, so no corpus gives its own). Each base text serves one group only, so that no two groups are
duplicates of each other.

A label is `<type>/<group>/<role>`; behind the role of a host stand `@` and where viral passages are, as
`<passage>:<start>-<end>` in code points. Everything here is deterministic.
"""

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from itertools import combinations
from typing import NamedTuple

import polars as pl

from models.evaluation.intervals import Rate, independent_cases, wilson
from models.evaluation.metrics import containments, cuttings, deletions, fates_of, preservations

PREFIX = "__canary__/"
"""Every canary's document id begins with it; no real document's may."""

GROUPS = 6
"""Groups of each of types A, B and D that are built in."""

FEWEST, PASSAGES = 6, 2
"""Groups, and viral passages, that a corpus must give: else the built-in ones of that type are planted, too."""

TELLING = 10
"""Cases from which a share says something: a small corpus or a night has two passages that may be cut."""
SLACK = 0.05
"""By which a corpus may be harder than those that the shipped figures were measured on."""

TYPES = {f"S_{kind}": kind for kind in "ABCDEP"} | {"preservation": "F", "neighbours": "N", "listed": "P"}
"""Type of the planted documents that each score is about."""

_HOMOGLYPHS = str.maketrans("aeopcxy", "аеорсху")
_LEET = str.maketrans("aeiot", "43107")


class Planted(NamedTuple):
    """How one kind of planted documents fared.

    Attributes:
        score: S_A … S_E (`eq:deletion_recall`, `eq:containment_acc`, `eq:fragment_rate`), `preservation`
            (`eq:circuit_breaker`), `neighbours` (those of type N that are kept), `precision`: of the planted documents
            that were removed, those that went in favour of a duplicate; S_P, of the planted rewrites those that were
            listed, and `listed`: of planted documents listed as rewrites of each other, the pairs that are.
        documents: planted documents that it is about.
        cases: removals, cuts or documents that could go right.
        right: those that did.
        independent: cases that would tell as much if none had anything to do with another; None: all of them.
    """

    score: str
    documents: int
    cases: int
    right: int
    independent: float | None = None

    @property
    def rate(self) -> Rate | None:
        """Share that went right with its 95 % interval; None where there was no case.

        It speaks of what was planted: changes of every family that is known, as often one as another. How often each
        is made to the documents of the corpus, nobody knows, and the interval does not hold that doubt.
        """
        trials = self.cases if self.independent is None else self.independent
        return wilson(self.right / self.cases * trials, trials) if self.cases else None

    @property
    def far_below(self) -> bool:
        """Is the whole interval more than `SLACK` below the figure that this version was shipped with?

        Of fewer cases than `TELLING` nobody can tell.
        """
        known, rate = shipped().get(self.score), self.rate
        if known is None or rate is None or self.cases < TELLING:
            return False
        return bool(rate.high < known - SLACK)

    def plain(self) -> dict[str, str | int | float | bool | None]:
        """All of it, for the manifest."""
        rate = self.rate
        return {
            **self._asdict(),
            "share": rate and rate.share,
            "low": rate and rate.low,
            "high": rate and rate.high,
            "shipped": shipped().get(self.score),
            "far_below": self.far_below,
        }


@cache
def shipped() -> Mapping[str, float]:
    """What each score was on the corpora that this version was measured on; `shipped.json` says by which command."""
    told = json.loads((files(__package__) / "shipped.json").read_text(encoding="utf-8"))
    scores: dict[str, float] = told["scores"]
    return scores


def canaries() -> pl.DataFrame:
    """Return the built-in planted documents: canary_id (str, the document id), text (str), canary (str, the label)."""
    texts = _base_texts()
    passages = texts["passage"]
    a, b, d = (passages[first : first + GROUPS] for first in (0, GROUPS, 2 * GROUPS))
    hosts = [_labelled(text, texts["fragment"]) for text in _hosts(texts["host"], *texts["fragment"])]
    planted = {
        **_groups("A", [_wrapped(text, pair) for text, pair in zip(a, combinations(texts["site"], 2), strict=True)]),
        **_groups("B", [_edited(text, number) for number, text in enumerate(b)]),
        **_groups("C", [_perturbed(text, number) for number, text in enumerate(texts["short"])]),
        **_groups("D", [_excerpts(text) for text in d]),
        **_groups("E", hosts),
        **_groups("F", [_records(template) for template in texts["lookalike"]]),
        **_rewrites(texts["rewrite"]),
    }
    return named(pl.DataFrame({"canary": list(planted), "text": list(planted.values())}))


def named(planted: pl.DataFrame) -> pl.DataFrame:
    """Give planted documents (`canary`, `text`) their ids: canary_id, text, canary."""
    return planted.select(canary_id=PREFIX + pl.col("canary"), text="text", canary="canary")


def with_built_in(planted: pl.DataFrame, *, rewrites: bool = True) -> pl.DataFrame:
    """Add the built-in documents of each type of which a corpus gave fewer than `FEWEST` groups.

    Args:
        planted: canary, text, as `models.evaluation.planting.plant` makes them.
        rewrites: plant them, too; all of them are built in.

    Returns:
        canary_id, text, canary.
    """
    parts = planted.select(pl.col("canary").str.split("/"))["canary"]
    groups = pl.DataFrame({"type": parts.list.get(0), "group": parts.list.get(1)}).unique()
    enough = dict(groups.group_by("type").len().iter_rows())
    own = canaries()
    wanted = "ABCDEFP" if rewrites else "ABCDEF"
    short = [kind for kind in wanted if enough.get(kind, 0) < (PASSAGES if kind == "E" else FEWEST)]
    return pl.concat([named(planted), own.filter(own["canary"].str.head(1).is_in(short))])


def truth(planted: pl.DataFrame | None = None) -> pl.DataFrame:
    """Return labels of planted documents in the benchmark's format: doc_id, type, group_id, role.

    Args:
        planted: canary_id, canary; None: the built-in ones.
    """
    parts = pl.col("canary").str.split("/")
    role = parts.list.get(2).str.split("@").list.get(0)
    return (canaries() if planted is None else planted).select(
        doc_id="canary_id",
        type=parts.list.get(0),
        group_id=parts.list.slice(0, 2).list.join("/"),
        role=role.str.strip_chars_end("0123456789"),
    )


def fragments(planted: pl.DataFrame | None = None) -> pl.DataFrame:
    """Return where viral passages stand: fragment_id, doc_id, start, end in code points, one row per occurrence.

    Args:
        planted: canary_id, canary; None: the built-in ones.
    """
    rows = [
        (f"{'own' if '-' in label.split('/')[1] else 'built-in'} {passage}", canary_id, start, end)
        for canary_id, label in (canaries() if planted is None else planted).select("canary_id", "canary").iter_rows()
        for passage, start, end in _passages(label)
    ]
    kinds = {"fragment_id": pl.String, "doc_id": pl.String, "start": pl.Int64, "end": pl.Int64}
    return pl.DataFrame(rows, schema=kinds, orient="row").sort("fragment_id", "doc_id")


def _passages(label: str) -> list[tuple[str, int, int]]:
    told = label.split("@")[1:]
    parts = [re.split("[:-]", one) for one in told]
    return [(passage, int(start), int(end)) for passage, start, end in parts]


def estimate(
    planted: pl.DataFrame,
    decisions: pl.DataFrame,
    spans: pl.DataFrame,
    copies: int = 0,
    rewrites: pl.DataFrame | None = None,
) -> list[Planted]:
    """Estimate how good the run was from what became of the planted documents.

    Args:
        planted: canary_id, canary.
        decisions: doc_id, action (keep, remove, edit), survivor_id, n_chars; rows of other documents are left out.
        spans: doc_id, start, end (code points of the original), cut (bool); likewise.
        copies: of each viral passage that the run leaves on purpose.
        rewrites: a_id, b_id of the pairs that were listed; None where nobody looked.

    Returns:
        One row per score; of a type that was not planted none.

    Raises:
        ValueError: a planted document has no decision, or more than one.
    """
    labels = truth(planted)
    fates = fates_of(labels, decisions)
    units = {f"S_{kind}": deletions(fates, kind) for kind in "ABC"}
    units["S_D"] = containments(fates)
    cuts = cuttings(fragments(planted), fates, spans)
    possible = (pl.col("possible") - copies).clip(lower_bound=0)
    units["S_E"] = cuts.select("unit", possible=possible, earned=pl.min_horizontal("earned", possible))
    units["preservation"] = preservations(fates)
    neighbours = fates.filter(pl.col("type") == "N")
    units["neighbours"] = neighbours.select(unit="doc_id", earned=pl.col("kept").cast(pl.Int64), possible=pl.lit(1))
    units["precision"] = _precision(fates)
    if rewrites is not None:
        units |= _listings(labels, rewrites)
    counted = dict(labels.group_by("type").len().iter_rows())
    found = []
    for score, frame in units.items():
        documents = labels.height if score == "precision" else counted.get(TYPES[score], 0)
        if documents:
            right, cases = (frame[name].cast(pl.Int64).to_numpy() for name in ("earned", "possible"))
            told = independent_cases(right, cases)
            found.append(Planted(score, documents, int(cases.sum()), int(right.sum()), told))
    return found


def _precision(fates: pl.DataFrame) -> pl.DataFrame:
    """Each removed document, and whether it went in favour of one of its group that is a duplicate of it."""
    others = fates.select(survivor_id="doc_id", survivor_group="group_id")
    removed = fates.filter(~pl.col("kept")).join(others, on="survivor_id", how="left", maintain_order="left")
    right = pl.col("type").is_in(["A", "B", "C", "D", "P"]) & (pl.col("group_id") == pl.col("survivor_group"))
    wrong_side = (pl.col("type") == "D") & (pl.col("role") == "parent")
    return removed.select(
        unit="doc_id", earned=(right.fill_null(value=False) & ~wrong_side).cast(pl.Int64), possible=pl.lit(1)
    )


def _listings(labels: pl.DataFrame, rewrites: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Each planted rewrite, and whether it was listed; each pair of planted documents that was, and whether rightly."""
    rewritten = labels.filter((pl.col("type") == "P") & (pl.col("role") != "lookalike"))
    a, b = (labels.select(pl.col("doc_id").alias(f"{side}_id"), pl.col("group_id").alias(side)) for side in ("a", "b"))
    pairs = rewrites.join(a, on="a_id").join(b, on="b_id")
    right = (pl.col("a") == pl.col("b")) & pl.col("a").str.starts_with("P/")
    found = pairs.filter(right)["a"].unique()
    one = pl.lit(1, pl.Int64)
    groups = rewritten.select(unit="group_id").unique(maintain_order=True)
    return {
        "S_P": groups.with_columns(earned=pl.col("unit").is_in(found.implode()).cast(pl.Int64), possible=one),
        "listed": pairs.select(unit="a_id", earned=right.cast(pl.Int64), possible=one),
    }


def _base_texts() -> dict[str, list[str]]:
    lines = (files(__package__) / "canaries.txt").read_text(encoding="utf-8")
    blocks = re.split(r"^== (\w+)\n", lines, flags=re.MULTILINE)[1:]
    texts: dict[str, list[str]] = {}
    for kind, text in zip(blocks[::2], blocks[1::2], strict=True):
        texts.setdefault(kind, []).append(text.strip())
    return texts


def _groups(kind: str, groups: list[dict[str, str]]) -> dict[str, str]:
    return {f"{kind}/{number}/{role}": text for number, group in enumerate(groups) for role, text in group.items()}


def _wrapped(text: str, sites: tuple[str, str]) -> dict[str, str]:
    """Type A: the same passage in two sites."""
    return {f"variant{number}": site.replace("{body}", text) for number, site in enumerate(sites)}


def _edited(text: str, number: int) -> dict[str, str]:
    """Type B: the passage again with a header, with a stamp, and with typing errors under another header."""
    return {
        "canonical": text,
        "variant0": f"Passed round the reading circle, sheet {number + 3}\n\n{text}",
        "variant1": f"{text}\n\n[stamped {number + 11}.02. at the enquiry desk, copy {7 * number + 2}]",
        "variant2": f"FWD: worth reading ({number + 1})\n{_typos(text, every=25)}",
    }


def _perturbed(text: str, number: int) -> dict[str, str]:
    """Type C: the short text and two of the six perturbations, which take turns."""
    operators: list[Callable[[str], str]] = [_leet, _typos, _spaced, _zero_width, _homoglyphs, _emoji]
    first, second = (operators[(2 * number + turn) % len(operators)] for turn in (0, 1))
    return {"canonical": text, "variant0": first(text), "variant1": second(text)}


def _excerpts(text: str) -> dict[str, str]:
    """Type D: the passage, a run of its sentences that leaves out the first, and its last sentences."""
    sentences = re.split(r"(?<=[.!?]) ", text)
    half = len(sentences) // 2
    return {"parent": text, "child0": " ".join(sentences[1 : half + 1]), "child1": " ".join(sentences[half + 1 :])}


def _labelled(text: str, passages: list[str]) -> dict[str, str]:
    """A host under its role, which says where the passages stand in it."""
    places = [(number, text.find(passage), len(passage)) for number, passage in enumerate(passages)]
    told = "".join(f"@{number}:{start}-{start + length}" for number, start, length in places if start >= 0)
    return {f"host{told}": text}


def _hosts(texts: list[str], last: str, first: str) -> list[str]:
    """Type E: the first seven hosts end in one viral passage, the last seven begin with the other."""
    ending = [f"{text}\n\n{last}" if number < 7 else text for number, text in enumerate(texts)]
    return [f"{first}\n\n{text}" if number >= len(texts) - 7 else text for number, text in enumerate(ending)]


def _records(template: str) -> dict[str, str]:
    """Type F: one record per alternative of the template."""
    choices = [found.split("|") for found in re.findall(r"\{(.*?)\}", template)]
    frame = re.sub(r"\{.*?\}", "{}", template)
    return {f"lookalike{n}": frame.format(*record) for n, record in enumerate(zip(*choices, strict=True))}


def _rewrites(blocks: list[str]) -> dict[str, str]:
    """Type P: a text, the same in other words, and in a group of its own the same with another fact."""
    planted: dict[str, str] = {}
    for number, block in enumerate(blocks):
        text, same, other = re.split(r"\n--\n", block)
        planted |= {f"P/{number}/canonical": text, f"P/{number}/variant0": same, f"P/other{number}/lookalike0": other}
    return planted


def _on_words(text: str, every: int, change: Callable[[str], str]) -> str:
    """Apply `change` to each `every`th word of at least five characters, beginning with the first."""
    words = text.split(" ")
    long_words = [number for number, word in enumerate(words) if len(word) >= 5]
    for number in long_words[::every]:
        words[number] = change(words[number])
    return " ".join(words)


def _typos(text: str, every: int = 4) -> str:
    return _on_words(text, every, lambda word: word[:2] + word[3] + word[2] + word[4:])


def _leet(text: str) -> str:
    return _on_words(text, 2, lambda word: word[0] + word[1:].translate(_LEET))


def _spaced(text: str) -> str:
    return _on_words(text, 4, lambda word: f"{word[:3]} {word[3:]}").replace(", ", " ,  ")


def _zero_width(text: str) -> str:
    return _on_words(text, 2, lambda word: f"{word[:2]}\u200b{word[2:]}")


def _homoglyphs(text: str) -> str:
    return _on_words(text, 2, lambda word: word[0] + word[1:].translate(_HOMOGLYPHS))


def _emoji(text: str) -> str:
    return f"{_on_words(text, 5, lambda word: word + ' 🙃')} 🎈🎈"
