"""Words that speak well or ill, and what a "not" makes of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldloop.conversations.gate.lexicon import Tone, tone_of


def tone(*, good: int = 0, ill: int = 0, not_good: int = 0, not_ill: int = 0) -> Tone:
    return Tone(good=good, ill=ill, not_good=not_good, not_ill=not_ill)


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("", tone()),
        ("the table has two rows", tone()),
        ("awful translation", tone(ill=1)),
        ("Brilliantly written", tone(good=1)),  # the beginning of a word
        ("that's not helpful", tone(not_good=1)),
        ("that’s not helpful", tone(not_good=1)),  # as phones write it
        ("no errors anymore", tone(not_ill=1)),
        ("not the very most helpful", tone(good=1)),  # too far from the "not"
        ("no, great work", tone(good=1)),  # a comma ends the "not"
        ("good idea, terrible spelling", tone(good=1, ill=1)),
        ("это не работает", tone(not_good=1)),
        ("völlig unbrauchbar", tone(ill=1)),
        ("完璧です", tone(good=1)),
        ("没用", tone(ill=1)),
    ],
)
def test_tone(sentence: str, found: Tone) -> None:
    assert tone_of(sentence) == found


@given(st.text())
def test_any_text_has_a_tone(text: str) -> None:
    assert min(tone_of(text).good, tone_of(text).ill) >= 0
