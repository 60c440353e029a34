"""The single source of which table is where in a database that is sharded by tenant, and of how its policies read there.
Pure: what there is comes in as the catalogue has it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

DISTRIBUTION_COLUMN = "tenant_id"
# Tenant tables that stay on the coordinator all the same.
KEPT = {
    "agents": "a key is looked up together with whose it is",
    "api_keys": "a key is looked up before anything is known of its workspace",
    "marks": "a worker takes the next of all workspaces, and skips those that another has taken",
    "live_watchers": "whoever commits asks who looks",
}
# What a policy asks of another table is asked by a function there, in the shard beside it.
_ASKED_BY_FUNCTION = {
    "erasures": "public.erasure_is_open(tenant_id)",
    "sessions": "public.session_is_frozen(tenant_id, session_id)",
}
_EXISTS = re.compile(r"EXISTS\s*\(\s*SELECT\b", re.IGNORECASE)
_SUBQUERY = re.compile(r"\(\s*SELECT\b", re.IGNORECASE)
# Citus stumbles over it (unrecognized node type) where a table is distributed already; null is not true either.
_IS_SET = re.compile(r"\(NULLIF\((current_setting\('[\w.]+'::text, true\)), ''::text\) IS NOT NULL\)")
_FROM = re.compile(r"\bFROM\s+(?:public\.)?(\w+)", re.IGNORECASE)


class Place(StrEnum):
    SHARDS = "shards"
    COORDINATOR = "coordinator"


class PolicyNeedsAQuery(Exception):
    """A policy asks a table, and nobody has said by which function it does so on a shard."""


class PoliciesCannotBeMerged(Exception):
    """The policies of a table say together what no set of permissive ones can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """As the catalogue has it; `roles` empty for everybody."""

    name: str
    permissive: bool
    command: str  # ALL or one of COMMANDS
    roles: tuple[str, ...]
    using: str | None
    check: str | None

    def allows(self, command: str) -> bool:
        return self.command in ("ALL", command)

    @property
    def checked(self) -> str | None:
        """What a new row has to be."""
        return self.check or self.using


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One table of ours, as it is: `tenants` says whether row-level security by tenant binds its owner too, `column` by what
    it is distributed, `colocation` with which others."""

    name: str
    tenants: bool
    column: str | None = None
    colocation: int | None = None
    reference: bool = False
    forced: bool = True
    queries: bool = False  # in its policies
    narrows: bool = False  # by a restrictive policy

    @property
    def wanted(self) -> Place:
        return place_of(self.name, tenants=self.tenants)

    @property
    def distributed(self) -> bool:
        return self.column is not None

    @property
    def unfit(self) -> bool:
        """Its policies are not those that it needs where it belongs."""
        return self.tenants and (self.queries or (self.narrows and self.wanted is Place.SHARDS))


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignKey:
    name: str
    table: str
    to: str
    definition: str


def place_of(name: str, *, tenants: bool) -> Place:
    return Place.SHARDS if tenants and name not in KEPT else Place.COORDINATOR


def misplaced(tables: Iterable[Table]) -> list[str]:
    """What is not where it should be, in words; of an installation that is distributed."""
    faults = []
    shards = [table for table in tables if table.wanted is Place.SHARDS]
    groups = {table.colocation for table in shards if table.distributed}
    for table in tables:
        if table.wanted is Place.SHARDS and not table.distributed:
            faults.append(f"{table.name} is on the coordinator and belongs on the shards")
        elif table.wanted is Place.COORDINATOR and (table.distributed or table.reference):
            faults.append(f"{table.name} belongs on the coordinator")
        elif table.distributed and table.column != DISTRIBUTION_COLUMN:
            faults.append(f"{table.name} is distributed by {table.column}")
        elif table.distributed and not table.forced:
            faults.append(f"{table.name}: row-level security does not bind its owner")
        elif table.unfit:
            faults.append(f"{table.name}: its policies are not those that it needs there")
    if len(groups) > 1:
        faults.append("tables of one workspace are not beside each other (more than one colocation group)")
    return faults


def keys_to_move(keys: Iterable[ForeignKey], tables: Iterable[Table]) -> list[ForeignKey]:
    """Foreign keys that stand in the way: of tables that are still to be distributed, or that point at one."""
    to_do = {t.name for t in tables if t.wanted is Place.SHARDS and not t.distributed}
    return [key for key in keys if key.table in to_do or key.to in to_do]


def can_be_kept(key: ForeignKey, tables: Iterable[Table]) -> bool:
    """Both ends are on the shards: those to `tenants` and to keys, which are not, are given up. So are those that empty a
    column when what it refers to goes, since Citus takes none of these with the tenant in it."""
    on_shards = {t.name for t in tables if t.wanted is Place.SHARDS}
    return key.table in on_shards and key.to in on_shards and "ON DELETE SET NULL" not in key.definition


COMMANDS = ("SELECT", "INSERT", "UPDATE", "DELETE")
ISOLATION = "tenant_isolation"


def merged(policies: Sequence[Policy]) -> list[Policy]:
    """The same, in permissive policies without a query, one for each command. Citus makes a restrictive policy a permissive
    one on the shards: what is to narrow what may be seen would widen it there, beyond the tenant."""
    narrowing = [policy for policy in policies if not policy.permissive]
    for policy in narrowing:
        if policy.roles and not all(
            "CURRENT_USER" in (part or "CURRENT_USER") for part in (policy.using, policy.check)
        ):
            raise PoliciesCannotBeMerged(
                f"{policy.name} is for {', '.join(policy.roles)} and does not say so in its expression"
            )
    return [_merged(command, policies, narrowing) for command in COMMANDS]


def _merged(command: str, policies: Sequence[Policy], narrowing: Sequence[Policy]) -> Policy:
    widening = [policy for policy in policies if policy.permissive and policy.allows(command)]
    if len(widening) != 1 or widening[0].roles:
        raise PoliciesCannotBeMerged(f"{len(widening)} policies let rows be seen by {command}, and one can")
    parts = [widening[0], *(policy for policy in narrowing if policy.allows(command))]
    return Policy(
        name=ISOLATION if command == "SELECT" else f"{ISOLATION}_{command.lower()}",
        permissive=True,
        command=command,
        roles=(),
        using=_all_of([part.using for part in parts]) if command != "INSERT" else None,
        check=_all_of([part.checked for part in parts]) if command in ("INSERT", "UPDATE") else None,
    )


def _all_of(expressions: Sequence[str | None]) -> str:
    return " AND ".join(f"({policy_on_shards(each)})" for each in expressions if each)


def policy_on_shards(expression: str) -> str:
    """A policy's expression without a query in it, which no sharded table may have, and a table of the coordinator not of the
    shards: what only looks at settings is put in its place, and what asks a table is asked by a function."""
    while found := _EXISTS.search(expression):
        begin = expression.index("(", found.start())
        end = _closing(expression, begin)
        table = _FROM.search(expression[begin:end])
        if table is None or table[1] not in _ASKED_BY_FUNCTION:
            raise PolicyNeedsAQuery(
                f"a policy asks {table[1] if table else 'a query'}; say in _ASKED_BY_FUNCTION by which function"
            )
        expression = expression[: found.start()] + _ASKED_BY_FUNCTION[table[1]] + expression[end + 1 :]
    while found := _SUBQUERY.search(expression):
        end = _closing(expression, found.start())
        inner = expression[found.end() : end].strip()
        if _FROM.search(inner):
            raise PolicyNeedsAQuery(f"a policy asks a table in a query: {inner[:80]}")
        inner = re.sub(r'\s+AS\s+(?:"[^"]*"|\w+)\Z', "", inner)
        expression = f"{expression[: found.start()]}({inner}){expression[end + 1 :]}"
    return _IS_SET.sub(r"(\1 <> ''::text)", expression)


def _closing(text: str, opening: int) -> int:
    """Where the parenthesis that opens here is closed; those inside of literals do not count."""
    depth, quoted = 0, False
    for at in range(opening, len(text)):
        if text[at] == "'":
            quoted = not quoted
        elif not quoted:
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            if depth == 0:
                return at
    raise ValueError(f"a parenthesis is not closed: {text}")
