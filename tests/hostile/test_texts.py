"""Texts at every place that takes one: what is accepted comes back byte for byte."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from tests.hostile.arena import Arena
from tests.hostile.fields import Place, as_json, is_text
from tests.hostile.test_bodies import WITH_BODIES, places_of
from tests.hostile.texts import TEXTS
from tests.hostile.wire import Answer, Call

pytestmark = pytest.mark.timeout(300)  # a table is long, and the machine may be busy

# Made comparable before it is kept: two spellings are one address.
FOLDED = {"email"}
# Compared with what is kept, and never kept itself: the answer shows the name that the reaction has now.
COMPARED = {"rn"}
# What was reviewed before keeps the note that it has; the note of what was put in is not the group's own.
DECIDED_BEFORE = {
    "/api/chain/retractions",  # said again it keeps its first reason
    "/api/feedback/review",
    "/api/feedback/groups/{group_id}/review",
    "/api/feedback/groups/{group_id}/add",
}


async def text_places(arena: Arena) -> AsyncIterator[tuple[str, str, Place]]:
    for method, path in WITH_BODIES:
        for place in await places_of(arena, method, path):
            if is_text(place):
                yield method, path, place


async def with_texts(arena: Arena, asked: dict[str, tuple[Place, str]]) -> AsyncIterator[Call]:
    async for method, path, place in text_places(arena):
        for name, text in TEXTS.items():
            renewed = await arena.renewed(method, path, place.body) if isinstance(place.body, dict) else {}
            body = {**place.body, **renewed} if renewed else place.body
            call = arena.call(
                method,
                path,
                name=f"{place}: {name}",
                body=as_json(replace(place, body=body).with_value(text)),
            )
            asked[str(call)] = place, text
            yield call


def changed(place: Place, text: str, answer: Answer) -> bool:
    """Whether the answer shows the field, with another text than was sent."""
    if not answer.headers.get("content-type", "").startswith("application/json"):
        return False
    shown = list(values_of(msgspec.json.decode(answer.body), str(place.path[-1])))
    return bool(shown) and text not in shown


def values_of(node: Any, name: str) -> Iterator[Any]:
    if isinstance(node, dict):
        yield from (value for key, value in node.items() if key == name)
    inside = node.values() if isinstance(node, dict) else node if isinstance(node, list) else []
    for value in inside:
        yield from values_of(value, name)


async def test_a_text_is_refused_or_comes_back_as_it_was_sent(arena: Arena) -> None:
    asked: dict[str, tuple[Place, str]] = {}
    other: list[str] = []

    def look(call: Call, answer: Answer) -> None:
        place, text = asked[str(call)]
        if answer.status >= 300 or place.path[-1] in FOLDED | COMPARED or call.path in DECIDED_BEFORE:
            return
        if changed(place, text, answer):
            other.append(f"{call}: came back as {answer.body[:200]!r}")

    found = await arena.faults(with_texts(arena, asked), look)
    assert not found + other, "\n" + "\n".join(found + other)
