"""Which fields a note speaks of."""

import pytest

from goldloop.feedback.entries.naming import named_fields

LABELS = {"notice_days": "Notice period", "end_date": "End date", "law": None}


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("", set()),
        ("This is wrong", set()),
        ("notice_days: the 30 days are for moving racks", {"notice_days"}),
        ("The notice period is a year", {"notice_days"}),
        ("end_date and notice_days are of the first term", {"end_date", "notice_days"}),
        ("notice_days_total is fine, the lawyer said", set()),
        ("LAW: that of Norway", {"law"}),
        ("`end_date`, please", {"end_date"}),
    ],
)
def test_named_fields(note: str, expected: set[str]) -> None:
    assert named_fields(note, LABELS) == expected


def test_without_fields_none_is_named() -> None:
    assert named_fields("end_date", {}) == set()
