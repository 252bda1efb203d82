-- Purpose: give every accepted input row its place in the corpus.
-- Grain:   one row per input row; `doc` is null where a doc_id was already taken (the row goes to rejects).
-- Reads:   raw rows (file, row, position, given_id, text_id, n_bytes, source, canary), sources in falling priority.
-- Note:    the order follows from ids and content alone, so neither file order nor file borders show in it.
with identified as (
    select
        file,
        "row" as place,
        position,
        n_bytes,
        coalesce(given_id, text_id) as known_id,
        given_id is null as derived,
        canary is not null as planted,
        coalesce(list_position($source_priority::varchar[], source), len($source_priority::varchar[]) + 1) as priority,
        row_number() over (
            partition by coalesce(given_id, text_id), canary is not null
            order by given_id is null, text_id, source, file, "row"
        ) as occurrence
    from read_parquet($raw)
),

named as (
    select
        *,
        case when derived and occurrence > 1 then known_id || '-' || occurrence else known_id end as doc_id,
        not derived and occurrence > 1 as taken
    from identified
)

select
    file,
    place,
    position,
    n_bytes,
    doc_id,
    taken,
    case
        when not taken
            then row_number() over (partition by taken order by planted, priority, doc_id) - 1
    end as doc
from named
