"""Edits of the second labelled split: none of them is among those of the development split."""

import html
import re
import unicodedata
from collections.abc import Callable
from random import Random

Edit = Callable[[str, Random], str]

WORD = re.compile(r"\b[^\W\d_]{4,}\b")
NEIGHBOURS = dict(zip("qwertyuiopasdfghjklzxcvbnm", "wertyuioiosdfghjkjxcvbnmn", strict=False))
ACCENTS = str.maketrans("aeiounscAEIOU", "áèïõüñšçÀÉÎÖÚ")
BOLD = {chr(a + i): chr(b + i) for a, b in ((65, 0x1D400), (97, 0x1D41A)) for i in range(26)}
LIGATURES = [("ffi", "ﬃ"), ("ffl", "ﬄ"), ("ff", "ﬀ"), ("fi", "ﬁ"), ("fl", "ﬂ")]
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
NAMES = [
    "Harrington",
    "Okafor",
    "Lindqvist",
    "Marchetti",
    "Delacroix",
    "Petrov",
    "Nakamura",
    "Whitfield",
    "Abernathy",
    "Castellano",
]
OPPOSITES = [
    ("up", "down"), ("rise", "fall"), ("rises", "falls"), ("rose", "fell"), ("higher", "lower"), ("more", "less"),
    ("first", "last"), ("win", "lose"), ("wins", "loses"), ("won", "lost"), ("best", "worst"), ("good", "bad"),
    ("before", "after"), ("increase", "decrease"), ("gains", "losses"), ("open", "close"), ("men", "women"),
    ("north", "south"), ("east", "west"), ("funny", "dull"), ("never", "always"), ("old", "new"), ("buy", "sell"),
    ("strong", "weak"), ("early", "late"), ("most", "least"), ("accepts", "rejects"), ("backs", "opposes"),
    ("cuts", "raises"), ("cut", "raise"), ("boy", "girl"), ("man", "woman"), ("his", "her"), ("with", "without"),
]  # fmt: skip
OPPOSITE = {a: b for pair in OPPOSITES for a, b in (pair, pair[::-1])}


def in_words(text: str, rng: Random, share: float, change: Callable[[str], str]) -> str:
    """Apply `change` to a share of the words of four letters or more, at least one."""
    places = list(WORD.finditer(text))
    if not places:
        return text
    for place in sorted(rng.sample(places, max(1, round(share * len(places)))), key=lambda p: -p.start()):
        text = text[: place.start()] + change(place[0]) + text[place.end() :]
    return text


def at(word: str, rng: Random, change: Callable[[str], str]) -> str:
    """Change one inner letter."""
    i = rng.randrange(1, len(word))
    return word[:i] + change(word[i]) + word[i + 1 :]


def paragraphs(text: str) -> list[str]:
    """Return the non-empty lines."""
    return [line.strip() for line in text.split("\n") if line.strip()]


def sentences(text: str) -> list[str]:
    """Return sentences, cut after full stops, exclamation and question marks."""
    return [s for s in re.split(r"(?<=[.!?])\s+", text) if s.strip()]


def wrapped(text: str, width: int) -> list[str]:
    """Break every paragraph into lines of at most `width` characters; empty lines stay between paragraphs."""
    lines: list[str] = []
    for paragraph in paragraphs(text):
        line = ""
        for word in paragraph.split():
            if len(line) + len(word) >= width and line:
                lines.append(line)
                line = word
            else:
                line = f"{line} {word}".strip()
        lines += [line, ""]
    return lines[:-1]


# --- hot spots (B) ---


def ocr(text: str, rng: Random) -> str:
    """Read a few letters wrongly, as a scanner does."""
    wrong = [("rn", "m"), ("cl", "d"), ("li", "h"), ("e", "c"), ("l", "1"), ("O", "0"), ("vv", "w"), ("t", "f")]
    for _ in range(rng.randint(2, 6)):
        seen, read = rng.choice(wrong)
        places = [m.start() for m in re.finditer(seen, text)]
        if places:
            i = rng.choice(places)
            text = text[:i] + read + text[i + len(seen) :]
    return text


