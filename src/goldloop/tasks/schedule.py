"""The single source of when a schedule is due: a cron expression of five fields, read by the clock on the wall of a time zone.

Where that clock is put forward, what would have been due in the hour that is left out is due as much later. Where it is put
back, an hour comes twice: what names its hours is due in the first of them, what runs in every hour (`*`, `*/2`) in both.

Pure.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from croniter import croniter
from croniter.croniter import CroniterError

from goldloop.kit.errors import Fault, Faults
from goldloop.tasks.model import Schedule

FIELDS = 5  # minute, hour, day of the month, month, day of the week
SHIFT = timedelta(hours=3)  # by which no clock is put forward or back at once
YEARS = 8  # that a schedule is looked for: 29 February comes at least every eight
SOME_DAY = datetime(2024, 1, 1)

_NAMES = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat"
_FIELD = re.compile(rf"(?:[0-9*/,#lw-]|{_NAMES})+", re.ASCII | re.IGNORECASE)


def find_faults(schedule: Schedule) -> Faults:
    faults = Faults()
    zone = _find_zone(schedule.timezone)
    if zone is None:
        message = "This is no time zone, as Europe/Berlin or UTC are"
        faults.append(Fault(path="/schedule/timezone", code="unknown_timezone", message=message))
    if not _is_cron(schedule.cron):
        message = "This is no cron expression of five fields: minute, hour, day, month, day of the week"
        faults.append(Fault(path="/schedule/cron", code="invalid_cron", message=message))
    elif next(_wall_times(schedule.cron, SOME_DAY), None) is None:
        message = "No day is like this"
        faults.append(Fault(path="/schedule/cron", code="never_due", message=message))
    return faults


def next_after(schedule: Schedule, moment: datetime) -> datetime | None:
    """When it is due next, strictly after a moment. None where it never is, or where it cannot be read any more."""
    zone = _find_zone(schedule.timezone)
    if zone is None or not _is_cron(schedule.cron):
        return None
    twice = _runs_in_every_hour(schedule.cron)
    begin = moment.astimezone(zone).replace(tzinfo=None) - SHIFT
    best: datetime | None = None
    for wall in _wall_times(schedule.cron, begin):
        for due in _moments(wall, zone, twice=twice):
            if due > moment and (best is None or due < best):
                best = due
        if best is not None and wall - SHIFT > best.astimezone(zone).replace(tzinfo=None):
            break  # what comes later by the wall comes later
    return best


def _moments(wall: datetime, zone: ZoneInfo, *, twice: bool) -> Iterator[datetime]:
    """When the clock shows a time: in the hour that comes twice two moments, in the one that is left out as much later."""
    first = wall.replace(tzinfo=zone, fold=0).astimezone(UTC)
    yield first
    second = wall.replace(tzinfo=zone, fold=1).astimezone(UTC)
    if twice and second > first:
        yield second


def _wall_times(cron: str, begin: datetime) -> Iterator[datetime]:
    times = croniter(cron, begin, ret_type=datetime, max_years_between_matches=YEARS)
    while True:
        try:
            yield times.get_next()
        except CroniterError:
            return


def _runs_in_every_hour(cron: str) -> bool:
    return cron.split()[1].startswith("*")


def _is_cron(cron: str) -> bool:
    """What the library reads beside that (seconds, random minutes, names for a day) is not for schedules."""
    fields = cron.split(" ")
    return len(fields) == FIELDS and all(map(_FIELD.fullmatch, fields)) and bool(croniter.is_valid(cron))


def _find_zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, LookupError):  # no such file, a folder, a name that is none
        return None
