"""Rows in bulk, with ids that pgbench and Python both compute from a number."""

from uuid import UUID

from bench.ground import Ground, Tenant
from bench.model import Varying


def numbered_id(number: int) -> UUID:
    """Sorts by its number, as a UUIDv7 sorts by its time."""
    return UUID(f"019{number:029x}")


def numbered_id_sql(number: str) -> str:
    return f"('019' || lpad(to_hex({number}::bigint), 29, '0'))::uuid"


NEW_ID = Varying(sql=numbered_id_sql(":serial"), python=lambda serial, _pick: numbered_id(serial))
PICKED_ID = Varying(sql=numbered_id_sql(":pick"), python=lambda _serial, pick: numbered_id(pick))


async def fill_keys(ground: Ground, tenant: Tenant, rows: int) -> None:
    async with ground.superuser() as connection:
        await connection.execute(
            f"""
            INSERT INTO api_keys (tenant_id, id, name, prefix, role, user_id, created_by_kind, created_by_id)
            SELECT $1, {numbered_id_sql("n")}, 'key ' || n, 'gl_0123456', 'viewer', $2, 'user', $2
            FROM generate_series(1, $3::integer) n
            """,
            tenant.id,
            tenant.owner_id,
            rows,
        )
        await connection.execute("VACUUM ANALYZE api_keys")
