"""The OpenAPI document: the framework's own, put right where it tells what this server does not do."""

from typing import Any

from litestar import Litestar
from litestar.routes import HTTPRoute

from goldloop.kit.http import PROBLEM_JSON


def openapi_document(app: Litestar) -> dict[str, Any]:
    document: dict[str, Any] = _plain_numbers(app.openapi_schema.to_schema())
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            operations = document["paths"].get(route.path_format, {})
            for method, (handler, _) in route.route_handler_map.items():
                if operation := operations.get(method.lower()):
                    _put_right(operation, handler.opt)
    return document


def _plain_numbers(node: Any) -> Any:
    """`int | float` as a number: "exactly one of integer and number" would refuse every integer."""
    if isinstance(node, list):
        return [_plain_numbers(item) for item in node]
    if not isinstance(node, dict):
        return node
    made = {key: _plain_numbers(value) for key, value in node.items()}
    choices = made.get("oneOf", [])
    if {"type": "number"} in choices and {"type": "integer"} in choices:
        made["oneOf"] = [choice for choice in choices if choice != {"type": "integer"}]
        if len(made["oneOf"]) == 1:
            del made["oneOf"]
            made["type"] = "number"
    return made


def _put_right(operation: dict[str, Any], opt: dict[str, Any]) -> None:
    responses = operation["responses"]
    if "400" in responses and PROBLEM_JSON not in responses["400"]["content"]:
        del responses["400"]  # the framework's answer to bad parameters; `kit/http` makes it a 422
    if opt.get("public"):
        operation["security"] = []
    elif opt.get("session_only"):
        operation["security"] = [{"session": []}]