def hyphenate(text: str, rng: Random) -> str:
    """Hard wrap, with some words broken by a hyphen at the line end."""
    lines = wrapped(text, rng.choice([64, 72]))
    for i, line in enumerate(lines[:-1]):
        head, _, rest = lines[i + 1].partition(" ")
        if line and len(head) > 6 and head.isalpha() and rng.random() < 0.5:
            k = rng.randint(3, len(head) - 3)
            lines[i], lines[i + 1] = f"{line} {head[:k]}-", f"{head[k:]} {rest}"
    return "\n".join(lines)


def number_lines(text: str, rng: Random) -> str:
    return "\n".join(f"{i:>4}  {line}" for i, line in enumerate(wrapped(text, rng.choice([76, 90])), 1))


def quote_mail(text: str, rng: Random) -> str:
    return "\n".join(f"> {line}" for line in wrapped(text, rng.choice([66, 72, 78])))


def track(text: str, rng: Random) -> str:
    return f"{text}\n\n[msg-id: {rng.getrandbits(48):012x}-{rng.randint(100, 999)}]"


def paginate(text: str, rng: Random) -> str:
    lines, pages = paragraphs(text), rng.randint(3, 9)
    for page in range(1, 3):
        lines.insert(rng.randint(1, len(lines)), f"Page {page} of {pages}")
    return "\n\n".join(lines)


def print_footer(text: str, rng: Random) -> str:
    return f"{text}\n\nPrinted from intranet on {rng.randint(1, 28)} {rng.choice(MONTHS)} {rng.randint(2003, 2024)}"


def bullets(text: str, rng: Random) -> str:
    mark = rng.choice(["•", "*", "–", "‣"])
    return "\n".join(f"{mark} {line}" for line in paragraphs(text))


def dashes(text: str, rng: Random) -> str:
    text = text.replace(" - ", rng.choice([" — ", "—", " – "]))
    return re.sub(r"(?<=\w)-(?=\w)", rng.choice(["‐", "‑", "–"]), text)


def entities(text: str, rng: Random) -> str:
    return html.escape(text).replace("&#x27;", "&#39;").replace("\n\n", "\n<br/>\n")


def dates(text: str, rng: Random) -> str:
    months = "|".join(MONTHS)
    turned = re.sub(rf"\b(\d{{1,2}}) ({months})\b", r"\2 \1", text)
    return turned if turned != text else re.sub(rf"\b({months}) (\d{{1,2}})\b(?!\d)", r"\2 \1", text)


def indent(text: str, rng: Random) -> str:
    space = rng.choice(["\t", "    ", "\u3000"])
    return "\r\n".join(space + line for line in paragraphs(text))


def repeat_heading(text: str, rng: Random) -> str:
    first = paragraphs(text)[0]
    return f"{' '.join(first.split()[:10])}\n{text}"


def ligatures(text: str, rng: Random) -> str:
    for plain, joined in LIGATURES:
        text = text.replace(plain, joined)
    return text


EDITS_B: dict[str, Edit] = {
    "ocr": ocr, "hyphenated": hyphenate, "line numbers": number_lines, "mail quote": quote_mail, "tracking id": track,
    "page numbers": paginate, "print footer": print_footer, "bullets": bullets, "dashes": dashes,
    "entities": entities, "date order": dates, "indent": indent, "repeated heading": repeat_heading,
    "ligatures": ligatures,
}  # fmt: skip

# --- perturbed short texts (C) ---


def keyboard(text: str, rng: Random) -> str:
    return in_words(text, rng, 0.15, lambda w: at(w, rng, lambda c: NEIGHBOURS.get(c, c)))


def double(text: str, rng: Random) -> str:
    return in_words(text, rng, 0.2, lambda w: at(w, rng, lambda c: c * 2))


def drop_vowels(text: str, rng: Random) -> str:
    return in_words(text, rng, 0.25, lambda w: w[0] + re.sub("[aeiou]", "", w[1:], count=rng.randint(1, 2)))


def accents(text: str, rng: Random) -> str:
    return in_words(text, rng, 0.6, lambda w: w.translate(ACCENTS))


def fullwidth(text: str, rng: Random) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def marks(text: str, rng: Random) -> str:
    mark = rng.choice(["*", "|", "_", "~"])
    return in_words(text, rng, 0.5, lambda w: f"{mark}{w}{mark}")


def hashtags(text: str, rng: Random) -> str:
    return in_words(text, rng, 0.25, lambda w: rng.choice("##@") + w)


