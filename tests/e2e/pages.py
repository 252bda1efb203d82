"""Pages of the UI as a browser draws them: their text, and pictures of them."""

import os
import re
import shutil
import subprocess
import tempfile
from html import unescape
from pathlib import Path

BROWSER = shutil.which("chromium")
PATIENCE = 20_000
"""Milliseconds of its own clock that the browser gives a page to fetch and draw."""


def text(url: str) -> str:
    """Words of a page as it stands once its scripts have run, without mark-up."""
    page = _browse(url, "--dump-dom").stdout
    bare = re.sub(r"<(style|script)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", bare)).split())


def picture(url: str, path: Path, width: int = 1500, height: int = 960) -> None:
    """Draw a page as PNG."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    _browse(url, f"--screenshot={path}", f"--window-size={width},{height}", "--hide-scrollbars")
    assert path.stat().st_size, f"{url} was not drawn"


def _browse(url: str, *options: str) -> subprocess.CompletedProcess[str]:
    assert BROWSER
    root = ["--no-sandbox"] if not os.getuid() else []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        own = [f"--user-data-dir={profile}", f"--virtual-time-budget={PATIENCE}", "--headless", "--disable-gpu"]
        words = [BROWSER, *own, *root, "--no-first-run", *options, url]
        return subprocess.run(words, capture_output=True, text=True, check=True, timeout=180)
