"""Columns of text, id and source that the user left open: by the conventions of published corpora."""

from models.parameters import Parameters
from tasks.ingest.readers import Columns, InputFile, column_names, discover, id_column_of, read
from tasks.ingest.readers.read import ID_COLUMNS
from tasks.runtime.errors import InputError

PEEK = 64
"""Rows looked at to see which columns a file has."""
TEXTS = ("text", "content", "raw_content")
"""Columns that are taken for the text where the named one is missing everywhere."""
TEXT_FROM = (
    ("messages",),
    ("conversations",),
    ("conversation",),
    ("instruction", "input", "output"),
    ("instruction", "output"),
    ("instruction", "response"),
    ("prompt", "completion"),
    ("prompt", "response"),
    ("question", "answer"),
)
"""Columns of which a text is made where nobody has one of `TEXTS`: the conventions of sets for fine-tuning."""
BESIDE = {"input", "context", "passage", "choices", "options", "history", "system"}
"""Columns that say what a question is about: beside one of these that a convention leaves out, two rows may differ."""


def resolve_columns(parameters: Parameters, inputs: list[str]) -> Parameters:
    """Name the columns that were left open, alike in every file.

    The id is `doc_id` or `id`, the source `source`; the text, where no file has a column `text`, `content` or
    `raw_content`, is made of those of `TEXT_FROM`. What is made is not cut, since its columns would keep the passage.

    Raises:
        InputError: Some files have ids and others have none, or have them in another column, so that not all could be
            kept; or a column that is named cannot be asked for.
    """
    return _resolved(parameters, discover(inputs))


def try_columns(parameters: Parameters, inputs: list[str]) -> None:
    """Read the first rows of the first file, so that a column which is not there is told before anything starts.

    Raises:
        InputError: it has no such column.
    """
    [file, *_] = discover(inputs)
    wanted = _resolved(parameters, [file]).extract
    next(read(file, Columns.of(wanted), PEEK), None)


def _resolved(parameters: Parameters, files: list[InputFile]) -> Parameters:
    wanted = parameters.extract
    if not wanted.text_from and wanted.text_column in (wanted.id_column, wanted.source_column):
        raise InputError(f"column '{wanted.text_column}' is named for the text and for something else: which is it?")
    for name in (wanted.text_column, wanted.id_column or "", wanted.source_column or ""):
        if name.startswith("^") and name.endswith("$"):
            raise InputError(f"column '{name}' is called like a pattern, which tables cannot be asked for: rename it")
    seen = [(file, names) for file in files if (names := column_names(file, PEEK))]
    found: dict[str, str | tuple[str, ...] | None] = {
        "id_column": _id_column(files, seen) if wanted.id_column is None else wanted.id_column,
        "source_column": wanted.source_column or ("source" if _everywhere("source", seen=seen) else None),
        "text_column": wanted.text_column,
    }
    if not wanted.text_from and wanted.text_column == TEXTS[0] and not any(TEXTS[0] in names for _, names in seen):
        found["text_column"] = next((name for name in TEXTS if _everywhere(name, seen=seen)), wanted.text_column)
        if found["text_column"] == TEXTS[0]:
            found["text_from"] = _convention(seen)
    fragment = parameters.fragment
    if found.get("text_from") and fragment.cuts:
        fragment = fragment.model_copy(update={"action": "annotate"})
    return parameters.model_copy(update={"extract": wanted.model_copy(update=found), "fragment": fragment})


def _convention(seen: list[tuple[InputFile, list[str]]]) -> tuple[str, ...]:
    """The first of `TEXT_FROM` that every file has; none where a file says more of its questions in other columns."""
    made = next((names for names in TEXT_FROM if _everywhere(*names, seen=seen)), ())
    left_out = BESIDE.difference(made)
    return () if any(left_out.intersection(names) for _, names in seen) else made


def _everywhere(*wanted: str, seen: list[tuple[InputFile, list[str]]]) -> bool:
    return bool(seen) and all(name in names for _, names in seen for name in wanted)


def _id_column(files: list[InputFile], seen: list[tuple[InputFile, list[str]]]) -> str | None:
    if files and all(file.form.name == "txt" for file in files):
        return ID_COLUMNS[0]  # texts without columns are named by their paths
    by_file = {file.told: id_column_of(names) for file, names in seen}
    several = dict.fromkeys(by_file.values())
    if len(several) < 2:
        return next(iter(several), None)
    one, other = (next(path for path, name in by_file.items() if name == found) for found in list(several)[:2])
    named = sorted((path, by_file[path] or "") for path in (one, other))
    told = " and ".join(f"{path} has its ids in '{name}'" if name else f"{path} has no ids" for path, name in named)
    raise InputError(
        f"{told}: not all could be kept. Leave out what is no part of the corpus, name a column that all have with "
        "--id-column, or say --id-column '' to publish all rows under ids from content"
    )
