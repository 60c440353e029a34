"""What waits for whoever runs the workspace: webhooks that the server switched off."""

from goldloop.kit.db import Tx
from goldloop.kit.inbox import Waiting, kind
from goldloop.webhooks import store
from goldloop.webhooks.events import WEBHOOKS
from goldloop.webhooks.permissions import WEBHOOKS_MANAGE


@kind(
    "webhooks",
    label="Webhooks switched off",
    permissions=(WEBHOOKS_MANAGE,),
    topic=WEBHOOKS,
    path="/settings/webhooks",
)
async def count_switched_off(tx: Tx) -> Waiting:
    return Waiting(await store.count_switched_off(tx))
