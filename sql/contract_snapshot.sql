-- Purpose: what a snapshot must show before it is published (eq:circuit_breaker and the safety rules).
-- Grain:   one row.
-- Reads:   the run's documents, rejects, copies and survivors; the snapshot's decisions, fragment_spans and documents
--          ($published, whose id and text stand in $id_column and $text_column).
-- Note:    preservation is the lesser of the rates over planted look-alikes and over protected documents, so that a
--          long protected list cannot hide lost look-alikes. Texts are compared by hash; of those that were cut, which
--          are few, the original is put together first.
with document as (
    select
        doc,
        doc_id,
        canary,
        protected,
        hash(text) as original_hash
    from read_parquet($documents)
),

decision as (
    select * from read_parquet($decisions)
),

published as (
    select
        columns(lambda name : name = $id_column)::varchar as doc_id,
        columns(lambda name : name = $text_column) <> '' as worded,
        hash(columns(lambda name : name = $text_column)) as text_hash
    from read_parquet($published)
),

gone as (
    select doc from read_parquet($survivors) where survivor is not null
    union
    select doc from read_parquet($copies)
),

lookalikes as (
    select
        count(*) as planted,
        count(*) filter (where doc not in (select doc from gone where doc is not null)) as kept
    from document
    where canary like 'F/%'
),

protected as (
    select
        count(*) as listed,
        count(*) filter (where decision.action in ('keep', 'edit')) as kept
    from document
    left join decision on document.doc_id = decision.doc_id
    where document.protected
),

counted as (
    select
        count(*) filter (where action = 'remove') as removed,
        count(*) filter (where action in ('keep', 'edit')) as kept
    from decision
),

rejected as (
    select count(*) as rejects from read_parquet($rejects)
),

by_source as (
    select count(*) filter (where action = 'remove') / count(*) as loss
    from decision
    group by source
    having count(*) >= $min_source_documents
),

rows_published as (
    select
        count(*) filter (where published.doc_id is null) as kept_unpublished,
        count(*) filter (where (decision.action in ('keep', 'edit')) is not true) as published_not_kept,
        count(published.doc_id) - count(distinct published.doc_id) as published_repeated,
        count(*) filter (where published.doc_id is not null and worded is not true) as published_empty
    from (select * from decision where action in ('keep', 'edit')) as decision
    full outer join published on decision.doc_id = published.doc_id
),

canaries as (
    select count(*) as canaries_published
    from (
        select doc_id from published
        union all
        select doc_id from decision
    )
    where starts_with(doc_id, '__canary__/') or doc_id in (select doc_id from document where canary is not null)
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
    from read_parquet($fragment_spans)
    where cut
    window in_text as (partition by doc_id order by start)
),

shortened as (
    select
        columns(lambda name : name = $id_column)::varchar as doc_id,
        columns(lambda name : name = $text_column) as text
    from read_parquet($published)
),

mended as (
    select
        cuts.doc_id,
        sum("end" - start)::bigint as chars_cut,
        hash(
            string_agg(
                substring(shortened.text, previous - cut_before + 1, start - previous) || cuts.text, '' order by start
            )
            || substring(any_value(shortened.text), max("end") - chars_cut + 1)
        ) as text_hash
    from cuts
    inner join shortened on cuts.doc_id = shortened.doc_id
    group by cuts.doc_id
),

restored as (
    select
        published.doc_id,
        coalesce(mended.chars_cut, 0) as chars_cut,
        coalesce(mended.text_hash, published.text_hash) as text_hash
    from published
    left join mended on published.doc_id = mended.doc_id
),

texts as (
    select
        count(*) filter (where (restored.text_hash = document.original_hash) is not true) as texts_not_restorable,
        count(*) filter (where (restored.chars_cut = decision.chars_cut) is not true) as cuts_miscounted
    from restored
    left join document on restored.doc_id = document.doc_id
    left join decision on restored.doc_id = decision.doc_id
)

select
    least(
        coalesce(lookalikes.kept / nullif(lookalikes.planted, 0), 1),
        coalesce(protected.kept / nullif(protected.listed, 0), 1)
    ) as preservation,
    ($canaries and lookalikes.planted = 0)::int as lookalikes_missing,
    protected.listed - protected.kept as protected_removed,
    abs($input_rows::bigint - rejected.rejects - counted.kept - counted.removed) as rows_unaccounted,
    rejected.rejects / nullif($input_rows, 0) as reject_share,
    (select coalesce(max(loss), 0) from by_source) as worst_source_loss,
    canaries.canaries_published,
    rows_published.*,
    texts.*
from lookalikes
cross join protected
cross join counted
cross join rejected
cross join canaries
cross join rows_published
cross join texts
