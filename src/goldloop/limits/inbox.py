"""What waits for whoever runs the workspace: budgets of today that are used up, or nearly."""

from goldloop.kit.db import Tx
from goldloop.kit.inbox import Waiting, kind
from goldloop.limits import service
from goldloop.limits.events import LIMITS
from goldloop.limits.permissions import LIMITS_MANAGE


@kind(
    "limits",
    label="Budgets of today used up, or over 80 %",
    permissions=(LIMITS_MANAGE,),
    topic=LIMITS,
    path="/settings/limits",
)
async def count_nearly_spent(tx: Tx) -> Waiting:
    return Waiting(await service.count_nearly_spent(tx))
