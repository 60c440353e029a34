"""Submissions in the background, which neither delay nor break the caller's own request.

`submit`, `add_turn` and `react` put a response, a turn or a reaction into a bounded queue and return. A thread sends the queue in order. While the server is
away it keeps trying (at a submission that it fails at, five times); when the queue is full the oldest submission makes room. What is dropped or refused is counted
and logged, never raised.
"""

import atexit
import logging
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec

from goldloop.client.calls import Request
from goldloop.client.conversations import ConversationMethods, turn_body
from goldloop.client.errors import GoldloopError
from goldloop.client.ids import Id, new_id
from goldloop.client.responses import ResponseMethods

log = logging.getLogger("goldloop.client")

FIRST_PAUSE = 0.5  # seconds between tries while the server is away; doubles with each
LONGEST_PAUSE = 30.0
LOG_EVERY_SECONDS = 10.0  # a log line says how many were dropped since the one before
TRIES_AT_A_FAULT = 5  # a server that fails at one submission is not away: the others need not wait for it
CLOSING_SECONDS = 1.0  # for the try that is under way when the queue is closed
EXIT_SECONDS = 2.0  # for what is queued when the program ends without closing


class BackgroundStats(msgspec.Struct, frozen=True, kw_only=True):
    """`dropped` made room or came after closing; `failed` was refused by the server or could not be encoded."""

    queued: int
    sent: int
    failed: int
    dropped: int


class Background:
    DEFAULT_SIZE = 1000

    def __init__(self, send: Callable[[Request], Any], size: int = DEFAULT_SIZE) -> None:
        if size < 1:
            raise ValueError("The queue holds at least one submission")
        self._send = send
        self._size = size
        self._queue: deque[Request] = deque()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._pid = os.getpid()
        self._closing = self._hurried = False
        self._sent = self._failed = self._dropped = 0
        self._faults = 0  # of the oldest submission
        self._said_at: float | None = None
        self._said_dropped = 0

    @property
    def stats(self) -> BackgroundStats:
        with self._changed:
            return BackgroundStats(
                queued=len(self._queue), sent=self._sent, failed=self._failed, dropped=self._dropped
            )

    def submit(
        self, entity_id: Id, values: Mapping[str, Any], *, id: Id | None = None, **options: Any
    ) -> UUID | str | None:
        """Queue a response (the arguments of `responses.submit`) and return its id; None if it could not be."""
        response_id = id or new_id()
        queued = self._queue_call(
            ResponseMethods.submit, lambda: (entity_id, dict(values)), id=response_id, **options
        )
        return response_id if queued else None

    def add_turn(self, project: str, conversation_id: str, turn_id: str, **turn: Any) -> bool:
        """Queue a turn (the arguments of `turn_body`, and `gate`); False if it could not be. Its time is now, however
        late it arrives."""
        gate = turn.pop("gate", None)
        turn["ts"] = turn.get("ts") or datetime.now(UTC)
        return self._queue_call(
            ConversationMethods.add_turns,
            lambda: (project, conversation_id, turn_body(turn_id, **turn)),
            gate=gate,
        )

    def react(
        self, project: str, conversation_id: str, turn_id: str, reaction: str | None, **options: Any
    ) -> bool:
        """Queue a reaction (the arguments of `conversations.react`); False if it could not be. Its time is now."""
        options["ts"] = options.get("ts") or datetime.now(UTC)
        place = (project, conversation_id, turn_id, reaction)
        return self._queue_call(ConversationMethods.react, lambda: place, **options)

    def _queue_call(self, operation: Any, arguments: Callable[[], tuple[Any, ...]], **options: Any) -> bool:
        try:
            call = operation.describe(None, *arguments(), **options)
            request = msgspec.structs.replace(operation.route.request(call), answer=None)  # nobody reads it
            return self._put(request)
        except Exception:  # the promise: whatever it is, it does not reach the caller's request
            log.exception("a submission could not be queued")
            with self._changed:
                self._failed += 1
            return False

    def flush(self, timeout: float) -> bool:
        """Wait until everything queued is sent or refused; False when that takes longer."""
        with self._changed:
            self._hurried = True
            self._changed.notify_all()
            return self._changed.wait_for(lambda: not self._queue, timeout)

    def close(self, timeout: float) -> bool:
        """Flush, then stop. What is left is dropped, and what comes later too."""
        done = self.flush(timeout)
        with self._changed:
            self._closing = True
            self._drop(len(self._queue), "the client was closed")
            self._changed.notify_all()
            thread = self._thread
        if thread is not None:
            atexit.unregister(self._at_exit)
            thread.join(CLOSING_SECONDS)
        return done

    def _put(self, request: Request) -> bool:
        with self._changed:
            if self._closing:
                self._dropped += 1
                return False
            self._reset_after_fork()
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="goldloop-background", daemon=True)
                self._thread.start()
                atexit.register(self._at_exit)
            if len(self._queue) >= self._size:
                self._drop(1, "the queue is full")
            self._queue.append(request)
            self._changed.notify_all()
        return True

    def _reset_after_fork(self) -> None:
        """A child process has no thread; what was queued before is sent by its parent."""
        if self._pid != os.getpid():
            self._pid, self._thread = os.getpid(), None
            self._queue.clear()

    def _drop(self, count: int, why: str) -> None:
        """The oldest ones; holding the lock."""
        for _ in range(count):
            self._queue.popleft()
        self._dropped += count
        unsaid, now = self._dropped - self._said_dropped, time.monotonic()
        due = self._said_at is None or now - self._said_at >= LOG_EVERY_SECONDS
        if unsaid and (due or self._closing):
            log.warning("%d submissions were dropped: %s", unsaid, why)
            self._said_at, self._said_dropped = now, self._dropped

    def _at_exit(self) -> None:
        self.close(EXIT_SECONDS)

    def _work(self) -> None:
        pause = FIRST_PAUSE
        while (request := self._next()) is not None:
            again_in = self._try(request)
            if again_in is None:
                pause = FIRST_PAUSE
                continue
            with self._changed:
                self._changed.wait_for(lambda: self._closing or self._hurried, max(pause, again_in))
                self._hurried = False
            pause = min(2 * pause, LONGEST_PAUSE)

    def _next(self) -> Request | None:
        """The oldest one, None at the end. It stays in the queue while it is sent: it may be dropped meanwhile."""
        with self._changed:
            self._changed.wait_for(lambda: self._queue or self._closing)
            return self._queue[0] if self._queue else None

    def _try(self, request: Request) -> float | None:
        """None when the request is done with, else in how many seconds the server wants another try at least."""
        try:
            self._send(request)
        except GoldloopError as error:
            self._faults += error.status == 500
            away = error.status is None or error.status >= 500 or error.status == 429
            if away and self._faults < TRIES_AT_A_FAULT:
                log.debug("a submission waits for the server: %s", error)
                return error.retry_after or 0.0
            log.error("a submission was refused: %s %s: %s", request.method, request.path, error)
            self._done(request, sent=False)
        except Exception:
            if not self._closing:  # else the connections were closed under it
                log.exception("a submission could not be sent")
            self._done(request, sent=False)
        else:
            self._done(request, sent=True)
        return None

    def _done(self, request: Request, *, sent: bool) -> None:
        self._faults = 0
        with self._changed:
            if self._queue and self._queue[0] is request:
                self._queue.popleft()
            self._sent += sent
            self._failed += not sent
            self._changed.notify_all()
