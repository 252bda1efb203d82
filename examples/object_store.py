"""Object store: a corpus behind a URL in, what stays behind another, in the files and the order of the input.

`python examples/object_store.py s3://bucket/corpus s3://bucket/clean` takes `pip install 'semhash-llm[s3]'` and the
credentials where boto looks for them; without arguments it works on folders.
"""

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import semhash_llm as sh

ROWS = [
    '{"id": "a", "text": "The tide turns at four, and the boats leave.", "page": 1}',
    '{"id": "b", "text": "No wind today; the boats stay in the harbour.", "page": 2}',
    '{"id": "c", "text": "The tide turns at four and the boats leave", "page": 3}',
]

with TemporaryDirectory() as place:
    if len(sys.argv) == 3:
        source, target = sys.argv[1:]
    else:
        source, target = f"{place}/corpus", f"{place}/clean"
        Path(source).mkdir()
        for number, row in enumerate(ROWS):
            (Path(source) / f"shard-{number}.jsonl").write_text(row + "\n")
    result = sh.deduplicate(source, out=f"{place}/published")
    print(result.export(target))
    if "://" not in target:
        written = [path.read_text() for path in sorted(Path(target).iterdir())]
        assert [json.loads(line) for line in written] == [json.loads(row) for row in ROWS[:2]]
