"""What 100,000 responses to one record say together, beside the plainest SQL that says it per dimension."""

from bench.ground import Ground
from bench.load import request
from bench.model import Bare, Statement, Target, Workload
from bench.workloads.filling import numbered_id, numbered_id_sql
from bench.workloads.records import fill_records, fill_responses, make_set, make_type

ROWS = 100_000
RESPONDENTS = 200

BARE = """
SELECT v.key, count(*), avg(x.n), percentile_cont(0.5) WITHIN GROUP (ORDER BY x.n), min(x.n), max(x.n), stddev_samp(x.n)
FROM entity_responses r, jsonb_each(r.values) v,
     LATERAL (SELECT CASE jsonb_typeof(v.value) WHEN 'number' THEN v.value::double precision END) x (n)
WHERE r.entity_id = $1 AND r.criteria_set_id = $2 AND r.withdrawn_at IS NULL AND r.status <> 'rejected' GROUP BY v.key
"""


async def _prepare(ground: Ground) -> Target:
    tenant = await ground.make_tenant()
    entity_type = await make_type(ground, tenant)
    criteria_set = await make_set(ground, tenant)
    await fill_records(ground, tenant, entity_type.id, 1)
    await fill_responses(
        ground, tenant, criteria_set, ROWS, entity=numbered_id_sql("1"), respondents=RESPONDENTS
    )
    path = f"/api/entities/{numbered_id(1)}/responses/aggregate?criteria_set_id={criteria_set.id}"
    return Target(tenant_id=tenant.id, requests=[request("GET", path, tenant.secret)])


WORKLOAD = Workload(
    name="aggregate_100k",
    about=f"GET …/responses/aggregate over {ROWS:,} responses to one record",
    statements=(
        Statement(holds="FROM entities e"),
        Statement(holds="FROM criteria_sets c"),
        Statement(holds="FROM aggregate_responses("),
    ),
    prepare=_prepare,
    bare=Bare(sql=BARE, place=2),
)
