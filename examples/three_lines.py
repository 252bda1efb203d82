"""Three lines: a list of texts in, what stays and why the others go out."""

import semhash_llm as sh

TEXTS = [
    "The harbour of Lisbon was rebuilt after the earthquake of 1755, and the new quays were finished in 1775.",
    "The harbour of Lisbon was rebuilt after the earthquake of 1755 and the new quays were finished in 1775",
    "The harbour of Lisbon was rebuilt after the earthquake of 1755, and the new quays were finished in 1785.",
    "Bread is baked before dawn in the lower town; by seven the first loaves are sold.",
]

result = sh.deduplicate(TEXTS)
assert result.kept == [TEXTS[0], TEXTS[2], TEXTS[3]], "another year is another text"
print(result.decisions.select("action", "survivor_id", "reason"))
