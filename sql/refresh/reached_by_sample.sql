-- Purpose: live documents that contain a document checked tonight, are contained in it, or share a long part with it,
--          by their sampled shingles (candidates of eq:sem_contain).
-- Grain:   one row per pair a < b, under the bounds of contained_pairs.
-- Reads:   tonight's signatures, signatures of the index, documents checked tonight, the roster.
-- Note:    shingles sampled from more than $hot_shingle documents, live and tonight's, count for nothing,
--          and are left out before anything is joined: that many documents share them. All samples of the index are
--          read thrice, since they would take most of the memory that a night needs.
with checked as (
    select signature.doc, unnest(signature.sample) as shingle
    from read_parquet($signatures) as signature
    inner join read_parquet($documents) as document on signature.doc = document.doc
    where document.canary is null
),

sampled as not materialized (
    select signature.doc, unnest(signature.sample) as shingle
    from read_parquet($live) as signature
    inner join read_parquet($roster) as roster on signature.doc = roster.doc
),

met as (
    select doc, shingle from sampled where shingle in (select shingle from checked)
),

cold as (
    select shingle
    from (select shingle from met union all select shingle from checked)
    group by shingle
    having count(*) <= $hot_shingle
),

shared_counts as (
    select met.doc as old, checked.doc as new, count(*) as shared
    from met
    inner join checked on met.shingle = checked.shingle
    where met.shingle in (select shingle from cold)
    group by met.doc, checked.doc
),

reached as (
    select doc, shingle from sampled where doc in (select old from shared_counts)
),

frequencies as (
    select shingle, count(*) as documents
    from (
        select shingle from sampled
        where shingle in (select shingle from reached union select shingle from checked)
        union all
        select shingle from checked
    )
    group by shingle
),

sizes as (
    select one.doc, count(*) as shingles
    from (select * from reached union all select * from checked) as one
    inner join frequencies on one.shingle = frequencies.shingle
    where frequencies.documents <= $hot_shingle
    group by one.doc
)

select
    least(shared_counts.old, shared_counts.new) as a,
    greatest(shared_counts.old, shared_counts.new) as b
from shared_counts
inner join sizes as size_old on shared_counts.old = size_old.doc
inner join sizes as size_new on shared_counts.new = size_new.doc
where
    shared_counts.shared >= $min_ratio * least(size_old.shingles, size_new.shingles)
    or (
        shared_counts.shared >= $part_shared
        and shared_counts.shared >= $part_ratio * least(size_old.shingles, size_new.shingles)
    )
order by a, b
