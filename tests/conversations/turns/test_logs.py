"""Where a turn's log is, and what is told of it."""

import pytest

from goldloop.conversations.turns.logs import public_address


@pytest.mark.parametrize(
    ("stored", "told"),
    [
        (None, None),
        ("s3://logs/p/turn-logs/t/ab/abc.json", "s3://logs/p/turn-logs/t/ab/abc.json"),
        ("blob:turn-logs/t/ab/abc.json", "blob:turn-logs/t/ab/abc.json"),
        ("file:///srv/goldloop/blobs/turn-logs/t/ab/abc.json", "blob:turn-logs/t/ab/abc.json"),
        ("file:///srv/turn-logs/blobs/turn-logs/t/ab/abc.json", "blob:turn-logs/t/ab/abc.json"),
    ],
)
def test_an_address_says_nothing_of_the_servers_disk(stored: str | None, told: str | None) -> None:
    assert public_address(stored) == told
