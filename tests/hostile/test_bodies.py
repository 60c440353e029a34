"""Bodies: every route that takes one refuses what it cannot use, at once and without a trace."""

from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import replace

import pytest

from tests.hostile.arena import Arena
from tests.hostile.bodies import MEDIA, NOT_JSON, ONCE, WRONG_WHOLE, too_much, wrong_values
from tests.hostile.fields import Place, body_schema, operations_with_bodies, places
from tests.hostile.wire import Call

pytestmark = pytest.mark.timeout(300)  # a table is long, and the machine may be busy

WITH_BODIES = operations_with_bodies()


async def places_of(arena: Arena, method: str, path: str) -> list[Place]:
    schema = body_schema(method, path)
    assert schema is not None
    found = places(schema, await arena.good_body(method, path))
    return list({f"{place}{place.schema}": place for place in found}.values())


async def at_every_place(
    arena: Arena, values: Callable[[Place], Iterable[tuple[str, bytes]]]
) -> AsyncIterator[Call]:
    for method, path in WITH_BODIES:
        sent_once: set[str] = set()
        for place in await places_of(arena, method, path):
            for name, value in values(place):
                if name in ONCE and name in sent_once:
                    continue
                sent_once.add(name)
                body = place.body
                if isinstance(body, dict):
                    body = {**body, **await arena.renewed(method, path, body)}
                sent = replace(place, body=body).with_json(value)
                yield arena.call(method, path, name=f"{place}: {name}", body=sent)


LARGE = 100_000  # bytes
SPREAD = 8  # there are more large ones than this, so that every route gets some


async def whole(arena: Arena) -> AsyncIterator[Call]:
    """Large ones are refused before a route sees them: each goes to every eighth route, and every route gets some."""
    for turn, (method, path) in enumerate(WITH_BODIES):
        for place, (name, body) in enumerate({**NOT_JSON, **WRONG_WHOLE}.items()):
            if len(body) < LARGE or (turn + place) % SPREAD == 0:
                yield arena.call(method, path, name=name, body=body)


async def as_other_media(arena: Arena) -> AsyncIterator[Call]:
    for method, path in WITH_BODIES:
        for name, media in MEDIA.items():
            headers = (*arena.headers(method, path), *media)
            body = await arena.body_sent(method, path)
            yield arena.call(method, path, name=name, headers=headers, body=body)


async def test_every_route_with_a_body_is_walked_down_to_its_fields(arena: Arena) -> None:
    assert len(WITH_BODIES) > 25
    found = {str(place) for place in await places_of(arena, "POST", "/api/criteria-sets")}
    assert found >= {"", "/slug", "/dimensions", "/dimensions/0", "/dimensions/0/key", "/scope/type"}


async def test_what_is_no_body_of_the_route_is_refused_and_writes_nothing(arena: Arena) -> None:
    found = await arena.faults(whole(arena))
    assert not found, "\n" + "\n".join(found)


async def test_another_media_type_is_refused_or_read_as_json(arena: Arena) -> None:
    found = await arena.faults(as_other_media(arena))
    assert not found, "\n" + "\n".join(found)


async def test_each_list_text_and_object_takes_its_most_and_healthz_goes_on_answering(arena: Arena) -> None:
    found = await arena.faults(at_every_place(arena, too_much))
    assert not found, "\n" + "\n".join(found)


async def test_the_wrong_kind_of_value_at_any_place_is_refused_with_the_place(arena: Arena) -> None:
    found = await arena.faults(at_every_place(arena, wrong_values))
    assert not found, "\n" + "\n".join(found)


async def test_a_page_of_the_largest_rows_is_of_bounded_size(arena: Arena) -> None:
    made = [await arena.make_large_record() for _ in range(8)]
    call = arena.call("GET", "/api/entities", name="large rows", target="/api/entities?limit=200")
    answer, held = await arena.ask(call)
    for record in made:
        await arena.remove_record(record)
    assert not arena.faults_of(answer, held)
