"""One exchanged fact makes another record of a text of any length; what is volatile by nature may differ."""

import re

import numpy as np
import polars as pl
import pytest

from models.decision.evidence.facts.lexicon import SPOKEN, exclude, lexicon
from models.decision.evidence.facts.signs import signs
from models.decision.evidence.page_edges.stamp_lines import MOST_WORDS
from models.decision.rules.measures import measure
from models.decision.rules.verdict import with_verdicts
from models.lexical.text import normalise, split_words
from models.parameters import Parameters
from tests.models.decision.evidence.test_own_content import ARTICLE
from tests.models.decision.evidence.test_own_content import compared as ruled
from tests.models.decision.evidence.test_pair_evidence import NEWS, OTHER_NEWS, compared

GERMAN = (
    "Der Rat der Stadt hat am Abend beschlossen, die alte Brücke am Hafen zu erneuern und für Fußgänger zu öffnen. "
    "Nach Angaben der Verwaltung soll der Umbau im Frühjahr beginnen und von einer Firma aus Bremen geleitet werden. "
    "Die Anwohner fürchten den Lärm der Maschinen, doch die Mehrheit der Vereine begrüßt den Plan des Bürgermeisters. "
)
RULES = Parameters().with_settings(["verify.decider=rules"])
LONG = NEWS * 3 + OTHER_NEWS * 3


def both(a, b, df=None):
    """Evidence on a pair, the same in both directions."""
    one, other = compared(a, b, df), compared(b, a, df)
    assert (one["other_facts"], one["volatile"]) == (other["other_facts"], other["volatile"])
    return one


def within(text, line):
    """A text with a sentence of its own in the middle."""
    half = text.index(". ", len(text) // 2) + 2
    return f"{text[:half]}{line} {text[half:]}"


CHANGED = [
    ("It closes at 6 pm.", "It closes at 7 pm."),
    ("It holds two hundred guests.", "It holds three hundred guests."),
    ("It holds 40 litres.", "It holds 40 gallons."),
    ("It costs $40 a night.", "It costs €40 a night."),
    ("It costs 40 million a year.", "It costs 40 billion a year."),
    ("The dose is 5 mg per day.", "The dose is 5 mg per week."),
    ("They met on 3 May 1921 there.", "They met on 3 June 1921 there."),
    ("They met on a Monday there.", "They met on a Friday there."),
    ("It needs version 3.1.4 now.", "It needs version 3.1.5 now."),
    ("The lens fits the M200 body.", "The lens fits the M300 body."),
    ("It was painted by Anna Marchetti there.", "It was painted by Paula Lindqvist there."),
    ("It is allowed to swim.", "It is not allowed to swim."),
    ("You can swim in it.", "You can't swim in it."),
    ("He has always paid for it.", "He has never paid for it."),
    ("Settlers can do some of the same work.", "Settlers can do most of the same work."),
    ("Each of the doors was closed that evening.", "Some of the doors was closed that evening."),
    ("It is safe to drink.", "It is unsafe to drink."),
    ("It reads all of it synchronously.", "It reads all of it asynchronously."),
    ("The pump was activated at noon.", "The pump was deactivated at noon."),
    ("It must hold more than that.", "It must hold less than that."),
    ("It must be paid at once.", "It may be paid at once."),
    ("They will show it to the town.", "They did show it to the town."),
    ("The pier will be closed at noon.", "The pier was closed at noon."),
    ("The pier has been closed at noon.", "The pier will have been closed at noon."),
    ("The line is 0.05 points thick.", "The line is 0.5 points thick."),
    ("The rate rose to 1.05 in all.", "The rate rose to 1.5 in all."),
    ("It stops if (count === 0) { return 1 }.", "It stops if (count !== 0) { return 1 }."),
    ("It returns one !== other in all.", "It returns one === other in all."),
    ("Each row holds its name.", "One row holds its name."),
    ("Set the option to true here.", "Set the option to false here."),
    ("It is open to members.", "It is only open to members."),
    ("It is under version 2 or later of it.", "It is under version 2 of it."),
    ("It is under GPL-2.0 in all.", "It is under GPL-2.0+ in all."),
    ("It is written in C for speed.", "It is written in C++ for speed."),
    ("It is written in C for speed.", "It is written in C# for speed."),
    ("It stops if x >= 3 holds.", "It stops if x <= 3 holds."),
    ('It reads rows parted by ";" in all.', 'It reads rows parted by "," in all.'),
    ("Call it with (sep=';') to do so.", "Call it with (sep='|') to do so."),
    ("The passengers of gate A wait at the quay.", "The passengers of gate B wait at the quay."),
    ("It is made for C++ and for boats.", "It is made for Linux and for boats."),
    ("They read the C library at noon.", "They read the Perl library at noon."),
    ('He calls it with "-P" before the hull.', 'He calls it with "-f" before the hull.'),
    ("Her brother wrote it that night.", "Her mother wrote it that night."),
    ("The lowest was -5 degrees there.", "The lowest was 5 degrees there."),
    ("Set max_connections to some value.", "Set max_workers to some value."),
    ("Call str.find to get it.", "Call str.index to get it."),
    ("Run it with --force to do so.", "Run it with --quiet to do so."),
    ("Read getName for the details.", "Read setOwner for the details."),
    ("Install stubs[connect] to do so.", "Install stubs[lambda] to do so."),
    ("Pass `'auto'` to do so.", "Pass `'unspecified'` to do so."),
    ("They sailed north for a week.", "They sailed south for a week."),
    ("It fed 300 families of the town.", "It fed 300 people of the town."),
    ("The price is 9 percent higher there.", "The price is 9 times higher there."),
    ("It was a two-day trip to the coast.", "It was a two-night trip to the coast."),
    ("He gave more than 5 of them away.", "He gave up to 5 of them away."),
    ("It speaks IPv6 to all of them.", "It speaks IPv9 to all of them."),
]


@pytest.mark.parametrize("text", [NEWS, LONG], ids=["short", "long"])
@pytest.mark.parametrize(("a", "b"), CHANGED)
def test_one_exchanged_fact_counts_at_any_length(text, a, b):
    found = both(within(text, a), within(text, b))
    assert found["other_facts"] >= 1, "no fact seen"
    assert both(within(text, a), within(text, a))["other_facts"] == 0


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Das ist ein Fehler der Stadt.", "Das ist kein Fehler der Stadt."),
        ("Der Weg ist 5 Kilometer lang.", "Der Weg ist 5 Meter lang."),
        ("Das Amt liegt in Bremen selbst.", "Das Amt liegt in Hamburg selbst."),
        ("Der Eintritt ist höher als sonst.", "Der Eintritt ist niedriger als sonst."),
        ("Der Verein darf dort bauen.", "Der Verein darf dort nicht bauen."),
    ],
)
def test_german_facts(a, b):
    assert both(within(GERMAN, a), within(GERMAN, b))["other_facts"] >= 1


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Dom ma trzy okna od ulicy.", "Dom ma cztery okna od ulicy."),
        ("Ten plik jest większy od innych.", "Ten plik jest mniejszy od innych."),
        ("Soubor lze otevřít v neděli.", "Soubor lze otevřít v pátek."),
        ("Přístup je povolen všem hostům.", "Přístup je zakázán všem hostům."),
        ("Huset har fyra fönster mot gatan.", "Huset har fem fönster mot gatan."),
        ("Du kan ændre det i januar.", "Du kan ændre det i marts."),
        ("Evin üç penceresi var.", "Evin dört penceresi var."),
        ("Bu dosya değiştirilmiştir.", "Bu dosya değiştirilmiş değil."),
        ("Будинок має чотири вікна.", "Будинок має шість вікна."),
        ("Доступ дозволено всім гостям.", "Доступ заборонено всім гостям."),
        ("Talossa on neljä ikkunaa.", "Talossa on viisi ikkunaa."),
        ("A ház négy ablaka az utcára néz.", "A ház három ablaka az utcára néz."),
        ("Casa are patru ferestre la stradă.", "Casa are cinci ferestre la stradă."),
        ("Το σπίτι έχει τρία παράθυρα.", "Το σπίτι έχει πέντε παράθυρα."),
        ("خانه چهار پنجره دارد.", "خانه پنج پنجره دارد."),
        ("בבית יש ארבעה חלונות.", "בבית יש חמישה חלונות."),
        ("Ngôi nhà có bốn cửa sổ.", "Ngôi nhà có tám cửa sổ."),
        ("Rumah itu punya tiga jendela.", "Rumah itu punya empat jendela."),
        ("집에는 창문이 다섯 개 있다.", "집에는 창문이 여섯 개 있다."),
        ("문은 항상 열려 있다.", "문은 가끔 열려 있다."),
        ("ไฟล์นี้เปิดได้", "ไฟล์นี้เปิดไม่ได้"),
        ("Kuća ima četiri prozora.", "Kuća ima osam prozora."),
        ("Кућа има четири прозора.", "Кућа има осам прозора."),
        ("Къщата има четири прозореца.", "Къщата има осем прозореца."),
        ("La casa té quatre finestres.", "La casa té vuit finestres."),
        ("বাড়িটির চারটি জানালা আছে।", "বাড়িটির পাঁচটি জানালা আছে।"),
        ("Zamknij drzwi przed burzą.", "Zamknij drzwi po burzą."),
        ("Datang sebelum libur panjang.", "Datang setelah libur panjang."),
    ],
)
def test_facts_in_other_languages(a, b):
    assert both(within(NEWS, a), within(NEWS, b))["other_facts"] >= 1


