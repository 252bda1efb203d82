-- Purpose: violations of the contract of `survivors`: a document goes only in favour of one that stays, after a
--          direct check in that direction.
-- Grain:   one row.
-- Reads:   documents, copies, verified, containment, survivors.
-- Note:    an exact copy stands for its representative, because their normalised texts are equal.
with document as (
    select doc, canary is not null as planted from read_parquet($documents)
),

removed as (
    select * from read_parquet($survivors)
    where survivor is not null or type is not null or stage is not null
),

representative as (
    select document.doc, coalesce(copy.copy_of, document.doc) as text_doc
    from document
    left join read_parquet($copies) as copy on document.doc = copy.doc
),

allowed as (
    select a as loser, b as winner from read_parquet($verified)
    where verdict in ('either', 'a_in_b')
    union
    select b as loser, a as winner from read_parquet($verified)
    where verdict in ('either', 'b_in_a')
    union
    select child as loser, parent as winner from read_parquet($containment)
),

joined as (
    select
        removed.*,
        loser.planted as loser_planted,
        winner.planted as winner_planted,
        loser_text.text_doc = winner_text.text_doc or allowed.loser is not null as backed
    from removed
    left join document as loser on removed.doc = loser.doc
    left join document as winner on removed.survivor = winner.doc
    left join representative as loser_text on removed.doc = loser_text.doc
    left join representative as winner_text on removed.survivor = winner_text.doc
    left join allowed on loser_text.text_doc = allowed.loser and winner_text.text_doc = allowed.winner
)

select
    count(doc) - count(distinct doc) as docs_repeated,
    count(*) filter (where loser_planted is null) as docs_unknown,
    count(*) filter (where winner_planted is null) as survivors_unknown,
    (select count(*) from removed where survivor in (select doc from removed)) as survivors_removed,
    count(*) filter (where (type <> '' and stage <> '') is not true) as removals_unexplained,
    count(*) filter (where backed is not true) as removals_unverified,
    count(*) filter (where loser_planted <> winner_planted) as canaries_mixed
from joined
