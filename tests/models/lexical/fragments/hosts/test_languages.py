"""How few languages explain what each host of a passage may be written in."""

import numpy as np
import pytest

from models.lexical.fragments.hosts.languages import SCRIPT_BITS, fewest_languages

CZECH, DANISH, FRENCH, POLISH, SWEDISH = (1 << (SCRIPT_BITS + bit) for bit in range(5))
GREEK, CYRILLIC = 3, 8
"""Scripts, of which Latin letters alone are 0."""


@pytest.mark.parametrize(
    ("hosts", "languages"),
    [
        ([POLISH, POLISH | CZECH, POLISH | FRENCH, CZECH | POLISH], 1),
        ([POLISH, CZECH, FRENCH, DANISH | SWEDISH], 4),
        ([DANISH, DANISH | SWEDISH, SWEDISH, 0], 2),
        ([GREEK, GREEK, CYRILLIC], 2),
        ([POLISH | CYRILLIC, CYRILLIC, POLISH], 2),  # of one only the script is told; another is in other letters
        ([0, 0], 0),
        ([], 0),
    ],
)
def test_each_host_is_in_one_of_as_few_languages_as_do(hosts: list[int], languages: int) -> None:
    told, pointers = np.array([*hosts, FRENCH], np.int64), np.array([0, len(hosts), len(hosts) + 1])
    assert fewest_languages(told, pointers).tolist() == [languages, 1]
