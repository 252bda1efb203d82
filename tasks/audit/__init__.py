"""Audit: people read a sample of what a run removed and cut; from their answers follow error rates with intervals.

`cases` draws the sample, `pages` puts each case together with where else its words stand, `dialogue`, `sheet` and
`document` show them on a terminal, in a spreadsheet and on a web page, `answers` keeps what people said, and `rates`
says what it means for the whole run.
"""

from tasks.audit.audit import export, listen, take_over, write_page
from tasks.audit.cases import Sizes

__all__ = ["Sizes", "export", "listen", "take_over", "write_page"]
