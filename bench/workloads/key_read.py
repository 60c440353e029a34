"""An authenticated read of one row among many."""

from bench.ground import Ground
from bench.load import request
from bench.model import Statement, Target, Workload
from bench.workloads.filling import PICKED_ID, fill_keys, numbered_id

ROWS = 10_000


async def _prepare(ground: Ground) -> Target:
    tenant = await ground.make_tenant()
    await fill_keys(ground, tenant, ROWS)
    requests = [
        request("GET", f"/api/keys/{numbered_id(number)}", tenant.secret) for number in range(1, ROWS + 1)
    ]
    return Target(tenant_id=tenant.id, requests=requests, rows=ROWS)


WORKLOAD = Workload(
    name="key_read",
    about="GET /api/keys/{id}: an authenticated read of one row",
    statements=(
        Statement(holds="FROM api_keys k WHERE k.tenant_id = $1 AND k.id = $2", varying={2: PICKED_ID}),
        Statement(holds="FROM parties p"),
    ),
    prepare=_prepare,
)
