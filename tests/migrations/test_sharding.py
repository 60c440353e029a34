"""Which table is where in a sharded database, found out from the schema itself: a new tenant table is never forgotten."""

import re
from typing import Any

import pytest

from goldloop.migrations.files import PACKAGE, migrations
from goldloop.migrations.sharding import (
    KEPT,
    ForeignKey,
    Place,
    PoliciesCannotBeMerged,
    Policy,
    PolicyNeedsAQuery,
    Table,
    can_be_kept,
    keys_to_move,
    merged,
    misplaced,
    place_of,
    policy_on_shards,
)
from goldloop.migrations.statements import statements
from tests.loops import some
from tests.test_architecture_sql import COORDINATOR, SHARDED

SCHEMA = (PACKAGE / "schema.sql").read_text()
TABLES = dict(re.findall(r"^CREATE TABLE public\.(\w+) \(\n(.*?)^\);", SCHEMA, re.MULTILINE | re.DOTALL))
TENANT_TABLES = set(re.findall(r"^CREATE POLICY tenant_isolation ON public\.(\w+) ", SCHEMA, re.MULTILINE))
ON_SHARDS = {name for name in TABLES if place_of(name, tenants=name in TENANT_TABLES) is Place.SHARDS}
KEYS = [
    ForeignKey(table=table, name=name, definition=definition, to=to)
    for table, name, definition, to in re.findall(
        r"^ALTER TABLE ONLY public\.(\w+)\n    ADD CONSTRAINT (\w+) (FOREIGN KEY .*? REFERENCES public\.(\w+)\(.*?);$",
        SCHEMA,
        re.MULTILINE,
    )
]
POLICIES = [
    (table, name, clause)
    for name, table, rest in re.findall(
        r"^CREATE POLICY (\w+) ON public\.(\w+)(.*?);$", SCHEMA, re.MULTILINE | re.DOTALL
    )
    for clause in re.findall(r"(?:USING|WITH CHECK) (\(.*?\))(?= WITH CHECK|\Z)", rest, re.DOTALL)
]


def shards(*names: str, **more: object) -> list[Table]:
    return [
        Table(name=name, tenants=True, column="tenant_id", colocation=1, **more)  # type: ignore[arg-type]
        for name in names
    ]


def test_every_table_with_a_tenant_is_on_the_shards_or_has_a_reason() -> None:
    assert SHARDED & TABLES.keys() == ON_SHARDS, "the rules for SQL and the placement disagree"
    assert TABLES.keys() - ON_SHARDS <= COORDINATOR
    forced = set(
        re.findall(r"^ALTER TABLE ONLY public\.(\w+) FORCE ROW LEVEL SECURITY", SCHEMA, re.MULTILINE)
    )
    assert forced == TENANT_TABLES, "what binds the owner is what is of a tenant"


def test_what_is_kept_is_a_tenant_table_that_is_there() -> None:
    assert KEPT.keys() <= TENANT_TABLES


def test_a_row_of_a_shard_is_found_by_its_tenant_in_every_key() -> None:
    keys = re.findall(
        r"^ALTER TABLE ONLY public\.(\w+)\n    ADD CONSTRAINT \w+ (?:PRIMARY KEY|UNIQUE) \((.*?)\)",
        SCHEMA,
        re.MULTILINE,
    )
    keys += re.findall(
        r"^CREATE UNIQUE INDEX \w+ ON public\.(\w+) USING btree \((.*?)\)", SCHEMA, re.MULTILINE
    )
    without = [(table, key) for table, key in some(keys) if table in ON_SHARDS and "tenant_id" not in key]
    assert not without, "Citus takes no unique key without the column that it shards by"


def test_foreign_keys_of_shards_stay_but_for_three_kinds() -> None:
    tables = [Table(name=name, tenants=name in TENANT_TABLES) for name in TABLES]
    of_shards = [key for key in some(KEYS) if key.table in ON_SHARDS]
    given_up = [key for key in of_shards if not can_be_kept(key, tables)]
    assert {key.to for key in given_up if "SET NULL" not in key.definition} == {"tenants", "api_keys"}
    assert {key.to for key in given_up if "SET NULL" in key.definition} <= ON_SHARDS
    assert not [key for key in KEYS if key.table not in ON_SHARDS and key.to in ON_SHARDS], (
        "a table of the coordinator cannot refer to one of the shards"
    )
    assert len(given_up) < len(of_shards)


