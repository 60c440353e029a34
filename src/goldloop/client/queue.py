"""What waits to be sent, in order, and which of it is sent in one call. Pure.

Turns of one conversation that wait at the same time go together, as one list, and so do events of one session: up to
`MOST_ITEMS` of them, `MOST_BYTES` long, and none from behind something else in that conversation or session (a reaction, an
end), which is to find what came before it and nothing else.
"""

from collections import OrderedDict, deque
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import msgspec

from goldloop.client.calls import Request

MOST_ITEMS = 1000  # that the server takes in one call
MOST_BYTES = 512 * 1024  # half of what the server takes in one call unless it is set up otherwise
CONVERSATION_PARTS = 5  # of a path: "", "conversations", the workspace, the project, the conversation
SESSION_PARTS = 4  # of a path: "", "api", "sessions", the session
SESSIONS = "/api/sessions"
MOST_PASSED_OVER = 100  # beginnings of sessions, in search of something that can make room for less


class Queued(msgspec.Struct, frozen=True, kw_only=True):
    """One submission, encoded: what the caller changes afterwards is not sent. `item_id` is that of a turn or an event, which
    can go in a list with others."""

    number: int
    method: str
    path: str
    query: dict[str, str]
    body: msgspec.Raw
    item_id: str | None = None

    @property
    def size(self) -> int:
        return memoryview(self.body).nbytes

    @property
    def stream(self) -> str | None:
        """The conversation or session that it is in; None for what is in none."""
        parts = self.path.split("/")
        if parts[1] == "conversations":
            return "/".join(parts[:CONVERSATION_PARTS])
        return "/".join(parts[:SESSION_PARTS]) if self._is_in_session else None

    @property
    def begins_session(self) -> bool:
        return self.path == SESSIONS

    @property
    def _is_in_session(self) -> bool:
        return self.path.startswith(f"{SESSIONS}/")

    @property
    def is_event(self) -> bool:
        return self.item_id is not None and self._is_in_session

    @property
    def is_read(self) -> bool:
        """Whether the gate is to read what the user of a turn says; a turn that comes alone is read unless told."""
        return self.query.get("gate") != "false"


class Queue:
    """Oldest first. Taking, dropping and being done cost the same however many wait."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[int, Queued] = OrderedDict()
        self._streams: dict[str, deque[Queued]] = {}
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
        if each.stream is not None:
            self._streams.setdefault(each.stream, deque()).append(each)

    def put_before(self, earlier: Sequence[Queued]) -> None:
        later = list(self._waiting.values())
        self._waiting.clear()
        self._streams.clear()
        self.bytes = 0
        for each in (*earlier, *later):
            self.add(each)

    def drop_oldest(self) -> Queued:
        """The beginning of a session makes room only where there is little else: without it the rest is lost as well."""
        first = islice(self._waiting.values(), MOST_PASSED_OVER)
        oldest = next((each for each in first if not each.begins_session), next(iter(self._waiting.values())))
        self.remove([oldest])
        return oldest

    def remove(self, batch: Sequence[Queued]) -> list[Queued]:
        """Those of them that still waited."""
        found = [each for each in batch if self._waiting.pop(each.number, None) is not None]
        for each in found:
            self.bytes -= each.size
            if each.stream is not None:
                others = self._streams[each.stream]
                others.remove(each)  # the first of them, or nearly
                if not others:
                    del self._streams[each.stream]
        return found

    def oldest(self, most: int = MOST_ITEMS) -> list[Queued]:
        """The oldest one, with the turns or events that go with it; they stay until they are removed."""
        if not self._waiting:
            return []
        first = next(iter(self._waiting.values()))
        if first.item_id is None or first.stream is None:
            return [first]
        batch: list[Queued] = []
        seen: set[str] = set()
        size = 0
        for each in self._streams[first.stream]:
            fits = len(batch) < most and (not batch or size + each.size <= MOST_BYTES)
            if each.item_id is None or each.item_id in seen or each.is_read != first.is_read or not fits:
                break
            batch.append(each)
            seen.add(each.item_id)
            size += each.size
        return batch


def joined(batch: Sequence[Queued]) -> Request:
    """One request for all of them; its answer is not read."""
    first = batch[0]
    query: dict[str, Any] = dict(first.query)
    body = first.body
    if first.is_event:
        body = _list(batch)
    elif len(batch) > 1:
        query["gate"] = "true" if first.is_read else "false"  # a list is read only if it is asked for
        body = _list(batch)
    return Request(method=first.method, path=first.path, query=query, body=body, answer=None, safe=True)


def _list(batch: Sequence[Queued]) -> msgspec.Raw:
    return msgspec.Raw(b"[" + b",".join(bytes(each.body) for each in batch) + b"]")
