"""Duplicates and look-alikes in nine languages: how many of the former a run removes, and of the latter.

    python -m tests.benchmarks.languages.languages TEXTS --out DIR [--each 50] [--seed 7] [--traditional s2tw]

TEXTS is a Parquet file (id, text, source, language) of pages in de, en, es, fr, ru, ar, hi, ja and zh; OUT receives the
corpus, the run, `pairs.parquet` and `languages.md`. For every language so many duplicates of the types A to D and so
many look-alikes are made by operators out of pieces of these pages, each piece used once; pages that are left are
background. All of it is curated at once with default settings. Of a duplicate one side must go in favour of the other;
of a look-alike none may, whoever stands for it. `--traditional` writes the second text of every Chinese pair in
traditional characters, as that configuration of OpenCC does (`pip install opencc==1.1.9`).

What the operators know of a language stands below and not in `models/languages`: a list that lacks a word fails here.
"""

import argparse
import re
import subprocess
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
import polars as pl

from models.bundle import load
from models.evaluation.synthesis.edits.edits import EDITS
from models.evaluation.synthesis.material.material import Material, gather
from models.evaluation.synthesis.material.splitting import plain
from models.evaluation.synthesis.material.wordlists import EMOJI
from models.evaluation.synthesis.types.lookalikes import SIBLINGS
from models.lexical.text import normalise, split_words

BACKGROUND, SITES = 300, 4
"""Pages of a language that nothing is made from, and frames that pages may have."""
SHORT, LONG, PARENT = (40, 280), (700, 3500), (150, 310)
"""Characters of a short text, of a page, and of a short text with a shorter one in it."""
OWN, SIBLING = 0.25, 100
"""Share of the grams of each of two sibling pages that the other lacks, and grams of such a page."""
MOST = 0.85
"""Share of a text that one of its parts has at most."""
DENSITY = {"zh": 0.33, "ja": 0.45}
"""Characters for what takes one in a language of letters."""


class Language(NamedTuple):
    """What the operators know of a language.

    Attributes:
        planted: pairs of sentences that state different things, by kind; {n} and {m} are drawn numbers, in the digits
            of the language where it has its own.
        denied: a pattern and what makes a negation of it; "" where none is known.
        more: what leads on behind a teaser.
        stamps: lines with a date or a counter.
        respelt: other spellings of the same letters, pairs of old and new.
        zero: the digit nought.
    """

    planted: dict[str, list[tuple[str, str]]]
    denied: tuple[str, str]
    more: str
    stamps: list[str]
    respelt: list[tuple[str, str]]
    zero: str = "0"


