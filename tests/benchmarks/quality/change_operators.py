"""Kinds of change that `models/evaluation/synthesis` does not make: copies of long and of short texts, and other facts.

Each takes a text and a generator and gives another text, or the same one where it has nothing to change. They were
written before anybody looked at what is made of them, the first of each kind by who wrote the rules, those under
`_SECOND` after a list by somebody who had not seen these; the rules were then mended by reading one draw. Those under
`_THIRD` are of kinds that the rules failed in a third list, by somebody who knew neither: they were written last.
"""

import html
import json
import quopri
import re
import textwrap
import unicodedata
from collections.abc import Callable
from random import Random

Change = Callable[[str, Random], str]

NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
MONTHS = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
]  # fmt: skip
_MONTH = "|".join(MONTHS)
NAMES = ("bob", "annie", "carl", "newsdesk", "annie_k", "zed99")
SITES = ("example", "wiki", "site")
CYRILLIC = str.maketrans("aeopcx", "аеорсх")
FULL_WIDTH = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
SHORTER = {
    "you": "u", "your": "ur", "are": "r", "to": "2", "for": "4", "with": "w/", "because": "bc", "and": "&",
    "please": "pls", "people": "ppl", "before": "b4",
}  # fmt: skip
CONTRACTED = {
    "do not": "don't", "does not": "doesn't", "did not": "didn't", "is not": "isn't", "are not": "aren't",
    "was not": "wasn't", "cannot": "can't", "have not": "haven't", "it is": "it's", "I am": "I'm", "we will": "we'll",
    "they are": "they're", "you have": "you've",
}  # fmt: skip
ABBREVIATED = {
    "United States": "U.S.", "for example": "e.g.", " percent": "%", " and ": " & ", "that is,": "i.e.,",
    "versus": "vs.", "Doctor ": "Dr. ", "approximately": "approx.",
}  # fmt: skip


def _words(text: str, rng: Random, share: float, change: Callable[[str], str], least: int = 1) -> str:
    """The text with a share of its words of letters changed."""
    parts = text.split(" ")
    return " ".join(
        change(part) if part.isalpha() and len(part) >= least and rng.random() < share else part for part in parts
    )


def _sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.!?])\s+", text.replace("\n", " "))


def _lines(text: str, before: str) -> str:
    return "\n".join(before + line for line in text.split("\n"))


def notes(text: str, rng: Random) -> str:
    """Marks of notes behind half of the sentences."""
    parts = re.split(r"(?<=\w[.])(?=\s)", text)
    return "".join(part + f"[{at}]" * (rng.random() < 0.5) for at, part in enumerate(parts[:-1], 1)) + parts[-1]


def links(text: str, rng: Random) -> str:
    """Addresses in brackets behind long words, as programs write links."""
    return _words(text, rng, 0.15, lambda word: f"{word} (https://www.{rng.choice(SITES)}.org/{word.lower()})", 8)


def spelt(text: str, rng: Random) -> str:
    """Small numbers in letters."""
    return re.sub(r"(?<![\d.,:/-])\b([2-9]|1[0-2])\b(?![.,:/-]?\d)", lambda match: NUMBERS[int(match[1])], text)


def figures(text: str, rng: Random) -> str:
    """Small numbers in figures."""
    return re.sub(rf"\b({'|'.join(NUMBERS[2:])})\b", lambda match: str(NUMBERS.index(match[1])), text)


def iso_dates(text: str, rng: Random) -> str:
    """Dates in figures alone."""
    turned = re.sub(rf"\b({_MONTH}) (\d{{1,2}}), (\d{{4}})\b", r"\2 \1 \3", text)
    return re.sub(
        rf"\b(\d{{1,2}}) ({_MONTH}) (\d{{4}})\b",
        lambda match: f"{match[3]}-{MONTHS.index(match[2]) + 1:02}-{int(match[1]):02}",
        turned,
    )


def time_codes(text: str, rng: Random) -> str:
    """A transcript: a time in brackets before each sentence."""
    at, lines = rng.randint(0, 50), []
    for sentence in _sentences(text):
        at += rng.randint(2, 9)
        lines.append(f"[00:{at // 60:02}:{at % 60:02}] {sentence}")
    return "\n".join(lines)


