"""Turns a PostgreSQL with Citus into one whose tenant tables are sharded by tenant, and says what is where. Which table belongs
where is in `sharding.py`.

Each table is moved in a transaction of its own, and what is still to be done is in the database, so that a run that was ended
half-way is gone on with by the next. Foreign keys stand in the way of moving: they are taken down first, noted in
`sharding_keys` and put up again at the end.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from goldloop.kit.db import APP_ROLE, ERASER_ROLE, WORKER_ROLE
from goldloop.kit.distribution import is_distributed
from goldloop.migrations.sharding import (
    DISTRIBUTION_COLUMN,
    ForeignKey,
    Place,
    Policy,
    Table,
    can_be_kept,
    keys_to_move,
    merged,
    misplaced,
    policy_on_shards,
)

ROLES = (APP_ROLE, WORKER_ROLE, ERASER_ROLE)

# The first is asked by all policies of the eraser, the second by one of session events. A query of the shard beside is the
# only one that a shard may ask; its name ends in its number. The coordinator, which has none, asks the shards.
_ASK_BESIDE = """
CREATE OR REPLACE FUNCTION public.{name}({arguments}) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    found boolean;
    asked text := '{table}_' || get_shard_id_for_distribution_column('public.{table}', p_tenant);
BEGIN
    IF to_regclass(format('public.%I', asked)) IS NULL THEN
        asked := '{table}';
    END IF;
    EXECUTE format('SELECT EXISTS (SELECT FROM public.%I x WHERE x.tenant_id = $1 AND {condition})', asked)
    INTO found USING {given};
    RETURN found;
END;
$$
"""
_FUNCTIONS = (
    _ASK_BESIDE.format(
        name="erasure_is_open",
        arguments="p_tenant uuid",
        table="erasures",
        condition="x.id = $2 AND x.ended_at IS NULL",
        given="p_tenant, nullif(current_setting('app.erasure', true), '')::uuid",
    ),
    _ASK_BESIDE.format(
        name="session_is_frozen",
        arguments="p_tenant uuid, p_session uuid",
        table="sessions",
        condition="x.id = $2 AND x.metadata ?| ARRAY[''golden'', ''accepted_for'']",
        given="p_tenant, p_session",
    ),
    f"GRANT EXECUTE ON FUNCTION public.erasure_is_open(uuid) TO {', '.join(ROLES)}",
    f"GRANT EXECUTE ON FUNCTION public.session_is_frozen(uuid, uuid) TO {', '.join(ROLES)}",
)
_NOTED = """
CREATE TABLE IF NOT EXISTS public.sharding_keys (
    name text NOT NULL,
    on_table text NOT NULL,
    to_table text NOT NULL,
    definition text NOT NULL,
    PRIMARY KEY (on_table, name)
)
"""


class DistributionError(Exception):
    """The database cannot be sharded as it is; the code is for programs."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    name: str
    shards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """What is where. `waiting` are foreign keys that were taken down and are not up again."""

    citus: str | None
    distributed: bool
    tables: list[Table]
    nodes: list[Node]
    waiting: list[ForeignKey] = field(default_factory=list)
    cannot_log_in: list[str] = field(default_factory=list)

    @property
    def on_shards(self) -> list[str]:
        return [t.name for t in self.tables if t.distributed]

    @property
    def reference(self) -> list[str]:
        return [t.name for t in self.tables if t.reference]

    @property
    def on_coordinator(self) -> list[str]:
        return [t.name for t in self.tables if not t.distributed and not t.reference]

    @property
    def faults(self) -> list[str]:
        """Only of an installation that is distributed, or was begun to be."""
        if not self.distributed:
            return []
        faults = misplaced(self.tables)
        faults += [f"the foreign key {key.name} of {key.table} is not up again" for key in self.waiting]
        faults += [f"{role} may not log in, as which workers are asked" for role in self.cannot_log_in]
        return faults


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a run does: the tables that it moves, those of which it rewrites policies, the foreign keys that it puts up again
    and those that it gives up."""

    tables: list[str]
    policies: list[str]
    kept_keys: list[ForeignKey]
    given_up: list[ForeignKey]


async def examine(connection: Any) -> Distribution:
    """Reads, and changes nothing."""
    citus = await connection.fetchval("SELECT extversion FROM pg_extension WHERE extname = 'citus'")
    return Distribution(
        citus=citus,
        distributed=citus is not None and await is_distributed(connection),
        tables=await _tables(connection, citus is not None),
        nodes=await _nodes(connection) if citus else [],
        waiting=await _noted(connection),
        cannot_log_in=await connection.fetchval(
            "SELECT coalesce(array_agg(rolname::text ORDER BY rolname), '{}') FROM pg_roles WHERE rolname = ANY ($1) AND NOT rolcanlogin",
            list(ROLES),
        ),
    )


async def plan(connection: Any, found: Distribution) -> Plan:
    keys = [*keys_to_move(await _foreign_keys(connection), found.tables), *found.waiting]
    return Plan(
        tables=[t.name for t in found.tables if t.wanted is Place.SHARDS and not t.distributed],
        policies=[
            t.name for t in found.tables if t.unfit and (t.distributed or t.wanted is Place.COORDINATOR)
        ],
        kept_keys=[key for key in keys if can_be_kept(key, found.tables)],
        given_up=[key for key in keys if not can_be_kept(key, found.tables)],
    )


async def check(connection: Any, found: Distribution, *, log_in: bool) -> None:
    """Raises DistributionError where it cannot be done, or could be done but would not work afterwards."""
    if found.citus is None:
        raise DistributionError(
            "citus_missing",
            "this PostgreSQL has no Citus: an operator runs CREATE EXTENSION citus on every node, and adds the workers",
        )
    if not found.nodes:
        raise DistributionError(
            "citus_without_workers",
            "no worker takes shards: an operator adds some with citus_add_node on the coordinator",
        )
    if found.cannot_log_in and not log_in:
        raise DistributionError(
            "roles_cannot_log_in",
            f"Citus asks workers as the role of the transaction, and {', '.join(found.cannot_log_in)} may not log in: let "
            "them in on the workers, from the coordinator alone (pg_hba.conf), and give --login-roles",
        )
    others = await connection.fetchval(
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
          AND usename = current_user AND application_name NOT LIKE 'citus%'
        """
    )
    if others and any(t.wanted is Place.SHARDS and not t.distributed for t in found.tables):
        raise DistributionError(
            "database_in_use",
            f"{others} other connections of this login: stop the servers and workers first. They would look for rows where "
            "these are no more",
        )


