"""The OpenAPI document: the framework's own, corrected where it differs from what the server does."""

from typing import Any

import msgspec
from litestar import Litestar
from litestar.openapi.spec import OpenAPIType, Schema
from litestar.plugins import OpenAPISchemaPlugin
from litestar.routes import HTTPRoute
from litestar.typing import FieldDefinition

from goldloop.kit.http import PROBLEM_JSON

_LENGTHS = {
    OpenAPIType.STRING: ("min_length", "max_length"),
    OpenAPIType.ARRAY: ("min_items", "max_items"),
    OpenAPIType.OBJECT: ("min_properties", "max_properties"),
}


class MetaSchemaPlugin(OpenAPISchemaPlugin):
    """Applies `msgspec.Meta` within lists and optional types too; the framework applies it to plain fields only."""

    def is_plugin_supported_field(self, field_definition: FieldDefinition) -> bool:
        return _meta(field_definition) is not None

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: Any) -> Any:
        meta = _meta(field_definition)
        bare = FieldDefinition.from_annotation(
            field_definition.annotation, name=field_definition.name, default=field_definition.default
        )
        schema = schema_creator.for_field_definition(bare)
        if isinstance(schema, Schema) and meta is not None:
            shortest, longest = _LENGTHS.get(schema.type, (None, None))  # type: ignore[arg-type]
            _set(schema, shortest, meta.min_length)
            _set(schema, longest, meta.max_length)
            for name, value in (("pattern", meta.pattern), ("minimum", meta.ge), ("maximum", meta.le)):
                _set(schema, name, value)
        return schema


def _meta(field: FieldDefinition) -> msgspec.Meta | None:
    return next((each for each in field.metadata if isinstance(each, msgspec.Meta)), None)


def _set(schema: Schema, name: str | None, value: object) -> None:
    if name and value is not None:
        setattr(schema, name, value)


def openapi_document(app: Litestar) -> dict[str, Any]:
    document: dict[str, Any] = _fix_types(app.openapi_schema.to_schema())
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            operations = document["paths"].get(route.path_format, {})
            for method, (handler, _) in route.route_handler_map.items():
                if operation := operations.get(method.lower()):
                    _fix_operation(operation, handler.opt)
    return document


def _fix_types(node: Any) -> Any:
    """`int | float` as a number: "exactly one of integer and number" would refuse every integer. A tuple with its length."""
    if isinstance(node, list):
        return [_fix_types(item) for item in node]
    if not isinstance(node, dict):
        return node
    made = {key: _fix_types(value) for key, value in node.items()}
    if isinstance(parts := made.get("prefixItems"), list):
        made |= {"minItems": len(parts), "maxItems": len(parts)}
    choices = made.get("oneOf", [])
    if {"type": "number"} in choices and {"type": "integer"} in choices:
        made["oneOf"] = [choice for choice in choices if choice != {"type": "integer"}]
        if len(made["oneOf"]) == 1:
            del made["oneOf"]
            made["type"] = "number"
    return made


def _fix_operation(operation: dict[str, Any], opt: dict[str, Any]) -> None:
    responses = operation["responses"]
    if "400" in responses and PROBLEM_JSON not in responses["400"]["content"]:
        del responses["400"]  # the framework's answer to bad parameters; `kit/http` makes it a 422
    if opt.get("public"):
        operation["security"] = []
    elif opt.get("session_only"):
        operation["security"] = [{"session": []}]
