-- Purpose: documents whose normalised text has the same hash, each beside the one that stands for them.
-- Grain:   one row per document that is not the first of its hash; protected documents come first.
-- Reads:   documents.
with hashed as (
    select
        doc,
        first_value(doc) over (
            partition by text_hash, canary is not null
            order by protected desc, doc
        ) as copy_of
    from read_parquet($documents)
)

select doc, copy_of
from hashed
where doc <> copy_of
order by copy_of, doc
