"""An alarm is called after fresh repeats confirm it."""

import pytest

from goldloop.evals.stats import confirm_alarm, nightly_alarm
from goldloop.evals.stats.model import Pair
from goldloop.evals.stats.nightly import FRESH_REPEATS, Alarm

BASELINE: list[Pair | None] = [(10, 10)] * 10


@pytest.mark.parametrize(
    ("passed", "alarm", "repeats"),
    [(10, Alarm.QUIET, 0), (9, Alarm.TRIGGERED, FRESH_REPEATS), (5, Alarm.TRIGGERED, FRESH_REPEATS)],
)
def test_a_night_triggers(passed: int, alarm: Alarm, repeats: int) -> None:
    found = nightly_alarm([(1, 1)] * passed + [(0, 1)] * (10 - passed), BASELINE)
    assert (found.alarm, found.repeats) == (alarm, repeats)


@pytest.mark.parametrize(("failed", "alarm"), [(0, Alarm.NOT_CONFIRMED), (5, Alarm.CONFIRMED)])
def test_fresh_repeats_confirm(failed: int, alarm: Alarm) -> None:
    fresh: list[Pair | None] = [(5 - failed, 5), *[(5, 5)] * 9]
    assert confirm_alarm(fresh, BASELINE).alarm is alarm


def test_what_triggers_need_not_be_confirmed() -> None:
    fresh: list[Pair | None] = [(4, 5), *[(5, 5)] * 9]
    baseline: list[Pair | None] = [(9, 10), *[(10, 10)] * 9]
    assert confirm_alarm(fresh, baseline).alarm is Alarm.NOT_CONFIRMED


def test_a_night_without_runs_is_no_alarm() -> None:
    assert nightly_alarm([None] * 10, BASELINE).alarm is Alarm.QUIET
    assert confirm_alarm([None] * 10, BASELINE).alarm is Alarm.NOT_CONFIRMED
