"""RAG store: which chunks to embed, and which chunk answers for one that is not embedded.

Links to chunks that went keep working: `survivor_id` says where the same text stands.
"""

import polars as pl

import semhash_llm as sh

NOTICE = "Copyright the authors. You may copy this page as long as this notice stays in it."
chunks = pl.DataFrame(
    {
        "id": ["guide#1", "guide#2", "mirror#1", "mirror#2"],
        "url": ["https://a.example/guide", "https://a.example/guide", "https://b.example/", "https://b.example/"],
        "text": [
            "Unplug the kettle, let it cool for ten minutes and pour out what is left before you descale it.",
            "Half a litre of vinegar and as much water dissolve the scale in about an hour.",
            "Unplug the kettle, let it cool for ten minutes and pour out what is left, before you descale it.",
            NOTICE,
        ],
    }
)
result = sh.deduplicate(chunks, id="id", protected=["guide#1"])
to_embed = result.kept
answers_for = dict(result.decisions.filter(action="remove").select("doc_id", "survivor_id").iter_rows())
assert answers_for == {"mirror#1": "guide#1"}
print(to_embed["id"].to_list(), answers_for)
