"""Which of what waits is sent in one call, as a table."""

import msgspec
import pytest

from goldloop.client import queue
from goldloop.client.queue import Queue, Queued, joined


def queued(number: int, what: str) -> Queued:
    """`c1.t1` is a turn, `c1.t1?` one that is not to be read, `c1.t1!` a reaction to it, `-` a response."""
    if what == "-":
        return Queued(number=number, method="POST", path="/api/entities/e/responses", query={}, body=RAW)
    conversation, turn = what.rstrip("?!").split(".")
    path = f"/conversations/@tenant/Support/{conversation}/turns"
    if what.endswith("!"):
        return Queued(number=number, method="POST", path=f"{path}/{turn}/feedback", query={}, body=RAW)
    query = {"gate": "false"} if what.endswith("?") else {}
    body = msgspec.Raw(msgspec.json.encode({"turn_id": turn}))
    return Queued(number=number, method="POST", path=path, query=query, body=body, turn_id=turn)


RAW = msgspec.Raw(b"{}")


def calls(*whats: str, most: int = queue.MOST_TURNS) -> list[list[int]]:
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
