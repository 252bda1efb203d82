-- Purpose: violations of the contract of `arrivals`: every input row is told what tonight means for it, and what must
--          be checked is there once, under a number that no live document has.
-- Grain:   one row.
-- Reads:   arrivals, documents, roster, rejects; $input_rows is the number of rows of tonight's input files.
with arrival as (
    select * from read_parquet($arrivals)
),

document as (
    select doc, doc_id from read_parquet($documents) where canary is null and not published
),

expected as (
    select doc_id from arrival where event in ('new', 'changed', 'returned', 'rechecked')
)

select
    (select count(doc_id) - count(distinct doc_id) from arrival) as ids_repeated,
    (
        select count(*) from arrival
        where
            (
                event in ('new', 'changed', 'returned', 'rechecked', 'unchanged', 'deleted', 'refused', 'unknown')
            ) is not true
    ) as events_unknown,
    (select abs($input_rows::bigint - count(number) - (select count(*) from read_parquet($rejects))) from arrival)
    as rows_unaccounted,
    (select count(*) from expected where doc_id not in (select doc_id from document)) as documents_missing,
    (select count(*) from document where doc_id not in (select doc_id from expected)) as documents_unexpected,
    (select count(doc) - count(distinct doc) from document)
    + (select count(*) from document where doc in (select doc from read_parquet($roster))) as docs_repeated
