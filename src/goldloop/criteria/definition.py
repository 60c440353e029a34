"""The single source of what a criteria set may be. Pure."""

import math
import re
from collections.abc import Iterator

from goldloop.criteria.dimension_types import NUMERIC
from goldloop.criteria.dimensions import KEY, check_dimension, check_name, check_scale, check_text
from goldloop.criteria.model import (
    LIKERT_MATRIX,
    MAX_ANCHOR,
    MAX_DIMENSIONS,
    MAX_NAME,
    MAX_SET_DESCRIPTION,
    MAX_SLUG,
    MAX_TYPES,
    CriteriaSetDefinition,
    Dimension,
    DisplayConfig,
    Kind,
)
from goldloop.kit.errors import Fault
from goldloop.kit.numbers import is_number

SLUG = re.compile(rf"[a-z0-9][a-z0-9_-]{{0,{MAX_SLUG - 1}}}")
MAX_ALL_OPTIONS = 10_000  # over all dimensions: every response keeps them as they were
MAX_COLUMNS = 11  # a scale of 0 to 10 still fits on a screen; a wider one is a number, not a Likert scale
DEFAULT_STEP = 1  # between the columns of a matrix when neither dimension nor display says


def check_definition(definition: CriteriaSetDefinition) -> list[Fault]:
    """Everything wrong with `definition`, each with its place; nothing means it can be used as it is."""
    return [
        *_head_faults(definition),
        *_dimension_faults(definition),
        *_scope_faults(definition),
        *_display_faults(definition),
    ]


def _head_faults(definition: CriteriaSetDefinition) -> Iterator[Fault]:
    if not SLUG.fullmatch(definition.slug):
        yield _fault("/slug", "invalid_slug", "A slug has 1 to 120 lower-case letters, digits, _ or -")
    yield from check_name(definition.name, "/name", MAX_NAME)
    yield from check_text(definition.description, "/description", MAX_SET_DESCRIPTION, may_be_empty=True)
    types = definition.entity_type_slugs
    if types is not None and not 0 < len(types) <= MAX_TYPES:
        yield _fault("/entity_type_slugs", "wrong_count", f"Name 1 to {MAX_TYPES} types, or null for all")
    seen: set[str] = set()
    for place, slug in enumerate((types or [])[:MAX_TYPES]):
        if slug in seen:
            yield _fault(f"/entity_type_slugs/{place}", "duplicate_type", f"{slug!r} is there twice")
        seen.add(slug)
    key = definition.temporal_key
    if definition.kind is Kind.TEMPORAL and key is None:
        yield _fault(
            "/temporal_key", "temporal_key_missing", "A temporal set says what tells its snapshots apart"
        )
    elif definition.kind is not Kind.TEMPORAL and key is not None:
        yield _fault("/temporal_key", "temporal_key_unused", "Only a temporal set has a temporal key")
    elif key is not None and not KEY.fullmatch(key):
        yield _fault("/temporal_key", "invalid_key", "A temporal key has the form of a dimension's key")


def _dimension_faults(definition: CriteriaSetDefinition) -> Iterator[Fault]:
    """A record set may be empty: that of a type whose fields are all lists, objects or relations is."""
    dimensions = definition.dimensions
    if len(dimensions) > MAX_DIMENSIONS:
        yield _fault("/dimensions", "too_many", f"A criteria set has at most {MAX_DIMENSIONS} dimensions")
    elif not dimensions and definition.kind is not Kind.RECORD:
        yield _fault("/dimensions", "empty", "There is nothing to fill in: add a dimension")
    if sum(len(dimension.options or []) for dimension in dimensions) > MAX_ALL_OPTIONS:
        yield _fault("/dimensions", "too_many_options", f"A set has at most {MAX_ALL_OPTIONS} options in all")
    keys: set[str] = set()
    fields: set[str] = set()
    for place, dimension in enumerate(dimensions[:MAX_DIMENSIONS]):
        at = f"/dimensions/{place}"
        yield from check_dimension(dimension, at)
        if dimension.key in keys:
            yield _fault(f"{at}/key", "duplicate_key", f"{dimension.key!r} is there twice")
        if dimension.field_name in fields:
            yield _fault(
                f"{at}/fieldName", "duplicate_field", "Another dimension is promoted into this field"
            )
        keys.add(dimension.key)
        fields |= {dimension.field_name} if dimension.field_name is not None else set()


def _scope_faults(definition: CriteriaSetDefinition) -> Iterator[Fault]:
    scope = definition.scope
    if scope is None:
        return
    if not definition.is_relation_scoped:
        if scope.field_key is not None:
            yield _fault("/scope/fieldKey", "field_key_unused", "Only a relation scope has a field")
        return
    if scope.field_key is None or not scope.field_key.strip():
        yield _fault("/scope/fieldKey", "field_key_missing", "A relation scope names its relation field")
    for place, dimension in enumerate(definition.dimensions[:MAX_DIMENSIONS]):
        if dimension.field_name is not None:
            yield _fault(
                f"/dimensions/{place}/fieldName",
                "not_promotable",
                "What is said about a connection is not promoted into a field",
            )


def _display_faults(definition: CriteriaSetDefinition) -> Iterator[Fault]:
    config = definition.display_config
    if definition.display_type is None:
        if config is not None:
            yield _fault("/display_config", "display_config_unused", "The plain list has no display config")
    elif definition.display_type != LIKERT_MATRIX:
        yield _fault("/display_type", "unknown_display_type", f"A display type is null or {LIKERT_MATRIX!r}")
    else:
        yield from _config_faults(config or DisplayConfig())
        for place, dimension in enumerate(definition.dimensions[:MAX_DIMENSIONS]):
            yield from _row_faults(dimension, config or DisplayConfig(), f"/dimensions/{place}")


def _config_faults(config: DisplayConfig) -> Iterator[Fault]:
    yield from check_scale(config.scale, config.step, "/display_config")
    if labels := config.anchor_labels:
        for name, text in (("min", labels.min), ("mid", labels.mid), ("max", labels.max)):
            yield from check_text(text, f"/display_config/anchorLabels/{name}", MAX_ANCHOR)


def _row_faults(dimension: Dimension, config: DisplayConfig, at: str) -> Iterator[Fault]:
    if dimension.type not in NUMERIC:
        yield _fault(f"{at}/type", "not_numeric", "The rows of a Likert matrix are numbers and ratings")
    elif (scale := dimension.scale or config.scale) is None:
        yield _fault(
            f"{at}/scale", "scale_missing", "A row of a Likert matrix needs a scale, here or for all"
        )
    elif (columns := count_columns(dimension, config)) is not None and columns > MAX_COLUMNS:
        yield _fault(
            f"{at}/scale" if dimension.scale else "/display_config/scale",
            "too_many_columns",
            f"{scale[0]} to {scale[1]} makes {columns} columns; a Likert matrix has at most {MAX_COLUMNS}",
        )


def count_columns(dimension: Dimension, config: DisplayConfig) -> int | None:
    """The columns of a row: its own scale and step win over those of the matrix. None if they are unusable."""
    scale = dimension.scale or config.scale
    step = dimension.step or config.step or DEFAULT_STEP
    if scale is None or not all(is_number(number) for number in (*scale, step)) or step <= 0:
        return None
    steps = (scale[1] - scale[0]) / step
    return math.floor(steps + 1e-9) + 1 if is_number(steps) and steps >= 0 else None


def _fault(path: str, code: str, message: str) -> Fault:
    return Fault(path=path, code=code, message=message)
