-- Purpose: violations of the contract of `removals`: a rewrite goes only in favour of one that stays, never in a chain.
-- Grain:   one row.
-- Reads:   documents, rewrites, survivors (removals by wording), removals (with those by meaning).
-- Note:    scores are counted in the select list: a condition on the file goes by its statistics, which know no NaN.
with pair as (
    select
        rewrite.*,
        one.canary is not null as planted_a,
        other.canary is not null as planted_b
    from read_parquet($rewrites) as rewrite
    left join read_parquet($documents) as one on rewrite.a = one.doc
    left join read_parquet($documents) as other on rewrite.b = other.doc
),

gone as (
    select doc, survivor, type from read_parquet($removals)
),

worded as (
    select doc, survivor from read_parquet($survivors)
)

select
    (select count(*) from pair where (a < b) is not true)
    + (select count(*) from pair) - (select count(*) from (select distinct a, b from pair)) as pairs_unordered,
    (select count(*) from pair where a in (select doc from worded) or b in (select doc from worded)) as pairs_removed,
    (select count(*) from pair where (planted_a = planted_b) is not true) as canaries_mixed,
    (
        select count(*) filter (where (p_same between 0 and 1 and cosine between -1.001 and 1.001) is not true)
        from pair
    ) as scores_impossible,
    (select count(*) from worded where (doc, survivor) not in (select (doc, survivor) from gone)) as removals_lost,
    (select count(*) - count(distinct doc) from gone) as docs_repeated,
    (select count(*) from gone where survivor in (select doc from gone)) as survivors_removed,
    (
        select count(*) from gone
        where type = 'P' and (least(doc, survivor), greatest(doc, survivor)) not in (select (a, b) from pair)
    ) as removals_unfounded
