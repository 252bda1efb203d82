"""On `PYTHONPATH`, this puts every process that another one spawns into a control group of its own with a limit."""

import os
import sys
from pathlib import Path

GROUPS = os.environ.get("SEMHASH_GROUPS", "")

if GROUPS and any("spawn_main" in word for word in sys.orig_argv):
    group = Path(GROUPS, str(os.getpid()))
    group.mkdir()
    (group / os.environ["SEMHASH_GROUP_LIMIT"]).write_text(os.environ["SEMHASH_WORKER_BYTES"])
    (group / "cgroup.procs").write_text(str(os.getpid()))
