-- Purpose: what the star links of hot buckets left out, so that the cap is never silent.
-- Grain:   one row.
-- Reads:   signatures.
with banded as (
    select unnest(bands) as band from read_parquet($signatures)
),

buckets as (
    select count(*) as members
    from banded
    group by band
    having count(*) > $hot_bucket
)

select
    count(*) as hot_buckets,
    coalesce(max(members), 0) as largest_bucket,
    coalesce(sum((members - $representatives) * (members - $representatives - 1) // 2), 0)::bigint as pairs_skipped
from buckets
