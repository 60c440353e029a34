"""The rules that SQL keeps, in function files and in stores: shapes that also run sharded by tenant, reads that go to
the left of the flow, and where SQL stands. A failure says what to do instead; the table at the end shows that each bites.

A function file is read statement by statement; a text in Python with the constants and pieces put in that it is made of.
"""

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import PurePosixPath

import pytest

from goldloop.concepts import ORDER
from goldloop.migrations.files import PACKAGE
from goldloop.migrations.sharding import KEPT
from tests.test_architecture import FUNCTION_FILES, SOURCES, WRITERS, concept_of

# What stays on the coordinator of a sharded database: sign-in, keys, work to do. All other tables are sharded by tenant;
# `tests/migrations/test_sharding.py` holds it against the schema.
COORDINATOR = {
    *KEPT,
    "tenants",
    "users",
    "memberships",
    "invites",
    "sign_in_sessions",
    "sign_in_attempts",
    "identities",
    "second_factors",
    "recovery_codes",
    "password_resets",
    "sign_in_requests",
    "api_key_hashes",
    "installation",
    "job_failures",
    "erased_workspaces",
    "schema_migrations",
    "schema_functions",
    "procrastinate_jobs",
    "procrastinate_events",
    "procrastinate_workers",
}
SHARDED = WRITERS.keys() - COORDINATOR
LOOKED_UP = {"agents", "api_keys"}  # of the coordinator's, what requests look up row by row
TABLES = SHARDED | COORDINATOR

# Whose a table is that no Python file writes. Of the others it is the concept of who does.
OWNED_THROUGH_FUNCTIONS = {
    "users": "tenants",
    "invites": "tenants",
    "sign_in_sessions": "tenants",
    "sign_in_attempts": "tenants",
    "identities": "tenants",
    "second_factors": "tenants",
    "recovery_codes": "tenants",
    "password_resets": "tenants",
    "sign_in_requests": "tenants",
    "api_key_hashes": "tenants",
    "installation": "tenants",
    "events": "kit",
    "erasure_blocks": "kit",
    "erased_workspaces": "erasures",
    "live_watchers": "live",
    "entity_words": "entities",
    "entity_field_history": "entities",
    "entity_field_sources": "entities",
    "relation_scores": "edges",
    "response_sources": "responses",
    "conversations": "conversations",
    "procrastinate_jobs": "jobs",
    "session_events": "sessions",
    "session_words": "sessions",
    "otel_trace_batches": "otlp",
    "otel_sources": "otlp",
    "procrastinate_events": "jobs",
    "procrastinate_workers": "jobs",
}
OWNERS = {
    table: concept_of(min(files)) or "" for table, files in WRITERS.items() if files
} | OWNED_THROUGH_FUNCTIONS

# Which SQL reads or calls to its right all the same.
TO_THE_RIGHT = {
    ("kit/set_marks.sql", "marks"): "how a concept leaves work to whoever is to its right",
    ("kit/enqueue_job.sql", "procrastinate_jobs"): "how a concept leaves work to whoever is to its right",
    ("kit/notify_change.sql", "live_watchers"): "where nobody looks nothing is sent",
    ("kit/emit_event.sql", "queue_webhooks"): "an event reaches receivers without a round trip of its own",
    (
        "archives/store.py",
        "erasures",
    ): "no archive is begun of what is half gone, and whoever begins one has to be told",
    ("criteria/store.py", "entity_responses"): "a set that responses were made with is archived, not deleted",
    (
        "entities/records/store.py",
        "entity_responses",
    ): "a list of records says where a response waits for review",
    **{
        (f"conversations/reactions/{name}.sql", "take_in_reaction"): (
            "a reaction and the feedback that it is are written in one call: a second round trip would cost a third more"
        )
        for name in ("react", "add_machine_reaction", "settle_reaction", "unsettle_reaction")
    },
    **{
        (
            "sessions/labelled_store.py",
            name,
        ): "what a judge says of a replay is withheld wherever it stands while people label it"
        for name in ("eval_judge_sampled", "eval_judge_samples")
    },
    ("entities/history/record_field_changes.sql", "refresh_response_status"): (
        "the status of a response follows from what fields come from, in the same call"
    ),
}

