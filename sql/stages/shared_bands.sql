-- Purpose: the buckets of banded LSH that hold several documents (eq:lsh_prob).
-- Grain:   one row per band and kind of document (planted or not).
-- Reads:   signatures, documents.
with banded as (
    select
        document.canary is not null as planted,
        unnest(signature.bands) as band
    from read_parquet($signatures) as signature
    inner join read_parquet($documents) as document on signature.doc = document.doc
)

select band, planted, count(*) as members
from banded
group by band, planted
having count(*) > 1
