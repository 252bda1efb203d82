-- Purpose: where fragments stand in the kept documents, under the user's ids.
-- Grain:   one row per occurrence.
-- Reads:   fragment spans, decisions.
select span.fragment, decision.doc_id, span.start, span."end", span.text, span.cut
from read_parquet($spans) as span
inner join read_parquet($decisions) as decision on span.doc = decision.doc
where decision.canary is null
order by span.doc, span.start
