"""Run context that every task shares: workspace, parameters, limits, and its DuckDB connection."""

from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from time import process_time
from typing import Annotated

import duckdb
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from data_contracts.own_suites import OwnSuite
from models.parameters import Parameters
from tasks.runtime.machine import amount, bytes_of, cores
from tasks.runtime.memory import release_memory

SHARE = 0.36
"""Of the limit that one structure may take, DuckDB's buffers or a filter; the libraries and the batch at hand need the
rest."""
OWN_SHARE = 0.25
"""DuckDB's share of what is for the process of the run while others work for it: half a gigabyte is libraries."""
own_bytes: ContextVar[int | None] = ContextVar("own_bytes", default=None)
"""Of the limit, what is for this process while others work for its run."""

Memory = Annotated[str, AfterValidator(amount)]


class Run(BaseModel):
    """One run of a flow; small and plain, so that it travels between processes."""

    model_config = ConfigDict(frozen=True)

    workspace: Path = Field(description="folder that holds the tables between stages")
    parameters: Parameters = Parameters()
    threads: int = Field(2, ge=1, description="threads for DuckDB and the encoder")
    token: str = Field("", description="tells tables made in this run from reused ones")
    memory_limit: Memory = Field("4GB", description="bound for the processes of a run together")
    cpu_before: float = Field(default_factory=process_time, description="CPU seconds of the process when it began")
    suites: tuple[OwnSuite, ...] = Field((), description="expectations of the user about what is published")
    pages: bool = Field(True, description="write report, Data Docs and DuckDB catalogue; the report can be made later")

    @property
    def limit_bytes(self) -> int:
        """The memory limit in bytes, its units in powers of ten as DuckDB reads them."""
        return bytes_of(self.memory_limit)

    @property
    def share_bytes(self) -> int:
        """Share of the memory limit that DuckDB, or any other structure that can work in smaller pieces, may take."""
        return int(self.limit_bytes * SHARE)

    def connect(self) -> duckdb.DuckDBPyConnection:
        """Connect to the process's in-memory DuckDB, which spills to the workspace and never fetches extensions."""
        spill = self.workspace / "spill"
        spill.mkdir(parents=True, exist_ok=True)
        own = own_bytes.get()
        room = int(own * OWN_SHARE) if own else self.share_bytes
        return _database(str(spill), min(self.threads, cores()), room).cursor()

    def make_room(self) -> None:
        """Give back what was freed; beside workers also DuckDB, which holds on to what its last statements took."""
        if own_bytes.get():
            _database.cache_clear()
        release_memory()


@lru_cache(maxsize=1)
def _database(spill: str, threads: int, memory_bytes: int) -> duckdb.DuckDBPyConnection:
    """Opening one takes longer than most statements of a night, and nothing is ever stored in it."""
    return duckdb.connect(
        config={
            "threads": threads,
            "memory_limit": f"{memory_bytes}B",
            "temp_directory": spill,
            "autoinstall_known_extensions": False,
            "preserve_insertion_order": True,
            # What a statement leaves behind is not for the next one, and the stages between need the room.
            "enable_external_file_cache": False,
            # The same tables are asked again and again; their many small row groups take longer to list than to read.
            "parquet_metadata_cache": True,
            # Reading ahead pays for far storage; here threads would wait for each other in turns, at full power.
            "disable_parquet_prefetching": True,
            "allocator_background_threads": True,
            "allocator_flush_threshold": "16MB",
            "allocator_bulk_deallocation_flush_threshold": "64MB",
        }
    )
