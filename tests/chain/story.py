"""A workspace in which everything rests on something: a value of an agent that two rejections taught, a claim, a golden."""

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import httpx

from goldloop.tenants.model import Role
from tests.claims.evidence import make_evidence
from tests.goldens.shelf import Shelf
from tests.knowledge.lessons import RULE, Lessons
from tests.records import Desk, ok
from tests.sessions.recordings import begin, send, story

CHAIN = "/api/chain"
RETRACTIONS = f"{CHAIN}/retractions"
ITEMS = f"{CHAIN}/items"
WEB = "https://acme.test/report"
DOCUMENT = {"type": "document", "title": "Annual report.pdf", "page": 3}


@dataclass
class Story:
    """`refs` are by a word for each thing; `shown` asks an administrator."""

    lessons: Lessons
    admin: httpx.AsyncClient
    refs: dict[str, str] = field(default_factory=dict)

    @property
    def desk(self) -> Desk:
        return self.lessons.signals.desk

    @property
    def reader(self) -> httpx.AsyncClient:
        """The agent, by its key."""
        assert self.lessons.agent is not None
        return self.lessons.agent

    async def chain(
        self, what: str, direction: str, by: httpx.AsyncClient | None = None, **query: Any
    ) -> Any:
        """`what` is a word of the story, or a ref."""
        asked = {"from": self.refs.get(what, what), "direction": direction, **query}
        return ok(await (by or self.admin).get(CHAIN, params=asked))

    async def edges(self, what: str, direction: str, **query: Any) -> set[tuple[str, str, str]]:
        """In the story's words where it has one."""
        words = {ref: word for word, ref in self.refs.items()}
        found = await self.chain(what, direction, **query)
        return {
            (words.get(e["source"], e["source"]), e["relation"], words.get(e["target"], e["target"]))
            for e in found["edges"]
        }

    async def retract(self, what: str, reason: str = "It was wrong", by: Any = None) -> Any:
        body = {"ref": self.refs.get(what, what), "reason": reason}
        return ok(await (by or self.admin).post(RETRACTIONS, json=body))

    async def items(self, by: httpx.AsyncClient | None = None, **query: Any) -> list[Any]:
        found: list[Any] = ok(await (by or self.admin).get(ITEMS, params={"limit": 200, **query}))["data"]
        return found

    async def idle(self, count: int) -> None:
        """So many more sessions of the same agent and prompt, newer than the others, that nothing rests on."""
        async with self.desk.workspace.db.tx(self.desk.workspace.system) as tx:
            await tx.execute(
                """
                INSERT INTO sessions (tenant_id, id, type, status, source, agent, agent_id, agent_version, first_message, manifest,
                    created_at, last_at, created_by_kind)
                SELECT s.tenant_id, gen_random_uuid(), s.type, s.status, s.source, s.agent, s.agent_id, s.agent_version, 'Another',
                       s.manifest, now() + n * interval '1 second', now(), s.created_by_kind
                FROM sessions s, generate_series(1, $3) n WHERE s.tenant_id = $1 AND s.id = $2
                """,
                tx.actor.tenant_id, UUID(self.refs["session"].removeprefix("session:")), count,
            )  # fmt: skip

    async def teach(self, response_id: str, row: str, rating: str) -> str:
        """Feedback about a response that strengthens what was learnt; its ref."""
        given = await self.lessons.signals.give(comment="Employees again", rating=rating)
        async with self.desk.workspace.db.tx(self.desk.workspace.system) as tx:
            await tx.execute("SET LOCAL app.feedback = 'open'")
            await tx.execute("UPDATE feedback SET response_id = $2 WHERE tenant_id = $1 AND id = $3", tx.actor.tenant_id, response_id, given["id"])  # fmt: skip
            await tx.execute(
                """
                INSERT INTO shared_context_support (tenant_id, row_id, feedback_id, origin_artefact, is_reaction, words, by_member,
                    flagged, rating, echo, medoid, holds, dismissed, added_at)
                VALUES ($1, $2, $3, 'x', false, 'x', true, false, $4, false, false, '{}', false, now())
                """,
                tx.actor.tenant_id, self.refs[row].removeprefix("knowledge:"), given["id"], rating,
            )  # fmt: skip
        return f"feedback:{given['id']}"

    async def settle(self, item: Any, verdict: str | None, note: str | None = None, by: Any = None) -> Any:
        body = {"verdict": verdict, "note": note}
        return ok(await (by or self.admin).patch(f"{ITEMS}/{item['id']}", json=body))


async def tell(lessons: Lessons) -> Story:
    """From two rejections to a promoted value, and what rests on that in turn."""
    desk = lessons.signals.desk
    admin_id, admin = await desk.person(Role.ADMIN)
    told = Story(lessons, admin)
    refs = told.refs
    refs["admin"] = f"user:{admin_id}"
    agent = await desk.workspace.make_agent("reader")
    refs["agent"] = f"agent:{agent.id}"
    refs["version"] = f"agent:{agent.id}@1"
    lessons.agent = await desk.workspace.client(Role.CONTRIBUTOR, agent_id=agent.id)
    row = await lessons.proposal()
    refs["lesson"] = f"knowledge:{row['id']}"
    ok(await admin.post(f"/api/admin/shared-context/{row['id']}/approve", json={"content": RULE}))
    given = list(
        {each["created_by"]: each for each in await lessons.signals.listed()}.values()
    )  # one of each person
    refs |= {f"rejection {n}": f"feedback:{each['id']}" for n, each in enumerate(given, 1)}
    refs |= {f"rejected {n}": f"response:{each['context']['response_id']}" for n, each in enumerate(given, 1)}
    refs |= {f"rejecter {n}": f"user:{each['created_by']}" for n, each in enumerate(given, 1)}
    written = ok(
        await admin.post(
            "/api/admin/shared-context", json={"type": "guideline", "content": "Answer in full sentences"}
        )
    )
    refs["guideline"] = f"knowledge:{written['id']}"
    await _run(told)
    await _promote(told, given)
    await _support(told)
    return told


