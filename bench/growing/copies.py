"""A workspace that grows evenly: every row of it is copied, with all that refers to it, so that ten times as much is ten times
the records, each with responses, sessions and feedback of its own. What the first rows hold stays as it is.

People, agents, types and criteria sets are copied too, but what belongs to one of them goes on belonging to it: a list of one
type's records is ten times as long.
"""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from bench.ground import Ground

KEPT = frozenset(
    {"agents", "agent_versions", "parties", "memberships", "entity_types", "criteria_sets", "views"}
)
# One to a workspace or to an installation, or what copies would make no sense of.
LEFT_OUT = frozenset(
    {
        "api_key_hashes",
        "prompt_heads",
        "prompt_manifests",
        "knowledge_versions",
        "feedback_grouping",
        "workspace_settings",
        "run_usage",
        "request_counts",
        "idempotency_keys",
        "storage_measures",
        "live_watchers",
        "sign_in_sessions",
        "marks",
        "webhook_endpoints",
    }
)
# Text that names a row, and has to be another in each copy.
NAMES = frozenset(
    {
        "slug",
        "external_id",
        "source_key",
        "conversation_id",
        "source_conversation_id",
        "origin_artefact",
        "subject",
    }
)
NAMES_OF = {
    ("conversations", "id"),
    ("memberships", "email"),
    ("golden_sets", "name"),
    ("eval_judges", "prompt"),
    ("otel_traces", "trace_id"),
}
# Days between a copy and the next one, which is older, in times and in ids: a page of a list is of one copy or two, as it would be of
# one day or two, and a report of the last weeks is of what there is at first.
APART = 70
REFS = frozenset({"ref", "subject_id"})  # of any kind: `kind:id`, or an id


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    name: str
    type: str


async def keep_first(ground: Ground, tenant: UUID) -> None:
    """Puts aside what is there now: it is what copies are made of."""
    async with ground.superuser() as connection:
        await connection.execute("CREATE SCHEMA first")
        await connection.execute("CREATE TABLE first.ids (id uuid PRIMARY KEY, kept boolean NOT NULL)")
        for table, columns in (await _columns(connection)).items():
            await connection.execute(
                f"CREATE TABLE first.{table} AS SELECT * FROM {table} WHERE tenant_id = '{tenant}'"
            )
            if any(column.name == "id" and column.type == "uuid" for column in columns):
                await connection.execute(
                    f"INSERT INTO first.ids SELECT id, $1 FROM first.{table} ON CONFLICT DO NOTHING",
                    table in KEPT,
                )
        await connection.execute(
            f"""
            CREATE FUNCTION first.copy_of(id uuid, k bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
                SELECT (lpad(to_hex((('x' || left(h, 12))::bit(48)::bigint + {1 << 48} - k * {APART} * 86400000) & {(1 << 48) - 1}), 12, '0')
                        || substr(h, 13))::uuid FROM replace(id::text, '-', '') h $$
            """
        )
        await connection.execute(
            r"""
            CREATE FUNCTION first.copy_of_ref(ref text, k bigint) RETURNS text LANGUAGE sql IMMUTABLE AS
            $$ SELECT coalesce((SELECT m[1] || first.copy_of(m[2]::uuid, k) || m[3]
                                FROM regexp_match(ref, '^(.*?)([0-9a-f]{8}-[0-9a-f-]{27})(.*)$') m), ref) $$
            """
        )
        await connection.execute("ANALYZE")


async def copy_first(ground: Ground, first: int, last: int) -> None:
    """The copies of these numbers, each older than the one before."""
    async with ground.superuser() as connection:
        await connection.execute(
            "SET session_replication_role = replica"
        )  # no checks of what we make ourselves
        await connection.execute("SET synchronous_commit = off")
        await connection.execute("SET jit = off")
        for table, columns in (await _columns(connection)).items():
            names = ", ".join(f'"{column.name}"' for column in columns)
            values = ", ".join(_copied(table, column) for column in columns)
            await connection.execute(
                f"INSERT INTO {table} ({names}) SELECT {values} FROM first.{table} t, generate_series($1::bigint, $2::bigint) k ORDER BY k DESC",
                first,
                last,
            )


async def _columns(connection: Any) -> dict[str, list[Column]]:
    """Those of the tables that hold rows of workspaces, without what PostgreSQL makes itself."""
    rows = await connection.fetch(
        """
        SELECT c.relname AS "table", a.attname AS name, format_type(a.atttypid, NULL) AS type
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attgenerated = '' AND a.attidentity = ''
          AND EXISTS (SELECT FROM pg_attribute b WHERE b.attrelid = c.oid AND b.attname = 'tenant_id')
        ORDER BY 1, a.attnum
        """
    )
    columns: dict[str, list[Column]] = {}
    for row in rows:
        if row["table"] not in LEFT_OUT:
            columns.setdefault(row["table"], []).append(Column(name=row["name"], type=row["type"]))
    return columns


def _copied(table: str, column: Column) -> str:
    """What stands in a column of copy `k`."""
    held = f't."{column.name}"'
    if column.name == "tenant_id":
        return held
    whose = "i.kept" if table in KEPT else "NOT i.kept"
    if column.type == "uuid":
        return f"CASE WHEN {held} IN (SELECT i.id FROM first.ids i WHERE {whose}) THEN first.copy_of({held}, k) ELSE {held} END"
    if column.type == "uuid[]":
        return (
            f"CASE WHEN {held} IS NOT NULL THEN ARRAY(SELECT CASE WHEN i.id IS NULL THEN x ELSE first.copy_of(x, k) END "
            f"FROM unnest({held}) x LEFT JOIN first.ids i ON i.id = x AND {whose}) END"
        )
    if column.type == "timestamp with time zone":
        return f"{held} - k * interval '{APART} days'"
    if column.type == "text" and (column.name in NAMES or (table, column.name) in NAMES_OF):
        return f"{held} || '-' || k"
    if column.type == "text" and column.name in REFS:
        return f"first.copy_of_ref({held}, k)"
    return held
