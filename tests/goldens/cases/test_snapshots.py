"""What is frozen when a session is promoted: of one that ran here, and of those that ran elsewhere."""

from typing import Any
from uuid import UUID

from goldloop.goldens.cases import store
from goldloop.kit.clock import now
from tests.goldens.shelf import Shelf
from tests.knowledge.lessons import RULE, Lessons
from tests.records import ok
from tests.runtimes.scripted import Script, call, configured, start
from tests.sessions.recordings import event

GROUPS = ["entities-read"]


async def run(lessons: Lessons, by: Any, steps: list[Any], agent: str = "worker", **session: Any) -> Any:
    """A session of an agent here, to its end."""
    return await lessons.run(await start(by, agent, "How many are they?", **session), Script(steps))


async def test_a_run_here_is_frozen_with_its_agent_record_and_knowledge(lessons: Lessons) -> None:
    shelf = Shelf(lessons.signals.desk.workspace, lessons.admin)
    row = await lessons.write()
    record = await lessons.signals.desk.make_record({"name": "Acme Ltd", "employees": 9})
    agent = await configured(shelf.workspace, instructions="Be brief.", tool_groups=GROUPS)
    session = await run(
        lessons,
        lessons.admin,
        [call("searchEntities", type="company"), "They are 9."],
        agent,
        entity_id=record["id"],
        metadata={"view_context": {"page": "companies"}},
    )
    golden = await shelf.promote(session)
    assert (golden["agentVersion"], golden["agentId"]) == (1, session["agent_id"])
    await lessons.signals.desk.edit(record, content={"employees": 10})
    await lessons.change(row, content="Count everybody, also those of the group")
    snapshot = (await shelf.show(golden))["snapshot"]
    assert snapshot["agent"]["config"]["instructions"] == "Be brief."
    assert {key: snapshot["agent"][key] for key in ("id", "slug", "version")} == {
        "id": session["agent_id"],
        "slug": agent,
        "version": 1,
    }
    assert (snapshot["message"], snapshot["purpose"], snapshot["type"]) == (
        "How many are they?",
        "prompt",
        "agent",
    )
    entity = snapshot["entity"]
    assert (entity["id"], entity["content"], entity["recorded"]) == (
        record["id"],
        {"name": "Acme Ltd", "employees": 9},
        True,
    )
    about = {key: entity[key] for key in ("id", "type", "title", "content")}
    assert snapshot["brief"]["context"] == {"entity": about}
    assert snapshot["viewContext"] == {"page": "companies"}
    assert snapshot["toolGroups"] == GROUPS
    tools = snapshot["tools"]
    assert (tools["searchEntities"]["writes"], tools["searchEntities"]["foreign"]) == (False, False)
    assert "type" in tools["searchEntities"]["parameters"]["$defs"]["SearchEntities"]["properties"]
    assert "submitResponse" not in tools
    assert [each["slug"] for each in snapshot["entityTypes"]] == ["company"]
    assert snapshot["knowledge"]["manifest"] == session["manifest"]
    assert RULE in snapshot["knowledge"]["text"]
    assert snapshot["guessed"] == []


async def test_a_record_that_nobody_read_is_frozen_as_it_is(lessons: Lessons) -> None:
    shelf = Shelf(lessons.signals.desk.workspace, lessons.admin)
    record = await lessons.signals.desk.make_record({"employees": 9})
    agent = await configured(shelf.workspace)
    golden = await shelf.promote(
        await run(lessons, lessons.admin, ["They are 9."], agent, entity_id=record["id"])
    )
    entity = (await shelf.show(golden))["snapshot"]["entity"]
    assert (entity["content"], entity["recorded"]) == ({"employees": 9}, False)


