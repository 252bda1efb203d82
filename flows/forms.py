"""Forms: the deployed flows with plain fields side by side, and all numbers in one list `settings`."""

import types
import typing
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any, Literal

from prefect import Flow, flow
from prefect.context import FlowRunContext
from pydantic import BaseModel, Field
from pydantic.fields import FieldInfo

from models.parameters import PRESETS, Parameters, column_settings
from tasks.runtime.errors import arguments


class Chosen(BaseModel):
    """Fields in place of `parameters`: columns, a preset, and what differs from it."""

    id_column: str = Field("", description="column with the id; empty: doc_id or id, else ids are made from content")
    text_column: str = Field("text", description="column with the text")
    text_from: str = Field("", description="columns of which the text is made, a,b; empty: by convention, if need be")
    source_column: str = Field("", description="column that names the source; empty: source, where there is one")
    preset: Literal[tuple(PRESETS)] = Field(  # type: ignore[valid-type]
        "balanced", description="settings to begin with (docs/settings.md)"
    )
    settings: list[str] = Field([], description="what differs from them, each as section.key=value")

    def parameters(self) -> Parameters:
        """All parameters as chosen."""
        given = (self.id_column, self.text_column, self.source_column, self.text_from)
        named = column_settings(*(name or None for name in given))
        return Parameters().with_settings([*PRESETS[self.preset].settings, *named, *self.settings])


def form(run: Flow[..., str]) -> Flow[..., str]:
    """A flow that does the same as another, and takes the fields of its one parameter as parameters of its own."""
    [(name, only)] = Signature.from_callable(run.fn, eval_str=True).parameters.items()
    model: type[BaseModel] = only.annotation
    own = dict(model.model_fields)
    chosen = dict(Chosen.model_fields) if own.pop("parameters", None) else {}

    def filled(**given: Any) -> str:
        with arguments():
            columns = {key: given.pop(key) for key in chosen if key in given}
            known = {key: value for key, value in given.items() if value or own[key].default is not None}
            if chosen:
                known["parameters"] = Chosen(**columns).parameters()
            described = model(**known)
        return run.fn(described)

    fields = _ordered(own | chosen)
    shown = [
        Parameter(key, Parameter.KEYWORD_ONLY, default=_default(one), annotation=_kind(one)) for key, one in fields
    ]
    vars(filled)["__signature__"] = Signature(shown, return_annotation=str)
    told = [f"    {key}: {one.description}" for key, one in fields]
    filled.__doc__ = "\n".join([str(run.fn.__doc__).partition("\n")[0], "", "Args:", *told])
    hooks: dict[str, Any] = {"on_failure": run.on_failure_hooks, "on_crashed": run.on_crashed_hooks}
    made: Flow[..., str] = flow(name=run.name, flow_run_name=_named(name, run), **hooks)(filled)
    return made


def _ordered(fields: dict[str, FieldInfo]) -> list[tuple[str, FieldInfo]]:
    """What must be filled in first, then what is a list of its own or a choice of what, then how it runs."""
    last = ("expectations", "dry_run", "workspace", "threads", "memory_limit", "runner", "cluster")
    return sorted(fields.items(), key=lambda item: (not item[1].is_required(), item[0] in last))


def _kind(field: FieldInfo) -> Any:
    """The type of a field with its bounds; one that may be left out is a plain field, which then is empty."""
    kind = field.annotation
    if typing.get_origin(kind) in (types.UnionType, typing.Union):
        [kind] = [one for one in typing.get_args(kind) if one is not type(None)]
        return str if kind is Path else kind
    return Annotated[(kind, *field.metadata)] if field.metadata else kind


def _default(field: FieldInfo) -> Any:
    if field.is_required():
        return Parameter.empty
    given = field.get_default(call_default_factory=True)
    if given is not None:
        return given
    return 0 if _kind(field) is int else ""


def _named(parameter: str, run: Flow[..., str]) -> Any:
    """Name of a run: what was typed; a run by the clock is named as one of the command line."""

    def name() -> str:
        context = FlowRunContext.get()
        assert context is not None and context.flow_run is not None
        if not context.flow_run.auto_scheduled:
            return context.flow_run.name
        given = types.SimpleNamespace(**context.parameters or {})
        for key in ("out", "bundle"):
            if key in vars(given):  # text, until the flow has looked at it
                setattr(given, key, Path(getattr(given, key)))
        return str(run.flow_run_name).format(**{parameter: given})

    return name
