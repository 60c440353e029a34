"""What rests on what, asked from either side."""

from typing import Any
from uuid import UUID

import pytest

from goldloop.chain.model import ChainRelation
from goldloop.tenants.model import Role
from tests.chain.story import CHAIN, Story
from tests.factories import Workspace
from tests.loops import some
from tests.records import Desk, code, ok, some_id

# Each way in which one thing rests on another, by an example of the story.
STEPS = [
    ("value", "promoted_from", "response"),
    ("count", "counted_from", "claim"),
    ("by hand", "edited_by", "person"),
    ("record", "has", "value"),
    ("supporting", "has", "rigor"),
    ("claim", "supported_by", "supporting"),
    ("response", "cites", "web"),
    ("response", "cites", "document"),
    ("citing", "cites", "record"),
    ("citing", "cites", "value"),
    ("response", "found_in", "session"),
    ("citing", "submitted_by", "person"),
    ("again", "submitted_by", "agent"),
    ("again", "corrected_by", "rejection 1"),
    ("session", "ran_with", "manifest"),
    ("session", "run_by", "version"),
    ("manifest", "held", "lesson"),
    ("manifest", "held", "guideline"),
    ("lesson", "learnt_from", "rejection 1"),
    ("lesson", "learnt_from", "rejection 2"),
    ("guideline", "written_by", "admin"),
    ("rejection 2", "about", "rejected 2"),
    ("remark", "about", "session"),
    ("rejection 2", "said_by", "rejecter 2"),
    ("version", "configured_by", "admin"),
    ("golden", "frozen_from", "session"),
    ("golden", "accepts", "other session"),
]
ONE_WAY = {"edited_by"}  # what somebody wrote by hand is in the history of its record


def test_the_steps_show_every_relation() -> None:
    assert {relation for _, relation, _ in STEPS} == set(ChainRelation)


async def test_every_step_is_found_from_both_ends(told: Story) -> None:
    for step in STEPS:
        above, relation, below = step
        assert step in await told.edges(above, "back", depth=1), step
        if relation not in ONE_WAY:
            assert step in await told.edges(below, "forward", depth=1), step


async def test_a_value_leads_to_those_who_taught_the_agent_and_back(told: Story) -> None:
    back = await told.chain("value", "back")
    found = {node["ref"]: node for node in back["nodes"]}
    for word in ("response", "web", "session", "version", "manifest", "lesson", "rejection 1", "rejection 2", "rejecter 1", "rejecter 2"):  # fmt: skip
        assert told.refs[word] in found, word
    assert [found[told.refs[w]]["depth"] for w in ("value", "response", "session", "manifest", "lesson", "rejection 2", "rejecter 2")] == [0, 1, 2, 3, 4, 5, 6]  # fmt: skip
    assert not back["truncated"]
    assert back["hidden"] == 0
    forward = {node["ref"] for node in (await told.chain("rejection 2", "forward"))["nodes"]}
    for word in (
        "lesson",
        "manifest",
        "session",
        "response",
        "value",
        "summary",
        "record",
        "citing",
        "golden",
    ):
        assert told.refs[word] in forward, word


async def test_a_value_rests_on_the_sources_of_its_own_dimension_alone(told: Story) -> None:
    of_value = {node["ref"] for node in (await told.chain("value", "back"))["nodes"]}
    assert told.refs["web"] in of_value
    assert told.refs["document"] not in of_value
    on_document = {node["ref"] for node in (await told.chain("document", "forward"))["nodes"]}
    assert told.refs["summary"] in on_document
    assert told.refs["value"] not in on_document


async def test_a_claim_rests_on_what_the_study_says(told: Story) -> None:
    found = [node["ref"] for node in (await told.chain("study", "forward"))["nodes"]]
    order = ["study", "rating", "rigor", "supporting", "claim"]
    assert found[:5] == [told.refs[word] for word in order]
    assert told.refs["count"] in found


async def test_a_circle_ends(fresh: Story) -> None:
    """The lesson is strengthened by feedback about a response that came of it."""
    feedback = await fresh.teach(fresh.refs["response"].removeprefix("response:"), "lesson", "negative")
    for direction in ("back", "forward"):
        found = await fresh.chain("response", direction, depth=30)
        refs = [node["ref"] for node in found["nodes"]]
        assert len(refs) == len(set(refs))
        assert feedback in refs
        assert not found["truncated"]
        assert any(fresh.refs["response"] in (e["source"], e["target"]) and feedback in (e["source"], e["target"]) for e in found["edges"])  # fmt: skip


