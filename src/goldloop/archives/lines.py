"""SQL of one table's rows as lines of JSON, and of lines as rows again. Pure.

A line is an object of the row's columns. What JSON cannot tell apart has a name of its own: `_json_nulls` are the columns that
hold JSON's null where others hold none. What a workspace cannot do elsewhere as it does it here is changed on the way in.
"""

from uuid import UUID

from goldloop.archives.model import PLACEHOLDER, Column, Table
from goldloop.archives.selection import ONLY, columns_of

JSON_NULLS = "_json_nulls"
_JSON = ("json", "jsonb")
_LOGS = "turn-logs/"

# Where rows name a blob, whose key holds the id of the workspace.
_OUT = {
    ("session_events", "blob"): "replace(t.blob, '{tenant}', '{placeholder}')",
    ("conv_messages", "hosted_uri"): (
        "coalesce(replace(substring(t.hosted_uri FROM '"
        + _LOGS
        + ".*$'), '{tenant}', '{placeholder}'), t.hosted_uri)"
    ),
}

# $1 is the workspace, $2 the lines, $3 the moment of the import, $4 what the address of a blob begins with.
_IN = {
    ("session_events", "blob"): "replace(r.blob, '{placeholder}', $1::uuid::text)",
    ("conv_messages", "hosted_uri"): (
        "CASE WHEN r.hosted_uri LIKE '"
        + _LOGS
        + "%' THEN $4 || replace(r.hosted_uri, '{placeholder}', $1::uuid::text)"
        " ELSE r.hosted_uri END"
    ),
    # A key without its secret opens nothing, and says so.
    ("api_keys", "revoked_at"): "coalesce(r.revoked_at, $3::timestamptz)",
    ("api_keys", "revoked_by_kind"): "coalesce(r.revoked_by_kind, 'system')",
    # What was under way has no job here: it is over, and can be begun anew.
    ("runs", "status"): "CASE WHEN r.status IN ('queued', 'running') THEN 'cancelled' ELSE r.status END",
    (
        "runs",
        "ended_at",
    ): "CASE WHEN r.status IN ('queued', 'running') THEN $3::timestamptz ELSE r.ended_at END",
    ("runs", "job_id"): "NULL",
    ("sessions", "status"): (
        "CASE WHEN r.source = 'run' AND r.status IN ('queued', 'running') THEN 'cancelled' ELSE r.status END"
    ),
    ("sessions", "ended_at"): (
        "CASE WHEN r.source = 'run' AND r.status IN ('queued', 'running') THEN $3::timestamptz ELSE r.ended_at END"
    ),
    ("eval_runs", "status"): "CASE WHEN r.status = 'running' THEN 'cancelled' ELSE r.status END",
    ("eval_runs", "ended_at"): "CASE WHEN r.status = 'running' THEN $3::timestamptz ELSE r.ended_at END",
    ("eval_replays", "state"): "CASE WHEN r.state IN ('queued', 'running') THEN 'cancelled' ELSE r.state END",
    (
        "eval_replays",
        "judging",
    ): "CASE WHEN r.judging = 'pending' AND r.judging_session_id IS NOT NULL THEN 'failed' ELSE r.judging END",
    ("eval_replays", "judging_reason"): (
        "CASE WHEN r.judging = 'pending' AND r.judging_session_id IS NOT NULL THEN 'It was under way when the workspace"
        " was exported' ELSE r.judging_reason END"
    ),
    ("eval_experiments", "status"): (
        "CASE WHEN r.status IN ('screening', 'confirming') THEN 'cancelled' ELSE r.status END"
    ),
    ("eval_experiments", "ended_at"): (
        "CASE WHEN r.status IN ('screening', 'confirming') THEN $3::timestamptz ELSE r.ended_at END"
    ),
    ("tasks", "job_id"): "NULL",
}


def read_sql(table: Table, tenant_id: UUID) -> str:
    """The rows of a workspace, a line of JSON each. Without parameters, which COPY does not take."""
    chosen = [f"{_out(table, column, tenant_id)} AS {_quoted(column.name)}" for column in columns_of(table)]
    doubtful = [column for column in columns_of(table) if column.nullable and column.type in _JSON]
    if doubtful:
        each = ", ".join(
            f"CASE WHEN {column.type}_typeof(t.{_quoted(column.name)}) = 'null' THEN '{column.name}' END"
            for column in doubtful
        )
        chosen.append(f"nullif(concat_ws(',', {each}), '') AS {JSON_NULLS}")
    where = f"t.tenant_id = '{tenant_id}'"
    if only := ONLY.get(table.name):
        where += f" AND {only}"
    return f"SELECT row_to_json(x) FROM (SELECT {', '.join(chosen)} FROM {_quoted(table.name)} t WHERE {where}) x"


def count_sql(table: Table) -> str:
    where = f"t.tenant_id = $1 AND {ONLY[table.name]}" if table.name in ONLY else "t.tenant_id = $1"
    return f"SELECT count(*) FROM {_quoted(table.name)} t WHERE {where}"


def write_sql(table: Table) -> str:
    """Lines as rows of the workspace $1, whatever workspace they were of."""
    columns = columns_of(table)
    names = ", ".join(_quoted(column.name) for column in columns)
    values = ", ".join(_in(table, column) for column in columns)
    return f"""
        INSERT INTO {_quoted(table.name)} (tenant_id, {names})
        SELECT $1, {values}
        FROM (SELECT $3::timestamptz, $4::text) given, unnest($2::text[]) line,
             json_populate_record(NULL::{_quoted(table.name)}, line::json) r
        ON CONFLICT DO NOTHING RETURNING tenant_id
    """


def _out(table: Table, column: Column, tenant_id: UUID) -> str:
    if known := _OUT.get((table.name, column.name)):
        return known.format(tenant=tenant_id, placeholder=PLACEHOLDER)
    if column.type == "json":  # as it was written, except that a line ends where it ends
        return f"translate(t.{_quoted(column.name)}::text, E'\\n\\r', '  ')::json"
    return f"t.{_quoted(column.name)}"


def _in(table: Table, column: Column) -> str:
    if known := _IN.get((table.name, column.name)):
        return known.format(placeholder=PLACEHOLDER)
    if column.type not in _JSON:
        return f"r.{_quoted(column.name)}"
    if not column.nullable:
        return f"coalesce(r.{_quoted(column.name)}, 'null')"
    return (
        f"CASE WHEN '{column.name}' = ANY (string_to_array(line::json ->> '{JSON_NULLS}', ',')) THEN 'null'"
        f" ELSE r.{_quoted(column.name)} END"
    )


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
