"""What is a document's own, and how much of it another text holds."""

import json

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.decision.evidence.own_content import GRAM, own_content
from models.decision.evidence.pair_evidence import evidence
from models.decision.rules.measures import measure
from models.decision.rules.verdict import with_verdicts
from models.decision.types import Verdict
from models.lexical.content.prose import prose, running_text
from models.lexical.sketch.features import Frequencies, featurise
from models.lexical.sketch.line_shapes import line_shapes
from models.lexical.sketch.shingles import hash_word_grams
from models.lexical.sketch.weights import cells
from models.lexical.text import normalise, split_words
from models.parameters import Parameters, Sketch

BITS = 18
RULES = Parameters().with_settings(["verify.decider=rules"])
PREAMBLE = (
    "Containers of this library keep their elements in blocks that are never moved while a reader holds one of them. "
    "Every function here may be called by several threads at once, as long as none of them writes to the same element. "
    "Iterators stay valid until the element that they point to is removed, and comparing two that belong to different "
    "containers is an error that the checked build reports. Complexity is given in the number of comparisons.\n"
)
ARTICLE = (
    "The ferry to the outer islands has been cancelled for the third day in a row, and the baker on the quay has begun "
    "to sell yesterday's rolls at half the price. The harbour master says that the swell is too high for the ramp. "
    "Fishermen who live over there have moored their boats in the inner basin and sleep on board. "
    "Nobody expects the mail before the weekend, which the postman says is a fine thing for his knees.\n"
)
BODIES = (
    "Removes the first element and tells whether there was one. The removed element is destroyed at once, and its "
    "memory goes back to the pool that it came from. Calling it on an empty container does nothing at all.\n",
    "Compares two keys in the order that the container was made with. The result does not change while the container "
    "lives, so that a caller may keep the object and use it to sort keys of the same kind elsewhere.\n",
)
MENU = "Home\nNews\nSport\nWeather\nSign in\nSubscribe\n" * 6
OTHER_MENU = "Start\nPolitics\nCulture\nTraffic\nJobs\nYour account\n" * 6


STOP_WORDS = "a all and at be by has in is of on or our that the this to who you your"


def counted(common, documents=1000, lines=()):
    """Frequencies: grams of the `common` texts, and `lines`, stand in so many documents, stop words in all."""
    table = np.zeros(1 << BITS, np.uint32)
    for text in common:
        grams = hash_word_grams(split_words(normalise(pl.Series([text]))))
        table[cells(grams[grams != 0], BITS)] = documents
    words = np.full(1 << BITS, 300, np.uint32)
    words[cells(split_words(normalise(pl.Series([STOP_WORDS]))).hash, BITS)] = 100_000
    normalised = normalise(pl.Series(["\n".join(lines)]))
    shapes = line_shapes(normalised, split_words(normalised)).hash
    held = np.zeros(1 << BITS, np.uint32)
    held[cells(shapes[shapes > 0], BITS)] = documents
    return Frequencies(table, words, 100_000, held)


def compared(a, b, common=(), lines=(), documents=1000):
    """Measures of one pair, `goes_a`, `goes_b` and its verdict."""
    features = featurise(pl.Series([a, b]), None, counted(common, documents, lines), Sketch(), 320)
    columns = evidence(features, np.array([0]), np.array([1]))
    found = measure(pl.DataFrame({"a": [0], "b": [1], **columns, "cosine": np.float32([0.9])}))
    return with_verdicts(found, RULES).row(0, named=True)


