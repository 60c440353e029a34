"""The first page of a long list; what it costs must not grow with the list."""

from bench.ground import Ground
from bench.load import request
from bench.model import Statement, Target, Workload
from bench.workloads.filling import fill_keys


def _workload(name: str, rows: int) -> Workload:
    async def prepare(ground: Ground) -> Target:
        tenant = await ground.make_tenant()
        await fill_keys(ground, tenant, rows)
        return Target(
            tenant_id=tenant.id, requests=[request("GET", "/api/keys?limit=50", tenant.secret)], rows=rows
        )

    return Workload(
        name=name,
        about=f"GET /api/keys?limit=50 among {rows:,} keys",
        statements=(
            Statement(
                holds="FROM api_keys k WHERE k.tenant_id = $1 AND k.id < $2 ORDER BY k.id DESC LIMIT $3"
            ),
            Statement(holds="FROM parties p"),
        ),
        prepare=prepare,
    )


WORKLOADS = (_workload("key_list_10k", 10_000), _workload("key_list_200k", 200_000))
