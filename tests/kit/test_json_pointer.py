"""A place in a JSON document has one spelling."""

import pytest

from goldloop.kit.json_pointer import pointer


@pytest.mark.parametrize(
    ("parts", "written"),
    [
        ((), ""),
        (("values",), "/values"),
        (("values", "a/b", 0), "/values/a~1b/0"),
        (("~1",), "/~01"),
        (("",), "/"),
    ],
)
def test_pointer(parts: tuple[str | int, ...], written: str) -> None:
    assert pointer(*parts) == written
