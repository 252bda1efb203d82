"""Make the table of simplified characters anew out of OpenCC's dictionaries.

    pip install opencc==1.1.9
    python -m tests.benchmarks.languages.simplified > models/lexical/text/simplified.txt

A character of the Basic Multilingual Plane is written as what OpenCC makes of it alone, from traditional to simplified
(t2s); one that t2s leaves alone and makes of no other, as what OpenCC makes of it from the standard of Taiwan (tw2s)
or of Hong Kong (hk2s). So every character has one simplified form, whatever stands beside it.
"""

from itertools import chain

from opencc import OpenCC

HEADER = """\
# Traditional characters and variants: the simplified character, a blank, what is written for it elsewhere.
# Made by tests/benchmarks/languages/simplified.py from the dictionaries of OpenCC 1.1.9, Apache License 2.0
# (https://github.com/BYVoid/OpenCC)."""
HAN = [chr(code) for code in chain(range(0x3400, 0x4DC0), range(0x4E00, 0xA000))]


def converted(characters: list[str], configuration: str) -> dict[str, str]:
    """What OpenCC makes of each character that it changes into another one of the plane."""
    convert = OpenCC(configuration).convert
    pairs = ((one, convert(one)) for one in characters)
    return {one: other for one, other in pairs if other != one and len(other) == 1 and ord(other) < 0x10000}


def simplified() -> dict[str, str]:
    """Simplified character of each other one."""
    found = converted(HAN, "t2s")
    for regional in ("tw2s", "hk2s"):
        targets = set(found.values())
        found |= converted([one for one in HAN if one not in found and one not in targets], regional)
    while chained := {one: found[other] for one, other in found.items() if other in found}:
        found |= chained
    return found


def main() -> None:
    """Print the table."""
    print(HEADER)
    found = simplified()
    for character in sorted(set(found.values())):
        print(character, "".join(sorted(one for one, other in found.items() if other == character)))


if __name__ == "__main__":
    main()
