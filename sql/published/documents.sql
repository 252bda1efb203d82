-- Purpose: the documents of the snapshot: every kept one with its whole text, before passages are cut.
-- Grain:   one row per kept document, in the order of `doc`.
-- Reads:   documents, decisions.
select
    document.doc,
    document.doc_id,
    document.text
from read_parquet($documents) as document
inner join read_parquet($decisions) as decision on document.doc = decision.doc
where decision.action <> 'remove' and decision.canary is null
order by document.doc