# Where SQL stands beside `store.py` (or `…_store.py`, where a concept has two).
OUTSIDE_STORES = {
    "kit/": "the ground: transactions, events, the queue and keys of repeated requests have no store of their own",
    "migrations/": "makes the schema",
    "cli/doctor.py": "asks a server what it is, whatever is in it",
    "cli/backups.py": "asks a database whether anything is in it, and makes the roles of the cluster",
}

_CALLS = {"fetch", "fetchrow", "fetchval", "execute", "executemany"}
_SQL = re.compile(r"\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH)\b")
_LITERAL = re.compile(r"'(?:[^']|'')*'")
_NAMED = re.compile(
    r"\b(?:FROM|JOIN|INTO|UPDATE|USING)\s+(?:ONLY\s+)?(?:public\.|procrastinate\.)?(\w+)\b(?!\()"
)
_QUALIFIED = re.compile(r"\b(?:public|procrastinate)\.(\w+)\b(?!\()")
_WRITTEN = re.compile(
    r"(?<!DO )(?<!FOR )(?<!KEY )\b(?:INSERT INTO|DELETE FROM|UPDATE)\s+(?:ONLY\s+)?(?:public\.)?(\w+)"
)
_UPDATED = re.compile(r"(?<!DO )(?<!FOR )(?<!KEY )\bUPDATE\s+(?:ONLY\s+)?(?:public\.)?(\w+)")
_COMPUTED_KEY = re.compile(r"\b(\w+\.\w*id) = substr\(\w+\.")
_INSERT_SELECT = re.compile(
    r"INSERT INTO\s+(?:public\.)?(\w+)(?:\s+AS\s+\w+)?\s*(?:\([^)]*\))?\s*(?:SELECT|WITH)\b"
)
_VOLATILE = re.compile(r"\b(clock_timestamp|gen_random_uuid|random|nextval|timeofday)\(")
_MAKES_JSON = re.compile(r"\b(jsonb?_build_object|jsonb?_build_array|to_jsonb?)\(")
_PLAIN = {"coalesce", "least", "greatest", "nullif"}  # parts of the language and not functions


@dataclass(frozen=True)
class Sql:
    """One statement, with where it stands and, of a function file, the language."""

    path: str
    line: int
    text: str
    language: str = ""

    @property
    def bare(self) -> str:
        """Without what only looks like a name: comments and literals."""
        return _LITERAL.sub("''", re.sub(r"--.*", "", self.text))

    @property
    def tables(self) -> set[str]:
        return {*_NAMED.findall(self.bare), *_QUALIFIED.findall(self.bare)} & TABLES

    @property
    def sharded(self) -> set[str]:
        return self.tables & SHARDED

    @property
    def called(self) -> set[str]:
        return {name for name in re.findall(r"\b(\w+)\(", self.bare) if name in FUNCTIONS}

    def fault(self, what: str) -> str:
        return f"{self.path}:{self.line}: {what}"


Rule = Callable[[Sql], Iterator[str]]


def function_statements(path: str, sql: str) -> Iterator[Sql]:
    """Those of a function's body; a nested text is part of the statement that runs it."""
    head, body, _ = sql.split("$$")
    language = re.findall(r"LANGUAGE (\w+)", head)[0]
    line = head.count("\n") + 1
    for text in re.split(r";(?=(?:[^']*'[^']*')*[^']*\Z)", re.sub(r"--.*", "", body)):
        begins = len(text) - len(text.lstrip())
        yield Sql(path, line + text[:begins].count("\n"), text, language)
        line += text.count("\n")