def test_pages_that_are_translated_in_part_both_stay_and_frames_in_two_scripts_around_an_article_do_not_count():
    lines = (
        "កំណត់ចំណាំ\nចុចលើផ្ទាំង\nជ្រើសកែប្រែ\nស្រទាប់ ឬ\nទ្រង់ទ្រាយ នៅ\nម៉ឺនុយ នោះ\n",
        "注意\n層を選択\n右クリック\n変更を選択\n終了する\n再起動\n",
    )
    pages = [PREAMBLE + line + "See the chapter on layers for more of it." for line in lines]
    found = compared(*pages, common=[PREAMBLE])
    assert not found["goes_a"] and not found["goes_b"]
    heads = (
        "港内の船は朝まで動かない。灯台の光が波の上を長く渡り、漁師たちは網を直しながら夜明けを待っている。\n",
        "There is no boat that leaves the port before the morning, and those who live on the islands wait for it.\n",
    )
    for one, other in (heads, heads[::-1]):
        found = compared(one + ARTICLE, other + ARTICLE)
        assert not found["goes_a"] and not found["goes_b"], "a paragraph in two languages is no frame of a site"
    framed = compared("Новости\nМода\nСпорт\nПогода\nРабота\n" * 3 + ARTICLE, MENU + ARTICLE)
    assert framed["goes_a"] and framed["goes_b"]


def test_a_sentence_stays_where_hardly_anything_else_is_lacking_and_goes_with_the_frame_of_a_page():
    sentence = "Share this piece of news with your friends, too.\n"
    told = compared(f"{sentence}{3 * ARTICLE}", 3 * ARTICLE)
    assert told["text_run_a"] == 9 and not told["goes_a"] and told["goes_b"]
    assert compared(f"Share it with your friends.\n{3 * ARTICLE}", 3 * ARTICLE)["goes_a"], "five words"
    assert compared(f"{3 * MENU}{sentence}{3 * ARTICLE}", OTHER_MENU + 3 * ARTICLE)["goes_a"]


def test_all_of_a_manual_page_says_something():
    page = '.\\" Generated\n.TH SUM 1\n' + "".join(f".TP\n\\-{x}\nset option {x}\n" for x in "abcdefgh") + ARTICLE
    found = compared(page, ARTICLE)
    assert not found["goes_a"] and found["goes_b"]


def test_pages_of_different_functions_under_one_preamble_both_stay():
    pages = [PREAMBLE + body for body in BODIES]
    found = compared(*pages, common=[PREAMBLE])
    assert max(found["own_a"], found["own_b"]) < 0.2, "the preamble is nobody's own"
    assert found["verdict"] == Verdict.DISTINCT
    assert min(found["alone_a"], found["alone_b"]) > 25


def test_one_article_under_two_templates_goes_whichever_way_even_where_a_thousand_documents_hold_it():
    for common in ([], [ARTICLE]):
        found = compared(MENU + ARTICLE, OTHER_MENU + ARTICLE, common)
        assert (found["type"], found["verdict"], found["own_a"], found["own_b"]) == ("A", Verdict.EITHER, 1, 1)


PRINTED = (
    "Printer-friendly version\nURL: https://www.site.example/node/{n}\nPrinted on 2013-03-{n}\n",
    "Page 1 of {n}\nSource URL (retrieved on 2013-03-{n}): https://www.site.example/node/{n}\n"
    "You may print {n} copies of every page for yourself and for those who work with you.\n",
)
EXPORTED = (
    "title: The ferry\nstatus: published\nauthor: Rosa\ntags: [society, imported]\ndraft: false\nmenu: main\n",
    "Downloaded by a guest from the archive of all newspapers of the county on 2014-07-{n} at 12:{n}.\n",
)


def test_lines_that_many_documents_hold_up_to_their_numbers_are_the_template_of_a_site():
    lines = "".join(PRINTED + EXPORTED).replace("{n}", "5").splitlines()
    printed, exported = ((head + ARTICLE + foot).replace("{n}", "17") for head, foot in (PRINTED, EXPORTED))
    plain, known = compared(printed, exported), compared(printed, exported, lines=lines)
    assert not plain["goes_a"] and not plain["goes_b"]
    assert known["goes_a"] and known["goes_b"] and known["type"] == "A"
    assert known["lacking_text_a"] == known["lacking_text_b"] == 0
    few = compared(printed, exported, lines=lines, documents=8)
    assert not few["goes_a"] and not few["goes_b"], "so many may hold what is own content"


