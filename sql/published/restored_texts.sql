-- Purpose: whether published texts can be put together again from what was cut from them.
-- Grain:   one row.
-- Reads:   originals ($documents), cut passages ($cuts: doc_id, start, end, text), published texts ($published; id and
--          text stand in $id_column and $text_column).
-- Note:    texts are compared by hash. Pieces are put between what was left of a text row by row: texts put together by
--          an aggregate would all be held.
with document as (
    select doc_id, hash(text) as original_hash from read_parquet($documents)
),

shown as (
    select
        columns(lambda name: name = $id_column)::varchar as doc_id,
        columns(lambda name: name = $text_column) as text
    from read_parquet($published, union_by_name = true)
),

cuts as (
    select
        doc_id,
        start,
        "end",
        text,
        coalesce(lag("end") over in_text, 0) as previous,
        coalesce(sum("end" - start) over (in_text rows between unbounded preceding and 1 preceding), 0)::bigint
        as cut_before
    from read_parquet($cuts)
    window in_text as (partition by doc_id order by start)
),

pieces as (
    select
        doc_id,
        list({ first: previous - cut_before + 1, size: start - previous, text: text } order by start) as several,
        max("end") as last_end,
        sum("end" - start)::bigint as chars_cut
    from cuts
    group by doc_id
),

published as (
    select
        shown.doc_id,
        shown.text <> '' as worded,
        hash(
            case
                when pieces.doc_id is null then shown.text
                else array_to_string(
                    list_transform(several, lambda one: substring(shown.text, one.first, one.size) || one.text), ''
                )
                || substring(shown.text, last_end - pieces.chars_cut + 1)
            end
        ) as original_hash
    from shown
    left join pieces on shown.doc_id = pieces.doc_id
)

select
    count(*) filter (where worded is not true) as published_empty,
    count(*) filter (where (published.original_hash = document.original_hash) is not true) as texts_not_restorable
from published
left join document on published.doc_id = document.doc_id
