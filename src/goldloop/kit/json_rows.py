"""The single source of how PostgreSQL writes a row as the JSON of an answer, so that nobody takes a page of rows apart and
puts it together again. The keys are those of the declared type; times, numbers and nulls are as msgspec writes them."""

from datetime import datetime
from enum import StrEnum
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin
from uuid import UUID

import msgspec

_AS_TEXT = (bool, int, float, dict)  # whose text in PostgreSQL is JSON; an object is a column of jsonb


def json_object(kind: type[msgspec.Struct], row: str, /, **made: str) -> str:
    """An expression for the text of an object of this type: of each field the column of that name in `row`, or what is
    `made` of it, an expression that is JSON already and never null."""
    assert not kind.__struct_config__.omit_defaults, "what is left out would have to be asked of each row"
    fields = msgspec.structs.fields(kind)
    assert made.keys() <= {field.name for field in fields}, f"no field of {kind.__name__}"
    parts = [
        f"""'{"," if place else "{"}"{field.encode_name}":' || {
            made.get(field.name) or _json_of(f"{row}.{field.name}", field.type)
        }"""
        for place, field in enumerate(fields)
    ]
    return f"({' || '.join(parts)} || '}}')"


def json_or_null(condition: str, made: str) -> str:
    """What is made where a condition holds, else null."""
    return f"(CASE WHEN {condition} THEN {made} ELSE 'null' END)"


def json_text(expression: str) -> str:
    """A text, an array or JSON as JSON; null where there is none."""
    return f"coalesce(to_json({expression})::text, 'null')"


def json_word(expression: str) -> str:
    """What needs no escapes, such as an id or a word of an enum, as JSON; null where there is none."""
    return f"""coalesce('"' || {expression} || '"', 'null')"""


def written(time: str) -> str:
    """A time as every answer has it: in UTC, with microseconds where there are any."""
    form = 'YYYY-MM-DD"T"HH24":"MI":"SS'
    return f"""to_char({time} AT TIME ZONE 'UTC',
        CASE WHEN {time} = date_trunc('second', {time}) THEN '{form}"Z"' ELSE '{form}.US"Z"' END)"""


def _json_of(column: str, kind: Any) -> str:
    only = _type_of(kind)
    if only is datetime:
        return json_word(written(column))
    if only is UUID or (isinstance(only, type) and issubclass(only, StrEnum)):
        return json_word(column)
    if only in _AS_TEXT:
        return f"coalesce({column}::text, 'null')"
    return json_text(column)


def _type_of(kind: Any) -> Any:
    """Without None, and without what a type is annotated with; None where several are left."""
    if get_origin(kind) is Annotated:
        return _type_of(get_args(kind)[0])
    if get_origin(kind) in (Union, UnionType):
        kinds = [each for each in get_args(kind) if each is not NoneType]
        return _type_of(kinds[0]) if len(kinds) == 1 else None
    return get_origin(kind) or kind
