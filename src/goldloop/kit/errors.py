"""What a failure is: a class beside its concept with a stable code, a status and its data."""

from typing import Any, ClassVar

import msgspec


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is wrong, and where: `path` is a JSON pointer into the request."""

    path: str
    code: str
    message: str


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The body of every error response (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    errors: list[Fault] = []
    conflict: dict[str, Any] | None = None


class GoldloopError(Exception):
    """Base of every expected failure; rendered as a problem response in `kit/http`."""

    status: ClassVar[int] = 500
    code: ClassVar[str] = "internal_error"
    title: ClassVar[str] = "Something went wrong"

    def __init__(
        self,
        detail: str | None = None,
        *,
        errors: list[Fault] | None = None,
        conflict: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        self.detail = detail or self.title
        self.errors = errors or []
        self.conflict = conflict
        self.headers = headers or {}
        super().__init__(self.detail)

    def problem(self) -> Problem:
        return Problem(
            type=f"urn:goldloop:problem:{self.code}",
            title=self.title,
            status=self.status,
            detail=self.detail,
            code=self.code,
            errors=self.errors,
            conflict=self.conflict,
        )


class MalformedRequest(GoldloopError):
    status, code, title = 400, "malformed_request", "The request could not be read"


class Unauthenticated(GoldloopError):
    status, code, title = 401, "unauthenticated", "A valid sign-in or API key is needed"


class Forbidden(GoldloopError):
    status, code, title = 403, "forbidden", "The actor may not do this"


class CsrfFailed(GoldloopError):
    status, code, title = 403, "csrf_failed", "The CSRF token is missing or wrong"


class NotFound(GoldloopError):
    status, code, title = 404, "not_found", "There is no such thing in this workspace"


class MethodNotAllowed(GoldloopError):
    status, code, title = 405, "method_not_allowed", "This address does not take that method"


class Conflict(GoldloopError):
    status, code, title = 409, "conflict", "This conflicts with what is already there"


class RequestTooLarge(GoldloopError):
    status, code, title = 413, "request_too_large", "The request is larger than this server takes"


class UnsupportedMediaType(GoldloopError):
    status, code, title = 415, "unsupported_media_type", "Bodies are JSON"


class InvalidInput(GoldloopError):
    status, code, title = 422, "invalid_input", "Some of the input is not valid"

    @classmethod
    def at(cls, path: str, code: str, message: str) -> "InvalidInput":
        return cls(message, errors=[Fault(path=path, code=code, message=message)])


class TooManyRequests(GoldloopError):
    status, code, title = 429, "too_many_requests", "Too many requests"


class Unavailable(GoldloopError):
    status, code, title = 503, "unavailable", "The server cannot do this at the moment"
