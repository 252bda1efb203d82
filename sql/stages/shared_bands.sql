-- Purpose: the buckets of banded LSH that hold several documents (eq:lsh_prob).
-- Grain:   one row per band and kind of document (planted or not).
-- Reads:   postings of bands.
select key, planted, count(*) as members
from read_parquet($postings)
group by key, planted
having count(*) > 1
