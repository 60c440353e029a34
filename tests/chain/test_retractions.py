"""What is not to be relied on any more, and what a person looks at again for it."""

import asyncio

import pytest

from goldloop.tenants.model import Role
from tests.chain.story import ITEMS, RETRACTIONS, Story
from tests.factories import Workspace
from tests.records import Desk, code, ok, places, some_id


async def test_a_retraction_lists_what_to_look_at_again_and_changes_nothing(fresh: Story) -> None:
    record_id = fresh.refs["record"].removeprefix("record:")
    before = await fresh.desk.show({"id": record_id})
    made = await fresh.retract("web", "The report was of another company")
    assert (made["kind"], made["title"], made["reason"]) == (
        "source",
        "Report of Acme",
        "The report was of another company",
    )
    items = await fresh.items(waits=True)
    assert {item["ref"] for item in items} == {fresh.refs["value"], fresh.refs["cited value"]}
    assert (made["items"], made["open_items"], made["truncated"]) == (2, 2, False)
    assert {item["depth"] for item in items} == {2, 4}
    assert await fresh.desk.show({"id": record_id}) == before
    (node, *_) = (await fresh.chain("web", "forward"))["nodes"]
    assert node["retraction_id"] == made["id"]


async def test_what_was_learnt_goldens_and_what_waits_is_looked_at_again(fresh: Story) -> None:
    await fresh.retract("rejection 1")
    found = {item["ref"] for item in await fresh.items()}
    words = ("lesson", "value", "summary", "golden", "cited value", "again")
    assert {fresh.refs[word] for word in words} <= found
    assert {item["kind"] for item in await fresh.items()} <= {
        "field",
        "claim",
        "response",
        "knowledge",
        "golden",
    }


async def test_it_finds_what_lies_behind_what_the_reviewer_may_not_read(fresh: Story) -> None:
    """A reviewer reads no feedback of others, and what was learnt from it is found all the same."""
    reviewer = fresh.desk.reviewer
    await fresh.teach(fresh.refs["again"].removeprefix("response:"), "lesson", "positive")
    await fresh.retract("agent", by=reviewer)
    found = {item["ref"] for item in await fresh.items(by=reviewer)}
    assert fresh.refs["lesson"] in found
    assert fresh.refs["golden"] not in found
    assert fresh.refs["golden"] in {item["ref"] for item in await fresh.items()}


async def test_each_item_is_settled_by_a_person_and_can_be_settled_otherwise(fresh: Story) -> None:
    retraction = await fresh.retract("web")
    first, second = await fresh.items()
    settled = await fresh.settle(first, "kept", "The annual report says the same")
    assert (settled["verdict"], settled["waits"]) == ("kept", False)
    assert settled["settled_by"]["kind"] == "user"
    path = f"{RETRACTIONS}/{retraction['id']}"
    assert ok(await fresh.admin.get(path))["open_items"] == 1
    assert [item["id"] for item in await fresh.items(waits=True)] == [second["id"]]
    again = await fresh.settle(first, "kept", "The annual report says the same")
    assert again == settled
    assert len(await fresh.desk.events("chain.settled")) == 1
    await fresh.settle(first, "changed")
    await fresh.settle(first, None)
    assert ok(await fresh.admin.get(path))["open_items"] == 2


async def test_the_inbox_counts_what_waits(fresh: Story) -> None:
    async def count() -> int:
        kinds = {kind["kind"]: kind for kind in ok(await fresh.admin.get("/api/inbox"))["data"]}
        return int(kinds["chain"]["count"])

    assert await count() == 0
    retraction = await fresh.retract("web")
    assert await count() == 2
    (first, _) = await fresh.items()
    await fresh.settle(first, "removed")
    assert await count() == 1
    ok(await fresh.admin.post(f"{RETRACTIONS}/{retraction['id']}/undo"))
    assert await count() == 0


async def test_an_undone_retraction_is_in_force_no_more(fresh: Story) -> None:
    retraction = await fresh.retract("web")
    (first, second) = await fresh.items()
    await fresh.settle(first, "kept")
    path = f"{RETRACTIONS}/{retraction['id']}/undo"
    undone = ok(await fresh.admin.post(path))
    assert undone["undone_by"]["kind"] == "user"
    assert undone["open_items"] == 0
    assert ok(await fresh.admin.post(path)) == undone
    assert await fresh.items(waits=True) == []
    assert [item["verdict"] for item in await fresh.items()] == ["kept", None]
    late = await fresh.admin.patch(f"{ITEMS}/{second['id']}", json={"verdict": "kept"})
    assert code(late) == (409, "retraction_undone")
    (node, *_) = (await fresh.chain("web", "forward"))["nodes"]
    assert node["retraction_id"] is None
    again = await fresh.retract("web")
    assert again["id"] != retraction["id"]
    assert len(await fresh.items(waits=True)) == 2
    listed = ok(await fresh.admin.get(RETRACTIONS))["data"]
    assert [each["id"] for each in listed] == [again["id"], retraction["id"]]
    in_force = ok(await fresh.admin.get(RETRACTIONS, params={"in_force": True}))["data"]
    assert [each["id"] for each in in_force] == [again["id"]]


