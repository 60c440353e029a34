"""Server-sent events, however they are cut, and no more of them than can be kept."""

from typing import Any

import pytest

from goldloop.runtimes import event_stream
from goldloop.runtimes.event_stream import EventStream, Sent
from goldloop.runtimes.model import RunFailed


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        (b"", []),
        (b"event: a\ndata: 1\n", []),
        (b"event: a\ndata: 1\n\n", [("a", b"1")]),
        (b"event:a\ndata:1\n\n", [("a", b"1")]),
        (b"event: a\r\ndata: 1\r\n\r\n", [("a", b"1")]),
        (b"event: a\rdata: 1\r\rdata: 2\r\r\n", [("a", b"1"), ("", b"2")]),
        (b"\xef\xbb\xbfevent: a\ndata: 1\n\n", [("a", b"1")]),
        (b": comment\n\n: another\n\n", []),
        (b"id: 7\nretry: 10\nevent: a\ndata: 1\n\n", [("a", b"1")]),
        (b"event: a\ndata: 1\ndata: 2\n\n", [("a", b"1\n2")]),
        (b"event: a\ndata: 1\n\nevent: b\ndata: 2\n\n", [("a", b"1"), ("b", b"2")]),
        (b"event: a\n\ndata: 2\n\n", [("a", b""), ("", b"2")]),
        (b"data:  two spaces\n\n", [("", b" two spaces")]),
        (b"\n\n\n", []),
        (b"event: \xff\ndata: 1\n\n", [("\ufffd", b"1")]),
    ],
)
def test_events_are_read_however_they_are_cut(stream: bytes, expected: list[Any]) -> None:
    for size in (1, 2, 3, 7, 1000):
        reader = EventStream()
        pieces = [stream[start : start + size] for start in range(0, len(stream), size)]
        assert [event for piece in pieces for event in reader.feed(piece)] == [Sent(*e) for e in expected]


@pytest.mark.parametrize("piece", [b"data: and so on\n", b"no end of a line"])
def test_an_event_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch, piece: bytes) -> None:
    monkeypatch.setattr(event_stream, "MOST_EVENT_BYTES", 100)
    reader = EventStream()

    def feed() -> None:
        for _ in range(20):
            list(reader.feed(piece))

    with pytest.raises(RunFailed, match="longer than 100 bytes"):
        feed()


def test_comments_are_no_events_however_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_stream, "MOST_EVENTS", 2)
    reader = EventStream()
    for _ in range(20):
        assert list(reader.feed(b": still there\n\n")) == []
    with pytest.raises(RunFailed, match="more than 2 events"):
        list(reader.feed(b"data: 1\n\n" * 3))


def test_a_long_line_whose_end_is_to_come_is_looked_through_once() -> None:
    reader = EventStream()
    first = b"event: a\ndata: " + b"x" * 900_000  # from each of its places anew would take hours
    assert list(reader.feed(first)) == []
    assert [len(event.data) for event in reader.feed(b"\n\n")] == [900_000]
