"""Word lists of languages: one TOML file each, read once; what the lists are for stands in `en.toml`."""

import tomllib
from collections.abc import Iterator
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
    return [word for text in _texts(path) for word in text.split()]


def phrases(*path: str) -> list[str]:
    """Phrases of one list in all languages, which commas part."""
    return [" ".join(phrase.split()) for text in _texts(path) for phrase in text.split(",")]


def _texts(path: tuple[str, ...]) -> Iterator[str]:
    """One list as it stands in the file of each language that has it."""
    for language in languages().values():
        found: Any = language
        for key in path:
            found = found.get(key, {})
        if found:
            yield found


def pattern(*path: str) -> str:
    """Regular expression of the words of one list in all languages: alternatives, without a group around them."""
    return "|".join(sorted(set(listed(*path))))
