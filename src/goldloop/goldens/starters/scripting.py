"""What the scripts of starter sets have in common: which request it is, what was found, and whether a rule is followed. Pure."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from goldloop.runtimes.scripted_models import Call, Say, Told

MOST = 20  # records of one answer of searchEntities
SOMETIMES = 0.75  # how often a rule is followed that the instructions leave to the agent

Answer = Callable[..., Say]


def answer_by(requests: Sequence[tuple[str, Answer]], asked: Told) -> Say:
    """The answer to the first kind of request that the message is of, with what it names."""
    for pattern, answer in requests:
        if named := re.search(pattern, asked.message):
            return answer(asked, *named.groups())
    return "I cannot help with that: none of my instructions is about it."


def follows(asked: Told, rule: str, left_open: str) -> bool:
    """Whether it does what a rule says: always where its instructions have the rule, sometimes where they leave it open."""
    if rule in asked.instructions:
        return True
    return left_open in asked.instructions and asked.draw() < SOMETIMES


def look_up(type_slug: str, title: str) -> Call:
    return Call("searchEntities", {"type": type_slug, "query": title, "limit": 1})


def look_at_all(type_slug: str) -> Call:
    return Call("searchEntities", {"type": type_slug, "limit": MOST})


def all_found(asked: Told, place: int = 0) -> list[dict[str, Any]]:
    """The records of an answer by their titles; none where the search failed."""
    result = asked.results[place]
    entities = result.get("entities", []) if isinstance(result, dict) else []
    return sorted(entities, key=lambda entity: str(entity["title"]))


def found(asked: Told, place: int = 0) -> dict[str, Any] | None:
    return next(iter(all_found(asked, place)), None)


def not_found(title: str) -> str:
    return f"I find no record called {title}."


def propose(entity: dict[str, Any], values: dict[str, Any]) -> Call:
    return Call("submitResponse", {"entityId": entity["id"], "values": values})


def is_refused(result: Any) -> bool:
    return not (isinstance(result, dict) and result.get("submitted"))


REFUSED = "I could not write that down: the record does not take it."
