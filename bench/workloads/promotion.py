"""A reviewer's decision: one value of a response becomes content of its record.

Contestants without HTTP pick records at random and promote at the version that was recorded. A record picked
twice is at another version by then, so a few of their transactions are refused and cost less: in their favour.
"""

from bench.ground import Ground
from bench.load import request
from bench.model import Statement, Target, Workload
from bench.workloads.filling import NEW_ID, PICKED_ID, numbered_id, numbered_id_sql
from bench.workloads.records import fill_records, fill_responses, make_set, make_type

ROWS = 100_000


async def _prepare(ground: Ground) -> Target:
    tenant = await ground.make_tenant()
    entity_type = await make_type(ground, tenant)
    criteria_set = await make_set(ground, tenant)
    await fill_records(ground, tenant, entity_type.id, ROWS)
    await fill_responses(ground, tenant, criteria_set, ROWS, entity=numbered_id_sql("n"), respondents=20)
    requests = [
        request(
            "POST",
            f"/api/entities/{numbered_id(number)}/responses/{numbered_id(number)}/promote",
            tenant.secret,
            b'{"fields":["summary"]}',
        )
        for number in range(1, ROWS + 1)
    ]
    return Target(tenant_id=tenant.id, requests=requests, rows=ROWS)


WORKLOAD = Workload(
    name="promotion",
    about="POST …/responses/{id}/promote: a value into the record, with history, statuses and an event",
    statements=(
        Statement(holds="FROM entities e JOIN entity_types t", varying={2: PICKED_ID, 3: PICKED_ID}),
        Statement(holds="FROM promote_field_values(", varying={1: PICKED_ID, 2: PICKED_ID, 9: NEW_ID}),
    ),
    prepare=_prepare,
)
