-- Purpose: removed texts beside the published one of the document in whose favour they went.
-- Grain:   one row per distinct text that was removed for a survivor.
-- Reads:   copies, decisions, $measured (numbers of the documents that are measured).
-- Note:    an exact copy of a document that was published uncut is left out: there is nothing to measure. So are texts
--          of which no words need agree, because letters were compared (C) or the meaning (P). `anew`: of the survivor
--          something was cut, so that its published text is another.
with decision as (
    select * from read_parquet($decisions) where canary is null
)

select distinct
    coalesce(copy.copy_of, decision.doc) as doc,
    survivor.doc as survivor,
    survivor.action = 'edit' as anew
from decision
inner join decision as survivor on decision.survivor_id = survivor.doc_id
left join read_parquet($copies) as copy on decision.doc = copy.doc
where decision.action = 'remove'
and decision.doc in (select doc from read_parquet($measured))
and decision.type not in ('C', 'P')
and (decision.type <> 'exact' or survivor.action = 'edit')
order by survivor, doc
