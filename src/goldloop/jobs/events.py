"""Events of jobs, and what pages watch of jobs and marks. Progress is no fact to remember: it is notified, and not in the
log."""

from goldloop.jobs.model import JobStatus
from goldloop.jobs.permissions import JOBS_READ
from goldloop.kit.events import Payload, declare, topic

JOBS = topic("jobs", read_by=JOBS_READ)
MARKS = topic("marks", read_by=JOBS_READ)


class OfEndedJob(Payload, frozen=True, kw_only=True):
    """`outcome` is failed or cancelled."""

    name: str
    outcome: JobStatus


ENDED = declare(
    "job.ended",
    topic=JOBS,
    subject="job",
    payload=OfEndedJob,
    when="A job was given up after its last try, or was cancelled",
)