@pytest.mark.parametrize(("table", "name", "clause"), [p for p in POLICIES if "SELECT" in p[2]])
def test_every_policy_of_a_tenant_table_can_do_without_a_query(table: str, name: str, clause: str) -> None:
    assert table in TENANT_TABLES
    rewritten = policy_on_shards(clause)
    assert "SELECT" not in rewritten
    assert rewritten.count("(") == rewritten.count(")")
    assert policy_on_shards(rewritten) == rewritten


@pytest.mark.parametrize(
    ("expression", "on_shards"),
    [
        ("", ""),
        ("(tenant_id = 'a(b'::text)", "(tenant_id = 'a(b'::text)"),
        (
            "(a OR ( SELECT (x && ARRAY['('::text]) AS \"?column?\"))",
            "(a OR ((x && ARRAY['('::text])))",
        ),
        (
            "((CURRENT_USER <> 'goldloop_eraser'::name) OR (EXISTS ( SELECT\n   FROM erasures e\n  WHERE (e.id = x()))))",
            "((CURRENT_USER <> 'goldloop_eraser'::name) OR (public.erasure_is_open(tenant_id)))",
        ),
        (
            "((erasing IS NULL) OR (NULLIF(current_setting('app.erasure'::text, true), ''::text) IS NOT NULL))",
            "((erasing IS NULL) OR (current_setting('app.erasure'::text, true) <> ''::text))",
        ),
        (
            "(NOT (EXISTS ( SELECT FROM public.sessions s WHERE (s.id = session_events.session_id))))",
            "(NOT (public.session_is_frozen(tenant_id, session_id)))",
        ),
    ],
)
def test_a_policy_without_a_query(expression: str, on_shards: str) -> None:
    assert policy_on_shards(expression) == on_shards


@pytest.mark.parametrize(
    "expression",
    ["(EXISTS ( SELECT FROM users u WHERE u.id = x))", "(a = ( SELECT u.id FROM users u LIMIT 1))"],
)
def test_a_policy_that_asks_what_nobody_thought_of_is_refused(expression: str) -> None:
    with pytest.raises(PolicyNeedsAQuery, match=r"users|a table"):
        policy_on_shards(expression)


def policy(name: str, command: str = "ALL", *, wide: bool = False, **more: Any) -> Policy:
    return Policy(
        **{
            "name": name,
            "permissive": wide,
            "command": command,
            "roles": (),
            "using": None,
            "check": None,
            **more,
        }
    )


OWN = policy("tenant_isolation", wide=True, using="own")


def test_what_narrows_is_part_of_what_lets_see_since_a_shard_would_let_it_widen() -> None:
    found = merged(
        [
            OWN,
            policy("shown", using="shown"),
            policy("frozen", "UPDATE", using="not frozen", check="true"),
            policy("written", "INSERT", check="mine"),
            policy("gone", "DELETE", roles=("eraser",), using="CURRENT_USER <> 'eraser' OR asked"),
        ]
    )
    assert [(each.name, each.command, each.using, each.check) for each in found] == [
        ("tenant_isolation", "SELECT", "(own) AND (shown)", None),
        ("tenant_isolation_insert", "INSERT", None, "(own) AND (shown) AND (mine)"),
        (
            "tenant_isolation_update",
            "UPDATE",
            "(own) AND (shown) AND (not frozen)",
            "(own) AND (shown) AND (true)",
        ),
        (
            "tenant_isolation_delete",
            "DELETE",
            "(own) AND (shown) AND (CURRENT_USER <> 'eraser' OR asked)",
            None,
        ),
    ]
    assert all(each.permissive and not each.roles for each in found)
    more = merged([*found, policy("later", using="later")])
    assert more[0].using == "((own) AND (shown)) AND (later)"


@pytest.mark.parametrize(
    "policies",
    [
        [],
        [policy("narrow", using="x")],
        [OWN, policy("second", wide=True, using="x")],
        [policy("tenant_isolation", wide=True, using="own", roles=("goldloop_app",))],
        [OWN, policy("for_some", using="x", roles=("goldloop_app",))],
    ],
)
def test_policies_that_permissive_ones_cannot_say_are_refused(policies: list[Policy]) -> None:
    with pytest.raises(PoliciesCannotBeMerged):
        merged(policies)


