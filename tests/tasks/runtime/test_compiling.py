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


def test_kernels_are_compiled_ahead_where_many_are_missing_and_several_processes_may_run(monkeypatch):
    compiled, many = [], [None] * (compiling.FEW + 1)
    monkeypatch.setattr(compiling, "cores", lambda: 8)
    monkeypatch.setattr(compiling, "compile_ahead", lambda waiting, processes, advance: compiled.append(processes))
    for missing, threads, memory in [(many, 4, 10), (many, 16, 30), (many, 4, 3), (many, 1, 9), (many[1:], 4, 9)]:
        monkeypatch.setattr(compiling, "missing", lambda missing=missing: missing)
        compiling.compile_kernels(threads, memory * 10**9)
    assert compiled == [4, 8, 3]
