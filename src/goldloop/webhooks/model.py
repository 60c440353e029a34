"""Types and errors of webhooks."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any
from uuid import UUID

import msgspec

from goldloop.kit.errors import Conflict, NotFound
from goldloop.kit.text import full_match
from goldloop.tenants.model import Party

MOST_ENDPOINTS = 50  # of a workspace: each costs a row for every event that it wants
MOST_EVENTS = 200  # that one names; whoever wants more wants all
ALL_EVENTS = "*"

WebhookUrl = Annotated[str, msgspec.Meta(max_length=2000, pattern=full_match(r"https?://[^\s/?#]\S*"))]
Description = Annotated[str, msgspec.Meta(max_length=500)]
EventName = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
EventNames = Annotated[list[EventName], msgspec.Meta(min_length=1, max_length=MOST_EVENTS)]


class WebhookNotFound(NotFound):
    code, title = "webhook_not_found", "There is no such webhook in this workspace"


class DeliveryNotFound(NotFound):
    code, title = "delivery_not_found", "This webhook has no such delivery"


class WebhookExists(Conflict):
    code, title = "webhook_exists", "A webhook with this id exists: its secret was shown when it was made"


class TooManyWebhooks(Conflict):
    code, title = "too_many_webhooks", f"A workspace has {MOST_ENDPOINTS} webhooks at most"


class WebhookSwitchedOff(Conflict):
    code, title = "webhook_switched_off", "Nothing is sent to a webhook that is switched off"


class DeliveryStatus(StrEnum):
    WAITING = "waiting"
    DELIVERED = "delivered"
    FAILED = "failed"


class SwitchedOff(StrEnum):
    """Why the server switched a webhook off: all attempts of days had failed, or the receiver answered that it is gone."""

    FAILING = "failing"
    GONE = "gone"


class Webhook(msgspec.Struct, frozen=True, kw_only=True):
    """Where events are sent. `events` are names, or `*` for all. `switched_off` says why the server switched it off, null where
    it did not. `failing_since` is when attempts began to fail, one after another; `paused_until` is when the next one is
    made then. `waiting` is how many deliveries wait, counted up to 1,000 and one. Until `previous_secret_until` what is sent
    is signed with the secret before as well."""

    id: UUID
    url: str
    description: str
    events: list[str]
    enabled: bool
    switched_off: SwitchedOff | None
    switched_off_at: datetime | None
    failures: int
    failing_since: datetime | None
    paused_until: datetime | None
    last_error: str | None
    last_success_at: datetime | None
    waiting: int
    previous_secret_until: datetime | None
    version: int
    created_at: datetime
    created_by: Party
    updated_at: datetime


class WebhookWithSecret(Webhook, frozen=True, kw_only=True):
    """The webhook with its secret, which is shown here and never again."""

    secret: str


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """An event that is sent to one receiver. `event_id` is the `webhook-id` of every attempt; `next_at` is when the next one
    is made, null when it is over. `last_status` is what was answered last, null where nothing was."""

    id: UUID
    webhook_id: UUID
    event_id: UUID
    event: str
    subject_id: str
    status: DeliveryStatus
    attempts: int
    next_at: datetime | None
    last_status: int | None
    last_error: str | None
    event_at: datetime
    created_at: datetime
    ended_at: datetime | None


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """One request and what was answered: `answer` is the first kilobyte. `error` says why it failed, null where it did not."""

    number: int
    at: datetime
    milliseconds: int
    status: int | None
    error: str | None
    request_headers: dict[str, str]
    answer_type: str | None
    answer: str | None


class DeliveryDetail(Delivery, frozen=True, kw_only=True):
    """`body` is what is sent, byte for byte. `tries` are the attempts that were kept, newest first."""

    url: str
    body: str
    tries: list[Attempt]


class EventInfo(msgspec.Struct, frozen=True, kw_only=True):
    """An event that can be chosen. `data` is the JSON schema of what is sent of it."""

    name: str
    topic: str
    subject: str
    when: str
    data: dict[str, Any]


class Recovery(msgspec.Struct, frozen=True, kw_only=True):
    """The job that queues what a receiver has missed."""

    job_id: UUID