def subtitles(text: str, rng: Random) -> str:
    """Numbered subtitles of nine words."""
    words = text.split()
    parts = [" ".join(words[at : at + 9]) for at in range(0, len(words), 9)]
    times = [f"00:{at // 15:02}:{at * 4 % 60:02}" for at in range(len(parts) + 1)]
    return "\n".join(f"{at}\n{times[at - 1]},000 --> {times[at]},500\n{part}\n" for at, part in enumerate(parts, 1))


def front_matter(text: str, rng: Random) -> str:
    """A head of a static site."""
    date = f"20{rng.randint(10, 25)}-0{rng.randint(1, 9)}-1{rng.randint(0, 9)}T10:{rng.randint(10, 59)}:00Z"
    return f'---\ntitle: "{text.split(chr(10))[0][:60]}"\ndate: {date}\nlayout: post\ndraft: false\n---\n\n{text}'


def abbreviations(text: str, rng: Random) -> str:
    """Common abbreviations."""
    for long, short in ABBREVIATED.items():
        text = text.replace(long, short)
    return text


def redacted(text: str, rng: Random) -> str:
    """Links, addresses of mail and names of users masked."""
    text = re.sub(r"\S+@\S+\.\w+", "[email protected]", re.sub(r"https?://\S+", "", text))
    return re.sub(r"(?<!\w)@\w+", "@user", text)


def treebank(text: str, rng: Random) -> str:
    """Tokens parted by blanks, brackets spelt out."""
    text = re.sub(r"(\w)('s|n't|'re|'ll|'ve|'d|'m)\b", r"\1 \2", re.sub(r'([.,!?;:()"\[\]])', r" \1 ", text))
    return re.sub(r"[ \t]+", " ", text.replace("(", "-LRB-").replace(")", "-RRB-")).strip()


def flattened(text: str, rng: Random) -> str:
    """Small letters without marks, as a recogniser of speech writes."""
    return " ".join(re.sub(r"[^\w\s']", " ", text).lower().split())


def plain(text: str, rng: Random) -> str:
    """Markdown as plain text: no targets of links, pictures, fences or marks of headings."""
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", re.sub(r"```[a-z]*\n?", "", text))
    return re.sub(r"[`*]", "", re.sub(r"^#+\s*", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text), flags=re.M))


def without_accents(text: str, rng: Random) -> str:
    """Letters without their accents."""
    return "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))


def running_heads(text: str, rng: Random) -> str:
    """A number of a page and a title between every dozen lines."""
    head, page = f"CHAPTER {rng.randint(1, 20)}. {' '.join(text.split()[:4]).upper()}", rng.randint(5, 200)
    lines = text.split("\n")
    return "\n".join(f"{line}\n{page + at // 12}   {head}" if at % 12 == 11 else line for at, line in enumerate(lines))


def numbered_lines(text: str, rng: Random) -> str:
    """A number before every fifth line."""
    at = rng.randint(0, 80)
    return "\n".join(f"{at + n} {line}" if line and n % 5 == 0 else line for n, line in enumerate(text.split("\n"), 1))


def verses(text: str, rng: Random) -> str:
    """A number before every paragraph."""
    mark = rng.choice(["({}) ", "¶{} ", "[{}] ", "{}. "])
    return "\n\n".join(mark.format(at) + part for at, part in enumerate(text.split("\n\n"), 1))


def headings(text: str, rng: Random) -> str:
    """Numbered headings."""
    counts = [0] * 7

    def number(match: re.Match[str]) -> str:
        level = len(match[1])
        counts[level:] = [counts[level] + 1, *[0] * (6 - level)]
        return f"{match[1]} {'.'.join(map(str, counts[1 : level + 1]))} "

    return re.sub(r"^(#{1,6}) (?=\S)", number, text, flags=re.MULTILINE)


def forum(text: str, rng: Random) -> str:
    """Bold, links and code as forums write them, in a quotation."""
    changed = re.sub(r"\*\*([^*\n]+)\*\*", r"[b]\1[/b]", text)
    changed = re.sub(r"(?<!!)\[([^\]\n]+)\]\((http[^)\s]+)\)", r"[url=\2]\1[/url]", changed)
    return f"[quote={rng.choice(NAMES)}]{changed}[/quote]"


def references(text: str, rng: Random) -> str:
    """Links of Markdown as marks of notes, with a list of addresses behind the text."""
    known: list[str] = []
    changed = re.sub(
        r"(?<!!)\[([^\]\n]+)\]\((http[^)\s]+)\)",
        lambda match: known.append(match[2]) or f"{match[1]} [{len(known)}]",
        text,
    )
    return changed + "\n\n" * bool(known) + "\n".join(f"{at}. {link}" for at, link in enumerate(known, 1))


