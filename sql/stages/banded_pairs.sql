-- Purpose: pairs that share a band of their sketches (cascade stage 3, eq:lsh_prob).
-- Grain:   one row per pair a < b.
-- Reads:   signatures, documents, shared bands.
-- Note:    a bucket larger than $hot_bucket links its members to its first $representatives documents only, so that
--          100,000 near-copies cost as many links, not their square. Planted canaries meet only each other.
with banded as (
    select
        signature.doc,
        document.canary is not null as planted,
        unnest(signature.bands) as band
    from read_parquet($signatures) as signature
    inner join read_parquet($documents) as document on signature.doc = document.doc
),

placed as (
    select
        banded.doc,
        banded.band,
        banded.planted,
        bucket.members,
        row_number() over (partition by banded.band, banded.planted order by banded.doc) as place
    from banded
    inner join read_parquet($buckets) as bucket on banded.band = bucket.band and banded.planted = bucket.planted
),

leaders as (
    select * from placed where members <= $hot_bucket or place <= $representatives
)

select distinct leaders.doc as a, placed.doc as b
from leaders
inner join placed
    on leaders.band = placed.band and leaders.planted = placed.planted and leaders.doc < placed.doc
order by a, b
