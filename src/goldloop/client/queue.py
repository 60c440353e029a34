"""What waits to be sent, in order, and which of it is sent in one call. Pure.

Turns of one conversation that wait at the same time go together, as one list: up to `MOST_TURNS` of them, `MOST_BYTES`
long, and none from behind a reaction in that conversation, which is to find what came before it and nothing else.
"""

from collections import OrderedDict, deque
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from goldloop.client.calls import Request

MOST_TURNS = 1000  # that the server takes in one call
MOST_BYTES = 512 * 1024  # half of what the server takes in one call unless it is set up otherwise
CONVERSATION_PARTS = 5  # of a path: "", "conversations", the workspace, the project, the conversation


class Queued(msgspec.Struct, frozen=True, kw_only=True):
    """One submission, encoded: what the caller changes afterwards is not sent. `turn_id` is that of a turn."""

    number: int
    method: str
    path: str
    query: dict[str, str]
    body: msgspec.Raw
    turn_id: str | None = None

    @property
    def size(self) -> int:
        return memoryview(self.body).nbytes

    @property
    def conversation(self) -> str | None:
        """None for what is in none."""
        parts = self.path.split("/")
        return "/".join(parts[:CONVERSATION_PARTS]) if parts[1] == "conversations" else None

    @property
    def is_read(self) -> bool:
        """Whether the gate is to read what the user of a turn says; a turn that comes alone is read unless told."""
        return self.query.get("gate") != "false"


class Queue:
    """Oldest first. Taking, dropping and being done cost the same however many wait."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[int, Queued] = OrderedDict()
        self._conversations: dict[str, deque[Queued]] = {}
        self.bytes = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def __iter__(self) -> Iterator[Queued]:
        return iter(self._waiting.values())

    def __contains__(self, each: Queued) -> bool:
        return each.number in self._waiting

    def add(self, each: Queued) -> None:
        self._waiting[each.number] = each
        self.bytes += each.size
        if each.conversation is not None:
            self._conversations.setdefault(each.conversation, deque()).append(each)

    def put_before(self, earlier: Sequence[Queued]) -> None:
        later = list(self._waiting.values())
        self._waiting.clear()
        self._conversations.clear()
        self.bytes = 0
        for each in (*earlier, *later):
            self.add(each)

    def drop_oldest(self) -> Queued:
        oldest = next(iter(self._waiting.values()))
        self.remove([oldest])
        return oldest

    def remove(self, batch: Sequence[Queued]) -> list[Queued]:
        """Those of them that still waited."""
        found = [each for each in batch if self._waiting.pop(each.number, None) is not None]
        for each in found:
            self.bytes -= each.size
            if each.conversation is not None:
                others = self._conversations[each.conversation]
                others.remove(each)  # the first of them, or nearly
                if not others:
                    del self._conversations[each.conversation]
        return found

    def oldest(self, most: int = MOST_TURNS) -> list[Queued]:
        """The oldest one, with the turns that go with it; they stay until they are removed."""
        if not self._waiting:
            return []
        first = next(iter(self._waiting.values()))
        if first.turn_id is None or first.conversation is None:
            return [first]
        batch: list[Queued] = []
        seen: set[str] = set()
        size = 0
        for each in self._conversations[first.conversation]:
            fits = len(batch) < most and (not batch or size + each.size <= MOST_BYTES)
            if each.turn_id is None or each.turn_id in seen or each.is_read != first.is_read or not fits:
                break
            batch.append(each)
            seen.add(each.turn_id)
            size += each.size
        return batch


def joined(batch: Sequence[Queued]) -> Request:
    """One request for all of them; its answer is not read."""
    first = batch[0]
    query: dict[str, Any] = dict(first.query)
    body = first.body
    if len(batch) > 1:
        query["gate"] = "true" if first.is_read else "false"  # a list is read only if it is asked for
        body = msgspec.Raw(b"[" + b",".join(bytes(each.body) for each in batch) + b"]")
    return Request(method=first.method, path=first.path, query=query, body=body, answer=None, safe=True)
