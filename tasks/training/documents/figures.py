"""What is known of a training as small tables of text, for the model card and for the page."""

from typing import Any, NamedTuple

from tasks.explain.wording import TYPES
from tasks.report.html import count

QUALITY = {
    "recall_80": "pairs of cosine ≥ 0.80 within 8 bits",
    "recall_90": "pairs of cosine ≥ 0.90 within 8 bits",
    "recall_95": "pairs of cosine ≥ 0.95 within 8 bits",
    "property_error_related": "error of Pr[bits equal] = (1 + cosine) / 2, cosine ≥ 0.5",
    "property_error": "the same, all pairs",
    "mean_bit": "bit frequency, mean distance from one half",
    "worst_bit": "the same, worst bit",
    "mean_bit_correlation": "correlation between bits, mean",
    "within_radius": "pairs within 8 bits",
    "within_radius_related": "of these, cosine ≥ 0.7",
    "pairs": "pairs in all",
}
AGREEMENT = {
    "passages": "passages",
    "cosine_mean": "cosine with the teacher's vector, mean",
    "cosine_p10": "the same, 10th percentile",
    "spearman": "rank correlation of pair cosines, random pairs",
    "spearman_same_document": "the same, passages of one document",
}
HEADS = {"measured": "pair head with measured features", "paper": "the paper's pair head"}
VERIFIER = {
    "auc": "area under the ROC curve",
    "accuracy": "accuracy at the learned thresholds",
    "ece": "expected calibration error",
    "brier": "Brier score",
}
KINDS = {**TYPES, "N": "unrelated neighbours"}


class Figures(NamedTuple):
    """A table: title, a sentence on how to read it, names of the columns (the first one holds words), cells."""

    title: str
    note: str
    head: list[str]
    rows: list[list[str]]


def figures(known: dict[str, Any]) -> list[Figures]:
    """All tables.

    Args:
        known: what `tasks.training.pack` writes as `metrics.json`.
    """
    return [
        _material(known),
        _agreement(known),
        _speed(known),
        _hashes(known),
        _pairs(known),
        _families(known),
        _heads(known),
        _steps(known),
    ]


def _material(known: dict[str, Any]) -> Figures:
    rows = [[one["source"] or "(no name)", count(one["documents"]), count(one["chars"])] for one in known["sources"]]
    note = "Documents that were learned from, without exact copies and without excluded sources."
    return Figures("Training data", note, ["source", "documents", "characters"], rows)


def _agreement(known: dict[str, Any]) -> Figures:
    found = known["facts"]["quality"]["agreement"]
    rows = [[words, number(found[name])] for name, words in AGREEMENT.items()]
    return Figures("Student against teacher", "Passages of documents that were held out.", ["measure", "value"], rows)


def _speed(known: dict[str, Any]) -> Figures:
    found = known["facts"]["quality"]["speed"]
    rows = [[name, number(found[name])] for name in ("student", "teacher")] + [["ratio", number(found["ratio"])]]
    note = (
        f"Documents per second of processor time, both on the same {count(found['documents'])} documents of "
        f"{count(found['words'])} words, one thread, in one process; the student reads up to 32 windows of a document, "
        "the teacher 2."
    )
    return Figures("Speed", note, ["encoder", "documents/s"], rows)


def _hashes(known: dict[str, Any]) -> Figures:
    found = known["facts"]["hashes"]
    columns = [(encoder, kind) for encoder in ("student", "teacher") for kind in ("learned", "random")]
    rows = [[words, *(number(found[one][kind].get(name)) for one, kind in columns)] for name, words in QUALITY.items()]
    head = ["all pairs of held-out passages", *(f"{encoder}, {kind}" for encoder, kind in columns)]
    return Figures("Semantic hashes", "64 learned hyperplanes beside 64 random ones, per encoder.", head, rows)


def _pairs(known: dict[str, Any]) -> Figures:
    missing = known["facts"]["pairs"]["missing"]
    made = {one["type"]: one for one in known["pairs"]}
    rows = [
        [
            f"{kind}: {KINDS.get(kind, '')}",
            "–" if kind not in made else "yes" if made[kind]["duplicate"] else "no",
            count(made[kind]["pairs"] if kind in made else 0),
            count(missing.get(kind, 0)),
        ]
        for kind in sorted({*made, *missing})
    ]
    note = "Made from the corpus itself; a type for which it has no material falls short of its share."
    if "documents" in known["facts"]["pairs"]:
        facts = known["facts"]["pairs"]
        note += f" {count(facts['documents'])} documents of {', '.join(facts['sources'])} were at hand."
    return Figures("Labelled pairs", note, ["type", "duplicate", "pairs", "missing"], rows)


def _families(known: dict[str, Any]) -> Figures:
    made = known["facts"]["pairs"].get("families", {})
    rows = [[family, count(number)] for family, number in sorted(made.items())]
    note = "By the family of the operator that came first; two or three are applied one upon the other."
    return Figures("Families of operators", note, ["family", "pairs"], rows)


def _heads(known: dict[str, Any]) -> Figures:
    found = {head: flattened(metrics) for head, metrics in known["facts"]["verifier"]["metrics"].items()}
    names = list(dict.fromkeys(name for metrics in found.values() for name in metrics))
    rows = [[VERIFIER.get(name, name), *(number(metrics.get(name)) for metrics in found.values())] for name in names]
    split = known["facts"]["verifier"]["pairs"]
    note = (
        f"Learned from {count(split['learn'])} pairs. The figures are of {count(split['choose'])} others, made of "
        f"other documents, on which the best epoch was chosen; {count(split['calibrate'])} more set calibration and "
        "thresholds."
    )
    return Figures("Verifier", note, ["measure", *(HEADS.get(head, head) for head in found)], rows)


def _steps(known: dict[str, Any]) -> Figures:
    rows = [[name, count(known["rows"][name]), f"{known['seconds'][name]:,.1f}"] for name in known["seconds"]]
    note = "Seconds of the run that finished a step; what an interrupted run had done before is not counted."
    return Figures("Steps", note, ["step", "rows", "seconds"], rows)


def flattened(values: dict[str, Any], prefix: str = "") -> dict[str, float | None]:
    """Numbers of nested dictionaries under joined names."""
    found: dict[str, float | None] = {}
    for name, value in values.items():
        joined = f"{prefix}{name}".replace("_", " ")
        found |= flattened(value, f"{joined}, ") if isinstance(value, dict) else {joined: value}
    return found


def number(value: float | None) -> str:
    """Counts whole, measures in as many digits as they are worth."""
    if value is None or value != value:
        return "–"
    return count(value) if isinstance(value, int) or abs(value) >= 100 else f"{value:.{1 if abs(value) >= 10 else 3}f}"
