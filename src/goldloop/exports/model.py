"""Types of what is exported, and where to."""

from datetime import datetime
from typing import Annotated

import msgspec

from goldloop.kit.text import full_match
from goldloop.tenants.settings.model import Section

MOST_HEADERS = 20
# What the request itself says: somebody's own would break it, or have it taken for another's.
OWN_HEADERS = frozenset(
    [
        "connection",
        "content-encoding",
        "content-length",
        "content-type",
        "expect",
        "host",
        "keep-alive",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    ]
)

ExportUrl = Annotated[str, msgspec.Meta(max_length=2000, pattern=full_match(r"https?://[^\s/?#]\S*"))]
HeaderName = Annotated[str, msgspec.Meta(pattern=full_match(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}"))]
HeaderValue = Annotated[
    str, msgspec.Meta(max_length=4000, pattern=full_match(r"[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?"))
]
Headers = Annotated[dict[HeaderName, HeaderValue], msgspec.Meta(max_length=MOST_HEADERS)]


class Evaluation(msgspec.Struct, frozen=True, kw_only=True):
    """A result of an evaluation. `trace_id` and `span_id` are those of what is evaluated, in hexadecimal, where that came as
    spans; `attributes` say more of it."""

    name: str
    at: datetime
    score: float | None = None
    label: str | None = None
    explanation: str | None = None
    conversation_id: str | None = None
    trace_id: str | None = None
    span_id: str | None = None
    attributes: dict[str, str | float] = {}


class ExportSettings(msgspec.Struct, frozen=True, kw_only=True):
    """As they are stored: `sealed` holds the headers, whose names are `headers`."""

    url: str | None = None
    headers: list[str] = []
    sealed: str = ""


SETTINGS = Section("exports", ExportSettings)


class OtlpExport(msgspec.Struct, frozen=True, kw_only=True):
    """Where results of evaluations are sent, None where they are not, and the names of the headers that go with them."""

    url: str | None
    headers: list[str]
