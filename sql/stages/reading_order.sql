-- Purpose: where each accepted row of the user went, to put the user's own columns beside it.
-- Grain:   one row per row of the user, in the order of reading; -1 where it became no document.
-- Reads:   numbered rows.
select coalesce(doc, -1) as doc
from read_parquet($numbered)
where position is not null
order by position
