-- Purpose: live documents that share a band with a document checked tonight (cascade stage 3, eq:lsh_prob).
-- Grain:   one row per pair a < b.
-- Reads:   tonight's signatures, signatures of the index, documents checked tonight, the roster.
-- Note:    a bucket that holds more than $hot_bucket live documents is represented by $representatives of them, kept
--          ones first. Planted canaries meet no live document.
with checked as (
    select signature.doc, unnest(signature.bands) as band
    from read_parquet($signatures) as signature
    inner join read_parquet($documents) as document on signature.doc = document.doc
    where document.canary is null
),

banded as (
    select doc, unnest(bands) as band from read_parquet($live)
),

placed as (
    select
        banded.doc,
        banded.band,
        count(*) over (partition by banded.band) as members,
        row_number() over (
            partition by banded.band order by roster.survivor is not null, banded.doc
        ) as place
    from banded
    inner join read_parquet($roster) as roster on banded.doc = roster.doc
    where banded.band in (select band from checked)
)

select distinct
    least(placed.doc, checked.doc) as a,
    greatest(placed.doc, checked.doc) as b
from placed
inner join checked on placed.band = checked.band
where placed.members <= $hot_bucket or placed.place <= $representatives
order by a, b
