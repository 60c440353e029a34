"""The single source of a type's default criteria set: each field that a form can hold, as a dimension.

| field in the JSON Schema               | dimension                                                |
|----------------------------------------|----------------------------------------------------------|
| enum of texts, numbers or booleans     | select, its members as text                              |
| boolean                                | select of "true" and "false"                             |
| number, integer                        | number; a scale if minimum and maximum are both given;   |
|                                        | an integer in steps of 1                                 |
| long text                              | richtext                                                 |
| any other string                       | text                                                     |
| list, object, relation, anything mixed | none                                                     |

Text is long when its widget is richtext, textarea, markdown or html, when its format or media type is
Markdown or HTML, or when it may have more than 500 characters. An enum too large for a list to choose from
is text. A field that may be null is as if it could not be: leaving it empty says so. No dimension is
required, also where the field is: a response may propose a single value.

Pure.
"""

import re
from collections.abc import Mapping
from typing import Any

from goldloop.criteria.dimension_types import default_kind
from goldloop.criteria.dimensions import KEY
from goldloop.criteria.model import (
    MAX_DESCRIPTION,
    MAX_FIELD_NAME,
    MAX_LABEL,
    Dimension,
)
from goldloop.entities.fields import FieldShape, describe_field, is_relation
from goldloop.kit.text import on_one_line

MAX_NAME = 200  # characters of a set's name, as of a type's


def default_criteria_set_slug(entity_type_slug: str) -> str:
    return f"default-{entity_type_slug}"


def default_criteria_set_name(entity_type_name: str) -> str:
    """Of a type whose name leaves no room, its beginning."""
    suffix = " fields"
    return f"{entity_type_name[: MAX_NAME - len(suffix)].rstrip()}{suffix}"


def default_dimensions(
    json_schema: Mapping[str, Any], field_configs: Mapping[str, Any] | None = None
) -> list[Dimension]:
    """One dimension per field that an input can hold, in the order of the schema, each promoted into its field."""
    configs = field_configs or {}
    fields = json_schema.get("properties", {})
    dimensions: list[Dimension] = []
    for field in fields:
        config = configs.get(field) or {}
        shape = describe_field(json_schema, field)
        kind = None if shape is None or is_relation(configs, field) else default_kind(shape, config)
        if shape is None or kind is None or not 0 < len(field.strip()) <= len(field) <= MAX_FIELD_NAME:
            continue
        taken = (fields.keys() - {field}) | {dimension.key for dimension in dimensions}
        description = config.get("description") or shape.rules.get("description")
        dimensions.append(
            Dimension(
                key=_key(field, taken),
                label=_label(field, shape, config),
                description=_text(description, MAX_DESCRIPTION),
                field_name=field,
                **kind,
            )
        )
    return dimensions


def _key(field: str, taken: set[str]) -> str:
    """The field's name where it is a key; otherwise the nearest key that is free."""
    key = field if KEY.fullmatch(field) else re.sub(r"[^\w.\-]+", "_", field).lstrip(".-")[:90] or "field"
    return next(name for name in (key, *(f"{key}_{n}" for n in range(2, 1000))) if name not in taken)


def _label(field: str, shape: FieldShape, config: Mapping[str, Any]) -> str:
    given = _text(config.get("label"), MAX_LABEL) or _text(shape.rules.get("title"), MAX_LABEL)
    return on_one_line(given or humanize(field))[:MAX_LABEL]


def humanize(field: str) -> str:
    """`annualRevenue_usd` as `Annual revenue usd`; an abbreviation in capitals stays one."""
    parts = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[_\-\s.]+", " ", field).split()
    words = " ".join(part if len(part) > 1 and part.isupper() else part.lower() for part in parts)
    return words[:1].upper() + words[1:] if words else field


def _text(value: object, longest: int) -> str | None:
    return value.strip()[:longest] or None if isinstance(value, str) else None
