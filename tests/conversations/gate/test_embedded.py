"""The embedded detector: what it must and must not fire on, and what holds for any text."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldloop.conversations.gate.embedded import NAME, EmbeddedDetector

DETECTOR = EmbeddedDetector()


@pytest.mark.parametrize(
    ("reaction", "message", "assistant"),
    [
        ("not_ok", "I asked for 2023 not 2024", "Here is the revenue of 2024: …"),
        ("not_ok", "that's the same code as before", "Here is the corrected version: …"),
        ("not_ok", "still getting the same error", "Try to upgrade the package."),
        ("not_ok", "This is wrong.", "The capital of Australia is Sydney."),
        ("not_ok", "THAT IS NOT WHAT I SAID!!!", "So you'd like to cancel."),
        ("not_ok", "No, that is not correct. The answer is 12.", "The answer is 14."),
        ("not_ok", "das stimmt nicht", "Die Antwort ist 7."),
        ("not_ok", "不对", "答案是7。"),
        ("not_ok", "sigue sin funcionar", "Reinicia el servicio."),
        ("ok", "works, thanks", "Change the port."),
        ("ok", "Perfect, exactly what I needed", "Here's the query."),
        ("ok", "That fixed it!", "Remove the flag."),
        ("ok", "Parfait, merci beaucoup", "Voici la lettre."),
        ("neutral", "Good, but too long", "Here's the text."),
    ],
)
def test_it_fires_on_reactions(reaction: str, message: str, assistant: str) -> None:
    found = DETECTOR.judge(message, assistant)
    assert (found.reaction, found.fires) == (reaction, True), found


@pytest.mark.parametrize(
    ("message", "assistant"),
    [
        ("Write a function that parses dates", None),
        ("what about the week after?", "Fully booked in June."),
        ("thanks, now do the same for the orders table", "Here's the migration."),
        ("Please convert this to yaml, thanks in advance", None),
        ("no", "Do you want me to add tests too?"),
        ("👍", "Shall I run the migration?"),
        ('Translate to German: "This is not what I asked for."', None),
        ("My boss hated the dashboard, make it less busy", "Here's the dashboard."),
        ("The product is terrible, write a review", None),
        ('You said "this is not covered". Which clause says so?', "Sorry, this is not covered."),
        ("> this is broken\n> awful\n\nWhich ticket is this?", None),
        ("```\nERROR: wrong result\n```", None),
        ("gracias, ahora traduce la carta", "Aquí está el texto."),
        ("", None),
        ("   \n\t ", "Hello!"),
        ("?!...", "Hello!"),
    ],
)
def test_it_does_not_fire_on_anything_else(message: str, assistant: str | None) -> None:
    found = DETECTOR.judge(message, assistant)
    assert not found.fires, found


def test_the_evidence_is_the_sentence_that_weighs_most() -> None:
    message = "I went through the plan this morning. The dates are wrong. Please send a new one by tonight."
    assert DETECTOR.judge(message, "Here's the plan.").evidence == "The dates are wrong."


def test_no_reaction_has_no_evidence() -> None:
    found = DETECTOR.judge("Write a haiku")
    assert (found.reaction, found.evidence, found.detector) == (None, "", NAME)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300), st.none() | st.text(max_size=300))
def test_any_text_has_one_verdict(message: str, assistant: str | None) -> None:
    found = DETECTOR.judge(message, assistant)
    assert 0 <= found.confidence <= 1
    assert found == DETECTOR.judge(message, assistant)
    if found.reaction is None:
        assert not found.fires


@pytest.mark.parametrize(
    "message", ["\ud800\udfff", "\x00\x01", "wrong " * 20_000, "a" * 100_000, "\u202e👍🏽\u200d", "\n" * 999]
)
def test_odd_and_huge_texts_are_judged_too(message: str) -> None:
    assert 0 <= DETECTOR.judge(message, message).confidence <= 1


async def test_a_loop_can_wait_for_many_at_once() -> None:
    found = await asyncio.gather(
        *(DETECTOR.detect("That is wrong.", previous_assistant="4") for _ in range(8))
    )
    assert len({detection.confidence for detection in found}) == 1