def record(text: str, rng: Random) -> str:
    """A field of JSON, of several lines or of one."""
    names = rng.choice([("id", "text"), ("doc_id", "content"), ("key", "body")])
    return json.dumps(dict(zip(names, (rng.randrange(10**7), text), strict=True)), indent=rng.choice([None, 2]))


def row(text: str, rng: Random) -> str:
    """A row of CSV."""
    sign, quoted = rng.choice(",;"), text.replace('"', '""')
    return sign.join([str(rng.randrange(10**6)), rng.choice(NAMES), f'"{quoted}"', rng.choice(["en", "news", "1"])])


def contracted(text: str, rng: Random) -> str:
    """ "do not" as "don't" and the other way round."""
    for full, brief in CONTRACTED.items():
        if re.search(rf"\b({full}|{brief})\b", text):
            text = re.sub(rf"\b({full}|{brief})\b", lambda match: brief if match[1] == full else full, text)  # noqa: B023
    return text


def masked(text: str, rng: Random) -> str:
    """The inner letters of one word as signs."""
    found = list(re.finditer(r"\b[a-z]{4,8}\b", text))
    if not found:
        return text
    match, sign = rng.choice(found), rng.choice("*#")
    return text[: match.start() + 1] + sign * (len(match[0]) - 2) + text[match.end() - 1 :]


BRITISH = {
    "colour": "color", "favour": "favor", "behaviour": "behavior", "neighbour": "neighbor", "labour": "labor",
    "centre": "center", "theatre": "theater", "defence": "defense", "licence": "license", "catalogue": "catalog",
    "programme": "program", "judgement": "judgment", "travell": "travel", "cancelled": "canceled",
    "organise": "organize", "realise": "realize", "recognise": "recognize", "analyse": "analyze",
    "initialise": "initialize", "minimise": "minimize",
}  # fmt: skip
_AMERICAN = {american: british for british, american in BRITISH.items()}
_TOKENS = (
    "<|im_start|>{}\n{}<|im_end|>\n",
    "<|start_header_id|>{}<|end_header_id|>\n\n{}<|eot_id|>",
    "<|{}|>\n{}</s>\n",
)


def regional(text: str, rng: Random) -> str:
    """British spelling in place of American, or the other way round."""
    for spelling in (BRITISH, _AMERICAN):
        known = "|".join(sorted(spelling, key=len, reverse=True))
        changed = re.sub(rf"\b({known})", lambda match: spelling[match[1]], text)  # noqa: B023
        if changed != text:
            return changed
    return text


def latex(text: str, rng: Random) -> str:
    """LaTeX: signs with a backslash, some words emphasised, a heading in front."""
    signed = _words(re.sub(r"[&%#_]", r"\\\g<0>", text), rng, 0.05, lambda word: f"\\emph{{{word}}}", 4)
    return rng.choice(["", f"\\section{{{rng.choice(['Text', 'Notes'])}}}\n\n"]) + signed


def escaped_twice(text: str, rng: Random) -> str:
    """HTML that was escaped again, with tags around its lines."""
    tag = rng.choice(["span", "p", "b"])
    lines = (f"<{tag}>{html.escape(line)}</{tag}>" if line.strip() else line for line in text.split("\n"))
    return html.escape("\n".join(lines))


def soft_hyphens(text: str, rng: Random) -> str:
    """Soft hyphens in long words, as references."""
    return _words(text, rng, 0.4, lambda word: f"{word[:3]}&shy;{word[3:]}", 7)


def tabbed(text: str, rng: Random) -> str:
    """A row of a table parted by tabs, with its key in front."""
    key = rng.choice(
        [str(rng.randrange(10**5, 10**7)), f"{rng.randrange(16**9, 16**10):x}", f"doc-{rng.randrange(10**5)}"]
    )
    return "\t".join(
        [key, rng.choice(["en", "0.25", "news"]), " ".join(text.split()), rng.choice(["", "1", "pos"])]
    ).strip()


def statement(text: str, rng: Random) -> str:
    """A statement of SQL that inserts the text."""
    quoted = text.replace("'", "''")
    return (
        f"INSERT INTO posts (id, body, status) VALUES ({rng.randrange(10**4, 10**6)}, '{quoted}', {rng.randrange(9)});"
    )


