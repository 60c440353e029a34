"""PostgreSQL itself keeps workspaces apart: a forgotten WHERE leaks nothing, whatever the code does.

These tests find the tables in the catalogue, so a new one is held to the same rules without being named here.
"""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import gettempdir
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import asyncpg
import pytest
import pytest_asyncio

from goldloop.conversations.turns.store import set_words
from goldloop.kit.db import APP_ROLE, WORKER_ROLE, Database, Tx, connect, open_database
from goldloop.kit.embedded_postgres import superuser_url
from goldloop.kit.ids import new_id
from goldloop.knowledge.prompts import citation_store
from goldloop.knowledge.proposals import store as group_store
from goldloop.knowledge.review import store as review_store
from goldloop.knowledge.review.store import GroupReview
from goldloop.limits.store import set_key_limit, write_measure
from goldloop.tenants.sign_in.service import open_reset
from tests.artifact_runs.library import BAD, Library
from tests.conversations.chats import make_chats
from tests.factories import Workspace
from tests.feedback.signals import grouped, make_signals
from tests.goldens.experiments.lab import play
from tests.goldens.judges.bench import make_bench
from tests.goldens.shelf import EVALS, Shelf
from tests.loops import some
from tests.otlp.ground import Emitter
from tests.otlp.turns import turn
from tests.otlp.wire import request
from tests.outside import embedded_outside
from tests.records import Desk, make_desk, ok
from tests.runtimes.scripted import configured
from tests.sessions.recordings import begin, send, story
from tests.webhooks.receivers import Hooks

TENANCY = Path(__file__).parents[1] / "design" / "tenancy.md"

# What migrations ran, written by the owner and granted to nobody.
LEDGER = {"schema_migrations", "schema_functions"}
# Derived work that the worker looks for across tenants; its rows hold ids only.
WORKER_SEES_ALL = {"marks"}
WORKER_ONLY = {
    "advance_moment",
    "apply_claim_aggregate",
    "clear_edge_scores",
    "create_tenant",
    "find_accounts",
    "find_tenant",
    "list_erased_workspaces",
    "lease_mark",
    "lock_accounts",
    "newest_event_ages",
    "open_account_reset",
    "pick_mark",
    "prune_jobs",
    "prune_sign_ins",
    "reset_password",
    "set_first_password",
    "sweep_jobs",
    "take_mark",
    "take_marks",
    "tenant_ids",
    "write_edge_scores",
}
PERSONAL = {"user_memories"}  # seen by the person whose they are, whatever somebody may
SECRETS = [
    "users",
    "sign_in_sessions",
    "sign_in_attempts",
    "sign_in_requests",
    "identities",
    "second_factors",
    "recovery_codes",
    "password_resets",
    "invites",
    "api_key_hashes",
    "installation",
]


@pytest_asyncio.fixture
async def superuser(data_dir: Path, database_url: str) -> AsyncIterator[Any]:
    """Sees every row, to know what there is to be hidden."""
    connection = await connect(superuser_url(data_dir, urlsplit(database_url).path.lstrip("/")))
    yield connection
    await connection.close()


@pytest_asyncio.fixture
async def raw(database_url: str) -> AsyncIterator[Any]:
    """The login that the server has, before it changes to a role."""
    connection = await connect(database_url)
    yield connection
    await connection.close()


@asynccontextmanager
async def acting(connection: Any, role: str, tenant: UUID | None) -> AsyncIterator[None]:
    """A transaction as a role, for a tenant or none, of which nothing stays."""
    transaction = connection.transaction()
    await transaction.start()
    try:
        await connection.execute(f"SET LOCAL ROLE {role}")
        if tenant is not None:
            await connection.execute(
                f"SET LOCAL app.tenant = '{tenant}'; SET LOCAL app.permissions = '*.*.*'"
            )
        yield
    finally:
        await transaction.rollback()


async def allowed(connection: Any, sql: str, *args: Any) -> str | None:
    """What a statement answered, None if it was refused for want of rights."""
    savepoint = connection.transaction()
    await savepoint.start()
    try:
        return str(await connection.execute(sql, *args))
    except asyncpg.InsufficientPrivilegeError:
        return None
    finally:
        await savepoint.rollback()


