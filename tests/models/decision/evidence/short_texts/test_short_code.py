"""Short pieces of code compared to the letter."""

import numpy as np
import polars as pl
import pytest

from models.decision.evidence.short_texts.code import NO_CODE, code_forms
from models.lexical.text import normalise

HEADER = "// This file is generated automatically.\n"


def forms(*texts: str) -> list[int]:
    found = code_forms(normalise(pl.Series(texts)), np.ones(len(texts), np.bool_))
    assert NO_CODE not in found
    return found.tolist()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            HEADER + "import { endOfMonth } from 'date-fns'\nexport default endOfMonth\n",
            HEADER + "import { endOfMinute } from 'date-fns'\nexport default endOfMinute\n",
        ),
        ('{\n  "decimal": ".",\n  "currency": ["", "₪"]\n}', '{\n  "decimal": ",",\n  "currency": ["", "₪"]\n}'),
        ('{\n  "decimal": ".",\n  "currency": ["", "₪"]\n}', '{\n  "decimal": ".",\n  "currency": ["", "€"]\n}'),
        ("module.exports = require('../full/number/some');\n", "module.exports = require('../full/number');\n"),
        ("if (a == b) {\n  run(); }\n", "if (a != b) {\n  run(); }\n"),
    ],
)
def test_another_name_or_sign_is_other_code(one: str, other: str) -> None:
    assert len(set(forms(one, other))) == 2


def test_layout_quotes_semicolons_and_steps_of_paths_say_nothing() -> None:
    one = "'use strict';\n\nconst names = ['a', 'b',];\nmodule.exports = require('./full/number');\n"
    other = '"use strict"\nconst names = [\n  "a",\n  "b"\n]\nmodule.exports = require("../../full/number")\n'
    assert len(set(forms(one, other))) == 1


def test_a_page_is_the_same_by_http_and_https() -> None:
    licence = "<license>\n<name>Apache 2.0</name>\n<url>{}://www.apache.org/licenses/LICENSE-2.0</url>\n</license>\n"
    assert len(set(forms(licence.format("http"), licence.format("https")))) == 1
    assert len(set(forms(licence.format("http"), licence.format("ftp")))) == 2


def test_prose_has_no_form_nor_what_nobody_asks_for() -> None:
    texts = pl.Series(["Only today: 50% off, call 555-123 now (or write); don't wait!", "const a = [1, 2];\n"])
    assert code_forms(normalise(texts), np.array([True, False])).tolist() == [NO_CODE, NO_CODE]
