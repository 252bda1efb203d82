-- Purpose: violations of the contract of `fragments` and `fragment_spans`.
-- Grain:   one row.
-- Reads:   documents, fragments, fragment_spans; $min_hosts, $min_viral, $max_cut_share and $min_rest_chars are
--          parameters of the fragment stage.
-- Note:    that texts of cuts are what stood there is asked by the gate, which puts every text together again.
with document as (
    select doc, n_chars from read_parquet($documents)
),

fragment as (
    select * from read_parquet($fragments)
),

span as (
    select
        doc,
        fragment,
        cut,
        start,
        "end",
        length(text) as text_chars,
        max("end") over (
            partition by doc order by start, "end" rows between unbounded preceding and 1 preceding
        ) as covered
    from read_parquet($fragment_spans)
),

joined as (
    select
        span.*,
        document.doc is null as homeless,
        fragment.fragment is null as nameless,
        fragment.action,
        document.n_chars
    from span
    left join document on span.doc = document.doc
    left join (select distinct on (fragment) * from fragment) as fragment on span.fragment = fragment.fragment
),

stumps as (
    select doc
    from joined
    where cut
    group by doc
    having
        sum("end" - start) > $max_cut_share * max(n_chars)
        or max(n_chars) - sum("end" - start) < greatest($min_rest_chars, 1)
),

fragments as (
    select
        count(fragment) - count(distinct fragment) as fragments_repeated,
        count(*) filter (where (action in ('cut', 'keep')) is not true) as actions_unknown,
        count(*) filter (where (hosts >= $min_hosts and occurrences >= 1) is not true) as fragments_too_rare,
        count(*) filter (where action = 'cut' and (viral between $min_viral and 1) is not true) as cut_unjudged
    from fragment
),

spans as (
    select
        count(*) filter (where homeless) as docs_unknown,
        count(*) filter (where nameless) as fragments_unknown,
        count(*) filter (where (start >= 0 and start < "end" and "end" <= n_chars) is not true) as spans_outside,
        count(*) filter (where covered > start) as spans_overlapping,
        count(*) filter (where (text_chars = "end" - start) is not true) as texts_misfit,
        count(*) filter (where cut is null or (cut and (action = 'cut') is not true)) as cuts_unfounded,
        (select count(*) from stumps) as stumps
    from joined
)

select fragments.*, spans.*
from fragments
cross join spans
