-- Purpose: every pair of the user's documents that say the same in other words, under their ids, clearest first.
-- Grain:   one row per pair.
-- Reads:   rewrites, decisions.
select one.doc_id as a_id, other.doc_id as b_id, pair.* exclude (a, b)
from read_parquet($rewrites) as pair
inner join read_parquet($decisions) as one on pair.a = one.doc
inner join read_parquet($decisions) as other on pair.b = other.doc
where one.canary is null
order by pair.distance_ratio, pair.a, pair.b
