"""Routes of webhooks: `/api/webhooks`."""

import re
from datetime import datetime, timedelta
from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Router, delete, get, patch, post
from litestar.params import FromQuery, JSONBody, QueryParameter

from goldloop.entities.model import VersionConflict
from goldloop.kit.egress import HostNotAllowed, NotAUrl
from goldloop.kit.errors import InvalidInput
from goldloop.kit.http import Db, PathId, Ports, Wire, problems
from goldloop.kit.ids import new_bytes, new_id
from goldloop.kit.outside import Outside
from goldloop.kit.pagination import DEFAULT_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit
from goldloop.kit.wire_types import Version
from goldloop.tenants.auth.api import Who, needs
from goldloop.webhooks import delivery_service, service
from goldloop.webhooks.model import (
    Delivery,
    DeliveryDetail,
    DeliveryNotFound,
    DeliveryStatus,
    Description,
    EventInfo,
    EventNames,
    Recovery,
    TooManyWebhooks,
    Webhook,
    WebhookExists,
    WebhookNotFound,
    WebhookSwitchedOff,
    WebhookUrl,
    WebhookWithSecret,
)
from goldloop.webhooks.permissions import WEBHOOKS_MANAGE
from goldloop.webhooks.signing import SECRET_BYTES, secret_of
from goldloop.webhooks.store import Definition

MOST_HOURS = 168  # that a secret is valid beside the next: a week


class NewWebhook(Wire, frozen=True):
    """`events` are names of events, or `*` for all, also those that there will be."""

    url: WebhookUrl
    events: EventNames
    description: Description = ""
    enabled: bool = True
    id: UUID | None = None


class WebhookChange(Wire, frozen=True):
    """What is left out stays as it is. `version` is the one that the editor read."""

    version: Version | None = None
    url: WebhookUrl | msgspec.UnsetType = msgspec.UNSET
    events: EventNames | msgspec.UnsetType = msgspec.UNSET
    description: Description | msgspec.UnsetType = msgspec.UNSET
    enabled: bool | msgspec.UnsetType = msgspec.UNSET


class Rotation(Wire, frozen=True):
    """For how many hours the secret before signs as well; none where it is known to somebody who should not."""

    keep_hours: Annotated[int, msgspec.Meta(ge=0, le=MOST_HOURS)] = 24


class Missed(Wire, frozen=True):
    since: Annotated[datetime, msgspec.Meta(tz=True)]


@get(
    "/events",
    opt=needs(WEBHOOKS_MANAGE),
    responses=problems(),
    summary="The events that a webhook can choose, with what is sent of each",
)
async def list_webhook_events(db: Db, actor: Who) -> list[EventInfo]:
    async with db.tx(actor) as tx:
        return service.list_events(tx)


@post(
    "/",
    opt=needs(WEBHOOKS_MANAGE),
    responses=problems(WebhookExists, TooManyWebhooks, body=True),
    summary="Name a receiver of events",
)
async def create_webhook(data: JSONBody[NewWebhook], db: Db, outside: Ports, actor: Who) -> WebhookWithSecret:
    """`secret` is shown here and never again. Events are sent from now on."""
    await _check_url(outside, data.url)
    webhook_id, secret = data.id or new_id(), secret_of(new_bytes(SECRET_BYTES))
    sealed = outside.sealer.seal(secret, service.place_of(actor.tenant_id, webhook_id))
    new = Definition(data.url, data.description, data.events, data.enabled)
    async with db.tx(actor) as tx:
        made = await service.create(tx, webhook_id, new, sealed)
    return WebhookWithSecret(**msgspec.structs.asdict(made), secret=secret)


@get("/", opt=needs(WEBHOOKS_MANAGE), responses=problems(), summary="List webhooks, newest first")
async def list_webhooks(
    db: Db, actor: Who, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None
) -> Page[Webhook]:
    async with db.tx(actor) as tx:
        return await service.list_webhooks(tx, cursor, limit)


@get(
    "/{webhook_id:uuid}",
    opt=needs(WEBHOOKS_MANAGE),
    responses=problems(WebhookNotFound),
    summary="Show a webhook",
)
async def show_webhook(webhook_id: PathId, db: Db, actor: Who) -> Webhook:
    async with db.tx(actor) as tx:
        return await service.access(tx, webhook_id)


@patch(
    "/{webhook_id:uuid}",
    opt=needs(WEBHOOKS_MANAGE),
    responses=problems(WebhookNotFound, VersionConflict, body=True),
    summary="Change a webhook, or switch it on or off",
)
async def change_webhook(
    webhook_id: PathId, data: JSONBody[WebhookChange], db: Db, outside: Ports, actor: Who
) -> Webhook:
    """What happens while it is switched off is not queued for it; what waits stays, and goes on when it is switched on."""
    if data.url is not msgspec.UNSET:
        await _check_url(outside, data.url)
    named = {
        name: value
        for name, value in msgspec.structs.asdict(data).items()
        if value is not msgspec.UNSET and name != "version"
    }
    async with db.tx(actor) as tx:
        return await service.change(tx, webhook_id, data.version, named)


