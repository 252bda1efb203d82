-- Purpose: the user's own columns, untouched, to be published beside the text.
-- Grain:   one row per document of the user, in the order of `doc`.
-- Reads:   the user's columns of the raw rows (of the text only its place), numbered rows.
select
    numbered.doc as semhash_doc,
    extras.* exclude (semhash_file, semhash_row)
from read_parquet($extras, union_by_name = true) as extras
inner join read_parquet($numbered) as numbered
    on extras.semhash_file = numbered.file and extras.semhash_row = numbered.place
where numbered.doc is not null
order by numbered.doc
