-- Purpose: violations of the contract of `decisions`: every input document has one, and its survivor is kept.
-- Grain:   one row.
-- Reads:   documents, decisions.
-- Note:    decisions on planted canaries may stand in the working table; none may be the survivor of a real document.
with document as (
    select doc_id, source, n_chars, canary is not null as planted from read_parquet($documents)
),

decision as (
    select * from read_parquet($decisions)
),

joined as (
    select
        decision.*,
        document.doc_id as expected_id,
        document.n_chars as expected_chars,
        document.planted,
        (document.source is distinct from decision.source) as moved
    from (select * from document where not planted or doc_id in (select doc_id from decision)) as document
    full outer join decision on document.doc_id = decision.doc_id
),

kept as (
    select doc_id, planted from joined where action in ('keep', 'edit')
),

removed as (
    select joined.*, kept.planted as survivor_planted
    from joined
    left join kept on joined.survivor_id = kept.doc_id
    where joined.action = 'remove'
),

by_source as (
    select source, count(*) as documents from document where not planted group by source
),

decided as (
    select decision.source, count(*) as decisions
    from decision
    inner join document on decision.doc_id = document.doc_id
    where action in ('keep', 'edit', 'remove') and not document.planted
    group by decision.source
),

balance as (
    select count(*) as sources_unbalanced
    from by_source
    full outer join decided on by_source.source is not distinct from decided.source
    where by_source.documents is distinct from decided.decisions
),

removals as (
    select
        count(*) filter (where (survivor_planted = planted) is not true) as survivors_not_kept,
        count(*) filter (where (type in $types and stage <> '') is not true) as removals_unexplained
    from removed
),

decisions as (
    select
        count(doc_id) - count(distinct doc_id) as ids_repeated,
        count(*) filter (where doc_id is null) as ids_missing,
        count(*) filter (where expected_id is null) as ids_unknown,
        count(*) filter (where doc_id is not null and (action in ('keep', 'remove', 'edit')) is not true)
        as actions_unknown,
        count(*) filter (where doc_id is not null and regexp_full_match(reason, '\s*') is not false)
        as reasons_missing,
        count(*) filter (where action <> 'remove' and survivor_id is not null) as kept_with_survivor,
        count(*) filter (
            where doc_id is not null
            and (chars_cut >= 0 and (chars_cut > 0) = (action = 'edit') and chars_cut < n_chars) is not true
        ) as cuts_impossible,
        count(*) filter (where doc_id is not null and (n_chars = expected_chars and not moved) is not true)
        as documents_changed
    from joined
)

select decisions.*, removals.*, balance.*
from decisions
cross join removals
cross join balance
