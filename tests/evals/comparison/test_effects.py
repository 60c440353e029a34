"""How missing and unexpected writes are told of."""

from typing import Any

from goldloop.evals import Effects
from goldloop.evals.comparison.effects import MOST_COMPARED, compare_effects
from goldloop.evals.model import Divergence
from goldloop.evals.recorded import Tools, read_session


def divergences(golden: list[dict[str, Any]], replay: list[dict[str, Any]]) -> list[Divergence]:
    def session(calls: list[dict[str, Any]]) -> Any:
        events = [{"type": "tool.call", "payload": {"name": "set", "arguments": each}} for each in calls]
        return read_session({"type": "chat", "status": "completed", "events": events}, "x")

    found = compare_effects(session(golden), session(replay), Tools({}), Effects.EXACT, 0.8)
    return found.divergences


def test_what_is_most_alike_is_one_write_with_another_argument() -> None:
    golden = [{"id": 1, "a": 1, "b": 1}, {"id": 2, "a": 2, "b": 2}]
    replay = [{"id": 2, "a": 2, "b": 9}, {"id": 1, "a": 9, "b": 1}]
    found = {(d.path, d.golden, d.replay) for d in divergences(golden, replay)}
    assert found == {("a", 1, 9), ("b", 2, 9)}


def test_what_has_no_other_is_missing_or_too_much() -> None:
    kinds = [str(d.kind) for d in divergences([{"id": 1}, {"id": 2}], [{"id": 3}])]
    assert kinds == ["missing_write", "wrong_write_argument"]
    assert [str(d.kind) for d in divergences([], [{"id": 3}])] == ["unexpected_write"]


def test_very_many_are_paired_as_they_come() -> None:
    many = MOST_COMPARED
    found = divergences([{"id": n} for n in range(many)], [{"id": -1 - n} for n in range(many)])
    assert [(d.golden, d.replay) for d in found] == [(n, -1 - n) for n in range(many)]
