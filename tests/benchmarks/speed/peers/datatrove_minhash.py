"""datatrove's MinHash pipeline as documented: local executor, two tasks, default settings, its English tokeniser.

With a third argument `regex` words are cut by a regular expression instead, which is all but free beside spaCy.
"""

import re
import sys

from common import arguments
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.dedup import MinhashDedupBuckets, MinhashDedupCluster, MinhashDedupFilter, MinhashDedupSignature
from datatrove.pipeline.dedup.minhash import MinhashConfig
from datatrove.pipeline.readers import ParquetReader
from datatrove.pipeline.writers import ParquetWriter
from datatrove.utils.typeshelper import Languages

TASKS = 2


class Regex:
    """A word tokeniser as datatrove asks for one."""

    def word_tokenize(self, text: str) -> list[str]:
        return re.findall(r"\w+", text)


def main() -> None:
    folder, out = arguments()
    config = MinhashConfig()
    reader = ParquetReader(str(folder), glob_pattern="*.parquet", text_key="text", id_key="doc_id")
    step = {name: str(out / name) for name in ("signatures", "buckets", "ids")}
    signature = MinhashDedupSignature(step["signatures"], config=config, language=Languages.english)
    if sys.argv[3:] == ["regex"]:
        signature.word_tokenizer = Regex()
    stages = [
        (TASKS, [reader, signature]),
        (config.num_buckets, [MinhashDedupBuckets(step["signatures"], step["buckets"], config=config)]),
        (1, [MinhashDedupCluster(step["buckets"], step["ids"], config=config)]),
        (TASKS, [reader, MinhashDedupFilter(step["ids"]), ParquetWriter(str(out / "kept"))]),
    ]
    for number, (tasks, pipeline) in enumerate(stages):
        logs = str(out / "logs" / str(number))
        LocalPipelineExecutor(pipeline, tasks=tasks, workers=TASKS, logging_dir=logs).run()


if __name__ == "__main__":
    main()
