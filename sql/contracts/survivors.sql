-- Purpose: violations of the contract of `survivors`: a document goes only in favour of one that stays, after a
--          direct check in that direction.
-- Grain:   one row.
-- Reads:   documents, copies, verified, containment, survivors.
-- Note:    an exact copy stands for its representative, because their normalised texts are equal.
with document as (
    select document.doc, canary is not null as planted, coalesce(copy.copy_of, document.doc) as text_doc
    from read_parquet($documents) as document
    left join read_parquet($copies) as copy on document.doc = copy.doc
),

removed as (
    select * from read_parquet($survivors)
    where survivor is not null or type is not null or stage is not null
),

allowed as (
    select a, b, verdict from read_parquet($verified)
    where verdict in ('either', 'a_in_b', 'b_in_a')
),

joined as (
    select
        removed.*,
        loser.planted as loser_planted,
        winner.planted as winner_planted,
        loser.text_doc = winner.text_doc
        or (loser.text_doc, winner.text_doc) in (select (a, b) from allowed where verdict <> 'b_in_a')
        or (loser.text_doc, winner.text_doc) in (select (b, a) from allowed where verdict <> 'a_in_b')
        or (loser.text_doc, winner.text_doc) in (select (child, parent) from read_parquet($containment)) as backed
    from removed
    left join document as loser on removed.doc = loser.doc
    left join document as winner on removed.survivor = winner.doc
)

select
    count(doc) - count(distinct doc) as docs_repeated,
    count(*) filter (where loser_planted is null) as docs_unknown,
    count(*) filter (where winner_planted is null) as survivors_unknown,
    count(*) filter (where survivor in (select doc from removed)) as survivors_removed,
    count(*) filter (where (type <> '' and stage <> '') is not true) as removals_unexplained,
    count(*) filter (where backed is not true) as removals_unverified,
    count(*) filter (where loser_planted <> winner_planted) as canaries_mixed
from joined
