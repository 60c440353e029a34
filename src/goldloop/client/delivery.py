"""The queue of the background client and its threads. Infrastructure.

One thread sends what waits, in order; with a journal another writes down what waits, so that the next process finds it.
Whoever puts something in waits for neither.
"""

import atexit
import logging
import os
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from goldloop.client.calls import Request
from goldloop.client.errors import GoldloopError
from goldloop.client.queue import MOST_ITEMS, Queue, Queued, joined

if TYPE_CHECKING:
    from goldloop.client.journal import Journal

log = logging.getLogger("goldloop.client")

FIRST_PAUSE = 0.5  # seconds between tries while the server is away; doubles with each
LONGEST_PAUSE = 30.0
TOGETHER_SECONDS = 0.05  # after the first of several turns or events that are queued at once
LOG_EVERY_SECONDS = 10.0  # a log line says how many were dropped since the one before
TRIES_AT_A_FAULT = 5  # a server that fails at one submission is not away: the others need not wait for it
CLOSING_SECONDS = 1.0  # for the try that is under way when the queue is closed, and for writing down the rest
EXIT_SECONDS = 2.0  # for what is queued when the program ends without closing
SAVE_AGAIN_SECONDS = 5.0  # after the disk has failed
REFUSED_AS_A_WHOLE = (401, 403, 404)  # what a part of a list would get as well
ENDED = "session_ended"  # and so would one of a session that is over


class BackgroundStats(msgspec.Struct, frozen=True, kw_only=True):
    """Of those `queued`, `saved` are on disk as well. `dropped` made room or came after closing; `failed` was refused by
    the server or could not be encoded."""

    queued: int
    saved: int
    sent: int
    failed: int
    dropped: int