def dialogue(text: str, rng: Random) -> str:
    """A dialogue with marks of turns, the text its answer."""
    mark, asked = rng.choice(_TOKENS), rng.choice(["Show me the page.", "Please give me the text."])
    return mark.format("user", asked) + mark.format("assistant", text)


def targets(text: str, rng: Random) -> str:
    """Links of a wiki that name their target beside the words."""
    return _words(text, rng, 0.06, lambda word: f"[[{word} (disambiguation)|{word}]]", 5)


def footnotes(text: str, rng: Random) -> str:
    """Marks of notes that touch the ends of sentences, in another form than brackets alone."""
    form, parts = rng.choice(["({})", "[^{}]"]), re.split(r"(?<=[a-z][.])(?=\s)", text)
    return "".join(part + form.format(at) * (rng.random() < 0.4) for at, part in enumerate(parts[:-1], 1)) + parts[-1]


_THIRD_LONG = (
    regional, latex, escaped_twice, soft_hyphens, tabbed, statement, dialogue, targets, footnotes,
)  # fmt: skip
_THIRD_SHORT = (regional, escaped_twice, soft_hyphens, tabbed, statement)

_SECOND_LONG = (numbered_lines, verses, headings, forum, references, record, row, contracted)
_SECOND_SHORT = (record, row, contracted, masked)
LONG: dict[str, Change] = {
    change.__name__: change
    for change in (
        notes, links, spelt, figures, iso_dates, time_codes, subtitles, front_matter, abbreviations, redacted,
        treebank, flattened, plain, without_accents, running_heads,
    )
} | {
    "upper case": lambda text, rng: text.upper(),
    "twice": lambda text, rng: f"{text}\n\n{text}",
    "escaped": lambda text, rng: json.dumps(text)[1:-1],
    "quoted printable": lambda text, rng: quopri.encodestring(text.encode()).decode(),
    "bars": lambda text, rng: " | ".join(line.strip() for line in text.split("\n") if line.strip()),
    "diff": lambda text, rng: _lines(text, "+"),
    "comment": lambda text, rng: _lines(text, "// "),
    "box": lambda text, rng: f"/**\n{_lines(text, ' * ')}\n */",
    "narrow": lambda text, rng: "\n".join(textwrap.fill(line, 42) for line in text.split("\n")),
    "blanks": lambda text, rng: text.replace(" ", "\u00a0 "),
    "joined": lambda text, rng: re.sub(" ", lambda _: " " * (rng.random() > 0.03), text),
    "invisible": lambda text, rng: re.sub(r"(\w{3})(\w{3})", "\\1\u200b\\2", text),
    "look-alikes": lambda text, rng: _words(text, rng, 0.2, lambda word: word.translate(CYRILLIC)),
    "emphasis": lambda text, rng: _words(text, rng, 0.08, lambda word: f"*{word}*"),
    "wiki": lambda text, rng: _words(text, rng, 0.06, lambda word: f"[[{word}]]", 5) + "\n\n[[Category:Pages]]",
    "summary": lambda text, rng: f"TL;DR: {' '.join(_sentences(text)[:2])[:300]}\n\n{text}",
    "helpful": lambda text, rng: f"{text}\n\n{rng.choice(['Was this helpful? Yes No', '3 likes · 2 replies · Share'])}",
    "consent": lambda text, rng: f"We and our partners store cookies on a device. Accept all | Reject all\n\n{text}",
    "author": lambda text, rng: f"{text}\n\nAbout the author\nJane Roe writes about technology and lives in Oslo.",
}  # fmt: skip
LONG |= {change.__name__.replace("_", " "): change for change in (*_SECOND_LONG, *_THIRD_LONG)}
"""Changes of long texts that leave what they say."""

