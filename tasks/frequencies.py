"""In how many documents each shingle and each word occurs: frozen with the run, every later weight refers to it."""

from pathlib import Path

import numpy as np
from prefect import task

from models.lexical.features import Frequencies
from models.lexical.shingles import shingle
from models.lexical.text import normalise, split_words
from models.lexical.weights import count_documents, distinct_per_document
from tasks.columns import batches
from tasks.progress import stage_progress
from tasks.run import Run
from tasks.tables import Stage, TableRef, atomic_path, characters_of, distinct_part, parts, scan

SHINGLES, WORDS = "shingles.npy", "words.npy"
CHARACTERS_PER_CELL = 4
"""About one cell per shingle; fewer make rare shingles look common."""
SHINGLES_PER_WORD = 8
"""There are fewer different words than shingles."""


def load_frequencies(counted: TableRef) -> Frequencies:
    """Map the tables of this stage: a night looks up few of their cells."""
    shingles, words = (np.asarray(np.load(Path(counted.path) / name, mmap_mode="c")) for name in (SHINGLES, WORDS))
    return Frequencies(shingles, words, counted.rows)


@task(task_run_name="count frequencies")
def count(run: Run, documents: TableRef, copies: TableRef) -> TableRef:
    """Count document frequencies of shingles and words over the distinct texts, one row per text counted."""
    sketch = run.parameters.sketch
    recipe = {"bits": sketch.df_bits, "short": sketch.lane}
    with Stage(run, "frequencies", [documents, copies], extra=recipe) as stage:
        if not stage.finished:
            collapsed = scan(copies).select("doc").collect()
            characters = characters_of(documents)
            bits = min(sketch.df_bits, max(16, (characters // CHARACTERS_PER_CELL).bit_length()))
            shingles = np.zeros(1 << bits, np.uint32)
            words = np.zeros((1 << bits) // SHINGLES_PER_WORD, np.uint32)
            with stage_progress("count", documents.rows) as bar:
                for index, path in enumerate(parts(documents)):
                    part = distinct_part(path, collapsed, ["doc", "text"])
                    for batch in batches([part]):
                        normalised = normalise(batch["text"])
                        found = split_words(normalised)
                        count_documents(shingles, shingle(normalised, found, sketch.lane).hash)
                        count_documents(words, distinct_per_document(found.hash, found.pointers))
                    stage.write(index, part.select("doc"))
                    bar.advance(part.height)
            for name, table in ((SHINGLES, shingles), (WORDS, words)):
                save_array(stage.path / name, table)
            stage.counts = {"documents_in": documents.rows, "documents_out": documents.rows - collapsed.height}
    return stage.ref


def save_array(path: Path, table: np.ndarray) -> None:
    """Write an array as `np.save` does, which would not say that the disk is full."""
    with atomic_path(path) as temporary, temporary.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, np.lib.format.header_data_from_array_1_0(table))
        file.write(table.data)
