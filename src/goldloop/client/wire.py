"""Encodes requests and decodes responses and errors."""

from datetime import UTC, datetime
from typing import Any

import httpx
import msgspec

from goldloop import __version__
from goldloop.client.calls import Request
from goldloop.client.errors import ConnectionFailed, Fault, GoldloopError, UnexpectedAnswer, error_class
from goldloop.client.retries import parse_retry_after

SHOWN = 200  # characters of an answer that is not ours, enough to recognise whose it is


class _Workspace(msgspec.Struct, frozen=True):
    slug: str


WORKSPACE = Request(method="GET", path="/api/workspace", query={}, body=None, answer=_Workspace, safe=True)
_HERE = "/@tenant/"  # in a path that names the workspace; an id cannot hold it, for they are quoted


def names_workspace(request: Request) -> bool:
    return _HERE in request.path


def in_workspace(request: Request, slug: str) -> Request:
    return msgspec.structs.replace(request, path=request.path.replace(_HERE, f"/{slug}/", 1))


class _Problem(msgspec.Struct, frozen=True):
    code: str
    detail: str
    errors: list[Fault] = []
    errors_omitted: int = 0
    conflict: dict[str, Any] | None = None


def headers(key: str) -> dict[str, str]:
    return {
        "Authorization": f"Bearer {key}",
        "Accept": "application/json",
        "User-Agent": f"goldloop-python/{__version__}",
    }


def arguments(request: Request) -> dict[str, Any]:
    """The request as `httpx` takes it. Raises `TypeError` for what is not JSON."""
    sent: dict[str, Any] = {
        "method": request.method,
        "url": request.path,
        "params": {name: str(value) for name, value in request.query.items() if value is not None},
    }
    if request.body is not None:
        sent["content"] = msgspec.json.encode(request.body)
        sent["headers"] = {"Content-Type": "application/json"}
    return sent


def read_answer(request: Request, answer: httpx.Response) -> Any:
    """The decoded answer; raises what an error answer says."""
    if not answer.is_success:
        raise read_error(answer)
    if request.answer is None or not answer.content:
        return None
    try:
        return msgspec.json.decode(answer.content, type=request.answer)
    except msgspec.DecodeError as error:
        raise UnexpectedAnswer(
            f"The answer to {request.method} {request.path} could not be read: {error}",
            status=answer.status_code,
            code="unexpected_answer",
            request_id=answer.headers.get("x-request-id"),
        ) from error


def read_error(answer: httpx.Response) -> GoldloopError:
    kind = error_class(answer.status_code)
    try:
        problem = msgspec.json.decode(answer.content, type=_Problem)
    except msgspec.DecodeError:
        text = answer.text[:SHOWN].strip() or answer.reason_phrase
        problem = _Problem(code=f"http_{answer.status_code}", detail=f"HTTP {answer.status_code}: {text}")
    return kind(
        problem.detail,
        status=answer.status_code,
        code=problem.code,
        errors=problem.errors,
        errors_omitted=problem.errors_omitted,
        conflict=problem.conflict,
        request_id=answer.headers.get("x-request-id"),
        retry_after=parse_retry_after(answer.headers.get("retry-after"), datetime.now(UTC)),
    )


def connection_failed(request: Request, error: httpx.TransportError) -> ConnectionFailed:
    what = "took too long" if isinstance(error, httpx.TimeoutException) else "failed"
    reason = f": {error}" if str(error) else ""
    return ConnectionFailed(f"{request.method} {request.path} {what}{reason}", code="connection_failed")
