"""Model card of a bundle: what it is, what it was made of, how good it is and what it cannot do."""

from typing import Any

from tasks.report.markdown import table
from tasks.training.documents.figures import Figures, figures

LIMITS = (
    "The student knows words, not sub-words: words outside its table share rows, and a script without spaces between "
    "words has few words it knows.",
    "It is no better than its teacher, and closest to it on text like the training data.",
    "The verifier learned from synthetic pairs. Its probabilities are calibrated on such pairs; measure it on labelled "
    "pairs of your own (`semhash-llm benchmark`) before you trust a threshold.",
    "Figures come from held-out documents of the same sources. Text of another kind will do worse.",
    "The licences of the training data are those of the sources above; none of their text is in these files except the "
    "hashes of frequent words.",
)


def card(known: dict[str, Any]) -> str:
    """The card as Markdown.

    Args:
        known: what `tasks.training.pack` writes as `metrics.json`.
    """
    documents = sum(one["documents"] for one in known["sources"])
    chars = sum(one["chars"] for one in known["sources"])
    size = sum(known["bytes"].values())
    files = "".join(f"- `{name}`, {number:,} bytes\n" for name, number in known["bytes"].items())
    return (
        f"# Bundle {known['bundle']}\n\n"
        "What SemHash-LLM learned from a corpus: a student encoder distilled from a sentence encoder, the hyperplanes "
        "of semantic projection hashing for the vectors of both, and the network that verifies pairs.\n\n"
        f"- Learned from {documents:,} documents, {chars:,} characters, seed {known['seed']}\n"
        f"- Teacher: `{known['teacher']}`\n"
        f"- Weights: {size / 1e6:.1f} MB as safetensors, no code\n"
        f"{files}"
        "- `bundle.json` vouches for these files; `metrics.json` holds every figure, `training.html` the curves of the "
        "losses\n\n"
        "Use it with `semhash-llm curate … --set encoder.bundle=FOLDER`.\n\n"
        + "".join(_table(one) for one in figures(known))
        + "## Limits\n\n"
        + "".join(f"- {limit}\n" for limit in LIMITS)
    )


def _table(one: Figures) -> str:
    return f"## {one.title}\n\n{one.note}\n\n{table(one.head, one.rows)}\n\n"