async def _run(told: Story) -> None:
    """A version of an agent, and a session of it that had both lessons in its prompt and became golden."""
    desk, refs = told.desk, told.refs
    agent_id = refs["agent"].removeprefix("agent:")
    ok(await told.admin.put(f"/api/agents/{agent_id}/config", json={"instructions": "Be brief."}))
    reader = told.reader
    prompt = await told.lessons.prompt(by=reader, agent="reader", entity_type="company")
    refs["manifest"] = f"manifest:{prompt['manifest']}"
    sessions = []
    for _ in range(2):
        session = await begin(reader, agent="reader", manifest=prompt["manifest"])
        ok(await send(reader, session, story()))
        ok(await reader.post(f"/api/sessions/{session['id']}/end", json={"status": "completed"}))
        sessions.append(session)
    async with desk.workspace.db.tx(desk.workspace.system) as tx:  # as those that run here have one
        await tx.execute("UPDATE sessions SET agent_version = 1 WHERE tenant_id = $1", tx.actor.tenant_id)
    refs["session"], refs["other session"] = [f"session:{session['id']}" for session in sessions]
    shelf = Shelf(desk.workspace, told.admin)
    golden = await shelf.promote(sessions[0], note="As it should be")
    ok(await told.admin.put(shelf.alternative(golden, sessions[1])))
    refs["golden"] = f"golden:{sessions[0]['id']}"
    remark = await told.lessons.signals.give(
        source_type="observation", session_id=sessions[0]["id"], comment="Too short"
    )
    refs["remark"] = f"feedback:{remark['id']}"


async def _promote(told: Story, given: list[Any]) -> None:
    """The value that the session found, one that cites it, one by hand, and a response after a rejection."""
    desk, refs = told.desk, told.refs
    reader = told.reader
    record = await desk.make_record(title="Acme")
    refs["record"] = f"record:{record['id']}"
    session_id = refs["session"].removeprefix("session:")
    web = {"type": "web", "url": f"{WEB}#page=2", "title": "Report of Acme"}
    meta = {
        "employees": {"sources": [web], "session_id": session_id},
        "summary": {"sources": [DOCUMENT], "session_id": session_id},
    }
    values = {"employees": 50, "summary": "It makes anvils"}
    response = await desk.submit(record, values, by=reader, source="extraction", field_meta=meta)
    await desk.promote(response, "employees", "summary")
    refs["response"] = f"response:{response['id']}"
    refs["web"], refs["document"] = f"source:web:{WEB}", "source:document:Annual report.pdf"
    refs["value"], refs["summary"] = f"field:{record['id']}/employees", f"field:{record['id']}/summary"
    person_id, person = await desk.person(Role.REVIEWER)
    refs["person"] = f"user:{person_id}"
    cites = [
        {"type": "entity", "id": record["id"]},
        {"type": "field", "entity_id": record["id"], "field": "employees"},
    ]
    other = await desk.make_record(title="Rival")
    citing = await desk.submit(other, {"name": "Rival"}, by=person, field_meta={"name": {"sources": cites}})
    await desk.promote(citing, "name")
    refs["citing"], refs["cited value"] = f"response:{citing['id']}", f"field:{other['id']}/name"
    ok(
        await person.patch(
            f"/api/entities/{other['id']}", json={"version": 2, "content": {"name": "Rival", "stage": "seed"}}
        )
    )
    refs["by hand"] = f"field:{other['id']}/stage"
    again = await desk.submit(
        {"id": given[0]["entity_id"]},
        {"employees": 90},
        by=reader,
        parent_response_id=given[0]["context"]["response_id"],
    )
    refs["again"] = f"response:{again['id']}"


async def _support(told: Story) -> None:
    """A claim, and the record that supports it, rated by what a document says."""
    desk, refs = told.desk, told.refs
    evidence = await make_evidence(desk)
    claim = await evidence.make_claim()
    source = await evidence.make_source(claim)
    rating = await desk.submit(
        source, {"rigor": 8, "relevance": 6}, criteria_set_slug="evidence-quality",
        field_meta={"rigor": {"sources": [{"type": "document", "title": "Study.pdf"}]}},
    )  # fmt: skip
    await desk.promote(rating, "rigor")
    await evidence.catch_up()
    refs["claim"], refs["supporting"] = f"claim:{claim['id']}", f"record:{source['id']}"
    refs["count"], refs["rigor"] = f"field:{claim['id']}/source_count", f"field:{source['id']}/rigor"
    refs["rating"], refs["study"] = f"response:{rating['id']}", "source:document:Study.pdf"
