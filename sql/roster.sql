-- Purpose: who is there before tonight: every live document of the published snapshot, kept or removed.
-- Grain:   one row per live document, in the order of `doc`; `survivor` is null where it is kept.
-- Reads:   documents of the index, decisions of the snapshot.
select
    document.doc,
    document.doc_id,
    document.source,
    document.text_hash,
    decision.protected,
    decision.type,
    decision.stage,
    decision.similarity,
    decision.containment,
    decision.cosine,
    survivor.doc as survivor
from read_parquet($documents) as document
inner join read_parquet($decisions) as decision on document.doc_id = decision.doc_id
left join read_parquet($documents) as survivor
    on decision.survivor_id = survivor.doc_id and survivor.canary is null
where document.canary is null and decision.action in ('keep', 'edit', 'remove')
order by document.doc
