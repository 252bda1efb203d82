-- Purpose: where each accepted row went, to put its columns into the order of documents.
-- Grain:   one row per row of the user, in the order of reading, canaries behind them; -1 where it became no document.
-- Reads:   numbered rows.
select coalesce(doc, -1) as doc
from read_parquet($numbered)
order by position nulls last, place
