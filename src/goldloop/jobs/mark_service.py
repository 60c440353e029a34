"""Use case: rebuild what marks name, and delete them; keep those that fail, with why."""

import logging
from collections.abc import Sequence
from typing import Any

from goldloop.jobs import store
from goldloop.jobs.service import keep_failed_mark
from goldloop.jobs.store import TakenMark
from goldloop.kit import metrics
from goldloop.kit.db import Tx
from goldloop.kit.queue import MarkDefinition

log = logging.getLogger("goldloop.marks")


async def rebuild(tx: Tx, definition: MarkDefinition, marks: Sequence[TakenMark]) -> None:
    """All of them, and where that fails each by itself. They are deleted first: a rebuild may mark its own key anew."""
    try:
        await store.delete_marks(tx, marks)
        if definition.at_once > 1:
            await definition.run(tx, [mark.key for mark in marks])
        else:
            await definition.run(tx, marks[0].key)
    except Exception as error:
        # Marks stay locked until their failure is written, so that nobody tries again in between.
        await store.undo_rebuild(tx)
        tx.after_commit.clear()
        if len(marks) == 1:
            await keep_failed_mark(tx, marks[0], error, definition.max_attempts, definition.give_up)
            report_failure(definition, marks[0], error)
            return
        log.info("marks are rebuilt one by one", exc_info=error, extra={"kind": definition.kind})
        acts: list[Any] = []
        for mark in marks:
            await rebuild(tx, definition, [mark])
            await store.keep_rebuilt(tx)
            acts += tx.after_commit
            tx.after_commit.clear()
        tx.after_commit += acts
    else:
        metrics.marks.labels(definition.kind, "rebuilt").inc(len(marks))


def report_failure(definition: MarkDefinition, mark: TakenMark, error: Exception) -> None:
    metrics.marks.labels(definition.kind, "failed").inc()
    log.warning("a rebuild failed", exc_info=error, extra={"kind": definition.kind, "key": mark.key})