def test_german_endings_make_no_other_name():
    assert (
        both(within(GERMAN, "Das Ziel des Vereins ist klar."), within(GERMAN, "Das Ziel des Verein ist klar."))[
            "other_facts"
        ]
        == 0
    )


CHINESE = "会议将于明天在大礼堂举行，届时将有许多代表参加，讨论城市交通和住房的问题。主席宣布开会以后，代表们开始发言。"
TRADITIONAL = (
    "會議將於明天在大禮堂舉行，屆時將有許多代表參加，討論城市交通和住房的問題。主席宣布開會以後，代表們開始發言。"
)
JAPANESE = "彼は毎朝早く起きて、駅まで歩いてから会社に行く。昼には公園で弁当を食べ、夜は家で本を読む。"
RUSSIAN = (
    "Город объявил, что старый мост откроют весной для пешеходов и что работы в большом порту начнутся очень скоро. "
)
HINDI = "नगर ने घोषणा की है कि पुराना पुल वसंत में पैदल यात्रियों के लिए खुलेगा और बड़े बंदरगाह में काम जल्दी शुरू होगा। "
ARABIC = "أعلنت المدينة أن الجسر القديم سوف يفتح أمام المشاة في الربيع وأن العمل يبدأ قريبا في الميناء الكبير. "


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (CHINESE + "他们可以进去。", CHINESE + "他们不可以进去。"),
        (CHINESE + "他来自上海。", CHINESE + "他来自广州。"),
        (CHINESE + "共有五个人。", CHINESE + "共有八个人。"),
        (JAPANESE + "彼は肉を食べる。", JAPANESE + "彼は肉を食べない。"),
        (JAPANESE + "彼は東京に行きます。", JAPANESE + "彼は東京に行きません。"),
        (JAPANESE + "道は五メートルだ。", JAPANESE + "道は五キロメートルだ。"),
        (JAPANESE + "ドアは閉めておく。", JAPANESE + "ドアは閉めずにおく。"),
        (CHINESE + "共有五十人，见https://a.org/index.html。", CHINESE + "共有六十人，见https://a.org/index.html。"),
        (CHINESE + "道长五米。", CHINESE + "道长五毫米。"),
        (CHINESE + "可以进入大厅。", CHINESE + "严禁进入大厅。"),
        (CHINESE + "可以进入大厅。", TRADITIONAL + "嚴禁進入大廳。"),
        (CHINESE + "他们来自东门。", TRADITIONAL + "他們來自西門。"),
        (CHINESE + "共有两万人。", TRADITIONAL + "共有三萬人。"),
        (HINDI + "यह यहाँ की एक भूल है।", HINDI + "यह यहाँ की एक भूल नहीं है।"),
        (HINDI + "बारह लोग वहाँ आए थे।", HINDI + "चौदह लोग वहाँ आए थे।"),
        (HINDI + "वहाँ २४० लोग आए थे।", HINDI + "वहाँ ४२८ लोग आए थे।"),
        (RUSSIAN + "Дорога имеет пять метров длины.", RUSSIAN + "Дорога имеет пять километров длины."),
        (RUSSIAN + "Посылка весит пять граммов там.", RUSSIAN + "Посылка весит пять килограммов там."),
        (GERMAN + "Davon sind einundzwanzig erhalten.", GERMAN + "Davon sind sechsunddreißig erhalten."),
        (ARABIC + "يعمل في القاهرة منذ زمن.", ARABIC + "يعمل في بغداد منذ زمن."),
        (ARABIC + "هذا ممكن اليوم هنا.", ARABIC + "هذا غير ممكن اليوم هنا."),
        (ARABIC + "عددهم ٥٠ رجلا في البلد.", ARABIC + "عددهم ٦٠ رجلا في البلد."),
    ],
)
def test_facts_in_scripts_without_capitals(a, b):
    assert both(a, b)["other_facts"] >= 1


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (CHINESE + "共有两万人，严禁进入。", TRADITIONAL + "共有兩萬人，嚴禁進入。"),
        (JAPANESE + "内容を読む。", JAPANESE + "内容を読み。"),
        (JAPANESE + "コンピュータを使う。", JAPANESE + "コンピューターを使う。"),
        (JAPANESE + "紙のような物だ。", JAPANESE + "紙のよう物だ。"),
        (HINDI + "वहाँ ५० लोग आए थे।", HINDI + "वहाँ 50 लोग आए थे।"),
        (HINDI + "यह ज़रूरी पाँच बात है।", HINDI + "यह जरूरी पांच बात है।"),
        (GERMAN + "Am Abend kam Frau Müller dazu.", GERMAN + "Am Abend kam Frau Mueller dazu."),
        (ARABIC + "عددهم ٥٠ رجلا في البلد.", ARABIC + "عددهم 50 رجلا في البلد."),
        (ARABIC + "قال أحمد ذلك في البلد.", ARABIC + "قال احمد ذلك في البلد."),
        (NEWS + "It cost 1,000 pounds.", NEWS + "It cost 1000 pounds."),
        (NEWS + "“It’s well‑known,” he said.", NEWS + '"It\'s well-known," he said.'),
        (NEWS + "They came on 3 May 1921 then.", NEWS + "They came on May 3, 1921 then."),
        (NEWS + "They came on 03 May 1921 then.", NEWS + "They came on 3rd May 1921 then."),
        (NEWS + "There were five of them.", NEWS + "There were 5 of them."),
        (NEWS + "A share of 5 % was kept.", NEWS + "A share of 5% was kept."),
        (NEWS + "A share of 5 percent was kept.", NEWS + "A share of 5% was kept."),
        (NEWS + "It needs version 2.0 now.", NEWS + "It needs version 2 now."),
        (NEWS + "He cannot come to it.", NEWS + "He can not come to it."),
        (NEWS + "He can't come to it.", NEWS + "He cannot come to it."),
        (NEWS + "The oﬃce ﬁled it all.", NEWS + "The office filed it all."),
        (NEWS + "He noted that [12] before.", NEWS + "He noted that before."),
        (NEWS + "See https://a.example/x/3 for it.", NEWS + "See https://b.example/y/4 for it."),
        (NEWS + "Some more text followed it.", NEWS + "Some further text followed it."),
        (NEWS + "It was quite good.", NEWS + "it was QUITE good."),
        (NEWS + "They had 10 temperature sensors there.", NEWS + "They had 10 temperatue sensors there."),
        (NEWS + "It takes 10 min of your time.", NEWS + "It takes 10 minutes of your time."),
        (NEWS + "In 1921 painters came to it.", NEWS + "In 1921 artists came to it."),
        (NEWS + "They came on 3 May 1921 then.", NEWS + "They came on 1921-05-03 then."),
        (NEWS + "They came on May 3, 1921 then.", NEWS + "They came on 03.05.1921 then."),
        (NEWS + "Many fruits, for example pears, grow.", NEWS + "Many fruits, e.g. pears, grow."),
        (NEWS + "As [#17](https://a.example/x/17) says, it is.", NEWS + "As #17 says, it is."),
        (NEWS + "See [the Guide](../all/the_Guide_2.md) for it.", NEWS + "See the Guide for it."),
        (NEWS + "Ask anna.b@mail.example.org for it.", NEWS + "Ask [email protected] for it."),
        (NEWS + "Ask Anna <a.b2@mail.example.org> for it.", NEWS + "Ask Anna for it."),
    ],
)
def test_typography_and_wording_are_no_facts(a, b):
    assert both(a, b)["other_facts"] == 0


