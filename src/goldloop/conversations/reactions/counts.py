"""What counts as a reaction, and how reactions are counted: one definition for lists, filters and reports. Pure.

A reaction counts while it is active: from the moment when its turn is known (it was given, or a person settled it) until
it is replaced or cleared. `counted_from` and `counted_until` of `conv_messages` hold these moments. One that is unsettled or
dismissed has never counted.
"""

from collections.abc import Callable, Iterable, Mapping

from goldloop.conversations.model import ReactionCounts

KIND = "turn.log.reaction"
ORIGINS = ("user", "machine")
REACTIONS = ("ok", "not_ok", "neutral")
NARROWED_BY = ("project", "agent", "origin", "reaction")  # columns of a reaction
MEMBER = "member"  # of the workspace; all others are end users


def counts_now(table: str) -> str:
    """The condition that a row is a reaction that counts."""
    return f"{table}.counted_from IS NOT NULL AND {table}.counted_until IS NULL"


def counted_at(table: str, moment: str) -> str:
    """The condition that it counted at a moment. The first part is that of the partial indexes."""
    return f"""{table}.counted_from IS NOT NULL AND {table}.counted_from <= {moment}
        AND ({table}.counted_until IS NULL OR {table}.counted_until > {moment})"""


def is_unsettled(table: str) -> str:
    """The condition that it waits for a person to say which turn it is about."""
    return f"{table}.state = 'unsettled'"


def is_of(table: str, user_type: str) -> str:
    """The condition that it is a member's, or an end user's. Without a parameter, so that the index of the few of members
    is used."""
    return f"{table}.by_member" if user_type == MEMBER else f"NOT {table}.by_member"


def narrowed(table: str, wanted: Mapping[str, str | None], bind: Callable[[object], str]) -> list[str]:
    """Conditions on the columns of reactions that are asked for; `bind` turns a value into its parameter."""
    conditions = [
        f"{table}.{column} = {bind(value)}"
        for column in NARROWED_BY
        if (value := wanted.get(column)) is not None
    ]
    if (user_type := wanted.get("user_type")) is not None:
        conditions.append(is_of(table, user_type))
    return conditions


def count_columns(table: str) -> str:
    """The counts of `count`, as columns of an aggregate."""
    by_origin = [f"count(*) FILTER (WHERE {table}.origin = '{name}') AS by_{name}" for name in ORIGINS]
    by_reaction = [f"count(*) FILTER (WHERE {table}.reaction = '{name}') AS {name}" for name in REACTIONS]
    return ", ".join(["count(*) AS total", *by_origin, *by_reaction])


def count(reactions: Iterable[tuple[str, str, int]]) -> ReactionCounts:
    """Origins and reactions, and how many of each; they are counted under both."""
    counted = dict.fromkeys(("total", *ORIGINS, *REACTIONS), 0)
    for origin, reaction, number in reactions:
        for name in ("total", origin, reaction):
            counted[name] += number
    return ReactionCounts(**counted)