class Pieces:
    """The texts of a Python file, put together from its constants, those it imports, and functions that return a text."""

    def __init__(self, path: str, tree: ast.Module) -> None:
        self.path, self.tree = path, tree
        self.made: dict[str, ast.expr] = {}
        for node in tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                self.made[node.targets[0].id] = node.value
            elif isinstance(node, ast.FunctionDef) and isinstance(node.body[-1], ast.Return):
                self.made[node.name] = node.body[-1].value or ast.Constant("")
        self.imported = {
            (alias.asname or alias.name): f"{node.module}.{alias.name}"
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }

    def text(self, node: ast.expr) -> str:
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else "{}"
        if isinstance(node, ast.JoinedStr):
            return "".join(self.text(part) for part in node.values)
        if isinstance(node, ast.FormattedValue):
            return self.text(node.value)
        if isinstance(node, ast.Call):
            return self.text(node.func)
        if isinstance(node, ast.Name):
            return self.named(node.id)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = self.imported.get(node.value.id, "")
            return piece(f"{module}.{node.attr}")
        return "{}"

    def named(self, name: str) -> str:
        if name in self.made:
            return self.text(self.made[name])
        return piece(self.imported[name]) if name in self.imported else "{}"

    def statements(self) -> Iterator[Sql]:
        return (sql for sql in self.texts() if _SQL.match(sql.text))

    def conditions(self) -> Iterator[Sql]:
        """Texts with a query in them that become part of a statement as it is asked."""
        return (sql for sql in self.texts() if not _SQL.match(sql.text) and sql.sharded)

    def texts(self) -> Iterator[Sql]:
        inside = {
            id(part)
            for node in ast.walk(self.tree)
            if isinstance(node, ast.JoinedStr)
            for part in ast.walk(node)
            if part is not node
        }
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in inside:
                yield Sql(self.path, node.lineno, self.text(node))


@cache
def pieces(path: str) -> Pieces:
    return Pieces(path, ast.parse(SOURCES[path]))


def piece(dotted: str) -> str:
    """The text that a name of another module stands for, if it is one of ours and a text."""
    module, _, name = dotted.removeprefix("goldloop.").rpartition(".")
    path = f"{module.replace('.', '/')}.py"
    return pieces(path).named(name) if path in SOURCES and name in pieces(path).made else "{}"


def relative(file: object) -> str:
    return str(PurePosixPath(file.relative_to(PACKAGE)))  # type: ignore[attr-defined]


FUNCTIONS = {file.stem: relative(file) for file in FUNCTION_FILES}


@cache
def statements() -> list[Sql]:
    """All there are. Read when asked for: each process that runs tests imports this module."""
    return [
        *(sql for file in FUNCTION_FILES for sql in function_statements(relative(file), file.read_text())),
        *(sql for path in SOURCES if not path.startswith("migrations/") for sql in pieces(path).statements()),
    ]


@cache
def touched(function: str) -> frozenset[str]:
    """The tables that a function names, and those that the functions which it calls do."""
    own = [sql for sql in statements() if sql.path == FUNCTIONS[function]]
    called = {name for sql in own for name in sql.called} - {function}
    return frozenset({table for sql in own for table in sql.tables}.union(*map(touched, called)))


def the_tenant_is_a_variable(sql: Sql) -> Iterator[str]:
    if sql.sharded and "current_setting(" in sql.text:
        yield sql.fault("a query on tenant tables reads a setting. Take it into a variable first")


def queries_name_the_tenant(sql: Sql) -> Iterator[str]:
    unknown = "WHERE {}" in sql.text  # conditions that are put together as the query is asked
    if sql.sharded and "tenant_id" not in sql.text and not unknown:
        yield sql.fault(
            f"a query on {min(sql.sharded)} without tenant_id asks every shard. Compare it with the tenant"
        )


def lookups_name_the_tenant(sql: Sql) -> Iterator[str]:
    """The policy of rows names it too, by a setting that is made in the same message, and so after the plan: PostgreSQL takes it
    for null then, expects no row of the workspace, and may go through all of them."""
    if (found := sql.tables & LOOKED_UP) and "tenant_id" not in sql.text:
        yield sql.fault(
            f"a query on {min(found)} without tenant_id is planned for no tenant. Compare it with the tenant"
        )


def keys_are_computed_before_they_are_compared(sql: Sql) -> Iterator[str]:
    for column in _COMPUTED_KEY.findall(sql.bare):
        yield sql.fault(
            f"{column} is compared with what is computed beside it: under a policy of rows no index is asked for that, and all of a "
            "table is read. Compute it in a query inside, with OFFSET 0"
        )


def settings_are_set_by_set_local(sql: Sql) -> Iterator[str]:
    for setting in re.findall(r"set_config\(\s*'(app\.(?:tenant|actor|user_id|permissions))'", sql.text):
        yield sql.fault(f"shards do not hear of set_config. EXECUTE format('SET LOCAL {setting} = %L', …)")