async def test_depth_and_size_are_bounded_and_it_says_where(told: Story) -> None:
    near = await told.chain("value", "back", depth=2)
    assert {node["depth"] for node in near["nodes"]} == {0, 1, 2}
    assert near["truncated"]
    more = {node["ref"] for node in near["nodes"] if node["more"]}
    assert told.refs["session"] in more
    assert told.refs["web"] not in more
    few = await told.chain("value", "back", nodes=4)
    assert len(few["nodes"]) == 4
    assert few["truncated"]
    shown = {node["ref"] for node in few["nodes"]}
    assert all(e["source"] in shown and e["target"] in shown for e in some(few["edges"]))
    for query in ({"depth": 0}, {"depth": 31}, {"nodes": 0}, {"nodes": 5001}, {"direction": "sideways"}):
        asked: dict[str, Any] = {"from": told.refs["value"], **query}
        assert (await told.admin.get(CHAIN, params=asked)).status_code == 422, query


async def test_a_viewer_sees_that_there_is_feedback_and_not_what_it_says(told: Story) -> None:
    viewer = await told.desk.workspace.client(Role.VIEWER)
    found = await told.chain("value", "back", by=viewer)
    nodes = {node["ref"]: node for node in found["nodes"]}
    hidden = nodes[told.refs["rejection 1"]]
    assert hidden["seen"] == "hidden"
    assert [hidden[key] for key in ("title", "detail", "state", "at", "by", "href")] == [None] * 6
    assert found["hidden"] == 4  # of each rejection there is one about the value and one about the response
    assert told.refs["rejecter 1"] not in nodes
    assert nodes[told.refs["lesson"]]["seen"] == "shown"
    forward = {node["ref"]: node for node in (await told.chain("session", "forward", by=viewer))["nodes"]}
    assert forward[told.refs["golden"]]["seen"] == "hidden"
    refused = await viewer.get(CHAIN, params={"from": told.refs["rejection 1"]})
    assert code(refused) == (404, "node_not_found")
    refused = await viewer.get(CHAIN, params={"from": told.refs["golden"]})
    assert code(refused) == (403, "forbidden")


async def test_who_gave_feedback_sees_it_in_the_chain(told: Story) -> None:
    rejecter = told.refs["rejecter 1"].removeprefix("user:")
    own = await told.desk.workspace.client(Role.REVIEWER, user_id=rejecter)
    nodes = {node["ref"]: node for node in (await told.chain("lesson", "back", by=own))["nodes"]}
    assert nodes[told.refs["rejection 1"]]["seen"] == "shown"
    assert nodes[told.refs["rejection 2"]]["seen"] == "hidden"
    assert told.refs["rejecter 1"] in nodes
    assert told.refs["rejecter 2"] not in nodes


async def test_a_narrow_key_gets_kinds_that_it_may_not_read_without_words(told: Story) -> None:
    narrow = await told.desk.workspace.client(Role.ADMIN, scopes=["chain.team.read", "entities.team.read"])
    found = await told.chain("value", "back", by=narrow)
    assert [(node["kind"], node["seen"]) for node in found["nodes"]] == [
        ("field", "shown"),
        ("response", "hidden"),
    ]
    assert code(await narrow.get(CHAIN, params={"from": told.refs["response"]})) == (403, "forbidden")
    nothing = await told.desk.workspace.client(Role.ADMIN, scopes=["entities.team.read"])
    assert code(await nothing.get(CHAIN, params={"from": told.refs["value"]})) == (403, "forbidden")


async def test_another_workspace_has_none_of_it(told: Story, other_workspace: Workspace) -> None:
    stranger = await other_workspace.client(Role.OWNER)
    for word, ref in some(told.refs.items()):
        for direction in ("back", "forward"):
            answer = await stranger.get(CHAIN, params={"from": ref, "direction": direction})
            assert code(answer) == (404, "node_not_found"), word


@pytest.mark.parametrize(
    ("ref", "status"),
    [
        ("field:' OR 1=1 --", 422),
        ("source:document:'; DROP TABLE sessions; --", 404),
        ('source:document:%_\\"`<script>', 404),
        ("source:web:" + "x" * 5000, 404),
        ("x" * 10_000, 422),
        ("source:web:" + "x" * 10_000, 422),
        ("response:\x00", 422),
        ("nothing", 422),
        (":", 422),
        ("", 422),
        ("agent:00000000-0000-0000-0000-000000000000@99999999999", 422),
        ("agent:00000000-0000-0000-0000-000000000000@2147483647", 404),
        ("manifest:" + "g" * 64, 422),
        ("golden:00000000-0000-0000-0000-000000000000", 404),
        ("field:00000000-0000-0000-0000-000000000000/{a,b}", 404),
    ],
)
async def test_what_names_nothing_is_refused(desk: Desk, ref: str, status: int) -> None:
    for direction in ("back", "forward"):
        answer = await desk.admin.get(CHAIN, params={"from": ref, "direction": direction})
        assert answer.status_code == status, answer.text


