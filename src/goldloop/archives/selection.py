"""What of the catalogue goes into an archive, and in which order it comes back. The single source of what is left out. Pure.

Every tenant table is in an archive unless it is named here or holds a secret that it cannot do without: a table that a later
version adds is in it without a word.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence

import msgspec

from goldloop.archives.model import Column, Schema, Table

LEFT_OUT = {
    "api_key_hashes": "hashes of API keys: keys come along revoked, and are made anew",
    "agent_secrets": "sealed with the key of this installation: they are set anew",
    "password_resets": "secrets of links to a new password: they are made anew",
    "invites": "secrets of invitations: people are invited anew",
    "idempotency_keys": "answers to requests that may be sent again within a day",
    "webhook_endpoints": "receivers with secrets of this installation: they are set anew",
    "webhook_deliveries": "what was sent to receivers of this installation",
    "webhook_attempts": "what was sent to receivers of this installation",
    "erasures": "what was deleted here: nothing of it comes along",
    "erasure_items": "what a deletion that goes on has found",
    "erasure_blocks": "what is not taken in while it is deleted",
    "key_limits": "limits of keys: keys are made anew",
    "request_counts": "what processes of this installation have counted in a minute",
    "run_usage": "what runs have used here: budgets are those of an installation's days",
    "storage_measures": "how much was stored here: it is measured anew",
    "live_watchers": "who looks at a page at this moment",
    "archives": "archives that were made before",
}
PERSONAL = {
    "user_memories": "seen only by the person whose they are: the command goldloop export takes them along"
}
LEFT_OUT_COLUMNS = {
    "memberships": {"account_id", "joined_at"},  # accounts are the installation's: people come as invited
    "marks": {"leased_until"},  # by a worker of this installation
}
ONLY = {"runs": "t.kind <> 'archive'"}  # rows, where not all are wanted
_SECRET = re.compile(r"sealed|secret|password|private_key|token_hash")
HOLDS_SECRET = "holds a secret that it cannot do without"
REFERS = "refers to {0}, which is left out"


def columns_of(table: Table) -> list[Column]:
    """Those in the archive: neither the tenant, which the target has its own of, nor what PostgreSQL computes, nor a secret."""
    without = {"tenant_id"} | LEFT_OUT_COLUMNS.get(table.name, set())
    return [
        column
        for column in table.columns
        if column.name not in without and not column.generated and not _SECRET.search(column.name)
    ]


def select(tables: Sequence[Table], *, personal: bool) -> tuple[list[Table], dict[str, str]]:
    """The tables of an archive, each after those that it refers to, and why each of the others is left out."""
    left_out: dict[str, str] = {}
    for table in tables:
        if reason := _reason(table, personal=personal):
            left_out[table.name] = reason
    while added := _referring(tables, left_out):
        left_out |= added
    return in_order([table for table in tables if table.name not in left_out]), left_out


def _reason(table: Table, *, personal: bool) -> str | None:
    if named := LEFT_OUT.get(table.name) or (None if personal else PERSONAL.get(table.name)):
        return named
    if any(
        _SECRET.search(column.name) and not (column.nullable or column.has_default)
        for column in table.columns
    ):
        return HOLDS_SECRET
    return None


def _referring(tables: Sequence[Table], left_out: Mapping[str, str]) -> dict[str, str]:
    return {
        table.name: REFERS.format(reference.to)
        for table in tables
        if table.name not in left_out
        for reference in table.references
        if reference.to in left_out
    }


def schema_of(tables: Sequence[Table], version: int) -> Schema:
    """Two installations whose schemas are equal have the same tables with the same columns, made by the same migrations."""
    sorted_tables = sorted(tables, key=lambda table: table.name)
    whole = [
        (table.name, sorted((each.name, each.type) for each in table.columns)) for table in sorted_tables
    ]
    return Schema(version=version, sha256=hashlib.sha256(msgspec.json.encode(whole)).hexdigest())


def in_order(tables: Sequence[Table]) -> list[Table]:
    """Each table after those that its rows refer to, else by name. A reference that is checked at the end of a transaction,
    as one to the same table has to be, asks for no order."""
    waiting = {table.name: table for table in sorted(tables, key=lambda table: table.name)}
    ordered: list[Table] = []
    while waiting:
        free = [table for table in waiting.values() if not _needs(table) & waiting.keys()]
        if not free:
            raise ValueError(f"{', '.join(waiting)} refer to each other: make one reference DEFERRABLE")
        ordered += free
        for table in free:
            del waiting[table.name]
    return ordered


def _needs(table: Table) -> set[str]:
    return {reference.to for reference in table.references if not reference.deferrable}