def inserted_rows_are_not_copied(sql: Sql) -> Iterator[str]:
    for table in _INSERT_SELECT.findall(sql.bare):
        if table in SHARDED and not re.search(r"\b(ON CONFLICT|RETURNING)\b", sql.bare):
            yield sql.fault(
                f"INSERT INTO {table} … SELECT becomes a COPY, which row-level security refuses. "
                "Add ON CONFLICT or RETURNING"
            )


def times_and_ids_are_made_before(sql: Sql) -> Iterator[str]:
    written = {*_UPDATED.findall(sql.bare), *_INSERT_SELECT.findall(sql.bare)} & SHARDED
    for function in _VOLATILE.findall(sql.bare) if written else ():
        yield sql.fault(
            f"{function}() in a write of {min(written)}. Take it into a variable after the row lock, "
            "or pass it (`tx.moment()`)"
        )


def json_is_made_before_an_update(sql: Sql) -> Iterator[str]:
    if {*_UPDATED.findall(sql.bare)} & SHARDED:
        for function in _MAKES_JSON.findall(sql.bare):
            yield sql.fault(
                f"{function}() is not immutable, and an UPDATE of a shard takes no other function of columns. "
                "Make the value before, in a variable or parameter"
            )


def conflicts_are_settled_by_columns(sql: Sql) -> Iterator[str]:
    _, found, settled = sql.bare.partition("DO UPDATE")
    if found and {*_WRITTEN.findall(sql.bare)} & SHARDED:
        for function in set(re.findall(r"\b([a-z_]+)\(", settled.partition("RETURNING")[0])) - _PLAIN:
            yield sql.fault(f"{function}() in DO UPDATE. Insert the value, and take `excluded.column`")


def functions_on_tenant_tables_are_plpgsql(sql: Sql) -> Iterator[str]:
    if sql.language == "sql" and sql.sharded:
        yield sql.fault(
            "LANGUAGE sql cannot pass its parameters to a shard. LANGUAGE plpgsql, the tenant a variable"
        )


def one_statement_writes_once(sql: Sql) -> Iterator[str]:
    written = [table for table in _WRITTEN.findall(sql.bare) if table in SHARDED]
    if len(written) > 1:
        yield sql.fault(
            f"one statement writes {' and '.join(written)}. Write one after the other, what is referred to first"
        )


def tenant_tables_are_not_joined_with_the_coordinators(sql: Sql) -> Iterator[str]:
    if sql.sharded and sql.tables & COORDINATOR:
        yield sql.fault(
            f"{min(sql.sharded)} is on a shard and {min(sql.tables & COORDINATOR)} on the coordinator. "
            "Ask twice; names of people and agents by `find_parties`"
        )


def queries_on_shards_call_no_queries(sql: Sql) -> Iterator[str]:
    for function in sorted(sql.called):
        if sql.sharded and touched(function) and FUNCTIONS[function] != sql.path:
            yield sql.fault(
                f"{function}() would run on the shard, as part of a query on {min(sql.sharded)}. "
                "Call it in a statement of its own"
            )


def inner_queries(sql: str) -> Iterator[str]:
    """Each query that stands in parentheses, with those inside of it."""
    for found in re.finditer(r"\(\s*SELECT\b", sql):
        depth = 0
        for at in range(found.start(), len(sql)):
            depth += {"(": 1, ")": -1}.get(sql[at], 0)
            if depth == 0:
                yield sql[found.start() : at]
                break


def inner_queries_name_the_tenant(sql: Sql) -> Iterator[str]:
    for query in inner_queries(sql.bare) if sql.sharded else ():
        here = set(re.findall(r"(?:FROM|JOIN)\s+(?:public\.)?\w+\s+(?:AS\s+)?(\w+)", query))
        for pair in re.findall(r"\b(\w+)\.tenant_id = (\w+)\.tenant_id", query):
            if not {*pair} <= here | FUNCTIONS.keys():
                yield sql.fault(
                    f"a query inside compares {pair[0]}.tenant_id with that of the outer row, by which no shard is found. "
                    "Compare it with the parameter or variable"
                )


def the_moment_of_an_update_is_plain(sql: Sql) -> Iterator[str]:
    nested = r"\b(?:coalesce|greatest|least|nullif)\([^()]*\bnow\(\)|\bCASE\b(?:(?!\bEND\b).)*\bnow\(\)"
    if {*_UPDATED.findall(sql.bare)} & SHARDED and re.search(nested, sql.bare, re.DOTALL):
        yield sql.fault(
            "now() in CASE or COALESCE of an UPDATE. Pass it (`tx.began()`), or take it into a variable"
        )


