-- Purpose: the decisions that a night adds to those before, or puts in their place.
-- Grain:   one row per id.
-- Reads:   tonight's decisions on every document looked at, numbers of those that are decided anew ($decided), what
--          tonight means for each id, tonight's documents, decisions of the snapshot before, the roster of published
--          documents that tonight left alone, with those that are protected from now on.
-- Note:    a document that is kept says for how many others it stands; also where only that number changed, unless it
--          was rescued: that says more. A deleted id keeps a row, so that it is known when it returns.
with told as (
    select
        decision.* exclude (doc, canary, reason),
        case arrival.event
            when 'changed' then 'New text under a known id. '
            when 'returned' then 'Back after a deletion. '
            when 'rechecked' then if(
                decision.protected,
                'Checked again, because it is protected now. ',
                'Checked again, because what it was removed for has gone. '
            )
            else ''
        end as why,
        decision.reason
    from read_parquet($made) as decision
    left join read_parquet($arrivals) as arrival on decision.doc_id = arrival.doc_id
    where decision.canary is null and decision.doc in (select doc from read_parquet($decided))
),

gone as (
    select
        arrival.doc_id,
        coalesce(before.source, arrived.source) as source,
        coalesce(before.n_chars, arrived.n_chars) as n_chars,
        coalesce(before.protected, false) as protected,
        case
            when arrival.event = 'deleted' then 'Deleted: its id is in the list of deletions.'
            else 'Arrived, and was not taken in: its id is in the list of deletions.'
        end as reason
    from read_parquet($arrivals) as arrival
    left join read_parquet($before) as before on arrival.doc_id = before.doc_id
    left join read_parquet($arrived) as arrived on arrival.doc_id = arrived.doc_id
    where arrival.event in ('deleted', 'refused')
),

replaced as (
    select doc_id from told
    union
    select doc_id from gone
),

earlier as (
    select * from read_parquet($before) where doc_id not in (select doc_id from replaced)
),

now_stands as (
    select survivor_id, count(*) as others
    from (
        select survivor_id from earlier where action = 'remove'
        union all
        select survivor_id from told where action = 'remove'
    )
    group by survivor_id
),

stood as (
    select survivor_id, count(*) as others from read_parquet($before) where action = 'remove' group by survivor_id
),

newly as (
    select doc_id from read_parquet($roster) where protected
),

affected as (
    select
        earlier.* exclude (reason, protected),
        earlier.protected or newly.doc_id is not null as protected,
        '' as why,
        earlier.reason
    from earlier
    left join now_stands on earlier.doc_id = now_stands.survivor_id
    left join stood on earlier.doc_id = stood.survivor_id
    left join newly on earlier.doc_id = newly.doc_id
    where (earlier.action = 'keep' and now_stands.others is distinct from stood.others)
    or (newly.doc_id is not null and not earlier.protected)
),

kept_or_removed as (
    select one.* exclude (why, reason), one.why || case
        when one.stage = 'rescue' then one.reason
        when one.action = 'keep' and now_stands.others > 0 then format(
            'Kept; stands for {} removed {}.', now_stands.others, if(now_stands.others = 1, 'document', 'documents')
        )
        when one.action = 'keep' then 'Kept; nothing found that repeats it.'
        else one.reason
    end as reason
    from (select * from told union all by name select * from affected) as one
    left join now_stands on one.doc_id = now_stands.survivor_id
)

select * from kept_or_removed
union all by name
select
    doc_id,
    source,
    'delete' as action,
    0 as chars_cut,
    n_chars,
    protected,
    $generation::integer as generation,
    reason
from gone
order by doc_id
