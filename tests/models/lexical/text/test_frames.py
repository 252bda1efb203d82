"""Frames of messages, prompts, subtitles and records: what is read as no part of a text, and what stays."""

import polars as pl
import pytest

from models.lexical.text import normalise, to_text

SAID = "The queen visits our town today."


def read(text):
    normalised = normalise(pl.Series([text]))
    return to_text(normalised.codes), normalised.origin.tolist()


@pytest.mark.parametrize(
    "text",
    [
        "[26.04.21, 08:02:11] kasia: {}",
        "2026-04-02 01:08:41,320 INFO {}",
        "2026-04-02T01:08:41 [DEBUG] {}",
        "\u200e[4/26/21 08:02] kasia: {}",
        "2021-07-08, 21:06 - tomek_: {}",
        "12:49 <@Ola Nordmann> {}",
        "<marta_k> {}",
        "[SPEAKER_02] {}",
        "abdul — Today at 11:11\n{}",
        "kasia\n14:42\n{}",
        "WhatsApp • 39 min\nOlga P.\n{}",
        "Forwarded: kasia\n{}",
        "🔁 Giulia\n{}",
        "RT @mei_840: {}",
        '{{"id": 7, "slug": "a-visit", "title": "The queen", "body": "{}", "likes": 310, "tags": []}}',
        "{}\n-- Get Outlook for Android",
        "{}\n— sent from my iPhone",
        "{}\n发自我的iPhone",
        "⬆️ 835  {}",
        "{}\n♥ 393  💬 5  Share",
        "{}\n744 points (69% upvoted) · 74 comments",
        "17. {} (148 points by kasia 4 hours ago)",
        "{}\nলাইক · উত্তর · 22 h",
        "User: {}\nAssistant:",
        "Below is an instruction that describes a task.\n\n### Instruction:\n{}\n\n### Response:",
        "<start_of_turn>user\n{}<end_of_turn>\n<start_of_turn>model",
        "<|im_start|>user\n{}<|im_end|>\n<|im_start|>assistant\n",
        "{}\n\n-- \nInes Kowarik",
        "{0}\n\n{0}",
        '{{"id": 7, "user": "kasia", "text": "{}", "ts": 1409235570}}',
        '{{"messages": [{{"role": "user", "content": "{}"}}]}}',
        "527\n00:05:42,285 --> 00:05:46,760\n{}",
        "<speak>{}</speak>",
        "<!-- wp:paragraph --><p>{}</p><!-- /wp:paragraph -->",
        "\\item {}",
        "File: make.info,  Node: Top,  Next: Overview,  Prev: (dir),  Up: (dir)\n\n{}",
        '{{"@context": "https://schema.org", "@type": "NewsArticle", "headline": "The queen",'
        ' "author": {{"@type": "Person", "name": "Ola {{Berg}}"}}, "publisher": "Daily", "articleBody": "{}"}}',
        '{{"type": "message", "user": "U7D4", "text": "{}", "ts": "1406719237.1859"}}',
        '{{"context": "{}", "doc": "c6e498b0"}}',
        "6635;{};2021-07-13",
        '859,"The queen",2005-01-21,"{}"',
        'id,title,date,content\n859,"The queen",2005-01-21,"{}"',
        "5e30f116\tThe queen visits\t{}",
        "INSERT INTO articles (id, title, body, created) VALUES (9074, 'The queen', '{}', '2011-11-23');",
        '<entry><id>urn:uuid:7a</id><title type="text">The queen</title><updated>2021-05-02T00:00:00Z</updated>'
        '<author><name>Ola</name></author><content type="html">{}</content></entry>',
        "<item><title>The queen</title><link>x</link><description><![CDATA[{}]]></description></item>",
        "39) {}",
        "[SOLVED] {}",
        "{} (Official Video)",
        "{} [official audio]",
        "[7] {}",
        '<trans-unit id="5446" approved="yes">\n<source>{}</source>\n</trans-unit>',
        '<tu tuid="5252"><tuv xml:lang="en"><seg>{}</seg></tuv></tu>',
        "<string name='queen_visits'>{}</string>",
        '<data name="queen" xml:space="preserve"><value>{}</value></data>',
        "Quote from: Ola on 2022-10-23, 18:55\n{}",
        "ola schrieb am 2004-01-04 um 10:31:\n{}",
    ],
)
def test_what_is_put_around_a_message_is_no_part_of_it(text):
    framed = text.format(SAID)
    said, origin = read(framed)
    assert said == SAID.casefold()
    assert framed[origin[0] : origin[-1] + 1] == SAID


