-- Purpose: one table of a snapshot as a view, for ad-hoc SQL in the snapshot's folder.
-- Grain:   that of the table {view}.
-- Reads:   the table's part files.
create or replace view {view} as select * from read_parquet('{view}/*.parquet', union_by_name = true) -- noqa: PRS
