"""Answers held to the letter of what their route declares."""

import json
from typing import Any

import httpx
import msgspec
from litestar.handlers import HTTPRouteHandler


def of_declared_type(handler: HTTPRouteHandler, answer: httpx.Response) -> list[dict[str, Any]]:
    """The rows of a page that has every key of the declared type, no other, and values that it would write so."""
    assert answer.status_code == 200, answer.text
    kind = handler.parsed_fn_signature.return_type.annotation
    body: dict[str, Any] = answer.json()
    assert json.loads(msgspec.json.encode(msgspec.json.decode(answer.content, type=kind))) == body
    rows: list[dict[str, Any]] = body["data"]
    return rows