def test_lines_of_a_text_that_as_many_documents_hold_are_no_template():
    """Versions of one page: what only some of them say stands in many documents, too."""
    for documents in (50, 2):
        lines = "".join(PRINTED + EXPORTED).replace("{n}", "5").splitlines()
        printed, exported = ((head + ARTICLE + foot).replace("{n}", "17") for head, foot in (PRINTED, EXPORTED))
        common = [ARTICLE] if documents > 8 else []
        found = compared(printed, exported, common, lines, 50)
        assert (found["goes_a"] and found["goes_b"]) == (not common)


def test_paragraphs_that_were_wrapped_and_source_code_are_no_template():
    licence = (
        "\nThis program is given to you in the hope that it will be of use, and whoever\n"
        "likes to do so may pass it on to others as long as this notice stays\n"
        "where it is, since nobody can know what becomes of a thing without one.\n"
    )
    code = (
        "\nprint(total)\nshow(total, rest)\nclose(file)\nsend(total)\nwait(rest)\nopen(file, total)\nend(x)\nread(y)\n"
    )
    for alone in (licence, code):
        found = compared(MENU + ARTICLE + alone, OTHER_MENU + ARTICLE, lines=alone.splitlines())
        assert not found["goes_a"] and found["goes_b"]


def test_pages_of_lists_under_one_foot_of_a_site_both_stay():
    """The foot is all their prose, and both hold it; what they are about stands in their lists."""
    lists = ("".join(f"{word} {n}\n" * 2 for n in range(60)) for word in ("Introduction", "Reference"))
    one, other = (f"{body}{PREAMBLE}" for body in lists)
    found = compared(one, other, [PREAMBLE])
    assert not found["goes_a"] and not found["goes_b"]


FOOTER = (
    "Home\nNews\nSport\nWeather\nSign in\nSubscribe\nContact us\nAbout this site\nAll rights reserved\n"
    "This website uses cookies or similar technologies to enhance and improve your browsing experience.\n"
    "By using our pages, you agree to our privacy policy and to the terms of the publishing company.\n"
)
NEXT_PARAGRAPH = (
    "Home\nNews\nSport\nWeather\n"
    "The harbour master says that the ferry will not go out to the islands before the mail is on board.\n"
    "Nobody expects the swell to be less high, and fishermen leave their boats in the inner basin on the quay.\n"
)


def test_more_running_text_than_half_of_what_two_texts_share_is_no_frame():
    """Of release notes an extractor left one item in four, and the other items stood between menus and broken lines."""
    items = [
        f"Gardeners raised giant {plant} behind the old cinema of a town without any rain, says the {who}.\n{MENU}"
        for plant, who in (("pumpkins", "mayor"), ("melons", "dentist"), ("leeks", "sexton"), ("plums", "cobbler"))
    ]
    few, most = (compared("".join(items[:count]) + ARTICLE, ARTICLE) for count in (1, 4))
    assert (few["text_run_a"], few["goes_a"]) == (0, True)
    assert (most["text_run_a"], most["goes_a"]) == (17, False)


def test_the_frame_of_a_site_is_told_from_the_next_paragraph_by_how_little_it_has_to_do_with_the_rest():
    plain = MENU + ARTICLE
    framed, longer = (compared(plain, ARTICLE + ending) for ending in (FOOTER, NEXT_PARAGRAPH))
    assert (framed["goes_b"], framed["lacking_text_b"], framed["text_run_b"], framed["alone_b"]) == (True, 0, 0, 0)
    assert framed["verdict"] == Verdict.EITHER
    assert not longer["goes_b"] and longer["lacking_text_b"] > 0.15
    inside = compared(plain, ARTICLE[:200] + FOOTER + ARTICLE[200:])
    assert not inside["goes_b"], "what stands amid the shared text is no frame"