async def test_said_twice_it_is_one_retraction_with_what_came_since(fresh: Story) -> None:
    first = await fresh.retract("web", "Wrong")
    assert await fresh.retract("web", "Wrong again") == first
    assert len(await fresh.desk.events("chain.retracted")) == 1
    source = {"type": "web", "url": "https://acme.test/report"}
    record = await fresh.desk.make_record(title="New")
    response = await fresh.desk.submit(
        record, {"employees": 7}, field_meta={"employees": {"sources": [source]}}
    )
    again = await fresh.retract("web", "Wrong again")
    assert (again["id"], again["reason"], again["items"]) == (first["id"], "Wrong", 3)
    assert f"response:{response['id']}" in {item["ref"] for item in await fresh.items()}
    assert [event["payload"]["added"] for event in await fresh.desk.events("chain.retracted")] == [2, 1]


async def test_many_at_once_make_one_retraction_and_settle_an_item_once(fresh: Story) -> None:
    made = await asyncio.gather(*(fresh.retract("web", f"Reason {n}") for n in range(4)))
    assert len({each["id"] for each in made}) == 1
    items = await fresh.items()
    assert len(items) == 2
    await asyncio.gather(
        *(fresh.settle(items[0], verdict) for verdict in ("kept", "changed", "removed", "kept"))
    )
    path = f"{RETRACTIONS}/{made[0]['id']}"
    assert ok(await fresh.admin.get(path))["open_items"] == 1
    undone = [fresh.admin.post(f"{path}/undo") for _ in range(3)]
    answers = await asyncio.gather(
        *undone, fresh.admin.patch(f"{ITEMS}/{items[1]['id']}", json={"verdict": "kept"})
    )
    assert {answer.status_code for answer in answers} <= {200, 409}
    assert ok(await fresh.admin.get(path))["open_items"] == 0
    assert len(await fresh.desk.events("chain.retraction_undone")) == 1


async def test_only_people_from_reviewer_on_retract_and_settle(fresh: Story) -> None:
    workspace = fresh.desk.workspace
    body = {"ref": fresh.refs["web"], "reason": "No"}
    contributor = await workspace.client(Role.CONTRIBUTOR)
    assert code(await contributor.post(RETRACTIONS, json=body)) == (403, "forbidden")
    agent = await fresh.desk.agent(Role.REVIEWER)
    assert code(await agent.post(RETRACTIONS, json=body)) == (403, "people_retract")
    await fresh.retract("web")
    (item, _) = await fresh.items()
    for client, why in ((contributor, "forbidden"), (agent, "people_retract")):
        assert code(await client.patch(f"{ITEMS}/{item['id']}", json={"verdict": "kept"})) == (403, why)
    viewer = await workspace.client(Role.VIEWER)
    assert len(await fresh.items(by=viewer)) == 2


async def test_another_workspace_neither_sees_nor_settles_any_of_it(
    fresh: Story, other_workspace: Workspace
) -> None:
    retraction = await fresh.retract("web")
    (item, _) = await fresh.items()
    stranger = await other_workspace.client(Role.OWNER)
    assert ok(await stranger.get(RETRACTIONS))["data"] == []
    assert ok(await stranger.get(ITEMS))["data"] == []
    assert code(await stranger.get(f"{RETRACTIONS}/{retraction['id']}")) == (404, "retraction_not_found")
    assert code(await stranger.post(f"{RETRACTIONS}/{retraction['id']}/undo")) == (
        404,
        "retraction_not_found",
    )
    assert code(await stranger.patch(f"{ITEMS}/{item['id']}", json={"verdict": "kept"})) == (
        404,
        "chain_item_not_found",
    )
    assert code(await stranger.get(ITEMS, params={"retraction": retraction["id"]})) == (
        404,
        "retraction_not_found",
    )
    refused = await stranger.post(RETRACTIONS, json={"ref": fresh.refs["value"], "reason": "No"})
    assert code(refused) == (404, "node_not_found")


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"ref": f"response:{some_id()}", "reason": "x"}, "/ref"),
        ({"ref": "user:x", "reason": "x"}, "/ref"),
        ({"ref": "source:web:https://a.test", "reason": " "}, "/reason"),
        ({"ref": "source:web:https://a.test"}, "/reason"),
        ({"ref": "x" * 10_000, "reason": "x"}, "/ref"),
        ({"ref": "source:web:a\u0000", "reason": "x"}, "/ref"),
    ],
)
async def test_what_cannot_be_retracted_is_refused_with_its_place(
    desk: Desk, body: dict[str, str], place: str
) -> None:
    answer = await desk.reviewer.post(RETRACTIONS, json=body)
    assert answer.status_code == 422
    assert places(answer)[0][0] == place


async def test_a_source_that_nothing_cites_is_not_there(desk: Desk) -> None:
    answer = await desk.reviewer.post(RETRACTIONS, json={"ref": "source:web:https://a.test", "reason": "x"})
    assert code(answer) == (404, "node_not_found")


