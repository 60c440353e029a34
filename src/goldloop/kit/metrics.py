"""Prometheus metrics of the server. No label names a tenant or a person."""

from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, Counter, Gauge, Histogram, generate_latest

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

CONTENT_TYPE = CONTENT_TYPE_LATEST


def exposition() -> bytes:
    return generate_latest(REGISTRY)
