"""Numbers for people and for programs. Pure but for writing the file."""

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from bench.model import Measured, Slice

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One workload in a table. Times in milliseconds; ratios are medians over the rounds.

    The limit of a round is the faster of pgbench and the driver, so that a fault of one of them does not
    flatter the server.
    """

    name: str
    server_rate: float
    p50: float
    p99: float
    limit_rate: float
    ratio: float
    ratio_low: float
    ratio_high: float
    pgbench_rate: float
    driver_rate: float
    server_cpu: float | None  # per request
    load_cpu: float  # per request
    round_trips: int


def turns_line(name: str, slices: Sequence[Slice], first: Sequence[Slice]) -> str:
    """How fast one of several was that took turns, and how many times the first one's cost its own is."""
    ratios = [one.rate / own.rate for own, one in zip(slices, first, strict=True)]
    latencies = sorted(latency for each in slices for latency in each.latencies)
    return (
        f"{name:<22} {_rate(slices):>8.0f}/s  p50 {percentile(latencies, 0.5) * 1000:>6.2f} ms  "
        f"{median(ratios):>5.2f} times  ({min(ratios):.2f}–{max(ratios):.2f})"
    )


def summarize(measured: Measured) -> Row:
    server, pgbench, driver = measured.server, measured.pgbench, measured.driver
    limit = [max(pair, key=lambda slice_: slice_.rate) for pair in zip(pgbench, driver, strict=True)]
    ratios = [s.rate / most.rate for s, most in zip(server, limit, strict=True)]
    latencies = sorted(latency for s in server for latency in s.latencies)
    done = sum(s.done for s in server)
    computed = [s.server_cpu for s in server if s.server_cpu is not None]
    return Row(
        name=measured.name,
        server_rate=_rate(server),
        p50=percentile(latencies, 0.50) * 1000,
        p99=percentile(latencies, 0.99) * 1000,
        limit_rate=_rate(limit),
        ratio=median(ratios),
        ratio_low=min(ratios),
        ratio_high=max(ratios),
        pgbench_rate=_rate(pgbench),
        driver_rate=_rate(driver),
        server_cpu=sum(computed) / done * 1000 if computed and done else None,
        load_cpu=sum(s.own_cpu for s in server) / done * 1000 if done else 0.0,
        round_trips=measured.round_trips,
    )


def percentile(ordered: Sequence[float], share: float) -> float:
    """By nearest rank; not-a-number for nothing."""
    if not ordered:
        return float("nan")
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def _rate(slices: Sequence[Slice]) -> float:
    seconds = sum(s.seconds for s in slices)
    return sum(s.done for s in slices) / seconds if seconds else 0.0


HEAD = (
    f"{'workload':<16}{'server/s':>9}{'p50 ms':>8}{'p99 ms':>8}{'limit/s':>9}"
    f"{'ratio':>7}  {'(low–high)':<13}{'trips':>6}{'cpu ms':>8}{'core':>6}"
)


def lines(row: Row) -> str:
    spread = f"({row.ratio_low:.2f}–{row.ratio_high:.2f})"
    cpu, core = "", ""
    if row.server_cpu is not None:
        cpu, core = f"{row.server_cpu:.3f}", f"{row.server_cpu * row.server_rate / 1000:.0%}"
    return (
        f"{row.name:<16}{row.server_rate:>9.0f}{row.p50:>8.2f}{row.p99:>8.2f}{row.limit_rate:>9.0f}"
        f"{row.ratio:>7.2f}  {spread:<13}{row.round_trips:>6}{cpu:>8}{core:>6}\n"
        f"  pgbench {row.pgbench_rate:.0f}/s, driver alone {row.driver_rate:.0f}/s"
    )


def ceiling_line(most: Slice, health: Slice) -> str:
    return (
        f"load generator: {most.rate:.0f}/s against a canned answer "
        f"({most.own_cpu / max(1, most.done) * 1000:.3f} ms of its own per request), "
        f"{health.rate:.0f}/s against /healthz"
    )


def document(rows: Sequence[Row], measured: Sequence[Measured], settings: dict[str, Any]) -> dict[str, Any]:
    return {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        **settings,
        "workloads": [
            {
                **{name: getattr(row, name) for name in Row.__slots__},
                "statements": m.statements,
                "server_slices": [s.rate for s in m.server],
                "pgbench_slices": [s.rate for s in m.pgbench],
                "driver_slices": [s.rate for s in m.driver],
            }
            for row, m in zip(rows, measured, strict=True)
        ],
    }


def write(content: dict[str, Any]) -> Path:
    RESULTS.mkdir(exist_ok=True)
    file = RESULTS / f"{content['at'].replace(':', '')}.json"
    file.write_text(json.dumps(content, indent=2) + "\n")
    return file