async def let_roles_log_in(connection: Any) -> None:
    """Workers are asked as these. They have no password: who may come in as them is said in pg_hba.conf of the workers."""
    for role in ROLES:
        await connection.execute(f"ALTER ROLE {role} LOGIN")


async def distribute(
    connection: Any, *, shards: int | None = None, moved: Callable[[str], None] = lambda table: None
) -> Plan:
    """Moves what is not where it should be; nothing where all is. The caller holds the lock of migrations."""
    found = await examine(connection)
    to_do = await plan(connection, found)
    if not to_do.tables and not to_do.kept_keys and not to_do.policies:
        return to_do
    for sql in _FUNCTIONS:
        await connection.execute(sql)
    await _take_keys_down(connection, found.tables)
    first = next((t.name for t in found.tables if t.distributed), None)
    unfit = {t.name for t in found.tables if t.unfit}
    for table in to_do.tables:
        await _move(connection, table, first, shards, unfit=table in unfit)
        first = first or table
        moved(table)
    async with connection.transaction():
        await fit_policies(connection)
    await _put_keys_up(connection)
    return to_do


async def _take_keys_down(connection: Any, tables: list[Table]) -> None:
    """Noted in the transaction that drops them."""
    async with connection.transaction():
        await connection.execute(_NOTED)
        for key in keys_to_move(await _foreign_keys(connection), tables):
            if can_be_kept(key, tables):
                await connection.execute(
                    "INSERT INTO public.sharding_keys (name, on_table, to_table, definition) VALUES ($1, $2, $3, $4)"
                    " ON CONFLICT (on_table, name) DO NOTHING",
                    key.name,
                    key.table,
                    key.to,
                    key.definition,
                )
            await connection.execute(f'ALTER TABLE public."{key.table}" DROP CONSTRAINT "{key.name}"')


async def _put_keys_up(connection: Any) -> None:
    """All that were noted: both ends of each are on the shards now."""
    for key in await _noted(connection):
        async with connection.transaction():
            await connection.execute("SET LOCAL citus.multi_shard_modify_mode = 'sequential'")
            await connection.execute(
                f'ALTER TABLE public."{key.table}" ADD CONSTRAINT "{key.name}" {key.definition}'
            )
            await connection.execute(
                "DELETE FROM public.sharding_keys WHERE on_table = $1 AND name = $2", key.table, key.name
            )


async def _move(connection: Any, table: str, beside: str | None, shards: int | None, *, unfit: bool) -> None:
    """Rows are copied by the owner, whom row-level security must not bind meanwhile: to others nothing of that is visible."""
    async with connection.transaction():
        await connection.execute("SET LOCAL citus.multi_shard_modify_mode = 'sequential'")
        await connection.execute(f'ALTER TABLE public."{table}" NO FORCE ROW LEVEL SECURITY')
        if unfit:
            await _merge_policies(connection, table)
        if beside is None:
            count = "" if shards is None else f", shard_count => {shards}"
            how = f"colocate_with => 'none'{count}"
        else:
            how = f"colocate_with => 'public.{beside}'"
        await connection.execute(
            f"SELECT create_distributed_table('public.\"{table}\"', '{DISTRIBUTION_COLUMN}', {how})"
        )
        await connection.execute(f'ALTER TABLE public."{table}" FORCE ROW LEVEL SECURITY')
    if await connection.fetchval(
        "SELECT EXISTS (SELECT FROM pg_proc WHERE proname = 'truncate_local_data_after_distributing_table')"
    ):
        await connection.execute("SELECT truncate_local_data_after_distributing_table($1::regclass)", table)


