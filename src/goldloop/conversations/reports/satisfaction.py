"""How satisfied people are, over time: rates with their intervals, also as a table for spreadsheets. Pure."""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

import msgspec

from goldloop.conversations.reports.intervals import wilson
from goldloop.conversations.times import written
from goldloop.kit.csv_table import Cell, csv_lines


class Bucket(StrEnum):
    DAY = "day"
    WEEK = "week"
    MONTH = "month"


class GroupBy(StrEnum):
    PROJECT = "project"
    AGENT = "agent"
    ORIGIN = "origin"


class ReactionsOf(StrEnum):
    """Whose reactions: satisfaction is that of end users unless asked."""

    END_USER = "end_user"
    MEMBER = "member"
    ALL = "all"


class Satisfaction(msgspec.Struct, frozen=True, kw_only=True):
    """`rate` is ok / (ok + not_ok + neutral); `low` and `high` are its 95 % Wilson score interval. All three are null where nothing
    was counted. `bucket` is null for the whole period, `group` where nothing is grouped or nobody said."""

    bucket: datetime | None
    group: str | None
    ok: int
    not_ok: int
    neutral: int
    total: int
    rate: float | None
    low: float | None
    high: float | None


class SatisfactionReport(msgspec.Struct, frozen=True, kw_only=True):
    """`user_type` says whose reactions were counted."""

    start: datetime
    end: datetime
    bucket: Bucket
    by: GroupBy | None
    user_type: ReactionsOf
    overall: list[Satisfaction]
    data: list[Satisfaction]


class Count(msgspec.Struct, frozen=True, kw_only=True):
    bucket: datetime
    group: str | None
    reaction: str
    count: int


class ReadSatisfaction(NamedTuple):
    """What was counted in a period."""

    start: datetime
    end: datetime
    bucket: Bucket
    by: GroupBy | None
    user_type: ReactionsOf
    counts: list[Count]


def measure(read: ReadSatisfaction) -> SatisfactionReport:
    return SatisfactionReport(
        start=read.start,
        end=read.end,
        bucket=read.bucket,
        by=read.by,
        user_type=read.user_type,
        overall=overall(read.counts),
        data=over_time(read.counts),
    )


def measure_as_csv(read: ReadSatisfaction) -> str:
    return as_csv(measure(read))


def measured(bucket: datetime | None, group: str | None, ok: int, not_ok: int, neutral: int) -> Satisfaction:
    total = ok + not_ok + neutral
    interval = wilson(ok, total)
    return Satisfaction(
        bucket=bucket,
        group=group,
        ok=ok,
        not_ok=not_ok,
        neutral=neutral,
        total=total,
        rate=ok / total if total else None,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
    )


def over_time(counts: Iterable[Count]) -> list[Satisfaction]:
    """One for each bucket and group, in order of time."""
    return _sum((count.bucket, count.group, count) for count in counts)


def overall(counts: Iterable[Count]) -> list[Satisfaction]:
    """One for each group; for nothing at all one that says so."""
    return _sum((None, count.group, count) for count in counts) or [measured(None, None, 0, 0, 0)]


def _sum(keyed: Iterable[tuple[datetime | None, str | None, Count]]) -> list[Satisfaction]:
    sums: dict[tuple[datetime | None, str | None], dict[str, int]] = {}
    for bucket, group, count in keyed:
        counted = sums.setdefault((bucket, group), {"ok": 0, "not_ok": 0, "neutral": 0})
        counted[count.reaction] += count.count
    ordered = sorted(
        sums.items(), key=lambda item: (item[0][0] is not None and item[0][0].timestamp(), item[0][1] or "")
    )
    return [measured(bucket, group, **counted) for (bucket, group), counted in ordered]


def as_csv(report: SatisfactionReport) -> str:
    head = [report.bucket, report.by or "group", "ok", "not_ok", "neutral", "total", "rate", "low", "high"]
    return csv_lines([head, *map(_csv_row, report.data)])


def _csv_row(row: Satisfaction) -> list[Cell]:
    numbers = ["" if value is None else f"{value:.4f}" for value in (row.rate, row.low, row.high)]
    when = written(row.bucket) if row.bucket else ""
    return [when, row.group, row.ok, row.not_ok, row.neutral, row.total, *numbers]