SHORT: dict[str, Change] = {
    "short retweet": lambda text, rng: f"RT @{rng.choice(NAMES)}: {text}",
    "short via": lambda text, rng: f"{text} via @{rng.choice(NAMES)}",
    "short mention": lambda text, rng: f"@{rng.choice(NAMES)} @{rng.choice(NAMES)} {text}",
    "short picture": lambda text, rng: f"{text} pic.twitter.com/{rng.randrange(16**8):x}",
    "short link": lambda text, rng: f"{text} https://t.co/{rng.randrange(16**8):x}",
    "short alert": lambda text, rng: rng.choice(["BREAKING: ", "UPDATE: ", "Watch: ", "EXCLUSIVE - "]) + text,
    "short updated": lambda text, rng: text + rng.choice([" (Updated)", " [VIDEO]", " (PHOTOS)"]),
    "short site": lambda text, rng: (
        text.rstrip(".") + rng.choice([" - Reuters", " | CNN", " - The Guardian", " — BBC News"])
    ),
    "short clipped": lambda text, rng: " ".join(text.split()[: max(6, int(len(text.split()) * 0.9))]) + "…",
    "short time": lambda text, rng: f"[{rng.randint(10, 23)}:{rng.randint(10, 59)}] {text}",
    "short speaker": lambda text, rng: f"<{rng.choice(NAMES)}> {text}",
    "short thread": lambda text, rng: f"{text} ({rng.randint(1, 3)}/{rng.randint(4, 6)})",
    "short numbered": lambda text, rng: f"{rng.randint(1, 30)}. {text}",
    "short signed": lambda text, rng: f"{text} — {rng.choice(['Jane Roe', 'A. Klein', 'Lee Wong'])}",
    "short quoted": lambda text, rng: f"“{text}”",
    "short markup": lambda text, rng: f'<p class="x">{text}</p>',
    "short entities": lambda text, rng: html.escape(text).replace("'", "&#39;") + "&nbsp;",
    "short escaped": lambda text, rng: json.dumps(text),
    "short treebank": treebank,
    "short flattened": flattened,
    "short spelt": spelt,
    "short messaging": lambda text, rng: re.sub(r"\w+", lambda match: SHORTER.get(match[0].lower(), match[0]), text),
    "short full width": lambda text, rng: text.translate(FULL_WIDTH),
    "short dots": lambda text, rng: text.replace(" ", "."),
    "short joined": lambda text, rng: text.replace(" ", ""),
    "short laughter": lambda text, rng: text + rng.choice([" lol", " haha", " omg", " :)", " <3"]),
    "short interjection": lambda text, rng: rng.choice(["Wow, ", "OMG ", "Yay! ", "Ugh, "]) + text,
}
SHORT |= {f"short {change.__name__}": change for change in (*_SECOND_SHORT, *_THIRD_SHORT)} | {
    "short label": lambda text, rng: rng.choice(["Review: ", "Critics: ", "Q: ", "In reply to annie_k: "]) + text,
    "short client": lambda text, rng: text + rng.choice([" Sent from my phone", " Posted by Jane Roe", " Read more"]),
    "short ampersand": lambda text, rng: text.replace(" and ", " & "),
}
"""Changes of short texts that leave what they say."""

_PAIRS = {
    "weekday": "Monday Thursday Tuesday Friday Wednesday Sunday",
    "month": "January April March October June December",
    "direction": "north south east west left right upper lower",
    "time": "before after earlier later yesterday tomorrow morning evening",
    "more or less": "increase decrease increased decreased higher lower more less",
    "ordinal": "first third second fourth last next",
    "quantifier": "all some must may always never any no and or",
    "person": "he she his her",
    "truth": "true false True False enabled disabled required optional allowed forbidden public private",
    "place": "London Madrid Paris Berlin America Africa China India Europe Asia",
    "magnitude": "million billion dollars euros thousand hundred",
    "kin": "father mother brother sister son daughter men women king queen",
    "outcome": "success failure accepted rejected open closed start stop good bad won lost buy sell",
    "software": "Windows Linux Python Ruby Java Perl JSON XML HTTP FTP",
    "measure": "large small long short old new minimum maximum most least input output read write",
}
_SECOND = {
    "role": "president treasurer director producer manager coach minister senator lawyer judge owner lender",
    "animal": "dog cat wolf bear horse cow sheep goat bird fish lion tiger mouse rabbit snake frog",
    "food": "bread rice cheese butter beef chicken sugar salt tea coffee wine beer apple pear milk juice",
    "material": "wood metal glass plastic stone brick silk cotton paper leather iron copper",
    "topic": "war flood film album football tennis crime fire election strike cancer diabetes bus train novel poem",
    "feeling": "love hate happy angry great terrible brilliant awful funny tragic beautiful ugly",
    "technology": "string list file directory function macro class module thread process server browser table graph",
    "party": "buyer seller plaintiff defendant employer employee contributor recipient landlord tenant",
    "weather": "rain snow sun fog wind frost storm drought",
    "relative": "uncle cousin nephew widow grandfather grandmother parents children",
    "permission": "granted denied implied express reduce increase strengthened weakened create delete",
}


