"""Types of what is stored of spans, and the settings of a workspace."""

from datetime import datetime
from enum import IntEnum
from typing import Annotated, Final, NamedTuple
from uuid import UUID

import msgspec

from goldloop.conversations.model import ID_CHARACTERS
from goldloop.kit.text import PATH_ID_PATTERN
from goldloop.tenants.settings.model import Section

Project = Annotated[str, msgspec.Meta(min_length=1, max_length=ID_CHARACTERS, pattern=PATH_ID_PATTERN)]
KeepDays = Annotated[int, msgspec.Meta(ge=1, le=3650)]


class Signal(IntEnum):
    TRACES = 1
    LOGS = 2


class Encoding:
    """How a body is stored, as bits of a number: in JSON, else in protobuf; compressed by whoever sent it (gzip or zlib), or
    packed by us. Plain numbers, for they are asked several times in every request."""

    PROTOBUF: Final = 0
    JSON: Final = 1
    COMPRESSED: Final = 2
    PACKED: Final = 4


class Batch(NamedTuple):
    """A request as it is stored; `trace_ids` are those of its spans or records that can be used."""

    id: bytes
    signal: Signal
    encoding: int
    spans: int
    body: bytes
    trace_ids: tuple[bytes, ...]


class StoredBatch(NamedTuple):
    """A request without its body, which has so many bytes."""

    id: bytes
    signal: Signal
    encoding: int
    received_at: datetime
    size: int


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """What one source told in a trace. `requests` are those to models, of which `with_content` tell what was said."""

    service: str
    scope: str
    sdk: str
    spans: int = 0
    requests: int = 0
    with_content: int = 0
    with_session: int = 0
    with_user: int = 0


class Trace(msgspec.Struct, frozen=True, kw_only=True):
    """`first_at` and `last_at` are when its spans came; `ended_at` is when its root ended, None until that came."""

    trace_id: bytes
    session_id: UUID | None
    first_at: datetime
    last_at: datetime
    ended_at: datetime | None = None
    error: str | None = None
    answer: str | None = None
    answer_span: bytes | None = None
    has_turn: bool = False
    counts: list[Counts] = []


class AnsweredTrace(NamedTuple):
    """A trace that became a turn: the span of the request that gave the answer, and what the program calls the session."""

    trace_id: bytes
    span_id: bytes | None
    session: str | None


class Turning(NamedTuple):
    """How the traces of a session stand: when something last came of one that has not ended, None where all have; and how
    the one that ended last did."""

    open_at: datetime | None
    error: str | None
    answer: str | None


class OtlpSettings(msgspec.Struct, frozen=True, kw_only=True):
    """`project` is where turns of sessions go; without one each program has its own, by its `service.name`. Bodies of requests
    are kept for `keep_days`, sessions for ever."""

    project: Project | None = None
    keep_days: KeepDays = 90


SETTINGS = Section("otlp", OtlpSettings)


class Missing(msgspec.Struct, frozen=True, kw_only=True):
    """What an emitter leaves out (`content`, `session` or `user`) and the setting of it that changes that."""

    what: str
    how: str


class FailedTrace(msgspec.Struct, frozen=True, kw_only=True):
    """A trace that could not be derived, and is tried again only when more of it comes or somebody says so."""

    trace_id: str
    attempts: int
    reason: str


class OtlpSource(Counts, frozen=True, kw_only=True):
    """A program as one instrumentation of it reports it, since it was first heard of."""

    emitter: str
    first_at: datetime
    last_at: datetime
    missing: list[Missing]
