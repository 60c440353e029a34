"""Scripts of starter sets: pure, so tables of cases are enough."""

import re
from typing import Any

import pytest

from goldloop.goldens.starters.catalogue import STARTERS
from goldloop.goldens.starters.model import Starter
from goldloop.goldens.starters.sales_ops import NEXT_STEP, NEXT_STEP_LEFT_OPEN
from goldloop.goldens.starters.scripting import SOMETIMES
from goldloop.runtimes.scripted_models import SCRIPTS, Call, Told
from tests.loops import some

NORTHGATE = {"id": "1", "title": "Northgate Clinics", "content": {"renewal_date": "2027-02-28", "arr_eur": 84_000}}  # fmt: skip
CALLED = "I spoke with Northgate Clinics. Agreed: send a price."


def say(name: str, message: str, *results: Any, instructions: str = "", repeat: int = 0) -> Any:
    return SCRIPTS[name](Told(message, list(results), instructions, repeat))


@pytest.mark.parametrize("starter", some(STARTERS.values()), ids=lambda starter: starter.name)
def test_a_set_has_six_to_ten_requests_of_which_some_ask_for_a_change(starter: Starter) -> None:
    assert 6 <= len(starter.requests) <= 10
    assert len({request.key for request in starter.requests}) == len(starter.requests)
    assert len({request.message for request in starter.requests}) == len(starter.requests)
    assert all(request.facts and request.note for request in starter.requests)
    assert {record.type for record in starter.records} == {kind.slug for kind in starter.types}


@pytest.mark.parametrize("starter", some(STARTERS.values()), ids=lambda starter: starter.name)
def test_every_request_begins_by_reading_and_says_so_where_nothing_is_found(starter: Starter) -> None:
    for request in some(starter.requests):
        first = say(starter.name, request.message)
        assert isinstance(first, Call)
        assert first.tool == "searchEntities"
        second = say(starter.name, request.message, {"error": "It failed"}, instructions=starter.instructions)
        assert isinstance(second, Call) or re.search(r"find no|Nothing|None|0|green", second), second


@pytest.mark.parametrize("name", some(list(STARTERS)))
def test_what_no_rule_is_about_is_refused_in_words(name: str) -> None:
    assert "cannot help" in say(name, "Sing a song")


@pytest.mark.parametrize(
    ("instructions", "writes"),
    [(NEXT_STEP, {True}), ("Be brief.", {False}), ("", {False}), (NEXT_STEP_LEFT_OPEN, {True, False})],
)
def test_a_rule_is_followed_as_the_instructions_have_it(instructions: str, writes: set[bool]) -> None:
    found = {"entities": [NORTHGATE]}
    steps = [say("sales-ops", CALLED, found, instructions=instructions, repeat=n) for n in range(1, 31)]
    assert {isinstance(step, Call) for step in steps} == writes
    again = [say("sales-ops", CALLED, found, instructions=instructions, repeat=n) for n in range(1, 31)]
    assert again == steps


def test_draws_are_spread_evenly_and_are_the_same_again() -> None:
    draws = [Told(f"Message {n}", [], repeat=k).draw() for n in range(100) for k in range(10)]
    assert all(0 <= drawn < 1 for drawn in draws)
    assert len(set(draws)) == 1000
    assert abs(sum(drawn < SOMETIMES for drawn in draws) / 1000 - SOMETIMES) < 0.05
    assert Told("Message 0", [], repeat=0).draw() == draws[0]
