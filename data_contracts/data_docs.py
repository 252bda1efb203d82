"""Page of Data Docs: validation results through the renderer and the templates of Great Expectations itself.

Its site builder would write a folder of pages that load styles and scripts from the network; here they share one page
that loads nothing.
"""

from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from data_contracts.gx import Verdict


def data_docs(title: str, verdicts: Sequence[Verdict]) -> str:
    """HTML about verdicts, in their order."""
    from great_expectations.core.expectation_validation_result import expectationSuiteValidationResultSchema
    from great_expectations.render.renderer.page_renderer import ValidationResultsPageRenderer

    renderer = ValidationResultsPageRenderer(run_info_at_end=True)  # the last section, which the page leaves out
    results = [expectationSuiteValidationResultSchema.load(_escaped(verdict.result)) for verdict in verdicts]
    documents = [renderer.render(result).to_json_dict() for result in results]
    page: str = _template().render(title=title, documents=documents)
    return page


@cache
def _template() -> Any:
    """Template of the page, compiled once for a process with those of Great Expectations that it draws in."""
    from great_expectations.render.view import DefaultJinjaPageView

    env = DefaultJinjaPageView(custom_views_directory=Path(__file__).parent).env
    env.trim_blocks = env.lstrip_blocks = True
    env.auto_reload = False  # else each of a thousand blocks looks whether the file of its template changed
    return env.get_template("data_docs.j2")


def _escaped(told: Any) -> Any:
    """A result whose strings are safe in HTML: Great Expectations shows values of the data as they are."""
    if isinstance(told, str):
        return escape(told)
    if isinstance(told, dict):
        return {_escaped(name): _escaped(value) for name, value in told.items()}
    return [_escaped(one) for one in told] if isinstance(told, list) else told
