"""Compiling is said once, when it takes long enough to be wondered at."""

import time

from tasks.runtime import compiling


def test_compiling_is_said_once_and_only_where_it_takes_long(monkeypatch):
    said, now = [], [0.0]
    monkeypatch.setattr(compiling, "say", said.append)
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    teller = compiling.Teller()
    for second in (10.0, 10.9, 11.5, 60.0):
        now[0] = second
        teller.on_start(None)
        assert len(said) == (second > 11), second