async def tables(connection: Any) -> list[asyncpg.Record]:
    return await connection.fetch(
        """
        SELECT relname AS name, relrowsecurity AS secured, relforcerowsecurity AS forced,
               (SELECT count(*) FROM pg_policy p WHERE p.polrelid = c.oid) AS policies,
               EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id'
                       AND NOT a.attisdropped) AS has_tenant
        FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
        ORDER BY relname
        """
    )


async def tenant_tables(connection: Any) -> list[str]:
    return [table["name"] for table in await tables(connection) if table["has_tenant"]]


async def populate(workspace: Workspace, db: Database) -> None:
    """A row in every table that has a tenant."""
    await workspace.make_agent()
    await workspace.make_key()
    await workspace.invite()
    await populate_records(await make_desk(workspace))
    await populate_conversations(workspace)
    await populate_sessions(workspace)
    await populate_spans(workspace)
    await populate_feedback(await make_desk(workspace))
    await populate_knowledge(await make_desk(workspace))
    await populate_goldens(workspace)
    await populate_webhooks(workspace)
    ok(await (await workspace.client()).post("/api/archives", json={}))
    await populate_erasures(workspace)
    async with db.tx(workspace.system) as tx:
        await open_reset(tx, workspace.owner_id, second_factor=False)
        await tx.execute("SELECT watch_tenant($1, interval '1 minute')", new_id())
        await tx.execute("SELECT set_marks('of-isolation', ARRAY['a'])")
        await populate_limits(tx)
        await tx.execute(
            "INSERT INTO idempotency_keys (tenant_id, actor, key, request_hash) VALUES ($1, 'a', 'k', '')",
            workspace.id,
        )


async def populate_limits(tx: Tx) -> None:
    key_id = await tx.fetchval("SELECT id FROM api_keys LIMIT 1")
    await set_key_limit(tx, key_id, 1_000_000)
    await tx.execute("SELECT settle_request_counts($1, now(), ARRAY[$2::uuid], ARRAY[1])", new_id(), key_id)
    await tx.execute("SELECT count_run_usage($1, 10, 0.5, now())", new_id())
    await write_measure(tx, 10, 10)


async def populate_erasures(workspace: Workspace) -> None:
    """One that waits for a worker, of an end user who has only reacted: nothing else is hidden by it."""
    client = await workspace.client()
    path = f"/conversations/{workspace.slug}/P/c/turns/t/feedback"
    ok(await client.post(path, json={"reaction": "ok", "user_id": "to-erase"}))
    ok(await client.post("/api/erasures", json={"kind": "end_user", "user_id": "to-erase"}))


async def populate_conversations(workspace: Workspace) -> None:
    client = await workspace.client()
    path = f"/conversations/{workspace.slug}/P/c/turns"
    turn = {"turn_id": "t", "user": {"text": "hello"}}
    ok(await client.post(path, json=turn, params={"gate": "false"}))
    async with workspace.db.tx(workspace.system) as tx:
        await set_words(tx, "P", "c", ["hello"])


async def populate_sessions(workspace: Workspace) -> None:
    client = await workspace.client()
    path = f"/api/agents/{(await workspace.make_agent()).id}"
    ok(await client.put(f"{path}/config", json={"instructions": "Be brief."}))
    ok(await client.put(f"{path}/secrets/model_key", json={"value": "secret"}))
    ok(await send(client, await begin(client), story()))
    task = {"name": "T", "kind": "prompt", "config": {"message": "x"}, "agent": path.rsplit("/", 1)[-1]}
    ok(await client.post("/api/tasks", json=task))


async def populate_spans(workspace: Workspace) -> None:
    emitter = Emitter(workspace, await workspace.client(), embedded_outside(Path(gettempdir())))
    ok(await emitter.send(request(*turn(1, "Hello", "Hi."))))
    await emitter.work("otlp.spread", "otlp.derive")


async def populate_feedback(desk: Desk) -> None:
    outside = embedded_outside(Path(gettempdir()) / "goldloop-isolation")
    (group,) = await grouped(await make_signals(desk, await make_chats(desk.workspace, outside)))
    (member, _) = ok(await desk.admin.get(f"/api/feedback/groups/{group['id']}/members"))["data"]
    ok(await desk.admin.post(f"/api/feedback/groups/{group['id']}/split", json={"ids": [member["id"]]}))
    ok(await desk.admin.post(f"/api/feedback/groups/{group['id']}/snooze", json={}))


