"""Great Expectations, imported late: that takes a second, and a run that reuses its tables does without."""

import logging
import os
from functools import cache
from typing import Any

from data_contracts.imports import absent, at_once, later


@cache
def library() -> Any:
    """The package `great_expectations`; everything here that imports from it asks for it first."""
    os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")
    # Half of the time would go to libraries for plots, statistics and databases that no check here comes near.
    with at_once(), later("altair", "scipy.stats"), absent("sqlalchemy"):
        import great_expectations as gx

    return gx


@cache
def batches() -> Any:
    """By this every frame becomes a batch; a context of its own for each would take as long again."""
    gx = library()
    logging.getLogger("great_expectations.data_context.types.base").setLevel(logging.WARNING)  # announces the context
    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False}
    asset = context.data_sources.add_pandas("contracts").add_dataframe_asset("rows")
    return asset.add_batch_definition_whole_dataframe("rows")
