-- Purpose: violations of the contract of `embeddings` (eq:embedding, eq:entropy).
-- Grain:   one row.
-- Reads:   prescreen, embeddings.
-- Note:    of a text without a word that the encoder knows nothing is known: vector and entropy are zero.
--          A NaN compares greater than every number, so that "within" also refuses NaN and infinity.
with expected as (
    select doc from read_parquet($prescreen) where in_play
),

embedding as (
    select
        doc,
        entropy,
        words,
        windows,
        skipped_words,
        len(vector) as dimensions,
        list_count(attention) as attended,
        -- of a vector with a gap there is no product
        try(list_dot_product(vector, vector)) as squared_norm
    from read_parquet($embeddings)
)

select
    count(embedding.doc) - count(distinct embedding.doc) as docs_repeated,
    count(*) filter (where embedding.doc is null) as docs_missing,
    count(*) filter (where expected.doc is null) as docs_unknown,
    count(*) filter (
        where
            embedding.doc is not null
            and (abs(squared_norm - 1) <= 0.02 or (squared_norm = 0 and entropy = 0)) is not true
    ) as vectors_not_unit,
    greatest(count(distinct dimensions) - 1, 0) as dimensions_mixed,
    count(*) filter (where embedding.doc is not null and (entropy >= 0 and isfinite(entropy)) is not true)
    as entropies_negative,
    count(*) filter (where embedding.doc is not null and (attended = words) is not true)
    as attention_misaligned,
    count(*) filter (
        where embedding.doc is not null and (windows >= 1 and skipped_words between 0 and words) is not true
    ) as windows_impossible
from expected
full outer join embedding on expected.doc = embedding.doc
