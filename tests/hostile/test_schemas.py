"""Schemas and the content that is worst for them: defined, filled, answered, promoted, changed."""

import json
from typing import Any
from urllib.parse import quote

import pytest

from tests.hostile.arena import Arena
from tests.hostile.fields import as_json
from tests.hostile.schemas import (
    Case,
    arrays,
    branching,
    formats,
    numbers,
    patterns,
    recursion,
    sizes,
    strange_texts,
)
from tests.hostile.wire import Answer

pytestmark = pytest.mark.timeout(300)  # a table is long, and the machine may be busy

TABLES = [branching, recursion, patterns, sizes, arrays, formats, numbers, strange_texts]


class Attempt:
    """One schema's way through the routes, as far as it is let; what went wrong on it."""

    def __init__(self, arena: Arena, case: Case) -> None:
        self.arena = arena
        self.case = case
        self.found: list[str] = []

    async def ask(self, method: str, path: str, target: str, body: Any = None) -> Answer:
        sent = None if body is None else as_json(body)
        call = self.arena.call(method, path, name=self.case.name, target=target, body=sent)
        answer, held = await self.arena.ask(call)
        self.found += [f"{call}: {fault}" for fault in self.arena.faults_of(answer, held)]
        return answer

    async def run(self) -> list[str]:
        self.arena.fresh += 1
        slug = f"s{self.arena.fresh}"
        new = {"slug": slug, "name": self.case.name, "json_schema": self.case.schema}
        made = await self.ask("POST", "/api/entity-types", "/api/entity-types", new)
        if made.status == 201:
            await self.fill(slug)
            again = {"json_schema": {**self.case.schema, "title": "Changed"}}
            await self.ask("PATCH", "/api/entity-types/{slug}", f"/api/entity-types/{slug}", again)
            await self.ask("GET", "/api/entity-types", "/api/entity-types?limit=200")
        return self.found

    async def fill(self, slug: str) -> None:
        empty = await self.ask("POST", "/api/entities", "/api/entities", {"type": slug, "title": "Empty"})
        record = json.loads(empty.body)["id"] if empty.status == 201 else None
        for content in self.case.contents:
            await self.write(slug, record, content)
            if record:
                await self.propose(record, content)
        await self.ask("GET", "/api/entities", f"/api/entities?type={slug}&limit=200")

    async def write(self, slug: str, record: str | None, content: Any) -> None:
        """As a new record and as an edit, one schema this way around and the next the other. One check decides of
        both, and the worst takes all the time that it may have: what the first refuses does not go to the second."""
        new = {"type": slug, "title": "Worst", "content": content}
        ways = [("POST", "/api/entities", "/api/entities", new)]
        if record:
            edit = {"version": 1, "content": content}
            ways.append(("PATCH", "/api/entities/{entity_id}", f"/api/entities/{record}", edit))
        for way in ways if self.arena.fresh % 2 else reversed(ways):
            if (await self.ask(*way)).status == 422:
                break

    async def propose(self, record: str, content: Any) -> None:
        entity = "/api/entities/{entity_id}"
        at = f"/api/entities/{record}"
        field = next(iter(content), "f")
        answer = await self.ask("POST", f"{entity}/responses", f"{at}/responses", {"values": content})
        if answer.status == 201:
            response = f"{at}/responses/{json.loads(answer.body)['id']}"
            wanted = {"fields": [field]}
            for word in ("promote/preview", "promote"):
                path = f"{entity}/responses/{{response_id}}/{word}"
                await self.ask("POST", path, f"{response}/{word}", wanted)
            place = quote(field, safe="")
            await self.ask("POST", f"{entity}/fields/{{field}}/undo", f"{at}/fields/{place}/undo", {})


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__name__)
async def test_no_schema_and_no_content_stops_the_server(working_arena: Arena, table: Any) -> None:
    found = []
    for case in table():
        found += await Attempt(working_arena, case).run()
    found += await working_arena.bystander_faults()
    assert not found, "\n" + "\n".join(found)
