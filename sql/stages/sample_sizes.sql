-- Purpose: how many of the sampled shingles of a share of all count for each document.
-- Grain:   one row per document.
-- Reads:   postings of sampled shingles.
-- Note:    shingles sampled from more than $hot_shingle documents count for nothing.
with frequencies as (
    select key, planted, count(*) as documents
    from read_parquet($postings)
    group by key, planted
    having count(*) <= $hot_shingle
)

select posting.doc, count(*) as shingles
from read_parquet($postings) as posting
inner join frequencies on posting.key = frequencies.key and posting.planted = frequencies.planted
group by posting.doc
order by posting.doc
