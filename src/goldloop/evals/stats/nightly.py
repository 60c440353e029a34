"""Looking every night: an alarm is called only after fresh repeats confirm it. Pure.

By nightly tests alone more than half of all months have a false alarm; with the confirmation two to three in a hundred
(design/evals.md).
"""

from collections.abc import Sequence
from enum import StrEnum

import msgspec

from goldloop.evals.stats.model import Pair
from goldloop.evals.stats.stratified_test import exact_test

TRIGGER_AT = 0.05
CONFIRM_AT = 0.01
FRESH_REPEATS = 5


class Alarm(StrEnum):
    QUIET = "quiet"
    TRIGGERED = "triggered"  # run the repeats, and ask again
    CONFIRMED = "confirmed"
    NOT_CONFIRMED = "not_confirmed"


class Nightly(msgspec.Struct, frozen=True, kw_only=True):
    """`repeats` of every golden are to be run before anything is called a regression."""

    alarm: Alarm
    mid_p: float | None
    repeats: int = 0


def nightly_alarm(tonight: Sequence[Pair | None], baseline: Sequence[Pair | None]) -> Nightly:
    """Tonight's runs beside those of the baseline nights of the same agent version and set."""
    mid_p = exact_test(tonight, baseline).mid_p
    if mid_p is None or mid_p > TRIGGER_AT:
        return Nightly(alarm=Alarm.QUIET, mid_p=mid_p)
    return Nightly(alarm=Alarm.TRIGGERED, mid_p=mid_p, repeats=FRESH_REPEATS)


def confirm_alarm(fresh: Sequence[Pair | None], baseline: Sequence[Pair | None]) -> Nightly:
    """By the fresh repeats alone: the runs that triggered the alarm were chosen for being low."""
    mid_p = exact_test(fresh, baseline).mid_p
    confirmed = mid_p is not None and mid_p <= CONFIRM_AT
    return Nightly(alarm=Alarm.CONFIRMED if confirmed else Alarm.NOT_CONFIRMED, mid_p=mid_p)