@delete(
    "/{webhook_id:uuid}",
    opt=needs(WEBHOOKS_MANAGE),
    responses=problems(WebhookNotFound),
    summary="Delete a webhook with its deliveries",
)
async def remove_webhook(webhook_id: PathId, db: Db, actor: Who) -> None:
    async with db.tx(actor) as tx:
        await service.remove(tx, webhook_id)


@post(
    "/{webhook_id:uuid}/rotate",
    opt=needs(WEBHOOKS_MANAGE),
    responses=problems(WebhookNotFound, body=True),
    status_code=200,
    summary="Give a webhook another secret",
)
async def rotate_webhook(
    webhook_id: PathId, data: JSONBody[Rotation], db: Db, outside: Ports, actor: Who
) -> WebhookWithSecret:
    """`secret` is shown here and never again. For `keep_hours` all is signed with both."""
    secret = secret_of(new_bytes(SECRET_BYTES))
    sealed = outside.sealer.seal(secret, service.place_of(actor.tenant_id, webhook_id))
    async with db.tx(actor) as tx:
        made = await service.rotate(tx, webhook_id, sealed, timedelta(hours=data.keep_hours))
    return WebhookWithSecret(**msgspec.structs.asdict(made), secret=secret)


@post(
    "/{webhook_id:uuid}/ping",
    opt=needs(WEBHOOKS_MANAGE),
    responses=problems(WebhookNotFound, WebhookSwitchedOff),
    summary="Send a webhook a test",
)
async def ping_webhook(webhook_id: PathId, db: Db, actor: Who) -> Delivery:
    async with db.tx(actor) as tx:
        return await service.ping(tx, webhook_id)


@post(
    "/{webhook_id:uuid}/recover",
    opt=needs(WEBHOOKS_MANAGE),
    responses=problems(WebhookNotFound, WebhookSwitchedOff, body=True),
    status_code=202,
    summary="Queue what a webhook has missed since a time",
)
async def recover_webhook(webhook_id: PathId, data: JSONBody[Missed], db: Db, actor: Who) -> Recovery:
    """What it wants and was never queued for it: from while it was switched off, or from before there was it."""
    async with db.tx(actor) as tx:
        return await service.recover(tx, webhook_id, data.since)


@get(
    "/{webhook_id:uuid}/deliveries",
    opt=needs(WEBHOOKS_MANAGE),
    responses=problems(WebhookNotFound),
    summary="List what was sent to a webhook, newest first",
)
async def list_deliveries(
    webhook_id: PathId,
    db: Db,
    actor: Who,
    status: FromQuery[DeliveryStatus | None] = None,
    event: Annotated[str | None, QueryParameter(max_length=100, description="The name of an event")] = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[Delivery]:
    async with db.tx(actor) as tx:
        await service.access(tx, webhook_id)
        return await delivery_service.list_deliveries(tx, webhook_id, status, event, cursor, limit)


@get(
    "/{webhook_id:uuid}/deliveries/{delivery_id:uuid}",
    opt=needs(WEBHOOKS_MANAGE),
    responses=problems(WebhookNotFound, DeliveryNotFound),
    summary="Show what was sent, and what was answered",
)
async def show_delivery(webhook_id: PathId, delivery_id: PathId, db: Db, actor: Who) -> DeliveryDetail:
    async with db.tx(actor) as tx:
        webhook = await service.access(tx, webhook_id)
        return await delivery_service.access(tx, webhook_id, webhook.url, delivery_id)


@post(
    "/{webhook_id:uuid}/deliveries/{delivery_id:uuid}/resend",
    opt=needs(WEBHOOKS_MANAGE),
    responses=problems(WebhookNotFound, DeliveryNotFound, WebhookSwitchedOff),
    status_code=200,
    summary="Send it again",
)
async def resend_delivery(webhook_id: PathId, delivery_id: PathId, db: Db, actor: Who) -> Delivery:
    """Under the same `webhook-id`."""
    async with db.tx(actor) as tx:
        await service.check_enabled(tx, webhook_id)
        return await delivery_service.resend(tx, webhook_id, delivery_id)


async def _check_url(outside: Outside, url: str) -> None:
    if "@" in re.split(r"[/?#\\]", url)[2]:
        raise InvalidInput.at(
            "/url", "not_a_url", "An address has no name and password in it: anybody may see it"
        )
    try:
        await outside.egress.check(url)
    except HostNotAllowed as error:
        raise InvalidInput.at("/url", "host_not_allowed", str(error)) from error
    except NotAUrl as error:
        raise InvalidInput.at("/url", "not_a_url", str(error)) from error


router = Router(
    "/api/webhooks",
    route_handlers=[
        list_webhook_events,
        create_webhook,
        list_webhooks,
        show_webhook,
        change_webhook,
        remove_webhook,
        rotate_webhook,
        ping_webhook,
        recover_webhook,
        list_deliveries,
        show_delivery,
        resend_delivery,
    ],
    tags=["webhooks"],
)
