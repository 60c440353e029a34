"""A report with what was read from elsewhere. Pure."""

from itertools import takewhile
from typing import Any

import msgspec

from goldloop.conversations.reports.model import TurnsWithReactions
from goldloop.conversations.reports.service import Report
from goldloop.conversations.turns.logs import Logs


def with_logs(report: Report, logs: Logs) -> TurnsWithReactions:
    """Up to the first turn whose log is not on the page."""
    found: dict[str, Any] = dict(logs.found)
    turns = [
        msgspec.structs.replace(turn, turn_log=found.get(turn.turn_id)) if turn.turn_log is None else turn
        for turn in takewhile(lambda turn: turn.turn_id != logs.beyond, report.turns.turns)
    ]
    cursor = report.places[turns[-1].turn_id] if logs.beyond is not None else report.turns.next_cursor
    return msgspec.structs.replace(report.turns, turns=turns, next_cursor=cursor)
