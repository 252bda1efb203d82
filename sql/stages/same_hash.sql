-- Purpose: documents whose normalised text has the same hash, each beside the one that stands for them.
-- Grain:   one row per document that is not the first of its hash; protected documents come first.
-- Reads:   documents.
-- Note:    a published document is nobody's copy, and neither is a protected one: it is kept beside its equals.
with hashed as (
    select
        doc,
        published,
        protected,
        first_value(doc) over same_text as copy_of
    from read_parquet($documents)
    window same_text as (
        partition by text_hash, canary is not null
        order by published desc, protected desc, doc
    )
)

select doc, copy_of
from hashed
where doc <> copy_of and not published and not protected
order by copy_of, doc
