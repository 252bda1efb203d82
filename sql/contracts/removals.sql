-- Purpose: violations of the contract of `removals`: a rewrite goes only in favour of one that stays, never in a chain.
-- Grain:   one row.
-- Reads:   documents, rewrites, survivors (removals by wording), removals (with those by meaning).
-- Note:    scores are counted in the select list: a condition on the file goes by its statistics, which know no NaN.
with document as (
    select doc, canary is not null as planted from read_parquet($documents)
),

worded as (
    select doc, survivor from read_parquet($survivors)
),

gone as (
    select doc, survivor, type from read_parquet($removals)
),

pair as (
    select
        rewrite.*,
        one.planted as planted_a,
        other.planted as planted_b
    from read_parquet($rewrites) as rewrite
    left join document as one on rewrite.a = one.doc
    left join document as other on rewrite.b = other.doc
),

pairs as (
    select
        count(*) filter (where (a < b) is not true) + count(*) - count(distinct row(a, b)) as pairs_unordered,
        count(*) filter (where a in (select doc from worded) or b in (select doc from worded)) as pairs_removed,
        count(*) filter (where (planted_a = planted_b) is not true) as canaries_mixed,
        count(*) filter (where (p_same between 0 and 1 and cosine between -1.001 and 1.001) is not true)
        as scores_impossible
    from pair
),

removals as (
    select
        count(*) - count(distinct doc) as docs_repeated,
        count(*) filter (where survivor in (select doc from gone)) as survivors_removed,
        count(*) filter (
            where type = 'P'
            and (least(doc, survivor), greatest(doc, survivor)) not in (select (a, b) from read_parquet($rewrites))
        ) as removals_unfounded
    from gone
)

select
    pairs.*,
    removals.*,
    (select count(*) from worded where (doc, survivor) not in (select (doc, survivor) from gone)) as removals_lost
from pairs
cross join removals