async def populate_knowledge(desk: Desk) -> None:
    path = "/api/admin/shared-context"
    given = ok(await desk.admin.get("/api/feedback"))["data"]
    bodies: list[dict[str, Any]] = [
        {"content": "One", "sourceFeedbackIds": [given[0]["id"]]},
        {"content": "Other"},
    ]
    one, other = [ok(await desk.admin.post("/api/tools/addLesson", json=body)) for body in bodies]
    ok(await desk.admin.post(f"{path}/{one['id']}/keep-both", json={"other_id": other["id"]}))
    held = ok(await desk.admin.get("/api/shared-context/prompt"))
    session = await begin(desk.admin, manifest=held["manifest"])
    async with desk.workspace.db.tx(desk.workspace.system) as tx:
        moment, session_id = await tx.moment(), UUID(session["id"])
        await citation_store.insert(tx, session_id, [UUID(one["id"])], moment)
        group_id = await tx.fetchval("SELECT id FROM feedback_groups LIMIT 1")
        await group_store.link(tx, UUID(one["id"]), group_id, moment)
        asked = GroupReview(group_id, "contradictory", "They want opposite things", [], session_id)
        await review_store.keep(tx, [asked], moment)
    ok(await desk.admin.post("/api/memories", json={"content": "Likes tables"}))


async def populate_webhooks(workspace: Workspace) -> None:
    """An attempt that nobody takes: the address is that of nothing that may be called."""
    hooks = Hooks(workspace, await workspace.client(), embedded_outside(Path(gettempdir())))
    hook = await hooks.make("https://receiver.example/")
    async with workspace.db.tx(workspace.system) as tx:
        await tx.execute("UPDATE webhook_endpoints SET url = 'http://127.0.0.1:9/'")
    ok(await hooks.admin.post(f"/api/webhooks/{hook['id']}/ping"))
    await hooks.send(hook)
    await hooks.change(hook, enabled=False)


async def populate_goldens(workspace: Workspace) -> None:
    shelf = Shelf(workspace, await workspace.client())
    golden = await shelf.promoted()
    ok(await shelf.admin.put(shelf.alternative(golden, await shelf.record())))
    agent = await configured(workspace, "replayed")
    await shelf.start_run(golden, agent)
    row = ok(await shelf.admin.post("/api/admin/shared-context", json={"type": "lesson", "content": "Two"}))
    body = {"setName": golden["set"], "agent": agent, "rowIds": [row["id"]], "replays": 2}
    ok(await shelf.admin.post(f"{EVALS}/experiments", json=body))
    await play(workspace, row["id"])
    bench = await make_bench(workspace)
    await bench.judge([True])
    judge = await bench.only_judge()
    await bench.label_all(await bench.person(), await bench.draw(judge, size=1))
    await bench.give_licence(judge)


async def populate_records(desk: Desk) -> None:
    relation = {"relation": {"target_type": "company", "multiple": True}}
    await desk.make_type(field_configs={"parent": relation})
    record, other = await desk.make_record({"name": "Acme"}), await desk.make_record()
    meta = {"employees": {"sources": [{"type": "web", "url": "https://acme.test"}]}}
    await desk.promote(await desk.submit(record, {"employees": 3}, field_meta=meta), "employees")
    retraction = {"ref": "source:web:https://acme.test", "reason": "It was wrong"}
    ok(await desk.reviewer.post("/api/chain/retractions", json=retraction))
    body = {"field_key": "parent", "target_id": other["id"]}
    ok(await desk.contributor.post(f"/api/entities/{record['id']}/relations", json=body))
    ok(await desk.admin.post("/api/views", json={"slug": "v", "name": "V", "blocks": []}))
    ok(await desk.admin.post("/api/saved-lists", json={"name": "L", "query": {}}))
    ok(await desk.admin.put("/api/entity-types/company/columns", json={"columns": ["name"]}))
    await desk.make_set()
    names = {"source_type": "company", "criteria_set": "rubric", "relation_field": "parent"}
    ok(await desk.admin.put("/api/claims/settings", json=names))
    await populate_artifact_evals(desk)
    async with desk.workspace.db.tx(desk.workspace.system) as tx:
        await tx.execute(
            """
            INSERT INTO relation_scores (tenant_id, relation_id, criteria_set_id, source_id, field_key, score)
            SELECT r.tenant_id, r.id, c.id, r.source_id, r.field_key, 50
            FROM entity_relations r, criteria_sets c LIMIT 1
            """
        )


