"""Base classes of errors. An error is a class beside its concept with a stable code, a status and its data; its
messages are cut, whatever the client sent."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from itertools import islice
from typing import Any, ClassVar, Self

import msgspec

from goldloop.kit.json_pointer import pointer

MOST_FAULTS = 100  # enough to repair a request by; a list of ten thousand helps nobody
LONGEST_TEXT = 500  # characters of a path or a message: room for a name, not for a document


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is wrong, and where: `path` is a JSON pointer into the request."""

    path: str
    code: str
    message: str


class Faults(list[Fault]):
    """The faults of a request: the first MOST_FAULTS, cut, and how many more there are (`omitted`)."""

    def __init__(self, faults: Iterable[Fault] = (), *, omitted: int = 0) -> None:
        super().__init__()
        self.omitted = omitted
        self.extend(faults)

    def append(self, fault: Fault) -> None:
        if len(self) < MOST_FAULTS:
            super().append(_in_short(fault))
        else:
            self.omitted += 1

    def extend(self, faults: Iterable[Fault]) -> None:
        self.omitted += getattr(faults, "omitted", 0)
        for fault in faults:
            self.append(fault)

    def __iadd__(self, faults: Iterable[Fault]) -> "Faults":  # type: ignore[override,misc]
        self.extend(faults)
        return self

    @property
    def is_full(self) -> bool:
        return len(self) >= MOST_FAULTS


def unknown_keys(
    given: Mapping[str, Any], known: AbstractSet[str], at: str, code: str, message: str
) -> Faults:
    """One fault for each unknown key; only the first are described, the others are counted."""
    count = len(given) - sum(key in given for key in known)
    named = islice((key for key in given if key not in known), min(count, MOST_FAULTS))
    faults = Faults(Fault(path=at + pointer(key), code=code, message=message) for key in named)
    faults.omitted = count - len(faults)
    return faults


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The body of every error response (RFC 9457). `errors` are the first 100; `errors_omitted` is how many more there
    are."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    errors: list[Fault] = []
    errors_omitted: int = 0
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
        errors: Iterable[Fault] = (),
        conflict: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        self.detail = short(detail or self.title)
        self.errors = errors if isinstance(errors, Faults) else Faults(errors)
        self.conflict = _some_of(conflict) if conflict else None
        self.headers = headers or {}
        super().__init__(self.detail)

    @classmethod
    def in_field(cls, path: str) -> Self:
        """What is wrong is one field of the request."""
        return cls(errors=[Fault(path=path, code=cls.code, message=cls.title)])

    def problem(self) -> Problem:
        return Problem(
            type=f"urn:goldloop:problem:{self.code}",
            title=self.title,
            status=self.status,
            detail=self.detail,
            code=self.code,
            errors=list(self.errors),
            errors_omitted=self.errors.omitted,
            conflict=self.conflict,
        )


def short(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"


def _in_short(fault: Fault) -> Fault:
    if len(fault.path) <= LONGEST_TEXT >= len(fault.message):
        return fault
    return Fault(path=short(fault.path), code=fault.code, message=short(fault.message))


def _some_of(conflict: dict[str, Any]) -> dict[str, Any]:
    """The first of each list, with how many more there are."""
    shown: dict[str, Any] = {}
    for key, value in conflict.items():
        shown[key] = value[:MOST_FAULTS] if isinstance(value, list) else value
        if isinstance(value, list) and len(value) > MOST_FAULTS:
            shown[f"{key}_omitted"] = len(value) - MOST_FAULTS
    return shown


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


class BeingErased(Conflict):
    code, title = (
        "being_erased",
        "This is being erased at the moment: nothing about it is taken in until that is over",
    )


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
