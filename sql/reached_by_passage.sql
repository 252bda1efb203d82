-- Purpose: published documents that may share a viral passage with tonight's documents: enough documents hold one of its
--          minimizers.
-- Grain:   one row per minimizer; `docs` are the published documents that hold it, null where they are more than
--          $most_hosts, which is told as `crowded`.
-- Reads:   minimizers of the index and of tonight's documents, windows of known fragments, documents that stay published.
-- Note:    a window of a known fragment reaches nobody: tonight's documents are cut by the fragment itself.
with known as (
    select distinct unnest(windows) as minimizer from read_parquet($known)
),

unnested as (
    select unnest(windows) as minimizer from read_parquet($tonight)
),

tonight as (
    select minimizer, count(*) as hosts
    from unnested
    anti join known on unnested.minimizer = known.minimizer
    group by minimizer
),

held as (
    select doc, unnest(windows) as minimizer from read_parquet($windows)
),

met as (
    select held.doc, held.minimizer, tonight.hosts
    from held
    inner join tonight on held.minimizer = tonight.minimizer
    semi join read_parquet($standing) as standing on held.doc = standing.doc
)

select
    minimizer,
    count(*) > $most_hosts as crowded,
    case when count(*) <= $most_hosts then list(doc) end as docs
from met
group by minimizer
having count(*) + any_value(hosts) >= $min_hosts
order by minimizer
