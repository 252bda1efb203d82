-- Purpose: what the star links of hot buckets left out, so that the cap is never silent.
-- Grain:   one row.
-- Reads:   signatures, documents.
with banded as (
    select unnest(signature.bands) as band, document.canary is not null as planted
    from read_parquet($signatures) as signature
    inner join read_parquet($documents) as document on signature.doc = document.doc
),

buckets as (
    select count(*) as members, greatest(count(*) - $representatives, 0) as others
    from banded
    group by band, planted
    having count(*) > $hot_bucket
)

select
    count(*) as hot_buckets,
    coalesce(max(members), 0) as largest_bucket,
    coalesce(sum(others * (others - 1) // 2), 0)::bigint as pairs_skipped
from buckets