async def populate_artifact_evals(desk: Desk) -> None:
    library = Library(desk=desk)
    await library.make_type()
    await library.add(*BAD.values())
    await library.score()


@pytest_asyncio.fixture
async def two(
    workspace: Workspace, other_workspace: Workspace, db: Database, superuser: Any
) -> AsyncIterator[tuple[UUID, UUID]]:
    """Two workspaces with rows in every tenant table; their marks go again, so that no worker finds them."""
    for each in (workspace, other_workspace):
        await populate(each, db)
    yield workspace.id, other_workspace.id
    await superuser.execute("DELETE FROM marks WHERE kind = 'of-isolation'")


async def test_every_table_has_row_level_security(raw: Any) -> None:
    assert {t["name"] for t in await tables(raw) if not t["secured"]} == LEDGER


async def test_every_tenant_table_binds_its_owner_too_and_has_a_policy(raw: Any) -> None:
    without = [
        t["name"] for t in await tables(raw) if t["forced"] and not (t["policies"] and t["has_tenant"])
    ]
    assert without == []


async def test_the_tables_that_are_global_are_those_that_the_design_names(raw: Any) -> None:
    section = TENANCY.read_text(encoding="utf-8").partition("Global tables")[2]
    listed = re.search(r"```\w*\n(.*?)```", section, re.DOTALL)
    assert listed, f"{TENANCY.name} has no fenced list under 'Global tables'"
    named = {line.split()[0] for line in listed[1].splitlines() if line.strip()}
    assert {t["name"] for t in await tables(raw) if not t["forced"]} == named | LEDGER


async def test_a_policy_of_a_tenant_table_compares_the_tenant_and_nothing_else(raw: Any) -> None:
    rows = await raw.fetch(
        """
        SELECT c.relname AS table, p.polname AS policy, pg_get_expr(p.polqual, p.polrelid) AS rule,
               ARRAY(SELECT rolname::text FROM pg_roles WHERE oid = ANY (p.polroles)) AS roles
        FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid WHERE c.relforcerowsecurity AND p.polpermissive
        """
    )  # one that restricts further opens nothing
    for row in some(rows):
        if row["table"] in WORKER_SEES_ALL and row["roles"] == [WORKER_ROLE]:
            continue
        assert row["rule"] == (
            "(tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid)"
        ), (row["table"], row["policy"])


async def test_the_tenant_comes_first_in_every_key_of_a_tenant_table(raw: Any) -> None:
    rows = await raw.fetch(
        """
        SELECT c.relname AS table, x.indexrelid::regclass::text AS index,
               (SELECT attname FROM pg_attribute WHERE attrelid = c.oid AND attnum = x.indkey[0]) AS first
        FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid
        WHERE c.relforcerowsecurity AND x.indisunique
        """
    )
    assert rows
    assert [(row["table"], row["index"]) for row in rows if row["first"] != "tenant_id"] == []


@pytest.mark.parametrize("role", [APP_ROLE, WORKER_ROLE])
@pytest.mark.parametrize("setting", [None, ""])
async def test_without_a_tenant_no_table_shows_a_row(
    raw: Any, two: tuple[UUID, UUID], role: str, setting: str | None
) -> None:
    names = [table["name"] for table in await tables(raw)]
    async with acting(raw, role, None):
        if setting is not None:
            await raw.execute("SET LOCAL app.tenant = ''")
        for name in some(names):
            seen = await allowed(raw, f"SELECT 1 FROM {name} LIMIT 1")
            if role == WORKER_ROLE and name in WORKER_SEES_ALL:
                assert seen == "SELECT 1"
            else:
                assert seen in (None, "SELECT 0"), name