def only_marks_and_jobs_are_skipped(sql: Sql) -> Iterator[str]:
    if "SKIP LOCKED" in sql.bare and sql.sharded:
        yield sql.fault("SKIP LOCKED is for marks and jobs, which are on the coordinator")


def reads_go_to_the_left(sql: Sql) -> Iterator[str]:
    here = concept_of(sql.path)
    owners = {table: OWNERS[table] for table in sql.tables if table in OWNERS}
    owners |= {name: FUNCTIONS[name].partition("/")[0] for name in sql.called}
    for name, owner in sorted(owners.items()):
        known = here in ORDER and owner in ORDER
        if known and ORDER.index(owner) > ORDER.index(here or "") and (sql.path, name) not in TO_THE_RIGHT:
            yield sql.fault(
                f"{here} asks for {name} of {owner}, which is to its right. Let {owner} ask, or listen to its "
                "event; if there is no other way, say why in TO_THE_RIGHT"
            )


RULES: list[Rule] = [
    the_tenant_is_a_variable,
    queries_name_the_tenant,
    lookups_name_the_tenant,
    keys_are_computed_before_they_are_compared,
    settings_are_set_by_set_local,
    inserted_rows_are_not_copied,
    times_and_ids_are_made_before,
    json_is_made_before_an_update,
    conflicts_are_settled_by_columns,
    functions_on_tenant_tables_are_plpgsql,
    one_statement_writes_once,
    tenant_tables_are_not_joined_with_the_coordinators,
    queries_on_shards_call_no_queries,
    inner_queries_name_the_tenant,
    the_moment_of_an_update_is_plain,
    only_marks_and_jobs_are_skipped,
    reads_go_to_the_left,
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_all_sql_keeps_the_rule(rule: Rule) -> None:
    faults = [fault for sql in statements() for fault in rule(sql)]
    assert not faults, "\n" + "\n".join(faults)


def test_conditions_that_are_put_together_name_the_tenant_in_queries() -> None:
    """A search adds them to its statement as it is asked, so they stand in texts of their own."""
    found = [
        sql for path in SOURCES if not path.startswith("migrations/") for sql in pieces(path).conditions()
    ]
    assert {"feedback_groups", "session_words"} <= {table for sql in found for table in sql.sharded}
    faults = [fault for sql in found for fault in inner_queries_name_the_tenant(sql)]
    assert not faults, "\n" + "\n".join(faults)


@pytest.mark.parametrize(
    ("rule", "sql"),
    [
        (
            the_tenant_is_a_variable,
            "SELECT FROM public.entities WHERE tenant_id = current_setting('app.tenant')",
        ),
        (queries_name_the_tenant, "SELECT content FROM entities WHERE id = $1"),
        (
            keys_are_computed_before_they_are_compared,
            "FROM unnest(fields) f (r) JOIN goldens g ON g.tenant_id = t AND g.session_id = substr(f.r, 8)::uuid",
        ),
        (lookups_name_the_tenant, "SELECT a.name FROM agents a WHERE a.id = $1"),
        (settings_are_set_by_set_local, "PERFORM set_config('app.tenant', owner.tenant_id::text, true)"),
        (
            inserted_rows_are_not_copied,
            "INSERT INTO public.entity_words (tenant_id, word) SELECT t, w FROM unnest(p) w",
        ),
        (inserted_rows_are_not_copied, "INSERT INTO events AS e SELECT t, x FROM jsonb_array_elements($1) x"),
        (
            times_and_ids_are_made_before,
            "UPDATE public.entities SET updated_at = clock_timestamp() WHERE tenant_id = t",
        ),
        (
            times_and_ids_are_made_before,
            "UPDATE views v SET version = v.version + random() WHERE v.tenant_id = $1",
        ),
        (
            times_and_ids_are_made_before,
            "INSERT INTO events (tenant_id, id) SELECT t, gen_random_uuid() FROM unnest(p) ON CONFLICT DO NOTHING",
        ),
        (
            json_is_made_before_an_update,
            "UPDATE public.entities e SET metadata = jsonb_build_object('a', e.title) WHERE e.tenant_id = t",
        ),
        (
            conflicts_are_settled_by_columns,
            "INSERT INTO workspace_settings (tenant_id) VALUES ($1) ON CONFLICT (tenant_id) DO UPDATE SET updated_at = now()",
        ),
        (
            one_statement_writes_once,
            "WITH a AS (INSERT INTO conv_turns (tenant_id) VALUES ($1)) UPDATE conversations SET turns = 1",
        ),
        (
            one_statement_writes_once,
            "WITH a AS (DELETE FROM public.views WHERE tenant_id = t RETURNING id) INSERT INTO public.events SELECT 1",
        ),
        (
            tenant_tables_are_not_joined_with_the_coordinators,
            "SELECT FROM memberships m JOIN parties p ON p.tenant_id = m.tenant_id AND p.id = m.user_id",
        ),
        (
            tenant_tables_are_not_joined_with_the_coordinators,
            "SELECT (SELECT a.name FROM agents a WHERE a.id = e.created_by_id) FROM entities e WHERE e.tenant_id = $1",
        ),
        (
            queries_on_shards_call_no_queries,
            "SELECT emit_event(e.id, $2, $3, $4, $5) FROM entities e WHERE e.tenant_id = $1",
        ),
        (
            inner_queries_name_the_tenant,
            "SELECT (SELECT count(*) FROM views v WHERE v.tenant_id = e.tenant_id) FROM entities e WHERE e.tenant_id = $1",
        ),
        (
            the_moment_of_an_update_is_plain,
            "UPDATE views SET archived_at = coalesce(archived_at, now()) WHERE tenant_id = $1",
        ),
        (
            the_moment_of_an_update_is_plain,
            "UPDATE views SET updated_at = CASE WHEN $2 THEN now() END WHERE tenant_id = $1",
        ),
        (
            only_marks_and_jobs_are_skipped,
            "SELECT id FROM public.conv_turns WHERE tenant_id = t LIMIT 1 FOR UPDATE SKIP LOCKED",
        ),
        (reads_go_to_the_left, "SELECT FROM entity_responses r WHERE r.tenant_id = $1"),
        (reads_go_to_the_left, "PERFORM public.refresh_type_responses(p_slug)"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_the_rule_bites(rule: Rule, sql: str) -> None:
    assert list(rule(Sql("entities/records/x.sql", 1, sql, "plpgsql")))


def test_a_function_on_tenant_tables_in_plain_sql_is_a_fault() -> None:
    sql = (
        "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1 FROM public.views WHERE tenant_id = t $$"
    )
    found = function_statements("views/f.sql", sql)
    assert [fault for each in found for fault in functions_on_tenant_tables_are_plpgsql(each)]


# A worker is asked by the owner and by the caller over two connections, of which the one does not see what the other wrote.
DEFINERS_ON_SHARDS = {"auth_session": "reads a name, in a transaction that has written nothing"}


def test_what_runs_with_the_owners_rights_leaves_the_shards_alone() -> None:
    definers = [file.stem for file in FUNCTION_FILES if "SECURITY DEFINER" in file.read_text()]
    there = {name for name in definers if touched(name) & SHARDED}
    assert there == DEFINERS_ON_SHARDS.keys(), "let the caller write it, in a statement of its own"


def test_each_rule_has_a_row_that_breaks_it() -> None:
    (table,) = test_the_rule_bites.pytestmark  # type: ignore[attr-defined]
    of_files = {functions_on_tenant_tables_are_plpgsql}  # has a test of its own above
    assert {row[0] for row in table.args[1]} == set(RULES) - of_files


@pytest.mark.parametrize(
    ("rule", "sql"),
    [
        (the_tenant_is_a_variable, "tenant uuid := nullif(current_setting('app.tenant', true), '')::uuid"),
        (queries_name_the_tenant, "SELECT a.name FROM agents a WHERE a.id = $1"),
        (settings_are_set_by_set_local, "EXECUTE format('SET LOCAL app.tenant = %L', owner.tenant_id)"),
        (settings_are_set_by_set_local, "PERFORM set_config('app.notified', sent::text, true)"),
        (
            inserted_rows_are_not_copied,
            "INSERT INTO entity_words SELECT t, w FROM unnest(p) w ON CONFLICT DO NOTHING",
        ),
        (inserted_rows_are_not_copied, "INSERT INTO marks (tenant_id, kind) SELECT t, k FROM unnest(p) k"),
        (times_and_ids_are_made_before, "UPDATE entities SET updated_at = moment WHERE tenant_id = t"),
        (times_and_ids_are_made_before, "INSERT INTO events (tenant_id, id) VALUES (t, gen_random_uuid())"),
        (times_and_ids_are_made_before, "UPDATE marks SET due_at = clock_timestamp() WHERE tenant_id = $1"),
        (
            conflicts_are_settled_by_columns,
            "INSERT INTO conversations AS c (tenant_id) VALUES (t) ON CONFLICT (tenant_id) DO UPDATE "
            "SET agent = coalesce(c.agent, excluded.agent), turns = c.turns + excluded.turns",
        ),
        (
            one_statement_writes_once,
            "INSERT INTO parties (tenant_id) VALUES ($1) ON CONFLICT (tenant_id) DO UPDATE SET name = excluded.name",
        ),
        (
            one_statement_writes_once,
            "UPDATE views SET version = 2 WHERE id IN (SELECT id FROM views FOR UPDATE)",
        ),
        (
            tenant_tables_are_not_joined_with_the_coordinators,
            "SELECT 'users' FROM entities e WHERE e.tenant_id = $1",
        ),
        (
            inner_queries_name_the_tenant,
            "SELECT (SELECT 1 FROM views v JOIN tasks t ON t.tenant_id = v.tenant_id WHERE v.tenant_id = $1) FROM entities",
        ),
        (the_moment_of_an_update_is_plain, "UPDATE views SET updated_at = now() WHERE tenant_id = $1"),
        (
            the_moment_of_an_update_is_plain,
            "UPDATE views SET version = CASE WHEN $2 THEN 1 END, updated_at = now() WHERE tenant_id = $1",
        ),
        (only_marks_and_jobs_are_skipped, "SELECT id FROM marks FOR UPDATE SKIP LOCKED"),
        (reads_go_to_the_left, "SELECT p.name FROM parties p WHERE p.tenant_id = $1"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_the_rule_lets_good_sql_be(rule: Rule, sql: str) -> None:
    assert not list(rule(Sql("entities/records/x.sql", 1, sql, "plpgsql")))


def test_a_text_is_read_with_its_pieces_put_in() -> None:
    """Names come from `tenants/parties/store.py`, as a piece of the statement."""
    found = [sql for sql in pieces("entities/records/store.py").statements() if "parties" in sql.tables]
    assert any(sql.tables == {"entities", "entity_types", "entity_responses", "parties"} for sql in found)


def test_every_table_has_its_place_and_owner() -> None:
    assert (
        COORDINATOR - {table for table in COORDINATOR if table.startswith("procrastinate_")} < WRITERS.keys()
    )
    assert OWNERS.keys() >= TABLES, f"whose are {sorted(TABLES - OWNERS.keys())}?"
    assert not {table for table in OWNED_THROUGH_FUNCTIONS if WRITERS.get(table)}, (
        "WRITERS says whose they are"
    )


def test_every_exception_for_reading_to_the_right_is_still_used() -> None:
    used = {(sql.path, name) for sql in statements() for name in sql.tables | sql.called}
    assert not TO_THE_RIGHT.keys() - used, f"take {sorted(TO_THE_RIGHT.keys() - used)} out of TO_THE_RIGHT"


def counts_what_was_inserted(path: str, source: str) -> Iterator[str]:
    """Calls whose number of rows is used. Of an INSERT … SELECT on shards Citus counts what was selected, and what is there
    already with it, unless the rows are returned."""
    tree = ast.parse(source)
    unused = {
        id(node.value.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Await)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "execute"
            and node.args
        ):
            text = Pieces(path, tree).text(node.args[0])
            written = {*_INSERT_SELECT.findall(text)} & SHARDED
            if written and id(node) not in unused and "RETURNING" not in text:
                yield f"{path}:{node.lineno}: counts rows of INSERT INTO {min(written)} … SELECT. Add RETURNING"


def test_inserted_rows_are_counted_by_what_is_returned() -> None:
    faults = [
        fault
        for path, source in SOURCES.items()
        if path.endswith("store.py")
        for fault in counts_what_was_inserted(path, source)
    ]
    assert not faults, "\n" + "\n".join(faults)


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        (
            "async def f(tx): return await tx.execute('INSERT INTO views (a) SELECT $1 ON CONFLICT DO NOTHING')",
            True,
        ),
        (
            "async def f(tx): await tx.execute('INSERT INTO views (a) SELECT $1 ON CONFLICT DO NOTHING')",
            False,
        ),
        ("async def f(tx): return await tx.execute('INSERT INTO views (a) SELECT $1 RETURNING a')", False),
        ("async def f(tx): return await tx.execute('INSERT INTO views (a) VALUES ($1)')", False),
    ],
)
def test_a_count_that_shards_would_get_wrong_is_found(source: str, wrong: bool) -> None:
    assert bool(list(counts_what_was_inserted("views/store.py", source))) is wrong


def counts_what_it_inserted(found: list[Sql]) -> Iterator[str]:
    """The same in a function. What is selected from tables beside is inserted on the shard, and counted there."""
    for sql, following in pairwise(found):
        written = {*_INSERT_SELECT.findall(sql.bare)} & SHARDED
        if written and sql.sharded == written and following.text.lstrip().startswith("GET DIAGNOSTICS"):
            yield following.fault(
                f"counts rows of INSERT INTO {min(written)} … SELECT. Count those that it returns: "
                "WITH written AS (INSERT … RETURNING 1) SELECT count(*)"
            )


def test_functions_count_inserted_rows_by_what_is_returned() -> None:
    faults = [
        fault
        for file in FUNCTION_FILES
        for fault in counts_what_it_inserted(list(function_statements(relative(file), file.read_text())))
    ]
    assert not faults, "\n" + "\n".join(faults)


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ("INSERT INTO public.views (a) SELECT x FROM unnest(p) x ON CONFLICT DO NOTHING; GET DIAGNOSTICS n = ROW_COUNT;", True),
        ("INSERT INTO public.views (a) SELECT t.a FROM public.tasks t ON CONFLICT DO NOTHING; GET DIAGNOSTICS n = ROW_COUNT;", False),
        ("INSERT INTO public.marks (a) SELECT x FROM unnest(p) x; GET DIAGNOSTICS n = ROW_COUNT;", False),
        ("DELETE FROM public.views WHERE tenant_id = t; GET DIAGNOSTICS n = ROW_COUNT;", False),
    ],
)  # fmt: skip
def test_a_count_in_a_function_that_shards_would_get_wrong_is_found(body: str, wrong: bool) -> None:
    found = list(function_statements("views/f.sql", f"LANGUAGE plpgsql AS $${body}$$"))
    assert bool(list(counts_what_it_inserted(found))) is wrong


def runs_sql(path: str, source: str) -> Iterator[str]:
    """Calls that run a statement, where there should be none."""
    if path.endswith(("/store.py", "_store.py")) or path.startswith(tuple(OUTSIDE_STORES)):
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CALLS:
            yield f"{path}:{node.lineno}: runs SQL. Give the concept's store a function for this"


@pytest.mark.parametrize("where", OUTSIDE_STORES)
def test_every_exception_for_sql_outside_stores_is_still_used(where: str) -> None:
    there = [source for path, source in SOURCES.items() if path.startswith(where)]
    assert any(fault for source in there for fault in runs_sql("jobs/x.py", source)), (
        f"{where} needs no exception"
    )


def test_sql_stands_in_stores() -> None:
    faults = [fault for path, source in SOURCES.items() for fault in runs_sql(path, source)]
    assert not faults, "\n" + "\n".join(faults)


@pytest.mark.parametrize(
    ("path", "source", "wrong"),
    [
        ("jobs/service.py", "async def f(tx): await tx.execute('SELECT 1')", True),
        (
            "tenants/auth/authenticator.py",
            "async def f(c): return await c.fetchrow('SELECT * FROM auth_key($1)', b'')",
            True,
        ),
        ("jobs/store.py", "async def f(tx): await tx.fetch('SELECT 1')", False),
        ("tenants/parties/store.py", "async def f(tx): await tx.fetch('SELECT 1')", False),
    ],
)
def test_sql_beside_a_store_is_found(path: str, source: str, wrong: bool) -> None:
    assert bool(list(runs_sql(path, source))) is wrong
