"""Where a page of the period report ended."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from goldloop.conversations.reports.cursors import Place, place_of
from goldloop.kit.errors import InvalidInput
from goldloop.kit.pagination import LAST_ID, LAST_TIME, encode_cursor

NOW = datetime(2026, 1, 1, 2, 3, 4, 5, tzinfo=UTC)


def test_a_report_begins_at_the_newest_and_sees_what_counts_now() -> None:
    assert place_of(None) == Place(LAST_TIME, LAST_ID, None)


def test_the_next_page_sees_what_counted_then() -> None:
    place = Place(NOW, UUID(int=7), NOW)
    assert place_of(place.encoded()) == place


@pytest.mark.parametrize("cursor", ["", "x", encode_cursor(1), encode_cursor(NOW, UUID(int=1)), "W10"])
def test_what_is_no_cursor_of_it_is_refused(cursor: str) -> None:
    with pytest.raises(InvalidInput):
        place_of(cursor)
