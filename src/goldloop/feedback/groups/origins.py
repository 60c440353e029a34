"""What counts as one signal, however often and in however many rows it was given: an origin. Pure.

An origin is an actor (an end user, a member, an agent) and what they speak of (a response, a turn, a session). Reactions of one
actor are one, wherever they were given; so are copies of a text by one actor. What a machine scored elsewhere is none.
"""

from collections.abc import Sequence
from typing import NamedTuple


class Origin(NamedTuple):
    """`text` is what was said with names and numbers masked, "" for nothing. An `actor` of None counts for nothing."""

    actor: str | None
    artefact: str
    is_reaction: bool = False
    text: str = ""


def count_origins(origins: Sequence[Origin]) -> int:
    """How many are distinct: two are one when they share an actor and what they speak of, the reacting, or the words."""
    leaders: dict[tuple[str, str, str], int] = {}
    parents: list[int] = []

    def leader(place: int) -> int:
        while parents[place] != place:
            place = parents[place]
        return place

    for origin in origins:
        if origin.actor is None:
            continue
        here = len(parents)
        parents.append(here)
        for key in _keys(origin.actor, origin):
            parents[leader(here)] = leader(leaders.setdefault(key, here))
    return sum(parent == place for place, parent in enumerate(parents))


def _keys(actor: str, origin: Origin) -> list[tuple[str, str, str]]:
    keys = [(actor, "artefact", origin.artefact)]
    if origin.is_reaction:
        keys.append((actor, "reaction", ""))
    if origin.text:
        keys.append((actor, "text", origin.text))
    return keys