async def test_odd_names_are_followed_like_others(desk: Desk) -> None:
    """Quotes and braces are part of names, and what is too long for an index is found by its beginning and a hash."""
    record = await desk.make_record()
    name = "Ein 'Bericht' {1,2} \\ \"x\" " + "ü" * 4000
    sources = {"name": {"type": "document", "title": name}, "summary": {"type": "document", "title": "other"}}
    meta = {key: {"sources": [source]} for key, source in sources.items()}
    response = await desk.submit(record, {"name": "Acme", "summary": "y"}, field_meta=meta)
    await desk.promote(response, "name", "summary")
    asked = {"from": f"source:document:{name}", "direction": "forward"}
    found = ok(await desk.admin.get(CHAIN, params=asked))
    assert [n["ref"] for n in found["nodes"] if n["kind"] == "field"] == [f"field:{record['id']}/name"]
    back = ok(await desk.admin.get(CHAIN, params={"from": f"field:{record['id']}/name"}))
    assert [n["ref"] for n in back["nodes"] if n["kind"] == "source"] == [found["start"]]


async def test_what_is_gone_is_said_to_be(desk: Desk) -> None:
    """A response may name a session that nobody recorded here."""
    record = await desk.make_record()
    session_id = some_id()
    await desk.submit(record, {"employees": 1}, field_meta={"employees": {"session_id": session_id}})
    (response,) = ok(await desk.admin.get(f"/api/entities/{record['id']}/responses"))["data"]
    nodes = ok(await desk.admin.get(CHAIN, params={"from": f"response:{response['id']}"}))["nodes"]
    (session,) = [node for node in nodes if node["kind"] == "session"]
    assert (session["seen"], session["title"], session["href"]) == ("gone", None, None)


async def test_replays_are_not_what_rests_on_a_lesson(fresh: Story) -> None:
    async with fresh.desk.workspace.db.tx(fresh.desk.workspace.system) as tx:
        await tx.execute("SET LOCAL app.goldens = 'open'")
        await tx.execute(
            "UPDATE sessions SET purpose = 'replay' WHERE tenant_id = $1 AND id = $2",
            tx.actor.tenant_id, UUID(fresh.refs["other session"].removeprefix("session:")),
        )  # fmt: skip
    for word in ("manifest", "version"):
        found = {node["ref"] for node in (await fresh.chain(word, "forward", depth=1))["nodes"]}
        assert fresh.refs["session"] in found
        assert fresh.refs["other session"] not in found


async def test_sessions_that_nothing_rests_on_do_not_crowd_out_what_rests_on_the_others(fresh: Story) -> None:
    before = {word: await fresh.chain(word, "forward", nodes=40) for word in ("lesson", "version")}
    await fresh.idle(5100)
    for word, leads in (("lesson", "manifest"), ("version", "version")):
        found = await fresh.chain(word, "forward", nodes=40)
        assert len(found["nodes"]) == 40
        refs = {node["ref"]: node for node in found["nodes"]}
        assert {node["ref"] for node in before[word]["nodes"]} <= set(refs), word
        idle = sum(node["title"] == "Another" for node in found["nodes"])
        others = [
            (node["ref"], node["unused_sessions"]) for node in found["nodes"] if node["unused_sessions"]
        ]
        assert others == [(fresh.refs[leads], 5100 - idle)]
        assert found["unused_sessions"] == 5100 - idle
        assert not found["truncated"]


async def test_where_not_all_fits_what_rests_on_it_in_the_end_is_shown_with_the_way_there(
    fresh: Story,
) -> None:
    whole = await fresh.chain("lesson", "forward")
    few = await fresh.chain("lesson", "forward", nodes=5)
    assert few["truncated"]
    assert [node["kind"] for node in few["nodes"]] == [
        "knowledge",
        "manifest",
        "session",
        "response",
        "field",
    ]
    assert few["edges"] == [edge for edge in whole["edges"] if edge in few["edges"]]
    assert len(few["edges"]) == 4