def test_the_policies_of_every_table_on_shards_can_be_merged() -> None:
    for table in some(sorted(ON_SHARDS)):
        of_table = [
            policy(
                name,
                command or "ALL",
                wide=not restrictive,
                roles=tuple(roles.split(", ")) if roles else (),
                using=using or None,
                check=check or None,
            )
            for name, restrictive, command, roles, using, check in re.findall(
                rf"^CREATE POLICY (\w+) ON public\.{table}( AS RESTRICTIVE)?(?: FOR (\w+))?(?: TO ([\w, ]+?))?"
                r"(?: USING (\(.*?\)))?(?: WITH CHECK (\(.*?\)))?;$",
                SCHEMA,
                re.MULTILINE | re.DOTALL,
            )
        ]
        assert {each.command for each in merged(of_table)} == {"SELECT", "INSERT", "UPDATE", "DELETE"}


def test_what_is_not_where_it_should_be_is_named() -> None:
    assert misplaced([]) == []
    assert misplaced([*shards("events", "views"), Table(name="marks", tenants=True, narrows=True)]) == []
    faults = misplaced(
        [
            *shards("events"),
            Table(name="views", tenants=True),
            Table(name="marks", tenants=True, column="tenant_id", colocation=1),
            Table(name="users", tenants=False, reference=True),
            Table(name="tasks", tenants=True, column="id", colocation=1),
            Table(name="runs", tenants=True, column="tenant_id", colocation=1, forced=False),
            *shards("goldens", narrows=True),
            Table(name="agents", tenants=True, queries=True, narrows=True),
        ]
    )
    assert [fault.split()[0].rstrip(":") for fault in faults] == [
        "views",
        "marks",
        "users",
        "tasks",
        "runs",
        "goldens",
        "agents",
    ]


def test_tables_of_one_workspace_are_beside_each_other() -> None:
    apart = [*shards("events"), Table(name="views", tenants=True, column="tenant_id", colocation=2)]
    assert len(misplaced(apart)) == 1


def test_only_foreign_keys_of_what_still_moves_are_taken_down() -> None:
    def key(table: str, to: str) -> ForeignKey:
        return ForeignKey(name=f"{table}_{to}", table=table, to=to, definition="FOREIGN KEY …")

    tables = [
        *shards("events", "sessions"),
        Table(name="views", tenants=True),
        Table(name="users", tenants=False),
    ]
    keys = [
        key("views", "sessions"),
        key("events", "sessions"),
        key("events", "views"),
        key("users", "users"),
    ]
    assert [each.name for each in keys_to_move(keys, tables)] == ["views_sessions", "events_views"]
    assert keys_to_move(keys, []) == []


@pytest.mark.parametrize(
    ("script", "parts"),
    [
        ("", []),
        ("-- only words; no statement\n", []),
        ("SELECT 1", ["SELECT 1"]),
        ("SELECT 1;\n;SELECT 2;", ["SELECT 1", "SELECT 2"]),
        ("SELECT ';'; SELECT 'it''s;'", ["SELECT ';'", "SELECT 'it''s;'"]),
        ('CREATE TABLE ";" (a int); -- ;\n', ['CREATE TABLE ";" (a int)']),
        ("DO $$ BEGIN a; b; END $$; SELECT $x$;$$;$x$", ["DO $$ BEGIN a; b; END $$", "SELECT $x$;$$;$x$"]),
        ("/* ; */ SELECT 6 / 2 - 1; SELECT 'a$$;'", ["/* ; */ SELECT 6 / 2 - 1", "SELECT 'a$$;'"]),
        ("SELECT $1; SELECT $2", ["SELECT $1", "SELECT $2"]),
    ],
)
def test_a_script_is_cut_into_its_statements(script: str, parts: list[str]) -> None:
    assert list(statements(script)) == parts


def test_nothing_of_a_migration_is_lost_when_it_is_cut() -> None:
    def words(text: str) -> list[str]:
        return re.sub(r"--[^\n]*", "", text).replace(";", " ").split()

    for migration in some(migrations()):
        for script in (migration.up, migration.down):
            assert words(" ".join(f"{each}\n" for each in statements(script))) == words(script)
