"""Types and errors of jobs, marks and runs."""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

import msgspec

from goldloop.kit.errors import Conflict, NotFound
from goldloop.tenants.model import Party


class JobNotFound(NotFound):
    code, title = "job_not_found", "There is no such job in this workspace"


class JobNotRetryable(Conflict):
    code, title = "job_not_retryable", "Only a job that failed can be retried"


class JobNotCancellable(Conflict):
    code, title = "job_not_cancellable", "Only a job that waits or runs can be cancelled"


class MarkNotFound(NotFound):
    code, title = "mark_not_found", "Nothing is waiting to be rebuilt under this kind and key"


class JobStatus(StrEnum):
    TODO = "todo"
    DOING = "doing"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"


class JobError(msgspec.Struct, frozen=True, kw_only=True):
    type: str
    message: str
    at: datetime


class JobFailure(msgspec.Struct, frozen=True, kw_only=True):
    """One failed run."""

    attempt: int
    at: datetime
    type: str
    message: str
    detail: str


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """`title` is its name in words, `routine` one that nobody waits for; `advice` is what it means that it failed and what to
    do, null while it has not."""

    id: UUID
    name: str
    title: str
    routine: bool
    status: JobStatus
    args: dict[str, Any]
    attempts: int
    max_attempts: int
    queued_at: datetime | None
    scheduled_at: datetime | None
    started_at: datetime | None
    finished_at: datetime | None
    error: JobError | None
    advice: str | None
    actor: Party


class JobDetail(Job, frozen=True, kw_only=True):
    failures: list[JobFailure]


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """Derived state that waits to be rebuilt; `last_error` is why it could not be so far."""

    id: UUID
    kind: str
    title: str
    key: str
    marked_at: datetime
    due_at: datetime
    attempts: int
    last_error: str | None


class RunStatus(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_open(self) -> bool:
        return self in (RunStatus.QUEUED, RunStatus.RUNNING)


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """Work that takes a while. `subject` is what it is a run of, in the words of its kind; `resume_point` is where a
    worker goes on after another died."""

    id: UUID
    kind: str
    subject: str
    status: RunStatus
    job_id: UUID | None
    resume_point: Any
    done: int
    total: int
    cancel_requested: bool
    error_code: str | None
    error_message: str | None
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    created_by: Party
