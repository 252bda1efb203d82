"""Furniture of pages: which repeated passages are navigation bars or badges."""

import polars as pl
import pytest

from models.lexical.fragments.furniture import is_furniture
from tasks.resolve.fragment_cuts import units_of

BADGE = (
    "[![Code style: black](https://img.shields.io/badge/code%20style-black-000000.svg)](https://github.com/psf/black)"
)
RUFF = "[![Ruff](https://img.shields.io/endpoint?url=https://example.org/badge/v2.json)](https://github.com/ruff)"


@pytest.mark.parametrize(
    "text",
    [
        "Modules | Directives | FAQ | Glossary | Sitemap | Report a bug\n\nServer 2.4\n\nServer > Documentation",
        "This Page\n\n  Show Source\n\nNavigation\n\n  index\n  modules |\n  next |\n  previous |\n  C » Reference",
        "[Home](index.html) | [Next](gardening-in-winter.html) | [Previous](a.html) | [Contents](toc.html)",
        "Accueil » Guide » Sommaire | Précédent | Suivant",
        "Начало | Предыдущая | Следующая | Содержание",
        "首页 | 上一页 | 下一页 | 目录",
        "© 2009-2019 Ann Dee and others\nBlog | Index | Download | Search | Contents",
        "Copyright 2026 Us.\nLicensed under the Apache License, Version 2.0.\n\nModules | FAQ | Glossary | Sitemap",
        "Copyright (c) 2020 Bell Ltd. All rights reserved. Home | Terms of Use | Privacy Policy | Cookies",
        BADGE,
        f"{BADGE}\n{RUFF}",
    ],
)
def test_bars_and_badges_are_furniture(text: str) -> None:
    assert is_furniture(units_of([text])["written"]).to_list() == [True]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Go to the next page | or to the previous page | of the contents. The index is short.", "a sentence"),
        ("| page | index | contents |\n| --- | --- | --- |\n| next | previous | menu |", "a table"),
        ("History — documentation of Celery\n\nindex | modules | next | previous | history »", "a title"),
        ("© 2020 Bell Ltd. Bells ring at noon. Home | Terms of Use | Privacy Policy | Cookies", "a sentence"),
        ("Home | Copyright | Terms | Cookies. Bells ring at noon.", "a sentence"),
        ("Apples | Pears | Plums | Cherries | Apricots | Quinces | Peaches | home", "items of something else"),
        ("index contents next previous navigation search", "no bar between them"),
        ("next | next | next | next | next", "one word"),
        ("[![Python 3.10+](https://img.shields.io/badge/python-3.10+-blue.svg)](https://www.python.org)", "a version"),
        ("[![License](https://img.shields.io/badge/License-Apache_2.0-blue.svg)](https://opensource.org)", "a version"),
        (f"{BADGE} is the style of this project", "more than a badge"),
        ("[![How it works](docs/overview.png)](docs/overview.md)", "a picture"),
        ("", "nothing"),
    ],
)
def test_what_says_something_is_none(text: str, why: str) -> None:
    assert is_furniture(units_of([text])["written"]).to_list() == [False], why


def test_of_no_passages_none_is() -> None:
    assert is_furniture(pl.Series([], dtype=pl.String)).to_list() == []
