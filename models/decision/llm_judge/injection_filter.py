"""Injection filter: documents that speak to a judge; no language model is asked about such a pair.

A fence says where a document ends, not what a small model makes of it: a label that is said often enough is repeated.
So what looks like an address to the judge is found out here before anything is asked. That is a filter on words and
signs, not a proof: it knows kinds of attacks, and whoever knows it can word another.
"""

import base64
import binascii
import re
import unicodedata
from collections.abc import Iterator

VERSION = 2
"""Raised whenever other documents are suspicious: which pairs are marked is found out anew."""
LONGEST = 1_000_000
"""Code points that are read at most; of what is longer the judge would see next to nothing."""

_LABEL = r"(?:duplicate|distinct|contained)\b"
_SAID = rf"{_LABEL}(?=\W*$|[\"'”’»`*.,;:!?)\]}}<。，！？」])"
"""A label that is named, not used: "contained in" is none."""
_ANSWER = (
    r"(?:\b(?:answer|repl(?:y|ies)|respond|response|verdict|judge?ment|assistant|antwort|répon|respuesta|contest[ae]"
    r"|rispo[ns]|respost|odpowie|ответ|відпов|απάντ|απαντ|yanıt|cevap|jawab)\w{0,20}"
    r"|回答|答案|答え|输出|輸出|回复|대답|답변|أجب|जवाब|उत्तर)"
)
_FORGET = (
    r"(?:\b(?:ignor|disregard|forget|overrid|overrul|bypass|outrank|discard|neglect|dismiss|pay no attention"
    r"|do(?:n.t| not) (?:follow|obey|heed)|stop (?:following|obeying)|vergiss|vergessen|missacht|oubli|olvid|descart"
    r"|dimentic|esque[çc]|zapomn|zignor|забудь|забыть|игнорир|проигнор|unut|yok ?say|abaikan)\w{0,20}"
    r"|忽略|无视|忘记|忽视|無視|忘れ|무시|잊어|تجاهل|अनदेखा)"
)
_TOLD = (
    r"(?:\b(?:above|before|previous|prior|earlier|preceding|foregoing|all|any|every|your|system|initial|original)\b"
    r"[^.\n]{0,30}\b(?:instruct|prompt|directi|guideline|command|order|rule|context|message|above|said|told)"
    r"|\b(?:instructions|rules|orders|guidelines|prompts)\b[^.\n]{0,10}\byou (?:were|have|had|got|received)\b"
    r"|\beverything\b[^.\n]{0,20}\b(?:above|before|said|told|previous|prior)"
    r"|\b(?:anweisung|befehl|instruc[ct]ion|consigne|indica[cç]|istruzion|instru[çc]|instrukcj|polece|указани|инструкци"
    r"|команд|вказівк|talimat|perintah)|指示|指令|提示|命令|지시|명령|تعليمات|निर्देश)"
)
_JUDGE = (
    r"(?:reviewer|judge|grader|evaluator|classifier|annotator|moderator|language model|llm|ai|assistant|chat ?bot|model"
    r"|gpt|deduplicator|crawler|bot)s?\b"
)
_QUOTE = "[\"'“”‘’«»„`]"
_NEAR = r"(?s:.{0,500}?)^\W{0,4}"