def test_a_misspelt_fact_is_none():
    seen = {"febuary": 1, "harringtom": 1, "nto": 1, "austraha": 1, "fwo": 1, "nof": 1}
    pairs = [("February", "Febuary"), ("Harrington", "Harringtom"), ("Australia", "Austraha"), ("two", "fwo")]
    for a, b in [*pairs, ("is not so", "is nto so"), ("is not so", "is nof so")]:
        text = "They say that Mr {} was with them in the town." if "so" not in a else "They say that it {} in the town."
        assert both(NEWS + text.format(a), NEWS + text.format(b), seen)["other_facts"] == 0
    assert both(NEWS + "It was Anders Petersen of Oslo.", NEWS + "It was Anders Peterson of Oslo.")["other_facts"] == 1


@pytest.mark.parametrize(("written", "read", "facts"), [("library", "li6rary", 0), ("panels", "panel2", 1)])
def test_a_digit_that_a_scanner_read_for_a_letter_within_a_word_is_no_number(written, read, facts):
    a, b = (within(NEWS, f"It was read in the {word} of the town by all of them.") for word in (written, read))
    assert both(a, b, {written: 100, read: 1})["other_facts"] == facts


def test_a_fact_in_a_line_of_wrapped_text_counts():
    wrapped = (
        "This page is free; you can pass it on\nunder the terms of the licence\nin version {}, or at will\nany later.\n"
    )
    assert both(wrapped.format(2) + NEWS, wrapped.format(3) + NEWS)["other_facts"] >= 1


@pytest.mark.parametrize(
    ("a", "b", "facts"),
    [
        ("Linden Public License\n", "Harbour Public License\nVersion 1\nAs written by the council of the town\n", 1),
        ("Common Works\nPublic Share-Alike 1.0\n", "Public Share-Noncommercial 1.0\n", 1),
        ("Public Share-Noncommercial-Alike\n", "Public Share-Alike\n", 1),
        ("Share-Noncommercial 1.0\n", "Common Works\nShare 2.5\n", 1),
        ("Linden Public License\n", "Public License\n", 0),  # says less, and nothing else
        ("UpdateAccessSource\n\n", "GetAccessSource\n\n", 1),
        ("StopDetectionJob\n\n", "StopTargetedDetectionJob\n\n", 1),
        ("pthread_join\n\n", "pthread_create\n\n", 1),
        ("CloudVisionNounWord\n\n", "NounWord\n\n", 0),  # a name space in front
        ("Gazette Online\n", "Daily Planet\nSport and Weather\n", 0),  # frames of two sites
    ],
)
def test_titles_of_two_things_of_a_kind_are_facts(a, b, facts):
    assert min(1, both(a + LONG, b + LONG)["other_facts"]) == facts


def test_what_the_menus_of_two_sites_have_in_common_by_accident_tells_no_records_apart():
    line = "Ferries cross in {} minutes today\n"
    ours = f"Home\nForum\nBoats\n{line.format(12)}Members\nLog in\nSearch\nHelp\nWeather\nTides\nCharts\nMusic\nArt\n\n"
    theirs = (
        f"Photos\nCrew\n{line.format(31)}Languages\nShop\nCart\nJobs\nPress\nLegal\nVideos\nBooks\nPoems\nTravel\n\n"
    )
    assert both(ours + LONG, theirs + LONG)["other_facts"] == 0
    assert both(line.format(12) + LONG, line.format(31) + LONG)["other_facts"] == 1


@pytest.mark.parametrize(
    ("one", "other", "facts"),
    [
        ("Ctrl+Alt+F2", "Ctrl + Alt + F2", 0),
        ("**Ctrl**+**Alt**", "Ctrl+Alt", 0),
        ("C+ today", "C today", 1),
        ("C++ now", "C now", 1),
    ],
)
def test_a_plus_joins_keys_however_it_is_set(one, other, facts):
    text = "Press {} to open the console of the harbour, and read what its guide says on ferries and boats today. "
    assert both(text.format(one) + LONG, text.format(other) + LONG)["other_facts"] == facts


