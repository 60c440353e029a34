"""Which prompts are one candidate: tables of cases."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from goldloop.goldens.candidates.dedup import Complaint, Prompt, candidates_of, dedup_key, message_text

AGENT, OTHER = UUID(int=1), UUID(int=2)
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("payload", "text"),
    [
        ({"text": " Hello "}, "Hello"),
        ({"text": ""}, None),
        ({"text": " \n"}, None),
        ({"text": 7}, None),
        ({}, None),
        ({"content": "Hello"}, "Hello"),
        ({"content": [{"type": "text", "text": "a"}, {"type": "image"}, "b"]}, "a\nb"),
        ({"text": "", "content": "Hello"}, "Hello"),
    ],
)
def test_the_text_of_a_message(payload: dict[str, Any], text: str | None) -> None:
    assert message_text(payload) == text


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Hello  you", "hello you", True),
        (" Hello\tyou\n", "Hello you", True),
        ("Hello you", "Hello, you", False),
        ("HELLO", "hello", True),
    ],
)
def test_prompts_are_the_same_but_for_case_and_spaces(one: str, other: str, same: bool) -> None:
    assert (dedup_key(AGENT, Prompt(one)) == dedup_key(AGENT, Prompt(other))) is same
    assert dedup_key(AGENT, Prompt(one)) != dedup_key(OTHER, Prompt(one))


def test_prompts_that_begin_alike_are_the_same_where_the_whole_is() -> None:
    assert dedup_key(AGENT, Prompt("Long…", "a")) == dedup_key(AGENT, Prompt("Long…", "a"))
    assert dedup_key(AGENT, Prompt("Long…", "a")) != dedup_key(AGENT, Prompt("Long…", "b"))


def complaint(number: int, session: int, agent: UUID = AGENT) -> Complaint:
    at = NOON - timedelta(hours=number)
    return Complaint(UUID(int=number), UUID(int=session), agent, "scout", "Scout", f"note {number}", at)


def test_the_most_complained_of_comes_first_and_the_newest_session_stands_for_all() -> None:
    complaints = [
        complaint(1, 11),
        complaint(2, 12),
        complaint(3, 13),
        complaint(4, 14, OTHER),
        complaint(5, 15),
    ]
    prompts = {
        UUID(int=11): Prompt("Once"),
        UUID(int=12): Prompt("Twice"),
        UUID(int=13): Prompt(" twice"),
        UUID(int=14): Prompt("Twice"),
    }
    found = candidates_of(complaints, prompts)
    assert [(each.prompt, each.occurrence_count, each.agent_id) for each in found] == [
        ("Twice", 2, AGENT),
        ("Once", 1, AGENT),
        ("Twice", 1, OTHER),
    ]
    assert found[0].feedback_ids == [UUID(int=2), UUID(int=3)]
    assert (found[0].representative_session_id, found[0].comment) == (UUID(int=12), "note 2")


def test_nothing_makes_no_candidates() -> None:
    assert candidates_of([], {}) == []