async def test_memories_are_in_no_answer_and_a_replay_has_them(lessons: Lessons) -> None:
    shelf = Shelf(lessons.signals.desk.workspace, lessons.admin)
    await lessons.write()
    _, person = await lessons.signals.desk.person()
    ok(await person.post("/api/memories", json={"content": "Has a heart condition"}))
    session = await run(
        lessons, person, ["Noted."], await configured(shelf.workspace, instructions="Be brief.")
    )
    golden = await shelf.promote(session)
    path = f"/api/admin/evals/golden/{session['id']}"
    for address in (path, f"{path}/facts", "/api/admin/evals/golden", f"/api/sessions/{session['id']}"):
        answer = await shelf.admin.get(address)
        assert ok(answer)
        assert "heart condition" not in answer.text
    assert RULE in (await shelf.show(golden))["snapshot"]["knowledge"]["text"]
    async with shelf.workspace.db.tx(shelf.workspace.system) as tx:
        private = await store.find_private(tx, UUID(session["id"]))
    assert "Has a heart condition" in private["memories"]
    assert private["memories"] in private["text"]
    assert RULE in private["text"]


async def test_a_session_that_ran_elsewhere_is_frozen_with_the_tools_that_it_called(shelf: Shelf) -> None:
    definition = {
        "type": "function",
        "function": {
            "name": "crm__findAccount",
            "description": "Finds an account.",
            "parameters": {"type": "object", "properties": {"name": {"type": "string"}}},
        },
    }
    read_only = {"name": "ledger", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}
    session = await shelf.record(
        event("user.message", text="Refund it"),
        event("model.request", model="m", tools=[definition, read_only]),
        event("tool.call", id="1", name="crm__findAccount", arguments={"name": "Acme"}),
        event("tool.result", id="1", result={"id": 7}),
        event("tool.call", id="2", name="refund", arguments={"order": 7, "amount": 12}),
        event("tool.result", id="2", result={"ok": True}),
        event("agent.message", text="Done."),
    )
    snapshot = (await shelf.show(await shelf.promote(session)))["snapshot"]
    assert snapshot["agent"] == {"id": None, "slug": "outsider", "version": None, "config": None}
    assert (snapshot["message"], snapshot["brief"]["message"]) == ("Refund it", "Refund it")
    assert (snapshot["entity"], snapshot["knowledge"], snapshot["messages"]) == (None, None, [])
    assert snapshot["tools"] == {
        "crm__findAccount": {
            "description": "Finds an account.",
            "parameters": definition["function"]["parameters"],  # type: ignore[index]
            "writes": False,
            "foreign": True,
        },
        "refund": {
            "description": "",
            "parameters": {"type": "object", "properties": {"order": {}, "amount": {}}},
            "writes": True,
            "foreign": True,
        },
        "ledger": {
            "description": "",
            "parameters": {"type": "object"},
            "writes": False,
            "foreign": True,
        },
    }
    assert snapshot["guessed"] == ["crm__findAccount", "refund"]


async def test_what_was_said_before_in_its_conversation_is_frozen(shelf: Shelf) -> None:
    path = f"/conversations/{shelf.workspace.slug}/P/c/turns"
    turn = {
        "turn_id": "t",
        "user": {"text": "Hello"},
        "assistant": {"text": "Hi."},
        "ts": "2026-01-01T00:00:00Z",
    }
    ok(await shelf.admin.post(path, json=[turn], params={"gate": "false"}))
    session = await shelf.ask("And then?", conversation={"project": "P", "id": "c"})
    assert session["created_at"] < now().isoformat()
    snapshot = (await shelf.show(await shelf.promote(session)))["snapshot"]
    assert snapshot["messages"] == [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Hi."},
    ]


async def test_secrets_in_the_address_of_an_agent_are_not_frozen(lessons: Lessons) -> None:
    shelf = Shelf(lessons.signals.desk.workspace, lessons.admin)
    agent = await configured(shelf.workspace, base_url="https://me:secret@models.test/v1?key=secret")
    golden = await shelf.promote(await run(lessons, lessons.admin, ["Yes."], agent))
    config = (await shelf.show(golden))["snapshot"]["agent"]["config"]
    assert config["base_url"] == "https://models.test/v1"