def test_what_somebody_writes_below_a_quoted_mail_is_no_frame_of_a_page_for_the_signature_below_it():
    quoted = "".join(f"> {line}.\n" for line in ARTICLE.strip().removesuffix(".").split(". "))
    answer = "\nWe moved the boat to the inner basin before noon, so tell the postman that his mail is dry.\n"
    signature = "\nKim\n\n-- \nKim Arden   http://www.harbour.example/kim/\n716 Quay Road\n78701  512 374 0500\n"
    found = compared(quoted + answer + signature, ARTICLE)
    assert (found["goes_a"], found["text_run_a"]) == (False, 3 * 19)
    assert compared(quoted + signature, ARTICLE)["goes_a"]
    short = compared(quoted + "\nI'll fix this in the harbour book this afternoon.\n" + signature, ARTICLE)
    assert not short["goes_a"], "few words, but all that somebody has to say"
    assert compared(quoted + "\nThanks for that!\n" + signature, ARTICLE)["goes_a"]
    introduced = compared("Ann wrote on Monday at ten o'clock:\n" + quoted, ARTICLE)
    assert introduced["text_run_a"] == 8, "no answer"


def test_who_has_a_paragraph_of_their_own_stays():
    longer = MENU + ARTICLE + BODIES[0]
    assert compared(longer, OTHER_MENU + ARTICLE)["verdict"] == Verdict.IN_A
    assert compared(OTHER_MENU + ARTICLE, longer)["verdict"] == Verdict.IN_B
    both = compared(MENU + ARTICLE + BODIES[0], MENU + ARTICLE + BODIES[1])
    assert both["verdict"] == Verdict.DISTINCT


def test_a_paragraph_that_stands_elsewhere_in_the_other_text_is_not_lacking():
    found = compared(ARTICLE + "\n" + BODIES[0], BODIES[0] + "\n" + ARTICLE)
    assert found["alone_a"] == found["alone_b"] == 0
    assert max(found["lacking_a"], found["lacking_b"]) == 0


ENTRY = (
    "The function RANK.{0} returns the relative rank of a value in a sample, counted from the smallest one, and takes "
    "the cells that hold the sample, the value whose rank is asked for and, if it is given, how many digits of the "
    "result are significant. The example =RANK.{0}(A1:A50) returns the rank of the first value among all that stand "
    "in these cells, or an error where the value falls outside of them.\n\n"
)


def test_an_entry_that_stands_in_the_other_text_under_another_name_is_lacking():
    both = ENTRY.format("within") + ARTICLE + "\n\n" + ENTRY.format("beyond")
    found = compared(both, ENTRY.format("within") + ARTICLE)
    assert found["lacking_text_a"] > 0.3, "all of it, although all but two words stand there"
    assert not found["goes_a"]
    moved = compared(ARTICLE + "\n\n" + ENTRY.format("beyond"), ENTRY.format("beyond") + ARTICLE)
    assert moved["lacking_a"] == 0


WORDS = st.lists(st.sampled_from(["ash", "bell", "coal", "dune", "elm", "fog"]), min_size=12, max_size=60)


@given(WORDS, WORDS)
def test_lacking_words_are_those_that_neither_alignment_nor_a_gram_covers(one, other):
    """Against sets of grams: what is covered by one is never lacking, and what stands in no shared gram may be."""
    texts = [" ".join(one) + ".", " ".join(other) + "."]
    features = featurise(pl.Series(texts), None, counted([]), Sketch(), 0)
    found = evidence(features, np.array([0]), np.array([1]), most_edits=np.inf)
    grams = {tuple(other[at : at + GRAM]) for at in range(len(other) - GRAM + 1)}
    covered = np.zeros(len(one), bool)
    for at in range(len(one) - GRAM + 1):
        covered[at : at + GRAM] |= tuple(one[at : at + GRAM]) in grams
    lacking = round(found["lacking_a"][0] * len(one))
    assert lacking <= (~covered).sum()
    assert lacking == 0 or found["aligned_a"][0] < 1
    assert found["alone_run_a"][0] <= found["alone_a"][0] <= lacking


