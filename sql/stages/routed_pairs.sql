-- Purpose: one list of pairs out of the three routes, before the sketches are compared.
-- Grain:   one row per pair a < b.
-- Reads:   semantic pairs (with Hamming distance), banded pairs, contained pairs.
-- Note:    routing 'cascade' is the paper's AND of semantic block and LSH; 'union' takes either, 'semantic' and
--          'lexical' one alone. Containment is a detector of its own beside the cascade and passes in all.
--          Only pairs with $low <= a < $high: all at once, millions of groups would not fit into memory.
with found as (
    select a, b, hamming, true as semantic, false as lexical, false as contained
    from read_parquet($blocked)
    where a >= $low and a < $high
    union all
    select a, b, null, false, true, false from read_parquet($banded) where a >= $low and a < $high
    union all
    select a, b, null, false, false, true from read_parquet($contained) where a >= $low and a < $high
),

merged as (
    select
        a,
        b,
        min(hamming)::smallint as hamming,
        bool_or(semantic) as semantic,
        bool_or(lexical) as lexical,
        bool_or(contained) as contained
    from found
    group by a, b
)

select
    a,
    b,
    hamming,
    contained,
    case
        when semantic and lexical then 'both'
        when semantic then 'semantic'
        when lexical then 'lexical'
        else 'containment'
    end as route
from merged
where
    contained
    or $routing = 'union'
    or ($routing = 'semantic' and semantic)
    or ($routing = 'lexical' and lexical)
    or (semantic and lexical)
order by a, b
