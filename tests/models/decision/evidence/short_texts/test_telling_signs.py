"""Signs that tell what a short text is about."""

import polars as pl
import pytest

from models.decision.evidence.short_texts.telling_signs import UNTOLD, telling_signs
from models.lexical.text import normalise
from tests.models.decision.evidence.test_pair_evidence import compared


def told(text):
    return set(telling_signs(normalise(pl.Series([text])), pl.Series([True]).to_numpy())[:, 0].tolist())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("✅ nightly build finished on runner", "❌ nightly build finished on runner"),
        ("🟢 Server web: state has changed", "🔴 Server web: state has changed"),
        ("📈 the price of it moved by a lot", "📉 the price of it moved by a lot"),
        ("Hotel Grand, Toronto: ★★★★☆ (9501 ratings)", "Hotel Grand, Toronto: ★★★★★ (9501 ratings)"),
        ("Anna led the queen of ♥ and took trick 6", "Anna led the queen of ♠ and took trick 6"),
        ("parrot, ♀, chip 464017, green and loud", "parrot, ♂, chip 464017, green and loud"),
        ("waterproof ✗, dimmable ✓, made of oak", "waterproof ✓, dimmable ✓, made of oak"),
        ("🇫🇷 the shop is open on Sundays now", "🇩🇪 the shop is open on Sundays now"),
        ("Press ↑ to see the command before it", "Press ↓ to see the command before it"),
        ("Nocturne in C♭ minor, recorded in Athens", "Nocturne in C♯ minor, recorded in Athens"),
        ("Hanno già chiuso il negozio di libri?", "Hanno già chiuso il negozio di libri."),
    ],
)
def test_other_states_and_questions_make_other_texts(one, other):
    assert compared(one, other)["differences"] != 0
    assert compared(one, one)["differences"] == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("✅ nightly build finished on runner", "nightly build finished on runner"),
        ("✅ nightly build finished on runner", "☑ nightly build finished on runner 🎉"),
        ("✅ nightly build finished on runner", "✅ nightly build finished on runner ➡️ 🇺🇸"),
        ("★ nightly build finished on runner ★", "★★★ nightly build finished on runner ★★★"),
        ("nobody knows where they went 🤷‍♀️", "nobody knows where they went 🤷‍♂️"),
        ("Hanno già chiuso il negozio di libri?", "Hanno già chiuso il negozio di libri"),
        ("Hanno già chiuso il negozio di libri...", "Hanno già chiuso il negozio di libri?"),
    ],
)
def test_what_only_one_text_has_is_decoration(one, other):
    assert compared(one, other)["differences"] == 0


def test_texts_without_such_signs_tell_nothing():
    assert told("It is so 🎉 good") == {UNTOLD}
