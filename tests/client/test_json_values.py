"""Anything a program holds, as JSON that the server takes."""

import dataclasses
import json
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from goldloop.client.json_values import CUT, DEEPEST, encode_object
from goldloop.kit.http import decode_body
from tests.loops import some


class Raising:
    def __repr__(self) -> str:
        raise RuntimeError("not to be shown")


class Model:
    """As Pydantic's are."""

    def model_dump(self, mode: str) -> dict[str, Any]:
        return {"mode": mode, "inner": Shown()}


class Shown:
    def __repr__(self) -> str:
        return "<Shown>"


@dataclasses.dataclass
class Point:
    x: int
    of: Any = None


def encoded(value: Any) -> Any:
    content = bytes(encode_object({"v": value}))
    assert decode_body(content, dict[str, Any]), "the server takes it"
    return json.loads(content)["v"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        ("", ""),
        ([], []),
        ({"a": [1, 2.5, True]}, {"a": [1, 2.5, True]}),
        (Shown(), "<Shown>"),
        ([Shown()], ["<Shown>"]),
        (Raising(), "<Raising>"),
        (Model(), {"mode": "json", "inner": "<Shown>"}),
        (Model, repr(Model)),
        (Point(1, Shown()), {"x": 1, "of": "<Shown>"}),
        ((1, 2), [1, 2]),
        ({7}, [7]),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (datetime(2026, 1, 1, tzinfo=UTC), "2026-01-01T00:00:00Z"),
        (Decimal("1.5"), "1.5"),
        (b"ab", "YWI="),
        ({1: "a", (1, 2): "b", None: "c"}, {"1": "a", "(1, 2)": "b", "None": "c"}),
        (float("nan"), None),
        (float("inf"), None),
        (1e-300, "1e-300"),
        (-1e60, "-1e+60"),
        (0.5, 0.5),
        (2**70, str(2**70)),
        (10**18, 10**18),
        ("a\x00b", "a\ufffdb"),
        ("half \ud83d", "half \ufffd"),
        ({"k\x00": ["\ud800", Shown()]}, {"k\ufffd": ["\ufffd", "<Shown>"]}),
        (ValueError("no"), "ValueError('no')"),
        ("-1e60, [12345678901234567890]", "-1e60, [12345678901234567890]"),
    ],
)
def test_a_value_is_what_json_has_for_it(value: Any, expected: Any) -> None:
    assert encoded(value) == expected


def test_what_holds_itself_ends() -> None:
    ring: list[Any] = [1]
    ring += [ring, {"in": ring}]
    assert encoded(ring) == [1, CUT, {"in": CUT}]
    point = Point(1)
    point.of = point
    assert "Point" in encoded(point)


def test_what_is_too_deep_is_cut_there() -> None:
    value: Any = "bottom"
    for _ in range(500):
        value = [value]
    levels, found = 0, encoded(value)
    for _ in some(range(500)):
        if not isinstance(found, list):
            break
        levels, found = levels + 1, found[0]
    assert (levels, found) == (DEEPEST - 1, CUT)
    assert encoded("[" * 500) == "[" * 500


@pytest.mark.parametrize("most", [400, 1000, 100_000])
def test_what_is_too_long_is_cut_and_says_so(most: int) -> None:
    values = {"id": "c1", "name": "read", "arguments": {"path": "/x"}, "result": 'é"\n' * 100_000, "n": 1}
    content = bytes(encode_object(values, most))
    assert len(content) <= most
    found = json.loads(content)
    assert found.pop("cut") == ["result"]
    result = found.pop("result")
    assert result.endswith(CUT)
    assert values["result"].startswith(result.removesuffix(CUT))  # type: ignore[attr-defined]
    assert len(result) > most // 12
    assert found == {"id": "c1", "name": "read", "arguments": {"path": "/x"}, "n": 1}


def test_what_is_no_text_is_cut_to_the_beginning_of_its_json() -> None:
    rows = [{"row": n, "text": "x" * 50} for n in range(10_000)]
    found = json.loads(bytes(encode_object({"id": "c1", "result": rows, "log": rows}, 20_000)))
    assert found["cut"] == ["result", "log"]
    assert found["result"].startswith('[{"row":0,"text":"xxx')
    assert 8000 < len(found["result"]) < 10_000


def test_what_fits_is_not_cut() -> None:
    content = bytes(encode_object({"id": "c1", "result": "x" * 100}, 200))
    assert json.loads(content) == {"id": "c1", "result": "x" * 100}


def test_more_names_than_there_is_room_for_stay_within_it() -> None:
    values = {f"name {n}": "x" * 20 for n in range(1000)}
    content = bytes(encode_object(values, 30_000))
    assert len(content) < 70_000, "names are not cut"
    assert json.loads(content)["cut"]
