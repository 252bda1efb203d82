"""Canaries of a run, made from a few hundred of its own documents, which are chosen by a hash of their text."""

import polars as pl

from models.evaluation.canaries import with_built_in
from models.evaluation.planting import LONGEST, plant
from models.parameters import Parameters

LEAST_TEXTS = 250
"""Distinct texts from which on canaries are made of a corpus; of fewer only the built-in ones are planted."""
GROUPS = 8, 32
"""Groups of each type that are planted, at least and at most."""
DOCUMENTS_PER_GROUP = 75
"""Documents of the corpus for each group of a type."""
TEXTS_PER_GROUP, TEXTS_BESIDE = 24, 50
"""Texts that are drawn for each group of a type, and beside."""
DRAWN = TEXTS_BESIDE + TEXTS_PER_GROUP * GROUPS[1]


class Drawing:
    """Texts drawn from a corpus that is read batch by batch.

    Drawn are those whose hashes are least, each distinct text once: neither the order of the documents nor how they are
    parted into files and batches shows in it.
    """

    def __init__(self) -> None:
        self.documents = 0
        self._held = pl.DataFrame(schema=dict.fromkeys(("text_id", "text_hash", "text"), pl.String))

    def add(self, texts: pl.Series, text_ids: list[str], text_hashes: list[str]) -> None:
        """Show a batch of documents.

        Args:
            texts: of the documents.
            text_ids: hash of each text.
            text_hashes: hash of each text once it is normalised.
        """
        self.documents += len(texts)
        hashes = {"text_id": text_ids, "text_hash": text_hashes}
        batch = pl.DataFrame(hashes, schema_overrides=self._held.schema).with_row_index("row")
        least = batch.filter(pl.col("text_id") <= self._bar()).bottom_k(4 * DRAWN, by="text_id")
        own = least.with_columns(text=texts.gather(least["row"]).str.slice(0, LONGEST + 1)).select(self._held.columns)
        self._hold(own)

    def join(self, other: "Drawing") -> None:
        """Take over what was drawn from other batches."""
        self.documents += other.documents
        self._hold(other._held)

    def _hold(self, own: pl.DataFrame) -> None:
        both = pl.concat([self._held, own]).sort("text_id").unique("text_hash", keep="first", maintain_order=True)
        self._held = both.head(DRAWN)

    def _bar(self) -> str:
        """Hash below which a text is drawn."""
        return self._held["text_id"][-1] if self._held.height == DRAWN else "g"

    def planted(self, parameters: Parameters) -> pl.DataFrame:
        """Make the canaries of the corpus: canary_id, text, canary."""
        made = pl.DataFrame(schema={"canary": pl.String, "text": pl.String})
        if self._held.height >= LEAST_TEXTS:
            groups = min(max(self.documents // DOCUMENTS_PER_GROUP, GROUPS[0]), GROUPS[1])
            texts = self._held.head(TEXTS_BESIDE + TEXTS_PER_GROUP * groups)
            seed = int("".join(texts["text_id"].str.head(2).head(8)), 16)
            made = plant(texts["text"].to_list(), groups, parameters.fragment.min_hosts, seed)
        return with_built_in(made, rewrites=parameters.looks_for_rewrites)
