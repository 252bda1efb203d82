-- Purpose: what numbering says of each document, beside the columns that were read.
-- Grain:   one row per document, in the order of `doc`.
-- Reads:   numbered rows, protected ids.
-- Note:    canaries, which have no position among the rows of the user, are never protected.
select
    doc,
    doc_id,
    n_bytes,
    position is not null and doc_id in (select doc_id from read_parquet($protected)) as protected
from read_parquet($numbered)
where doc is not null
order by doc
