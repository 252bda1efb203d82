-- Purpose: the corpus as the stages see it.
-- Grain:   one row per document, in the order of `doc`.
-- Reads:   raw rows, numbered rows, protected ids.
-- Note:    none of them was published before: a refresh puts the published ones beside them.
select
    numbered.doc,
    numbered.doc_id,
    raw.source,
    raw.text,
    raw.n_chars,
    raw.text_hash,
    raw.canary is null and numbered.doc_id in (select doc_id from read_parquet($protected)) as protected,
    false as published,
    raw.canary
from read_parquet($raw) as raw
inner join read_parquet($numbered) as numbered
    on raw.file = numbered.file and raw."row" = numbered.place
where numbered.doc is not null
order by numbered.doc
