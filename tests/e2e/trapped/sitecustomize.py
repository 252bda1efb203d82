"""On `PYTHONPATH`, this sets the trap that the file `SEMHASH_TRAP` describes in the next process that runs a flow."""

import os
import sys
from pathlib import Path

described = Path(os.environ.get("SEMHASH_TRAP", os.devnull))
if "prefect.engine" in sys.orig_argv and described.is_file():
    from tests.e2e.trap import set_from

    set_from(described)
