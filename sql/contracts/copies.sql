-- Purpose: violations of the contract of `copies`, the exact collapse.
-- Grain:   one row.
-- Reads:   documents, copies.
with document as (
    select doc, text_hash, canary is not null as planted from read_parquet($documents)
),

copy as (
    select doc, copy_of from read_parquet($copies)
),

joined as (
    select
        copy.doc,
        document.text_hash = kept.text_hash as same_hash,
        document.planted = kept.planted as same_world
    from copy
    left join document on copy.doc = document.doc
    left join document as kept on copy.copy_of = kept.doc
)

select
    count(doc) - count(distinct doc) as copies_repeated,
    count(*) filter (where same_hash is not true) as copies_unequal,
    count(*) filter (where same_world is not true) as canaries_mixed,
    (select count(*) from copy where copy_of is null or copy_of in (select doc from copy)) as copies_chained
from joined
