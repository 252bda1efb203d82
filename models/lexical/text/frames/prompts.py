"""Labels of prompts: "### Instruction:", and "User: ... Assistant:" around what is asked."""

from models.kernels.jit import inner
from models.lexical.text.frames.scanning import BLANK, COLON, SHARP, Array, next_line, one_of, rows_of, short_last_line

_PREAMBLE = rows_of("Below is an instruction that describes a task")
_LABELS = rows_of(
    "Instruction", "Input", "Response", "Output", "Human", "Assistant", "System", "User", "Question", "Answer"
)
_ASKED = rows_of("User: ", "Human: ", "Question: ", "Q: ")
_ANSWERS = rows_of("Assistant:", "AI:", "Answer:", "A:", "Bot:")


@inner
def label(data: Array, at: int, stop: int) -> int:
    """Where the line of a label of a prompt ends, "### Instruction:"; `at` if none begins there."""
    place = at
    if one_of(data, at, stop, _PREAMBLE) > at:
        while place < stop and data[place] != SHARP:
            place = next_line(data, place, stop)
    at = place
    while place < stop and data[place] == SHARP:
        place += 1
    if place < at + 2 or place >= stop or data[place] != BLANK:
        return at
    behind: int = one_of(data, place + 1, stop, _LABELS)
    if behind == place + 1 or behind >= stop or data[behind] != COLON:
        return at
    while behind + 1 < stop and data[behind + 1] <= BLANK:
        behind += 1
    return behind + 1


@inner
def asked(data: Array, at: int, stop: int) -> int:
    """Where the label of who asks ends, if the text ends with that of who is to answer."""
    behind: int = one_of(data, at, stop, _ASKED)
    return behind if behind > at and answer_label(data, at, stop) < stop else at


@inner
def answer_label(data: Array, at: int, stop: int) -> int:
    """Where the label begins with which a text ends, of who is to answer; `stop` if it ends otherwise."""
    begin = short_last_line(data, at, stop)
    return begin if begin > at and one_of(data, begin, stop, _ANSWERS) == stop else stop
