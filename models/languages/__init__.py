"""Word lists of languages: one TOML file each, read once; what the lists are for stands in `en.toml`."""

import tomllib
from functools import cache
from importlib import resources
from typing import Any


@cache
def languages() -> dict[str, dict[str, Any]]:
    """The lists of every language, by its code, in the order of the codes."""
    files = sorted((file for file in resources.files(__name__).iterdir() if file.name.endswith(".toml")), key=str)
    return {file.name.removesuffix(".toml"): tomllib.loads(file.read_text("utf-8")) for file in files}


def listed(*path: str) -> list[str]:
    """Words of one list in all languages, such as `listed("volatile", "ago")`; none where a language lacks it."""
    words = []
    for language in languages().values():
        found: Any = language
        for key in path:
            found = found.get(key, {})
        words += found.split() if found else []
    return words


@cache
def fact_words() -> frozenset[str]:
    """Words that state a fact by themselves in any language: negations, numbers, amounts, months and days."""
    words = {*listed("negations"), *listed("amounts")}
    for language in languages().values():
        words |= {word for spelt in language.get("numbers", {}).values() for word in spelt.split()}
        calendar = [spelt for names in language.get("calendar", {}).values() for spelt in names]
        words |= {word for spelt in calendar for word in spelt.split() if len(word) > 3 and word != "sept"}
    return frozenset(words - {"once", "one", "may", "en", "et"})
