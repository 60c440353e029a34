"""What a turn may be, and when two are the same."""

from datetime import UTC, datetime, timedelta

import pytest

from goldloop.conversations.turns.content import NewMessage, NewTurn, as_row, check_turns, digest
from goldloop.kit.errors import InvalidInput

NOW = datetime(2026, 5, 1, tzinfo=UTC)
HI = NewMessage(text="hi")


@pytest.mark.parametrize(
    ("turns", "faults"),
    [
        ([NewTurn(turn_id="t", user=HI)], []),
        ([NewTurn(turn_id="t", assistant=HI)], []),
        ([NewTurn(turn_id="t", user=NewMessage(text=""))], []),
        ([NewTurn(turn_id="t")], [("", "empty_turn")]),
        ([NewTurn(turn_id="a", user=HI), NewTurn(turn_id="b")], [("/1", "empty_turn")]),
        ([NewTurn(turn_id="a", user=HI), NewTurn(turn_id="a", user=HI)], [("/1/turn_id", "repeated")]),
        ([NewTurn(turn_id="..", user=HI)], [("/turn_id", "invalid_id")]),
        ([NewTurn(turn_id="é" * 200, user=HI)], []),
        ([NewTurn(turn_id="😀" * 151, user=HI)], [("/turn_id", "too_long")]),
        ([NewTurn(turn_id="t", user=HI, user_id="😀" * 151)], [("/user_id", "too_long")]),
        ([NewTurn(turn_id="t", user=HI, ts=NOW + timedelta(hours=23))], []),
        ([NewTurn(turn_id="t", user=HI, ts=NOW + timedelta(hours=25))], [("/ts", "out_of_range")]),
        ([NewTurn(turn_id="t", user=HI, ts=datetime(1969, 12, 31, tzinfo=UTC))], [("/ts", "out_of_range")]),
    ],
)
def test_a_turn_that_cannot_be_is_refused_where_it_is_wrong(
    turns: list[NewTurn], faults: list[tuple[str, str]]
) -> None:
    found: list[tuple[str, str]] = []
    try:
        check_turns(turns, NOW)
    except InvalidInput as error:
        found = [(fault.path, fault.code) for fault in error.errors]
    assert found == faults


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (NewTurn(turn_id="t", user=HI), NewTurn(turn_id="t", user=NewMessage(text="hi")), True),
        (NewTurn(turn_id="t", user=HI), NewTurn(turn_id="t", assistant=HI), False),
        (NewTurn(turn_id="t", user=HI, turn_log={"a": 1, "b": 2}), NewTurn(turn_id="t", user=HI, turn_log={"b": 2, "a": 1}), True),
        (NewTurn(turn_id="t", user=HI, turn_log={}), NewTurn(turn_id="t", user=HI), False),
        (NewTurn(turn_id="t", user=HI, track_id="A"), NewTurn(turn_id="t", user=HI), False),
    ],
)  # fmt: skip
def test_a_repeated_turn_is_told_from_another(one: NewTurn, other: NewTurn, same: bool) -> None:
    assert (digest(one) == digest(other)) is same


def test_a_row_has_what_was_said() -> None:
    row = as_row(NewTurn(turn_id="t", user=HI, turn_log={"steps": []}))
    assert (row["user_text"], row["assistant_text"], row["turn_log"]) == ("hi", None, {"steps": []})