def test_a_title_that_stands_once_more_is_no_other_fact():
    title = "Chapter 10. Boats and the harbour "
    assert (
        both(3 * title + "Can I moor a boat here? " + LONG, 2 * title + "Can I moor a boat here? " + LONG)[
            "other_facts"
        ]
        == 0
    )
    other = "Chapter 11. Boats and the ferry "
    assert both(title + other + title + LONG, 2 * title + LONG)["other_facts"] > 0


def test_a_title_that_the_other_text_holds_elsewhere_is_no_other_title():
    assert (
        both("Linden Public License\n" + NEWS, f"Harbour Public License\n{OTHER_NEWS}\nLinden Public License\n{NEWS}")[
            "other_facts"
        ]
        == 0
    )


VOLATILE = [
    ("Posted on 3 May 2021 at 10:30", "Posted on 14 June 2022 at 8:05"),
    ("Published: 2021-05-03", "Published: 2022-06-14"),
    ("2021-05-03T12:30:00Z", "2022-06-14T08:05:11Z"),
    ("Mon, 3 May 2021 18:30 GMT", "Tue, 14 June 2022 08:05 GMT"),
    ("Last updated 3 May 2021", "Last updated 14 June 2022"),
    ("This page was last modified on 3 May 2021, at 10:30.", "This page was last modified on 4 June 2022, at 11:40."),
    ("Printed from intranet on 3 May 2021", "Printed from intranet on 14 June 2022"),
    ("Veröffentlicht am 3. Mai 2021", "Veröffentlicht am 14. Juni 2022"),
    ("Publié le 3 mai 2021", "Publié le 14 juin 2022"),
    ("By A. Smith | 24/6 | 2 min read", "By A. Smith | 3/11 | 7 min read"),
    ("5 minutes ago", "3 hours ago"),
    ("Updated 2 days ago", "Updated 5 days ago"),
    ("vor 5 Minuten", "vor 12 Minuten"),
    ("il y a 5 heures", "il y a 12 heures"),
    ("12 replies", "151 replies"),
    ("Views: 1,234", "Views: 2,345"),
    ("Comments (12)", "Comments (31)"),
    ("This page has been viewed 1,234 times", "This page has been viewed 2,345 times"),
    ("Page 3 of 7", "Page 4 of 9"),
    ("Seite 3 von 7", "Seite 4 von 9"),
    ("[Page 12]", "[Page 13]"),
    ("- 3 -", "- 4 -"),
    ("Session id: 8f3a9c1e77d24b5f", "Session id: 77aa9c1e77d24b00"),
    ("Request 123e4567-e89b-12d3-a456-426614174000", "Request 923e4567-e89b-12d3-a456-426614174999"),
    ("[msg-id: 7f3a91c2d4e5-123]", "[msg-id: 18c0e2aa91b7-456]"),
    ("[ref 4711]", "[ref 4823]"),
    ("Request id: k3x9q7z1w", "Request id: p8v2m5t0s"),
    ("© 2019 The Daily Planet", "© 2023 The Daily Planet"),
    ("Copyright (c) 2001-2019 The Daily Planet", "Copyright (c) 2001-2023 The Daily Planet"),
    ("(c) Daily Planet 2019", "(c) Daily Planet 2023"),
    ("The Daily Planet 2019, all rights reserved", "The Daily Planet 2023, all rights reserved"),
    ("Todos los derechos reservados 2019", "Todos los derechos reservados 2023"),
    ("[00:12:33]", "[00:14:07]"),
    ("[12:31] <anna>", "[14:05] <anna>"),
]


def test_what_ends_a_sentence_counts_before_the_number_of_the_next_line():
    shared = "You may lend it, read it and show it to others"
    for number in ("\n\n", "\n\n2. "):
        found = both(f"{NEWS}{shared} for schools only.{number}{OTHER_NEWS}", f"{NEWS}{shared}.\n\n{OTHER_NEWS}")
        assert found["other_facts"] == 1
    assert both(f"{NEWS}{shared}.\n5 comments\n{OTHER_NEWS}", f"{NEWS}{shared}.\n{OTHER_NEWS}")["other_facts"] == 0