def test_few_rare_words_do_not_stand_for_a_document_of_common_prose():
    stamp = "Seen by forty of our readers in the last hour alone.\n"
    content = own_content(featurise(pl.Series([ARTICLE + stamp]), None, counted([ARTICLE]), Sketch(), 320), 8)
    assert content.words[0] == len(split_words(normalise(pl.Series([ARTICLE + stamp]))).hash), "all of its prose"
    assert 0 < content.rare.sum() < 15


@pytest.mark.parametrize(
    ("text", "readable"),
    [
        (ARTICLE, True),
        (ARTICLE.replace(". ", " . ").replace(", ", " , "), True),
        ("\n".join(ARTICLE[at : at + 70] for at in range(0, 280, 70)), True),
        (MENU, False),
        ("* [Type support](/type)\n* [Error handling](/error)\n* [Program utilities](/program)\n", False),
        (
            "- A huge coupling between two old parsers and the\n- NASA returns to us with a piece of the Sun in\n"
            "- Murray returns to the fold\n",
            False,
        ),
        ("Police chief seeks funding for a gunshot locator\nMan dies after crashing into a pole on Summit\n", False),
        ("By A. Smith | 15 February | 9 minutes to read | in Local News and Opinion", False),
        ("for (int i = 0; i < n; i++) total += weight[i] * value[i];\n" * 3, False),
        ("渡轮连续第三天停航，码头上的面包师开始半价出售昨天的面包。港务长说海浪太高。", True),
    ],
)
def test_prose_is_what_stands_in_sentences(text, readable):
    normalised = normalise(pl.Series([text]))
    share = prose(normalised, split_words(normalised)).mean()
    assert share > 0.8 if readable else share == 0


@pytest.mark.parametrize(
    ("text", "running"),
    [
        (ARTICLE, True),
        (
            "You must copy the notice into each file of the\nSource Code, and\n(c) You must keep it in all;\n",
            True,
        ),
        (
            "UNDER NO CIRCUMSTANCES SHALL YOU OR\nANY OTHER BE LIABLE TO ANY PERSON FOR\nDAMAGES OF ANY KIND.\n",
            True,
        ),
        ('"formatters": {\n    "simple": {\n        "format": "%(message)s"\n    }\n},\n', True),
        ("import csv\nwith open(path) as file:\n    rows = csv.writer(file)\n    rows.writerow([2])\n", True),
        (
            "On Debian systems, the complete text of it\ncan be found in the folder of\ncommon licenses\n",
            True,
        ),
        (
            "官员们说，码头上的面包师从今天早上开始以半价出售昨天的面包，\n因为轮渡已经第三天停航，港务长说海浪太高了。\n",
            True,
        ),
        ("打印文档\n插入和编辑表格\n使用样式设置页面格式\n标题和目录\n保存网页\n", False),
        ("选择在文档中使用的语言和字体的样式\n为图表中的数据系列添加趋势线和误差线\n", False),
        ("إدراج صورة في الجدول\nطباعة المستند\nحفظ صفحة الويب\nتعديل خيارات القائمة من هنا\n", False),
        (MENU, False),
        ("Errors > ConnectionError > BrokenPipeError > TimeoutError > Warnings\nHome\nNews\n", False),
        ("if size > most:\n    return size > 0 and [size]\n", True),
        ("facebook\nlinkedin\ntwitter\nprint\nfollow us\nmore\nless\nall\n", False),
        (
            "1\nLongtime maker of clocks leaves the state for Wyoming\n2\nPolice call disappearance of owner odd\n",
            False,
        ),
        (
            "Contents\n\n  2. Applying to Become a Member\n    2.1. Getting started\n    2.2. Sponsors\n",
            False,
        ),
        ("By A. Smith | 15 February | 9 minutes to read | in Local News and Opinion", False),
    ],
)
def test_running_text_is_all_but_menus_and_headlines(text, running):
    normalised = normalise(pl.Series([text]))
    share = running_text(normalised, split_words(normalised)).mean()
    assert share > 0.7 if running else share == 0


