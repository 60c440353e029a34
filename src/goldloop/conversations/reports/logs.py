"""A report with what was read from elsewhere. Pure."""

from collections.abc import Mapping
from typing import Any

import msgspec

from goldloop.conversations.reports.model import TurnsWithFeedbacks


def with_logs(report: TurnsWithFeedbacks, logs: Mapping[str, Any]) -> TurnsWithFeedbacks:
    turns = [
        msgspec.structs.replace(turn, turn_log=logs.get(turn.turn_id)) if turn.turn_log is None else turn
        for turn in report.turns
    ]
    return msgspec.structs.replace(report, turns=turns)
