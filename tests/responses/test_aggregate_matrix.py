"""What many responses say about each connection: one table for the server and the browser."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldloop.criteria.model import Dimension, DimensionType
from goldloop.responses.aggregate_matrix import (
    ConnectionAggregate,
    aggregate_cells,
    compute_response_aggregate,
    merge_dimensions,
    numeric_dimensions,
    to_cells,
)
from goldloop.responses.aggregation import Strategy
from tests import tables

CASES = tables.load("response_aggregate")


class Response(msgspec.Struct, frozen=True):
    values: Mapping[str, Any]


class CriteriaSet(msgspec.Struct, frozen=True):
    dimensions: Sequence[Dimension]


def _rating(key: str, top: float) -> Dimension:
    return Dimension(key=key, label=key, type=DimensionType.RATING, scale=(1, top), weight=1)


@pytest.mark.parametrize(
    ("snapshots", "merged"),
    [
        ([], []),
        ([[]], []),
        ([[_rating("a", 5)]], [("a", 5)]),
        ([[_rating("a", 9)], [_rating("a", 5)]], [("a", 9)]),
        ([[_rating("b", 5)], [_rating("a", 5), _rating("b", 9)]], [("b", 5), ("a", 5)]),
    ],
)
def test_dimensions_of_many_responses_are_each_as_they_were_last(
    snapshots: list[list[Dimension]], merged: list[tuple[str, float]]
) -> None:
    found = [(each.key, each.scale[1]) for each in merge_dimensions(snapshots) if each.scale]
    assert found == merged


def _plain(aggregates: dict[str, ConnectionAggregate]) -> Any:
    return msgspec.to_builtins(aggregates)


def _approx(expected: dict[str, Any]) -> dict[str, Any]:
    return {
        connection: {
            "count": own["count"],
            "dimensions": {
                key: {"value": pytest.approx(each["value"]), "count": each["count"]}
                for key, each in own["dimensions"].items()
            },
            "weighted_score": pytest.approx(own["weighted_score"]),
            "normalized_score": pytest.approx(own["normalized_score"]),
        }
        for connection, own in expected.items()
    }


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_aggregate(case: dict[str, Any]) -> None:
    found = compute_response_aggregate(
        msgspec.convert(case["responses"], list[Response]),
        CriteriaSet(msgspec.convert(case["dimensions"], list[Dimension])),
        Strategy(case["strategy"]),
    )
    assert _plain(found) == _approx(case["expected"])
    assert list(found) == list(case["expected"])


NUMBERS = st.floats(-1e100, 1e100) | st.integers(-(10**18), 10**18)
VALUES = st.none() | st.booleans() | st.text(max_size=2) | NUMBERS
DIMENSIONS = [
    Dimension(key="a", label="A", type=DimensionType.RATING, scale=(1, 5), weight=1),
    Dimension(key="b", label="B", type=DimensionType.NUMBER),
    Dimension(key="c", label="C", type=DimensionType.TEXT),
]
SET = CriteriaSet(DIMENSIONS)
RESPONSES = st.lists(
    st.builds(
        Response,
        st.dictionaries(
            st.sampled_from("xyz"), st.dictionaries(st.sampled_from("abcd"), VALUES, max_size=4), max_size=3
        ),
    ),
    max_size=8,
)


@given(RESPONSES)
def test_mean_and_median_lie_between_min_and_max(responses: list[Response]) -> None:
    found = {strategy: compute_response_aggregate(responses, SET, strategy) for strategy in Strategy}
    for connection, low in found[Strategy.MIN].items():
        for key, lowest in low.dimensions.items():
            mean, median, high = (
                found[strategy][connection].dimensions[key].value
                for strategy in (Strategy.MEAN, Strategy.MEDIAN, Strategy.MAX)
            )
            if lowest.value is None or mean is None or median is None or high is None:
                assert (lowest.value, lowest.count, mean, median, high) == (None, 0, None, None, None)
            else:
                assert lowest.value <= mean <= high
                assert lowest.value <= median <= high


@given(RESPONSES, st.sampled_from(Strategy))
def test_maps_and_columns_give_the_same(responses: list[Response], strategy: Strategy) -> None:
    dimensions = numeric_dimensions(SET)
    connections, cells = to_cells(responses, dimensions)
    again = msgspec.json.decode(msgspec.json.encode(cells), type=type(cells))
    by_columns = aggregate_cells(connections, again, dimensions, strategy)
    assert by_columns == compute_response_aggregate(responses, SET, strategy)
    for connection, own in by_columns.items():
        said = [response.values[connection] for response in responses if connection in response.values]
        for key, each in own.dimensions.items():
            numbers = [cell[key] for cell in said if type(cell.get(key)) in (int, float)]
            assert each.count == len(numbers)


@given(RESPONSES, st.sampled_from(Strategy), st.randoms())
def test_the_order_of_responses_does_not_matter(
    responses: list[Response], strategy: Strategy, random: Any
) -> None:
    other = list(responses)
    random.shuffle(other)
    found = compute_response_aggregate(responses, SET, strategy)
    assert compute_response_aggregate(other, SET, strategy) == found


def test_five_hundred_connections_and_two_hundred_respondents_are_counted() -> None:
    dimensions = [
        Dimension(key=f"d{n}", label="D", type=DimensionType.RATING, scale=(1, 5), weight=1)
        for n in range(10)
    ]
    responses = [
        Response({str(c): {d.key: (r * c + n) % 5 + 1 for n, d in enumerate(dimensions)} for c in range(500)})
        for r in range(200)
    ]
    found = compute_response_aggregate(responses, CriteriaSet(dimensions), Strategy.MEDIAN)
    assert len(found) == 500
    assert all(each.count == 200 for own in found.values() for each in own.dimensions.values())
