-- Purpose: what tonight means for every id that it concerns: arrivals, deletions, and documents to be checked again.
-- Grain:   one row per id: `number` is that among tonight's rows (null if none arrived), `doc` that of the live
--          document (null if there is none).
-- Reads:   tonight's documents, ids to delete, ids to protect, the roster, decisions of the snapshot, live documents
--          that arrived again with the same text and columns.
-- Note:    deletion wins over an arrival; who is deleted already, or was never there, is 'unknown'. What was removed in
--          favour of a document that goes or changes, or is protected from now on, is checked again, also where it
--          arrived unchanged.
with arrived as (
    select doc as number, doc_id from read_parquet($arrived) where canary is null
),

unwanted as (
    select distinct doc_id from read_parquet($unwanted)
),

named as (
    select
        coalesce(arrived.doc_id, unwanted.doc_id) as doc_id,
        arrived.number,
        unwanted.doc_id is not null as is_unwanted
    from arrived
    full outer join unwanted on arrived.doc_id = unwanted.doc_id
),

told as (
    select
        named.doc_id,
        named.number,
        roster.doc,
        case
            when is_unwanted and roster.doc is not null then 'deleted'
            when is_unwanted and number is not null and decision.doc_id is null then 'refused'
            when is_unwanted then 'unknown'
            when roster.doc is null and decision.doc_id is not null then 'returned'
            when roster.doc is null then 'new'
            when roster.doc in (select doc from read_parquet($repeated)) then 'unchanged'
            else 'changed'
        end as event
    from named
    left join read_parquet($roster) as roster on named.doc_id = roster.doc_id
    left join read_parquet($decisions) as decision on named.doc_id = decision.doc_id
),

abandoned as (
    select roster.doc_id, roster.doc
    from read_parquet($roster) as roster
    inner join told on roster.survivor = told.doc
    where told.event in ('deleted', 'changed')
    union
    select doc_id, doc
    from read_parquet($roster)
    where survivor is not null and doc_id in (select doc_id from read_parquet($guarded))
)

select
    coalesce(told.doc_id, abandoned.doc_id) as doc_id,
    told.number,
    coalesce(told.doc, abandoned.doc) as doc,
    case
        when abandoned.doc is not null and coalesce(told.event, 'unchanged') = 'unchanged' then 'rechecked'
        else told.event
    end as event
from told
full outer join abandoned on told.doc_id = abandoned.doc_id
order by 1