def repeat_stops(text: str, rng: Random) -> str:
    mark = rng.choice(["!!!!", "....", "?!?!", " >>>>", " ---"])
    return re.sub(r"[.,;:!?]", lambda m: m[0] * rng.randint(2, 4), text) + mark


def joiners(text: str, rng: Random) -> str:
    mark = rng.choice(["\u200d", "\u2060", "\u00ad"])
    return in_words(text, rng, 0.7, lambda w: at(w, rng, lambda c: mark + c))


def elongate(text: str, rng: Random) -> str:
    return in_words(text, rng, 0.15, lambda w: w + w[-1] * rng.randint(2, 4))


def strike(text: str, rng: Random) -> str:
    mark = rng.choice(["\u0336", "\u0332", "\u0301"])
    return "".join(c + mark if c.isalpha() else c for c in text)


def bold(text: str, rng: Random) -> str:
    return "".join(BOLD.get(c, c) for c in text)


EDITS_C: dict[str, Edit] = {
    "keyboard": keyboard, "doubled": double, "vowels": drop_vowels, "accents": accents, "fullwidth": fullwidth,
    "marks": marks, "hashtags": hashtags, "stops": repeat_stops, "ligatures": ligatures, "joiners": joiners,
    "elongated": elongate, "struck": strike, "bold": bold,
}  # fmt: skip

# --- look-alikes (F) ---


def other_number(match: re.Match[str], rng: Random) -> str:
    """Return another number of as many digits."""
    old = match[0]
    while (new := str(rng.randint(1, 9)) + "".join(str(rng.randint(0, 9)) for _ in old[1:])) == old:
        pass
    return new


def swap_numbers(text: str, rng: Random) -> str:
    return re.sub(r"\d+", lambda m: other_number(m, rng), text)


def swap_dates(text: str, rng: Random) -> str:
    for names in (MONTHS, DAYS):
        shift = rng.randint(1, len(names) - 1)
        turn = {name: names[(i + shift) % len(names)] for i, name in enumerate(names)}
        text = re.sub(r"\b(" + "|".join(names) + r")\b", lambda m, turn=turn: turn[m[0]], text)  # type: ignore[misc]
    return text


def swap_name(text: str, rng: Random) -> str:
    """Give the person or place of two capitalised words another last name."""
    found = [m for m in re.finditer(r"(?<=[a-z,] )([A-Z][a-z]+) ([A-Z][a-z]{3,})\b", text) if m[2] not in DAYS + MONTHS]
    return text.replace(found[0][2], rng.choice(NAMES)) if found else text


def negate(text: str, rng: Random) -> str:
    turned = re.sub(r"\b(is|are|was|were|will|can|should|has been)\b(?! not|n't)", r"\1 not", text, count=1)
    return turned if turned != text else re.sub(r"\b(is|are|was|were|will|can) not\b", r"\1", text, count=1)


def oppose(text: str, rng: Random) -> str:
    found = [m for m in re.finditer(r"\b[a-z]+\b", text) if m[0] in OPPOSITE]
    if not found:
        return text
    m = rng.choice(found)
    return text[: m.start()] + OPPOSITE[m[0]] + text[m.end() :]


SWAPS: dict[str, Edit] = {
    "numbers": swap_numbers, "dates": swap_dates, "names": swap_name, "negation": negate, "opposites": oppose,
}  # fmt: skip

