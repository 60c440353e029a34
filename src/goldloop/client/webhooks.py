"""Webhooks: where the events of the workspace are sent, and what was."""

from collections.abc import Sequence
from datetime import datetime

from goldloop.client.calls import Call, Kind, Page, Resource, listing, operation
from goldloop.client.ids import Id, new_id
from goldloop.client.webhook_types import (
    Delivery,
    DeliveryDetail,
    EventInfo,
    Recovery,
    Webhook,
    WebhookWithSecret,
)
from goldloop.client.workspace import given

Events = list[EventInfo]


class WebhookMethods(Resource[Kind]):
    @operation("GET", "/api/webhooks/events")
    def events(self) -> Call[Events]:
        """Those that can be chosen, with a JSON schema of what is sent of each."""
        return Call(Events)

    @operation("POST", "/api/webhooks")
    def create(
        self,
        url: str,
        events: Sequence[str],
        *,
        description: str | None = None,
        enabled: bool = True,
        id: Id | None = None,
    ) -> Call[WebhookWithSecret]:
        """`events` are names, or `["*"]` for all. The `secret` is shown here and never again."""
        body = {"url": url, "events": list(events), "enabled": enabled, "id": id or new_id()}
        return Call(WebhookWithSecret, body=body | given({"description": description}))

    @listing("/api/webhooks")
    def list(self) -> Call[Page[Webhook]]:
        """Newest first."""
        return Call(Page[Webhook])

    @operation("GET", "/api/webhooks/{webhook_id}")
    def show(self, webhook_id: Id) -> Call[Webhook]:
        return Call(Webhook, (webhook_id,))

    @operation("PATCH", "/api/webhooks/{webhook_id}")
    def change(
        self,
        webhook_id: Id,
        version: int | None = None,
        *,
        url: str | None = None,
        events: Sequence[str] | None = None,
        description: str | None = None,
        enabled: bool | None = None,
    ) -> Call[Webhook]:
        """`version` is the one that was read; what is left out stays as it is."""
        optional = {
            "version": version,
            "url": url,
            "events": events,
            "description": description,
            "enabled": enabled,
        }
        return Call(Webhook, (webhook_id,), body=given(optional))

    @operation("DELETE", "/api/webhooks/{webhook_id}")
    def remove(self, webhook_id: Id) -> Call[None]:
        """With its deliveries."""
        return Call(None, (webhook_id,))

    @operation("POST", "/api/webhooks/{webhook_id}/rotate")
    def rotate(self, webhook_id: Id, *, keep_hours: int = 24) -> Call[WebhookWithSecret]:
        """Another `secret`, which is shown here and never again; the one before signs as well for so many hours."""
        return Call(WebhookWithSecret, (webhook_id,), body={"keep_hours": keep_hours})

    @operation("POST", "/api/webhooks/{webhook_id}/ping")
    def ping(self, webhook_id: Id) -> Call[Delivery]:
        """Send it a test."""
        return Call(Delivery, (webhook_id,))

    @operation("POST", "/api/webhooks/{webhook_id}/recover")
    def recover(self, webhook_id: Id, since: datetime) -> Call[Recovery]:
        """Queue what it wants, happened since then and was never queued for it."""
        return Call(Recovery, (webhook_id,), body={"since": since})

    @listing("/api/webhooks/{webhook_id}/deliveries")
    def deliveries(
        self, webhook_id: Id, *, status: str | None = None, event: str | None = None
    ) -> Call[Page[Delivery]]:
        """Newest first. `status` is `waiting`, `delivered` or `failed`."""
        return Call(Page[Delivery], (webhook_id,), query=given({"status": status, "event": event}))

    @operation("GET", "/api/webhooks/{webhook_id}/deliveries/{delivery_id}")
    def show_delivery(self, webhook_id: Id, delivery_id: Id) -> Call[DeliveryDetail]:
        """What was sent, and what was answered."""
        return Call(DeliveryDetail, (webhook_id, delivery_id))

    @operation("POST", "/api/webhooks/{webhook_id}/deliveries/{delivery_id}/resend", safe=True)
    def resend(self, webhook_id: Id, delivery_id: Id) -> Call[Delivery]:
        """Send it again, under the same `webhook-id`."""
        return Call(Delivery, (webhook_id, delivery_id))
