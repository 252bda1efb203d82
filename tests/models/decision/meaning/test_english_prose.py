"""English prose, beside what the comparison of meaning has not learned."""

import polars as pl
import pytest

from models.decision.meaning.english_prose import is_english_prose

SENTENCE = "The council decided that the old bridge would be closed to all traffic until the autumn."


@pytest.mark.parametrize(
    "text",
    [
        SENTENCE,
        f"News of the day\n\n{SENTENCE} Nobody knows what it will cost, but it will not be cheap.\n\nShare | Print",
        "A woman is reading to her two children in a park that is full of people.",
    ],
)
def test_sentences_are_english_prose(text):
    assert is_english_prose(pl.Series([text])).tolist() == [True]


@pytest.mark.parametrize(
    "text",
    [
        "Der Rat beschloss, dass die alte Brücke bis zum Herbst für den gesamten Verkehr gesperrt wird.",
        "Rådet besluttede, at den gamle bro skulle være lukket for al trafik indtil efteråret.",
        "市议会决定，旧桥在秋天之前对所有车辆关闭，因为修理需要很长的时间，费用也不低。",
        'label: Sources\nterms: reference\nsurvey: "Survey"\naerial imagery: Aerial Imagery\ngps: GPS',
        "def closed(bridge):\n    # the bridge is closed to all traffic\n    return bridge.traffic == 0\n",
        "Pumping Station",
        "",
    ],
)
def test_other_languages_code_records_and_titles_are_not(text):
    assert is_english_prose(pl.Series([text])).tolist() == [False]


def test_a_page_that_is_translated_in_part_is_not_english_alone():
    english = f"{SENTENCE} The new one will not be ready before the end of the year, as far as is known." * 2
    german = "Die neue wird nicht vor dem Ende des Jahres fertig sein, soweit es bekannt ist, und das ist zu spät. " * 2
    assert is_english_prose(pl.Series([english, f"{german}\n{english}"])).tolist() == [True, False]
