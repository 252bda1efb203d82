"""The method of the paper: pure functions, kernels and networks (not ORM rows, not weights).

Nothing here knows of Prefect, DuckDB, the clock or any path beyond a bundle.
"""

import hashlib
import os
import sys
import tempfile
from pathlib import Path


def kernel_cache(models: Path, home: Path) -> Path:
    """Folder of compiled kernels for exactly this code.

    Numba looks at the file of a kernel alone, so after an update it would go on using a kernel that was compiled
    against the old version of another file. Comments and docstrings do not count; to leave them out takes a second,
    so the folder is noted under the hash of all bytes.

    Args:
        models: folder of the source.
        home: where folders of kernels are.

    Raises:
        OSError: the folder cannot be made.
    """
    sources = [path.read_bytes() for path in sorted(models.rglob("*.py"))]
    note = home / f"source-{hashlib.sha256(b''.join(sources)).hexdigest()[:16]}"
    if not note.exists():
        import ast

        from models.source import as_text, digest

        code = digest("".join(as_text(ast.parse(source).body) for source in sources))
        home.mkdir(parents=True, exist_ok=True)
        unfinished = note.with_name(f"{note.name}.{os.getpid()}")
        unfinished.write_text(f"kernels-{code}")
        unfinished.replace(note)
    folder = home / note.read_text()
    folder.mkdir(exist_ok=True)
    return folder


if "NUMBA_CACHE_DIR" not in os.environ:
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "semhash-llm"
    try:
        os.environ["NUMBA_CACHE_DIR"] = str(kernel_cache(Path(__file__).parent, home))
    except OSError:
        os.environ["NUMBA_CACHE_DIR"] = tempfile.mkdtemp(prefix="semhash-llm-kernels-")
if "numba" in sys.modules:
    sys.modules["numba"].config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"]
