"""A step is one that somebody could begin with now."""

from typing import Any

import pytest

from goldloop.artifact_evals import require_actionable_payload
from tests.artifact_evals.artifacts import make_artifact

GOOD = "Ask which lamp of the router is red."


@pytest.mark.parametrize(
    ("steps", "score", "says"),
    [
        (GOOD, 1.0, "`steps` says what to do in 1 step"),
        ([GOOD, GOOD], 1.0, "in 2 steps"),
        ([{"action": GOOD}, {"text": GOOD}], 1.0, "in 2 steps"),
        (None, 0.0, "`steps` is empty: nobody can act on it"),
        ([], 0.0, "is empty"),
        (["", None], 0.0, "is empty"),
        ("Fix it", 0.0, "`steps` says “Fix it”: too short to act on"),
        (
            [GOOD, "Clean the desk as needed."],
            0.5,
            "`steps[1]` says “as needed”, which everybody reads differently",
        ),
        ([GOOD, "Send lamps, cables, etc."], 0.5, "says “etc”"),
        ([GOOD, "Somebody should look into the lamps", "Check things"], 1 / 3, "(and 1 more like it)"),
        (["重新启动数据库服务器并检查日志"], 1.0, "in 1 step"),
        (["重启"], 0.0, "too short to act on"),
        (["Keep the try token in the store."], 1.0, "in 1 step"),
        (["\u200b \u200b \u200b \u200b"], 0.0, "is empty"),
        ([GOOD, 5], 0.5, "`steps[1]` has no text that says what to do"),
        ([GOOD, {"owner": "Ann"}], 0.5, "`steps[1]` has no text"),
        (42, 0.0, "`steps` has no text that says what to do"),
        ({"a": 1}, 0.0, "`steps` has no text"),
    ],
)
def test_steps_are_concrete(steps: Any, score: float, says: str) -> None:
    result = require_actionable_payload("steps").run(make_artifact(fields={"steps": steps}))
    assert (result.passed, result.score, result.fields) == (score == 1, pytest.approx(score), ("steps",))
    assert says in result.reason


@pytest.mark.parametrize(
    ("steps", "passed", "says"),
    [
        ([{"action": GOOD, "owner": "Ann"}] * 2, True, "2 steps"),
        ([{"action": GOOD, "owner": "Ann"}], False, "`steps` has 1 of 2 steps"),
        ([{"action": GOOD, "owner": "Ann"}, {"action": GOOD, "owner": "tbd"}], False, "`steps[1]` leaves `owner` open"),
    ],
)  # fmt: skip
def test_steps_have_what_else_was_asked_for(steps: Any, passed: bool, says: str) -> None:
    check = require_actionable_payload("steps", also=("owner",), minimum=2)
    result = check.run(make_artifact(fields={"steps": steps}))
    assert result.passed == passed
    assert says in result.reason


def test_a_check_of_no_step_cannot_be_made() -> None:
    with pytest.raises(ValueError):
        require_actionable_payload("steps", minimum=0)
