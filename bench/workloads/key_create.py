"""A small authenticated write: a row, its hash and an event."""

import hashlib

from bench.ground import Ground
from bench.load import request
from bench.model import Statement, Target, Varying, Workload
from bench.workloads.filling import NEW_ID

NEW_HASH = Varying(
    sql="sha256(convert_to(:serial, 'UTF8'))",
    python=lambda serial, _pick: hashlib.sha256(str(serial).encode()).digest(),
)


async def _prepare(ground: Ground) -> Target:
    tenant = await ground.make_tenant()
    body = b'{"name":"bench","role":"viewer"}'
    return Target(tenant_id=tenant.id, requests=[request("POST", "/api/keys", tenant.secret, body)])


WORKLOAD = Workload(
    name="key_create",
    about="POST /api/keys: an authenticated write with an event",
    statements=(
        Statement(
            holds="FROM create_api_key(",
            varying={1: NEW_ID, 2: NEW_HASH, 12: NEW_ID},
        ),
        Statement(holds="FROM parties p"),
    ),
    prepare=_prepare,
)
