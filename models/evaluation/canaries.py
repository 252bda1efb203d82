"""Planted documents whose fate is known beforehand: duplicates of types A to E, and look-alikes (type F).

They ride along in the working tables of every run, are never published, and estimate S_A … S_E and preservation where
real documents have no labels. The base texts, invented for this and found nowhere else, stand in `canaries.txt` under
`== kind` lines: `passage` and `host` (prose), `short`, `fragment` (viral passages), `site` (page templates around
`{body}`) and `lookalike` (records whose `{x|y}` holds one alternative per record). Each base text serves one group
only, so that no two groups are duplicates of each other. Everything here is deterministic.
"""

import re
from collections.abc import Callable
from importlib.resources import files
from itertools import combinations

import polars as pl

from models.evaluation.metrics import evaluate

PREFIX = "__canary__/"
"""Every canary's document id begins with it; no real document's may."""

GROUPS = 6
"""Groups of each of types A, B and D."""

_HOMOGLYPHS = str.maketrans("aeopcxy", "аеорсху")
_LEET = str.maketrans("aeiot", "43107")


def canaries() -> pl.DataFrame:
    """Return the planted documents: canary_id (str, the document id), text (str), canary (str).

    `canary` is `<type>/<group>/<role>`, unique per document, and `canary_id` is the same behind `PREFIX`.
    """
    texts = _base_texts()
    passages = texts["passage"]
    a, b, d = (passages[first : first + GROUPS] for first in (0, GROUPS, 2 * GROUPS))
    planted = {
        **_groups("A", [_wrapped(text, pair) for text, pair in zip(a, combinations(texts["site"], 2), strict=True)]),
        **_groups("B", [_edited(text, number) for number, text in enumerate(b)]),
        **_groups("C", [_perturbed(text, number) for number, text in enumerate(texts["short"])]),
        **_groups("D", [_excerpts(text) for text in d]),
        **_groups("E", [{"host": text} for text in _hosts(texts["host"], *texts["fragment"])]),
        **_groups("F", [_records(template) for template in texts["lookalike"]]),
    }
    frame = pl.DataFrame({"canary": list(planted), "text": list(planted.values())})
    return frame.select(canary_id=PREFIX + pl.col("canary"), text="text", canary="canary")


def truth() -> pl.DataFrame:
    """Return the canaries' labels in the benchmark's format: doc_id, type, group_id, role."""
    parts = pl.col("canary").str.split("/")
    return canaries().select(
        doc_id="canary_id",
        type=parts.list.get(0),
        group_id=parts.list.slice(0, 2).list.join("/"),
        role=parts.list.get(2).str.strip_chars_end("0123456789"),
    )


def fragments() -> pl.DataFrame:
    """Return where the viral passages stand: fragment_id, doc_id, start, end in code points, one row per occurrence."""
    rows = [
        (str(number), canary_id, start, start + len(fragment))
        for number, fragment in enumerate(_base_texts()["fragment"])
        for canary_id, text, _ in canaries().iter_rows()
        if (start := text.find(fragment)) >= 0
    ]
    return pl.DataFrame(rows, schema=["fragment_id", "doc_id", "start", "end"], orient="row")


def estimate(decisions: pl.DataFrame, spans: pl.DataFrame) -> dict[str, float | None]:
    """Estimate the run's scores from what became of the canaries.

    Args:
        decisions: doc_id, action (keep, remove, edit), survivor_id, n_chars; rows of other documents are left out.
        spans: doc_id, start, end (code points of the original), cut (bool); likewise.

    Returns:
        S_A … S_E (`eq:deletion_recall`, `eq:containment_acc`, `eq:fragment_rate`) and `preservation`
        (`eq:circuit_breaker`), each in [0, 1]; None where every host of a viral passage was removed.

    Raises:
        ValueError: a canary has no decision, or more than one.
    """
    result = evaluate(truth(), fragments(), decisions, spans)
    return {f"S_{kind}": score for kind, score in result.scores.items()} | {"preservation": result.preservation}


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


def _hosts(texts: list[str], last: str, first: str) -> list[str]:
    """Type E: the first seven hosts end in one viral passage, the last seven begin with the other."""
    ending = [f"{text}\n\n{last}" if number < 7 else text for number, text in enumerate(texts)]
    return [f"{first}\n\n{text}" if number >= len(texts) - 7 else text for number, text in enumerate(ending)]


def _records(template: str) -> dict[str, str]:
    """Type F: one record per alternative of the template."""
    choices = [found.split("|") for found in re.findall(r"\{(.*?)\}", template)]
    frame = re.sub(r"\{.*?\}", "{}", template)
    return {f"lookalike{n}": frame.format(*record) for n, record in enumerate(zip(*choices, strict=True))}


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
