"""What happened to a document and on what grounds, read from a snapshot: for a terminal, and the words for the report.

`archive` opens a snapshot, `differences` and `wording` put texts and findings into words, `terminal` wraps them to
lines; `kept` and `removed` each tell one fate.
"""

from tasks.explain.document import explain

__all__ = ["explain"]
