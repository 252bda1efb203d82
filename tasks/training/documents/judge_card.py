"""Judge section of the model card."""

import re
from typing import Any

from tasks.report.markdown import table

HEADING = "## Judge"

_KINDS = {
    "A": "whole documents, same content in another template", "B": "whole documents, lightly edited copy",
    "C": "short text with changed characters", "D": "whole documents, one within the other",
    "E": "whole documents that share a passage", "F": "look-alikes with other facts", "N": "unrelated neighbours",
    "reworded": "sentence in other words", "revised": "sentence as two versions of a document have it",
    "extended": "sentence, and the same with more", "changed": "sentence with another fact",
    "look-alike": "sentences that share many words", "neighbours": "sentences that follow each other",
    "reviewed": "pairs that people labelled",
}  # fmt: skip


def section(known: dict[str, Any]) -> str:
    """The section, out of what `metrics.json` holds about the judge."""
    kinds = [[_KINDS[one["operator"]], one["label"], f"{one['pairs']:,}"] for one in known["kinds"]]
    quality = [[name, f"{value:.3f}"] for name, value in known["quality"].items()]
    calibration = known["calibration"]
    return (
        f"{HEADING}\n\n"
        f"`judge.safetensors`, {known['bytes']:,} bytes, is a low-rank adapter (LoRA, float16) of `{known['model']}`, "
        f"id `{known['id']}`. It learned from {known['pairs']:,} pairs ({known['tokens']:,} tokens) "
        f"in {known['seconds']:,.0f} s, seed {known['seed']}; {known['held_out']:,} more, made of other documents, "
        f"set strength {calibration['strength']:.2f} and temperature {calibration['temperature']:.2f} of its "
        "calibration.\n\n"
        f"{table(['pairs', 'label', 'number'], kinds, words=2)}\n\n"
        f"{table(['on the pairs held out, three labels', 'value'], quality)}\n\n"
    )


def with_section(card: str, new: str) -> str:
    """A card with the section in place of an earlier one, before the steps or at the end."""
    bare = re.sub(rf"^{HEADING}\n.*?(?=^## |\Z)", "", card, flags=re.DOTALL | re.MULTILINE)
    before, steps, behind = bare.partition("## Steps\n")
    return f"{before}{new}{steps}{behind}" if steps else f"{bare.rstrip()}\n\n{new}".lstrip()