async def test_a_tenant_that_is_no_id_is_an_error_and_not_everything(raw: Any) -> None:
    async with acting(raw, APP_ROLE, None):
        await raw.execute("SET LOCAL app.tenant = 'x'")
        with pytest.raises(asyncpg.InvalidTextRepresentationError):
            await raw.fetch("SELECT 1 FROM agents")


async def test_every_tenant_table_has_rows_to_be_hidden(superuser: Any, two: tuple[UUID, UUID]) -> None:
    for name in some(await tenant_tables(superuser)):
        for tenant in some(two):
            count = await superuser.fetchval(f"SELECT count(*) FROM {name} WHERE tenant_id = $1", tenant)
            assert count > 0, f"populate() makes no row of {name}"


@pytest.mark.parametrize("role", [APP_ROLE, WORKER_ROLE])
async def test_nothing_of_another_tenant_can_be_seen(
    raw: Any, superuser: Any, two: tuple[UUID, UUID], role: str
) -> None:
    mine, theirs = two
    for name in some(await tenant_tables(superuser)):
        if role == WORKER_ROLE and name in WORKER_SEES_ALL:
            continue
        counted = f"SELECT count(*) FROM {name} WHERE tenant_id = $1"
        own = 0 if name in PERSONAL else await superuser.fetchval(counted, mine)
        async with acting(raw, role, mine):
            assert await allowed(raw, f"SELECT 1 FROM {name} WHERE tenant_id = $1", theirs) in (
                None,
                "SELECT 0",
            ), name
            assert await allowed(raw, f"SELECT 1 FROM {name}") in (None, f"SELECT {own}"), name


@pytest.mark.parametrize("role", [APP_ROLE, WORKER_ROLE])
async def test_nothing_of_another_tenant_can_be_changed_or_deleted(
    raw: Any, superuser: Any, two: tuple[UUID, UUID], role: str
) -> None:
    mine, theirs = two
    for name in some(await tenant_tables(superuser)):
        if role == WORKER_ROLE and name in WORKER_SEES_ALL:
            continue
        async with acting(raw, role, mine):
            same = await allowed(raw, f"UPDATE {name} SET tenant_id = tenant_id WHERE tenant_id = $1", theirs)
            assert same in (None, "UPDATE 0"), name
            gone = await allowed(raw, f"DELETE FROM {name} WHERE tenant_id = $1", theirs)
            assert gone in (None, "DELETE 0"), name
            assert await allowed(raw, f"TRUNCATE {name} CASCADE") is None, name


async def insert_sql(connection: Any, table: str) -> str:
    """Inserts a row given as JSON, without the columns that PostgreSQL computes."""
    columns = ", ".join(
        row["name"]
        for row in await connection.fetch(
            """
            SELECT quote_ident(attname) AS name FROM pg_attribute
            WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
            """,
            table,
        )
    )
    return f"INSERT INTO {table} ({columns}) SELECT {columns} FROM jsonb_populate_record(NULL::{table}, $1::jsonb)"


@pytest.mark.parametrize("role", [APP_ROLE, WORKER_ROLE])
async def test_no_row_can_be_written_for_another_tenant(
    raw: Any, superuser: Any, two: tuple[UUID, UUID], role: str
) -> None:
    mine, theirs = two
    for name in some(await tenant_tables(superuser)):
        if role == WORKER_ROLE and name in WORKER_SEES_ALL:
            continue
        row = await superuser.fetchval(
            f"SELECT to_jsonb(t) FROM {name} t WHERE tenant_id = $1 LIMIT 1", theirs
        )
        insert = await insert_sql(superuser, name)
        async with acting(raw, role, mine):
            assert await allowed(raw, insert, row) is None, name
            moved = await allowed(raw, f"UPDATE {name} SET tenant_id = $1", theirs)
            assert moved is None, name


async def test_the_same_insert_for_the_own_tenant_is_not_refused_for_want_of_rights(
    raw: Any, superuser: Any, two: tuple[UUID, UUID]
) -> None:
    """The control of the test above: it is the tenant that is refused there, not the statement."""
    mine, _ = two
    row = await superuser.fetchval("SELECT to_jsonb(t) FROM agents t WHERE tenant_id = $1", mine)
    insert = "INSERT INTO agents SELECT (jsonb_populate_record(NULL::agents, $1::jsonb)).*"
    async with acting(raw, APP_ROLE, mine):
        other = row | {"id": str(new_id()), "slug": "other"}
        assert await allowed(raw, insert, other) == "INSERT 0 1"


