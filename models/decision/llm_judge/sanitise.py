"""Documents are data: what in them could pass for a part of the prompt is taken out before they are put into it.

A document is written by a stranger, and two of them stand in one prompt. Nobody may end his document early, speak in
another's turn, or hide a line that people do not see; the fence around them bears a word that no author can know.
"""

import re
from hashlib import blake2b

LONGEST_RUN = 16
"""Times that one character stands in a row at most."""
MOST_REPEATS = 8
"""Times that one word stands in a row at most."""

_KEY = b"SemHash-LLM judge"
_LINE_END = re.compile("\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Control characters, marks of direction, zero width, selectors, fillers, tags, halves of pairs."""
_TOKEN = re.compile(
    r"<[|\uff5c][^\s<>]{1,64}[|\uff5c]>"
    r"|</?[a-z]{1,20}(?:_[a-z0-9]{1,20}){1,6}>"
    r"|</?(?:s|bos|eos|pad|unk|sep|cls|mask|think|filename|reponame|unused\d{1,4}|sys|inst)>|<</?sys>>"
    r"|\[/?(?:inst|sys|system_prompt|available_tools|tool_calls|tool_results|tool_content|pad|unk|cls|sep|mask|bos|eos)\]",
    re.IGNORECASE,
)
"""Special tokens of the usual chat templates; none holds a space, so that none is left once they are taken out."""
_OPENING, _CLOSING = re.compile("<{3,}"), re.compile(">{3,}")
_RUN = re.compile(rf"(.)\1{{{LONGEST_RUN},}}", re.DOTALL)
_REPEAT = re.compile(rf"\b(\w{{1,40}})((?:\W{{1,4}}\1\b){{{MOST_REPEATS - 1}}})(?:\W{{1,4}}\1\b)+", re.IGNORECASE)


def sanitised(text: str) -> str:
    """Take out of a document what is no text or could be taken for the frame of a prompt.

    Unseen characters go, fence marks and the special tokens of chat templates become a space, and long runs of one
    character are cut short. Plain text stays as it is, and doing it twice changes nothing more.
    """
    text = _UNSEEN.sub("", _LINE_END.sub("\n", text))
    before = ""
    # A run cut short may make a token of what was too long for one.
    while text != before:
        before = text
        text = _RUN.sub(lambda run: run[1] * LONGEST_RUN, text)
        text = _TOKEN.sub(" ", _CLOSING.sub(" ", _OPENING.sub(" ", text)))
    return text


def unrepeated(text: str) -> str:
    """Leave no word more than `MOST_REPEATS` times in a row: whoever says it often does not say more."""
    return _REPEAT.sub(r"\1\2", text)


def fence_word(text_a: str, text_b: str) -> str:
    """Word for the fences around two documents: 8 hexadecimal digits of a keyed hash of both texts.

    Who writes one of them would have to know the other and to guess, as each guess that he writes down alters the word.
    """
    digest = blake2b(key=_KEY, digest_size=4)
    for text in (text_a, text_b):
        data = text.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


def fenced(document: str, word: str) -> str:
    """The document between fences, every line of it quoted, so that none can pass for a line of the prompt.

    With an empty word it stands bare, which is for measuring what the fences are worth.
    """
    if not word:
        return document
    return f"<<<{word}\n{quoted(document)}\n{word}>>>"


def quoted(document: str) -> str:
    """The document with a mark before each line, so that none can pass for a line of the prompt; at least one line."""
    return "\n".join(f"> {line.strip()}" for line in document.splitlines() if line.strip()) or ">"