LANGUAGES = {
    "en": Language(
        {
            "number": [("This list has {n} entries in all.", "This list has {m} entries in all.")],
            "amount": [
                ("The ticket was sold for {n} dollars.", "The ticket was sold for {m} dollars."),
                ("Twelve members voted for it.", "Fourteen members voted for it."),
            ],
            "negation": [
                ("Visitors may open the second door.", "Visitors may not open the second door."),
                ("The request was approved without a reason.", "The request was approved with a reason."),
            ],
            "name": [("The plan was drawn by Maria Lindgren.", "The plan was drawn by Clara Hoffmann.")],
            "unit": [("The path is {n} metres long.", "The path is {n} kilometres long.")],
        },
        (r"\b(is|are|can|will|must)\b(?! not)", r"\1 not"),
        "Read more",
        ["Last updated: {n}/{d}/20{y}", "{n} views", "Page {d} of {n}"],
        [("'", "’"), ('"', "”")],
    ),
    "de": Language(
        {
            "number": [("Im Verzeichnis stehen {n} Einträge.", "Im Verzeichnis stehen {m} Einträge.")],
            "amount": [
                ("Die Karte kostete {n} Euro.", "Die Karte kostete {m} Euro."),
                ("Zwölf Mitglieder stimmten dafür.", "Vierzehn Mitglieder stimmten dafür."),
                ("Davon sind einundzwanzig erhalten.", "Davon sind sechsunddreißig erhalten."),
            ],
            "negation": [
                ("Besucher dürfen die zweite Tür öffnen.", "Besucher dürfen die zweite Tür nicht öffnen."),
                ("Das ist ein Fehler im Protokoll.", "Das ist kein Fehler im Protokoll."),
                ("Der Antrag wurde mit Begründung abgelehnt.", "Der Antrag wurde ohne Begründung abgelehnt."),
            ],
            "name": [
                ("Der Plan stammt von Ulrike Brandt.", "Der Plan stammt von Sabine Kessler."),
                ("Die Sitzung fand in Würzburg statt.", "Die Sitzung fand in Göttingen statt."),
            ],
            "unit": [
                ("Der Weg ist {n} Meter lang.", "Der Weg ist {n} Kilometer lang."),
                ("Das Paket wiegt {n} Gramm.", "Das Paket wiegt {n} Kilogramm."),
            ],
        },
        (r"\b(ist|sind|wird|kann|werden)\b(?! nicht)", r"\1 nicht"),
        "Weiterlesen",
        ["Zuletzt geändert am {d}.{d}.20{y}", "{n} Aufrufe", "Seite {d} von {n}", "Veröffentlicht am {d}. Mai 20{y}"],
        [("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss"), ("Ä", "Ae"), ("Ö", "Oe"), ("Ü", "Ue")],
    ),
    "fr": Language(
        {
            "number": [("La liste contient {n} entrées.", "La liste contient {m} entrées.")],
            "amount": [
                ("Le billet coûtait {n} euros.", "Le billet coûtait {m} euros."),
                ("Douze membres ont voté pour.", "Quatorze membres ont voté pour."),
            ],
            "negation": [
                ("Les visiteurs peuvent ouvrir la porte.", "Les visiteurs ne peuvent pas ouvrir la porte."),
                ("Il est permis de fumer ici.", "Il n'est pas permis de fumer ici."),
                ("La demande est reçue avec un justificatif.", "La demande est reçue sans un justificatif."),
            ],
            "name": [
                ("Le plan a été dessiné par Camille Durand.", "Le plan a été dessiné par Hélène Mercier."),
                ("La réunion a eu lieu à Grenoble.", "La réunion a eu lieu à Limoges."),
            ],
            "unit": [
                ("Le chemin mesure {n} mètres.", "Le chemin mesure {n} kilomètres."),
                ("Le colis pèse {n} grammes.", "Le colis pèse {n} kilogrammes."),
            ],
        },
        (r"(?<= )(peut|doit|sera|sont)(?= )(?! pas)", r"ne \1 pas"),
        "Lire la suite",
        ["Dernière modification : {d}/{d}/20{y}", "{n} vues", "Page {d} sur {n}", "Publié le {d} mars 20{y}"],
        [("é", "e"), ("è", "e"), ("à", "a"), ("ê", "e"), ("ç", "c"), ("'", "’")],
    ),
    "es": Language(
        {
            "number": [("La lista contiene {n} entradas.", "La lista contiene {m} entradas.")],
            "amount": [
                ("La entrada costaba {n} euros.", "La entrada costaba {m} euros."),
                ("Doce miembros votaron a favor.", "Catorce miembros votaron a favor."),
            ],
            "negation": [
                ("Los visitantes pueden abrir la puerta.", "Los visitantes no pueden abrir la puerta."),
                ("La solicitud se admite con justificante.", "La solicitud se admite sin justificante."),
            ],
            "name": [
                ("El plano fue dibujado por Lucía Ortega.", "El plano fue dibujado por Carmen Vidal."),
                ("La reunión se celebró en Zaragoza.", "La reunión se celebró en Málaga."),
            ],
            "unit": [
                ("El camino mide {n} metros.", "El camino mide {n} kilómetros."),
                ("El paquete pesa {n} gramos.", "El paquete pesa {n} kilogramos."),
            ],
        },
        (r"(?<= )(es|está|puede|debe|son)(?= )", r"no \1"),
        "Leer más",
        ["Última modificación: {d}/{d}/20{y}", "{n} visitas", "Página {d} de {n}", "Publicado el {d} de mayo de 20{y}"],
        [("á", "a"), ("é", "e"), ("í", "i"), ("ó", "o"), ("ú", "u"), ("ñ", "n")],
    ),
    "ru": Language(
        {
            "number": [("В этом списке {n} записей.", "В этом списке {m} записей.")],
            "amount": [
                ("Билет стоил {n} рублей.", "Билет стоил {m} рублей."),
                ("Двенадцать членов голосовали за.", "Четырнадцать членов голосовали за."),
            ],
            "negation": [
                ("Посетители могут открыть вторую дверь.", "Посетители не могут открыть вторую дверь."),
                ("Здесь можно курить.", "Здесь нельзя курить."),
                ("Заявка принята с обоснованием.", "Заявка принята без обоснования."),
            ],
            "name": [
                ("План составила Ольга Ермакова.", "План составила Наталья Соколова."),
                ("Собрание прошло в Казани.", "Собрание прошло в Самаре."),
            ],
            "unit": [
                ("Длина дороги {n} метров.", "Длина дороги {n} километров."),
                ("Посылка весит {n} граммов.", "Посылка весит {n} килограммов."),
            ],
        },
        (r"(?<= )(является|может|можно|должен|будет|могут)(?= )", r"не \1"),
        "Читать далее",
        ["Последнее изменение: {d}.{d}.20{y}", "{n} просмотров", "Страница {d} из {n}", "Опубликовано {d} мая 20{y}"],
        [("ё", "е"), ("«", '"'), ("»", '"'), (" - ", " — ")],
    ),
    "ar": Language(
        {
            "number": [("تحتوي القائمة على {n} مدخلا.", "تحتوي القائمة على {m} مدخلا.")],
            "amount": [
                ("كان سعر التذكرة {n} دينارا.", "كان سعر التذكرة {m} دينارا."),
                ("صوت خمسة أعضاء لصالحه.", "صوت سبعة أعضاء لصالحه."),
                ("بقي منها عشرون قطعة.", "بقي منها ثلاثون قطعة."),
            ],
            "negation": [
                ("يمكن للزوار فتح الباب الثاني.", "لا يمكن للزوار فتح الباب الثاني."),
                ("هذا خطأ في المحضر.", "هذا ليس خطأ في المحضر."),
                ("قبل الطلب مع ذكر السبب.", "قبل الطلب بدون ذكر السبب."),
            ],
            "name": [
                ("عقد الاجتماع في دمشق.", "عقد الاجتماع في بغداد."),
                ("رسمت المخطط سعاد الخطيب.", "رسمت المخطط ليلى النجار."),
            ],
            "unit": [
                ("طول الطريق {n} متر.", "طول الطريق {n} كيلومتر."),
                ("وزن الطرد {n} غرام.", "وزن الطرد {n} كيلوغرام."),
            ],
        },
        (r"(?<= )(يمكن|يجب|تستطيع|يتم|توجد|يمكنك)(?= )", r"لا \1"),
        "اقرأ المزيد",
        ["آخر تحديث: {d}/{d}/20{y}", "{n} مشاهدة", "صفحة {d} من {n}", "نشر في {d} مايو 20{y}"],
        [("أ", "ا"), ("إ", "ا"), ("ة", "ه"), ("ى", "ي"), ("الم", "المـ"), ("من", "مِن"), ("في", "فِي"), ("على", "عَلى")],
        "٠",
    ),
    "hi": Language(
        {
            "number": [("इस सूची में {n} प्रविष्टियाँ हैं।", "इस सूची में {m} प्रविष्टियाँ हैं।")],
            "amount": [
                ("टिकट का मूल्य {n} रुपये था।", "टिकट का मूल्य {m} रुपये था।"),
                ("बारह सदस्यों ने पक्ष में मत दिया।", "चौदह सदस्यों ने पक्ष में मत दिया।"),
            ],
            "negation": [
                ("आगंतुक दूसरा दरवाज़ा खोल सकते हैं।", "आगंतुक दूसरा दरवाज़ा नहीं खोल सकते हैं।"),
                ("यह विवरण में एक गलती है।", "यह विवरण में एक गलती नहीं है।"),
                ("आवेदन कारण के साथ लौटाया गया।", "आवेदन कारण के बिना लौटाया गया।"),
            ],
            "name": [
                ("बैठक लखनऊ में हुई।", "बैठक जयपुर में हुई।"),
                ("यह नक्शा सुनीता शर्मा ने बनाया।", "यह नक्शा कविता वर्मा ने बनाया।"),
            ],
            "unit": [
                ("रास्ता {n} मीटर लंबा है।", "रास्ता {n} किलोमीटर लंबा है।"),
                ("पार्सल का वज़न {n} ग्राम है।", "पार्सल का वज़न {n} किलोग्राम है।"),
            ],
        },
        (r"(?<= )(है|हैं|करता|करें)(?=[ ।])", r"नहीं \1"),
        "और पढ़ें",
        ["अंतिम अद्यतन: {d}/{d}/20{y}", "{n} बार देखा गया", "पृष्ठ {d} / {n}", "{d} मई 20{y} को प्रकाशित"],
        [("ँ", "ं"), ("ज़", "ज"), ("फ़", "फ"), ("क्ष", "क्\u200dष")],
        "०",
    ),
    "ja": Language(
        {
            "number": [("一覧には{n}件の項目がある。", "一覧には{m}件の項目がある。")],
            "amount": [
                ("入場券は{n}円だった。", "入場券は{m}円だった。"),
                ("十二人の委員が賛成した。", "十四人の委員が賛成した。"),
                ("そのうち三百点が残っている。", "そのうち三千点が残っている。"),
            ],
            "negation": [
                ("来場者は第二の扉を開けられます。", "来場者は第二の扉を開けられません。"),
                ("これは記録の誤りである。", "これは記録の誤りではない。"),
                ("この機能は使える。", "この機能は使えない。"),
                ("委員会は申請を承認した。", "委員会は申請を承認しなかった。"),
            ],
            "name": [
                ("会議は京都で開かれた。", "会議は福岡で開かれた。"),
                ("図面は田中和子が描いた。", "図面は鈴木恵美が描いた。"),
                ("鍵はマリアが持っている。", "鍵はヘレンが持っている。"),
            ],
            "unit": [
                ("道の長さは{n}メートルです。", "道の長さは{n}キロメートルです。"),
                ("小包の重さは{n}グラムです。", "小包の重さは{n}キログラムです。"),
            ],
        },
        (r"ます(?=。)", "ません"),
        "続きを読む",
        ["最終更新日：20{y}年{d}月{d}日", "閲覧数 {n}", "{d}/{n} ページ", "20{y}年{d}月{d}日公開"],
        [("、", "，"), ("。", "．"), ("(", "（"), (")", "）"), ("「", "『"), ("」", "』"), ("ー", "ｰ")],
    ),
    "zh": Language(
        {
            "number": [("名单上共有{n}个条目。", "名单上共有{m}个条目。")],
            "amount": [
                ("门票的价格是{n}元。", "门票的价格是{m}元。"),
                ("十二名委员投了赞成票。", "十四名委员投了赞成票。"),
                ("其中保存下来三百件。", "其中保存下来三千件。"),
            ],
            "negation": [
                ("参观者可以打开第二扇门。", "参观者不可以打开第二扇门。"),
                ("委员会已批准这项申请。", "委员会未批准这项申请。"),
                ("此功能能够使用。", "此功能无法使用。"),
            ],
            "name": [
                ("会议在上海举行。", "会议在广州举行。"),
                ("这份图纸由王建国绘制。", "这份图纸由李秀英绘制。"),
            ],
            "unit": [("这条路长{n}米。", "这条路长{n}公里。"), ("这个包裹重{n}克。", "这个包裹重{n}公斤。")],
        },
        (r"(?<![不未无没])(可以|能够|需要|会)(?=[^不])", r"不\1"),
        "阅读全文",
        ["最后更新：20{y}年{d}月{d}日", "{n} 次浏览", "第 {d} 页，共 {n} 页", "发布于20{y}年{d}月{d}日"],
        [("，", ","), ("。", "．"), ("（", "("), ("）", ")"), ("：", ":"), ("“", "「"), ("”", "」")],
    ),
}

