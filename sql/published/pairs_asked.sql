-- Purpose: pairs that a snapshot decided about, those that somebody who reads it asks for.
-- Grain:   one row per removal, per pair that was compared and kept apart, and per pair of which one may go for the
--          other, but went for a third document.
-- Reads:   decisions, verified and documents of a snapshot; of $outcome, $type, $source, $survivor, $words, $least and
--          $most those that are null ask for nothing. Words are looked for as they stand, in ids and original texts.
with removed as (
    select doc_id, survivor_id as other_id, 'removed' as outcome, type, similarity
    from read_parquet($decisions)
    where action = 'remove'
),

apart as (
    select a_id as doc_id, b_id as other_id, 'kept apart' as outcome, type, weighted_jaccard as similarity
    from read_parquet($verified, union_by_name = true)
    where verdict in ('variant', 'distinct')
),

may_go as (
    select a_id as doc_id, b_id as other_id, 'may go' as outcome, type, weighted_jaccard as similarity
    from read_parquet($verified, union_by_name = true)
    where
        verdict not in ('variant', 'distinct')
        and (a_id, b_id) not in (select (doc_id, other_id) from removed)
        and (b_id, a_id) not in (select (doc_id, other_id) from removed)
),

holding as (
    select doc_id
    from read_parquet($documents)
    where regexp_matches(text, regexp_escape($words), 'i') or regexp_matches(doc_id, regexp_escape($words), 'i')
),

of_source as (
    select doc_id from read_parquet($decisions) where source = $source
)

select *
from (select * from removed union all select * from apart union all select * from may_go)
where
    ($outcome is null or outcome = $outcome)
    and ($type is null or type = $type)
    and ($survivor is null or (outcome = 'removed' and other_id = $survivor))
    and ($least is null or coalesce(similarity, 1) >= $least)
    and ($most is null or coalesce(similarity, 1) <= $most)
    and ($source is null or doc_id in (from of_source) or other_id in (from of_source))
    and ($words is null or doc_id in (from holding) or other_id in (from holding))
