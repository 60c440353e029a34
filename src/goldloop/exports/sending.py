"""Sends log records to an OTLP endpoint that a workspace chose. Infrastructure."""

from __future__ import annotations

import asyncio
import base64

import msgspec

from goldloop import __version__
from goldloop.exports.model import Evaluation, ExportSettings
from goldloop.exports.records import address, request
from goldloop.kit.at_first_use import httpx
from goldloop.kit.clock import now
from goldloop.kit.outside import Outside
from goldloop.kit.sealing import CannotUnseal

SECONDS = 10.0  # for all of a call: whoever takes longer is asked again later
SHOWN = 300  # characters of a refusal
MOST_ANSWERED = 64 * 1024  # bytes of an answer that are read
_PROTOBUF = "application/x-protobuf"


class ExportFailed(Exception):
    """The endpoint was not reached, or took nothing. The job says why, and is tried again."""


async def send(outside: Outside, destination: ExportSettings, place: str, evaluation: Evaluation) -> None:
    """Raises ExportFailed."""
    assert destination.url is not None
    url = address(destination.url)
    headers = {**_unsealed(outside, destination, place), "Content-Type": _PROTOBUF}
    body = request([evaluation], __version__, now())
    try:
        async with (
            asyncio.timeout(SECONDS),
            outside.egress.client(timeout=SECONDS) as client,
            client.stream("POST", url, content=body, headers=headers) as answer,
        ):
            detail = "" if answer.is_success else await _refusal(answer)
    except TimeoutError as error:
        raise ExportFailed(f"{_shown_url(url)} did not answer within {SECONDS:g} seconds") from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        reason = str(error) or type(error).__name__
        raise ExportFailed(f"Nobody took it at {_shown_url(url)}: {reason}") from error
    if not answer.is_success:
        raise ExportFailed(f"{_shown_url(url)} answered {answer.status_code} {detail}".strip())


async def _refusal(answer: httpx.Response) -> str:
    """What it says of why, where that is JSON; whatever it sends without end is not read to there."""
    if "json" not in answer.headers.get("content-type", ""):
        return ""
    content = b""
    async for part in answer.aiter_bytes():
        content += part
        if len(content) >= MOST_ANSWERED:
            break
    return content[:MOST_ANSWERED].decode(errors="replace")[:SHOWN]


def _shown_url(url: str) -> str:
    """Without what may be a secret in it."""
    return str(httpx.URL(url).copy_with(userinfo=b"", query=None))


def _unsealed(outside: Outside, destination: ExportSettings, place: str) -> dict[str, str]:
    if not destination.sealed:
        return {}
    try:
        opened = outside.sealer.unseal(base64.b64decode(destination.sealed), place)
    except CannotUnseal as error:
        raise ExportFailed("The headers cannot be read: set them anew") from error
    return msgspec.json.decode(opened, type=dict[str, str])
