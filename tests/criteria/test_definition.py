"""Which definitions are refused, and where: one table for the server and the editor."""

import math
from typing import Any

import msgspec
import pytest

from goldloop.criteria.definition import check_definition, count_columns
from goldloop.criteria.model import (
    MAX_DIMENSIONS,
    MAX_LABEL,
    MAX_OPTION,
    MAX_OPTIONS,
    CriteriaSetDefinition,
    Dimension,
    DimensionType,
    DisplayConfig,
    Kind,
)
from tests import tables

TABLE = tables.load("criteria_definitions")


def places(definition: CriteriaSetDefinition) -> list[tuple[str, str]]:
    return [(fault.path, fault.code) for fault in check_definition(definition)]


def of(*dimensions: Dimension, **more: Any) -> CriteriaSetDefinition:
    return CriteriaSetDefinition(slug="s", name="S", kind=Kind.RECORD, dimensions=list(dimensions), **more)


def number(**more: Any) -> Dimension:
    return Dimension(key="a", label="A", type=DimensionType.NUMBER, **more)


def select(options: list[str]) -> Dimension:
    return Dimension(key="a", label="A", type=DimensionType.SELECT, options=options)


@pytest.mark.parametrize("row", TABLE["cases"], ids=tables.ids)
def test_definition(row: dict[str, Any]) -> None:
    dimensions = {"dimensions": [row["dimension"]]} if "dimension" in row else {}
    body = {**TABLE["base"], **row.get("change", {}), **dimensions}
    definition = msgspec.convert(body, CriteriaSetDefinition)
    assert places(definition) == [tuple(fault) for fault in row["faults"]]


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf, 10**400])
def test_what_json_cannot_say_is_refused_too(wrong: float) -> None:
    assert places(of(number(scale=(0, wrong)))) == [("/dimensions/0/scale", "scale_not_finite")]
    assert places(of(number(scale=(wrong, 1)))) == [("/dimensions/0/scale", "scale_not_finite")]
    assert places(of(number(step=wrong))) == [("/dimensions/0/step", "invalid_step")]
    assert places(of(number(weight=wrong))) == [("/dimensions/0/weight", "weight_out_of_range")]
    assert places(of(number(scale=(0, 1), step=wrong), display_type="likert-matrix")) == [
        ("/dimensions/0/step", "invalid_step")
    ]


def test_bounds() -> None:
    many = [Dimension(key=f"k{n}", label="K", type=DimensionType.TEXT) for n in range(MAX_DIMENSIONS + 1)]
    assert places(of(*many[:-1])) == []
    assert places(of(*many)) == [("/dimensions", "too_many")]
    options = [str(n) for n in range(MAX_OPTIONS + 1)]
    assert places(of(select(options[:-1]))) == []
    assert places(of(select(options))) == [("/dimensions/0/options", "too_many")]
    assert places(of(select(["x" * MAX_OPTION]))) == []
    assert places(of(select(["x" * (MAX_OPTION + 1)]))) == [("/dimensions/0/options/0", "too_long")]
    label = Dimension(key="x" * 100, label="x" * (MAX_LABEL + 1), type=DimensionType.TEXT)
    assert places(of(label)) == [("/dimensions/0/label", "too_long")]
    key = Dimension(key="x" * 101, label="x", type=DimensionType.TEXT)
    assert places(of(key)) == [("/dimensions/0/key", "invalid_key")]


@pytest.mark.parametrize(
    ("scale", "step", "config", "columns"),
    [
        ((1, 5), None, DisplayConfig(), 5),
        ((1, 5), 2, DisplayConfig(), 3),
        ((0, 1), 0.1, DisplayConfig(), 11),
        ((1, 5), None, DisplayConfig(scale=(0, 100), step=2), 3),
        (None, None, DisplayConfig(scale=(0, 4)), 5),
        (None, None, DisplayConfig(), None),
        ((5, 1), None, DisplayConfig(), None),
    ],
)
def test_a_row_has_the_columns_of_its_own_scale_first(
    scale: Any, step: Any, config: DisplayConfig, columns: int | None
) -> None:
    assert count_columns(number(scale=scale, step=step), config) == columns


def test_dimensions_keep_the_spelling_of_clients_and_leave_out_what_is_not_said() -> None:
    raw = {
        "key": "a",
        "label": "A",
        "type": "rating",
        "scale": [1, 5],
        "step": 0.5,
        "weight": 1,
        "description": "d",
        "fieldName": "f",
        "required": True,
        "extraction": {"requiresApproval": True},
    }
    dimension = msgspec.convert(raw, Dimension)
    assert msgspec.json.decode(msgspec.json.encode(dimension)) == raw
    assert dimension.requires_approval
    assert msgspec.to_builtins(number()) == {"key": "a", "label": "A", "type": "number"}
    assert not number().requires_approval


@pytest.mark.parametrize(
    "raw",
    [
        {"key": "a", "label": "A", "type": "number", "wieght": 1},
        {"key": "a", "label": "A", "type": "colour"},
        {"key": "a", "label": "A", "type": "number", "scale": [1]},
        {"key": "a", "label": "A", "type": "number", "weight": True},
        {"key": "a", "label": "A", "type": "select", "options": [1, 2]},
    ],
)
def test_what_is_not_a_dimension_at_all_does_not_decode(raw: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(raw, Dimension)
