"""Where U+0000 stands in a JSON value."""

from typing import Any

import pytest

from goldloop.kit.nul import find_nul


@pytest.mark.parametrize(
    ("value", "path"),
    [
        (None, None),
        ({}, None),
        ({"a": ["x", {"b": "\\u0000"}]}, None),  # six characters that only look like it
        ("\x00", "/x"),
        ({"a": ["x", {"b": "y\x00"}]}, "/x/a/1/b"),
        ({"a": {"b\x00": 1}}, "/x/a"),
    ],
)
def test_the_place_of_the_first(value: Any, path: str | None) -> None:
    assert [fault.path for fault in find_nul(value, "x")] == ([] if path is None else [path])
