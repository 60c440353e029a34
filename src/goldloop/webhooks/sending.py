"""Sends one message to a receiver that a workspace chose. Infrastructure.

The address is checked as it is connected to (`kit/egress.py`), redirects are not followed, and of an answer no more is read
than is kept.
"""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import NamedTuple

from goldloop import __version__
from goldloop.kit.at_first_use import httpx

SECONDS = 15.0  # for all of a call: whoever needs longer takes it, answers, and does its work after that
KEPT_BYTES = 1024  # of an answer
LONGEST_ERROR = 500  # characters
USER_AGENT = f"Goldloop/{__version__}"


class Answer(NamedTuple):
    """`error` says why it does not count as taken, None where it does."""

    milliseconds: int
    status: int | None = None
    error: str | None = None
    content_type: str | None = None
    text: str | None = None
    retry_after: str | None = None


async def send(client: httpx.AsyncClient, url: str, headers: dict[str, str], body: bytes) -> Answer:
    """It never raises: whatever goes wrong is an answer that is no success."""
    began = monotonic()
    try:
        async with (
            asyncio.timeout(SECONDS),
            client.stream("POST", url, content=body, headers=headers) as answer,
        ):
            text = await _beginning(answer)
            return Answer(
                milliseconds=_since(began),
                status=answer.status_code,
                error=None if answer.is_success else f"It answered {answer.status_code}",
                content_type=_kept(answer.headers.get("content-type"), 100),
                text=text,
                retry_after=_kept(answer.headers.get("retry-after"), 100),
            )
    except TimeoutError:
        return Answer(_since(began), error=f"It did not answer within {SECONDS:g} seconds")
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, OSError) as error:
        return Answer(_since(began), error=_kept(f"Nobody took it: {str(error) or type(error).__name__}"))


async def _beginning(answer: httpx.Response) -> str:
    """As it came, without unpacking what may unpack to anything; whatever is sent without end is not read to there."""
    content = b""
    async for part in answer.aiter_raw():
        content += part[:KEPT_BYTES]
        if len(content) >= KEPT_BYTES:
            break
    return content[:KEPT_BYTES].decode(errors="replace").replace("\x00", "\ufffd")


def _kept(text: str | None, most: int = LONGEST_ERROR) -> str | None:
    return None if text is None else text.encode(errors="replace").decode()[:most].replace("\x00", "\ufffd")


def _since(began: float) -> int:
    return round((monotonic() - began) * 1000)
