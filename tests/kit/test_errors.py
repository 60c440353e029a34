"""What a failure says stays short, whatever was sent."""

import pytest

from goldloop.kit.errors import (
    LONGEST_TEXT,
    MOST_FAULTS,
    Conflict,
    Fault,
    Faults,
    InvalidInput,
    unknown_keys,
)


def fault(place: int = 0) -> Fault:
    return Fault(path=f"/{place}", code="c", message="m")


@pytest.mark.parametrize(
    ("found", "shown", "omitted"),
    [
        (0, 0, 0),
        (1, 1, 0),
        (MOST_FAULTS, MOST_FAULTS, 0),
        (MOST_FAULTS + 1, MOST_FAULTS, 1),
        (5000, 100, 4900),
    ],
)
def test_a_problem_shows_the_first_faults_and_says_how_many_more_there_are(
    found: int, shown: int, omitted: int
) -> None:
    problem = InvalidInput(errors=[fault(place) for place in range(found)]).problem()
    assert problem.errors == [fault(place) for place in range(shown)]
    assert problem.errors_omitted == omitted


def test_what_several_checks_leave_out_adds_up() -> None:
    faults = Faults(fault(place) for place in range(MOST_FAULTS - 1))
    faults += Faults([fault()], omitted=7)
    faults.append(fault())
    assert (len(faults), faults.omitted, faults.is_full) == (MOST_FAULTS, 8, True)


def test_a_long_name_is_told_in_short() -> None:
    long = "x" * 100_000
    problem = InvalidInput.at(f"/{long}", "c", long).problem()
    assert (
        len(problem.detail) == len(problem.errors[0].path) == len(problem.errors[0].message) == LONGEST_TEXT
    )
    assert problem.errors[0].message.endswith("x…")


def test_a_conflict_names_some_and_says_how_many_more_there_are() -> None:
    turns = [f"t{n}" for n in range(MOST_FAULTS + 5)]
    assert Conflict(conflict={"turn_ids": turns, "id": "a"}).problem().conflict == {
        "turn_ids": turns[:MOST_FAULTS],
        "turn_ids_omitted": 5,
        "id": "a",
    }
    assert Conflict(conflict={"turn_ids": turns[:1]}).problem().conflict == {"turn_ids": turns[:1]}


@pytest.mark.parametrize(
    ("given", "known", "places", "omitted"),
    [
        ({}, {"a"}, [], 0),
        ({"a": 1}, {"a", "b"}, [], 0),
        ({"a": 1, "x/y": 2}, {"a"}, ["/v/x~1y"], 0),
        (dict.fromkeys(map(str, range(300))), {"0", "z"}, [f"/v/{n}" for n in range(1, 101)], 199),
    ],
)
def test_unknown_keys_are_counted_and_the_first_are_named(
    given: dict[str, object], known: set[str], places: list[str], omitted: int
) -> None:
    faults = unknown_keys(given, known, "/v", "c", "m")
    assert [each.path for each in faults] == places
    assert faults.omitted == omitted