class Delivery:
    DEFAULT_SIZE = 1000  # submissions, of a queue in memory
    DEFAULT_BYTES = 64 * 1024 * 1024  # of a queue that is on disk as well

    def __init__(
        self,
        send: Callable[[Request], Any],
        size: int = DEFAULT_SIZE,
        journal: "Journal | None" = None,
        journal_bytes: int = DEFAULT_BYTES,
    ) -> None:
        if size < 1 or journal_bytes < 1:
            raise ValueError("The queue holds at least one submission")
        self._send = send
        self._size = size
        self._journal = journal
        self._journal_bytes = journal_bytes
        self._sent = self._failed = self._dropped = 0
        self._said_at: float | None = None
        self._said_dropped = 0
        self._closing = False
        self._number = 0
        self._begin()
        _LIVING.add(self)
        if journal is not None and _has_left(journal):
            with self._changed:
                self._start()

    def _begin(self) -> None:
        """With an empty queue and no threads."""
        self._changed = threading.Condition()
        self._queue = Queue()
        self._threads: list[threading.Thread] = []
        self._is_opening = self._hurried = False
        self._is_idle = True
        self._most = MOST_ITEMS  # in one call; fewer while a list is refused
        self._faults = 0  # of the oldest submission
        self._unsaved: dict[int, Queued] = {}
        self._saved: set[int] = set()
        self._done_in_journal: list[int] = []

    def forget_parent(self) -> None:
        """In a forked process: it has no threads, and what was queued before is sent by its parent."""
        if self._journal is not None:
            self._journal.forget()
        self._begin()

    @property
    def stats(self) -> BackgroundStats:
        with self._changed:
            return BackgroundStats(
                queued=len(self._queue),
                saved=len(self._saved),
                sent=self._sent,
                failed=self._failed,
                dropped=self._dropped,
            )

    def count_failure(self) -> None:
        with self._changed:
            self._failed += 1

    def flush(self, timeout: float) -> bool:
        """Wait until everything queued is sent or refused; False when that takes longer."""
        with self._changed:
            self._hurried = True
            self._changed.notify_all()
            return self._changed.wait_for(lambda: not self._queue and not self._is_opening, timeout)

    def close(self, timeout: float) -> bool:
        """Flush, then stop. What is left is dropped, unless there is a journal; what comes later is dropped too."""
        done = self.flush(timeout)
        with self._changed:
            self._closing = True
            if self._journal is None:
                self._drop(len(self._queue), "the client was closed")
            self._changed.notify_all()
            threads = list(self._threads)
        if threads:
            atexit.unregister(self._at_exit)
        for thread in threads:
            thread.join(CLOSING_SECONDS)
        if left := self.stats.queued:
            log.warning("%d of %d submissions wait in %s", self.stats.saved, left, self._journal)
        return done

    def put(self, request: Request, item_id: str | None = None) -> bool:
        """False when it was dropped at once. Raises `TypeError` for what is not JSON."""
        body = msgspec.Raw(msgspec.json.encode(request.body))
        with self._changed:
            self._number += 1
            queued = Queued(
                number=self._number,
                method=request.method,
                path=request.path,
                query={name: str(value) for name, value in request.query.items()},
                body=body,
                item_id=item_id,
            )
            if self._closing or (self._journal is not None and queued.size > self._journal_bytes):
                self._dropped += 1
                return False
            self._start()
            while self._is_full(queued.size):
                self._drop(1, "the queue is full")
            self._queue.add(queued)
            if self._journal is not None:
                self._unsaved[queued.number] = queued
            self._changed.notify_all()
        return True

    def _is_full(self, more: int) -> bool:
        if self._journal is not None:
            return len(self._queue) > 0 and self._queue.bytes + more > self._journal_bytes
        return len(self._queue) >= self._size

    def _start(self) -> None:
        """The thread, if there is none; holding the lock."""
        if not self._threads:
            self._is_opening = self._journal is not None
            self._start_thread(self._work, "goldloop-background")
            atexit.register(self._at_exit)

    def _start_thread(self, target: Callable[[], None], name: str) -> None:
        thread = threading.Thread(target=target, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _drop(self, count: int, why: str) -> None:
        """The oldest ones; holding the lock."""
        for _ in range(count):
            self._forget_saved([self._queue.drop_oldest()])
        self._dropped += count
        unsaid, now = self._dropped - self._said_dropped, time.monotonic()
        due = self._said_at is None or now - self._said_at >= LOG_EVERY_SECONDS
        if unsaid and (due or self._closing):
            log.warning("%d submissions were dropped: %s", unsaid, why)
            self._said_at, self._said_dropped = now, self._dropped

    def _at_exit(self) -> None:
        self.close(EXIT_SECONDS)

    def _work(self) -> None:
        if self._journal is not None:
            self._open(self._journal)
        pause = FIRST_PAUSE
        while batch := self._next():
            again_in = self._try(batch)
            if again_in is None:
                pause = FIRST_PAUSE
                continue
            with self._changed:
                self._changed.wait_for(lambda: self._closing or self._hurried, max(pause, again_in))
                self._hurried = False
            pause = min(2 * pause, LONGEST_PAUSE)

    def _next(self) -> list[Queued]:
        """The oldest one with what goes with it, none at the end. They stay in the queue while they are sent: they may be
        dropped meanwhile."""
        with self._changed:
            if self._is_idle:
                self._changed.wait_for(lambda: self._queue or self._closing)
                self._changed.wait_for(
                    lambda: self._closing or self._hurried or len(self._queue) >= MOST_ITEMS, TOGETHER_SECONDS
                )
                self._is_idle = self._hurried = False
            return [] if self._closing else self._queue.oldest(self._most)

    def _try(self, batch: Sequence[Queued]) -> float | None:
        """None when the batch is done with, or to be sent in parts; else in how many seconds the server wants another try
        at least."""
        try:
            self._send(joined(batch))
        except GoldloopError as error:
            self._faults += error.status == 500
            away = error.status is None or error.status >= 500 or error.status == 429
            if away and self._faults < TRIES_AT_A_FAULT:
                log.debug("a submission waits for the server: %s", error)
                return error.retry_after or 0.0
            is_for_all = error.status in REFUSED_AS_A_WHOLE or error.code == ENDED
            if len(batch) > 1 and not is_for_all:
                self._most, self._faults = len(batch) // 2, 0  # a list is refused for any one of it
                return None
            log.error("a submission was refused: %s %s: %s", batch[0].method, batch[0].path, error)
            self._done(batch, sent=False)
        except Exception:
            if not self._closing:  # else the connections were closed under it
                log.exception("a submission could not be sent")
                self._done(batch, sent=False)
        else:
            self._most = min(2 * self._most, MOST_ITEMS)
            self._done(batch, sent=True)
        return None

    def _done(self, batch: Sequence[Queued], *, sent: bool) -> None:
        self._faults = 0
        with self._changed:
            self._forget_saved(self._queue.remove(batch))
            self._sent += len(batch) if sent else 0
            self._failed += 0 if sent else len(batch)
            self._is_idle = not self._queue
            self._changed.notify_all()

    def _forget_saved(self, batch: Sequence[Queued]) -> None:
        """Holding the lock."""
        for each in batch:
            self._unsaved.pop(each.number, None)
            if each.number in self._saved:
                self._saved.remove(each.number)
                self._done_in_journal.append(each.number)

    def _open(self, journal: "Journal") -> None:
        """What earlier processes left comes first."""
        taken: list[Queued] = []
        try:
            taken = journal.open()
        except Exception:
            log.exception("the queue is kept in memory alone: %s cannot be used", journal)
            self._journal = None
        with self._changed:
            self._queue.put_before(taken)
            self._saved.update(each.number for each in taken)
            while len(self._queue) > 1 and self._is_full(0):
                self._drop(1, "the queue is full")
            if self._journal is not None:
                self._start_thread(lambda: self._save(journal), "goldloop-journal")
            self._is_opening = False
            self._changed.notify_all()

    def _save(self, journal: "Journal") -> None:
        """Writes down what was queued and what was sent, until the end."""
        is_last = False
        while not is_last:
            with self._changed:
                self._changed.wait_for(lambda: self._unsaved or self._done_in_journal or self._closing)
                is_last = self._closing
                fresh, done = list(self._unsaved.values()), self._done_in_journal
                self._done_in_journal = []
            try:
                journal.append(fresh, done)
                self._note_saved(journal, fresh)
            except Exception as error:
                log.error("the queue could not be written to %s: %s", journal, error)
                with self._changed:
                    self._done_in_journal = done + self._done_in_journal
                    self._changed.wait_for(lambda: self._closing, SAVE_AGAIN_SECONDS)
        with self._changed:
            is_empty = not self._queue
        journal.close(is_empty=is_empty)

    def _note_saved(self, journal: "Journal", fresh: Sequence[Queued]) -> None:
        with self._changed:
            for each in fresh:
                self._unsaved.pop(each.number, None)
                if each in self._queue:
                    self._saved.add(each.number)
                else:  # sent while it was written
                    self._done_in_journal.append(each.number)
            is_wasteful = journal.is_wasteful(len(self._queue), self._queue.bytes)
            kept = [each for each in self._queue if each.number in self._saved] if is_wasteful else []
        if is_wasteful:
            journal.rewrite(kept)


_LIVING: weakref.WeakSet[Delivery] = weakref.WeakSet()


def _after_fork() -> None:
    for each in list(_LIVING):
        each.forget_parent()


def _has_left(journal: "Journal") -> bool:
    try:
        return journal.has_left()
    except OSError:
        return False


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