async def test_a_tenant_sees_of_people_only_its_own_members(
    raw: Any, workspace: Workspace, other_workspace: Workspace
) -> None:
    async with acting(raw, APP_ROLE, workspace.id):
        people = await raw.fetch("SELECT user_id AS id FROM memberships")
        tenants = await raw.fetch("SELECT id FROM tenants")
    assert [row["id"] for row in people] == [workspace.owner_id]
    assert [row["id"] for row in tenants] == [workspace.id]


async def test_of_a_workspace_only_its_name_can_be_changed(raw: Any, workspace: Workspace) -> None:
    async with acting(raw, APP_ROLE, workspace.id):
        assert await allowed(raw, "UPDATE tenants SET name = 'x'") == "UPDATE 1"
        assert await allowed(raw, "UPDATE tenants SET slug = 'x'") is None
        assert await allowed(raw, "DELETE FROM tenants") is None
        assert (
            await allowed(raw, "INSERT INTO tenants (id, slug, name) VALUES ($1, 'x', 'x')", new_id()) is None
        )


@pytest.mark.parametrize("role", [APP_ROLE, WORKER_ROLE])
async def test_the_tables_of_signing_in_cannot_be_read_or_written(
    raw: Any, workspace: Workspace, role: str
) -> None:
    async with acting(raw, role, workspace.id):
        for name in [*SECRETS, *LEDGER]:
            assert await allowed(raw, f"SELECT 1 FROM {name}") is None, name
            assert await allowed(raw, f"DELETE FROM {name}") is None, name
        for column in ("id", "email", "name", "password_hash"):
            assert await allowed(raw, f"SELECT {column} FROM users") is None, column
            assert await allowed(raw, f"UPDATE users SET {column} = DEFAULT") is None, column


async def test_the_roles_that_transactions_run_as_have_no_power_of_their_own(raw: Any) -> None:
    rows = await raw.fetch(
        """
        SELECT rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication,
               EXISTS (SELECT FROM pg_auth_members m WHERE m.member = r.oid) AS member_of_others
        FROM pg_roles r WHERE rolname = ANY ($1)
        """,
        [APP_ROLE, WORKER_ROLE],
    )
    assert {row["rolname"] for row in rows} == {APP_ROLE, WORKER_ROLE}
    for row in rows:
        assert not any(value for key, value in row.items() if key != "rolname"), row


async def test_the_servers_login_is_no_superuser_either(raw: Any) -> None:
    assert not await raw.fetchval(
        "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user"
    )


async def test_the_application_changes_neither_the_schema_nor_its_policies(
    raw: Any, workspace: Workspace
) -> None:
    async with acting(raw, APP_ROLE, workspace.id):
        assert await allowed(raw, "CREATE TABLE public.mine (id int)") is None
        assert await allowed(raw, "ALTER TABLE agents DISABLE ROW LEVEL SECURITY") is None
        assert await allowed(raw, "CREATE POLICY mine ON agents USING (true)") is None


async def test_the_job_tables_are_out_of_the_applications_reach(raw: Any, workspace: Workspace) -> None:
    names = [
        row["name"]
        for row in await raw.fetch(
            "SELECT relname AS name FROM pg_class WHERE relnamespace = 'procrastinate'::regnamespace AND relkind = 'r'"
        )
    ]
    assert "procrastinate_jobs" in names
    async with acting(raw, APP_ROLE, workspace.id):
        for name in names:
            assert await allowed(raw, f"SELECT 1 FROM procrastinate.{name}") is None, name
    assert not await raw.fetchval("SELECT has_schema_privilege($1, 'procrastinate', 'USAGE')", APP_ROLE)


async def functions(connection: Any) -> list[asyncpg.Record]:
    """Our own functions; those of extensions are theirs."""
    return await connection.fetch(
        """
        SELECT p.proname AS name, p.prosecdef AS definer, p.proconfig AS config,
               has_function_privilege($1, p.oid, 'EXECUTE') AS app,
               has_function_privilege($2, p.oid, 'EXECUTE') AS worker,
               p.proacl IS NULL OR EXISTS (SELECT FROM aclexplode(p.proacl) a WHERE a.grantee = 0) AS anybody,
               pg_get_function_identity_arguments(p.oid) AS arguments
        FROM pg_proc p
        WHERE p.pronamespace = 'public'::regnamespace
          AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
        ORDER BY p.proname
        """,
        APP_ROLE,
        WORKER_ROLE,
    )


