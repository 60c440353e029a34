"""The settings of a transaction, and statements that make them themselves, so that they need no transaction around them.
Pure."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

APP_ROLE = "goldloop_app"
SETTINGS = ("app.tenant", "app.user_id", "app.actor", "app.permissions")
ORIGIN = "app.origin"  # by which key, from where and in which request, for the event log
_READ_ONLY = "transaction_read_only"
_GRANT = re.compile(r"[a-z_*]+\.[a-z_*]+\.[a-z_*]+")
_QUERY = re.compile(r"\s*(SELECT|WITH)\b", re.IGNORECASE)
_TENANT = re.compile(r"\$1\b")
_LOCKS = re.compile(r"\bFOR\s+(NO\s+KEY\s+UPDATE|UPDATE|KEY\s+SHARE|SHARE)\b", re.IGNORECASE)


@lru_cache(maxsize=4096)  # the same few actors open nearly all transactions
def settings_of(actor: Any) -> tuple[str, ...]:
    """The values of `SETTINGS`, in that order."""
    user = str(actor.id) if actor.kind == "user" else ""
    granted = ",".join(g for g in actor.permissions.listed() if _GRANT.fullmatch(g))
    return str(actor.tenant_id), user, f"{actor.kind}:{actor.id or ''}", granted


@lru_cache(maxsize=4096)
def settings_sql(actor: Any) -> str:
    values = zip(SETTINGS, settings_of(actor), strict=True)
    return "; ".join(f"SET LOCAL {name}='{value}'" for name, value in values)


@lru_cache(maxsize=256)
def call_sql(function: str, count: int) -> str:
    return f"{function}({', '.join(f'${n + 1}' for n in range(count))})"


def _set_configs(names: Sequence[str], first: int) -> str:
    return ", ".join(f"set_config('{name}', ${first + n}, true)" for n, name in enumerate(names))


@lru_cache(maxsize=256)
def call_at_once(function: str, count: int) -> str:
    """The settings come first: the function is called for the row that says that they are made."""
    settings = _set_configs((*SETTINGS, ORIGIN, "role"), count + 1)
    return (
        f"SELECT {call_sql(function, count)} "
        f"FROM (SELECT ROW({settings}) IS NOT NULL AS made OFFSET 0) s WHERE s.made"
    )


@lru_cache(maxsize=2048)
def for_any_tenant(sql: str) -> str:
    """A query on one tenant, $1, as one that PostgreSQL plans for any: it keeps the plan then. Where it sees whose rows are asked
    for, it may find that a plan for just these looks a little cheaper and plan each time, which takes a list longer than to
    read its page."""
    return _TENANT.sub("(SELECT $1::uuid)", sql)


@lru_cache(maxsize=2048)
def ask_at_once(sql: str, count: int, writes: bool) -> str | None:
    """A query whose settings are made first, in the same statement: it is asked for the row that says that they are, and
    fails where the connection is not in the role whose policies it was planned with (no role is a truth value). None for what
    is no query, or locks rows: whether it may is looked at before the settings are made."""
    if not _QUERY.match(sql) or _LOCKS.search(sql):
        return None
    settings = _set_configs((*SETTINGS, ORIGIN if writes else _READ_ONLY), count + 1)
    return (
        f"SELECT q.* FROM (SELECT ROW({settings}) IS NOT NULL AND CASE WHEN current_user = '{APP_ROLE}' "
        f"THEN true ELSE current_user::text::boolean END AS made OFFSET 0) s "
        f"CROSS JOIN LATERAL (SELECT r.* FROM ({sql}\n) r WHERE s.made OFFSET 0) q"
    )
