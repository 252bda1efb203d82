"""Export of a published snapshot: documents, decisions or attributes, in the layout of the input or in our own.

A snapshot keeps its own layout, by which a refresh links what did not change; an export is a copy for its readers.
"""

from tasks.export.export import Export, export

__all__ = ["Export", "export"]
