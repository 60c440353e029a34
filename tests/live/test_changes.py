"""How changes are gathered: the table."""

import pytest

from goldloop.live.changes import MOST_SUBJECTS, Changes, add_change

MANY = [f"s{number}" for number in range(MOST_SUBJECTS)]


@pytest.mark.parametrize(
    ("gathered", "subjects", "after"),
    [
        ({}, ["a"], {"a"}),
        ({}, [], set()),
        ({}, None, None),
        ({"keys": frozenset("a")}, ["a", "b"], {"a", "b"}),
        ({"keys": frozenset("a")}, None, None),
        ({"keys": None}, ["a"], None),
        ({"jobs": None}, ["a"], {"a"}),  # another topic
        ({}, MANY, set(MANY)),
        ({"keys": frozenset(MANY)}, MANY[:1], set(MANY)),
        ({"keys": frozenset(MANY)}, ["one more"], None),
    ],
)
def test_changes_of_a_topic_come_together(
    gathered: Changes, subjects: list[str] | None, after: set[str] | None
) -> None:
    add_change(gathered, "keys", subjects)
    assert gathered["keys"] == after
