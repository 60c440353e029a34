"""What pages watch of jobs and marks. Their progress is no fact to remember: it is notified, and not in the log."""

from goldloop.kit.events import topic
from goldloop.tenants import roles

JOBS = topic("jobs", read_by=roles.JOBS_READ)
MARKS = topic("marks", read_by=roles.JOBS_READ)