def test_an_id_in_the_first_or_last_line_may_differ():
    page = "\n".join([NEWS] * (MOST_WORDS // len(NEWS.split()) + 1))
    one, other = "chunk 31 | 71e818cb", "chunk 7 | 9f02c11e"
    for form in ("{1}\n{0}", "{0}\n{1}"):
        assert both(form.format(page, one), form.format(page, other))["other_facts"] == 0
    amid = "{0}\n{1}\n{0}"
    assert both(amid.format(page, one), amid.format(page, other))["other_facts"] > 0


def test_the_number_of_a_page_amid_a_sentence_is_nothing_that_the_other_text_lacks():
    amid = "The keeper of the lighthouse wrote down every ship{} that passed in the night, and its name."
    assert both(within(LONG, amid.format("\n337\n")), within(LONG, amid.format("")))["other_facts"] == 0
    # Where both have one it may be what a tag made a line of its own: "has <b>337</b> inhabitants".
    assert both(within(LONG, amid.format("\n337\n")), within(LONG, amid.format("\n412\n")))["other_facts"] == 1


@pytest.mark.parametrize("place", ["before", "behind", "between"])
@pytest.mark.parametrize(("a", "b"), VOLATILE)
def test_volatile_places_may_differ(a, b, place):
    def page(line):
        if place == "between":
            return f"{long}\n{line}\n{OTHER_NEWS}"
        return f"{line}\n\n{long}" if place == "before" else f"{long}\n\n{line}"

    # Of shorter texts lines of stamps at either end are left out.
    long = "\n".join([NEWS] * (MOST_WORDS // len(NEWS.split()) + 1))
    found = both(page(a), page(b))
    assert found["other_facts"] == found["changed_facts"] == 0
    # A line that is nothing but a number is never in a sentence, and frames of messages are no part of a text.
    assert found["volatile"] >= 1 or a in ("- 3 -", "12 replies", "[12:31] <anna>")


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Bake it for 5 minutes at most.", "Bake it for 9 minutes at most."),
        ("The gates of it open at 18:30 sharp.", "The gates of it open at 19:30 sharp."),
        ("The firm was founded 20 years ago by a baker from the coast.",
         "The firm was founded 30 years ago by a baker from the coast."),
        ("The book was published in 1954 by a firm in London.", "The book was published in 1955 by a firm in London."),
        ("She wrote three replies to him, and he kept 12 letters of hers.",
         "She wrote three replies to him, and he kept 15 letters of hers."),
        ("For the proof of this lemma see page 12 of the second volume.",
         "For the proof of this lemma see page 13 of the second volume."),
        ("Its sha256 is 8f3a9c1e77d24b5f8f3a9c1e77d2 in all.", "Its sha256 is 77aa9c1e77d24b008f3a9c1e77d2 in all."),
        ("The treaty of 1954 ended the war between them.", "The treaty of 1955 ended the war between them."),
        ("The Civil Rights Act of 1964 forbade it.", "The Civil Rights Act of 1968 forbade it."),
        ("They had it until 1995 and hold all the landing rights.",
         "They had it until 2019 and hold all the landing rights."),
        ("The table was reserved in 2015 by them.", "The table was reserved in 2016 by them."),
        ("Whoever (c) sold a house before 2015 pays less.", "Whoever (c) sold a house before 2016 pays less."),
        ("Order it by quoting ref 4711 to us.", "Order it by quoting ref 4823 to us."),
        ("Changed in version 3.9: it takes a timeout.", "Changed in version 3.6: it takes a timeout."),
        ("It sets the policy (for message) to compat32.", "It sets the policy (for message) to compat34."),
        ("The message of this V1DeploymentCondition is set.", "The message of this V1ReplicaSetCondition is set."),
        ("Updated for release 3.10.12 of it all.", "Updated for release 3.11.12 of it all."),
        ("They met on 3 May 1921 there.", "They met on 1921-06-03 there."),
        ("They met on 3 May 1921 there.", "They met on 1921-05-04 there."),
        ("Take the part x[1:20] of the list.", "Take the part x[1:30] of the list."),
        ("Ask anna.b@mail.example.org for it.", "Ask carl.d@mail.example.org for it."),
        ("Clone git@host.example.org:forks/ros.git for it.", "Clone git@host.example.org:forks/ros_all.git for it."),
    ],
)  # fmt: skip
def test_what_only_looks_volatile_is_a_fact(a, b):
    assert both(within(LONG, a), within(LONG, b))["other_facts"] >= 1


def test_a_byline_or_template_line_of_its_own_is_no_sentence():
    found = both("By J. Doe\nRoom 12\n" + NEWS, "Brisbane\nFloor 15\n" + NEWS)
    assert found["other_facts"] == 0
    assert both(NEWS, NEWS + "\nRoom 12\n")["other_facts"] == 0


def test_where_an_excerpt_ends_nothing_is_exchanged():
    cut = NEWS.index("1998") + 2
    assert both(NEWS, NEWS[:cut])["other_facts"] == 0
    assert both(NEWS + OTHER_NEWS, NEWS + OTHER_NEWS[:80] + " ...")["other_facts"] == 0


def test_where_a_text_breaks_off_within_a_word_nothing_is_exchanged():
    whole = within(NEWS, "It was built by Petersen and Sons of Oslo, who had never built one of that size before then.")
    assert (
        both(
            whole.replace(
                "Petersen and Sons of Oslo, who had never built one of that size before then.", "Pet (abridged)"
            ),
            whole,
        )["other_facts"]
        == 0
    )


def test_cells_of_a_table_are_facts():
    table = "Width\n{}\n300\nHeight\n250\n900\nThe table gives the outer measures of the box in all its parts."
    assert both(NEWS + "\n" + table.format(500), NEWS + "\n" + table.format(600))["other_facts"] >= 1


def verdict(a, b, cosine=0.99):
    columns = compared(a, b)
    frame = pl.DataFrame({"a": [0], "b": [1], **{name: [value] for name, value in columns.items()}, "cosine": [cosine]})
    return with_verdicts(measure(frame), RULES).row(0, named=True)


@pytest.mark.parametrize(("a", "b"), CHANGED[:12])
def test_no_long_text_goes_with_another_fact(a, b):
    judged = verdict(within(LONG, a), within(LONG, b))
    assert judged["type"] == "F" and judged["verdict"] == "distinct"
    half = within(LONG, b)
    child = verdict(within(LONG, a), half[len(half) // 4 : 3 * len(half) // 4])
    assert child["verdict"] == "distinct", "nor as part of another one"


def test_a_volatile_line_does_not_keep_a_long_text():
    for a, b in VOLATILE:
        assert verdict(f"{a}\n\n{LONG}", f"{b}\n\n{LONG}")["verdict"] == "either", a


HEADINGS = [
    ("forward_list::pop_front", "forward_list::erase_after"),
    ("std::map::value_comp - Reference", "std::map::key_comp - Reference"),
    ("The open_file function", "The list_insert function"),
    ("Installing the software", "Removing the software"),
]


@pytest.mark.parametrize(("a", "b"), HEADINGS)
def test_a_heading_that_names_another_thing_is_a_fact(a, b):
    assert both(f"{a}\n\n{LONG}", f"{b}\n\n{LONG}")["other_facts"] >= 1
    assert both(f"{LONG}\n{a}\n{LONG}", f"{LONG}\n{b}\n{LONG}")["other_facts"] >= 1


def test_the_name_of_a_site_is_no_fact():
    one = "Example News - Judge rules on hero | Site A\nHome\nSport\nMoney\nHelp\n" + NEWS
    other = "Judge rules on hero | The Other Paper\nLogin\nTravel\nArts\nJobs\nPeople\n" + NEWS
    assert both(one, other)["other_facts"] == 0


def test_a_variant_must_state_the_same_facts():
    text = "The {} of the town met the guests at the gate and led them to the hall, where 40 of them sat. "
    one = text.format("mayor") + NEWS[:120]
    other = text.format("mayor").replace("40", "50") + OTHER_NEWS
    assert verdict(one, other)["type"] != "variant"


def test_signs_of_words():
    def of(text):
        normalised = normalise(pl.Series([text]))
        return signs(normalised, split_words(normalised)).tolist()

    assert of("a C++ b") == [0, of("C++")[0], 0] and of("C++") != of("C+") and of("C#")[0] and of("# C") == [0]
    assert of("it is 5%") == of("it is 5 %") and of("5%")[0] and of("$5")[0] != of("€5")[0] and of("5 €") == of("5€")
    assert of("$5 $6") == [of("$5")[0], of("$6")[0]] and of("5€, 6") == [of("5€")[0], 0]
    assert of("end=-2")[-1] == of("it is -5")[-1] and of("end=2")[-1] == 0
    assert of("it is -5")[-1] == of("it is `-5`")[-1] == of("it is (**-5**)")[-1] and of("it (is)-5")[-1] == 0
    assert of("it is -5")[-1] and of("2010-12") == of("well-known") == [0, 0] and of("a - 5") == [0, 0]
    assert of("a\n- 5") == of("a\n-5") == of("a\n> 5") == [0, 0]
    assert of("x < 5")[-1] != of("x <= 5")[-1] and of("x ≤ 5") == of("x <= 5") and of("<x>5") == [0, 0]


def test_listed_words_exclude_each_other():
    known = lexicon()

    def excluded(one, other):
        words = split_words(normalise(pl.Series([one, other]))).hash
        return exclude(known, words[0], words[1]), exclude(known, words[1], words[0])

    for one, other in [("more", "less"), ("june", "mai"), ("km", "miles"), ("must", "may"), ("north", "west")]:
        assert excluded(one, other) == (True, True)
    for one, other in [("june", "juni"), ("small", "little"), ("may", "can"), ("more", "more"), ("kg", "kilogram")]:
        assert excluded(one, other) == (False, False)
    assert np.array_equal(np.unique(known.keys[known.keys > 0]), np.sort(known.keys[known.keys > 0]))


def test_a_word_exchanged_in_a_title_is_a_fact_in_lower_case_too():
    nav = "Standard library headers\nConcepts\nUtilities library\nStrings library\n"
    one, other = (f"Keywords of the language: {word}\n{nav}{NEWS}" for word in ("signed", "export"))
    assert both(one, other)["other_facts"] > 0
    assert both(one, one.replace("signed", "singed"))["other_facts"] == 0, "a slip"


def test_the_last_part_of_a_name_between_backticks_is_a_fact():
    line = "`types-boto3-{}` version is the same as the version of the package that it is made for.\n"
    assert both(NEWS + line.format("dms"), NEWS + line.format("organizations"))["other_facts"] > 0
    plain = line.replace("`", "")
    assert both(NEWS + plain.format("made"), NEWS + plain.format("maked"))["other_facts"] == 0


def test_words_put_into_the_midst_of_a_sentence_are_looked_at_however_many():
    short = "This library may be passed on under the terms of version 2 of the licence, and in no other way at all.\n"
    longer = short.replace("version 2 of", "either version 2 or (at your option) any later version of")
    assert both(NEWS + short, NEWS + longer)["other_facts"] > 0
    ended = short.replace(", and in no other way at all", "")
    folded = (
        longer.replace(", and in no other way at all", "")
        .replace("either version 2 or", "version 2 or")
        .replace("any later", "any\nlater")
    )
    assert both(NEWS + ended, NEWS + folded)["other_facts"] > 0, "at the end of the sentence, and over two lines"


def test_a_sentence_that_goes_on_where_whole_sentences_are_added_is_looked_at():
    short = "This library may be passed on under the terms of the licence, in its version 2.\nIt holds no promise.\n"
    more = "You should have read it by now, since a copy lies in the drawer under the till. Ask for it if not. "
    later = short.replace("version 2.", f"version 2 or (at your option) any later one. {more}")
    assert both(NEWS + short, NEWS + later)["other_facts"] > 0
    added = short.replace("version 2.", f"version 2. {more}")
    assert both(NEWS + short, NEWS + added)["other_facts"] == 0, "no sentence goes on"


STAMPS = [
    ("最后更新：2014年3月5日", "最后更新：2019年11月12日"),
    ("第 2 页，共 318 页", "第 12 页，共 345 页"),
    ("345 次浏览", "901 次浏览"),
    ("最終更新日：2014年3月5日", "最終更新日：2019年11月12日"),
    ("2014年3月5日公開", "2019年11月12日公開"),
    ("2/345 ページ", "7/345 ページ"),
    ("閲覧数 345", "閲覧数 901"),
    ("5 मई 2014 को प्रकाशित", "12 मई 2019 को प्रकाशित"),
    ("345 बार देखा गया", "901 बार देखा गया"),
    ("Последнее изменение: 5.3.2014", "Последнее изменение: 12.11.2019"),
    ("آخر تحديث: 5/3/2014", "آخر تحديث: 12/11/2019"),
]


@pytest.mark.parametrize(("one", "other"), STAMPS)
def test_stamps_and_counters_of_languages_may_differ(one, other):
    for text in (CHINESE, JAPANESE, HINDI, RUSSIAN):
        found = both(f"{text}\n\n{one}", f"{text}\n\n{other}")
        assert found["other_facts"] == 0 and found["volatile"] > 0
    inside = both(f"{CHINESE}第 3 条规定这一点。{CHINESE}", f"{CHINESE}第 4 条规定这一点。{CHINESE}")
    assert inside["other_facts"] > 0, "the number of an article is none"


def test_what_is_put_in_without_changing_a_sentence_is_no_edit():
    def spread(put):
        """The text in which something follows every eleventh word."""
        words = text.split(" ")
        return " ".join(f"{word} {put.format(at)}" if at % 11 == 10 else word for at, word in enumerate(words))

    text = f"{NEWS} {OTHER_NEWS}"
    for put in ("(https://xyz.example/qq/{})", "[{}]", "[00:12:{:02d}]"):
        found = both(text, spread(put))
        assert (found["edited"], found["other_facts"], found["runs"]) == (0, 0, 1), put
        assert verdict(text, spread(put))["verdict"] in ("a_in_b", "either"), put
    assert both(text, spread("(page {})"))["edited"] > 0
    one, other = (within(text, f"See https://xyz.example/{name} for it.") for name in ("ic-1", "ic-shared-1"))
    assert both(one, other)["edited"] > 0, "another address"


def test_a_number_in_letters_is_no_edit():
    a, b = (within(LONG, f"It was said that {number} ships had left the bay.") for number in ("5", "five"))
    assert both(a, b)["edited"] == 0
    assert both(a, b.replace("five", "six"))["edited"] > 0


TOLD = "We learned how the {} of the town met the guests at the gate, and then they went home.\n" + NEWS


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("wolf", "bear"),
        ("baker", "miller"),
        ("old baker", "miller"),
        ("growth", "decline"),
        ("man who loves", "man who hates"),
        ("war", "flood"),  # German "war" is a small word
        ("son", "uncle"),  # and so is French "son"
        ("baker's wife", "miller's wife"),
    ],
)
def test_a_content_word_in_place_of_another_makes_another_record(one, other):
    assert both(TOLD.format(one), TOLD.format(other))["other_words"] > 0


def test_each_language_has_a_bit_of_its_own():
    assert len(SPOKEN) <= 32


def test_small_words_are_those_of_the_languages_of_the_text():
    told = "Der Rat der Stadt {} sich mit dem Haus und den Gärten nicht einig, und so blieb es dabei.\n" * 9
    french = "Le conseil de la ville a parlé de {} jardin et de la maison, et rien ne fut fait pour eux.\n" * 9
    assert both(told.replace("{}", "war"), told.replace("{}", "wurde"))["other_words"] == 0
    assert both(french.replace("{}", "son"), french.replace("{}", "leur"))["other_words"] == 0


MODULE = "".join(
    f"def read_{name}(path):\n    with open(path, mode='{code}') as f:\n        return [{name}(row) for row in f]\n\n"
    for name, code in (("users", "utf-8"), ("orders", "latin-1"), ("prices", "ascii"), ("items", "utf-16"))
)


def test_a_word_in_place_of_another_makes_another_program():
    """On a line of its own, where prose has labels, and between a few words."""
    told = MODULE + "STEP = {}\n" + MODULE.replace("read", "load")
    assert both(told.format("harbour"), told.format("tail"))["other_words"] > 0
    assert both(told.format("harbour"), told.format("harbour").replace("    ", "\t"))["other_words"] == 0
    label = NEWS + "\nStep: {}\n" + OTHER_NEWS
    assert both(label.format("harbour"), label.format("tail"))["other_words"] == 0


def test_a_sentence_in_place_of_another_makes_another_record():
    told = "We met the guests at the gate. {} They went home with all that they had brought.\n" + NEWS
    one, other = "Children under six are exempt.", "The fee was paid by Mr Miller."
    assert both(told.format(one), told.format(other))["other_words"] > 0
    assert both(told.format(one), told.format(""))["other_words"] == 0
    lines = told.replace("{}", "\n{}\n")
    assert both(lines.format(one), lines.format(other))["other_words"] == 0, "on lines of its own"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("baker", "bakers"), ("bakers", "bakery"), ("baker", "bakre"), ("turn", "tum"), ("cheers", "cheer"),
        ("department", "dept."), ("approximation", "approx."), ("web site", "website"), ("the", "a"), ("has", "had"),
        ("organisers", "organizers"), ("baker who usually", "baker who normally"), ("man who begins", "man who starts"),
        ("baker", ""), ("", "baker and all who lived in the other houses"),
    ],
)  # fmt: skip
def test_forms_slips_and_abbreviations_of_a_word_are_no_other_word(one, other):
    found = both(TOLD.format(one), TOLD.format(other))
    assert (found["other_facts"], found["other_words"]) == (0, 0)


