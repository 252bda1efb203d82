"""Kernels are compiled anew when code changes, and not when a docstring or a comment does."""

import pytest

from models import kernel_cache

SOURCE = '"""Sums."""\n\n\ndef half(number):\n    """Half."""\n    return number // 2\n'


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [("Half.", "Half of a number.", True), ("// 2\n", "// 2  # rounded\n", True), ("// 2", "// 3", False)],
)
def test_the_cache_is_another_where_the_code_is(tmp_path, before, after, same):
    (tmp_path / "models").mkdir()
    path = tmp_path / "models" / "sums.py"
    path.write_text(SOURCE)
    first = kernel_cache(tmp_path / "models", tmp_path)
    assert kernel_cache(tmp_path / "models", tmp_path) == first
    path.write_text(SOURCE.replace(before, after))
    assert (kernel_cache(tmp_path / "models", tmp_path) == first) is same
