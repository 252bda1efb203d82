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
        norm,
        octet_length(vector) as bytes,
        octet_length(attention) as attended
    from read_parquet($embeddings)
)

select
    count(embedding.doc) - count(distinct embedding.doc) as docs_repeated,
    count(*) filter (where embedding.doc is null) as docs_missing,
    count(*) filter (where expected.doc is null) as docs_unknown,
    count(*) filter (
        where
            embedding.doc is not null
            and (bytes >= 0 and (abs(norm - 1) <= 0.01 or (norm = 0 and entropy = 0))) is not true
    ) as vectors_not_unit,
    greatest(count(distinct bytes) - 1, 0) as dimensions_mixed,
    count(*) filter (where embedding.doc is not null and (entropy >= 0 and isfinite(entropy)) is not true)
    as entropies_negative,
    count(*) filter (where embedding.doc is not null and (attended = words) is not true)
    as attention_misaligned,
    count(*) filter (
        where embedding.doc is not null and (windows >= 1 and skipped_words between 0 and words) is not true
    ) as windows_impossible
from expected
full outer join embedding on expected.doc = embedding.doc