def test_a_word_of_a_menu_or_label_in_place_of_another_is_no_fact():
    menu = "Home\nskip to {}\nlog in\n" + NEWS
    assert both(menu.format("content"), menu.format("search"))["other_words"] == 0


def test_another_value_of_a_field_makes_another_record():
    """Where most lines are fields; in prose such a line is a label."""
    record = f"Name: keys\nSection: operations\nText: {' '.join(NEWS.split())}\nService: {{}}\nType: manual\n"
    assert both(record.format("storage"), record.format("queue"))["other_words"] > 0
    assert both(record.format("storage"), record.format("storge"))["other_words"] == 0
    assert both(record.format("storage"), record.format("storage, as ever"))["other_words"] == 0
    prose = NEWS + "\nService: {}\n" + OTHER_NEWS
    assert both(prose.format("storage"), prose.format("queue"))["other_words"] == 0


def test_an_opposite_with_which_a_text_begins_is_no_half_of_a_word():
    told = f"ynchronously reads all the entries of the list and returns what it found there. {NEWS}"
    assert both(f"S{told}", f"As{told}")["other_facts"] > 0
    assert both(told[5:], f"As{told}")["other_facts"] == 0, "an excerpt begins within a word"


def test_halves_of_the_day_exclude_each_other():
    told = TOLD.format("baker") + "\nThe shop opens at 6 {} every day but Sunday, said the owner of the place.\n"
    assert both(told.format("a.m."), told.format("p.m."))["other_facts"] > 0
    assert both(told.format("a.m."), told.format("am"))["other_facts"] == 0