def test_one_line_of_many_signs_makes_no_code_of_the_menu_around_it():
    normalised = normalise(pl.Series([f"{MENU}[a] = {{b}} [c] = {{d}} [e] = {{f}} [g] = {{h}}\n{MENU}"]))
    assert running_text(normalised, split_words(normalised)).sum() == 8


KEYWORDS = [f"{kind}{letter}" for kind in ("key", "type") for letter in "abcdefghijklmnopqrstuvwxyz"]


def test_a_text_of_lines_without_prose_says_what_each_line_says():
    """Pages of keywords have one list in front; what one page says stands in one line."""
    page = "Keywords\n\n" + "\n".join(KEYWORDS) + "\n\nUsage\n\n"
    longer = f"{page}static members of a class\n" + "\n".join(f"List of {word} uses in C" for word in KEYWORDS)
    same, other = (compared(f"{page}{line}\n", longer) for line in ("members of a class", "restrict type qualifier"))
    assert (same["type"], same["goes_a"]) == ("D", True)
    assert other["lacking_a"] < RULES.verify.max_lacking and not other["goes_a"]


def test_what_is_volatile_may_differ_in_short_texts_and_be_much_of_them():
    line = "The ferry to the outer islands has been cancelled for the third day, and the baker sells old rolls.\n\n"
    assert compared(line + "267 comments", line + "808 comments")["verdict"] == Verdict.EITHER
    assert compared(line + "267 tickets were sold.", line + "808 tickets were sold.")["verdict"] == Verdict.DISTINCT
    longer = (
        line + "Fishermen who live over there have moored their boats in the inner basin and sleep on board with us, "
    )
    longer += (
        "and nobody expects the mail before the weekend, which the postman says is a fine thing for his knees.\n\n"
    )
    stamps = ("Last updated: 3 March 2021 at 10:15", "Last updated: 12 July 2023 at 18:40")
    assert compared(*(longer + stamp for stamp in stamps))["verdict"] == Verdict.EITHER
    asks, sentences = "Ask the master of the harbour for it before noon.", ARTICLE.split(". ")
    told, asked = (". ".join([*sentences[:3], ""]), "".join(f"{sentence}. {asks} " for sentence in sentences[:3]))
    found = compared(f"{4 * ARTICLE}267 comments\n\n{asked}\n", f"{4 * ARTICLE}808 comments\n\n{told}\n")
    assert found["volatile"] > 0 and not found["goes_a"], "what is volatile excuses nothing else"


def test_a_record_of_data_stays_for_a_field_that_the_other_lacks():
    repository = {f"field_{number}": f"https://api.example.org/repos/{number}" for number in range(60)}

    def event(**fields):
        return json.dumps({"repository": repository} | fields, indent=2)

    deleted = event(action="deleted", label={"node_id": "MDU6TGFiZWw5NjU", "name": "bugfix", "color": "cceeaa"})
    found = compared(deleted, event())
    assert found["code_words_a"] > 0 and not found["goes_a"] and found["goes_b"]
    assert compared(event(), event(fork="no"))["goes_a"] and not compared(event(fork="no"), event())["goes_a"]


def test_a_section_about_what_both_texts_are_about_is_no_frame():
    """Menus around a sentence are the frame of a page, whoever wrote the sentence; a list of what is told is none."""
    told = "The harbour master sells yesterday's rolls at the ramp to fishermen who sleep on board of their boats.\n"
    listed = "The ferry\nThe baker\nThe quay\nThe harbour master\nThe swell\nThe postman\nThe mail\n" * 2
    teaser = "Read how our gardeners raised giant pumpkins behind the old cinema of a town without any rain.\n"
    article = ARTICLE * 2
    section, frame = compared(article + listed + told, article), compared(article + MENU + teaser, article)
    assert (section["text_run_a"], section["goes_a"]) == (19, False)
    assert (frame["text_run_a"], frame["goes_a"]) == (0, True)
