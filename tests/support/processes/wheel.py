"""Wheel of this checkout, unpacked, and others' packages of our names beside it."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from tests.support import ROOT

PACKAGES = ("flows", "tasks", "models", "sql", "data_contracts")


def unpacked(folder: Path) -> Path:
    """Build the wheel; returns the folder into which it was unpacked."""
    left_out = shutil.ignore_patterns(".git", ".venv", "*.egg-info", "build", "dist", "__pycache__", ".*_cache")
    shutil.copytree(ROOT, folder / "source", ignore=left_out)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(folder)]
    subprocess.run([*command, str(folder / "source")], check=True, timeout=300)
    [wheel] = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder / "site")
    return folder / "site"


def beside_others(installed: Path, folder: Path) -> dict[str, str]:
    """Surroundings in which packages of our names that cannot be imported come before an installed copy."""
    for package in PACKAGES:
        (folder / package).mkdir()
        (folder / package / "__init__.py").write_text("raise RuntimeError('somebody else')\n")
    libraries = [path for path in sys.path if path.endswith("site-packages")]
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), str(installed), *libraries])}
