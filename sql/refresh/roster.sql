-- Purpose: who is there before tonight: every live document of the published snapshot, kept or removed.
-- Grain:   one row per live document, in the order of `doc`; `survivor` is null where it is kept.
-- Reads:   documents of the index, decisions of the snapshot.
-- Note:    where a document changed, the index still holds what it was; the last number is what it is.
with latest as materialized (
    -- A struct, because arg_max alone would skip a source that is null.
    select doc_id, max(doc) as doc, arg_max(struct_pack(source, text_hash), doc) as document
    from read_parquet($documents)
    where canary is null
    group by doc_id
)

select
    latest.doc,
    latest.doc_id,
    latest.document.source,
    latest.document.text_hash,
    decision.protected,
    decision.type,
    decision.stage,
    decision.similarity,
    decision.containment,
    decision.cosine,
    survivor.doc as survivor
from latest
inner join read_parquet($decisions) as decision on latest.doc_id = decision.doc_id
left join latest as survivor on decision.survivor_id = survivor.doc_id
where decision.action in ('keep', 'edit', 'remove')
order by latest.doc
