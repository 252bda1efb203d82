-- Purpose: every pair of the user's documents that say the same in other words, under their ids, likeliest first.
-- Grain:   one row per pair.
-- Reads:   rewrites, documents (of a night: those of the index, too).
with named as (
    select distinct doc, doc_id, canary from read_parquet($documents)
)

select one.doc_id as a_id, other.doc_id as b_id, pair.* exclude (a, b)
from read_parquet($rewrites) as pair
inner join named as one on pair.a = one.doc
inner join named as other on pair.b = other.doc
where one.canary is null
order by pair.p_same desc, pair.a, pair.b
