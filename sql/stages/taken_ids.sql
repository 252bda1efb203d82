-- Purpose: rows that came with an id which another row already has.
-- Grain:   one row per rejected input row, in the order of file and row.
-- Reads:   raw rows, numbered rows.
select
    raw.file,
    raw."row",
    'duplicate id ''' || numbered.doc_id || '''' as reason,
    left(raw.text, 200) as excerpt,
    numbered.doc_id
from read_parquet($raw) as raw
inner join read_parquet($numbered) as numbered
    on raw.file = numbered.file and raw."row" = numbered.place
where numbered.doc is null
order by file, "row"
