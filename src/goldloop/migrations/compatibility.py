"""Which versions of the server go with a schema: the one that made it, and the release before. Pure.

A release only adds to the schema what the one before does not miss (expand); what nobody uses any more goes a release later
(contract), by a migration that says `-- needs NNNN`: servers that know fewer migrations do not work after it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
_BODY = re.compile(r"\$(\w*)\$.*?\$\1[$]", re.DOTALL)
_NEEDS = re.compile(r"^-- needs (\d{4})\b", re.MULTILINE)

# What takes something away that a server of the release before may use.
_CONTRACTS = {
    "a table goes": r"DROP TABLE(?! (IF EXISTS )?pg_temp)",
    "a column goes": r"DROP COLUMN",
    "a type, view or schema goes": r"DROP (TYPE|DOMAIN|VIEW|MATERIALIZED VIEW|SCHEMA)\b",
    "a function goes": r"DROP FUNCTION (?!pg_temp)",
    "something is called otherwise": r"\bRENAME\b",
    "a column is of another type": r"ALTER( COLUMN)? \w+ (SET DATA )?TYPE\b",
    "a column must have a value": r"SET NOT NULL",
    "a column has no default any more": r"DROP DEFAULT",
    "a new column must have a value and has no default": r"ADD COLUMN (?![^,]*\b(DEFAULT|GENERATED)\b)[^,]*\bNOT NULL\b",
    "a right is taken": r"^REVOKE\b(?!.* FROM PUBLIC\b)",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """What a server finds. `unknown` migrations are newer than it, of which one may need a server that knows at least
    `needs`; `release` made the functions that are there, and replaced those of `previous`."""

    newest_known: int
    unknown: Sequence[int]
    needs: int
    release: str | None
    previous: str | None


def numbers_of(release: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", release)[:3])


def is_newer(schema: Schema, own: str) -> bool:
    return bool(schema.unknown) or has_newer_functions(schema, own)


def has_newer_functions(schema: Schema, own: str) -> bool:
    return schema.release is not None and numbers_of(schema.release) > numbers_of(own)


def why_refused(schema: Schema, own: str) -> str | None:
    """Why a server of the release `own` does not work on a schema that is newer; None where it does."""
    if schema.needs > schema.newest_known:
        return f"it needs a version that knows migration {schema.needs:04}"
    if has_newer_functions(schema, own) and (
        schema.previous is None or numbers_of(own) < numbers_of(schema.previous)
    ):
        return f"it is of release {schema.release}, which works beside {schema.previous or 'none before it'}"
    return None


def needs_of(sql: str) -> int:
    """The newest migration that servers have to know after this one; 0 where it only adds."""
    found = _NEEDS.search(sql)
    return int(found[1]) if found else 0


def contracts_of(sql: str) -> list[str]:
    """What a migration takes away, in words; empty where it only adds. What a check, a policy or an update does to older
    servers is not found out: whoever writes one thinks of it."""
    statements = [" ".join(part.split()) for part in _BODY.sub("''", _COMMENT.sub("", sql)).split(";")]
    return [
        f"{what}: {statement[:80]}"
        for statement in statements
        for what, pattern in _CONTRACTS.items()
        if re.search(pattern, statement, re.IGNORECASE)
    ]
