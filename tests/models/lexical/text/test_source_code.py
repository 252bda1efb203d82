"""Source code told from prose, by whole texts."""

import numpy as np
import pytest

from models.lexical.text.boundaries.code_points import code_point_kinds
from models.lexical.text.boundaries.spans import whole_parts
from models.lexical.text.markup.source_code import is_source, keywords

MODULE = """#!/usr/bin/python
# Copyright (c) 2018, Somebody
# GNU General Public License v3.0+ (see COPYING)

from __future__ import absolute_import, division
__metaclass__ = type

DOCUMENTATION = '''
module: volume
description:
  - Create, attach, detach, update and delete volumes on the service of this name.
'''


def main():
    return run_module(dict(name="volume"))
"""
CATALOGUE = """msgid "Objects"
msgstr "Objekte"

#, python-format
msgid ""
"Deleting the selected %(objects_name)s would require deleting the following "
"protected related objects:"
msgstr ""
"Wenn %(objects_name)s entfernt werden, müssen auch die folgenden Objekte "
"entfernt werden:"
"""
CLASS = """/*
	MIT License http://www.opensource.org/licenses/mit-license.php
*/
"use strict";

/**
 * Serialises a single item and nothing else, whatever it may be made of.
 */
class SingleItem extends Base {
	serialize(data, context) {
		return [data];
	}
}
"""
LOCALE = '{\n  "decimal": ".",\n  "thousands": ",",\n  "grouping": [3]\n}\n'
PAGE = '<!DOCTYPE html>\n<html lang="en">\n<head><title>A page</title></head>\n<body><p>Text.</p></body>\n</html>\n'
EXPORT = "export { default } from '../full/number/some.js'\n"
PLAYBOOK = "- name: restart the service\n  service:\n    name: nginx\n    state: restarted\n  when: config.changed\n"
LISP = """;;; talk.el --- allow several users to talk to each other  -*- lexical-binding: t -*-

;; Author: Somebody <somebody@example.org>

;; This program is distributed in the hope that it will be useful, but without any warranty.

(require 'cl-lib)

(defvar talk-displays nil
  "List of the displays on which somebody talks.")

(defun talk-add (display)
  "Bring a new display into the conversation, and say so on all others that take part."
  (push display talk-displays))
"""
VIM = """" Vim syntax file
" Language:    notes of a diary
" Maintainer:  Somebody <somebody@example.org>

" Quit when a syntax file was already loaded
if exists("b:current_syntax")
  finish
endif

syn keyword diaryDay Monday Tuesday Wednesday Thursday
syn match diaryTitle contained "^= .* =$"
hi def link diaryDay Todo
"""
JINJA = """{#
 Licensed to the foundation under one or more contributor agreements. See the notice that is
 distributed with this work for information on who holds which rights in it.
#}
{% extends "admin/master.html" %}
"""
DECLARED = """/*
 * Licensed to the foundation under one or more contributor agreements. See the notice that is
 * distributed with this work for information on who holds which rights in it.
 */

/** Classes that build intervals. */
package org.example.stat.interval;
"""

LICENCE = """Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction; see the notice below.
"""
MANUAL = """# Volumes

Create a volume and attach it to a server, then mount it as any other disk:

```python
volume = client.volumes.create(size_gb=5)
server.attach(volume)
```

What is deleted cannot be restored. Ask the service for a snapshot before that,
and keep it for as long as the data may be wanted by anybody.
"""
README = (
    f"# Items\n\nA module that serialises single items.\n\n```js\n{CLASS * 3}```\n\nAsk for more, and there will be.\n"
)
SHOWN = "Items\n=====\n\nA module that serialises items::\n\n" + "".join(f"    {line}\n" for line in CLASS.split("\n"))
NUMBERED = "".join(f"{at:03}{line}\n" for at, line in enumerate(CLASS.splitlines(), 1))
STEPS = "".join(f"{at}. {line}\n" for at, line in enumerate(MANUAL.replace("\n\n", "\n").splitlines()[6:], 1))
POST = "@united thank you! Flight 1640 (N33289) was gr8 = on time; see http://t.co/RvCDA2nnme #happy"
QUOTED = '"To be, or not to be, that is the question."\n"Whether it is nobler in the mind to suffer."\n\t\t-- Hamlet\n'
VERSES = "Thou wilt fall backward when thou com'st to age;\nWilt thou not, child? It stinted, and said so;\n"
REQUIREMENTS = "C container type;\n  T element type;\n  a, b objects of type C."
TEMPLATE = "{{about|the U.S. state||Alabama (disambiguation)}}"
COMMENT = "// the pipeline. So to retain YesToAll and NoToAll input that"
CHINESE = (
    "这是一个关于文件系统的说明文档，介绍如何安装和使用。\n配置 = 默认\n请先阅读下面的说明，然后再继续进行操作。\n"
)


def codes(text: str) -> np.ndarray:
    return np.frombuffer(text.encode("utf-32-le"), np.uint32)


@pytest.mark.parametrize(
    "text", [MODULE, CATALOGUE, CLASS, LOCALE, PAGE, EXPORT, PLAYBOOK, NUMBERED, LISP, VIM, JINJA, DECLARED]
)
def test_code_data_and_markup_are_source(text: str) -> None:
    assert is_source(codes(text), code_point_kinds(), keywords())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        LICENCE,
        MANUAL,
        README,
        SHOWN,
        STEPS,
        POST,
        QUOTED,
        VERSES,
        REQUIREMENTS,
        TEMPLATE,
        COMMENT,
        CHINESE,
        f"/*\n{LICENCE}*/\n",
    ],
)
def test_prose_is_none_even_with_code_in_it_or_as_a_comment(text: str) -> None:
    assert not is_source(codes(text), code_point_kinds(), keywords())


@pytest.mark.parametrize(
    ("text", "passage"),
    [
        (MODULE, "# GNU General Public License v3.0+ (see COPYING)\n"),
        (CATALOGUE, '"protected related objects:"\nmsgstr ""\n'),
        (LISP, ";; This program is distributed in the hope that it will be useful, but without any warranty.\n"),
        (CLASS, "	MIT License http://www.opensource.org/licenses/mit-license.php\n"),
    ],
)
def test_nothing_is_cut_from_source(text: str, passage: str) -> None:
    at = text.index(passage)
    row, start, end = (np.array([number], np.int64) for number in (0, at, at + len(passage)))
    begins, ends = whole_parts(codes(text), np.array([0, len(text)], np.int64), row, start, end)
    assert begins[0] == ends[0]
