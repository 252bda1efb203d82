-- Purpose: the documents of the snapshot: every kept one with the user's columns in order, before passages are cut.
-- Grain:   one row per kept document, in the order of `doc`.
-- Reads:   documents, extras, decisions.
select
    document.doc_id as semhash_doc_id,
    extras.* exclude (semhash_doc) replace (document.text as semhash_text)
from read_parquet($documents) as document
inner join read_parquet($extras) as extras on document.doc = extras.semhash_doc
inner join read_parquet($decisions) as decision on document.doc = decision.doc
where decision.action <> 'remove' and decision.canary is null
order by document.doc
