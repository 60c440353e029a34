"""The first page of what waits for review over all records, newest first, among ten thousand and among a million
responses: the two must cost the same."""

from collections.abc import Awaitable, Callable

from bench.ground import Ground
from bench.load import request
from bench.model import Statement, Target, Workload
from bench.workloads.filling import numbered_id_sql
from bench.workloads.records import fill_records, fill_responses, make_set, make_type

SIZES = {"10k": 10_000, "1m": 1_000_000}
RECORDS = 1000
PAGE = Statement(holds="FROM ( SELECT w.id FROM entity_responses w")


def _prepare(rows: int) -> Callable[[Ground], Awaitable[Target]]:
    async def prepare(ground: Ground) -> Target:
        tenant = await ground.make_tenant()
        entity_type = await make_type(ground, tenant)
        await fill_records(ground, tenant, entity_type.id, RECORDS)
        criteria_set = await make_set(ground, tenant)
        record = numbered_id_sql(f"1 + n % {RECORDS}")
        await fill_responses(ground, tenant, criteria_set, rows, record, 100)
        path = "/api/responses?promotable=true&limit=50"
        return Target(tenant_id=tenant.id, requests=[request("GET", path, tenant.secret)])

    return prepare


WORKLOADS = tuple(
    Workload(
        name=f"responses_waiting_{size}",
        about=f"GET /api/responses?promotable=true&limit=50 among {rows:,} responses",
        statements=(PAGE,),
        prepare=_prepare(rows),
    )
    for size, rows in SIZES.items()
)
