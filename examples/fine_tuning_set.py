"""Fine-tuning set: conversations, one of which is there twice, and rows of question and answer.

Each is compared as one text, and what stays comes back as it was.
"""

import polars as pl

import semhash_llm as sh


def conversation(question: str, answer: str) -> list[dict[str, str]]:
    """Two turns, as most chat formats have them."""
    return [{"role": "user", "content": question}, {"role": "assistant", "content": answer}]


LISBON = "Lisbon has been the capital of Portugal since 1255."
chats = [
    {"id": "a", "messages": conversation("Name the capital of Portugal.", LISBON)},
    {"id": "b", "messages": conversation("Name the capital of Portugal!", LISBON)},
    {"id": "c", "messages": conversation("Name the capital of Norway.", "Oslo has been its capital since 1814.")},
]
kept = sh.deduplicate(chats).kept
assert kept == [chats[0], chats[2]]

rows = pl.DataFrame({"question": ["What is 6 times 7?", "What is 6 times 7?"], "solution": ["42", "Six sevens: 42."]})
assert sh.deduplicate(rows, text=["question", "solution"]).kept.equals(rows), "two answers to one question"
print(kept)
