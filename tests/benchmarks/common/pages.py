"""Generated sections of pages: put between their marks, with the machine that the figures were taken on."""

import datetime
import os
import platform
import re
from pathlib import Path


def replace_section(document: Path, name: str, text: str) -> None:
    """Put a generated text between the marks of its section, or at the end of the file."""
    mark, end = f"<!-- {name}: generated -->", f"<!-- end of {name} -->"
    before = document.read_text() if document.exists() else ""
    made = f"{mark}\n\n{text.strip()}\n\n{end}"
    pattern = re.compile(f"{re.escape(mark)}.*?{re.escape(end)}", re.DOTALL)
    changed = pattern.sub(lambda _: made, before) if pattern.search(before) else f"{before.rstrip()}\n\n{made}\n"
    document.write_text(changed.lstrip("\n"))


def machine() -> str:
    """What the figures were taken on."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{os.cpu_count()} cores, {memory:.0f} GiB, {platform.system()}, {datetime.date.today()}"
