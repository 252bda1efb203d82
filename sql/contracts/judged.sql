-- Purpose: violations of the contract of `judged`: what a judge or a person said of verified pairs.
-- Grain:   one row.
-- Reads:   documents, verified, judged.
-- Note:    only what was asked or reviewed may differ from `verified`, and only reviews may bring up further pairs. The
--          budget is a share of the candidate pairs ($max_share) and a number ($max_pairs). Of a suspicious pair, one
--          with a document that speaks to the judge, nobody is asked.
with document as (
    select doc, canary is not null as planted from read_parquet($documents)
),

verified as (
    select * from read_parquet($verified)
),

judged as (
    select * from read_parquet($judged)
),

repeated as (
    select count(*) - 1 as surplus from judged group by a, b having count(*) > 1
),

joined as (
    select
        judged.*,
        verified.a is null as brought_up,
        ((verified.p_dup, verified.sigma) is distinct from (judged.p_dup, judged.sigma)) as automatic_differs,
        ((verified.type, verified.verdict) is distinct from (judged.type, judged.verdict)) as outcome_differs,
        coalesce(lower_document.planted <> upper_document.planted, true) as strangers
    from judged
    left join verified on judged.a = verified.a and judged.b = verified.b
    left join document as lower_document on judged.a = lower_document.doc
    left join document as upper_document on judged.b = upper_document.doc
)

select
    (select coalesce(sum(surplus), 0)::bigint from repeated) as pairs_repeated,
    (select count(*) from verified anti join judged on verified.a = judged.a and verified.b = judged.b) as pairs_lost,
    count(*) filter (where (a < b) is not true or strangers) as pairs_impossible,
    count(*) filter (where brought_up and judge_source is distinct from 'review') as pairs_unfounded,
    count(*) filter (where not brought_up and automatic_differs) as automatic_changed,
    count(*) filter (where coalesce(judge_source, 'suspicious') = 'suspicious' and outcome_differs) as unasked_changed,
    count(*) filter (where judge_source not in ('model', 'review', 'suspicious')) as sources_unknown,
    count(*) filter (where judge_label not in ('duplicate', 'distinct', 'contained')) as labels_unknown,
    count(*) filter (
        where judge_source in ('model', 'review')
        and (
            judge_label is not null
            and judge_p between 0 and 1
            and judge_confidence between 0 and 1
            and p_final between 0 and 1
            and (judge_source = 'review' or (judge_model <> '' and judge_prompt <> ''))
        ) is not true
    ) as judgements_incomplete,
    count(*) filter (
        where coalesce(judge_source, 'suspicious') = 'suspicious'
        and coalesce(judge_label, judge_model, judge_prompt, judge_p::varchar, p_final::varchar) is not null
    ) as judgements_unsigned,
    count(*) filter (where (type in $types) is not true) as types_unknown,
    count(*) filter (where (verdict in $verdicts) is not true) as verdicts_unknown,
    count(*) filter (where type in ('F', 'none') and verdict <> 'distinct') as lookalikes_removable,
    count(*) filter (
        where judge_source = 'review'
        and (judge_label = 'distinct') <> (verdict = 'distinct')
    ) as reviews_disobeyed,
    greatest(
        0,
        count(*) filter (where judge_source = 'model')
        - least(
            $max_pairs,
            floor(round($max_share * (select count(*) from verified where round = 0), 6))
        )
    )::bigint as over_budget
from joined
