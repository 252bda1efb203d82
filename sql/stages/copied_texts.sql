-- Purpose: the texts of supposed copies side by side, to be compared before anything is collapsed.
-- Grain:   one row per supposed copy.
-- Reads:   documents, the pairs of same_hash.
select pairs.doc, pairs.copy_of, document.text, original.text as original_text
from read_parquet($pairs) as pairs
inner join read_parquet($documents) as document on pairs.doc = document.doc
inner join read_parquet($documents) as original on pairs.copy_of = original.doc
order by pairs.copy_of, pairs.doc
