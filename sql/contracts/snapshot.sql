-- Purpose: what a snapshot must show before it is published (eq:circuit_breaker and the safety rules).
-- Grain:   one row.
-- Reads:   the documents that the run looked at, survivors, copies, rejects, arrivals; the snapshot's decisions,
--          fragment_spans, conservation and documents ($published, of which $published_tonight is what this run wrote;
--          ids stand in $id_column); what was counted when texts of $published_tonight were put together again
--          ($restored); decisions of the snapshot before ($before).
-- Note:    `curate` is a refresh of nothing: no snapshot before, no list of arrivals, all documents written by it.
--          Ids are compared over the whole snapshot, texts where this run wrote them: older parts are the same files as
--          before. Preservation is the lesser of the rates over planted look-alikes and over protected documents, so
--          that a long protected list cannot hide lost look-alikes; what was to be deleted is not protected any more.
with document as (
    select
        doc,
        doc_id,
        canary,
        published,
        protected
    from read_parquet($documents)
),

decision as (
    select doc_id, source, action, survivor_id, chars_cut from read_parquet($decisions)
),

-- Of documents that no list of arrivals names each came in as a row of its own.
arrival as (
    select doc_id, number, event from read_parquet($arrivals)
    union all
    select doc_id, doc as number, 'new' as event
    from document
    where canary is null and not published and doc_id not in (select doc_id from read_parquet($arrivals))
),

previous as (
    select doc_id, source, action, protected from read_parquet($before)
),

published_ids as (
    select columns(lambda name: name = $id_column)::varchar as doc_id
    from read_parquet($published, union_by_name = true)
),

shown as (
    select columns(lambda name: name = $id_column)::varchar as doc_id
    from read_parquet($published_tonight, union_by_name = true)
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
    from (
        select doc_id from document where protected
        union
        select doc_id from previous where protected and action <> 'delete'
    ) as guarded
    left join decision on guarded.doc_id = decision.doc_id
    where guarded.doc_id not in (select doc_id from arrival where event = 'deleted')
),

rejected as (
    select
        count(*) as rejects,
        count(distinct file) filter (where starts_with(reason, 'unreadable ')) as files_broken
    from read_parquet($rejects)
),

ids as (
    select
        count(*) filter (where decision.doc_id is null) as ids_lost,
        count(*) filter (where known.doc_id is null) as ids_unknown,
        count(decision.doc_id) - count(distinct decision.doc_id) as ids_repeated
    from (
        select doc_id from previous
        union
        select doc_id from arrival where event <> 'unknown'
    ) as known
    full outer join decision on known.doc_id = decision.doc_id
),

survivors as (
    select
        count(*) filter (where (survivor.action in ('keep', 'edit')) is not true) as survivors_not_kept
    from decision
    left join decision as survivor on decision.survivor_id = survivor.doc_id
    where decision.action = 'remove'
),

by_published as (
    select count(*) filter (where (decision.action in ('keep', 'edit')) is not true) / count(*) as loss
    from previous
    left join decision on previous.doc_id = decision.doc_id
    where previous.action in ('keep', 'edit')
    and not ($deletions_meant and previous.doc_id in (select doc_id from arrival where event = 'deleted'))
    group by previous.source
    having count(*) >= $min_source_documents
),

measured as (
    select measure, sum(lost) / nullif(sum(whole), 0) as share
    from read_parquet($conservation)
    group by measure
),

lost as (
    select
        coalesce(max(share) filter (where measure = 'apart_10'), 0) as content_lost,
        coalesce(max(share) filter (where measure = 'gone'), 0) as runs_lost,
        coalesce(max(share) filter (where measure = 'passages'), 0) as passages_lost,
        coalesce(max(share) filter (where measure = 'lacking'), 0) as survivors_lacking
    from measured
),

by_source as (
    select lost / whole as share
    from read_parquet($conservation)
    where measure = 'content' and whole > 0
    and source in (select source from decision group by source having count(*) >= $min_source_documents)
),

rows_published as (
    select
        count(*) filter (where published_ids.doc_id is null) as kept_unpublished,
        count(*) filter (where (kept.action in ('keep', 'edit')) is not true) as published_not_kept,
        count(published_ids.doc_id) - count(distinct published_ids.doc_id) as published_repeated
    from (select * from decision where action in ('keep', 'edit')) as kept
    full outer join published_ids on kept.doc_id = published_ids.doc_id
),

canaries as (
    select count(*) as canaries_published
    from (
        select doc_id from published_ids
        union all
        select doc_id from decision
    )
    where starts_with(doc_id, '__canary__/') or doc_id in (select doc_id from document where canary is not null)
),

cuts as (
    select doc_id, sum("end" - start)::bigint as chars_cut
    from read_parquet($fragment_spans)
    where cut
    group by doc_id
),

miscounted as (
    select count(*) filter (where (coalesce(cuts.chars_cut, 0) = decision.chars_cut) is not true) as cuts_miscounted
    from shown
    left join cuts on shown.doc_id = cuts.doc_id
    left join decision on shown.doc_id = decision.doc_id
),

texts as (
    select
        sum(published_empty)::bigint as published_empty,
        sum(texts_not_restorable)::bigint as texts_not_restorable
    from read_parquet($restored)
)

select
    least(
        coalesce(lookalikes.kept / nullif(lookalikes.planted, 0), 1),
        coalesce(protected.kept / nullif(protected.listed, 0), 1)
    ) as preservation,
    ($canaries and lookalikes.planted = 0)::int as lookalikes_missing,
    protected.listed - protected.kept as protected_removed,
    abs($input_rows::bigint - rejected.rejects - (select count(number) from arrival)) as rows_unaccounted,
    case when $input_rows = 0 then 0 else rejected.rejects / $input_rows end as reject_share,
    rejected.files_broken,
    (select coalesce(max(loss), 0) from by_published) as published_loss,
    lost.*,
    (select coalesce(max(share), 0) from by_source) as source_content_lost,
    ids.*,
    survivors.*,
    canaries.canaries_published,
    rows_published.*,
    miscounted.*,
    texts.*
from lookalikes
cross join protected
cross join rejected
cross join lost
cross join ids
cross join survivors
cross join canaries
cross join rows_published
cross join miscounted
cross join texts
