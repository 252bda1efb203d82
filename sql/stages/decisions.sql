-- Purpose: what happens to each input document, in whose favour, at which stage, and why in words.
-- Grain:   one row per document of the user, in the order of `doc`.
-- Reads:   documents, copies (exact collapse), survivors (removals among distinct texts), rescued (removals that were
--          called off), fragment spans.
-- Note:    an exact copy of a removed document goes to the survivor of that document: the texts are equal, so the
--          direct check of the one holds for the other. $generation is the number of the refresh that decides, 0 for
--          the curation of a whole corpus. A removal says so where the judge or a person had a say in it.
with cuts as (
    select doc, count(*) as passages, sum("end" - start)::integer as chars_cut
    from read_parquet($spans)
    where cut
    group by doc
),

rescues as (
    select
        doc,
        survivor as outdone_by,
        words,
        regexp_replace(passage, '\s+', ' ', 'g') as said
    from read_parquet($rescued)
),

fates as (
    select
        document.doc,
        document.doc_id,
        document.source,
        document.n_chars,
        document.canary,
        document.protected,
        copy.copy_of,
        removal.doc is not null as outdone,
        coalesce(removal.survivor, copy.copy_of) as survivor,
        case when copy.doc is not null and removal.doc is null then 'exact' else removal.type end as type,
        case when copy.doc is not null and removal.doc is null then 'collapse' else removal.stage end as stage,
        removal.similarity,
        removal.containment,
        removal.cosine,
        removal.p_dup,
        case
            when removal.judge_source = 'review' then ' A person who compared them decided so.'
            when removal.judge_source = 'model' then format(
                ' Automation was not sure; the judge calls the pair {}, with which p is {:.2f}.',
                removal.judge_label, removal.p_final
            )
            else ''
        end as judged,
        rescues.outdone_by,
        rescues.words as words_said,
        if(length(rescues.said) > 160, left(rescues.said, 159) || '…', rescues.said) as said,
        coalesce(cuts.passages, 0) as passages,
        coalesce(cuts.chars_cut, 0) as chars_cut
    from read_parquet($documents) as document
    left join read_parquet($copies) as copy on document.doc = copy.doc
    left join read_parquet($survivors, union_by_name = true) as removal
        on coalesce(copy.copy_of, document.doc) = removal.doc
    left join cuts on document.doc = cuts.doc
    left join rescues on document.doc = rescues.doc
),

named as (
    select
        fates.*,
        survivor.doc_id as survivor_id,
        original.doc_id as copied_id,
        outdoing.doc_id as outdone_by_id,
        count(*) over (partition by coalesce(fates.survivor, fates.doc)) - 1 as stands_for
    from fates
    left join read_parquet($documents) as survivor on fates.survivor = survivor.doc
    left join read_parquet($documents) as original on fates.copy_of = original.doc
    left join read_parquet($documents) as outdoing on fates.outdone_by = outdoing.doc
)

select
    doc,
    doc_id,
    source,
    case when survivor_id is not null then 'remove' when chars_cut > 0 then 'edit' else 'keep' end as action,
    case when survivor_id is null and chars_cut > 0 then 'E' else type end as type,
    survivor_id,
    case
        when survivor_id is null and chars_cut > 0 then 'fragment'
        when survivor_id is null and outdone_by is not null then 'rescue'
        else stage
    end as stage,
    similarity::float as similarity,
    containment::float as containment,
    cosine::float as cosine,
    chars_cut::integer as chars_cut,
    n_chars,
    protected,
    canary,
    $generation::integer as generation,
    case
        when type = 'exact' then format('Same text as {} after normalisation.', survivor_id)
        when survivor_id is not null and copied_id is not null
            then format('Same text as {}, which gives way to {}.', copied_id, survivor_id)
        when type = 'A' then format(
            'Same content as {} in another template: weighted Jaccard {:.2f}, cosine {:.2f}.',
            survivor_id, similarity, cosine
        )
        when type = 'B' then format(
            'Copy of {} with small edits: weighted Jaccard {:.2f}, cosine {:.2f}.', survivor_id, similarity, cosine
        )
        when type = 'C' then format(
            'Short text that differs from {} in single characters only: weighted Jaccard {:.2f}.',
            survivor_id, similarity
        )
        when type = 'D' then format(
            'Contained in {}: {:.0f} % of its shingles occur there, cosine {:.2f}.',
            survivor_id, 100 * containment, cosine
        )
        when type = 'P' then format(
            'Says the same as {} in other words: p {:.2f}, cosine {:.2f}.', survivor_id, p_dup, cosine
        )
        when outdone_by is not null then format(
            'Kept: it alone says “{}” ({} words in a row); else it would give way to {}.{}',
            said, words_said, outdone_by_id, if(chars_cut > 0, format(' {} characters are cut.', chars_cut), '')
        )
        when chars_cut > 0 then format(
            '{} viral {} cut, {} characters.', passages, if(passages = 1, 'passage', 'passages'), chars_cut
        )
        when stands_for > 0 then format(
            'Kept; stands for {} removed {}.', stands_for, if(stands_for = 1, 'document', 'documents')
        )
        else 'Kept; nothing found that repeats it.'
    end || if(copied_id is null, judged, '') as reason
from named
order by doc
