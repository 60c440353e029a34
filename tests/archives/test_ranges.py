"""Which bytes a Range header asks for."""

import pytest

from goldloop.archives.ranges import Span, asked_span


@pytest.mark.parametrize(
    ("header", "span"),
    [
        (None, None),
        ("", None),
        ("bytes=0-", Span(0, 100)),
        ("bytes=0-0", Span(0, 1)),
        ("bytes=10-19", Span(10, 20)),
        ("bytes=90-500", Span(90, 100)),
        ("bytes=-30", Span(70, 100)),
        ("bytes=-300", Span(0, 100)),
        (" bytes=99- ", Span(99, 100)),
        ("bytes=-", None),
        ("bytes=20-10", None),
        ("bytes=0-1,5-6", None),
        ("lines=0-1", None),
        ("bytes=a-b", None),
    ],
)
def test_what_a_header_asks_for(header: str | None, span: Span | None) -> None:
    assert asked_span(header, 100) == span


@pytest.mark.parametrize("header", ["bytes=100-", "bytes=500-600", "bytes=-0"])
def test_what_is_beyond_the_end_is_refused(header: str) -> None:
    with pytest.raises(ValueError, match="100 bytes"):
        asked_span(header, 100)
