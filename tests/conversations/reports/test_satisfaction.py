"""The report on satisfaction as a file for spreadsheets."""

import csv
import io
from datetime import UTC, datetime

import pytest

from goldloop.conversations.reports.satisfaction import (
    Bucket,
    GroupBy,
    ReactionsOf,
    SatisfactionReport,
    as_csv,
    measured,
)


def group_of(name: str | None) -> str:
    day = datetime(2026, 1, 5, tzinfo=UTC)
    said = [measured(None, name, 1, 0, 0)]
    report = SatisfactionReport(
        start=day,
        end=day,
        bucket=Bucket.WEEK,
        by=GroupBy.AGENT,
        user_type=ReactionsOf.END_USER,
        data=said,
        overall=[],
    )
    (_, row) = csv.reader(io.StringIO(as_csv(report), newline=""))
    return row[1]


@pytest.mark.parametrize("name", ["agent", "a=b", "客服", "a - b", ""])
def test_a_name_stays_as_it_is(name: str) -> None:
    assert group_of(name) == name


@pytest.mark.parametrize(
    "name",
    ["=1", "+1", "-1", "@a", "\ta", "\ra", " =1", "\u00a0=1", "\u3000@a", '"=1', "'=1", "\u200b=1", "\ufeff+1", "＝1", "＋1", "－1", "＠a", " ＝1", "\u22121", "|a", "%0a"],
)  # fmt: skip
def test_a_name_like_a_formula_is_only_text(name: str) -> None:
    assert group_of(name) == f"'{name}"