async def fit_policies(connection: Any) -> None:
    """Of all tables that are where they belong and have other policies than they need there. In the transaction that has made
    these, so that nobody meets them."""
    for table in await _tables(connection, citus=True):
        if table.unfit and table.wanted is Place.COORDINATOR:
            await _take_queries_out(connection, table.name)
        elif table.unfit and table.distributed:
            await _merge_policies(connection, table.name)


async def _take_queries_out(connection: Any, table: str) -> None:
    """What is on the coordinator cannot ask the shards in a policy either, but by a function."""
    for policy in await _policies(connection, table):
        clauses = [("USING", policy.using), ("WITH CHECK", policy.check)]
        changed = [
            f"{clause} ({policy_on_shards(part)})"
            for clause, part in clauses
            if part and policy_on_shards(part) != part
        ]
        if changed:
            await connection.execute(f'ALTER POLICY "{policy.name}" ON public."{table}" {" ".join(changed)}')


async def _merge_policies(connection: Any, table: str) -> None:
    """A shard may not have heard of the one that is dropped."""
    before = await _policies(connection, table)
    after = merged(before)
    for policy in before:
        await connection.execute(f'DROP POLICY IF EXISTS "{policy.name}" ON public."{table}"')
    for policy in after:
        clauses = [("USING", policy.using), ("WITH CHECK", policy.check)]
        conditions = " ".join(f"{clause} ({part})" for clause, part in clauses if part)
        await connection.execute(
            f'CREATE POLICY "{policy.name}" ON public."{table}" FOR {policy.command} {conditions}'
        )


async def _policies(connection: Any, table: str) -> list[Policy]:
    rows = await connection.fetch(
        """
        SELECT p.policyname::text AS name, p.permissive = 'PERMISSIVE' AS permissive, p.cmd AS command,
               array_remove(p.roles, 'public')::text[] AS roles, p.qual AS "using", p.with_check AS "check"
        FROM pg_policies p WHERE p.schemaname = 'public' AND p.tablename = $1 ORDER BY p.policyname
        """,
        table,
    )
    return [Policy(**{**row, "roles": tuple(row["roles"])}) for row in rows]


async def _tables(connection: Any, citus: bool) -> list[Table]:
    rows = await connection.fetch(
        f"""
        SELECT c.relname::text AS name, c.relforcerowsecurity AS forced,
               EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'tenant_isolation') AS tenants,
               EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid
                       AND concat(p.polqual::text, p.polwithcheck::text) LIKE '%SUBLINK%') AS queries,
               EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND NOT p.polpermissive) AS narrows,
               {"d.partmethod = 'n' AS reference, column_to_column_name(d.logicalrelid, d.partkey) AS column, d.colocationid AS colocation" if citus else "NULL"}
        FROM pg_class c {"LEFT JOIN pg_dist_partition d ON d.logicalrelid = c.oid" if citus else ""}
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        ORDER BY c.relname
        """
    )
    return [
        Table(
            name=row["name"],
            tenants=row["tenants"],
            forced=row["forced"],
            queries=row["queries"],
            narrows=row["narrows"],
            column=row["column"] if citus else None,
            colocation=row["colocation"] if citus else None,
            reference=bool(citus and row["reference"]),
        )
        for row in rows
    ]


async def _nodes(connection: Any) -> list[Node]:
    rows = await connection.fetch(
        """
        SELECT n.nodename || ':' || n.nodeport AS name, count(s.shardid) AS shards
        FROM pg_dist_node n
        LEFT JOIN pg_dist_placement p ON p.groupid = n.groupid
        LEFT JOIN pg_dist_shard s ON s.shardid = p.shardid
        WHERE n.noderole = 'primary' AND n.isactive AND n.shouldhaveshards
        GROUP BY n.nodename, n.nodeport ORDER BY 1
        """
    )
    return [Node(name=row["name"], shards=row["shards"]) for row in rows]


async def _foreign_keys(connection: Any) -> list[ForeignKey]:
    rows = await connection.fetch(
        """
        SELECT k.conname::text AS name, t.relname::text AS "table", o.relname::text AS "to", pg_get_constraintdef(k.oid) AS definition
        FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid JOIN pg_class o ON o.oid = k.confrelid
        WHERE k.contype = 'f' AND k.conparentid = 0 AND t.relnamespace = 'public'::regnamespace
        ORDER BY t.relname, k.conname
        """
    )
    return [ForeignKey(**dict(row)) for row in rows]


async def _noted(connection: Any) -> list[ForeignKey]:
    if await connection.fetchval("SELECT to_regclass('public.sharding_keys')") is None:
        return []
    rows = await connection.fetch(
        'SELECT name, on_table AS "table", to_table AS "to", definition FROM public.sharding_keys ORDER BY on_table, name'
    )
    return [ForeignKey(**dict(row)) for row in rows]
