"""Build of a wheel: everything lies in `semhash_llm/`, so that no other name is taken where it is installed.

In the repository `flows`, `tasks`, `models`, `sql` and `data_contracts` stand at the top level. An installed copy must
claim no such names, and must not meet others' packages of those names: the wheel holds them inside the interface, and
their imports of each other name it. `tasks/pipeline/versions.py` reads them as they were, so tables keep their names.
"""

import re
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

NAME = "semhash_llm"
PACKAGES = ("flows", "tasks", "models", "sql", "data_contracts")
FROM = re.compile(rf"^(\s*from )({'|'.join(PACKAGES)})\b(?=[. ])", re.MULTILINE)
WHOLE = re.compile(rf"^(\s*)import ({'|'.join(PACKAGES)})$", re.MULTILINE)
DEPLOYED = re.compile(r"\b(?=(flows|tasks)\.\w)")
OTHER = re.compile(rf"^\s*import ({'|'.join(PACKAGES)})\b.+$", re.MULTILINE)


class Inside(build_py):
    """Packages of the repository, moved into that of the interface."""

    def run(self) -> None:
        """Build as ever, then move; an editable install goes on importing from the repository."""
        super().run()
        if self.editable_mode:
            return
        root = Path(self.build_lib) / NAME
        for name in PACKAGES:
            shutil.rmtree(root / name, ignore_errors=True)
            shutil.move(root.parent / name, root / name)
        for path in root.rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            if found := OTHER.search(text):
                raise SystemExit(f"{path}: '{found[0].strip()}' cannot be moved, write it as from … import …")
            path.write_text(WHOLE.sub(rf"\1from {NAME} import \2", FROM.sub(rf"\1{NAME}.\2", text)), encoding="utf-8")

        deployed = Path("prefect.yaml").read_text(encoding="utf-8")
        (root / "prefect.yaml").write_text(DEPLOYED.sub(f"{NAME}.", deployed), encoding="utf-8")


setup(cmdclass={"build_py": Inside})