NUMBERED = (
    "The first thing was said here.\nThen somebody spoke of bread and butter.\nAt last they all went home again.\n"
)


@pytest.mark.parametrize("mark", ["{}. ", "({}) ", "[{}] ", "{}) ", "¶{} ", "{} ", "1.{} "])
def test_numbers_put_before_lines_are_no_facts_and_no_edits(mark):
    lines = (NUMBERED + NEWS).split("\n")
    numbered = "\n".join(f"{mark.format(at)}{line}" if line else line for at, line in enumerate(lines, 1))
    found = both("\n".join(lines), numbered)
    assert (found["other_facts"], found["edited"]) == (0, 0)


def test_a_number_before_a_line_alone_is_a_fact():
    one = f"{NUMBERED}{NEWS}"
    assert both(one, one.replace("Then somebody", "12 Then somebody"))["other_facts"] > 0


def test_fields_of_a_record_around_a_text_are_no_facts():
    text = " ".join(NEWS.split())
    for record in (f'4711;news;"{text}";Berlin Desk', f"4711;news;{text};en", f'{{"doc_id": 4711, "text": "{text}"}}'):
        assert both(text, record)["other_facts"] == 0
    assert both(text, f"4711 {text}")["other_facts"] > 0


def test_comparisons_between_names_and_signs_of_markup():
    code = f"{NEWS}\nwhile first {{}} last do the next step of the loop with the same list again\n"
    assert both(code.format("!="), code.format("=="))["other_facts"] > 0
    assert both(code.format("<="), code.format(">="))["other_facts"] > 0
    assert both(code.format("========"), code.format(""))["other_facts"] == 0, "a line below a heading"
    assert both(code.format("==="), code.format(""))["other_facts"] > 0
    query = f"{NEWS}\nselect name from books where year {{}} \"13\" and place = 'here' order by name\n"
    assert both(query.format("<="), query.format("<"))["other_facts"] > 0
    for quoted in (query.replace('"', "'"), query.replace(' "', " “").replace('" ', "” ")):
        assert both(query.format("<="), quoted.format("<="))["other_facts"] == 0
        assert both(query.format("<="), quoted.format("<"))["other_facts"] > 0
    told = f"{NEWS}\nThe name of {{}} stands in the list of programs that are run at night.\n"
    assert both(told.format("`libfoo`"), told.format("+libfoo+"))["other_facts"] == 0
    assert both(told.format("libfoo"), told.format("libfoo+"))["other_facts"] > 0


def test_a_text_that_lost_all_marks_contradicts_no_sign():
    marked = f"{NEWS} It is written in C++ and costs $500, at -5 degrees."
    bare = " ".join(re.sub(r"[^\w\s']", " ", marked).lower().split())
    assert both(marked, bare)["other_facts"] == 0
    assert both(marked, bare)["intact_a"] > 0 == both(marked, bare)["intact_b"], "the one with marks stays"
    assert both(marked, f"{bare}.")["other_facts"] > 0, "one mark is left"
    assert both(marked, bare.replace("500", "600"))["hard_facts"] > 0


def test_a_text_with_accents_stays_beside_one_that_lost_them():
    marked = "Preden začnemo konkretizirati današnje razmere, je treba jasno in glasno povedati, da to drži. " * 4
    bare = marked.replace("č", "c").replace("š", "s").replace("ž", "z")
    assert both(marked, bare)["intact_a"] > 0 == both(marked, bare)["intact_b"]
    assert both(f"Café. {NEWS}", f"Cafe. {NEWS}")["intact_a"] == 0, "one word may be spelt so"


SLOVENE = "Preden začnemo konkretizirati današnje razmere, je treba „jasno“ povedati, da članek drži. Če ne, je šlo. "
GERMAN = "Ans Ende der Straße führt l'été très über den Ölberg, wo Änne für größere Schlüssel übt. "


@pytest.mark.parametrize("lost", ["\ufffd", "\ufffd\ufffd", "?"])
@pytest.mark.parametrize("text", [SLOVENE, GERMAN])
def test_letters_that_were_lost_with_their_bytes_are_those_beyond_ascii(text, lost):
    whole = text * 4
    worn = re.sub(r"[^\x00-\x7f]", lost, whole)
    found = both(whole, worn)
    assert found["other_facts"] == found["changed_facts"] == found["replaced"] == 0
    assert found["intact_a"] > 0 == found["intact_b"], "the one with its letters stays"
    assert both(whole, worn.replace("treba", "dobro").replace("Ende", "Ufer"))["replaced"] > 0
    assert both(whole, whole.replace("č", "dn").replace("ß", "dn"))["replaced"] > 0, "none was lost"