async def test_what_only_the_worker_may_run_the_application_may_not(raw: Any, workspace: Workspace) -> None:
    found = await functions(raw)
    assert {f["name"] for f in found if f["worker"] and not f["app"]} == WORKER_ONLY
    async with acting(raw, APP_ROLE, workspace.id):
        assert await allowed(raw, "SELECT tenant_ids(NULL, 10)") is None
        assert await allowed(raw, "SELECT find_tenant('main')") is None
        assert await allowed(raw, "SELECT find_accounts('a@b.c')") is None
        mine = workspace.owner_id
        assert await allowed(raw, "SELECT reset_password($1, 'x', '{}')", mine) is None
        assert await allowed(raw, "SELECT set_first_password($1, 'x', 'X')", mine) is None


async def test_functions_with_the_owners_rights_pin_where_they_look_and_are_not_for_anybody(raw: Any) -> None:
    """Unless `pg_temp` is named it comes first, and a temporary table could stand in for the one meant."""
    definers = [f for f in await functions(raw) if f["definer"]]
    assert len(definers) > 10
    for function in definers:
        assert not function["anybody"], function["name"]
        (path,) = [c for c in function["config"] or [] if c.startswith("search_path=")]
        assert path == 'search_path=""' or path.endswith(", pg_temp"), (function["name"], path)


async def test_a_temporary_table_cannot_stand_in_for_the_job_table(raw: Any, workspace: Workspace) -> None:
    async with acting(raw, APP_ROLE, workspace.id):
        await raw.execute("CREATE TEMP TABLE procrastinate_jobs (queue_name text, task_name text, priority int,"
                          " args jsonb, scheduled_at timestamptz)")  # fmt: skip
        await raw.execute("GRANT ALL ON procrastinate_jobs TO PUBLIC")
        await raw.execute("SELECT enqueue_job($1, 'none', '{}', NULL, 1, 0, 'default')", new_id())
        assert await raw.fetchval("SELECT count(*) FROM pg_temp.procrastinate_jobs") == 0


async def test_a_job_of_another_tenant_is_neither_listed_nor_retried_nor_cancelled(
    raw: Any, workspace: Workspace, other_workspace: Workspace
) -> None:
    job = new_id()
    async with acting(raw, APP_ROLE, other_workspace.id):
        await raw.execute("SELECT enqueue_job($1, 'none', '{}', NULL, 1, 0, 'default')", job)
        await raw.execute(f"SET LOCAL app.tenant = '{workspace.id}'")
        last = UUID(int=2**128 - 1)
        assert await raw.fetch("SELECT * FROM list_jobs($1, NULL, $2, 10)", job, last) == []
        assert await raw.fetch("SELECT * FROM list_job_failures($1)", job) == []
        assert await raw.fetchval("SELECT cancel_job($1)", job) is False
        assert await raw.fetchval("SELECT retry_job($1)", job) is False
        await raw.execute(f"SET LOCAL app.tenant = '{other_workspace.id}'")
        assert len(await raw.fetch("SELECT * FROM list_jobs($1, NULL, $2, 10)", job, last)) == 1


async def test_nothing_that_a_transaction_sets_outlives_it(database_url: str, workspace: Workspace) -> None:
    async with open_database(database_url, size=1) as lent:
        async with lent.tx(workspace.system) as tx:
            assert await tx.fetchval("SELECT current_setting('app.tenant')") == str(workspace.id)
            used = await tx.fetchval("SELECT pg_backend_pid()")
        async with lent.pool.acquire() as connection:
            assert await connection.fetchval("SELECT pg_backend_pid()") == used
            for setting in ("app.tenant", "app.user_id", "app.actor", "app.permissions"):
                assert not await connection.fetchval("SELECT current_setting($1, true)", setting), setting
            assert await connection.fetchval("SELECT current_user = session_user")