def _inserted(text: str, rng: Random) -> str:
    """A sentence put in."""
    return _one(text, rng, r"(?<=[a-z]\.) (?=[A-Z])", lambda match: f" {rng.choice(OWN)} ")


def _replaced(text: str, rng: Random) -> str:
    """A sentence of another text in place of one."""
    return _one(text, rng, r"(?<=[a-z]\. )[A-Z][^.\n]{40,200}\.(?= [A-Z])", lambda match: rng.choice(OWN))


OWN = (
    "Children under six are exempt from this.", "Symbolic links are never followed here.",
    "A fee of sixty euros is due for every copy.", "Seven people were hurt in the blast.",
    "The decision can be appealed within a month.", "Larger archives are rejected by the gateway.",
)  # fmt: skip


def _one(text: str, rng: Random, pattern: str, change: Callable[[re.Match[str]], str]) -> str:
    """The text with one match changed that stands in no link and on no line of a stamp."""
    found = [match for match in re.finditer(pattern, text) if _is_said(text, match)]
    if not found:
        return text
    match = rng.choice(found)
    return text[: match.start()] + change(match) + text[match.end() :]


def _is_said(text: str, match: re.Match[str]) -> bool:
    """Whether a match stands in running text: no link, markup, stamp or number joined to others."""
    begin, end = text.rfind("\n", 0, match.start()) + 1, (text + "\n").find("\n", match.end())
    line, place = text[begin:end], match.start() - begin
    token = re.search(r"\S*$", line[:place])[0] + re.search(r"^\S*", line[place:])[0]  # type: ignore[index]
    stamp = re.search(r"(?i)publish|posted|updated|created|©|copyright|date|modified|\d:\d\d", line)
    return len(line.split()) > 8 and not stamp and not re.search(r"[/\\#@=&_]|\d[.:-]\d", token)


def _exchange(words: str) -> Change:
    known = words.split()
    other = dict(zip(known[::2], known[1::2], strict=True)) | dict(zip(known[1::2], known[::2], strict=True))
    pattern = rf"\b({'|'.join(other)})\b"
    return lambda text, rng: _one(text, rng, pattern, lambda match: other[match[1]])


_TENSES = {"will be": "was", "was": "will be", "were": "will be", "will": "did"}
_COMPARISONS = {"===": "!==", "!==": "===", "==": "!=", "!=": "==", ">=": "<=", "<=": ">="}


def _any(text: str, rng: Random, pattern: str, change: Callable[[re.Match[str]], str]) -> str:
    """The text with one match changed, wherever it stands."""
    found = list(re.finditer(pattern, text))
    if not found:
        return text
    match = rng.choice(found)
    return text[: match.start()] + change(match) + text[match.end() :]


FACTS: dict[str, Change] = {name: _exchange(words) for name, words in (_PAIRS | _SECOND).items()} | {
    "sentence put in": _inserted,
    "sentence replaced": _replaced,
    "half of the day": lambda text, rng: _one(
        text, rng, r"(?<=\d )[ap](?=\.m\.)", lambda match: "p" if match[0] == "a" else "a"
    ),
    "tense": lambda text, rng: _one(
        text, rng, r"\b(will be|was|were|will)\b(?= [a-z])(?! not)", lambda match: _TENSES[match[1]]
    ),
    "decimal": lambda text, rng: _any(
        text,
        rng,
        r"(?<=[a-z(,] )\d+\.\d+(?= (?:percent|per cent|million|billion|[a-z]{4,}))",
        lambda match: match[0].replace(".", ".0"),
    ),
    "comparison": lambda text, rng: _any(
        text,
        rng,
        r"(?<=[\w)\]] )(===|!==|==|!=|>=|<=)(?= [\w('\"])",
        lambda match: _COMPARISONS[match[1]],
    ),
    "figure": lambda text, rng: _one(text, rng, r"\b\d{2,4}\b", lambda match: str(int(match[0]) + rng.randint(1, 9))),
    "negation": lambda text, rng: _one(
        text, rng, r"\b(is|are|was|were|will|can|should|has|have)\b(?! not)(?= [a-z])", lambda match: f"{match[1]} not"
    ),
    "affirmation": lambda text, rng: _one(
        text, rng, r"\b(is|are|was|were|will|should|has|have) not\b", lambda match: match[1]
    ),
}
"""One fact of running text exchanged, put in or taken out."""