_HIDDEN = re.compile(
    "[\u202d\u202e]|(?<![\U0001f3f4\U000e0020-\U000e007e])[\U000e0000-\U000e007f]|\x1b|[\x00-\x08\x0e-\x1a]{3}"
    "|(?:[^\\W\\d_][\xad\u200b-\u200d\u2060\ufeff]){4}"
)
"""Overridden direction, tags outside of flags, terminal sequences, letters kept apart by what nobody sees."""
_KINDS = {
    "template": r"<[|｜][^\s<>|｜]{1,40}[|｜]>|<[|｜]im_|im_(?:end|start)[|｜]>"
    r"|</?(?:start|end)_of_(?:turn|text|prompt)>|<</?sys>>"
    r"|\[/?(?:inst|sys|system_prompt|available_tools|tool_calls|tool_results)\]"
    r"|^#{2,3} ?(?:instruction|response|assistant|human|system)\s*:"
    rf"|^\W{{0,4}}(?:human|user|system)\s*:{_NEAR}(?:assistant|model|ai|bot)\s*:",
    "frame": r"<<<\s?[0-9a-f]{8}\b|\b[0-9a-f]{8}\s?>>>"
    rf"|document a\b{_NEAR}document b\s*:|\bdocument a and document b\b|{_QUOTE}\s*=\s*{_LABEL}",
    "answer": rf"{_ANSWER}[^\n]{{0,60}}?(?<!\w){_SAID}|(?<!\w){_SAID}[^\n]{{0,20}}{_ANSWER}"
    r"|\b(?:label|class|category|output|decision|prediction)\b[^.\n]{0,40}?"
    rf"(?:\bis|\bto|\bas|[:=])\W{{0,4}}{_SAID}",
    "labels": rf"{_QUOTE}{_LABEL}{_QUOTE}[^\n]{{0,120}}{_QUOTE}{_LABEL}{_QUOTE}"
    rf"|(?:\b{_LABEL}\W+(?:(?!{_LABEL})\w+\W+){{0,4}}){{6}}|(?:duplicate|distinct|contained){{3}}"
    r"|\bduplicate,? (?:or )?distinct,? (?:or )?contained\b",
    "order": rf"{_FORGET}[^.\n]{{0,40}}?{_TOLD}|{_TOLD}[^.\n]{{0,20}}(?:忽略|无视|忘|無視|무시|잊)",
    "address": r"\b(?:(?:note|message|notice|instructions?|hint|memo)\W+(?:to|for)|attention|dear)\W+"
    rf"(?:(?:the|all|any|an)\W+)?{_JUDGE}|\byou are (?:now )?(?:an?|the|my) (?:\w+ ){{0,2}}{_JUDGE}"
    r"|\byou are now (?:an? (?:\w+ ){0,3}agent|evaluating|judging|comparing|reviewing)\b"
    r"|\bnew (?:system |developer |admin )?(?:instructions|directives?|policy) ?:"
    r"|\bsystem (?:prompt|message|override)\b|^[^\w\n]*system\W{1,3}(?:override|ignore|you are|new|from now)\b"
    r"|\b(?:admin\w*|root|criteria|evaluation|judge\w*|label) override\b"
    r"|\b(?:both|these(?: two)?|the two|every pair of|this pair of) (?:documents|texts)\b[^.\n]{0,60}"
    r"\b(?:duplicates?|identical|equal|the same|copies|equivalent|redundant)\b",
}
_SPOKEN = {kind: re.compile(words, re.MULTILINE) for kind, words in _KINDS.items()}
_BASE64 = re.compile(r"(?<![\w+/=-])[\w+/-]{24,}", re.ASCII)
_URL_SAFE = str.maketrans("-_", "+/")
_UNSEEN = re.compile("[\x00-\x08\x0e-\x1f\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]")
_SIGNS = re.compile(r"([^\w\s\x00-\x7f]{32})[^\w\s\x00-\x7f]+")
"""Too many signs in a row: no word stands among them, and marks over one letter take the square of their number."""
_LATIN = str.maketrans("авсеһіјкмноріѕтухαβεοραικντυϲ", "abcehijkmhopistyxabeopaikvtuc")
"""What looks like a Latin letter, or does as a capital."""


def suspicion(text: str) -> str | None:
    """Say why no language model should be asked about a document, or None.

    Args:
        text: all of it, as it came.

    Returns:
        The first of: `length`, it has more than `LONGEST` code points; `hidden`, signs that hide or reorder text;
        `template`, turns of a chat; `frame`, the frame of our prompt; `answer`, a label given as an answer; `labels`,
        many or defined labels; `order`, instructions to be forgotten; `address`, whoever judges is spoken to.
        All but the first two are also looked for in base64 and behind letters of other scripts that look alike.
    """
    if len(text) > LONGEST:
        return "length"
    if _HIDDEN.search(text):
        return "hidden"
    return next((kind for view in _views(text) for kind, words in _SPOKEN.items() if words.search(view)), None)


def _views(text: str) -> Iterator[str]:
    """What can be read in a text: itself, with Latin letters for those that look alike, and what base64 holds."""
    plain = _plain(text)
    yield plain
    if not plain.isascii() and (latin := plain.translate(_LATIN)) != plain:
        yield latin
    yield from filter(None, map(_decoded, _BASE64.findall(text)))


def _plain(text: str) -> str:
    return _UNSEEN.sub("", unicodedata.normalize("NFKC", _SIGNS.sub(r"\1", text)).casefold())


def _decoded(coded: str) -> str | None:
    whole = coded.translate(_URL_SAFE) + "=" * (-len(coded) % 4)
    try:
        return _plain(base64.b64decode(whole).decode())
    except (binascii.Error, UnicodeDecodeError):
        return None
