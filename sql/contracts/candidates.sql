-- Purpose: violations of the contract of `candidates`.
-- Grain:   one row.
-- Reads:   documents, candidates.
-- Note:    pairs are counted in groups, which DuckDB puts on disk where they do not fit; a distinct count does not.
with document as (
    select doc, canary is not null as planted from read_parquet($documents)
),

pair as (
    select count(*) as times from read_parquet($candidates) group by a, b
),

joined as (
    select
        candidate.*,
        lower_document.planted as a_planted,
        upper_document.planted as b_planted
    from read_parquet($candidates) as candidate
    left join document as lower_document on candidate.a = lower_document.doc
    left join document as upper_document on candidate.b = upper_document.doc
)

select
    (select coalesce(sum(times), 0) - count(*) from pair) as pairs_repeated,
    count(*) filter (where (a < b) is not true) as pairs_unordered,
    count(*) filter (where a_planted is null or b_planted is null) as docs_unknown,
    count(*) filter (where a_planted <> b_planted) as canaries_mixed,
    count(*) filter (where (route in ('semantic', 'lexical', 'both', 'containment')) is not true) as routes_unknown,
    count(*) filter (where (coalesce(hamming, 0) between 0 and 64) is not true) as distances_impossible,
    count(*) filter (where (coalesce(similarity, 0) between 0 and 1) is not true) as similarities_impossible
from joined
