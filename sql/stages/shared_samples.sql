-- Purpose: how many sampled shingles, of a share of all, two documents have in common.
-- Grain:   one row per pair a < b.
-- Reads:   postings of sampled shingles.
-- Note:    shingles sampled from more than $hot_shingle documents propose nothing. Planted canaries meet only each
--          other.
with frequencies as (
    select key, planted, count(*) as documents
    from read_parquet($postings)
    group by key, planted
    having count(*) between 2 and $hot_shingle
),

postings as (
    select posting.doc, posting.planted, posting.key
    from read_parquet($postings) as posting
    inner join frequencies on posting.key = frequencies.key and posting.planted = frequencies.planted
)

select small.doc as a, large.doc as b, count(*) as shared
from postings as small
inner join postings as large
    on small.key = large.key and small.planted = large.planted and small.doc < large.doc
group by small.doc, large.doc
order by a, b
