"""Jobs of API keys."""

from datetime import datetime
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.kit.queue import job
from goldloop.tenants.keys import service


@job("tenants.record_key_use")
async def record_key_use(tx: Tx, *, key_id: str, at: str) -> None:
    await service.record_use(tx, UUID(key_id), datetime.fromisoformat(at))
