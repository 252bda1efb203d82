-- Purpose: documents whose sampled shingles mostly occur in another document (candidates of eq:sem_contain), or that
--          share a long part with it.
-- Grain:   one row per pair a < b for which at least one direction reaches $min_ratio by the sample, or $part_ratio
--          with at least $part_shared sampled shingles shared.
-- Reads:   signatures, documents.
-- Note:    shingles sampled from more than $hot_shingle documents propose nothing and count for nothing.
with sampled as (
    select
        signature.doc,
        document.canary is not null as planted,
        unnest(signature.sample) as shingle
    from read_parquet($signatures) as signature
    inner join read_parquet($documents) as document on signature.doc = document.doc
),

frequencies as (
    select shingle, planted, count(*) as documents
    from sampled
    group by shingle, planted
    having count(*) <= $hot_shingle
),

postings as (
    select sampled.doc, sampled.planted, sampled.shingle, frequencies.documents
    from sampled
    inner join frequencies on sampled.shingle = frequencies.shingle and sampled.planted = frequencies.planted
),

sizes as (
    select doc, count(*) as shingles from postings group by doc
),

shared_counts as (
    select small.doc as a, large.doc as b, count(*) as shared
    from postings as small
    inner join postings as large
        on small.shingle = large.shingle and small.planted = large.planted and small.doc < large.doc
    where small.documents > 1 and large.documents > 1
    group by small.doc, large.doc
)

select shared_counts.a, shared_counts.b
from shared_counts
inner join sizes as size_a on shared_counts.a = size_a.doc
inner join sizes as size_b on shared_counts.b = size_b.doc
where
    shared_counts.shared >= $min_ratio * least(size_a.shingles, size_b.shingles)
    or (
        shared_counts.shared >= $part_shared
        and shared_counts.shared >= $part_ratio * least(size_a.shingles, size_b.shingles)
    )
order by a, b