async def test_lists_go_on_by_cursor(fresh: Story) -> None:
    await fresh.retract("version")
    wanted = [item["id"] for item in await fresh.items()]
    seen, cursor = [], None
    while True:
        page = ok(await fresh.admin.get(ITEMS, params={"limit": 3} | ({"cursor": cursor} if cursor else {})))
        seen += [item["id"] for item in page["data"]]
        if (cursor := page["next_cursor"]) is None:
            break
    assert len(wanted) > 3
    assert seen == wanted


@pytest.mark.parametrize("word", ["lesson", "version"])
async def test_a_retraction_finds_what_rests_on_few_of_thousands_of_sessions(fresh: Story, word: str) -> None:
    await fresh.idle(5100)
    wanted = {fresh.refs[each] for each in ("value", "summary", "golden", "cited value")}
    made = await fresh.retract(word)
    assert wanted <= {item["ref"] for item in await fresh.items()}
    assert not made["truncated"]


async def test_a_rejection_stays_right_where_what_it_rejected_was_not_to_be_relied_on(fresh: Story) -> None:
    """Whoever rejected a response that cites a wrong source was right all the more."""
    source = {"type": "document", "title": "Wrong.pdf"}
    record = await fresh.desk.make_record()
    response = await fresh.desk.submit(
        record, {"employees": 900}, by=fresh.reader, field_meta={"employees": {"sources": [source]}}
    )
    await fresh.teach(response["id"], "lesson", "negative")
    await fresh.teach(response["id"], "guideline", "positive")
    wrong = "source:document:Wrong.pdf"
    shown = {node["ref"] for node in (await fresh.chain(wrong, "forward"))["nodes"]}
    assert {fresh.refs["lesson"], fresh.refs["guideline"]} <= shown
    await fresh.retract(wrong)
    items = {item["ref"] for item in await fresh.items()}
    assert fresh.refs["guideline"] in items
    assert fresh.refs["lesson"] not in items


async def test_what_rests_on_two_retracted_things_waits_once_and_is_settled_for_both(fresh: Story) -> None:
    async def waiting() -> tuple[int, int]:
        kinds = {kind["kind"]: kind for kind in ok(await fresh.admin.get("/api/inbox"))["data"]}
        return len(await fresh.items(waits=True)), int(kinds["chain"]["count"])

    web = await fresh.retract("web", "It is about another company")
    session = await fresh.retract("session", "It ran on the wrong file")
    refs = [item["ref"] for item in await fresh.items(waits=True)]
    assert len(refs) == len(set(refs))
    assert await waiting() == (len(refs), len(refs))
    (value,) = [item for item in await fresh.items(waits=True) if item["ref"] == fresh.refs["value"]]
    assert value["retraction_id"] == web["id"]
    assert [(why["retraction_id"], why["reason"]) for why in value["also_for"]] == [
        (session["id"], "It ran on the wrong file")
    ]
    of_session = await fresh.items(retraction=session["id"], waits=True)
    assert {fresh.refs["value"], fresh.refs["cited value"]} <= {item["ref"] for item in of_session}
    settled = await fresh.settle(value, "kept", "The annual report says the same")
    assert settled["also_for"] == []
    assert await waiting() == (len(refs) - 1, len(refs) - 1)
    (other,) = [item for item in await fresh.items(retraction=session["id"]) if item["ref"] == value["ref"]]
    assert (other["verdict"], other["note"]) == ("kept", "The annual report says the same")
    now = {each["id"]: each for each in ok(await fresh.admin.get(RETRACTIONS))["data"]}
    assert now[web["id"]]["open_items"] == web["open_items"] - 1
    assert now[session["id"]]["open_items"] == session["open_items"] - 1
    assert len(await fresh.desk.events("chain.settled")) == 2
    await fresh.settle(value, None)
    assert await waiting() == (len(refs), len(refs))
    now = {each["id"]: each for each in ok(await fresh.admin.get(RETRACTIONS))["data"]}
    assert now[session["id"]]["open_items"] == session["open_items"]
    ok(await fresh.admin.post(f"{RETRACTIONS}/{web['id']}/undo"))
    (value,) = [item for item in await fresh.items(waits=True) if item["ref"] == fresh.refs["value"]]
    assert (value["retraction_id"], value["also_for"]) == (session["id"], [])


async def test_an_item_says_what_became_of_it_since(fresh: Story) -> None:
    await fresh.retract("session")
    await fresh.retract("rejection 1")
    record = {"id": fresh.refs["record"].removeprefix("record:")}
    anew = await fresh.desk.submit(record, {"employees": 60})
    await fresh.desk.promote(anew, "employees")
    row_id = fresh.refs["lesson"].removeprefix("knowledge:")
    ok(await fresh.admin.post(f"/api/admin/shared-context/{row_id}/retire", json={"reason": "Not so"}))
    found = {item["ref"]: item["changed"] for item in await fresh.items()}
    assert found[fresh.refs["value"]] == "rewritten"
    assert found[fresh.refs["lesson"]] == "decided"
    assert found[fresh.refs["summary"]] is None
    assert fresh.refs["value"] in {item["ref"] for item in await fresh.items(waits=True)}
