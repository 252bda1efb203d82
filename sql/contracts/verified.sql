-- Purpose: violations of the contract of `verified`.
-- Grain:   one row.
-- Reads:   documents, verified.
-- Note:    pairs are counted in groups, which DuckDB puts on disk where they do not fit; a distinct count does not.
--          A NaN compares greater than every number, so that "between" also refuses NaN.
with document as (
    select doc, canary is not null as planted from read_parquet($documents)
),

pair as (
    select count(*) as times from read_parquet($verified) group by a, b
),

joined as (
    select
        verified.*,
        lower_document.planted as a_planted,
        upper_document.planted as b_planted
    from read_parquet($verified) as verified
    left join document as lower_document on verified.a = lower_document.doc
    left join document as upper_document on verified.b = upper_document.doc
)

select
    (select coalesce(sum(times), 0) - count(*) from pair) as pairs_repeated,
    count(*) filter (where (a < b) is not true) as pairs_unordered,
    count(*) filter (where a_planted is null or b_planted is null) as docs_unknown,
    count(*) filter (where a_planted <> b_planted) as canaries_mixed,
    count(*) filter (
        where (
            weighted_jaccard between 0 and 1.001
            and containment_a between 0 and 1.001
            and containment_b between 0 and 1.001
            and p_dup between 0 and 1
            and cosine between -1.001 and 1.001
        ) is not true
    ) as scores_impossible,
    count(*) filter (where (type in $types) is not true) as types_unknown,
    count(*) filter (where (verdict in $verdicts) is not true) as verdicts_unknown,
    count(*) filter (where type in ('F', 'none') and verdict <> 'distinct') as lookalikes_removable
from joined
