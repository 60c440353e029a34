"""Types of retention."""

from typing import Annotated

import msgspec

from goldloop.otlp.model import KeepDays
from goldloop.tenants.settings.model import Section

Days = Annotated[int, msgspec.Meta(ge=1, le=36_500)]


class KeptFor(msgspec.Struct, frozen=True, kw_only=True):
    """What a workspace has set beside the days of raw traces, which are a setting of theirs."""

    sessions_days: Days | None = None
    conversations_days: Days | None = None
    events_days: Days | None = None


SETTINGS = Section("retention", KeptFor)


class Retention(msgspec.Struct, frozen=True, kw_only=True):
    """How many days things are kept after they were last added to; null: for ever. `traces_days` is for the raw bodies of
    spans, from which sessions are derived."""

    traces_days: KeepDays
    sessions_days: Days | None
    conversations_days: Days | None
    events_days: Days | None


class KeptLonger(msgspec.Struct, frozen=True, kw_only=True):
    """What would be due and stays: `why` is `golden`, `promoted`, `knowledge`, `open_feedback` or
    `waiting_delivery`. `ids` are the first."""

    what: str
    why: str
    count: int
    ids: list[str]


class RetentionDue(msgspec.Struct, frozen=True, kw_only=True):
    """What would go if it were done now, and what stays though its time is over."""

    traces: int
    sessions: int
    conversations: int
    events: int
    kept: list[KeptLonger]
