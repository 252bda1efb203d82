-- Purpose: violations of the contract of `signatures` (eq:hash, eq:weighted_minhash, eq:adaptive_band).
-- Grain:   one row.
-- Reads:   prescreen, signatures; $slots, $bands_min and $bands_max are parameters of the sketch.
with expected as (
    select doc from read_parquet($prescreen) where in_play
),

signature as (
    select
        doc,
        code,
        short,
        mass,
        list_count(sketch) as slots,
        list_count(bands) as bands,
        sample is null as unsampled
    from read_parquet($signatures)
)

select
    count(signature.doc) - count(distinct signature.doc) as docs_repeated,
    count(*) filter (where signature.doc is null) as docs_missing,
    count(*) filter (where expected.doc is null) as docs_unknown,
    count(*) filter (where signature.doc is not null and code is null) as codes_missing,
    count(*) filter (where signature.doc is not null and (slots = $slots) is not true)
    as sketches_wrong_length,
    count(*) filter (
        where signature.doc is not null and (bands between $bands_min and $bands_max) is not true
    ) as bands_out_of_bounds,
    count(*) filter (where signature.doc is not null and (unsampled or short is null)) as samples_missing,
    count(*) filter (where signature.doc is not null and (mass >= 0 and isfinite(mass)) is not true)
    as masses_negative
from expected
full outer join signature on expected.doc = signature.doc
