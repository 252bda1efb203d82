-- Purpose: what the star links of hot buckets left out, so that the cap is never silent.
-- Grain:   one row.
-- Reads:   shared bands.
with bucket as (
    select members, greatest(members - $representatives, 0) as others
    from read_parquet($buckets)
    where members > $hot_bucket
)

select
    count(*) as hot_buckets,
    coalesce(max(members), 0) as largest_bucket,
    coalesce(sum(others * (others - 1) // 2), 0)::bigint as pairs_skipped
from bucket