PLACES = [
    "Ashford",
    "Brackley",
    "Corbridge",
    "Dunmore",
    "Ellsworth",
    "Farnham",
    "Glenrock",
    "Holbeach",
    "Ilkley",
    "Jarrow",
    "Kelso",
    "Lydford",
]
FIRST = [
    "Anna",
    "Bram",
    "Celia",
    "Dmitri",
    "Esther",
    "Farid",
    "Greta",
    "Hassan",
    "Ines",
    "Jonas",
    "Keiko",
    "Liam",
    "Marta",
    "Nils",
    "Odile",
    "Pavel",
]
TRADES = [
    "accountant",
    "bricklayer",
    "cartographer",
    "dietitian",
    "electrician",
    "forester",
    "geologist",
    "joiner",
    "librarian",
    "nurse",
]
THINGS = [
    "kettle",
    "toaster",
    "pushchair",
    "heater",
    "drill",
    "lamp",
    "blender",
    "scooter",
    "helmet",
    "charger",
    "stroller",
    "mixer",
]
TEMPLATES = [
    "Weather for {place}\n"
    "Today will be mostly {sky} with a maximum of {n} degrees and {w} winds of {m} km/h. Tonight the temperature "
    "in {place} will drop to {k} degrees. Rain: {k} mm. Sunrise at 0{k}:{m}, sunset at 1{k}:{n}. The outlook for "
    "{day}: {sky2}, {m} degrees. Pollen is {level}. This forecast was issued by the regional office and will be "
    "updated at noon. Check road conditions before you travel.",
    "{trade} wanted in {place}\n"
    "Our client, based in {place}, is looking for an experienced {trade} to join a team of {n} from {day}, {k} "
    "{month}. The successful candidate will report to {name} and earn {m},{n}00 a year with {n} days of leave. "
    "You will have at least {k} years of experience, a full driving licence and two references. To apply, send "
    "your CV and a covering letter quoting reference {ref} to the address below. Interviews take place in "
    "{month}.",
    "Product recall: {thing} model {ref}\n"
    "The manufacturer is recalling the {thing} sold under model number {ref} between {month} and December {year}. "
    "About {n},{m}0 units may {fault}. Customers should stop using the product at once and return it to the place "
    "of purchase for a full refund of {m} euros. No receipt is needed. {k} incidents have been reported so far. "
    "For more information call the free line on 0800 {ref} or write to {name}, customer care.",
    "Notice of meeting\n"
    "The annual meeting of the {place} {club} will be held on {day} {k} {month} {year} at {k}.{m} pm in the "
    "parish hall. The chair, {name}, will present the accounts, which show a surplus of {m}{n} pounds. Members "
    "will elect a new treasurer after the resignation of {name2}. Motions must reach the secretary {k} days "
    "before the meeting. Refreshments will be served afterwards. All members are welcome, and guests may attend "
    "without a vote.",
    "Flight {ref} to {place}\n"
    "Dear {name}, your flight {ref} from {place2} to {place} on {day} {k} {month} is confirmed. Check-in opens at "
    "0{k}:{m} and the gate closes {n} minutes before departure. Your seat is {k}C and your booking code is "
    "{ref2}. One bag of up to {n} kilos is included. If your plans change, you can rebook free of charge until "
    "the day before departure. Please have your passport ready and arrive in good time. We wish you a pleasant "
    "journey.",
    "For sale: {n} {month} Street, {place}\n"
    "This charming house in {place} has {k} bedrooms, {k} bathrooms and a garden of {m}{n} square metres facing "
    "{w}. It was built in {year} and renovated by {name}. The kitchen is fitted and there is parking for {k} "
    "cars. The nearest school is {n} minutes away on foot, the station {m} minutes. Energy rating {grade}. Asking "
    "price {m}{n},000. Viewing by appointment only; quote {ref} when you call the branch in {place2}.",
]  # fmt: skip


def refill(template: str, rng: Random) -> str:
    """Fill a form with other facts."""
    letters = "ABCDEFGHJKLMNPRSTUVWXYZ"
    name = f"{rng.choice(FIRST)} {rng.choice(NAMES)}"
    place, place2 = rng.sample(PLACES, 2)
    return template.format(
        place=place, place2=place2, name=name, name2=f"{rng.choice(FIRST)} {rng.choice(NAMES)}",
        n=rng.randint(11, 39), m=rng.randint(40, 59), k=rng.randint(2, 9), day=rng.choice(DAYS),
        month=rng.choice(MONTHS), year=rng.randint(1961, 2023), thing=rng.choice(THINGS), trade=rng.choice(TRADES),
        ref="".join(rng.sample(letters, 2)) + str(rng.randint(1000, 9999)), ref2="".join(rng.sample(letters, 6)),
        sky=rng.choice(["sunny", "cloudy", "foggy", "wet"]), sky2=rng.choice(["clear spells", "showers", "sleet"]),
        w=rng.choice(["northerly", "southerly", "easterly", "westerly"]), level=rng.choice(["low", "moderate", "high"]),
        club=rng.choice(["Rowing Club", "Chess Society", "Garden Club", "Choir", "Cricket Club"]),
        fault=rng.choice(["overheat", "break under load", "give electric shocks", "release sharp parts"]),
        grade=rng.choice("ABCDEFG"),
    )  # fmt: skip


def plain(text: str) -> str:
    """Return the text as the words that a reader sees: compatibility forms folded, lower case, one space."""
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold()))
