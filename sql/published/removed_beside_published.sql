-- Purpose: removed texts behind the published text of the document in whose favour they went.
-- Grain:   one row per survivor, and behind it one per distinct text that was removed in its favour.
-- Reads:   documents, copies, decisions, $measured (numbers of the documents that are measured), $published (shortened
--          texts at least; their id and text stand in $id_column and $text_column).
-- Note:    an exact copy of a document that was published uncut is left out: there is nothing to measure. So are texts
--          of which no words need agree, because letters were compared (C) or the meaning (P).
with decision as (
    select * from read_parquet($decisions) where canary is null
),

shown as (
    select
        columns(lambda name: name = $id_column)::varchar as doc_id,
        columns(lambda name: name = $text_column) as text
    from read_parquet($published, union_by_name = true)
),

gone as (
    select distinct coalesce(copy.copy_of, decision.doc) as doc, decision.survivor_id
    from decision
    inner join decision as survivor on decision.survivor_id = survivor.doc_id
    left join read_parquet($copies) as copy on decision.doc = copy.doc
    where decision.action = 'remove'
    and decision.doc in (select doc from read_parquet($measured))
    and decision.type not in ('C', 'P')
    and (decision.type <> 'exact' or survivor.action = 'edit')
)

select gone.doc, gone.survivor_id, true as removed, document.text
from gone
inner join read_parquet($documents) as document on gone.doc = document.doc
union all
select
    survivor.doc,
    survivor.doc_id as survivor_id,
    false as removed,
    case when survivor.action = 'edit' then shown.text else document.text end as text
from decision as survivor
inner join read_parquet($documents) as document on survivor.doc = document.doc
left join shown on survivor.doc_id = shown.doc_id
where survivor.doc_id in (select survivor_id from gone)
order by survivor_id, removed, doc
