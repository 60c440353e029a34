"""A person's or an agent's submission: values checked, scored and stored with an event and the record's summary."""

import json

from bench.ground import Ground
from bench.load import request
from bench.model import Statement, Target, Workload
from bench.workloads.filling import NEW_ID, PICKED_ID, numbered_id
from bench.workloads.records import RATINGS, fill_records, make_set, make_type

ROWS = 10_000


async def _prepare(ground: Ground) -> Target:
    tenant = await ground.make_tenant()
    entity_type = await make_type(ground, tenant)
    criteria_set = await make_set(ground, tenant)
    await fill_records(ground, tenant, entity_type.id, ROWS)
    values = dict.fromkeys(RATINGS, 4) | {"market": "b2b", "summary": "It does what it says"}
    body = json.dumps({"criteria_set_id": str(criteria_set.id), "values": values}).encode()
    requests = [
        request("POST", f"/api/entities/{numbered_id(number)}/responses/", tenant.secret, body)
        for number in range(1, ROWS + 1)
    ]
    return Target(tenant_id=tenant.id, requests=requests, rows=ROWS)


WORKLOAD = Workload(
    name="response_submit",
    about="POST /api/entities/{id}/responses/: ten values, scored, with the record's summary and an event",
    statements=(Statement(holds="FROM submit_response(", varying={1: NEW_ID, 2: PICKED_ID, 16: NEW_ID}),),
    prepare=_prepare,
)
