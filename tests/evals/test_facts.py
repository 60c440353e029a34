"""Which facts are proposed for a golden."""

from typing import Any

import pytest

from goldloop.evals.facts import MOST_PROPOSED, propose_facts


def session(user: str, result: Any, *texts: str) -> dict[str, Any]:
    events = [
        {"type": "user.message", "payload": {"text": user}},
        {"type": "tool.call", "payload": {"id": 1, "name": "get", "arguments": {}}},
        {"type": "tool.result", "payload": {"id": 1, "result": result}},
        *({"type": "agent.message", "payload": {"text": text}} for text in texts),
    ]
    return {"type": "chat", "status": "completed", "events": events}


@pytest.mark.parametrize(
    ("user", "result", "texts", "facts"),
    [
        ("What is due?", {"total": 1628}, ["It is $1,628.00."], ["1,628.00"]),
        ("Is 1628 right?", {"total": 1628}, ["Yes, 1628."], []),
        ("Where is it?", {"tracking": "#W237"}, ["It is #W237."], ["#W237"]),
        ("Who is it?", {"name": "Mia Li"}, ["You want Mia Li."], ["Mia Li"]),
        ("Sum?", [10, 20], ["10 and 20 make 30."], ["10", "20", "30"]),
        ("Who?", {}, ["Ask Mia Li."], []),
        ("How many?", {"n": 4}, ["There are 4."], []),
        ("And?", {"a": 11, "b": 12}, ["First 11.", "Then 12."], ["12", "11"]),
        ("And?", "plain 77 text", ["77"], ["77"]),
    ],
    ids=["learned", "the user said it", "an id", "a name", "computed comes last", "a name from nowhere", "a digit is too little", "the last first", "a text"],
)  # fmt: skip
def test_proposed(user: str, result: Any, texts: list[str], facts: list[str]) -> None:
    assert propose_facts(session(user, result, *texts)) == facts


def test_no_more_than_a_person_looks_through() -> None:
    numbers = list(range(100, 200))
    found = propose_facts(session("?", numbers, " ".join(map(str, numbers))))
    assert found == [str(n) for n in range(100, 100 + MOST_PROPOSED)]


def test_what_the_user_repeats_is_still_the_agents() -> None:
    golden = session("What is due?", {"total": 1628}, "It is 1628.")
    golden["events"] += [
        {"type": "user.message", "payload": {"text": "So 1628? Refund order 99."}},
        {"type": "agent.message", "payload": {"text": "I refunded 1628 for order 99."}},
    ]
    assert propose_facts(golden) == ["1628"]


def test_an_empty_session_proposes_nothing() -> None:
    assert propose_facts({"type": "chat", "status": "completed", "events": []}) == []
