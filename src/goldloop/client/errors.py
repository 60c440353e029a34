"""Exceptions of the client: one class per kind of error response, with the server's problem details."""

from typing import Any

import msgspec


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is wrong with a request; `path` is a JSON pointer into it."""

    path: str
    code: str
    message: str


class GoldloopError(Exception):
    """Base of everything this package raises.

    `status` is None when there was no answer. Switch on `code`: it is stable, the words are not.
    """

    def __init__(
        self,
        detail: str,
        *,
        status: int | None = None,
        code: str = "client_error",
        errors: list[Fault] | None = None,
        errors_omitted: int = 0,
        conflict: dict[str, Any] | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        self.detail = detail
        self.status = status
        self.code = code
        self.errors = errors or []
        self.errors_omitted = errors_omitted
        self.conflict = conflict
        self.request_id = request_id
        self.retry_after = retry_after
        super().__init__(detail)

    def __str__(self) -> str:
        where = "".join(f"; {fault.path or '/'}: {fault.message}" for fault in self.errors)
        more = f"; and {self.errors_omitted} more" if self.errors_omitted else ""
        return f"{self.detail} ({self.code}){where}{more}"


class NotConfigured(GoldloopError):
    """No address or no key is configured."""


class ConnectionFailed(GoldloopError):
    """No answer: the server could not be reached, or not in time. Whether it acted is not known."""


class NotInTime(GoldloopError):
    """What was waited for did not happen in the time given. It may yet."""


class UnexpectedAnswer(GoldloopError):
    """An answer that is not Goldloop's: a proxy's page, or a server much newer or older."""


class BadRequest(GoldloopError):
    """400, 405, 413, 415: this should not have been sent at all."""


class Unauthenticated(GoldloopError):
    """401: the key is missing, unknown, expired or revoked."""


class Forbidden(GoldloopError):
    """403: the key's holder may not do this."""


class NotFound(GoldloopError):
    """404: there is no such thing in this workspace."""


class Conflict(GoldloopError):
    """409: `conflict` says with what, for a version both versions."""


class InvalidInput(GoldloopError):
    """422: `errors` says what is wrong where."""


class TooManyRequests(GoldloopError):
    """429: `retry_after` says in how many seconds to try again."""


class ServerError(GoldloopError):
    """5xx: the server's fault or that of something before it."""


class ToolFailed(GoldloopError):
    """A tool answered with `error`: the call was understood and could not be done."""


_BY_STATUS: dict[int, type[GoldloopError]] = {
    401: Unauthenticated,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    422: InvalidInput,
    429: TooManyRequests,
}


def error_class(status: int) -> type[GoldloopError]:
    if status >= 500:
        return ServerError
    return _BY_STATUS.get(status, BadRequest if status >= 400 else UnexpectedAnswer)
