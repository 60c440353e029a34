"""A page of records in each way that a list is asked for, among ten thousand and among a million: the two must cost
the same. Deep pages come from a cursor in the middle of the list.

Searches in the content stand beside the plainest SQL that finds the same page through the index of words: a word that one
record in a thousand has, the same word mistyped, and a beginning that all of them have. The first two are to answer
within five times of that (a ratio of 0.2); the third takes PostgreSQL less than any request takes the server.

The order by a field has no index and a bound instead: it is measured among ten thousand, and a million are refused."""

from collections.abc import Awaitable, Callable
from urllib.parse import quote

from bench.ground import Ground, Tenant
from bench.load import request
from bench.model import Bare, Statement, Target, Workload
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
    return "q=caf&limit=50"


def _prepare(rows: int, query: Callable[[int], str]) -> Callable[[Ground], Awaitable[Target]]:
    async def prepare(ground: Ground) -> Target:
        tenant = await filled_tenant(ground, rows)
        return Target(
            tenant_id=tenant.id, requests=[request("GET", f"/api/entities?{query(rows)}", tenant.secret)]
        )

    return prepare


def _by_field(_rows: int) -> str:
    return "type=company&sort=-content.price&limit=50"


def _in_content(_rows: int) -> str:
    return "q=topic0042&limit=50"


def _mistyped(_rows: int) -> str:
    return "q=topik0042&limit=50"


def _in_all(_rows: int) -> str:
    return "q=topic&limit=50"


PAGE = Statement(holds="FROM entities e JOIN entity_types t")
TYPE = Statement(holds="FROM entity_types t")
SIZES_OF_WORDS = Statement(holds="SELECT count(*) FROM ( SELECT FROM entity_words w")
MEANT = Statement(holds="SELECT t.low FROM unnest")
SEARCH = (SIZES_OF_WORDS, PAGE)
HOW_MANY = Statement(holds="SELECT count(*) FROM (SELECT FROM entities e")
# Of the parameters of the page: $2 and $3 are where it begins, $4 and $5 the bounds of the word.
RARE = """
SELECT e.id, e.title, e.content, e.metadata, e.score, e.updated_at
FROM entity_words w JOIN entities e ON e.tenant_id = w.tenant_id AND e.id = w.entity_id
WHERE w.tenant_id = $1 AND w.word >= ($4::text[])[1] AND w.word < ($5::text[])[1] AND e.id < $2 AND e.id < $3
ORDER BY e.id DESC LIMIT 50
"""
COMMON = """
SELECT e.id, e.title, e.content, e.metadata, e.score, e.updated_at
FROM entities e WHERE e.tenant_id = $1 AND e.id < $2 AND e.id < $3 AND (
    SELECT true FROM entity_words w WHERE w.tenant_id = $1 AND w.entity_id = e.id
    AND w.word >= ($4::text[])[1] AND w.word < ($5::text[])[1] LIMIT 1)
ORDER BY e.id DESC LIMIT 50
"""


def _workload(
    name: str,
    size: str,
    query: Callable[[int], str],
    statements: tuple[Statement, ...],
    bare: str | None = None,
) -> Workload:
    rows = SIZES[size]
    return Workload(
        name=f"{name}_{size}",
        about=f"GET /api/entities?{query(rows).split('&cursor')[0]} among {rows:,} records",
        statements=statements,
        prepare=_prepare(rows, query),
        bare=Bare(sql=bare, place=len(statements) - 1) if bare else None,
    )


WORKLOADS = (
    *(
        _workload(name, size, query, statements, bare)
        for name, query, statements, bare in (
            ("list_newest", _newest, (PAGE,), None),
            ("list_score", _by_score, (PAGE,), None),
            ("list_deep", _deep, (PAGE,), None),
            ("list_search", _search, SEARCH, None),
            ("search_content", _in_content, SEARCH, RARE),
            ("search_mistyped", _mistyped, (SIZES_OF_WORDS, MEANT, *SEARCH), RARE),
            ("search_in_all", _in_all, SEARCH, COMMON),
        )
        for size in SIZES
    ),
    _workload("list_field", "10k", _by_field, (TYPE, HOW_MANY, PAGE), None),
)
