-- Purpose: violations of the contract of `prescreen`: every distinct text is screened once.
-- Grain:   one row.
-- Reads:   documents, copies, prescreen.
with expected as (
    select doc from read_parquet($documents)
    except
    select doc from read_parquet($copies)
),

screened as (
    select * from read_parquet($prescreen)
)

select
    count(screened.doc) - count(distinct screened.doc) as docs_repeated,
    count(*) filter (where screened.doc is null) as docs_missing,
    count(*) filter (where expected.doc is null) as docs_unknown,
    count(*) filter (
        where screened.doc is not null and (shared between 0 and shingles and in_play is not null) is not true
    ) as counts_impossible
from expected
full outer join screened on expected.doc = screened.doc
