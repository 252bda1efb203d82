-- Purpose: documents whose sampled shingles mostly occur in another document (candidates of eq:sem_contain), or that
--          share a long part with it.
-- Grain:   one row per pair a < b for which at least one direction reaches $min_ratio by the sample, or $part_ratio
--          with at least $part_shared sampled shingles shared.
-- Reads:   sampled shingles that pairs share, sampled shingles of each document; both by shares of all shingles.
with shared_counts as (
    select a, b, sum(shared)::bigint as shared
    from read_parquet($shared)
    group by a, b
),

sample_sizes as (
    select doc, sum(shingles)::bigint as shingles
    from read_parquet($sizes)
    group by doc
)

select shared_counts.a, shared_counts.b
from shared_counts
inner join sample_sizes as size_a on shared_counts.a = size_a.doc
inner join sample_sizes as size_b on shared_counts.b = size_b.doc
where
    shared_counts.shared >= $min_ratio * least(size_a.shingles, size_b.shingles)
    or (
        shared_counts.shared >= $part_shared
        and shared_counts.shared >= $part_ratio * least(size_a.shingles, size_b.shingles)
    )
order by a, b
