"""Explanations from a snapshot: what happened to a document and why, for the terminal and the report.

`archive` opens a snapshot, `differences` and `wording` put texts and findings into words, `terminal` wraps them to
lines; `kept` and `removed` each tell one fate.
"""

from tasks.explain.document import explain

__all__ = ["explain"]
