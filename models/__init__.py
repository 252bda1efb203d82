"""The method of the paper: pure functions, kernels and networks (not ORM rows, not weights).

Nothing here knows of Prefect, DuckDB, the clock or any path beyond a bundle.
"""

import hashlib
import os
import sys
import tempfile
from pathlib import Path


def _kernel_cache() -> str:
    """Folder of compiled kernels for exactly this source.

    Numba looks at the file of a kernel alone, so after an update it would go on using a kernel that was compiled
    against the old version of another file.
    """
    source = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        source.update(path.read_bytes())
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = home / "semhash-llm" / f"kernels-{source.hexdigest()[:16]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return tempfile.mkdtemp(prefix="semhash-llm-kernels-")
    return str(folder)


os.environ.setdefault("NUMBA_CACHE_DIR", _kernel_cache())
if "numba" in sys.modules:
    sys.modules["numba"].config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"]