@pytest.mark.parametrize(
    "text",
    [
        "[10:00] a: The queen visits our town.\n[10:01] b: And who is to pay for it?",
        "10:30 Lunch: bring your own things to eat",
        "10:30 INFO desk opens for all visitors",
        "2026-04-02 01:08:41 ERROR The queen lost her way",
        "2026-04-02 01:08:41 INFO She came.\n2026-04-02 01:09:02 INFO She left.",
        "use **bold** and **more** of **it** here",
        "▁▂▃▅▇ ▁▂▃ ▁▂ load of the processor",
        "Ġorġ u Ġanni marru l-Ġermanja flimkien ma' sħabhom kollha",
        "see ## heading\n## one\n## another",
        "9:00\nWelcome to all of you\n9:30\nKeynote by the queen",
        "<hardware> A desktop machine that draws its power from a wall",
        "Note: the queen visits our town today",
        "The queen visits our town today.\n\n-- \nThe road to the harbour stays closed until noon.",
        "It is made available to all under this one.\n\n--\n\nThe MIT License (MIT)",
        "The queen visits our town.\n- 💬 **WhatsApp:** [+244 955 868 110]",
        "♥ 5 places to see in our town before the queen does",
        "| name | points |\n| --- | --- |\n| kasia | 12 |",
        "A first part of the text\n--\nA second one of it\n--\nA third",
        '{"id": 7, "text": "Great product of all", "label": 1}',
        '{"id": 7, "title": "A visit", "body": "The queen visits our town today."}',
        '{"question": "Where does the queen live?", "answer": "In our town."}',
        "vector<p> and x<g> are templates of this program",
        '[{"id": 1, "text": "The queen visits our town"}, {"id": 2, "text": "She lost her way"}]',
        '{"type": "error", "text": "The queen lost her way"}',
        "2024;Visitors of the town and of the queen;36450",
        "2024;Visitors of the town and of the queen;none;2024-01-01;none",
        "[open] the queen visits our town today",
        "the queen visits our town (live video)",
        "a screen for the queen of our town [4k]",
        '{"source": "The queen of the town by the sea lost her way there", "summary": "She lost her way"}',
        '{"text": "The queen lost her way there", "meta": {"label": "sad"}}',
        "12, Main Street of our town by the sea, 2021-07-13",
        "<item><title>a visit</title><description>the queen visits our town</description></item>",
        "[1] the queen visits our town\n[2] she lost her way there",
        "1) the queen visits our town\n2) she lost her way there",
        "on 21.02.2022, ola wrote:\n> the queen visits our town\nand who is to pay?",
        "on 21.02.2022, ola wrote:\n\nthe queen visits our town\n> who is to pay?",
        "ola wrote on 21.02.2022:\nthe queen comes\n\nine wrote on 22.02.2022:\nand who is to pay?",
        "ola wrote in 2022:\nthe queen visits our town and nobody is to pay",
        "<source>the queen visits our town</source><target>queen comes here</target>",
    ],
)
def test_what_only_looks_like_a_frame_stays(text):
    assert read(text)[0] == " ".join(text.casefold().split())


@pytest.mark.parametrize(
    "text",
    [
        "▁The ▁que en ▁visits ▁our ▁to wn ▁today .",
        "▁The▁queen▁visits▁our▁town▁today.",
        "the qu@@ een vis@@ its our to@@ wn today.",
        "the qu ##een vis ##its our to ##wn today.",
        "The Ġqueen Ġvis its Ġour Ġtown Ġtoday .",
        "**Th**e **que**en **vis**its **o**ur **to**wn **tod**ay.",
    ],
)
def test_pieces_of_words_are_joined(text):
    told, origin = read(text)
    assert told == SAID.casefold()
    assert origin == sorted(origin) and origin[-1] == len(text) - 1


def test_who_wrote_what_a_text_quotes_is_no_part_of_it():
    said, _ = read("On Thu, 16 Aug 2007 00:00:00 +0000, Lena Okafor wrote:\n> The queen visits\n> our town today.")
    assert "wrote" not in said and "queen visits" in said


def test_a_row_may_have_its_separator_in_its_text():
    assert read("5063;to crush; to chew with a noise; as, a biscuit;2018-01-04")[0] == (
        "to crush; to chew with a noise; as, a biscuit"
    )


def test_signs_of_marks_are_no_letters():
    assert read("Every™ queen visits Harbour℠ today")[0] == "every queen visits harbour today"


def test_escapes_within_a_record_are_read():
    assert read('{"id": 7, "text": "The queen visits\\nour town today"}')[0] == "the queen visits our town today"


def test_one_letter_of_several_bytes_is_enough_for_a_text_of_mail():
    assert read("d=C3=B8 og mer =3D")[0] == "dø og mer ="
    assert read("x =3D y")[0] == "x =3d y"
    line = "the keeper of the lighthouse notes each ship of the=20\n"
    assert "20" not in read(line + line)[0] and "20" in read("width=20\nheight=20\n")[0]
