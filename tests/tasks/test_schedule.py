"""When a schedule is due: a table of moments."""

from datetime import UTC, datetime

import pytest

from goldloop.tasks.model import Schedule
from goldloop.tasks.schedule import find_faults, next_after

BERLIN = "Europe/Berlin"  # 31 March 2024: 02:00 becomes 03:00; 27 October 2024: 03:00 becomes 02:00
HOWE = "Australia/Lord_Howe"  # 7 April 2024: 02:00 becomes 01:30


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("cron", "zone", "after", "due"),
    [
        ("0 9 * * *", "UTC", "2024-05-01 08:59:59", "2024-05-01 09:00"),
        ("0 9 * * *", "UTC", "2024-05-01 09:00", "2024-05-02 09:00"),  # strictly after
        ("0 9 * * *", "UTC", "2024-05-01 09:00:00.000001", "2024-05-02 09:00"),
        ("*/15 * * * *", "UTC", "2024-05-01 09:01", "2024-05-01 09:15"),
        ("0 9 * * *", BERLIN, "2024-01-15 00:00", "2024-01-15 08:00"),
        ("0 9 * * *", BERLIN, "2024-07-15 00:00", "2024-07-15 07:00"),
        ("0 9 * * mon-fri", "UTC", "2024-05-03 10:00", "2024-05-06 09:00"),
        ("0 0 31 * *", "UTC", "2024-01-31 00:00", "2024-03-31 00:00"),
        ("0 0 l * *", "UTC", "2024-02-01 00:00", "2024-02-29 00:00"),
        ("0 0 29 2 *", "UTC", "2024-03-01 00:00", "2028-02-29 00:00"),
        ("59 23 31 12 *", "UTC", "2024-12-31 23:59", "2025-12-31 23:59"),
        # The hour that is left out: as much later, and once.
        ("30 2 * * *", BERLIN, "2024-03-30 12:00", "2024-03-31 01:30"),
        ("30 2 * * *", BERLIN, "2024-03-31 01:30", "2024-04-01 00:30"),
        ("30 2,3 * * *", BERLIN, "2024-03-31 01:30", "2024-04-01 00:30"),
        ("30 * * * *", BERLIN, "2024-03-31 00:30", "2024-03-31 01:30"),
        ("30 * * * *", BERLIN, "2024-03-31 01:30", "2024-03-31 02:30"),
        # The hour that comes twice: once where the hour is named, twice where every hour is meant.
        ("30 2 * * *", BERLIN, "2024-10-26 12:00", "2024-10-27 00:30"),
        ("30 2 * * *", BERLIN, "2024-10-27 00:30", "2024-10-28 01:30"),
        ("30 * * * *", BERLIN, "2024-10-27 00:30", "2024-10-27 01:30"),
        ("30 * * * *", BERLIN, "2024-10-27 01:30", "2024-10-27 02:30"),
        ("*/30 * * * *", BERLIN, "2024-10-27 00:30", "2024-10-27 01:00"),
        ("45 1 * * *", HOWE, "2024-04-06 14:00", "2024-04-06 14:45"),
        ("45 1 * * *", HOWE, "2024-04-06 14:45", "2024-04-07 15:15"),
    ],
)
def test_the_next_time(cron: str, zone: str, after: str, due: str) -> None:
    assert next_after(Schedule(cron=cron, timezone=zone), at(after)) == at(due)


@pytest.mark.parametrize("cron", ["0 0 30 2 *", "0 0 31 4,6 *"])
def test_a_schedule_that_is_never_due_has_no_next_time_and_is_refused(cron: str) -> None:
    schedule = Schedule(cron=cron)
    assert next_after(schedule, at("2024-01-01 00:00")) is None
    assert [(fault.path, fault.code) for fault in find_faults(schedule)] == [("/schedule/cron", "never_due")]


@pytest.mark.parametrize(
    "cron",
    [
        "60 * * * *",
        "* * * *",
        "* * * * * *",  # seconds
        "R * * * *",  # a random minute
        "H * * * *",
        "@daily",
        "*/0 * * * *",
        "٣ * * * *",
        "0  9 * * *",
        "0 9 * * *\n",
        "every day at",
    ],
)
def test_what_is_no_cron_expression_is_refused(cron: str) -> None:
    assert [(fault.path, fault.code) for fault in find_faults(Schedule(cron=cron))] == [
        ("/schedule/cron", "invalid_cron")
    ]
    assert next_after(Schedule(cron=cron), at("2024-01-01 00:00")) is None


@pytest.mark.parametrize(
    "zone", ["", "Nowhere/City", "Europe", "../../etc/passwd", "/etc/localtime", "a" * 90]
)
def test_what_is_no_time_zone_is_refused(zone: str) -> None:
    schedule = Schedule(cron="0 9 * * *", timezone=zone)
    assert [(fault.path, fault.code) for fault in find_faults(schedule)] == [
        ("/schedule/timezone", "unknown_timezone")
    ]
    assert next_after(schedule, at("2024-01-01 00:00")) is None


@pytest.mark.parametrize(
    "cron", ["0 9 * * *", "*/5 8-18 * * mon-fri", "0 0 1 1 *", "0 0 29 2 *", "15 10 * * 5#2"]
)
@pytest.mark.parametrize("zone", ["UTC", BERLIN, HOWE, "Asia/Kathmandu"])
def test_one_can_always_go_on_and_never_back(cron: str, zone: str) -> None:
    schedule = Schedule(cron=cron, timezone=zone)
    assert not find_faults(schedule)
    moment = at("2024-03-30 00:00")
    for _ in range(20):
        due = next_after(schedule, moment)
        assert due is not None
        assert due > moment
        moment = due