STOPS = ".!?:;,…。！？：；，、।؟"
SENTENCE_END = re.compile(r"(?<=[.!?؟।])(?=\s)|(?<=[。！？])|\n+")
NUMBER = re.compile(r"(?<![\w.,:/-])\d{1,5}(?![\w.,:/-]*\d)(?!\])(?![A-Za-z])")
LETTERS = re.compile(r"[^\W\d_]{6,}")

Pair = tuple[str, str]


class Doc(NamedTuple):
    """A document of the corpus; `mate` is the other half of its pair."""

    doc_id: str
    text: str
    source: str
    language: str
    type: str
    operator: str
    mate: str | None


class NothingLeftError(Exception):
    """No piece of that length is left: there are fewer pairs then, never worse ones."""


class Supply:
    """Pieces of the pages of a language, each handed out once."""

    def __init__(self, pages: list[str], language: str, rng: Random) -> None:
        self.pages, self.rng = pages, rng
        self.scale = DENSITY.get(language, 1.0)
        self.seen: set[str] = set()
        self.used: set[int] = set()
        self.rest: dict[int, list[str]] = {}
        self.order = [*range(len(pages))]
        rng.shuffle(self.order)

    def take(self, size: tuple[int, int]) -> str:
        """The next sentences of a page that are so long together, as far as they stand in no other piece."""
        low, high = int(size[0] * self.scale), int(size[1] * self.scale)
        goal = self.rng.randint(low, (low + high) // 2)
        for at in self.order:
            rest = self.rest.setdefault(at, [piece for piece in SENTENCE_END.split(self.pages[at]) if piece.strip()])
            if sum(map(len, rest)) < goal:
                continue
            drawn: list[str] = []
            while rest and sum(map(len, drawn)) < goal:
                sentence = rest.pop(0).strip()
                if plain(sentence) not in self.seen:
                    drawn.append(sentence)
                    self.seen.add(plain(sentence))
            text = joined(drawn)
            if low <= len(text) <= high:
                self.used.add(at)
                self.order.remove(at)
                self.order.append(at)
                return text
        raise NothingLeftError


def joined(sentences: list[str]) -> str:
    """Sentences as a text: those that end as such run on, headings stand alone."""
    text = ""
    for sentence in sentences:
        gap = (
            "" if text.endswith(("。", "！", "？")) else " " if text.endswith((".", "!", "?", "؟", "।", ":")) else "\n"
        )
        text += (gap if text else "") + sentence
    return text


class Maker:
    """Operators on the texts of one language; `rng` and `material` are of that language."""

    def __init__(self, language: str, pages: list[str], titles: list[str], material: Material, rng: Random) -> None:
        self.name, self.known = language, LANGUAGES[language]
        self.titles, self.material, self.rng = titles, material, rng
        self.supply = Supply(pages, language, rng)
        sizes = range(5, 10)
        self.sites = [tuple("\n".join(rng.sample(titles, size)) for size in rng.sample(sizes, 2)) for _ in range(SITES)]

    def local(self, number: int) -> str:
        """A number in the digits of the language."""
        zero = ord(self.known.zero)
        return "".join(chr(zero + int(digit)) for digit in str(number))

    def stamp(self, form: str) -> str:
        drawn = {"n": self.rng.randint(31, 990), "y": self.rng.randint(10, 25)}
        return re.sub(r"\{(\w)\}", lambda m: str(drawn.get(m[1]) or self.rng.randint(1, 12)), form)

    def page(self, text: str) -> str:
        """A text in the frame of one of a few sites, which the other pages of that site have, too."""
        above, below = self.rng.choice(self.sites)
        return f"{above}\n\n{text}\n\n{below}"

    # --- duplicates ---

    def framed(self, text: str) -> tuple[str, Pair]:
        """One content, bare or on the page of one site, and on that of another."""
        page = self.page(text)
        other = self.page(text) if self.rng.random() < 0.4 else text
        return "frame", (other if other != page else text, page)

    def edited(self, text: str) -> tuple[str, Pair]:
        """The same text in other lines, typography, spelling or with another stamp."""
        name = self.rng.choice(["layout", "quotes", "dashes", "respelt", "composed", "wide", "stamp", "stamp"])
        return name, getattr(self, f"_{name}")(text)

    def _layout(self, text: str) -> Pair:
        other = EDITS[self.rng.choice(["reflow", "space"])].change(text, self.material, self.rng)
        if other == text or self.name in DENSITY:
            width = self.rng.randint(24, 44)
            other = "\n".join(text[at : at + width] for at in range(0, len(text), width))
        return text, other

    def _quotes(self, text: str) -> Pair:
        other = EDITS["quotes"].change(text, self.material, self.rng)
        return (text, other) if other != text else self._layout(text)

    def _dashes(self, text: str) -> Pair:
        other = EDITS["dashes"].change(text, self.material, self.rng)
        return (text, other) if other != text else self._stamp(text)

    def _respelt(self, text: str) -> Pair:
        other = text
        for old, new in self.known.respelt:
            other = other.replace(old, new)
        return text, other

    def _composed(self, text: str) -> Pair:
        return text, f"{unicodedata.normalize('NFD', text)}\n\n{self.stamp(self.known.stamps[0])}"

    def _wide(self, text: str) -> Pair:
        """Letters and digits of ASCII in full width, as East Asian keyboards write them."""
        wide = {code: code + 0xFEE0 for code in range(0x30, 0x7B) if chr(code).isalnum()}
        other = text.translate(wide) if self.name in DENSITY else text.replace(" ", "\u00a0", 5)
        return text, f"{other}\n\n{self.stamp(self.known.stamps[1])}"

    def _stamp(self, text: str) -> Pair:
        form = self.rng.choice(self.known.stamps)
        one, other = self.stamp(form), self.stamp(form)
        return (f"{one}\n\n{text}", f"{other}\n\n{text}") if self.rng.random() < 0.5 else (text, f"{text}\n\n{other}")

    def decorated(self, text: str) -> tuple[str, Pair]:
        """A short text with what is put around it, or with a slip."""
        known = ["emoji", "marks", "tag", "more", "trail", "forward", "link", "respelt", "apart", "slip", "held"]
        known = [name for name in known if name not in ("slip", "held") or self.name not in (*DENSITY, "hi", "ar")]
        name = self.rng.choice(known)
        return name, (text, self._decoration(name, text))

    def _decoration(self, name: str, text: str) -> str:
        rng, title = self.rng, self.rng.choice(self.titles)
        word = max(re.findall(r"[^\W\d_]+", title), key=len)[:12]
        if name == "emoji":
            return f"{rng.choice(EMOJI)} {text} {rng.choice(EMOJI)}{rng.choice(EMOJI)}"
        if name == "marks":
            before, behind = rng.choice([("*** ", " ***"), (">> ", " <<"), ("【", "】"), ("★ ", " ★"), ("«", "»")])
            return f"{before}{text}{behind}"
        if name == "tag":
            return f"{text} #{word}" if rng.random() < 0.5 else f"#{word} {text}"
        if name == "more":
            return f"{text}{rng.choice([' ', ' … ', chr(10)])}{self.known.more}"
        if name == "trail":
            return (
                " > ".join(rng.sample([one for one in self.titles if len(one) < 30 and not re.search(r"\d", one)], 2))
                + f"\n{text}"
            )
        if name == "forward":
            return f"RT @kamori: {text}"
        if name == "link":
            return f"{text} https://t.co/{rng.getrandbits(40):x}"
        if name == "respelt":
            return self._respelt(text)[1]
        if name == "apart":
            words = list(text) if self.name in DENSITY else text.split(" ")
            return ("  " if self.name not in DENSITY else " ").join(words)
        found = list(LETTERS.finditer(text))
        if not found:
            return f"{text} {rng.choice(EMOJI)}"
        at = (one := rng.choice(found)).start() + rng.randint(2, len(one[0]) - 3)
        if name == "held":
            return text[:at] + text[at] * 3 + text[at:]
        return text[:at] + text[at + 1] + text[at] + text[at + 2 :]

    def contained(self, at: int) -> tuple[str, Pair]:
        """A text and some of its sentences: of a page, few of a page, few of a short text."""
        name = ("excerpt", "snippet", "short")[at % 3]
        parent = self.supply.take(PARENT if name == "short" else LONG)
        pieces = [piece.strip() for piece in SENTENCE_END.split(parent) if piece.strip()]
        share = {"excerpt": self.rng.uniform(0.3, 0.7), "snippet": 0.0, "short": 0.45}[name]
        goal = max(share * len(parent), 90 * self.supply.scale)
        starts = [at for at in range(len(pieces)) if sum(map(len, pieces[at:])) >= goal]
        start = self.rng.choice(starts)
        size = 1
        while sum(map(len, pieces[start : start + size])) < goal:
            size += 1
        child = joined(pieces[start : start + size])
        if len(child) > MOST * len(parent):
            raise NothingLeftError
        return name, (parent, child)

    # --- look-alikes ---

    def changed(self, at: int) -> tuple[str, Pair]:
        """A text, long or short, and the same with one fact changed, left out or put in."""
        name = ("number", "amount", "negation", "name", "unit")[at % 5]
        long = at % 2 == 0
        text = self.supply.take(LONG if long else (60, 240))
        found = self._natural(name, text) if self.rng.random() < 0.5 else None
        if found:
            return f"{name}, {'long' if long else 'short'}", found
        old, new = self.rng.choice(self.known.planted[name])
        n, m = self.rng.sample(range(11, 980), 2)
        old, new = (one.replace("{n}", self.local(n)).replace("{m}", self.local(m)) for one in (old, new))
        ends = [found.end() for found in SENTENCE_END.finditer(text) if not found[0]] or [len(text)]
        cut, gap = self.rng.choice(ends), "" if self.name in DENSITY else " "
        one, other = (f"{text[:cut]}{gap}{fact}{text[cut:]}".strip() for fact in (old, new))
        return f"{name}, {'long' if long else 'short'}", (one, other)

    def _natural(self, name: str, text: str) -> Pair | None:
        if name == "negation":
            found = list(re.finditer(self.known.denied[0], text))
            if found:
                chosen = self.rng.choice(found)
                pair = (text, text[: chosen.start()] + chosen.expand(self.known.denied[1]) + text[chosen.end() :])
                return pair if self.rng.random() < 0.5 else pair[::-1]
        if name == "number":
            inner = [one for one in NUMBER.finditer(text) if text[: one.start()].rpartition("\n")[2].strip()]
            if inner:
                chosen = self.rng.choice(inner)
                new = int(chosen[0]) + self.rng.randint(1, 9)
                return text, text[: chosen.start()] + str(new) + text[chosen.end() :]
        return None


def grams(text: str) -> set[str]:
    """Pieces of six characters, blanks left out."""
    bare = re.sub(r"[\W_]+", "", plain(text))
    return {bare[at : at + 6] for at in range(len(bare) - 5)}


def siblings(material: Material, wanted: int) -> Iterator[tuple[int, int]]:
    """Neighbouring pages of one template: much wording in common, and much that each has to itself."""
    used: set[int] = set()
    for document, near in material.neighbours.items():
        for other, of_one, of_other in near:
            if document in used or other in used or not SIBLINGS[0] <= min(of_one, of_other) <= SIBLINGS[1]:
                continue
            one, two = grams(material.texts[document]), grams(material.texts[other])
            if (
                min(len(one), len(two)) < SIBLING
                or min(len(one - two) / max(len(one), 1), len(two - one) / max(len(two), 1)) < OWN
            ):
                continue
            used |= {document, other}
            yield document, other
            if len(used) >= 2 * wanted:
                return


def make(texts: pl.DataFrame, each: int, seed: int) -> pl.DataFrame:
    """The corpus of all languages, in the columns of `Doc`."""
    docs: list[Doc] = []
    for language in LANGUAGES:
        own = texts.filter(pl.col("language") == language)
        if own.height:
            docs += of_language(language, own["text"].to_list(), each, Random(f"{seed}/{language}"))
    Random(seed).shuffle(docs)
    return pl.DataFrame(docs, schema=list(Doc._fields), orient="row")


def of_language(language: str, pages: list[str], each: int, rng: Random) -> list[Doc]:
    """Pairs and background of one language."""
    material = gather(pl.Series(pages), rng.getrandbits(30))
    found = list(siblings(material, each // 6))
    paired = {page for pair in found for page in pair}
    near = {page for page, others in material.neighbours.items() if any(max(one[1:]) > 0.3 for one in others)}
    apart = [text for at, text in enumerate(material.texts) if at not in paired | near]
    heads = dict.fromkeys(text.split("\n", 1)[0].strip() for text in material.texts)
    titles = [one for one in heads if len(one) <= 70 and re.search(r"[^\W\d_]{2}", one) and one[-1] not in STOPS]
    maker = Maker(language, apart, titles, material, rng)
    made: list[tuple[str, str, Pair]] = []
    duplicates: dict[str, Callable[[int], tuple[str, Pair]]] = {
        "A": lambda at: maker.framed(maker.supply.take(LONG)),
        "B": lambda at: maker.edited(maker.supply.take(LONG)),
        "C": lambda at: maker.decorated(maker.supply.take(SHORT)),
        "D": lambda at: maker.contained(at // 4),
    }
    made += [("F", "sibling", (material.texts[one], material.texts[two])) for one, two in found]
    for at in range(each):
        with suppress(NothingLeftError):
            made.append((kind := "ABCD"[at % 4], *duplicates[kind](at)))
        with suppress(NothingLeftError):
            made += [("F", *maker.changed(at))] * (at + len(found) < each)
    docs = []
    for at, (kind, operator, (one, other)) in enumerate(made):
        if plain(one) == plain(other):
            continue
        ids = f"{language}/{at}/0", f"{language}/{at}/1"
        docs += [
            Doc(ids[side], (one, other)[side], language, language, kind, operator, ids[1 - side]) for side in (0, 1)
        ]
    rest = [text for at, text in enumerate(maker.supply.pages) if at not in maker.supply.used]
    rest = [text for text in rest if len(text) >= SHORT[1] * maker.supply.scale][:BACKGROUND]
    named = enumerate(rest)
    return docs + [Doc(f"{language}/rest/{at}", text, language, language, "background", "", None) for at, text in named]


def in_traditional(corpus: pl.DataFrame, configuration: str) -> pl.DataFrame:
    """The corpus, the second text of every pair in zh as a configuration of OpenCC writes it."""
    from opencc import OpenCC

    texts = corpus["text"].map_elements(OpenCC(configuration).convert, pl.String)
    second = (pl.col("language") == "zh") & pl.col("doc_id").str.contains(r"^\w+/\d+/1$")
    return corpus.with_columns(text=pl.when(second).then(texts).otherwise("text"))


def curated(corpus: pl.DataFrame, out: Path) -> Path:
    """The run over the corpus, with default settings; a gate that refuses it is not asked."""
    corpus.write_parquet(out / "corpus.parquet")
    command = [
        sys.executable, "-m", "flows", "curate", str(out / "corpus.parquet"), "--out", str(out / "run"),
        "--set", "extract.id_column=doc_id", "--set", "extract.source_column=source", "--set", "gate.canaries=false",
        "--set", "gate.max_source_content_lost=1", "--set", "gate.max_content_lost=1", "--set", "gate.max_runs_lost=1",
    ]  # fmt: skip
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=Path(__file__).resolve().parents[3])
    return out / "run"


def fates(corpus: pl.DataFrame, run: Path) -> pl.DataFrame:
    """Pairs with `found`: did a side go in favour of the other, or both of a third; `gone`: did one go; background."""
    decided = pl.read_parquet(run / "current" / "decisions" / "*.parquet")
    survivor = dict(decided.filter(pl.col("action") == "remove").select("doc_id", "survivor_id").iter_rows())
    fate = corpus.with_columns(survivor=pl.Series([survivor.get(one) for one in corpus["doc_id"]], dtype=pl.String))
    fate = fate.with_columns(
        found=(pl.col("survivor") == pl.col("mate")).fill_null(False), gone=pl.col("survivor").is_not_null()
    )
    pair = pl.coalesce(pl.col("doc_id").str.extract(r"^(\w+/\d+)/[01]$"), "doc_id")
    return fate.group_by("language", "type", "operator", pair=pair).agg(
        found=pl.col("found").any() | pl.col("gone").all(), gone=pl.col("gone").any()
    )


def known(texts: pl.DataFrame) -> str:
    """Share of the words of each language that have a vector of their own in the shipped student."""
    own = load().student.words
    shares = {}
    for (language,), part in texts.sort("language").group_by("language", maintain_order=True):
        hashes = split_words(normalise(part["text"])).hash
        shares[language] = np.isin(hashes, own).mean()
    return "Words with a vector of their own: " + ", ".join(f"{one} {part:.2f}" for one, part in shares.items()) + "\n"


def table(pairs: pl.DataFrame) -> str:
    """Recall by type, look-alikes and background removed, by language; then by operator."""
    lines = ["| language | A | B | C | D | A to D | look-alikes removed | background removed |", "| --- " * 8 + "|"]
    for language in [*pairs["language"].unique().sort(), None]:
        own = pairs if language is None else pairs.filter(pl.col("language") == language)
        cells = [share(own.filter(pl.col("type") == kind), "found") for kind in "ABCD"]
        cells += [share(own.filter(pl.col("type").is_in([*"ABCD"])), "found")]
        cells += [share(own.filter(pl.col("type") == kind), "gone") for kind in ("F", "background")]
        lines.append(f"| {language or '**all**'} | " + " | ".join(cells) + " |")
    columns = [*pairs["language"].unique().sort()]
    lines += ["", "| type | operator | all | " + " | ".join(columns) + " |", "| --- " * (3 + len(columns)) + "|"]
    kinds = pairs.filter(pl.col("type") != "background").select("type", "operator").unique().sort("type", "operator")
    for kind, operator in kinds.iter_rows():
        own = pairs.filter(pl.col("type") == kind, pl.col("operator") == operator)
        what = "gone" if kind == "F" else "found"
        cells = [share(own, what), *(share(own.filter(pl.col("language") == one), what) for one in columns)]
        lines.append(f"| {kind} | {operator} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def share(part: pl.DataFrame, what: str) -> str:
    return f"{part[what].sum()}/{part.height}" if part.height else ""


def main() -> None:
    """Make the corpus, curate it and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--each", type=int, default=50, help="duplicates, and look-alikes, of every language")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--traditional", metavar="CONFIGURATION", help="of OpenCC: s2tw, s2hk, s2twp (with phrases)")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    texts = pl.read_parquet(options.texts)
    corpus = make(texts, options.each, options.seed)
    if options.traditional:
        corpus = in_traditional(corpus, options.traditional)
    pairs = fates(corpus, curated(corpus, options.out))
    pairs.write_parquet(options.out / "pairs.parquet")
    page = f"{table(pairs)}\n{known(texts)}"
    (options.out / "languages.md").write_text(page)
    sys.stdout.write(page)


if __name__ == "__main__":
    main()
