-- Purpose: pairs that share a band of their sketches (cascade stage 3, eq:lsh_prob).
-- Grain:   one row per pair a < b.
-- Reads:   postings of bands, shared bands.
-- Note:    a bucket larger than $hot_bucket links its members to its first $representatives documents only, so that
--          100,000 near-copies cost as many links, not their square. Planted canaries meet only each other.
with placed as (
    select
        posting.doc,
        posting.key,
        posting.planted,
        bucket.members,
        row_number() over (partition by posting.key, posting.planted order by posting.doc) as place
    from read_parquet($postings) as posting
    inner join read_parquet($buckets) as bucket on posting.key = bucket.key and posting.planted = bucket.planted
),

leaders as (
    select * from placed where members <= $hot_bucket or place <= $representatives
)

select distinct leaders.doc as a, placed.doc as b
from leaders
inner join placed
    on leaders.key = placed.key and leaders.planted = placed.planted and leaders.doc < placed.doc
order by a, b
