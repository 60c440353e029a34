"""A page of records in each way that a list is asked for, among ten thousand and among a million: the two must cost
the same. Deep pages come from a cursor in the middle of the list."""

from collections.abc import Awaitable, Callable
from urllib.parse import quote

from bench.ground import Ground, Tenant
from bench.load import request
from bench.model import Statement, Target, Workload
from bench.workloads.filling import numbered_id
from bench.workloads.records import fill_records, make_type
from goldloop.kit.pagination import encode_pair

SIZES = {"10k": 10_000, "1m": 1_000_000}

_made: dict[tuple[int, int], Tenant] = {}  # filling a million takes a minute: once for all lists


async def filled_tenant(ground: Ground, rows: int) -> Tenant:
    key = (ground.server_pid, rows)
    if key not in _made:
        tenant = await ground.make_tenant()
        entity_type = await make_type(ground, tenant)
        await fill_records(ground, tenant, entity_type.id, rows)
        _made[key] = tenant
    return _made[key]


def _newest(_rows: int) -> str:
    return "limit=50"


def _by_score(_rows: int) -> str:
    return "type=company&sort=-score&limit=50"


def _deep(rows: int) -> str:
    middle = numbered_id(rows // 2)
    return f"type=company&limit=50&cursor={quote(encode_pair(middle, middle))}"


def _search(_rows: int) -> str:
    return "q=cafe&limit=50"


def _prepare(rows: int, query: Callable[[int], str]) -> Callable[[Ground], Awaitable[Target]]:
    async def prepare(ground: Ground) -> Target:
        tenant = await filled_tenant(ground, rows)
        return Target(
            tenant_id=tenant.id, requests=[request("GET", f"/api/entities?{query(rows)}", tenant.secret)]
        )

    return prepare


def _workload(name: str, size: str, query: Callable[[int], str]) -> Workload:
    rows = SIZES[size]
    page = Statement(holds="FROM entities e JOIN entity_types t")
    by_type = "type=" in query(rows)
    return Workload(
        name=f"{name}_{size}",
        about=f"GET /api/entities?{query(rows).split('&cursor')[0]} among {rows:,} records",
        statements=(Statement(holds="FROM entity_types t"), page) if by_type else (page,),
        prepare=_prepare(rows, query),
    )


WORKLOADS = tuple(
    _workload(name, size, query)
    for name, query in (
        ("list_newest", _newest),
        ("list_score", _by_score),
        ("list_deep", _deep),
        ("list_search", _search),
    )
    for size in SIZES
)
