"""Prometheus metrics of a process: the counts that it keeps, and the gauges that are read when somebody asks. No label
names a tenant or a person."""

from collections.abc import Iterator, Mapping, Sequence

from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily

requests = Counter("goldloop_http_requests_total", "HTTP requests", ["method", "route", "status"])
latency = Histogram(
    "goldloop_http_request_seconds",
    "Time to answer a request",
    ["method", "route"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
streams = Gauge("goldloop_live_streams", "Open event streams")
jobs = Counter("goldloop_jobs_total", "Runs of jobs", ["name", "outcome"])
marks = Counter("goldloop_marks_total", "Rebuilds of marked state", ["kind", "outcome"])

# Gauges that are read for each answer, by name: what each is, and its labels.
READ_GAUGES: dict[str, tuple[str, tuple[str, ...]]] = {
    "goldloop_database_up": ("Whether the database answered for the gauges below", ()),
    "goldloop_queued_jobs": ("Jobs that wait or run, of all processes", ("name", "state")),
    "goldloop_oldest_due_job_seconds": ("How long the oldest job has been due and not begun", ("queue",)),
    "goldloop_queued_marks": ("Marks that are there, of all processes", ("kind", "state")),
    "goldloop_oldest_due_mark_seconds": ("How long the oldest mark has been due", ("kind",)),
    "goldloop_event_lag_seconds": ("How long the newest event has waited to be passed to open streams", ()),
    "goldloop_listening": ("Whether this process hears notifications of the database", ()),
    "goldloop_pool_connections": ("Database connections of this process", ("state",)),
    "goldloop_pool_most_connections": ("Database connections that this process may have", ()),
    "goldloop_background_tasks": ("Tasks on the event loop of this process", ()),
}

CONTENT_TYPE = CONTENT_TYPE_LATEST

Readings = Mapping[str, Mapping[Sequence[str], float]]  # by name, then by the values of its labels


def exposition(readings: Readings) -> bytes:
    return generate_latest(REGISTRY) + readings_exposition(readings)


def readings_exposition(readings: Readings) -> bytes:
    """These gauges alone."""
    return generate_latest(_Read(readings))


class _Read:
    """What `generate_latest` asks of a registry."""

    def __init__(self, readings: Readings) -> None:
        self.readings = readings

    def collect(self) -> Iterator[GaugeMetricFamily]:
        for name, values in self.readings.items():
            text, labels = READ_GAUGES[name]
            family = GaugeMetricFamily(name, text, labels=labels)
            for of, value in values.items():
                family.add_metric(of, value)
            yield family
