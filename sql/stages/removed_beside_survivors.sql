-- Purpose: removed documents behind the one in whose favour they go, so that each survivor is read once.
-- Grain:   one row per survivor, and behind it one per document that was removed in its favour.
-- Reads:   documents, removals.
with listed as (
    select doc, survivor, strict, true as removed from read_parquet($removals)
    union all
    select distinct survivor as doc, survivor, false as strict, false as removed from read_parquet($removals)
)

select listed.doc, listed.survivor, listed.removed, listed.strict, document.text
from listed
inner join read_parquet($documents) as document on listed.doc = document.doc
order by listed.survivor, listed.removed, listed.doc
