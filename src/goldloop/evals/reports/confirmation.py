"""Fresh repeats after a regression: whether it is called one. Pure.

They decide alone, and by a rule that was there before: what triggered them was chosen for being low.
"""

import msgspec

from goldloop.evals.reports.run_report import RunReport
from goldloop.evals.stats.counting import NoiseFloor
from goldloop.evals.stats.model import Verdict
from goldloop.evals.stats.nightly import Alarm, Nightly, confirm_alarm


def confirm_report(fresh: RunReport) -> tuple[RunReport, Nightly]:
    """The report of fresh repeats: a regression where they confirm it, and never one where they do not."""
    counted = [golden for golden in fresh.goldens if golden.floor is not NoiseFloor.BROKEN]
    found = confirm_alarm([golden.pair for golden in counted], [golden.baseline for golden in counted])
    verdict = fresh.verdict
    if found.alarm is Alarm.CONFIRMED and not fresh.counts.is_inconclusive:
        verdict = Verdict.REGRESSION
    elif verdict is Verdict.REGRESSION:
        verdict = Verdict.INCONCLUSIVE
    return msgspec.structs.replace(fresh, verdict=verdict), found
