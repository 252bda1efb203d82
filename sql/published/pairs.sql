-- Purpose: every verified pair of the user's documents, under their ids.
-- Grain:   one row per pair.
-- Reads:   verified, decisions.
select one.doc_id as a_id, other.doc_id as b_id, pair.* exclude (a, b)
from read_parquet($verified) as pair
inner join read_parquet($decisions) as one on pair.a = one.doc
inner join read_parquet($decisions) as other on pair.b = other.doc
where one.canary is null
order by pair.a, pair.b
