"""Which of what waits is sent in one call, as a table."""

import msgspec
import pytest

from goldloop.client import queue
from goldloop.client.queue import Queue, Queued, joined


def queued(number: int, what: str) -> Queued:
    """`c1.t1` is a turn, `c1.t1?` one that is not to be read, `c1.t1!` a reaction to it, `-` a response; `+s1` begins a
    session, `s1#e1` is an event of it, `s1$` ends it."""
    if what.startswith("+"):
        return Queued(number=number, method="POST", path="/api/sessions", query={}, body=RAW)
    if "#" in what or "$" in what:
        session, _, event = what.rstrip("$").partition("#")
        path = f"/api/sessions/{session}/{'events' if event else 'end'}"
        body = msgspec.Raw(msgspec.json.encode({"id": event}))
        return Queued(number=number, method="POST", path=path, query={}, body=body, item_id=event or None)
    if what == "-":
        return Queued(number=number, method="POST", path="/api/entities/e/responses", query={}, body=RAW)
    conversation, turn = what.rstrip("?!").split(".")
    path = f"/conversations/@tenant/Support/{conversation}/turns"
    if what.endswith("!"):
        return Queued(number=number, method="POST", path=f"{path}/{turn}/feedback", query={}, body=RAW)
    query = {"gate": "false"} if what.endswith("?") else {}
    body = msgspec.Raw(msgspec.json.encode({"turn_id": turn}))
    return Queued(number=number, method="POST", path=path, query=query, body=body, item_id=turn)


RAW = msgspec.Raw(b"{}")


def calls(*whats: str, most: int = queue.MOST_ITEMS) -> list[list[int]]:
    """The numbers of what goes in each call, until all is sent."""
    waiting = Queue()
    for number, what in enumerate(whats):
        waiting.add(queued(number, what))
    found = []
    while batch := waiting.oldest(most):
        found.append([each.number for each in batch])
        waiting.remove(batch)
    assert waiting.bytes == 0
    return found


@pytest.mark.parametrize(
    ("waiting", "expected"),
    [
        ([], []),
        (["-"], [[0]]),
        (["-", "-"], [[0], [1]]),
        (["a.1"], [[0]]),
        (["a.1", "a.2", "a.3"], [[0, 1, 2]]),
        (["a.1", "b.1", "a.2", "b.2"], [[0, 2], [1, 3]]),  # conversations do not wait for each other
        (["a.1", "-", "a.2"], [[0, 2], [1]]),
        (["a.1", "a.1!", "a.2"], [[0], [1], [2]]),  # a reaction stays where it is in its conversation
        (["a.1", "b.1!", "a.2"], [[0, 2], [1]]),
        (["a.1", "a.1"], [[0], [1]]),  # a list may not have one twice
        (["a.1", "a.2?", "a.3?", "a.4"], [[0], [1, 2], [3]]),
        (["+s", "s#1", "s#2", "s$"], [[0], [1, 2], [3]]),
        (["+s", "s#1", "+t", "t#1", "s#2", "t$", "s$"], [[0], [1, 4], [2], [3], [5], [6]]),
        (["+s", "s#1", "a.1", "s#2", "a.2"], [[0], [1, 3], [2, 4]]),
    ],
)
def test_what_goes_together(waiting: list[str], expected: list[list[int]]) -> None:
    assert calls(*waiting) == expected


def test_a_call_has_as_many_turns_as_the_server_takes() -> None:
    assert [len(call) for call in calls(*(f"a.{n}" for n in range(2100)))] == [1000, 1000, 100]
    assert calls("a.1", "a.2", "a.3", most=2) == [[0, 1], [2]]


def test_a_call_has_as_many_bytes_as_the_server_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "MOST_BYTES", 40)  # {"turn_id":"1"} has 15
    assert calls("a.1", "a.2", "a.3") == [[0, 1], [2]]
    monkeypatch.setattr(queue, "MOST_BYTES", 5)
    assert calls("a.1", "a.2") == [[0], [1]]  # one that is too long is for the server to refuse


@pytest.mark.parametrize(
    ("waiting", "dropped"),
    [
        (["-", "-"], [0, 1]),
        (["+s", "s#1", "s#2", "s$"], [1, 2, 3, 0]),  # what is left of a session has where to go
        (["+s", "+t", "t#1"], [2, 0, 1]),
        (["a.1", "+s"], [0, 1]),
    ],
)
def test_what_makes_room_first(waiting: list[str], dropped: list[int]) -> None:
    line = Queue()
    for number, what in enumerate(waiting):
        line.add(queued(number, what))
    assert [line.drop_oldest().number for _ in waiting] == dropped
    assert (len(line), line.bytes) == (0, 0)


def test_room_is_looked_for_among_the_first_alone() -> None:
    line = Queue()
    for number in range(queue.MOST_PASSED_OVER):
        line.add(queued(number, f"+s{number}"))
    line.add(queued(queue.MOST_PASSED_OVER, "-"))
    assert line.drop_oldest().number == 0


def test_events_are_a_list_also_when_there_is_one() -> None:
    request = joined([queued(0, "s#1")])
    assert (request.path, request.query) == ("/api/sessions/s/events", {})
    assert msgspec.json.decode(msgspec.json.encode(request.body)) == [{"id": "1"}]


def test_what_was_left_comes_before_what_is_new() -> None:
    waiting = Queue()
    waiting.add(queued(1, "a.3"))
    waiting.put_before([queued(-1, "a.1"), queued(-2, "a.2")])
    assert [each.number for each in waiting.oldest()] == [-1, -2, 1]
    assert waiting.drop_oldest().number == -1
    assert [each.number for each in waiting] == [-2, 1]


@pytest.mark.parametrize(
    ("turns", "query", "body"),
    [
        (["a.1"], {}, {"turn_id": "1"}),
        (["a.1?"], {"gate": "false"}, {"turn_id": "1"}),
        (["a.1", "a.2"], {"gate": "true"}, [{"turn_id": "1"}, {"turn_id": "2"}]),
        (["a.1?", "a.2?"], {"gate": "false"}, [{"turn_id": "1"}, {"turn_id": "2"}]),
    ],
)
def test_what_is_sent_is_read_for_reactions_as_if_it_came_alone(
    turns: list[str], query: dict[str, str], body: object
) -> None:
    request = joined([queued(n, turn) for n, turn in enumerate(turns)])
    assert (request.query, msgspec.json.decode(msgspec.json.encode(request.body))) == (query, body)
