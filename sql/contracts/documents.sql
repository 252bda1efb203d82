-- Purpose: violations of the contract of `documents` and `rejects`.
-- Grain:   one row.
-- Reads:   documents, rejects; $input_rows is the number of rows of the input files.
with documents as (
    select
        count(*) filter (where canary is null) as real_documents,
        count(*) filter (where doc_id is null or doc_id = '') as ids_missing,
        count(doc_id) - count(distinct doc_id) as ids_repeated,
        count(*) filter (where (doc between 0 and (select count(*) from read_parquet($documents)) - 1) is not true)
        + count(doc) - count(distinct doc) as docs_not_dense,
        count(*) filter (where regexp_full_match(text, '\s*') is not false) as texts_empty,
        count(*) filter (where (length(text) = n_chars) is not true) as lengths_wrong,
        count(*) filter (where regexp_full_match(text_hash, '[0-9a-f]{32}') is not true) as hashes_malformed,
        count(*) filter (where source is null or protected is null) as marks_missing,
        count(*) filter (where (starts_with(doc_id, '__canary__/') = (canary is not null)) is not true)
        as canaries_mislabelled
    from read_parquet($documents)
),

rejects as (
    select
        count(*) as rejected,
        count(*) filter (where (file <> '' and "row" >= 1 and reason <> '') is not true) as rejects_unexplained
    from read_parquet($rejects)
)

select
    documents.*,
    abs($input_rows::bigint - documents.real_documents - rejects.rejected) as rows_unaccounted,
    rejects.rejects_unexplained
from documents
cross join rejects
