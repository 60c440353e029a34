"""The table of dimension types is whole."""

import pytest

from goldloop.criteria.dimension_types import NUMERIC, TYPES, Summary
from goldloop.criteria.model import Dimension, DimensionType


def test_every_type_has_its_row() -> None:
    assert TYPES.keys() == set(DimensionType)


@pytest.mark.parametrize("type_", DimensionType)
def test_what_a_type_refuses_is_no_value_of_it(type_: DimensionType) -> None:
    row = TYPES[type_]
    dimension = Dimension(key="a", label="A", type=type_, options=["x"] if row.takes_options else None)
    value, other = (3, "x") if type_ in NUMERIC else ("x", 3)
    assert (list(row.check(value, dimension, "")), row.is_value(value)) == ([], True)
    assert [fault.code for fault in row.check(other, dimension, "")] == ["wrong_type"]
    assert not row.is_value(other)


def test_only_what_has_numbers_has_a_scale_and_only_what_is_chosen_options() -> None:
    for type_, row in TYPES.items():
        assert row.takes_scale is (row.summary is Summary.NUMBERS), type_
        assert row.takes_options is (row.summary is Summary.FREQUENCIES), type_
