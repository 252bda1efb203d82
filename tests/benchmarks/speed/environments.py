"""Virtual environments of the peers, made by `venv` and `pip` from the package index, each peer in one of its own."""

import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import NamedTuple

WANTED = "requirements.txt"
LISTED = "versions.txt"


class Environment(NamedTuple):
    """A peer's environment: its python, and why it could not be made where that is so."""

    python: Path
    trouble: str = ""

    @property
    def versions(self) -> dict[str, str]:
        """Installed packages by name."""
        lines = (self.python.parents[1] / LISTED).read_text().split()
        return dict(line.lower().split("==", 1) for line in lines if "==" in line)


def environment(folder: Path, requirements: list[str]) -> Environment:
    """The environment in `folder`; made, or made anew where it holds something else than the requirements."""
    python, wanted = folder / "bin" / "python", "\n".join(requirements)
    if not ((folder / WANTED).exists() and (folder / WANTED).read_text() == wanted):
        base = Path(sysconfig.get_config_var("BINDIR")) / f"python{sys.version_info.major}"
        for step in (
            [base, "-m", "venv", "--clear", folder],
            [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements],
        ):
            done = subprocess.run(list(map(str, step)), capture_output=True, text=True)
            if done.returncode:
                return Environment(python, (done.stderr.strip() or done.stdout.strip()).splitlines()[-1])
        frozen = subprocess.run([str(python), "-m", "pip", "freeze"], capture_output=True, text=True, check=True)
        (folder / LISTED).write_text(frozen.stdout)
        (folder / WANTED).write_text(wanted)
    return Environment(python)