def test_a_lost_letter_is_none_that_bytes_do_not_lose():
    assert both(f"{NEWS} She met Rena there.", f"{NEWS} She met Ren\ufffd there.")["other_facts"] > 0
    assert both(f"{NEWS} She met René there.", f"{NEWS} She met Ren\ufffd there.")["other_facts"] == 0
    assert both(f"{NEWS} It is 5é9 of it.", f"{NEWS} It is 5\ufffd9 of it.")["other_facts"] > 0


def test_signs_in_quotes_differ_from_others_in_quotes_only():
    code = f"{NEWS}\nThe columns of a row are joined by {{}} in each of the files that the program writes at night.\n"
    assert both(code.format('","'), code.format('";"'))["other_facts"] > 0
    assert both(code.format('","'), code.format('""'))["other_facts"] > 0
    assert both(code.format('","'), code.format(","))["other_facts"] == 0, "another rendering drops the marks"
    assert both(code.format('some """,'), code.format("some ,"))["other_facts"] == 0
    names = code.format('"a name," "a key," "a value"')
    assert both(names, names.replace('," "', ',"_ _"'))["other_facts"] == 0, "emphasis"


def test_the_number_of_the_section_that_a_text_is_may_differ():
    def section(number, title="Size of an asm", body=NEWS):
        return f"{number} {title}\n{body}"

    assert both(section("6.47.6"), section("6.48.6"))["other_facts"] == 0
    assert both(section("6.47.2.11"), section("6.48.2.12"))["other_facts"] == 0
    assert both(section("F.38"), section("F.40"))["other_facts"] == 0
    for one, other in [("19.30", "20.30"), ("3.10.24", "4.10.24"), ("12", "13"), ("2.4.0 of 2024:", "2.4.1 of 2024:")]:
        assert both(section(one), section(other))["other_facts"] > 0, one
    assert both(section("6.47.6", body="Some bytes."), section("6.48.6", body="Some bytes."))["other_facts"] > 0
    within = NEWS.replace(". ", ".\n6.47.6 Size\n", 1)
    assert both(within, within.replace("6.47.6", "6.48.6"))["other_facts"] > 0, "a place in the text"


@pytest.mark.parametrize(
    ("one", "other", "case"),
    [
        (
            "A fee of sixty euros is due for every copy.",
            "Different types of guests need papers.",
            "a small word in both",
        ),
        ("Children under six\nare exempt from this.", "Larger archives are rejected.", "a line end within it"),
        (
            "Different guests need papers.",
            "Larger archives are rejected by gateways.",
            "words of one stand elsewhere, too",
        ),
    ],
)
def test_a_sentence_in_place_of_another_is_seen_though(one, other, case):
    told = (
        "Guests need papers, and different guests need different types. They met at the gate. {} They went home.\n"
        + NEWS
    )
    assert both(told.format(one), told.format(other))["other_words"] > 0, case


def test_a_sentence_on_lines_of_its_own_may_be_an_advertisement():
    told = "We met the guests at the gate.\n{}\nThey went home with all that they had brought.\n" + NEWS
    one, other = "Children under six\nare exempt from this.", "Larger archives are rejected."
    assert both(told.format(one), told.format(other))["other_words"] == 0


def test_a_name_before_a_hyphen_is_no_label():
    told = "{}based papers of the coast wrote of it as well, and nobody else did so.\n" + NEWS
    assert both(told.format("Berlin-"), told.format("Paris-"))["other_facts"] > 0
    assert both(told.format("Update - "), told.format("News - "))["other_facts"] == 0


@pytest.mark.parametrize(
    ("number", "other"), [("3.0", "0.30"), ("3.5", "2.5"), ("1994.", "1996."), ("failure.", "success.")]
)
def test_what_begins_a_wrapped_line_is_a_fact(number, other):
    line = (
        "The report of the board says that the whole thing has since then come to\n{} It was more before, as is known."
    )
    first, second = (within(LONG, line.format(one)) for one in (number, other))
    assert both(first, second)["other_facts"]


@pytest.mark.parametrize("row", ["5433e86479\ten\t0.25\t{}\tpos", "INSERT INTO t (id, body) VALUES (9804, '{}', 3);"])
def test_columns_beside_a_text_are_no_facts_of_it(row):
    assert not both(NEWS, row.format(NEWS))["other_facts"]


def test_a_row_does_not_go_for_a_text_without_its_key():
    row = f"5433e86479\ten\t{NEWS}\tpos"
    assert both(row, NEWS)["intact_a"] and not both(row, NEWS)["intact_b"]
    assert not both(row, f"{LONG} See 5433e86479 there.")["intact_a"]
    assert not both(f"1984 was long ago. {NEWS}", NEWS)["intact_a"]


def test_marks_of_notes_are_no_facts():
    for mark in ("(21)", "[^21]", "[21]"):
        assert not both(LONG, LONG.replace(". ", f".{mark} ", 1))["other_facts"]
        assert not both(LONG, LONG.replace(", ", f",{mark} ", 1))["other_facts"]


@pytest.mark.parametrize(
    "teaser",
    [
        " Read the full story",
        " … Read more https://a.example/8724",
        " [Read more]",
        "\n\nRead more »",
        "; continue reading →",
        "。詳しくはこちら",
        "\nYou must be logged in to post a comment.",
        "\n\n---\nThis email has been checked for viruses by Avast antivirus software.\nwww.avast.com",
    ],
)
def test_what_leads_to_the_rest_of_a_long_text_is_no_part_of_it(teaser):
    found = both(NEWS + teaser, f"{NEWS} {OTHER_NEWS}")
    assert found["edited"] == found["text_run_a"] == found["lacking_a"] == 0
    assert compared(NEWS + " They read more", f"{NEWS} {OTHER_NEWS}")["lacking_a"] > 0, "part of a sentence"


@pytest.mark.parametrize(
    ("one", "other"),
    [("prenatal", "postnatal"), ("acceleration", "deceleration"), ("emigrants", "immigrants"), ("ethanol", "methanol")],
)
def test_words_that_begin_apart_are_two_however_alike_they_end(one, other):
    told = ARTICLE + "The clerk wrote that the {} of it was seen by nobody on the quay that day.\n"
    assert ruled(told.format(one), told.format(other))["other_words"] > 0


@pytest.mark.parametrize(("one", "other"), [("m", "km"), ("g", "kg"), ("mph", "kph"), ("h", "min"), ("s", "ms")])
def test_symbols_of_units_behind_one_figure_are_facts(one, other):
    told = ARTICLE + "The clerk wrote that 34 {} of it were seen by nobody on the quay that day.\n"
    assert ruled(told.format(one), told.format(other))["other_facts"] > 0
