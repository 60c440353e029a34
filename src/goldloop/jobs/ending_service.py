"""The end of a job that was not done, as the event `job.ended`: its name, and whether it failed or was cancelled.

A job that succeeds has no such event: what it did is the fact, in its own transactions. Nor could it mean that its run is
over: a worker that was taken for dead succeeds at nothing while another does its work.
"""

from uuid import UUID

from goldloop.jobs import store
from goldloop.jobs.events import ENDED, OfEndedJob
from goldloop.jobs.model import JobStatus
from goldloop.kit.db import Tx
from goldloop.kit.events import Event, emit


def job_ended(job_id: UUID, name: str, outcome: JobStatus) -> Event:
    return ENDED.of(job_id, OfEndedJob(name=name, outcome=outcome))


async def cancel_job(tx: Tx, job_id: UUID) -> bool:
    """Cancel a job that waits, ask one that runs to stop: that one says itself when it has. False when it is over."""
    if not await store.cancel(tx, job_id):
        return False
    job = await store.find(tx, job_id)
    if job is not None and job.status is JobStatus.CANCELLED:
        await emit(tx, job_ended(job_id, job.name, JobStatus.CANCELLED))
    return True
